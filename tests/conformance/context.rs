//! Sections E and F, what the model saw and was sent.

use leafpress::report;
use leafpress::session::EntryIndex;
use leafpress::session::context::{Facts, State};
use serde_json::json;

use crate::support::session::{Log, index, read_fixture, seen, sent, texts};

#[test]
fn e1_e17_no_leaf_is_the_empty_context() {
    let session = Log::new().user("x").read();
    let facts = Facts::read(&session);
    let context = facts.context(None);
    assert!(context.messages.is_empty() && context.path.is_empty());
    assert_eq!((context.thinking_level.as_ref(), context.model), ("off", None));
}

#[test]
fn e2_to_e6_state() {
    let session = Log::new()
        .user("1")
        .entry(json!({"type": "thinking_level_change", "thinkingLevel": "high"}))
        .entry(json!({"type": "model_change", "provider": "openai", "modelId": "gpt-4"}))
        .assistant("4")
        .read();
    let at = |id| report::context(&session, index(&session, id)).unwrap();
    assert_eq!(at("1").thinking_level, "off");
    assert_eq!(at("4").thinking_level, "high");
    assert_eq!(at("3").model.unwrap().model_id, "gpt-4");
    // E6: an assistant's own model overrides the change before it.
    assert_eq!(at("4").model.unwrap().model_id, "claude-test");
    assert_eq!(seen(&session, "4"), ["user 1", "assistant 4"]);
}

#[test]
fn e7_e8_a_compaction_keeps_from_its_anchor() {
    let session = Log::new()
        .user("1")
        .assistant("2")
        .user("3")
        .assistant("4")
        .compaction("S", "3")
        .user("6")
        .assistant("7")
        .read();
    assert_eq!(texts(&session, "7"), ["S", "3", "4", "6", "7"]);
    let session = Log::new().user("1").assistant("2").compaction("S", "1").user("4").read();
    assert_eq!(texts(&session, "4"), ["S", "1", "2", "4"]);
}

#[test]
fn e9_to_e11_only_the_last_compaction_counts() {
    let session = Log::new()
        .user("1")
        .assistant("2")
        .compaction("First", "1")
        .user("4")
        .assistant("5")
        .compaction("Second", "4")
        .user("7")
        .read();
    assert_eq!(
        seen(&session, "7"),
        ["compactionSummary Second", "user 4", "assistant 5", "user 7"]
    );
    let session = Log::new()
        .user("1")
        .assistant("2")
        .compaction("First", "1")
        .user("4")
        .assistant("5")
        .compaction("Second", "2")
        .user("7")
        .read();
    assert_eq!(texts(&session, "7"), ["Second", "2", "4", "5", "7"]);
}

#[test]
fn e12_to_e15_e24_branches_see_their_own_path() {
    let session = Log::new()
        .user("1")
        .assistant("2")
        .user("3")
        .assistant("4")
        .compaction("S", "3")
        .user("6")
        .assistant("7")
        .under(Some("3"))
        .assistant("8")
        .user("9")
        .under(Some("3"))
        .branch_summary("B")
        .user("11")
        .read();
    assert_eq!(texts(&session, "7"), ["S", "3", "4", "6", "7"]);
    assert_eq!(texts(&session, "9"), ["1", "2", "3", "8", "9"]);
    assert_eq!(texts(&session, "11"), ["1", "2", "3", "B", "11"]);
}

#[test]
fn e16_an_unknown_leaf_is_told() {
    // pi falls back to the last entry without a word.
    assert_eq!(Log::new().user("x").read().find("nonexistent"), None);
}

#[test]
fn e18_to_e20_missing_parents_and_anchors() {
    let session = Log::new().user("1").under(Some("missing")).assistant("2").read();
    assert_eq!(texts(&session, "2"), ["2"]);
    let session =
        Log::new().user("1").user("2").under(Some("1")).compaction("S", "2").user("4").read();
    assert_eq!(texts(&session, "4"), ["S", "4"]);
    let session =
        Log::new().user("1").entry(json!({"type": "compaction", "summary": "S"})).user("3").read();
    assert_eq!(texts(&session, "3"), ["S", "3"]);
}

#[test]
fn e21_to_e23_what_gives_no_message() {
    let session = Log::new()
        .user("1")
        .branch_summary("")
        .entry(json!({"type": "custom_message", "customType": "t", "content": "hidden", "display": false}))
        .entry(json!({"type": "custom", "customType": "t", "data": 1}))
        .label("1", "x")
        .entry(json!({"type": "session_info", "name": "n"}))
        .read();
    assert_eq!(seen(&session, "6"), ["user 1", "custom hidden"]);
    let facts = Facts::read(&session);
    let states = facts.context(Some(session.leaf())).states;
    assert_eq!(
        states,
        [State::In, State::None, State::Hidden, State::None, State::None, State::None]
    );
}

#[test]
fn e25_e26_state_before_a_compaction_counts_and_roots_inherit_nothing() {
    let session = Log::new()
        .entry(json!({"type": "thinking_level_change", "thinkingLevel": "low"}))
        .assistant("2")
        .compaction("S", "3")
        .user("4")
        .under(None)
        .user("5")
        .read();
    let at = |id| report::context(&session, index(&session, id)).unwrap();
    assert_eq!(at("4").thinking_level, "low");
    assert_eq!(at("4").model.unwrap().model_id, "claude-test");
    assert_eq!((at("5").thinking_level.as_str(), at("5").model), ("off", None));
}

#[test]
fn e27_f3_commands_and_what_becomes_of_them() {
    let bash = |fields: serde_json::Value| {
        let mut message = json!({"role": "bashExecution", "command": "c", "output": "", "cancelled": false, "truncated": false});
        message.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let session = Log::new().message(message).read();
        assert_eq!(report::context(&session, EntryIndex::new(0)).unwrap().messages.len(), 1);
        sent(&session, "1").pop().map(|(role, text)| {
            assert_eq!(role, "user");
            text
        })
    };
    assert_eq!(bash(json!({"excludeFromContext": true})), None);
    assert_eq!(
        bash(json!({"exitCode": 1})).unwrap(),
        "Ran `c`\n(no output)\n\nCommand exited with code 1"
    );
    assert_eq!(bash(json!({"output": "o", "exitCode": 0})).unwrap(), "Ran `c`\n```\no\n```");
    assert_eq!(
        bash(json!({"cancelled": true, "exitCode": 2})).unwrap(),
        "Ran `c`\n(no output)\n\n(command cancelled)"
    );
    assert_eq!(bash(json!({"exitCode": null, "truncated": true})).unwrap(), "Ran `c`\n(no output)");
    let truncated = bash(json!({"truncated": true, "fullOutputPath": "/tmp/o"})).unwrap();
    assert_eq!(truncated, "Ran `c`\n(no output)\n\n[Output truncated. Full output: /tmp/o]");
}

#[test]
fn f1_f2_summaries_as_sent() {
    let session = Log::new().branch_summary("B").compaction("C", "x").read();
    assert_eq!(
        sent(&session, "1")[0].1,
        "The following is a summary of a branch that this conversation came back from:\n\n<summary>\nB</summary>"
    );
    assert_eq!(
        sent(&session, "2")[0].1,
        "The conversation history before this point was compacted into the following summary:\n\n<summary>\nC\n</summary>"
    );
}

#[test]
fn f4_f5_custom_messages_are_sent_as_user_and_unknown_roles_not_at_all() {
    let session = Log::new()
        .entry(
            json!({"type": "custom_message", "customType": "t", "content": "c", "display": true}),
        )
        .message(json!({"role": "telemetry", "x": 1}))
        .read();
    assert_eq!(sent(&session, "2"), [("user".to_owned(), "c".to_owned())]);
    assert_eq!(report::context(&session, EntryIndex::new(1)).unwrap().messages.len(), 2);
}

#[test]
fn context_edits_replace_and_omit_what_is_in_view() {
    let session = read_fixture("samples/pi-1.5-main.jsonl");
    let at = |leaf: &str| report::context(&session, index(&session, leaf)).unwrap();
    let texts =
        |leaf| at(leaf).messages.into_iter().map(|m| (m.entry_id, m.text)).collect::<Vec<_>>();
    let seen = texts("ast00008");
    let text_of =
        |id: &str| seen.iter().find(|(entry, _)| entry == id).map(|(_, text)| text.as_str());
    assert_eq!(text_of("ast00007"), Some("Brass polished. EDITED"));
    assert_eq!(text_of("cms00001"), Some("Sun all day"));
    assert_eq!(text_of("bsh00001"), None);
    assert_eq!(text_of("usr00002"), None);
    // Behind the second compaction the edits lie before the view, so the text is the original one again.
    let roles: Vec<String> = at("ast00009").messages.into_iter().map(|m| m.role).collect();
    assert_eq!(roles[..2], ["system", "compactionSummary"]);
}

#[test]
fn an_edit_may_take_the_summary_away() {
    let log = Log::new().user("1").user("2").entry(json!({"type": "compaction", "summary": "S",
        "firstKeptEntryId": "2", "systemMessage": {"role": "system", "content": "prompt"}}));
    let omit = json!({"type": "context_edit", "targetId": "3", "replacement": null});
    let other =
        json!({"type": "context_edit", "targetId": "3", "replacement": {"content": "other"}});
    let session = log.entry(omit.clone()).user("5").entry(other).user("7").entry(omit).read();
    let state = |leaf| {
        let context = Facts::read(&session).context(Some(index(&session, leaf)));
        context.states[2]
    };
    // pi drops all that the compaction gives, and what is above it stays out.
    assert_eq!(texts(&session, "5"), ["2", "5"]);
    assert_eq!(state("5"), State::Excluded);
    // Other content changes no summary; the last edit counts.
    assert_eq!(texts(&session, "7"), ["prompt", "S", "2", "5", "7"]);
    assert_eq!(state("7"), State::In);
    assert_eq!(texts(&session, "8"), ["2", "5", "7"]);
}

#[test]
fn states_say_what_became_of_each_entry() {
    let session = Log::new()
        .user("1").assistant("2")
        .message(json!({"role": "system", "content": "p"}))
        .user("4").compaction("S", "2").user("6")
        .message(json!({"role": "bashExecution", "command": "c", "output": "", "excludeFromContext": true}))
        .entry(json!({"type": "context_edit", "targetId": "6", "replacement": {"content": "other"}}))
        .entry(json!({"type": "context_edit", "targetId": "4", "replacement": null}))
        .read();
    let facts = Facts::read(&session);
    let names: Vec<&str> =
        facts.context(Some(session.leaf())).states.iter().map(|state| state.name()).collect();
    assert_eq!(
        names,
        ["summarised", "in", "summarised", "excluded", "in", "edited", "excluded", "none", "none"]
    );
}

#[test]
fn a_retained_tail_stands_for_the_kept_range() {
    let session = read_fixture("samples-2026-03/pi-v3-newer-retained-tail.jsonl");
    let compaction =
        session.indices().find(|&e| session.raw(e).unwrap().contains("retainedTail")).unwrap();
    assert_eq!(session.id(compaction).unwrap(), "c0000005");
    assert_eq!(
        seen(&session, "c0000008"),
        [
            "compactionSummary one and two were answered",
            "user two",
            "assistant second answer",
            "user three",
            "assistant third answer"
        ]
    );
}
