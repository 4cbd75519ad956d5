//! Chats of Gemini CLI in both forms.

use leafpress::session::EntryIndex;
use std::fs;
use std::path::PathBuf;

use leafpress::Session;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::json::Json;
use leafpress::session::message::{Block, Message, joined_text};
use leafpress::session::{Body, DamageKind, Format, Kind};
use serde_json::{Value, json};

use crate::support::session::{
    assistant, fixture, ids, index, pointers, read_fixture, seen, tool_result,
};

const CHAT: &str = "samples/gemini/chats/session-tide.json";
const REWIND: &str = "samples/gemini/rewind.jsonl";

/// With the files beside it.
fn read_in_place(name: &str) -> Session {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    let options = ReadOptions::new().session(path);
    read_with(fixture(name), None, &options).unwrap()
}

fn read(lines: &[Value]) -> Session {
    let header =
        json!({"sessionId": "s", "projectHash": "p", "startTime": "2026-03-11T09:00:00.000Z"});
    let lines: Vec<String> = [&[header], lines].concat().iter().map(Value::to_string).collect();
    leafpress::read(lines.join("\n").into_bytes()).unwrap()
}

fn message(id: &str, kind: &str, text: &str) -> Value {
    json!({"id": id, "type": kind, "content": text})
}

fn kinds(session: &Session) -> Vec<(&str, Kind)> {
    session
        .own_indices()
        .map(|at| (session.id(at).unwrap(), Kind::of(&session.entry(at).unwrap().body)))
        .collect()
}

#[test]
fn one_object_is_a_chain_with_calls_and_results() {
    let session = read_fixture(CHAT);
    assert_eq!(session.format(), Format::Gemini);
    assert_eq!((session.title(), session.header().id.as_str()), (Some("Low tide"), "0000-tide"));
    assert_eq!(
        kinds(&session),
        [
            ("session", Kind::Custom),
            ("i1", Kind::Custom),
            ("u0", Kind::Custom),
            ("u1", Kind::User),
            ("g1", Kind::Assistant),
            ("g1-1", Kind::ToolResult),
            ("g1-2", Kind::ToolResult),
            ("g1-3", Kind::ToolResult),
            ("g1-4", Kind::ToolResult),
            ("e1", Kind::Assistant),
            ("g2", Kind::Assistant),
        ]
    );
    assert_eq!(ids(&session, session.tree().path(session.leaf())).len(), session.own_len());
    assert!(
        session.entry(EntryIndex::new(0)).unwrap().raw.contains("extraneous"),
        "what is unknown is kept"
    );
    assert_eq!(assistant(&session, "e1").error_message.as_deref(), Some("[API Error: overloaded]"));
}

#[test]
fn a_response_has_its_thoughts_calls_and_tokens_once() {
    let session = read_fixture(CHAT);
    let answer = assistant(&session, "g1");
    assert!(
        matches!(&answer.content[0], Block::Thinking(text) if text == "**Looking**\n\nat the table")
    );
    let calls: Vec<&str> = answer.calls().map(|call| call.id.as_ref()).collect();
    assert_eq!(calls, ["c1", "c2", "c3", "c4", "c5"], "c1 stands in the content too");
    let usage = answer.usage.unwrap();
    assert_eq!(
        [usage.input, usage.output, usage.cache_read].map(|count| count.to_string()),
        ["705", "50", "300"],
        "1055 in all"
    );
    assert_eq!(answer.model.as_ref().map(|model| model.id.as_ref()), Some("gemini-2.5-flash"));
}

#[test]
fn results_tell_how_calls_ended() {
    let session = read_fixture(CHAT);
    let shell = tool_result(&session, "g1-1");
    assert!(shell.is_error, "a failing command is a success of the tool");
    let detail = |result: &leafpress::session::message::ToolResult<'_>, key: &str| {
        result
            .details
            .as_ref()
            .and_then(|details| details.get(key))
            .map(leafpress::session::json::Json::compact)
    };
    assert_eq!(detail(&shell, "exitCode").as_deref(), Some("1"));
    let edit = tool_result(&session, "g1-2");
    assert!(!edit.is_error && detail(&edit, "diff").unwrap().contains("+high"));
    let read = tool_result(&session, "g1-3");
    assert_eq!((read.is_error, joined_text(&read.content, "").as_str()), (true, "File not found"));
}

#[test]
fn sub_agents_and_the_working_directory_are_read_from_beside() {
    let session = read_in_place(CHAT);
    assert_eq!(session.header().cwd, "/w/tides");
    let [child] = session.sub_sessions() else { panic!("one child") };
    assert_eq!((child.key.as_str(), child.name()), ("0001-scout", "Codebase Investigator"));
    assert_eq!(child.task.as_deref(), Some("Find the tide table"));
    assert_eq!(session.id(child.started_by).unwrap(), "g1-4");
    assert_eq!(child.len, 3);
    let alone = read_fixture(CHAT);
    assert!(alone.sub_sessions()[0].missing.as_ref().unwrap().contains("without a place"));
}

/// A session says what the folder of its sub-agents is called.
#[test]
fn only_sessions_are_read_from_beside() {
    let folder = tempfile::tempdir().unwrap();
    let read = |id: &str| {
        let head =
            json!({"sessionId": id, "projectHash": "p", "startTime": "2026-03-01T10:00:00Z"});
        let text = format!("{head}\n{}\n", message("g1", "user", "hi"));
        let path = folder.path().join("chats.jsonl");
        fs::write(&path, &text).unwrap();
        let options = ReadOptions::new().session(path);
        read_with(text.into_bytes(), None, &options).unwrap()
    };
    for name in ["Documents", ".config"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        for file in ["keys.json", "keys.jsonl", ".keys.json"] {
            let text = json!({"id": "a", "type": "user", "token": "k3strel"}).to_string();
            fs::write(folder.path().join(name).join(file), text).unwrap();
        }
    }
    let session = read("Documents");
    let [child] = session.sub_sessions() else { panic!("{:?}", session.sub_sessions()) };
    assert_eq!(child.missing.as_deref(), Some("not a session of Gemini CLI"));
    assert!(read(".config").sub_sessions().is_empty());
}

#[test]
fn what_was_rewound_or_replaced_is_a_branch() {
    let session = read_fixture(REWIND);
    assert_eq!(session.title(), Some("Three prompts"));
    assert_eq!(
        seen(&session, session.id(session.leaf()).unwrap()),
        ["user first", "assistant one, and more", "user third", "assistant another answer"]
    );
    assert_eq!(ids(&session, session.tree().leaves()), ["d", "f~7", "line-12"]);
    assert_eq!(seen(&session, "d").last().unwrap(), "assistant two");
    assert_eq!(session.id(session.tree().parent(index(&session, "c")).unwrap()).unwrap(), "b");
    assert!(assistant(&session, "f~7").usage.is_none(), "counted once");
    let kinds: Vec<DamageKind> = session.damage().iter().map(|damage| damage.kind).collect();
    assert_eq!(kinds, [DamageKind::NotUnderstood], "the last line");
    let note = &session.notes()[0];
    for words in ["1 update of metadata", "1 rewind", "1 earlier version"] {
        assert!(note.contains(words), "{note}");
    }
    assert!(
        session.notes()[1].starts_with("3 messages rewound or replaced"),
        "{:?}",
        session.notes()
    );
}

#[test]
fn all_messages_at_once_replace_those_before() {
    let session = read(&[
        message("a", "user", "first"),
        message("b", "gemini", "one"),
        message("c", "user", "second"),
        json!({"$set": {"messages": [message("a", "user", "first"), message("s", "user", "in short"), message("c", "user", "second")]}}),
        message("d", "gemini", "two"),
    ]);
    assert_eq!(
        seen(&session, "d"),
        ["user first", "user in short", "user second", "assistant two"]
    );
    assert_eq!(ids(&session, session.tree().leaves()), ["c~3", "d"]);
    let session = read(&[message("a", "user", "first"), json!({"$set": {"messages": []}})]);
    assert_eq!(session.id(session.leaf()).unwrap(), "session", "nothing is left of it");
    assert!(session.find("a").is_some());
}

#[test]
fn rewinds_go_back_as_far_as_they_say() {
    let turns =
        || vec![message("a", "user", "1"), message("b", "user", "2"), message("c", "user", "3")];
    for (to, left) in
        [(json!("c"), 2), (json!("b"), 1), (json!("a"), 0), (json!("gone"), 0), (json!(7), 0)]
    {
        let mut lines = turns();
        lines.extend([json!({"$rewindTo": to}), message("d", "user", "4")]);
        let session = read(&lines);
        assert_eq!(seen(&session, "d").len(), left + 1, "{to}");
        assert_eq!(session.len(), 5);
    }
}

#[test]
fn what_nobody_typed_is_no_prompt() {
    for (text, is_prompt) in [
        ("/chat save x", false),
        ("?", false),
        ("<session_context>\nToday is", false),
        ("<hook_context>x", false),
        ("/home/ana/a.rs is broken", true),
        ("? or !", true),
        ("hello", true),
    ] {
        let session = read(&[message("a", "user", text)]);
        let kind = Kind::of(&session.entry(index(&session, "a")).unwrap().body);
        assert_eq!(kind == Kind::User, is_prompt, "{text}");
    }
}

#[test]
fn results_in_messages_of_their_own_are_paired() {
    let session = read(&[
        json!({"id": "a", "type": "gemini", "content": [{"text": "thinking", "thought": true}, {"functionCall": {"id": "c", "name": "glob", "args": {"pattern": "*"}}}]}),
        json!({"id": "b", "type": "user", "content": [{"functionResponse": {"id": "c", "name": "glob", "response": {"output": "a.rs"}}}]}),
    ]);
    assert_eq!(assistant(&session, "a").calls().count(), 1);
    assert_eq!(tool_result(&session, "b").call_id, "c");
}

#[test]
fn a_torn_object_gives_all_before() {
    let text = String::from_utf8(fixture(CHAT)).unwrap();
    let end = text.find("\"e1\"").unwrap();
    let session = leafpress::read(text.as_bytes()[..end].to_vec()).unwrap();
    assert_eq!(session.format(), Format::Gemini);
    assert!(session.find("g1-4").is_some());
    assert_eq!(session.damage().len(), 1, "{:?}", session.damage());
}

#[test]
fn wrong_types_and_cuts_never_fail() {
    let read =
        |text: String| read_with(text.into_bytes(), Some(Format::Gemini), &ReadOptions::default());
    for name in [CHAT, REWIND] {
        let text = String::from_utf8(fixture(name)).unwrap();
        for end in (0..text.len()).step_by(37).filter(|&end| text.is_char_boundary(end)) {
            let _ = read(text[..end].to_owned());
        }
    }
    let chat: Value = serde_json::from_slice(&fixture(CHAT)).unwrap();
    let lines: Vec<Value> = String::from_utf8(fixture(REWIND))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let whole = json!({"chat": chat, "lines": lines});
    for pointer in pointers(&whole, "") {
        for value in ["null", "7", "\"x\"", "[1,\"a\"]", "{\"a\":1}", "true", "1e300"] {
            let mut whole = whole.clone();
            *whole.pointer_mut(&pointer).unwrap() = serde_json::from_str(value).unwrap();
            let text = if pointer.starts_with("/chat") {
                whole["chat"].to_string()
            } else {
                let lines = whole["lines"].as_array().cloned().unwrap_or_default();
                lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n")
            };
            let Ok(session) = read(text) else { continue };
            for entry in session.indices() {
                session.entry(entry).unwrap();
            }
        }
    }
}

#[test]
fn many_facts_of_a_session_are_read_in_linear_time() {
    // Each was once looked for among all those before it: 1.8 thousand million comparisons.
    let count = 60_000;
    let mut header = json!({"sessionId": "g", "projectHash": "h"});
    for nth in 0..count {
        header[format!("fact {nth}")] = json!(nth);
    }
    let update = json!({"$set": header.clone()});
    let prompt = json!({"id": "m", "type": "user", "content": "x"});
    let text = [header, prompt, update].map(|line| line.to_string()).join("\n");
    let session = leafpress::read(text.into_bytes()).unwrap();
    assert_eq!(session.len(), 2);
}

#[test]
fn results_of_a_call_id_that_is_used_again_are_all_shown() {
    let asked = |id: &str, path: &str| json!({"id": id, "type": "gemini", "content": [{"functionCall": {"id": "c", "name": "read_file", "args": {"path": path}}}]});
    let given = |id: &str, words: &str| json!({"id": id, "type": "user", "content": [{"functionResponse": {"id": "c", "name": "read_file", "response": {"output": words}}}]});
    let session = read(&[
        asked("a", "low.txt"),
        given("b", "at 04:12"),
        asked("d", "high.txt"),
        given("e", "at 10:20"),
        given("f", "at 10:20"),
    ]);
    assert_eq!(joined_text(&tool_result(&session, "b").content, ""), "at 04:12");
    assert_eq!(joined_text(&tool_result(&session, "e").content, ""), "at 10:20");
    assert_eq!(session.find("f"), None, "the same again");
    assert!(session.notes().iter().any(|note| note.ends_with("1 copy of a result")));
}

/// A chat that goes on begins anew in the file: with its header, its context and all of its history.
#[test]
fn a_resumed_chat_is_one_branch() {
    let session = read_fixture("samples/gemini/resumed.jsonl");
    assert_eq!(
        ids(&session, session.tree().path(session.leaf())),
        [
            "session",
            "ctx",
            "u1",
            "g1",
            "g1-1",
            "g1-2",
            "g2",
            "e1",
            "ctx~line-10",
            "u2",
            "g3",
            "u3",
            "g4"
        ],
        "each message once, and what the program put in where it said something else"
    );
    assert_eq!(session.own_len(), 13, "no other branch");
    assert!(tool_result(&session, "g1-2").is_error, "exit code 3 within <untrusted_context>");
    let usage: f64 = ["g1", "g2", "g3", "g4"]
        .into_iter()
        .map(|id| assistant(&session, id).usage.unwrap())
        .map(|usage| usage.input + usage.cache_read)
        .sum();
    assert!((usage - 4200.0).abs() < 1e-9, "the tokens of the whole chat: {usage}");
    assert_eq!(
        session.header().time,
        Some(1_790_924_410_000),
        "when it began, not when it went on"
    );
}

/// What a history lists less of was rewound, and what it lists in other words was replaced.
#[test]
fn a_history_that_differs_is_another_branch() {
    let parts = |id: &str, kind: &str, text: &str| json!({"id": id, "type": kind, "content": [{"text": text}]});
    let header = json!({"sessionId": "s", "projectHash": "p"});
    let chat = [
        message("a", "user", "first"),
        message("b", "gemini", "one"),
        message("c", "user", "second"),
        message("d", "gemini", "two"),
    ];
    let shorter =
        json!({"$set": {"messages": [parts("a", "user", "first"), parts("b", "gemini", "one")]}});
    let new = message("e", "user", "third");
    let session = read(&[&chat[..], &[header.clone(), shorter, new.clone()]].concat());
    assert_eq!(seen(&session, "e"), ["user first", "assistant one", "user third"]);
    assert_eq!(seen(&session, "d").len(), 4, "what was rewound is still there");
    let other = json!({"$set": {"messages": [parts("a", "user", "first"), parts("b", "gemini", "uno"), parts("c", "user", "second"), parts("d", "gemini", "two")]}});
    let session = read(&[&chat[..], &[header, other, new]].concat());
    assert_eq!(
        seen(&session, "e"),
        ["user first", "assistant uno", "user second", "assistant two", "user third"]
    );
}

#[test]
fn what_stands_before_a_prompt_in_its_message_is_no_part_of_it() {
    let both = json!({"id": "a", "type": "user", "content": [
        {"text": "<session_context>\n/w\n</session_context>"},
        {"text": "<session_context>\n/w\n</session_context>"},
        {"text": "Measure."}
    ]});
    let session = read(&[both]);
    assert_eq!(kinds(&session)[1..], [("a", Kind::CustomMessage), ("a-1", Kind::User)]);
    let only = json!({"id": "a", "type": "user", "content": [
        {"text": "<session_context>\n/w\n</session_context>"},
        {"text": "<session_context>\n/w\n</session_context>"}
    ]});
    assert_eq!(kinds(&read(&[only]))[1..], [("a", Kind::CustomMessage)]);
}

#[test]
fn code_that_google_runs_is_a_call() {
    let mut file = fixture("samples/gemini/rewind.jsonl");
    file.extend_from_slice(
        br#"
{"id":"code","timestamp":"2026-11-20T10:00:00.000Z","type":"gemini","content":[{"text":"Let me count."},{"executableCode":{"language":"PYTHON","code":"print(1/0)"}},{"codeExecutionResult":{"outcome":"OUTCOME_FAILED","output":"ZeroDivisionError"}},{"text":"It fails."}]}
"#,
    );
    let session = leafpress::read(file).unwrap();
    let at = session.find("code").unwrap();
    let Body::Message(Message::Assistant(response)) = session.entry(at).unwrap().body else {
        panic!("a response")
    };
    let call = response.calls().next().unwrap();
    assert_eq!(
        (&*call.name, call.arguments.get("code").and_then(Json::as_str)),
        ("code_execution", Some("print(1/0)"))
    );
    let result =
        session.indices().filter_map(|at| session.entry(at)).find_map(|entry| match entry.body {
            Body::Message(Message::ToolResult(result)) if result.call_id == call.id => {
                Some((result.is_error, result.only_text().map(str::to_owned)))
            }
            _ => None,
        });
    assert_eq!(result, Some((true, Some("ZeroDivisionError".to_owned()))));
}
