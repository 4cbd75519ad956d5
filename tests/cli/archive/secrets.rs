//! No secret is in any file of an archive, and none in a name.

use serde_json::json;
use snapbox::str;

use super::{files, readable, rows};
use crate::cli::secrets::token;
use crate::support::home::{Home, pi};
use crate::support::inflated::everything;

/// A session with a token wherever a session has texts.
pub(super) fn telling(token: &str) -> String {
    let at = "2026-03-01T10:00:00.000Z";
    let lines = [
        json!({"type": "session", "version": 3, "id": format!("s-{token}"), "timestamp": at,
            "cwd": format!("/w/{token}")}),
        json!({"type": "message", "id": "a", "parentId": null, "timestamp": at,
            "message": {"role": "user", "content": format!("use {token} for the upload")}}),
        json!({"type": "message", "id": "b", "parentId": "a", "timestamp": at, "message": {"role": "assistant",
            "content": [{"type": "text", "text": format!("I use {token}.")},
                {"type": "toolCall", "id": "c", "name": "write", "arguments": {"path": format!("{token}.txt"), "content": token}}]}}),
        json!({"type": "message", "id": "c1", "parentId": "b", "timestamp": at, "message": {"role": "toolResult",
            "toolCallId": "c", "toolName": "write", "content": [{"type": "text", "text": format!("wrote {token}")}]}}),
        json!({"type": "label", "id": "d", "parentId": "c1", "timestamp": at, "targetId": "a",
            "label": format!("mark {token}")}),
        json!({"type": "session_info", "id": "e", "parentId": "d", "timestamp": at, "name": format!("On {token}")}),
    ];
    lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n")
}

#[test]
fn no_secret_is_in_a_file_or_in_its_name() {
    let home = Home::new();
    let token = token();
    home.file(".pi/agent/sessions/--w--/a.jsonl", &telling(&token));
    home.run(&["archive", "-o", "all", "--yes", "--tool-output"]).success();
    let mut seen = 0;
    for (name, bytes) in files(&home, "all") {
        let mut text = readable(&bytes);
        if name.starts_with("data/text/") {
            assert!(text.contains("for the upload"));
            seen += 1;
        } else if name.starts_with("sessions/") {
            text.push_str(&everything(&text));
            seen += 1;
        }
        // Words are split and in lower case.
        for secret in [&*token, &token.to_lowercase(), &token[4..], &token[4..].to_lowercase()] {
            assert!(!name.contains(secret) && !text.contains(secret), "{name}");
        }
    }
    assert_eq!(seen, 2);
    // All of it is there for who asks for it.
    home.run(&["archive", "-o", "all", "--yes", "--no-redact"]).success();
    assert!(rows(&home, "all")[0]["title"].as_str().unwrap().contains(&token));
}

#[test]
fn a_page_with_a_secret_left_is_not_written_and_all_others_are() {
    let home = Home::new();
    let token = token();
    let (a, b) = token.split_at(20);
    let entry = json!({"type": "message", "id": "a1", "parentId": null, "message": {"role": "user",
        "content": [{"type": "text", "text": format!("see {a}")}, {"type": "text", "text": format!("{b} here")}]}});
    let header = json!({"type": "session", "version": 3, "id": "split-token", "cwd": "/w"});
    home.file(".pi/agent/sessions/--w--/split.jsonl", &format!("{header}\n{entry}\n"));
    home.file(".pi/agent/sessions/--w--/b.jsonl", &pi("the kiln", "/w/pottery", 2));
    home.run(&["archive", "-o", "all", "--yes"]).code(1).stderr_eq(str![[r#"
...
1 session: 1 written
replaced 0 secrets in what was written
warning: not written: session split-token: the page still contains 1 possible secret
error: 1 session not written
help: `leafpress SESSION --redact` says more of one of them

"#]]);
    assert_eq!(rows(&home, "all").len(), 1);
    assert!(files(&home, "all").keys().all(|name| !name.contains("split")));
}
