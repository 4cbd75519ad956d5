//! A home folder for the commands that look for sessions.

use serde_json::{Value, json};
use snapbox::cmd::OutputAssert;

use super::folder::{Folder, json};

/// A home folder that holds nothing but what a test puts there.
pub(crate) struct Home(Folder);

/// What moves the places, and may be set where the tests run.
const ENVIRONMENT: [&str; 14] = [
    "PI_CODING_AGENT_DIR",
    "PI_CODING_AGENT_SESSION_DIR",
    "PI_CONFIG_DIR",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "CURSOR_CONFIG_DIR",
    "GEMINI_CLI_HOME",
    "OPENCODE_DB",
    "OPENCLAW_STATE_DIR",
    "CLAWDBOT_STATE_DIR",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
    "LEAFPRESS_DATA",
];

impl Home {
    pub(crate) fn new() -> Home {
        Home(Folder::new())
    }

    /// With two sessions of pi and the garden of the examples.
    pub(crate) fn with_three() -> Home {
        let home = Home::new();
        home.example("garden.jsonl", ".pi/agent/sessions/--garden--/garden.jsonl");
        let kiln = pi("fire the kiln", "/w/pottery", 1).replace("id-fire the kiln", "fire-kiln");
        home.file(".pi/agent/sessions/--w--/a.jsonl", &kiln);
        home.file(".pi/agent/sessions/--w--/b.jsonl", &pi("tideTable of 灯台守", "/w/coast", 2));
        home
    }

    /// Where a file of its own lies.
    pub(crate) fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        self.0.read(name)
    }

    pub(crate) fn file(&self, name: &str, text: &str) {
        let path = self.0.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn example(&self, name: &str, place: &str) {
        let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
        let text = std::fs::read_to_string(format!("{example}/{name}")).unwrap();
        self.file(place, &text);
    }

    pub(crate) fn command(&self, args: &[&str]) -> snapbox::cmd::Command {
        let command = self.0.command(args).env("HOME", self.0.path(""));
        ENVIRONMENT.into_iter().fold(command, snapbox::cmd::Command::env_remove)
    }

    pub(crate) fn run(&self, args: &[&str]) -> OutputAssert {
        self.command(args).assert()
    }

    pub(crate) fn list(&self, args: &[&str]) -> Value {
        let args = [&["list", "--json"], args].concat();
        json(&self.run(&args).success())
    }

    /// The prompts of the sessions listed.
    pub(crate) fn prompts(&self, args: &[&str]) -> Vec<String> {
        let list = self.list(args);
        let sessions = list["sessions"].as_array().unwrap().iter();
        sessions.map(|session| session["prompt"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

/// A session of pi's whose one prompt was typed at this minute.
pub(crate) fn pi(prompt: &str, cwd: &str, minute: u32) -> String {
    let at = format!("2026-03-01T10:{minute:02}:00.000Z");
    let header = json!({"type": "session", "version": 3, "id": format!("id-{prompt}"), "timestamp": at, "cwd": cwd});
    let entry = json!({"type": "message", "id": "a", "parentId": null, "timestamp": at,
        "message": {"role": "user", "content": prompt}});
    format!("{header}\n{entry}\n")
}
