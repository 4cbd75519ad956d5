//! Cursor's agent transcripts, as JSON lines and as text.

use leafpress::session::EntryIndex;
use std::path::{Path, PathBuf};

use leafpress::Session;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::message::{Block, joined_text};
use leafpress::session::{Body, DamageKind, Format, Kind};
use serde_json::{Value, json};

use crate::support::session::{
    assistant, fixture, ids, index, pointers, read_fixture, seen, tool_result,
};

const SESSION: &str =
    "samples/cursor/projects/home-ana-tides/agent-transcripts/0c0ffee0-tide/0c0ffee0-tide.jsonl";
const TEXT: &str = "samples/cursor/older.txt";

fn kinds(session: &Session) -> Vec<(&str, Kind)> {
    let own = session.own_indices();
    own.map(|at| (session.id(at).unwrap(), Kind::of(&session.entry(at).unwrap().body))).collect()
}

fn fixture_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn read_at(path: &Path) -> Session {
    let source = std::fs::read(path).unwrap();
    let options = ReadOptions::new().session(path.to_owned());
    read_with(source, None, &options).unwrap()
}

#[test]
fn lines_are_a_chain_of_messages() {
    let session = read_fixture(SESSION);
    assert_eq!(session.format(), Format::Cursor);
    assert!(session.damage().is_empty());
    assert_eq!(
        kinds(&session),
        [
            ("line-1-added", Kind::CustomMessage),
            ("line-1", Kind::User),
            ("line-2", Kind::Assistant),
            ("line-3", Kind::Assistant),
            ("line-4", Kind::Assistant),
            ("line-6", Kind::User),
            ("line-7", Kind::Assistant),
            ("line-8-result", Kind::ToolResult),
            ("line-9", Kind::Assistant),
            ("line-10-added", Kind::CustomMessage),
            ("line-11", Kind::Custom),
            ("line-12", Kind::Assistant),
        ]
    );
    assert_eq!(session.tree().path(session.leaf()).len(), session.own_len());
    assert_eq!(session.notes(), ["Not shown: 1 end of a turn"]);
}

#[test]
fn a_prompt_is_what_the_person_typed() {
    let session = read_fixture(SESSION);
    assert_eq!(
        seen(&session, "line-1"),
        ["custom <open_files>\ntides.csv\n</open_files>", "user When is low tide?"]
    );
    assert_eq!(session.time(index(&session, "line-1")), Some(1_780_390_800_000));
    assert_eq!(session.header().time, Some(1_780_390_800_000));
    let Body::CustomMessage(reminder) =
        session.entry(index(&session, "line-10-added")).unwrap().body
    else {
        panic!("a reminder")
    };
    assert_eq!((reminder.custom_type.as_ref(), reminder.display), ("system_reminder", false));
}

#[test]
fn responses_have_their_parts() {
    let session = read_fixture(SESSION);
    let first = assistant(&session, "line-2");
    let [Block::Text(text), Block::RedactedThinking, Block::ToolCall(read), Block::ToolCall(grep)] =
        first.content.as_slice()
    else {
        panic!("{:?}", first.content)
    };
    assert_eq!(text, "Exploring the table.");
    assert_eq!((read.id.as_ref(), read.name.as_ref()), ("line-2-call-3", "Read"));
    assert_ne!(read.id, grep.id);
    assert!(first.stopped_by("toolUse"));
    assert!(matches!(assistant(&session, "line-3").content[0], Block::RedactedThinking));
    let shell = tool_result(&session, "line-8-result");
    assert_eq!((shell.call_id.as_ref(), shell.name.as_deref()), ("toolu_1", Some("Shell")));
    assert!(shell.is_error);
    let patch = assistant(&session, "line-9");
    let call = patch.calls().next().unwrap();
    assert!(call.arguments.get("input").is_some(), "a bare text");
    let failed = assistant(&session, "line-12");
    assert!(failed.stopped_by("error"));
    assert_eq!(failed.error_message.as_deref(), Some("Too many requests"));
}

#[test]
fn a_file_without_results_says_so() {
    let call = json!({"type": "tool_use", "name": "Read", "input": {}});
    let session = read(&[message("user", &json!("hi")), message("assistant", &json!([call]))]);
    assert_eq!(session.notes(), ["Cursor does not write tool results to this file"]);
    let id = |session: &Session, entry: &str| {
        assistant(session, entry).calls().next().unwrap().id.to_string()
    };
    assert_eq!(id(&session, "line-2"), "line-2-call-1");
    // Results without an id answer the calls in their order.
    let result = json!({"type": "tool_result", "content": "low"});
    let session = read(&[
        message("assistant", &json!([call, call])),
        message("user", &json!([result, result, result])),
    ]);
    let answered: Vec<String> = (1..session.len())
        .map(|at| {
            tool_result(&session, session.id(EntryIndex::new(at)).unwrap()).call_id.to_string()
        })
        .collect();
    assert_eq!(answered, ["line-1-call-1", "line-1-call-2", ""]);
}

#[test]
fn sub_agents_lie_beside_the_session() {
    let session = read_at(&fixture_path(SESSION));
    assert_eq!(session.header().id, "0c0ffee0-tide");
    let [child] = session.sub_sessions() else { panic!("one sub-agent") };
    assert_eq!((child.key.as_str(), child.agent.as_deref()), ("a9-scout", Some("explore")));
    assert_eq!(child.task.as_deref(), Some("Find high tide"));
    assert_eq!(session.id(child.started_by).unwrap(), "line-3", "it asked in the same words");
    assert_eq!((child.len, child.state(&session)), (3, "done"));

    // Beside a flat file they lie in the folder of its name; another's are not read.
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["flat.jsonl", "other.jsonl"] {
        std::fs::write(at(name), fixture(SESSION)).unwrap();
    }
    std::fs::create_dir_all(at("flat/subagents")).unwrap();
    let line = message("user", &json!("<user_query>unknown</user_query>")).to_string();
    std::fs::write(at("flat/subagents/x.jsonl"), line).unwrap();
    let session = read_at(&at("flat.jsonl"));
    assert_eq!(session.sub_sessions()[0].key, "x");
    assert!(session.notes().iter().any(|note| note.contains("which call started 1 sub-agent")));
    assert!(read_at(&at("other.jsonl")).sub_sessions().is_empty());
}

#[test]
fn an_older_transcript_is_a_text() {
    let session = read_fixture(TEXT);
    assert_eq!(session.format(), Format::Cursor);
    assert_eq!(
        kinds(&session),
        [
            ("line-1", Kind::User),
            ("line-6", Kind::Assistant),
            ("line-20", Kind::ToolResult),
            ("line-24", Kind::ToolResult),
            ("line-26", Kind::Assistant),
            ("line-28", Kind::User),
            ("line-33", Kind::Assistant),
        ]
    );
    let first = assistant(&session, "line-6");
    let [
        Block::Thinking(thought),
        Block::Text(text),
        Block::ToolCall(read),
        Block::ToolCall(write),
    ] = first.content.as_slice()
    else {
        panic!("{:?}", first.content)
    };
    assert_eq!(thought, "The table has it.\nIt is short.");
    assert_eq!(text, "I look into the table.");
    assert_eq!(read.arguments.compact(), r#"{"path":"/home/ana/tides/tides.csv"}"#);
    assert_eq!(
        write.arguments.compact(),
        r#"{"path":"/home/ana/tides/notes.yaml","contents":"low: 04:12\nhigh: 10:20"}"#
    );
    let result = tool_result(&session, "line-20");
    assert_eq!(result.call_id, read.id);
    assert_eq!(joined_text(&result.content, ""), "low,04:12\nhigh,10:20");
    assert_eq!(tool_result(&session, "line-24").call_id, write.id);
    assert_eq!(seen(&session, "line-33").last().unwrap(), "assistant You're welcome.");
}

#[test]
fn a_text_that_is_not_surely_a_transcript_is_refused() {
    for text in ["user:\nhello\n\nassistant:\nhi\n", "# Notes\nuser:\n<user_query>\nx\n"] {
        assert!(leafpress::read(text.as_bytes().to_vec()).is_err(), "{text}");
    }
    let mut source = fixture(TEXT);
    source.extend(b"bad \xff byte\n");
    let session = leafpress::read(source).unwrap();
    assert_eq!(session.damage()[0].kind, DamageKind::InvalidUtf8);
}

#[test]
fn messages_of_other_agents_are_not_cursor_s() {
    let mut claude = message("user", &json!("hi"));
    claude["type"] = json!("user");
    claude["uuid"] = json!("1");
    claude["sessionId"] = json!("s");
    assert_eq!(read(&[claude]).format(), Format::ClaudeCode);
    let bare = json!({"role": "user", "content": "hi"});
    assert!(leafpress::read(bare.to_string().into_bytes()).is_err());
}

#[test]
fn ids_of_a_file_s_own_are_kept_and_repeated_ones_are_not() {
    let with_id = |text: &str| {
        let mut line = message("user", &json!(text));
        line["id"] = json!("same");
        line
    };
    let session = read(&[with_id("a"), with_id("b"), with_id("c")]);
    assert_eq!(ids(&session, session.indices()), ["same", "line-2~1", "line-3~2"]);
    assert_eq!(seen(&session, "line-3~2"), ["user a", "user b", "user c"]);
}

fn message(role: &str, content: &Value) -> Value {
    json!({"role": role, "message": {"content": content}})
}

fn read(lines: &[Value]) -> Session {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    leafpress::read(lines.join("\n").into_bytes()).unwrap()
}

#[test]
fn wrong_types_and_cuts_never_fail() {
    let read =
        |text: &[u8]| read_with(text.to_vec(), Some(Format::Cursor), &ReadOptions::default());
    for name in [SESSION, TEXT] {
        let text = fixture(name);
        for end in 0..text.len() {
            let _ = read(&text[..end]);
        }
    }
    let text = String::from_utf8(fixture(SESSION)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    for at in 0..lines.len() {
        let line: Value = serde_json::from_str(lines[at]).unwrap();
        for pointer in pointers(&line, "") {
            for value in ["null", "1e300", "\"x\"", "[1,\"a\"]", "{\"a\":1}"] {
                let mut line = line.clone();
                *line.pointer_mut(&pointer).unwrap() = serde_json::from_str(value).unwrap();
                let line = line.to_string();
                let broken =
                    lines.iter().enumerate().map(|(n, whole)| if n == at { &line } else { *whole });
                let session = read(broken.collect::<Vec<_>>().join("\n").as_bytes()).unwrap();
                for entry in session.indices() {
                    session.entry(entry).unwrap();
                }
            }
        }
    }
}
