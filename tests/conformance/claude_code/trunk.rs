//! Which lines hang from which: branches, copies, compactions.

use leafpress::session::EntryIndex;
use leafpress::session::Kind;
use leafpress::session::message::joined_text;
use serde_json::json;

use super::{Lines, answers, calls, compaction, forks, path, prompt, says};
use crate::support::session::{assistant, seen, tool_result};

#[test]
fn results_hang_behind_their_response_in_file_order() {
    let session = Lines::default()
        .user("go")
        .calls("m1", "a")
        .under("u2", answers("a", "A"))
        .under("u2", calls("m1", "b"))
        .under("u4", answers("b", "B"))
        .says("m2", "done")
        .read();
    assert_eq!(path(&session), ["u1", "u2", "u3", "u5", "u6"]);
    assert!(forks(&session).is_empty());
    assert_eq!(assistant(&session, "u4").content.len(), 2, "u4 is another name of u2");
    assert_eq!(assistant(&session, "u2").usage.map(|usage| usage.output), Some(9.0));
    assert!(assistant(&session, "u2").stopped_by("toolUse"));
}

#[test]
fn several_results_of_one_line_are_several_entries() {
    let session = Lines::default()
        .user("go")
        .calls("m1", "a")
        .calls("m1", "b")
        .line(json!({"type": "user", "message": {"content": [
            {"type": "tool_result", "tool_use_id": "a", "content": "A", "is_error": true},
            {"type": "text", "text": "between"},
            {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "B"}]},
        ]}}))
        .says("m2", "done")
        .read();
    assert_eq!(path(&session), ["u1", "u2", "u4", "u4#2", "u4#3", "u5"]);
    assert!(tool_result(&session, "u4").is_error);
    assert_eq!(joined_text(&tool_result(&session, "u4#3").content, ""), "B");
}

#[test]
fn only_prompts_part_a_session() {
    let rewound = Lines::default()
        .user("one")
        .says("m1", "1")
        .user("two")
        .says("m2", "2")
        .under("u2", prompt("two again"))
        .read();
    assert_eq!(forks(&rewound), ["u2"]);
    assert_eq!(path(&rewound), ["u1", "u2", "u5"]);

    let joined = Lines::default()
        .user("one")
        .says("m1", "1")
        .line(json!({"type": "progress", "data": {"type": "hook_progress"}}))
        .under("u2", json!({"type": "system", "subtype": "turn_duration", "durationMs": 5}))
        .under("u2", json!({"type": "attachment", "attachment": {"type": "hook_success"}}))
        .under("u2", json!({"type": "user", "isMeta": true, "message": {"content": "injected"}}))
        .under("u3", prompt("two"))
        .read();
    assert!(forks(&joined).is_empty());
    assert_eq!(path(&joined), ["u1", "u2", "u3", "u4", "u5", "u6", "u7"]);
    let kinds: Vec<Kind> =
        (2..6).map(|entry| Kind::of(&joined.entry(EntryIndex::new(entry)).unwrap().body)).collect();
    assert_eq!(kinds, [Kind::Custom, Kind::Custom, Kind::Custom, Kind::CustomMessage]);
}

#[test]
fn a_second_prompt_at_the_root_is_a_branch() {
    let session = Lines::default()
        .user("one")
        .says("m1", "1")
        .line(json!({"type": "user", "parentUuid": null, "message": {"content": "from the start"}}))
        .read();
    assert_eq!(session.tree().roots().len(), 2);
}

#[test]
fn a_file_without_links_is_a_list() {
    let list = Lines::default()
        .under("", prompt("one"))
        .under("", says("m1", "1"))
        .under("", prompt("two"))
        .read();
    assert_eq!(path(&list), ["u1", "u2", "u3"]);
}

#[test]
fn a_list_with_a_linked_pair_in_it_stays_a_list() {
    let text = |pair: bool| {
        let mut lines: Vec<_> = ["one", "two", "three", "four"]
            .into_iter()
            .flat_map(|text| [prompt(text), says(text, "ok")])
            .collect();
        for line in &mut lines {
            line["sessionId"] = json!("s");
        }
        if pair {
            lines[2]["uuid"] = json!("p");
            lines[3]["uuid"] = json!("q");
            lines[3]["parentUuid"] = json!("p");
        }
        lines.iter().map(|line| line.to_string() + "\n").collect::<String>()
    };
    let list = leafpress::read(text(false).into_bytes()).unwrap();
    assert_eq!((list.tree().roots().len(), path(&list).len()), (1, 8));
    let paired = leafpress::read(text(true).into_bytes()).unwrap();
    assert_eq!(paired.tree().roots().len(), 1);
    assert_eq!(
        path(&paired),
        ["line-1", "line-2", "p", "q", "line-5", "line-6", "line-7", "line-8"]
    );
}

#[test]
fn copies_are_dropped_and_counted() {
    let mut again = says("m1", "1");
    again["uuid"] = json!("copy-of-u2");
    let session = Lines::default()
        .user("one")
        .says("m1", "1")
        .line(json!({"type": "user", "uuid": "u1", "parentUuid": null, "message": {"role": "user", "content": "one"}}))
        .under("u1", again)
        .under("copy-of-u2", prompt("two"))
        .read();
    assert_eq!(path(&session), ["u1", "u2", "u5"]);
    assert!(forks(&session).is_empty());
    assert_eq!(session.find("copy-of-u2"), session.find("u2"));
    assert!(session.notes().iter().any(|note| note.starts_with("2 lines are copies")));
}

#[test]
fn what_hangs_from_a_copy_behind_a_compaction_hangs_behind_it() {
    let mut kept = says("m2", "2");
    kept["uuid"] = json!("copy");
    let session = Lines::default()
        .user("one")
        .says("m1", "1")
        .user("two")
        .says("m2", "2")
        .line(json!({"type": "system", "subtype": "compact_boundary", "parentUuid": null, "logicalParentUuid": "u4",
            "compactMetadata": {"trigger": "auto", "preTokens": 90, "postTokens": 9,
                "preservedSegment": {"headUuid": "u4", "anchorUuid": "u6", "tailUuid": "u4"}}}))
        .line(json!({"type": "user", "isCompactSummary": true, "message": {"content": "S"}}))
        .line(kept)
        .under("copy", prompt("three"))
        .read();
    assert_eq!(path(&session), ["u1", "u2", "u3", "u4", "u5", "u8"]);
    assert_eq!(seen(&session, "u8"), ["compactionSummary S", "assistant 2", "user three"]);
    let compaction = compaction(&session, "u6");
    assert_eq!((compaction.tokens_before, compaction.tokens_after), (Some(90.0), Some(9.0)));
    assert!(compaction.details.is_some_and(|details| details.get("trigger").is_some()));
}

#[test]
fn a_boundary_without_a_summary_and_a_summary_without_a_boundary_are_compactions() {
    let session = Lines::default()
        .user("one")
        .line(json!({"type": "system", "subtype": "compact_boundary", "parentUuid": null}))
        .user("two")
        .line(json!({"type": "user", "isCompactSummary": true, "message": {"content": "S"}}))
        .user("three")
        .read();
    assert_eq!(path(&session), ["u1", "u2", "u3", "u4", "u5"]);
    assert_eq!(compaction(&session, "u2").summary, "");
    assert_eq!(compaction(&session, "u4").summary, "S");
}

#[test]
fn a_local_command_does_not_part_a_session() {
    let session = Lines::default()
        .user("one")
        .says("m1", "1")
        .line(json!({"type": "user", "isMeta": true,
            "message": {"content": "<local-command-caveat>Caveat</local-command-caveat>"}}))
        .user("<command-name>/exit</command-name>")
        .user("<local-command-stdout>Bye!</local-command-stdout>")
        .under("u3", prompt("two"))
        .read();
    assert!(forks(&session).is_empty());
    assert_eq!(path(&session), ["u1", "u2", "u3", "u4", "u6"]);
}
