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

#[test]
fn timers_run_keep() {
    let blocks = blocks();
    let of = |part: &str| {
        let block = blocks.iter().find(|(_, code)| code.contains(part));
        block.unwrap_or_else(|| panic!("no block has {part}")).1.clone()
    };
    assert!(of("OnCalendar=").contains("Persistent=true"));
    assert!(of("ExecStart=").contains("leafpress keep"));
    assert!(of("crontab").contains("leafpress keep"));
    let launchd = of("StartInterval");
    assert!(launchd.contains("<string>keep</string>"), "{launchd}");
}
