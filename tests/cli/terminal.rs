//! What the command prints does nothing to a terminal.

use serde_json::json;

use super::secrets::token;
use crate::support::home::Home;

/// A C1 control, DEL, what turns the direction, and a line separator.
const ODD: &str = "a\u{9b}31mb\u{7f}c\u{202e}d\u{2066}e\u{200f}f\u{61c}g\u{2028}h";

#[test]
fn json_is_harmless_and_says_the_same() {
    let home = Home::new();
    let token = token();
    let header = json!({"type": "session", "version": 3, "id": "s", "cwd": format!("/{ODD}")});
    let entry = |id: &str, parent: Option<&str>, role: &str| {
        json!({"type": "message", "id": id, "parentId": parent,
            "message": {"role": role, "content": [{"type": "text", "text": format!("{token} {ODD}")},
                {"type": "toolCall", "id": id, "name": ODD, "arguments": {}}]}})
    };
    let lines = [
        header,
        entry("a", None, "user"),
        entry("b", Some("a"), "assistant"),
        entry("c", Some("a"), "assistant"),
    ];
    let text = lines.map(|line| line.to_string()).join("\n");
    assert!(text.contains(ODD));
    let place = ".pi/agent/sessions/--w--/s.jsonl";
    home.file(place, &text);
    for args in [
        &["tree", place][..],
        &["branches", place],
        &["compare", place, "b", "c"],
        &["context", place],
        &["stats", place],
        &["secrets", place],
        &["list"],
    ] {
        let done = home.run(&[args, &["--json"]].concat()).success();
        let out = String::from_utf8(done.get_output().stdout.clone()).unwrap();
        let is_harmless =
            |c: char| c == '\n' || !(c.is_control() || ODD.contains(c) && !c.is_ascii());
        assert!(out.chars().all(is_harmless), "{args:?}: {out:?}");
        assert!(out.contains("c\\u202ed\\u2066e\\u200ff\\u061cg\\u2028h"), "{args:?}: {out}");
        let said: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert!(said.to_string().contains("c\u{202e}d\u{2066}e\u{200f}f"), "{args:?}: {said}");
    }
}
