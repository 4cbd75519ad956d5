//! `leafpress context`.

use snapbox::str;

use crate::support::folder::{Folder, json};

#[test]
fn one_line_a_message() {
    let folder = Folder::with_fixture("samples/pi-1.5-compact.jsonl");
    folder.run(&["context", "session.jsonl", "--leaf", "c0000011"]).success().stdout_eq(str![[
        r#"
leaf c0000011, model acme/wren-2, 6 messages
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

#[test]
fn messages_without_text_are_counted_and_lines_fit() {
    let folder = Folder::with_example("garden.jsonl");
    let found = json(&folder.run(&["context", "garden.jsonl", "--json"]).success());
    let messages = found["messages"].as_array().unwrap();
    let empty = messages.iter().filter(|message| message["text"] == "").count();
    assert_eq!(empty, 1);
    for columns in ["80", "40"] {
        let command = folder.command(&["context", "garden.jsonl"]).env("COLUMNS", columns);
        let printed = command.assert().success();
        let printed = String::from_utf8(printed.get_output().stdout.clone()).unwrap();
        assert!(!printed.contains("(no text)"), "{printed}");
        assert!(printed.contains("\n          no text: 1 message, not shown\n"), "{printed}");
        let most = columns.parse().unwrap();
        assert!(printed.lines().all(|line| line.chars().count() <= most), "{printed}");
    }
}

#[test]
fn the_context_over_time_is_a_call_with_its_tokens() {
    let folder = Folder::with_example("lighthouse.jsonl");
    let args = ["context", "lighthouse.jsonl", "--over-time"];
    let found = json(&folder.run(&[&args[..], &["--json"]].concat()).success());
    let calls = found["calls"].as_array().unwrap();
    assert_eq!(
        calls[1],
        serde_json::json!({
            "entryId": "1539b844",
            "time": "2026-11-03T19:45:20.103Z",
            "model": "anthropic/claude-sonnet-4-5",
            "input": 6,
            "cacheRead": 3195,
            "cacheWrite": 291,
            "output": 73,
            "window": null,
            "compaction": null,
        })
    );
    let compacted: Vec<&str> =
        calls.iter().filter_map(|call| call["compaction"].as_str()).collect();
    assert_eq!(compacted, ["bf1a1e8e"]);
    let printed = folder.run(&args).success();
    let printed = String::from_utf8(printed.get_output().stdout.clone()).unwrap();
    assert!(
        printed
            .starts_with("model anthropic/claude-sonnet-4-5\nf437d74e  2026-11-03 19:45   3.2k  █"),
        "{printed}"
    );
    assert!(
        printed.contains("\ncompaction bf1a1e8e\nmodel anthropic/claude-opus-4-5\n"),
        "{printed}"
    );
    assert!(printed.ends_with("\n23 calls, tokens sent with each; times in UTC\n"), "{printed}");
    assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
    let leaf = [&args[..], &["--json", "--leaf", "1539b844"]].concat();
    assert_eq!(json(&folder.run(&leaf).success())["calls"].as_array().unwrap().len(), 2);
}

#[test]
fn a_context_window_is_known_where_the_file_states_it() {
    let window = |text: &str| {
        let folder = Folder::new();
        folder.write("session.jsonl", text);
        let args = ["context", "session.jsonl", "--over-time", "--json"];
        let calls = json(&folder.run(&args).success())["calls"].clone();
        assert_eq!(calls.as_array().unwrap().len(), 1, "{calls}");
        (calls[0]["input"].clone(), calls[0]["window"].clone())
    };
    let codex = concat!(
        r#"{"timestamp":"2026-11-24T08:00:00Z","type":"session_meta","payload":{"id":"c","cwd":"/w"}}"#,
        "\n",
        r#"{"timestamp":"2026-11-24T08:00:01Z","type":"turn_context","payload":{"model":"m"}}"#,
        "\n",
        r#"{"timestamp":"2026-11-24T08:00:02Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}}"#,
        "\n",
        r#"{"timestamp":"2026-11-24T08:00:03Z","type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"input_tokens":600,"output_tokens":3},"total_token_usage":{"input_tokens":600},"model_context_window":258400}}}"#,
        "\n"
    );
    assert_eq!(window(codex), (600.into(), 258_400.into()));
    // In the stream of Claude Code its last line says so, of each model.
    let claude = concat!(
        r#"{"type":"system","subtype":"init","session_id":"s","cwd":"/w","model":"m"}"#,
        "\n",
        r#"{"type":"assistant","session_id":"s","uuid":"a","message":{"id":"i","role":"assistant","model":"m","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":600}}}"#,
        "\n",
        r#"{"type":"result","subtype":"success","session_id":"s","uuid":"r","modelUsage":{"m":{"contextWindow":200000}}}"#,
        "\n"
    );
    assert_eq!(window(claude), (600.into(), 200_000.into()));
}
