//! Qwen Code's stored sessions, and the stream of a headless run.

use leafpress::session::EntryIndex;
use std::path::PathBuf;

use leafpress::Session;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::message::{Block, joined_text};
use leafpress::session::{Format, Kind};
use serde_json::{Value, json};

use crate::support::session::{assistant, fixture, ids, pointers, read_fixture, tool_result};

const CHAT: &str = "samples/qwen/projects/-home-lena-boat/chats/51ee0000-boat.jsonl";
const RUN: &str = "samples/qwen/run.jsonl";

/// With the files beside it.
fn read_in_place(name: &str) -> Session {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    let options = ReadOptions::new().session(path);
    read_with(fixture(name), None, &options).unwrap()
}

fn kinds(session: &Session) -> Vec<(&str, Kind)> {
    session
        .own_indices()
        .map(|at| (session.id(at).unwrap(), Kind::of(&session.entry(at).unwrap().body)))
        .collect()
}

fn stats(session: &Session) -> Value {
    serde_json::to_value(leafpress::report::stats(session)).unwrap()
}

#[test]
fn lines_become_prompts_responses_and_results() {
    let session = read_fixture(CHAT);
    assert_eq!(session.format(), Format::Qwen);
    let header = session.header();
    assert_eq!(
        (header.id.as_str(), header.cwd.as_str(), session.title()),
        ("51ee0000-boat", "/home/lena/boat", Some("A tight hull"))
    );
    assert_eq!(header.agent_version.as_deref(), Some("0.24.4"));
    assert_eq!(
        kinds(&session),
        [
            ("p1", Kind::User),
            ("a1", Kind::Assistant),
            ("t1", Kind::ToolResult),
            ("t2", Kind::ToolResult),
            ("t3", Kind::ToolResult),
            ("a2", Kind::Assistant),
            ("n1", Kind::CustomMessage),
            ("a3", Kind::Assistant),
            ("p2-reminder", Kind::CustomMessage),
            ("p2", Kind::User),
            ("x1", Kind::Assistant),
            ("q1", Kind::Custom),
            ("k1", Kind::Compaction),
            ("p3", Kind::User),
            ("a4", Kind::Assistant),
        ]
    );
    assert_eq!(ids(&session, session.tree().path(session.leaf())).len(), session.own_len());
    let answer = assistant(&session, "a1");
    assert!(matches!(&answer.content[0], Block::Thinking(text) if text == "Start at the keel."));
    assert_eq!(
        (joined_text(&answer.content, ""), answer.calls().count()),
        ("I look for gaps.".to_owned(), 3)
    );
    let usage = answer.usage.unwrap();
    assert_eq!(
        format!("{:?}", [usage.input, usage.cache_read, usage.output]),
        "[600.0, 200.0, 60.0]"
    );
    assert!(assistant(&session, "x1").error_message.unwrap().contains("harbor"));
    assert!(session.damage().is_empty(), "{:?}", session.damage());
}

#[test]
fn results_tell_how_calls_ended() {
    let session = read_fixture(CHAT);
    let shell = tool_result(&session, "t1");
    assert!(shell.is_error);
    let details = shell.details.as_ref().unwrap();
    assert_eq!(details.get("exitCode").unwrap().compact(), "4");
    assert!(details.get("display").is_none(), "the output is there once");
    let edit = tool_result(&session, "t2");
    assert!(edit.details.as_ref().unwrap().get("diff").unwrap().compact().contains("gap = 0"));
    let told = stats(&session)["failureList"].clone();
    assert_eq!(told[0]["text"], "2 gaps");
}

#[test]
fn sub_agents_are_read_from_beside() {
    let session = read_in_place(CHAT);
    let [child] = session.sub_sessions() else { panic!("{:?}", session.sub_sessions()) };
    assert_eq!((child.key.as_str(), child.name()), ("general-purpose-call_b3", "general-purpose"));
    assert_eq!(child.task.as_deref(), Some("Check the deck"));
    assert_eq!(session.id(child.started_by).unwrap(), "t3");
    assert_eq!(child.len, 4, "the lines of one response are one entry");
    let total = &stats(&session)["total"];
    assert_eq!((&total["toolCalls"], &total["failures"]), (&json!(4), &json!(3)));
    let alone = read_fixture(CHAT);
    assert!(alone.sub_sessions()[0].missing.as_ref().unwrap().contains("not beside the session"));
}

/// The same as a JSON array, on one line and on several.
#[test]
fn a_stream_is_read_as_lines_and_as_an_array() {
    let rows: Vec<Value> = String::from_utf8(fixture(RUN))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let array = Value::Array(rows);
    let forms = [
        fixture(RUN),
        array.to_string().into_bytes(),
        serde_json::to_string_pretty(&array).unwrap().into_bytes(),
    ];
    for source in forms {
        let session = leafpress::read(source).unwrap();
        assert_eq!(session.format(), Format::Qwen);
        assert!(session.damage().is_empty(), "{:?}", session.damage());
        let told = stats(&session);
        let own = &told["branches"][0];
        let facts =
            ["prompts", "turns", "toolCalls", "failures"].map(|key| own[key].as_u64().unwrap());
        assert_eq!(facts, [0, 3, 2, 1]);
        let usage = &told["total"]["usage"];
        let usage = ["input", "cacheRead", "output"].map(|key| usage[key].as_f64().unwrap());
        assert_eq!(format!("{usage:?}"), "[870.0, 2000.0, 102.0]", "with the sub-agent's");
        assert_eq!(told["ended"], "answered");
        assert_eq!(session.id(EntryIndex::new(0)).unwrap(), "no-prompt");
        let [child] = session.sub_sessions() else { panic!("one child") };
        assert_eq!((child.name(), child.len), ("general-purpose", 1));
    }
}

/// A run that goes on with a session states what the whole session took.
#[test]
fn what_earlier_runs_took_is_not_this_run_s() {
    let text = String::from_utf8(fixture(RUN)).unwrap();
    let text = text.replace(r#""input_tokens":2870"#, r#""input_tokens":92870"#);
    let session = leafpress::read(text.into_bytes()).unwrap();
    let usage = &stats(&session)["total"]["usage"];
    let usage = ["input", "cacheRead", "output"].map(|key| usage[key].as_f64().unwrap());
    assert_eq!(format!("{usage:?}"), "[750.0, 1900.0, 77.0]");
    let end = session.entry(session.leaf()).unwrap().raw;
    assert!(end.contains("\"sessionTokens\":92972"), "{end}");
}

#[test]
fn the_end_of_a_run_says_how_it_ended() {
    let text = String::from_utf8(fixture(RUN)).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    let ended = |rows: &[&str]| {
        stats(&leafpress::read(rows.join("\n").into_bytes()).unwrap())["ended"].clone()
    };
    assert_eq!(ended(&rows[..rows.len() - 1]), "cut-off");
    let error = r#"{"type":"assistant","uuid":"e","session_id":"s","parent_tool_use_id":null,"message":{"id":"e","role":"assistant","model":"qwen3-coder","content":[{"type":"text","text":"[API Error: 400]"}],"stop_reason":null,"usage":{"input_tokens":0,"output_tokens":0}}}"#;
    // Version 0.15 called that a success.
    for end in [
        r#"{"type":"result","subtype":"error_during_execution","uuid":"z","session_id":"s","is_error":true,"num_turns":1,"usage":{"input_tokens":0,"output_tokens":0},"error":{"message":"[API Error: 400]"}}"#,
        r#"{"type":"result","subtype":"success","uuid":"z","session_id":"s","is_error":false,"num_turns":1,"usage":{"input_tokens":0,"output_tokens":0},"result":"[API Error: 400]"}"#,
    ] {
        assert_eq!(ended(&[rows[0], error, end]), "failed");
    }
}

/// A wrong type in each place of each line, and cuts.
#[test]
fn wrong_types_and_cuts_never_fail() {
    for name in [CHAT, RUN] {
        let text = String::from_utf8(fixture(name)).unwrap();
        let rows: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for (at, row) in rows.iter().enumerate() {
            for pointer in pointers(row, "") {
                for wrong in [Value::Null, json!(7), json!("x"), json!([]), json!({"a": 1})] {
                    let mut rows = rows.clone();
                    *rows[at].pointer_mut(&pointer).unwrap() = wrong;
                    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
                    let read = read_with(
                        lines.join("\n").into_bytes(),
                        Some(Format::Qwen),
                        &ReadOptions::default(),
                    );
                    if let Ok(session) = read {
                        leafpress::report::context(&session, session.leaf()).unwrap();
                    }
                }
            }
        }
        for end in (0..text.len()).step_by(37) {
            let source = text.as_bytes()[..end].to_vec();
            let _ = read_with(source, Some(Format::Qwen), &ReadOptions::default());
        }
    }
}

/// What a compression took is in no response, and counts.
#[test]
fn requests_outside_the_conversation_count() {
    let chat = String::from_utf8(fixture(CHAT)).unwrap();
    let before = stats(&leafpress::read(chat.clone().into_bytes()).unwrap());
    let counts = r#""prompt_id":"compress-1","input_token_count":900,"cached_content_token_count":300,"output_token_count":40,"#;
    let chat = chat.replace(r#""prompt_id":"compress-1","#, counts);
    let session = leafpress::read(chat.into_bytes()).unwrap();
    let told = stats(&session);
    let more = ["input", "cacheRead", "output"].map(|key| {
        let usage = |stats: &Value| stats["total"]["usage"][key].as_f64().unwrap();
        usage(&told) - usage(&before)
    });
    assert_eq!(format!("{more:?}"), "[600.0, 300.0, 40.0]");
    assert_eq!(ids(&session, session.tree().path(session.leaf())).len(), session.own_len());
}

#[test]
fn words_typed_while_tools_run_are_the_persons_own() {
    let mut file = fixture(CHAT);
    file.extend_from_slice(br#"{"uuid":"m1","parentUuid":null,"type":"user","subtype":"mid_turn_user_message","sessionId":"51ee0000-boat","timestamp":"2026-11-20T10:00:00.000Z","message":{"role":"user","parts":[{"text":"[User message received during tool execution]: paint it red"},{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}]},"systemPayload":{"displayText":"paint it red"}}
{"uuid":"m2","parentUuid":"m1","type":"system","subtype":"session_recording_degraded","sessionId":"51ee0000-boat","timestamp":"2026-11-20T10:00:01.000Z","systemPayload":{"reason":"write_failed","message":"Session recording stopped after a write failure."}}
"#);
    let session = leafpress::read(file).unwrap();
    let entry = session.entry(session.find("m1").unwrap()).unwrap();
    let leafpress::session::Body::Message(message) = &entry.body else { panic!("{entry:?}") };
    assert_eq!(message.role(), "user");
    assert_eq!(joined_text(message.content(), "|"), "paint it red");
    assert!(matches!(message.content(), [Block::Text(_), Block::Image { .. }]));
    let is_told =
        |session: &Session| session.notes().iter().any(|note| note.contains("could not write all"));
    assert!(is_told(&session), "{:?}", session.notes());

    let mut run = fixture(RUN);
    run.extend_from_slice(br#"{"type":"system","subtype":"session_recording_degraded","uuid":"z9","session_id":"51ee0000-boat","parent_tool_use_id":null,"data":{"reason":"write_failed","message":"Session recording stopped after a write failure."}}
"#);
    let session = leafpress::read(run).unwrap();
    assert!(is_told(&session), "{:?}", session.notes());
    let query = "\"after a write failure\"";
    let tree =
        leafpress::report::tree(&session, session.leaf(), leafpress::Filter::All, Some(query));
    assert_eq!(tree.unwrap().rows.len(), 1);
}
