//! The rules of oh-my-pi's context, one by one.

use leafpress::session::EntryIndex;
use leafpress::session::context::{Facts, State};
use leafpress::{Session, report};
use serde_json::{Value, json};

use super::{call, calling, read_omp, states};
use crate::support::session::{Log, index, read_fixture, seen};

#[test]
fn the_mode_and_the_service_tier_are_those_at_the_leaf() {
    let session = read_fixture("samples/omp-18-main.jsonl");
    let at = |leaf: &str| {
        let report = report::context(&session, index(&session, leaf)).unwrap();
        (report.mode, report.service_tier.into_iter().collect::<Vec<_>>())
    };
    let priority = vec![("openai".to_owned(), "priority".to_owned())];
    assert_eq!(at("o0000002"), (None, Vec::new()));
    assert_eq!(at("o0000003"), (None, priority.clone()));
    assert_eq!(at("o0000013"), (Some("plan".to_owned()), priority.clone()));
    assert_eq!(at("o0000038"), (None, priority));
}

#[test]
fn old_words_for_a_service_tier_name_families() {
    let tiers = |tier: Value| {
        let tier = json!({"type": "service_tier_change", "serviceTier": tier});
        let session = read_omp(&Log::new().entry(tier));
        report::context(&session, EntryIndex::new(0))
            .unwrap()
            .service_tier
            .into_iter()
            .map(|(f, t)| f + ":" + &t)
            .collect()
    };
    let read: [Vec<String>; 5] =
        [json!("priority"), json!("openai-only"), json!("claude-only"), json!("flex"), json!(null)]
            .map(tiers);
    assert_eq!(
        read.map(|tiers| tiers.join(" ")),
        [
            "anthropic:priority google:priority openai:priority",
            "openai:priority",
            "anthropic:priority",
            "openai:flex",
            ""
        ]
    );
}

#[test]
fn a_chosen_model_holds_and_other_roles_do_not_count() {
    let model = |log: Log| {
        let session = read_omp(&log);
        report::context(&session, session.leaf()).unwrap().model.map(|model| model.model_id)
    };
    let change = |log: Log, name: &str, role: Value| {
        log.entry(json!({"type": "model_change", "model": name, "role": role}))
    };
    let log = || Log::new().user("a");
    assert_eq!(model(change(log(), "x/one", Value::Null).assistant("b")).unwrap(), "one");
    assert_eq!(model(change(log(), "x/one", json!("default")).assistant("b")).unwrap(), "one");
    assert_eq!(model(change(log(), "x/one", json!("smol")).assistant("b")).unwrap(), "claude-test");
    assert_eq!(model(change(log(), "x/one", json!("fallback"))), None);
    assert_eq!(model(change(log().assistant("b"), "x/a/b", Value::Null)).unwrap(), "a/b");
}

fn remote(provider: &str) -> Value {
    json!({"type": "compaction", "summary": "S", "firstKeptEntryId": "1",
        "preserveData": {"openaiRemoteCompaction": {"provider": provider, "replacementHistory": []}}})
}

#[test]
fn a_remote_compaction_is_for_its_provider_alone() {
    let log = |provider| Log::new().user("a").assistant("b").entry(remote(provider)).user("c");
    assert_eq!(seen(&read_omp(&log("anthropic")), "4"), ["compactionSummary S", "user c"]);
    let other = read_omp(&log("acme"));
    assert_eq!(seen(&other, "4"), ["user a", "assistant b", "user c"]);
    assert_eq!(states(&other, "4")[2], State::Excluded);
    // Without a provider it is a compaction like any other.
    assert_eq!(
        seen(&read_omp(&log("")), "4"),
        ["compactionSummary S", "user a", "assistant b", "user c"]
    );
    // The next earlier boundary counts then.
    let log = Log::new()
        .user("a")
        .compaction("first", "none")
        .assistant("b")
        .entry(remote("acme"))
        .user("c");
    assert_eq!(seen(&read_omp(&log), "5"), ["compactionSummary first", "assistant b", "user c"]);
}

#[test]
fn what_is_never_given() {
    let custom = |custom_type: &str, content: Value| json!({"type": "custom_message", "customType": custom_type, "content": content, "display": true});
    let turn = |extra: Value| {
        let mut message = json!({"role": "assistant", "content": [{"type": "text", "text": "t"}]});
        message.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        json!({"type": "message", "message": message})
    };
    for (nth, entry) in [
        custom("prewalk-plan", json!("x")),
        custom("vibe-mode-context", json!("x")),
        custom("note", json!({"no": 1})),
        custom("note", Value::Null),
        turn(json!({"stopReason": "error", "retryRecovery": {"status": "recovered"}})),
        turn(json!({"stopReason": "error", "content": []})),
        turn(json!({"stopReason": "error"})),
        turn(json!({"stopReason": "aborted"})),
    ]
    .into_iter()
    .enumerate()
    {
        let session = read_omp(&Log::new().user("a").entry(entry));
        assert_eq!(seen(&session, "2"), ["user a"], "{nth}");
        assert_eq!(states(&session, "2")[1], State::Excluded, "{nth}");
    }
}

fn result(id: &str) -> Value {
    json!({"type": "message", "message": {"role": "toolResult", "toolCallId": id, "toolName": "t", "content": "r"}})
}

#[test]
fn calls_without_a_result_go() {
    let stripped = |session: &Session| {
        let leaf = session.leaf();
        let context = Facts::read(session).context(Some(leaf));
        context.messages.iter().map(|message| message.stripped.clone()).collect::<Vec<_>>()
    };
    let log =
        Log::new().user("a").entry(calling("toolUse", json!([call("x"), call("y"), call("z")])));
    let session = read_omp(&log.entry(result("y")));
    assert_eq!(stripped(&session), [vec![], vec![0, 2], vec![]]);
    assert_eq!(states(&session, "3")[1], State::Edited);
    let hidden = json!({"type": "redactedThinking", "data": "x"});
    let session =
        read_omp(&Log::new().user("a").entry(calling("toolUse", json!([hidden, call("x")]))));
    assert_eq!(seen(&session, "2"), ["user a"]);
    assert_eq!(states(&session, "2")[1], State::Excluded);
}

#[test]
fn a_failed_turn_goes_with_its_results_unless_its_thoughts_follow() {
    let failed = calling("aborted", json!([{"type": "text", "text": "half"}, call("x")]));
    let log = Log::new().user("a").entry(failed).entry(result("x"));
    assert_eq!(seen(&read_omp(&log), "3"), ["user a"]);
    let thought = json!({"type": "custom_message", "customType": "interrupted-thinking", "content": "thought"});
    let text = |log: Log| seen(&read_omp(&log.entry(thought.clone())), "3");
    let turn = calling("aborted", json!([{"type": "text", "text": "half"}]));
    assert_eq!(
        text(Log::new().user("a").entry(turn)),
        ["user a", "assistant half", "custom thought"]
    );
    // Not next: the turn goes.
    let session = read_omp(&log.entry(thought));
    assert_eq!(seen(&session, "4"), ["user a", "custom thought"]);
}

#[test]
fn notes_come_first_and_a_reset_ends_them() {
    let note = |version: u32, text: &str| json!({"type": "custom", "customType": "experimental_context_notes", "data": {"version": version, "text": text}});
    let log =
        Log::new().user("a").entry(note(1, "old")).entry(note(1, "new")).entry(note(2, "odd"));
    let log = log.entry(note(1, &"x".repeat((16 << 10) + 1)));
    let log = log.compaction("S", "none").user("b");
    let session = read_omp(&log);
    let given = seen(&session, "7");
    assert_eq!(given[1..], ["compactionSummary S", "user b"]);
    assert!(
        given[0].starts_with("custom <experimental-context-notes>\nThis opt-in experimental notebook is persistent working context for the active session branch.")
            && given[0].ends_with("\n\nnew\n</experimental-context-notes>"),
        "as omp 18.3.4 gives them: {}",
        given[0]
    );
    assert_eq!(states(&session, "7")[1..3], [State::None, State::In]);
    let session = read_omp(&log.entry(json!({"type": "reset_boundary"})).user("c"));
    assert_eq!(seen(&session, "9"), ["user c"]);
}

#[test]
fn a_handoff_is_its_summary_and_a_reset_ends_a_rollover_too() {
    let compaction = |fields: Value| {
        let mut entry = json!({"type": "compaction", "summary": "S", "firstKeptEntryId": ""});
        entry.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        Log::new().user("asked").assistant("answered").entry(entry)
    };
    let handoff = read_omp(&compaction(json!({"method": "handoff"})).user("next"));
    assert_eq!(seen(&handoff, "4"), ["compactionSummary S", "user next"]);
    let rollover =
        || compaction(json!({"details": {"kind": "experimental-context-rollover"}})).user("next");
    let kept = read_omp(&rollover());
    assert_eq!(seen(&kept, "4"), ["compactionSummary S", "user asked", "user next"]);
    let reset = rollover().entry(json!({"type": "reset_boundary"})).user("anew");
    assert_eq!(seen(&read_omp(&reset), "6"), ["user anew"]);
}
