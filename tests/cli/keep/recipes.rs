//! The recipes of docs/keeping.md, as far as they can run here.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::home::{Home, pi};

/// The blocks of code of a page of the docs, each with its language.
fn blocks() -> Vec<(String, String)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/keeping.md");
    let text = fs::read_to_string(page).unwrap();
    let mut parts = text.split("```");
    parts.next();
    let mut blocks = Vec::new();
    while let (Some(block), Some(_)) = (parts.next(), parts.next()) {
        let (language, code) = block.split_once('\n').unwrap();
        blocks.push((language.to_owned(), code.to_owned()));
    }
    blocks
}

#[test]
fn the_hook_runs_and_keeps_the_session() {
    let settings =
        blocks().into_iter().find(|(language, code)| language == "json" && code.contains("hooks"));
    let settings: Value = serde_json::from_str(&settings.unwrap().1).unwrap();
    for event in ["Stop", "SessionEnd"] {
        let hook = &settings["hooks"][event][0]["hooks"][0];
        assert_eq!(hook["type"], "command");
        let command = hook["command"].as_str().unwrap();
        let args: Vec<&str> = command.split(' ').collect();
        assert_eq!(args[0], "leafpress");
        let home = Home::new();
        home.file("a.jsonl", &pi("kept by a hook", "/w", 1));
        let json =
            serde_json::json!({"transcript_path": home.path("a.jsonl"), "hook_event_name": event});
        home.command(&args[1..]).stdin(json.to_string()).assert().success();
        fs::remove_file(home.path("a.jsonl")).unwrap();
        assert_eq!(home.prompts(&[]), ["kept by a hook"]);
    }
}

/// The command of each timer keeps the sessions of a home in which leafpress lies where the recipe looks for it.
#[cfg(unix)]
#[test]
fn timers_run_keep() {
    let blocks = blocks();
    let of = |part: &str| {
        let block = blocks.iter().find(|(_, code)| code.contains(part));
        block.unwrap_or_else(|| panic!("no block has {part}")).1.clone()
    };
    assert!(of("OnCalendar=").contains("Persistent=true"));
    let line = |block: String, start: &str| {
        let line = block.lines().find_map(|line| Some(line.strip_prefix(start)?.to_owned()));
        line.unwrap_or_else(|| panic!("no line begins with {start}"))
    };
    let unit = line(of("ExecStart="), "ExecStart=").replace("%h", "$HOME");
    let cron = line(of("crontab:"), "17 * * * * ");
    let launchd = of("StartInterval");
    let strings =
        launchd.split("<string>").skip(1).filter_map(|rest| rest.split("</string>").next());
    let words: Vec<&str> = strings.collect();
    assert_eq!(words[1..], ["/opt/homebrew/bin/leafpress", "keep"]);
    let launchd = words[1..].join(" ").replace("/opt/homebrew", "$HOME/.cargo");
    for command in [unit, cron, launchd] {
        let home = Home::new();
        fs::create_dir_all(home.path(".cargo/bin")).unwrap();
        let program = snapbox::cmd::cargo_bin!("leafpress");
        std::os::unix::fs::symlink(program, home.path(".cargo/bin/leafpress")).unwrap();
        home.file(".pi/agent/sessions/--w--/a.jsonl", &pi("kept by a timer", "/w", 1));
        let run = snapbox::cmd::Command::new("/bin/sh").args(["-c", &command]).env_clear();
        run.env("HOME", home.path("")).current_dir("/").assert().success();
        fs::remove_dir_all(home.path(".pi")).unwrap();
        assert_eq!(home.prompts(&[]), ["kept by a timer"], "{command}");
    }
}
