//! `leafpress context`.

use snapbox::str;

use crate::support::folder::{Folder, json};

#[test]
fn one_line_a_message() {
    let folder = Folder::with_fixture("samples/pi-1.5-compact.jsonl");
    folder.run(&["context", "session.jsonl", "--leaf", "c0000011"]).success().stdout_eq(str![[
        r#"
leaf c0000011, model acme/wren-2, thinking off, 6 messages
c0000010  system: folded
c0000010  compaction summary: keeps a range that holds the older compaction
c0000005  assistant: r2
c0000007  user: q3
c0000009  assistant: r3
c0000011  user: q4

"#
    ]]);
}

#[test]
fn roles_are_words_for_a_person_and_as_written_in_json() {
    let folder = Folder::with_fixture("samples/pi-1.5-main.jsonl");
    let leaf = ["context", "session.jsonl", "--leaf", "ast00011"];
    let printed = folder.run(&leaf).success();
    let printed = String::from_utf8_lossy(&printed.get_output().stdout).into_owned();
    let found = json(&folder.run(&[&leaf[..], &["--json"]].concat()).success());
    let roles: Vec<&str> =
        found["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert!(roles.contains(&"toolResult") && roles.contains(&"branchSummary"), "{roles:?}");
    assert!(printed.contains("  tool result: ") && printed.contains("  branch summary: "));
    for line in printed.lines().skip(1) {
        let role = line.split_once("  ").unwrap().1.split_once(": ").unwrap().0;
        assert!(!role.contains(char::is_uppercase), "{line}");
    }
}

#[test]
fn what_is_set_at_the_leaf_of_an_omp_session() {
    let folder = Folder::with_fixture("samples/omp-18-main.jsonl");
    let assert = folder.run(&["context", "session.jsonl", "--leaf", "o0000013"]).success();
    let out = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(out.contains(", mode plan, service tier openai:priority, "), "{out}");
}

#[test]
fn the_json_has_its_promised_shape() {
    let folder = Folder::with_fixture("samples/pi-1.5-compact.jsonl");
    let assert =
        folder.run(&["context", "session.jsonl", "--leaf", "c0000013", "--json"]).success();
    assert_eq!(
        json(&assert),
        serde_json::json!({
            "leafId": "c0000013",
            "thinkingLevel": "off",
            "model": {"provider": "acme", "modelId": "wren-2"},
            "messages": [
                {"entryId": "c0000012", "entryType": "compaction", "role": "compactionSummary", "sent": true, "text": "keeps nothing"},
                {"entryId": "c0000013", "entryType": "message", "role": "user", "sent": true, "text": "q5"},
            ],
        })
    );
    let first = folder.run(&["context", "session.jsonl", "--leaf", "c0000002", "--json"]).success();
    assert_eq!(json(&first)["model"], serde_json::Value::Null);
}
