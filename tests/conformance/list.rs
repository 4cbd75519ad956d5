//! Section J, the tree list. Selection and folding are the viewer's.

use leafpress::{Filter, Session, report};
use serde_json::json;

use crate::support::session::{Log, index};

fn rows(session: &Session, leaf: &str, filter: Filter) -> Vec<String> {
    report::tree(session, index(session, leaf), filter, None)
        .unwrap()
        .rows
        .into_iter()
        .map(|row| row.text)
        .collect()
}

fn shows(session: &Session, leaf: &str, filter: Filter, id: &str) -> bool {
    report::tree(session, index(session, leaf), filter, None)
        .unwrap()
        .rows
        .iter()
        .any(|row| row.id == id)
}

#[test]
fn j15_j16_a_turn_of_tool_calls_alone_shows_only_as_leaf() {
    for stop_reason in ["stop", "toolUse"] {
        let session = Log::new().user("1").calling(stop_reason).user("3").read();
        for filter in Filter::ALL.iter().copied() {
            assert!(!shows(&session, "3", filter, "2"), "{filter:?}");
        }
        assert!(shows(&session, "2", Filter::Default, "2"));
        assert!(shows(&session, "2", Filter::All, "2"));
        // Exempt from the rule on turns without text, not from the mode.
        assert!(!shows(&session, "2", Filter::UserOnly, "2"));
        assert!(!shows(&session, "2", Filter::LabeledOnly, "2"));
    }
}

#[test]
fn j17_turns_that_ended_badly_show() {
    for stop_reason in ["error", "aborted", "length"] {
        let session = Log::new().user("1").calling(stop_reason).user("3").read();
        assert!(shows(&session, "3", Filter::Default, "2"), "{stop_reason}");
    }
}

#[test]
fn j18_the_active_branch_comes_first() {
    let session = Log::new().user("1").user("2").under(Some("1")).user("3").read();
    assert_eq!(rows(&session, "2", Filter::Default), ["user: 1", "user: 2", "user: 3"]);
    assert_eq!(rows(&session, "3", Filter::Default), ["user: 1", "user: 3", "user: 2"]);
}

#[test]
fn j19_compactions_count_thousands_halves_up() {
    for (tokens, text) in [(1499, "1k"), (48_510, "49k"), (500, "1k"), (499, "0k")] {
        let session = Log::new()
            .entry(json!({"type": "compaction", "summary": "s", "tokensBefore": tokens}))
            .read();
        assert_eq!(rows(&session, "1", Filter::Default), [format!("[compaction: {text} tokens]")]);
    }
}

#[test]
fn j22_a_result_without_its_call() {
    let result = |fields| Log::new().message(fields).read();
    let session = result(json!({"role": "toolResult", "toolCallId": "?", "content": []}));
    assert_eq!(rows(&session, "1", Filter::Default), ["[tool]"]);
    let session =
        result(json!({"role": "toolResult", "toolCallId": "?", "toolName": "read", "content": []}));
    assert_eq!(rows(&session, "1", Filter::Default), ["[read]"]);
}

#[test]
fn a_result_is_named_by_the_call_above_it() {
    // The same call id on two branches: each result belongs to its own.
    let call = |path: &str| {
        json!({"role": "assistant", "content": [{"type": "toolCall", "id": "c", "name": "read", "arguments": {"path": path}}],
            "stopReason": "toolUse"})
    };
    let result =
        || json!({"role": "toolResult", "toolCallId": "c", "toolName": "read", "content": []});
    let session = Log::new()
        .user("1")
        .under(Some("1"))
        .message(call("a"))
        .message(result())
        .under(Some("1"))
        .message(call("b"))
        .message(result())
        .read();
    assert_eq!(rows(&session, "3", Filter::Default), ["user: 1", "[read: a]", "[read: b]"]);
}

#[test]
fn rows_are_worded_as_pi_words_them() {
    let long = "x".repeat(300);
    let session = Log::new()
        .user(" two\nlines\tand a tab ")
        .user(&long)
        .message(json!({"role": "assistant", "content": [], "stopReason": "aborted", "errorMessage": "e"}))
        .message(json!({"role": "assistant", "content": [], "stopReason": "error", "errorMessage": "up\nstream"}))
        .message(json!({"role": "assistant", "content": [], "stopReason": "length"}))
        .message(json!({"role": "bashExecution", "command": "ls\n-l"}))
        .message(json!({"role": "system", "content": "p"}))
        .message(json!({"role": "odd"}))
        .entry(json!({"type": "context_edit", "targetId": "1", "replacement": null}))
        .entry(json!({"type": "session_info", "name": ""}))
        .entry(json!({"type": "session_info", "name": "n"}))
        .entry(json!({"type": "label", "targetId": "1"}))
        .entry(json!({"type": "mode_change", "mode": "plan"}))
        .entry(json!({"type": "usage", "kind": "cache_warm"}))
        .read();
    let user = format!("user: {}", "x".repeat(194));
    assert_eq!(
        rows(&session, "14", Filter::All),
        [
            "user: two lines and a tab",
            user.as_str(),
            "assistant: (aborted)",
            "assistant: up stream",
            "assistant: (no content)",
            "[bash]: ls -l",
            "[system]",
            "[odd]",
            "[context omit: 1]",
            "[title: empty]",
            "[title: n]",
            "[label: (cleared)]",
            "[mode: plan]",
        ]
    );
    // Settings of every format hide together; `usage` shows nowhere.
    assert_eq!(rows(&session, "14", Filter::Default).len(), 8);
}
