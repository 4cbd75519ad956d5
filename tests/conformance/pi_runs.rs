//! What pi and oh-my-pi print of a run: `--mode json` and `--mode rpc`; and the agents that extensions of pi ran.

use leafpress::Session;
use leafpress::session::EntryIndex;
use leafpress::session::ending::{Ending, ended};
use leafpress::session::message::{Block, Message, joined_text};
use leafpress::session::usage::Usage;
use leafpress::session::{Body, Format, Kind};

use crate::support::session::{assistant, fixture, kinds, read_fixture, spent};

const JSON: &str = "samples/pi-run.jsonl";
const RPC: &str = "samples/omp-run.jsonl";

fn how(session: &Session) -> Ending {
    ended(session, session.leaf()).unwrap().how
}

fn of(rows: &[&str]) -> Session {
    leafpress::read(rows.join("\n").into_bytes()).unwrap()
}

const HEADER: &str = r#"{"type":"session","version":3,"id":"s","cwd":"/w"}"#;
const PROMPT: &str = r#"{"type":"message_end","message":{"role":"user","content":"go"}}"#;
const CALL: &str = r#"{"type":"message_end","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{}}],"stopReason":"toolUse"}}"#;

#[test]
fn each_message_of_a_run_is_an_entry_once() {
    let session = read_fixture(JSON);
    assert_eq!(session.format(), Format::Pi);
    assert_eq!(
        (session.header().id.as_str(), session.header().cwd.as_str()),
        ("019c-run", "/srv/tides")
    );
    assert_eq!(session.damage(), []);
    assert_eq!(
        kinds(&session),
        [
            ("line-5", Kind::User),
            ("line-9", Kind::Assistant),
            ("line-13", Kind::ContextEdit),
            ("line-17", Kind::Assistant),
            ("line-24", Kind::ToolResult),
            ("line-25", Kind::ToolResult),
            ("line-27", Kind::Compaction),
            ("line-28", Kind::Custom),
            ("line-29", Kind::Assistant),
        ]
    );
    assert_eq!(session.time(EntryIndex::new(0)), Some(1_795_168_801_000));
    let Usage { input, output, cache_read, cost, .. } = spent(&session);
    let spent = [input, output, cache_read, cost].map(|count| count.to_string());
    assert_eq!(spent, ["220", "42", "5", "0.875"]);
    assert_eq!(how(&session), Ending::Answered);
}

#[test]
fn a_response_that_is_tried_again_keeps_what_it_said() {
    let session = read_fixture(JSON);
    let failed = assistant(&session, "line-9");
    assert_eq!(joined_text(&failed.content, ""), "I count");
    assert_eq!(failed.error_message.as_deref(), Some("529: overloaded"));
}

#[test]
fn ids_of_the_session_file_lead_to_the_rows_that_they_name() {
    let session = read_fixture(JSON);
    let raw = |id: &str| session.raw(session.find(id).unwrap()).unwrap().to_owned();
    assert!(raw("line-13").contains(r#""targetId":"line-9""#), "{}", raw("line-13"));
    assert!(raw("line-27").contains(r#""firstKeptEntryId":"line-9""#), "{}", raw("line-27"));
    assert_eq!(session.find("aa550001"), session.find("line-9"));
}

#[test]
fn a_run_over_rpc_has_commands_names_and_what_was_being_written() {
    let session = read_fixture(RPC);
    assert_eq!(session.format(), Format::Omp);
    assert_eq!(session.title(), Some("Tide tables"));
    assert_eq!(
        kinds(&session),
        [
            ("line-3", Kind::SessionInfo),
            ("line-6", Kind::User),
            ("line-9", Kind::Assistant),
            ("line-11", Kind::Bash),
            ("line-12", Kind::ThinkingChange),
            ("line-13", Kind::Custom),
            ("line-14", Kind::Custom),
            ("line-15", Kind::User),
            ("line-16", Kind::Assistant),
        ]
    );
    let begun = assistant(&session, "line-16");
    assert!(begun.is_unfinished());
    let [Block::Thinking(thinking), Block::Text(text), Block::ToolCall(call)] =
        begun.content.as_slice()
    else {
        panic!("{begun:?}");
    };
    assert_eq!((thinking.as_ref(), text.as_ref()), ("Moon first.", "The moon pulls"));
    assert_eq!((call.id.as_ref(), call.name.as_ref()), ("c9", "bash"));
    assert_eq!(how(&session), Ending::CutOff);
    assert_eq!(spent(&session).cost.to_string(), "0.5");
}

#[test]
fn a_run_says_what_its_output_does_not_include() {
    for (name, words) in [
        (JSON, "What `pi --mode json` prints does not include branches"),
        (RPC, "What `omp --mode rpc` prints does not include the working directory, branches"),
    ] {
        let session = read_fixture(name);
        assert!(session.notes().iter().any(|note| note.starts_with(words)), "{name}");
    }
    let kept = r#"{"type":"compaction_end","result":{"summary":"x","firstKeptEntryId":"zz"}}"#;
    let session = of(&[HEADER, PROMPT, kept]);
    let said = |session: &Session| session.notes().iter().any(|n| n.contains("a compaction kept"));
    assert!(said(&session));
    assert!(!said(&read_fixture(JSON)));
}

#[test]
fn a_retry_that_was_cancelled_stops_the_run() {
    const FAILED: &str = r#"{"type":"message_end","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":"busy"}}"#;
    let ends = |why: &str| {
        let end = format!(
            r#"{{"type":"auto_retry_end","success":false,"attempt":2,"finalError":"{why}"}}"#
        );
        how(&of(&[HEADER, PROMPT, FAILED, &end]))
    };
    assert_eq!([ends("Retry cancelled"), ends("busy")], [Ending::Stopped, Ending::Failed]);
}

#[test]
fn what_ran_when_the_output_ends_is_shown() {
    let end = r#"{"type":"tool_execution_end","toolCallId":"c","toolName":"bash","result":{"content":[{"type":"text","text":"done"}]},"isError":true}"#;
    let session = of(&[HEADER, PROMPT, CALL, end]);
    let Body::Message(Message::ToolResult(result)) =
        session.entry(EntryIndex::new(2)).unwrap().body
    else {
        panic!()
    };
    assert!(result.is_error && result.only_text() == Some("done"), "{result:?}");

    let part = r#"{"type":"tool_execution_update","toolCallId":"c","toolName":"bash","args":{},"partialResult":{"content":[{"type":"text","text":"half"}]}}"#;
    let session = of(&[HEADER, PROMPT, CALL, part, part]);
    assert_eq!(session.len(), 3);
    assert!(session.raw(EntryIndex::new(2)).unwrap().contains("half"));
    assert_eq!(how(&session), Ending::CutOff, "the call has no result");
}

#[test]
fn a_run_cut_anywhere_is_read_up_to_there() {
    for name in [JSON, RPC] {
        let whole = fixture(name);
        let mut most = 0;
        for end in (0..whole.len()).step_by(97) {
            let Ok(session) = leafpress::read(whole[..end].to_vec()) else { continue };
            assert!(session.len() <= 10 && session.len() + 1 >= most, "{name} at {end}");
            most = most.max(session.len());
        }
        assert!(most > 7, "{name}");
    }
}

#[test]
fn fields_of_any_type_are_read() {
    for name in [JSON, RPC] {
        let whole = String::from_utf8(fixture(name)).unwrap();
        for (nth, line) in whole.lines().enumerate() {
            let Ok(serde_json::Value::Object(row)) = serde_json::from_str(line) else { continue };
            for key in row.keys() {
                for odd in
                    [serde_json::json!(7), serde_json::json!([null]), serde_json::json!({"a": 1})]
                {
                    let mut row = row.clone();
                    row.insert(key.clone(), odd);
                    let row = serde_json::Value::Object(row).to_string();
                    let lines = whole.lines().enumerate();
                    let lines: Vec<&str> =
                        lines.map(|(at, line)| if at == nth { &row } else { line }).collect();
                    let session = leafpress::read(lines.join("\n").into_bytes()).unwrap();
                    assert!(session.len() > 5, "{name} {nth} {key}");
                }
            }
        }
    }
}

#[test]
fn a_session_file_is_no_run() {
    // A message within an entry that has a place in a tree.
    let stored = [
        HEADER,
        r#"{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"go"}}"#,
        r#"{"type":"custom","id":"b","parentId":"a","customType":"x","data":{"type":"message_end"}}"#,
    ];
    assert_eq!(of(&stored).id(EntryIndex::new(0)), Some("a"));
}

/// A session whose one call ran these agents.
fn with_agents(results: &serde_json::Value, usage: Option<serde_json::Value>) -> Session {
    let mut message = serde_json::json!({"role": "toolResult", "toolCallId": "k", "toolName": "subagent",
        "content": "2 of 2", "details": {"mode": "parallel", "results": results}});
    if let Some(usage) = usage {
        message["usage"] = usage;
    }
    let result =
        serde_json::json!({"type": "message", "id": "b", "parentId": "a", "message": message});
    let call = r#"{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"k","name":"subagent","arguments":{}}]}}"#;
    of(&[HEADER, call, &result.to_string()])
}

#[test]
fn agents_of_an_extension_are_sessions_of_their_own() {
    let usage = serde_json::json!({"input": 7, "output": 3, "cost": {"total": 0.25}});
    let results = serde_json::json!([
        {"agent": "scout", "task": "find the tides", "exitCode": 0, "usage": {"input": 7, "cost": 0.25}, "messages": [
            {"role": "assistant", "usage": usage, "stopReason": "toolUse",
                "content": [{"type": "text", "text": "I look."}, {"type": "toolCall", "id": "z", "name": "bash", "arguments": {"command": "ls"}}]},
            {"role": "toolResult", "toolCallId": "z", "toolName": "bash", "content": "none", "isError": true},
            {"role": "assistant", "content": "None there.", "stopReason": "stop"}]},
        {"agent": "scout", "task": "find the moon", "messages": [], "toolCalls": [{"text": "ls"}],
            "finalOutput": "Full moon.", "usage": {"input": 9, "output": 1, "cost": 0.5}},
        {"agent": "cook", "task": "bake", "exitCode": 1, "messages": [], "errorMessage": "no oven", "stopReason": "error"},
        {"file": "tides.csv", "messages": 7},
    ]);
    let session = with_agents(&results, None);
    let subs: Vec<_> = session
        .sub_sessions()
        .iter()
        .map(|sub| (sub.key.as_str(), sub.task.as_deref(), sub.len, sub.state(&session)))
        .collect();
    assert_eq!(
        subs,
        [
            ("scout", Some("find the tides"), 4, "done"),
            ("scout-2", Some("find the moon"), 4, "done"),
            ("cook", Some("bake"), 2, "failed"),
        ]
    );
    assert!(session.sub_sessions().iter().all(|sub| session.id(sub.started_by).unwrap() == "b"));
    assert_eq!(spent(&session).cost.to_string(), "0.75");
    // What the call's result states is not counted again.
    let stated = serde_json::json!({"input": 16, "output": 4, "cost": {"total": 0.75}});
    let session = with_agents(&results, Some(stated));
    assert_eq!(spent(&session).cost.to_string(), "0.75");
    let odd = serde_json::json!([7, null, {"agent": 7, "messages": [7, null]}, {"agent": "a", "messages": [7, {"role": 7}]}]);
    assert_eq!(with_agents(&odd, None).sub_sessions().len(), 1);
}
