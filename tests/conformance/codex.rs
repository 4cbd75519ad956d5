//! Codex rollouts of both generations.

use leafpress::Session;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::message::{Block, Message, joined_text};
use leafpress::session::{Body, Format, Kind};
use serde_json::json;

use crate::support::session::{
    assistant, fixture, ids, kinds, pointers, read_fixture, seen, texts, tool_result,
};

#[test]
fn a_rollout_is_a_chain_of_what_happened() {
    let session = read_fixture("samples/codex/rollout.jsonl");
    assert_eq!(session.format(), Format::Codex);
    assert_eq!(session.title(), Some("Tides"));
    assert_eq!(session.header().id, "0195-tide");
    assert_eq!(
        kinds(&session),
        [
            ("line-2", Kind::CustomMessage),
            ("line-3", Kind::User),
            ("line-5", Kind::ModelChange),
            ("line-5-effort", Kind::ThinkingChange),
            ("line-6", Kind::Assistant),
            ("line-11", Kind::ToolResult),
            ("line-14", Kind::Assistant),
            ("line-15", Kind::ToolResult),
            ("line-16", Kind::Assistant),
            ("line-18", Kind::Compaction),
            ("line-19", Kind::User),
            ("line-20", Kind::Assistant),
            ("line-21", Kind::Custom),
            ("line-22", Kind::Custom),
        ]
    );
    let path = session.tree().path(session.leaf());
    assert_eq!(ids(&session, path).len(), session.len());
    assert_eq!(session.find("line-8"), session.find("line-6"), "one answer in two lines");
}

#[test]
fn answers_have_their_parts_their_cost_and_their_end() {
    let session = read_fixture("samples/codex/rollout.jsonl");
    let first = assistant(&session, "line-6");
    let Block::Thinking(thinking) = &first.content[0] else { panic!("thinking") };
    assert_eq!(thinking, "**Looking** at the table");
    let Block::ToolCall(call) = &first.content[1] else { panic!("a call") };
    assert_eq!(
        (call.name.as_ref(), call.arguments.compact().as_str()),
        ("shell", r#"{"command":["cat","tides.csv"]}"#)
    );
    let usage = first.usage.unwrap();
    assert_eq!(
        [usage.input, usage.output, usage.cache_read].map(|count| count.to_string()),
        ["600", "40", "300"],
        "told twice, counted once"
    );
    assert_eq!(first.model.as_ref().map(|model| model.id.as_ref()), Some("gpt-5.2-codex"));
    assert!(first.stopped_by("toolUse"));
    assert!(assistant(&session, "line-16").stopped_by("stop"));
    assert!(assistant(&session, "line-20").stopped_by("aborted"));
}

#[test]
fn packed_outputs_are_unpacked() {
    let session = read_fixture("samples/codex/rollout.jsonl");
    let shell = tool_result(&session, "line-11");
    assert_eq!(joined_text(&shell.content, ""), "04:12 low\n");
    let details = shell.details.unwrap();
    assert_eq!(details.compact(), r#"{"exitCode":1,"durationMs":250}"#);
    assert!(shell.is_error);
    let patch = tool_result(&session, "line-15");
    assert_eq!(patch.name.as_deref(), Some("apply_patch"));
    assert_eq!(joined_text(&patch.content, ""), "Done");
}

#[test]
fn a_compaction_gives_its_summary_and_what_it_kept() {
    let session = read_fixture("samples/codex/rollout.jsonl");
    assert_eq!(
        texts(&session, "line-19"),
        ["Low tide is at 04:12.", "When is low tide?", "And high tide?"],
        "the summary stands in the history once more"
    );
}

#[test]
fn the_oldest_files_hold_bare_items() {
    let session = read_fixture("samples/codex/oldest.jsonl");
    assert_eq!(session.format(), Format::Codex);
    assert_eq!(
        seen(&session, "line-9"),
        [
            "custom <user_instructions>\n\nBe brief.\n\n</user_instructions>",
            "user List the files",
            "assistant ",
            "toolResult tides.csv\n",
            "assistant One file.",
        ]
    );
    let first = assistant(&session, "line-5");
    assert!(matches!(&first.content[0], Block::Thinking(text) if text.is_empty()), "withheld");
    assert_eq!(tool_result(&session, "line-7").name.as_deref(), Some("local_shell"));
    assert!(session.notes().iter().any(|note| note.contains("2 record")));
}

#[test]
fn a_file_of_events_alone_still_reads() {
    let text = r#"{"timestamp":"2026-03-10T09:00:00.000Z","type":"event_msg","payload":{"type":"user_message","message":"Hi"}}
{"timestamp":"2026-03-10T09:00:01.000Z","type":"event_msg","payload":{"type":"agent_message","message":"Ho"}}
{"timestamp":"2026-03-10T09:00:02.000Z","type":"event_msg","payload":{"type":"error","message":"overloaded"}}
"#;
    let session = leafpress::read(text.as_bytes().to_vec()).unwrap();
    assert_eq!(seen(&session, "line-3"), ["user Hi", "assistant Ho", "assistant "]);
}

fn line(kind: &str, payload: &serde_json::Value) -> String {
    json!({"timestamp": "2026-03-10T09:00:00.000Z", "type": kind, "payload": payload}).to_string()
}

fn item(role: &str, text: &str) -> String {
    let kind = if role == "assistant" { "output_text" } else { "input_text" };
    let content = json!([{"type": kind, "text": text}]);
    line("response_item", &json!({"type": "message", "role": role, "content": content}))
}

fn event(kind: &str, key: &str, text: &str) -> String {
    line("event_msg", &json!({"type": kind, key: text}))
}

fn rolled_back(turns: &serde_json::Value) -> String {
    line("event_msg", &json!({"type": "thread_rolled_back", "num_turns": turns}))
}

fn read(lines: &[String]) -> Session {
    leafpress::read(lines.join("\n").into_bytes()).unwrap()
}

fn seen_last(session: &Session) -> Vec<String> {
    seen(session, session.id(session.leaf()).unwrap())
}

/// Three turns, each a prompt and a response, on lines 1 to 6.
fn turns() -> Vec<String> {
    [1, 2, 3]
        .iter()
        .flat_map(|n| [item("user", &format!("p{n}")), item("assistant", &format!("r{n}"))])
        .collect()
}

#[test]
fn turns_that_were_rolled_back_are_a_branch_of_their_own() {
    let mut lines = turns();
    lines.extend([rolled_back(&json!(1)), item("user", "p4"), item("assistant", "r4")]);
    let session = read(&lines);
    let expected =
        ["user p1", "assistant r1", "user p2", "assistant r2", "user p4", "assistant r4"];
    assert_eq!(seen_last(&session), expected);
    assert_eq!(ids(&session, session.tree().leaves()), ["line-6", "line-9"]);
    assert_eq!(seen(&session, "line-6").last().unwrap(), "assistant r3", "still there to be read");
    assert_eq!(
        session.id(session.tree().parent(session.find("line-7").unwrap()).unwrap()).unwrap(),
        "line-4"
    );

    // Each counts from where the one before led.
    lines.extend([rolled_back(&json!(2)), item("user", "p5")]);
    let session = read(&lines);
    assert_eq!(seen_last(&session), ["user p1", "assistant r1", "user p5"]);
    lines.push(rolled_back(&json!(1)));
    assert_eq!(seen_last(&read(&lines)), ["user p1", "assistant r1"], "nothing follows it");
}

#[test]
fn of_more_turns_than_there_are_all_are_rolled_back() {
    for count in [json!(3), json!(4), json!(1e300), json!(u64::MAX)] {
        let mut lines = vec![item("developer", "rules")];
        lines.extend(turns());
        lines.extend([rolled_back(&count), item("user", "anew")]);
        assert_eq!(seen_last(&read(&lines)), ["custom rules", "user anew"], "{count}");
    }
    let mut lines = turns();
    lines.extend([rolled_back(&json!(9)), rolled_back(&json!(1)), item("user", "anew")]);
    assert_eq!(seen_last(&read(&lines)), ["user anew"]);
    assert_eq!(seen_last(&read(&[rolled_back(&json!(1)), item("user", "first")])), ["user first"]);
}

#[test]
fn a_rollback_of_nothing_changes_nothing() {
    for count in
        [json!(0), json!(-1), json!(1.5), json!("1"), json!(null), json!([1]), json!(-1e300)]
    {
        let mut lines = turns();
        lines.extend([rolled_back(&count), item("user", "p4")]);
        let session = read(&lines);
        assert_eq!(seen_last(&session).len(), 7, "{count}");
        assert_eq!(session.tree().leaves().count(), 1, "{count}");
        assert!(session.find("line-7").is_some(), "the event is shown");
    }
}

#[test]
fn a_rollback_takes_back_the_settings_of_its_turns() {
    let settings = |model: &str| line("turn_context", &json!({"model": model, "effort": "high"}));
    let lines = [
        settings("small"),
        item("user", "p1"),
        item("assistant", "r1"),
        settings("large"),
        item("developer", "for this turn"),
        item("user", "p2"),
        item("assistant", "r2"),
        rolled_back(&json!(1)),
        settings("large"),
        item("user", "p3"),
        item("assistant", "r3"),
    ];
    let session = read(&lines);
    assert_eq!(seen_last(&session), ["user p1", "assistant r1", "user p3", "assistant r3"]);
    assert!(session.find("line-9").is_some(), "said anew on the new branch");
    let context = leafpress::report::context(&session, session.leaf()).unwrap();
    assert_eq!(context.model.unwrap().model_id, "large");
    let context = leafpress::report::context(&session, session.find("line-8").unwrap()).unwrap();
    assert_eq!(context.model.unwrap().model_id, "small");
}

#[test]
fn what_only_events_say_is_shown_in_its_place_once() {
    let session = read(&[
        event("user_message", "message", "lost prompt"),
        event("agent_reasoning", "text", "lost thought"),
        item("assistant", "first"),
        event("agent_message", "message", "first"),
        event("agent_message", "message", "lost words"),
        item("user", "again"),
        event("user_message", "message", "again"),
        event("agent_message", "message", "with a tag"),
        item("assistant", "with a tag<cite>7</cite>"),
        event("user_message", "message", "again"),
        item("assistant", "second"),
        event("agent_message", "message", "second"),
    ]);
    assert_eq!(
        seen_last(&session),
        [
            "user lost prompt",
            "assistant first\nlost words",
            "user again",
            "assistant with a tag<cite>7</cite>",
            "user again",
            "assistant second",
        ]
    );
    // The id that the answer always had.
    let first = assistant(&session, "line-3");
    assert!(matches!(&first.content[0], Block::Thinking(text) if text == "lost thought"));
    assert_eq!(session.find("line-2"), session.find("line-3"));
    assert!(
        session
            .notes()
            .iter()
            .any(|note| note.contains("4 agent_message") || note.contains("3 agent_message"))
    );
}

#[test]
fn thinking_that_items_say_in_parts_is_told_once() {
    let summary =
        json!([{"type": "summary_text", "text": "one"}, {"type": "summary_text", "text": "two"}]);
    let session = read(&[
        item("user", "go"),
        event("agent_reasoning", "text", "one"),
        event("agent_reasoning", "text", "two"),
        line(
            "response_item",
            &json!({"type": "reasoning", "summary": summary, "encrypted_content": "x"}),
        ),
        item("assistant", "done"),
    ]);
    let answer = assistant(&session, "line-4");
    assert_eq!(answer.content.len(), 2);
    assert!(matches!(&answer.content[0], Block::Thinking(text) if text == "one\n\ntwo"));
}

#[test]
fn wrong_types_and_cuts_never_fail() {
    for name in ["samples/codex/rollout.jsonl", "samples/codex/oldest.jsonl"] {
        let text = String::from_utf8(fixture(name)).unwrap();
        let read = |text: String| {
            read_with(text.into_bytes(), Some(Format::Codex), &ReadOptions::default())
        };
        for end in (0..text.len()).step_by(37).filter(|&end| text.is_char_boundary(end)) {
            let _ = read(text[..end].to_owned());
        }
        let lines: Vec<&str> = text.lines().collect();
        for at in 0..lines.len() {
            let line: serde_json::Value = serde_json::from_str(lines[at]).unwrap();
            for pointer in pointers(&line, "") {
                for value in ["null", "7", "\"x\"", "[1,\"a\"]", "{\"a\":1}", "true"] {
                    let mut line = line.clone();
                    *line.pointer_mut(&pointer).unwrap() = serde_json::from_str(value).unwrap();
                    let broken: Vec<String> = lines
                        .iter()
                        .enumerate()
                        .map(
                            |(n, whole)| {
                                if n == at { line.to_string() } else { (*whole).to_owned() }
                            },
                        )
                        .collect();
                    let session = read(broken.join("\n")).unwrap();
                    for entry in session.indices() {
                        session.entry(entry).unwrap();
                    }
                }
            }
        }
    }
}

/// One whose rollout is in the folder of the next day, and one that has none.
const AGENTS: &str = "samples/codex/sessions/2026/06/18/rollout-2026-06-18T23-58-00-0195c0de-0000-7000-8000-000000000001.jsonl";

fn with_agents() -> Session {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/");
    let options = ReadOptions::new().session(path.to_owned() + AGENTS);
    read_with(fixture(AGENTS), None, &options).unwrap()
}

#[test]
fn agents_are_children_of_the_thread_that_started_them() {
    let session = with_agents();
    let [scout, gone] = session.sub_sessions() else {
        panic!("two agents: {:?}", session.sub_sessions())
    };
    assert_eq!(scout.key, "0195c0de-0000-7000-8000-000000000002");
    assert_eq!(scout.agent.as_deref(), Some("scout Ada"));
    assert_eq!(scout.task.as_deref(), Some("Sound the depth of the bay"));
    assert_eq!(session.id(scout.started_by).unwrap(), "line-5");
    assert_eq!(scout.missing, None);
    let missing = gone.missing.as_deref().unwrap();
    let advice = "leafpress did not find its file. Put `rollout-*-0195c0de-";
    assert!(missing.starts_with(advice) && missing.ends_with("and export it again"), "{missing}");
}

#[test]
fn what_an_agent_s_rollout_copied_is_not_counted_twice() {
    let session = with_agents();
    let spent = session.indices().filter_map(|at| match session.entry(at).unwrap().body {
        Body::Message(Message::Assistant(answer)) => answer.usage,
        _ => None,
    });
    let sums =
        spent.fold([0.0; 2], |[input, output], usage| [input + usage.input, output + usage.output]);
    assert_eq!(sums.map(|sum| sum.to_string()), ["370", "38"]);
    let alone = read_fixture(
        "samples/codex/sessions/2026/06/19/rollout-2026-06-19T00-00-30-0195c0de-0000-7000-8000-000000000002.jsonl",
    );
    assert_eq!(
        alone.header().parent_session.as_deref(),
        Some("0195c0de-0000-7000-8000-000000000001")
    );
}

#[test]
fn a_review_is_told_in_words_and_the_request_is_found_behind_the_editor_s_context() {
    let session = with_agents();
    assert_eq!(said(&session, "line-3"), "Map the bay");
    assert!(said(&session, "line-3-context").ends_with("- tides.csv"));
    assert_eq!(said(&session, "line-8"), "Review started: current changes");
    assert_eq!(
        said(&session, "line-9"),
        "Review finished: patch is incorrect\n\nOne unit is wrong.\n\n**[P1] Depth is in feet** \
          `src/depth.rs:10-12`\n\nThe chart is in meters."
    );
    assert!(session.find("line-10").is_some(), "the state of the world is a row");
}

fn said(session: &Session, id: &str) -> String {
    match session.entry(session.find(id).unwrap()).unwrap().body {
        Body::Message(Message::User(content)) => joined_text(&content, ""),
        Body::CustomMessage(message) => joined_text(&message.content, ""),
        other => panic!("{other:?}"),
    }
}
