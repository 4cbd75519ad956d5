//! Patches whose hunks stand anywhere, in any order: what they make is never half a character, and what cannot be known
//! is not called exact.

use leafpress::changes::{Changes, patch};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::session::Log;

/// A hunk, with or without numbers, of lines that the file has or has not.
fn hunk() -> BoxedStrategy<String> {
    let number = prop_oneof![4 => 0..9_usize, 1 => Just(usize::MAX), 1 => Just(usize::MAX - 1)];
    let head = prop_oneof![
        3 => (number.clone(), 0..4_usize, number).prop_map(|(at, lines, to)| format!("@@ -{at},{lines} +{to} @@")),
        1 => Just("@@".to_owned()),
        1 => line().prop_map(|line| format!("@@ {line}")),
    ];
    let sign = prop::sample::select(vec!["+", "-", " ", "\\ No newline at end of file\n+"]);
    let lines = prop::collection::vec((sign, line()), 1..5);
    (head, lines)
        .prop_map(|(head, lines)| {
            let lines: Vec<String> =
                lines.into_iter().map(|(sign, line)| format!("{sign}{line}")).collect();
            format!("{head}\n{}", lines.join("\n"))
        })
        .boxed()
}

fn line() -> BoxedStrategy<String> {
    prop::sample::select(vec!["a", "b", "é", "ééééé", "", "\\x", "  a", "a\r"])
        .prop_map(str::to_owned)
        .boxed()
}

fn text() -> BoxedStrategy<String> {
    (prop::collection::vec(line(), 0..9), any::<bool>())
        .prop_map(|(lines, ends)| lines.join("\n") + if ends { "\n" } else { "" })
        .boxed()
}

fn call(log: Log, nth: usize, tool: &str, arguments: &Value, said: &str) -> Log {
    let id = format!("c{nth}");
    let asked = json!({"type": "message", "message": {"role": "assistant", "stopReason": "toolUse",
        "content": [{"type": "toolCall", "id": id, "name": tool, "arguments": arguments}]}});
    let result = json!({"type": "message", "message": {"role": "toolResult", "toolCallId": id,
        "toolName": tool, "content": [{"type": "text", "text": said}], "isError": false}});
    log.entry(asked).entry(result)
}

proptest! {
    #[test]
    fn hostile_hunks_are_applied_or_not(
        before in text(),
        patches in prop::collection::vec((any::<bool>(), prop::collection::vec(hunk(), 1..4)), 1..4),
    ) {
        let mut log = call(Log::new(), 0, "read", &json!({"path": "f"}), &before);
        for (nth, (is_envelope, hunks)) in patches.iter().enumerate() {
            let hunks = hunks.join("\n");
            let (tool, patch) = if *is_envelope {
                ("apply_patch", format!("*** Begin Patch\n*** Update File: f\n{hunks}\n*** End Patch"))
            } else {
                ("patch", format!("--- a/f\n+++ b/f\n{hunks}\n"))
            };
            log = call(log, nth + 1, tool, &json!({"input": patch}), "ok");
        }
        let session = leafpress::read(log.text().into_bytes()).unwrap();
        let changes = Changes::of(&session);
        for entry in session.indices() {
            for file in changes.files() {
                let _ = changes.state(file, entry);
            }
        }
        let files = changes.at(&session, session.leaf());
        let _ = patch(&session, &files);
        for file in &files {
            // What is exact is made of the file and what its patches say.
            let lines = file.net.hunks.iter().filter(|_| file.net.is_exact).flat_map(|hunk| &hunk.lines);
            for (_, line) in lines {
                let line = line.trim_end_matches(['\n', '\r']);
                let is_said = patches.iter().flat_map(|(_, hunks)| hunks).any(|hunk| hunk.contains(line));
                prop_assert!(is_said || before.contains(line), "{line:?}");
            }
        }
        let _ = changes.turns();
    }
}
