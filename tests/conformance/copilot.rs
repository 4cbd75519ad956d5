//! Sessions of GitHub Copilot CLI.

mod spending;

use leafpress::session::EntryIndex;
use std::path::PathBuf;

use leafpress::Session;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::message::{Block, Message, joined_text};
use leafpress::session::{Body, Format, Kind};
use serde_json::{Value, json};

use crate::support::session::{
    assistant, fixture, ids, index, pointers, read_fixture, seen, tool_result,
};

const SESSION: &str = "samples/copilot/session-state/5e1f0c2a-tide/events.jsonl";

fn kinds(session: &Session) -> Vec<(&str, Kind)> {
    let own = session.own_indices();
    own.map(|at| (session.id(at).unwrap(), Kind::of(&session.entry(at).unwrap().body))).collect()
}

#[test]
fn events_are_a_chain_of_what_happened() {
    let session = read_fixture(SESSION);
    assert_eq!(session.format(), Format::Copilot);
    let header = session.header();
    assert_eq!((header.id.as_str(), header.cwd.as_str()), ("5e1f0c2a-tide", "/home/ana/tides"));
    assert!(session.damage().is_empty());
    assert_eq!(
        kinds(&session),
        [
            ("ev-01", Kind::Custom),
            ("ev-02", Kind::ModelChange),
            ("ev-02-effort", Kind::ThinkingChange),
            ("ev-03", Kind::System),
            ("ev-05", Kind::User),
            ("ev-05-files", Kind::FileMention),
            ("ev-09", Kind::Assistant),
            ("ev-11", Kind::Custom),
            ("ev-12", Kind::Custom),
            ("ev-14", Kind::ToolResult),
            ("ev-15", Kind::ToolResult),
            ("ev-17", Kind::Assistant),
            ("ev-19", Kind::ToolResult),
            ("ev-27", Kind::ToolResult),
            ("ev-28", Kind::Assistant),
            ("ev-29", Kind::Custom),
            ("ev-30", Kind::Custom),
            ("ev-32", Kind::Compaction),
            ("ev-33", Kind::System),
            ("ev-35", Kind::Custom),
            ("ev-36", Kind::CustomMessage),
            ("ev-37", Kind::User),
            ("ev-40", Kind::Bash),
            ("ev-42", Kind::Assistant),
            ("ev-44", Kind::ToolResult),
            ("ev-45", Kind::Custom),
            ("ev-46", Kind::Assistant),
            ("ev-47", Kind::Assistant),
            ("ev-48", Kind::CustomMessage),
            ("ev-49", Kind::Custom),
            ("ev-50", Kind::Mode),
            ("ev-51-usage-1", Kind::Usage),
            ("ev-51-usage-2", Kind::Usage),
            ("ev-51", Kind::Custom),
        ]
    );
    let path = session.tree().path(session.leaf());
    assert_eq!(ids(&session, path).len(), session.own_len(), "parents as written are not followed");
    let notes = session.notes().join("\n");
    for told in ["7 tool.execution_start", "1 system.message", "1 prompt before sending"] {
        assert!(notes.contains(told), "{notes}");
    }
}

#[test]
fn a_call_is_told_once_whoever_repeats_it() {
    let session = read_fixture(SESSION);
    let first = assistant(&session, "ev-09");
    let [
        Block::Thinking(thinking),
        Block::Text(text),
        Block::ToolCall(bash),
        Block::ToolCall(view),
    ] = first.content.as_slice()
    else {
        panic!("{:?}", first.content)
    };
    assert_eq!((thinking.as_ref(), text.as_ref()), ("The table has it.", "I look into the table."));
    assert_eq!(
        bash.arguments.compact(),
        r#"{"command":"grep low tides.txt","description":"Find low tide"}"#,
        "JSON within a text"
    );
    assert_eq!((view.id.as_ref(), view.name.as_ref()), ("c2", "view"));
    assert!(first.stopped_by("toolUse"));
    assert_eq!(session.find("ev-10"), session.find("ev-09"), "the start is part of the call");
    assert!(matches!(assistant(&session, "ev-17").content[0], Block::RedactedThinking));
    let later = assistant(&session, "ev-42");
    assert!(matches!(&later.content[0], Block::Thinking(text) if text == "A chart needs a tool."));
    assert_eq!(session.find("ev-41"), session.find("ev-42"));
}

#[test]
fn a_command_that_failed_is_a_failure() {
    let session = read_fixture(SESSION);
    let bash = tool_result(&session, "ev-14");
    assert!(bash.is_error, "the event says success");
    assert_eq!(bash.details.unwrap().compact(), r#"{"exitCode":2}"#);
    assert_eq!(bash.duration_ms, Some(20_000.0), "the wait for a permission is not counted");
    let view = tool_result(&session, "ev-15");
    assert!(view.is_error);
    assert_eq!(joined_text(&view.content, ""), "Path does not exist");
    let edit = tool_result(&session, "ev-19");
    assert!(!edit.is_error);
    assert!(edit.details.unwrap().get("diff").is_some());
    // Words of a file are no exit code.
    let text = lines(&[
        response("m", &json!([{"toolCallId": "c", "name": "view", "arguments": {}}])),
        event(
            "tool.execution_complete",
            &json!({"toolCallId": "c", "success": true,
            "result": {"content": "<exited with exit code 2>"}}),
        ),
    ]);
    assert!(!tool_result(&read(&text), "e2").is_error);
}

#[test]
fn prompts_are_those_of_the_person() {
    let session = read_fixture(SESSION);
    let Body::Message(Message::User(content)) =
        session.entry(index(&session, "ev-05")).unwrap().body
    else {
        panic!("a prompt")
    };
    assert_eq!(joined_text(&content, ""), "When is low tide?", "without what Copilot added");
    assert!(matches!(&content[1], Block::Image { mime_type, .. } if mime_type == "image/png"));
    assert!(matches!(&content[2], Block::Other(_)), "an attachment of an unknown kind");
    let Body::Message(Message::FileMention(files)) =
        session.entry(index(&session, "ev-05-files")).unwrap().body
    else {
        panic!("files")
    };
    assert_eq!(files[0].path, "/home/ana/tides/tides.csv");
    assert_eq!(files[1].content, "Tides of the bay");
    let Body::CustomMessage(skill) = session.entry(index(&session, "ev-36")).unwrap().body else {
        panic!("a skill")
    };
    assert_eq!((skill.custom_type.as_ref(), skill.display), ("skill-charts", false));
    let result = tool_result(&session, "ev-44");
    assert!(matches!(&result.content[1], Block::Image { .. }), "an image that two events share");
}

#[test]
fn a_prompt_that_only_a_hook_tells_is_a_prompt() {
    let hook = |prompt: &str| {
        event(
            "hook.start",
            &json!({"hookType": "userPromptSubmitted", "input": {"prompt": prompt}}),
        )
    };
    let typed = event("user.message", &json!({"content": "twice"}));
    let session = read(&lines(&[hook("once"), hook("twice"), typed, hook("twice")]));
    assert_eq!(seen(&session, "e4"), ["user once", "user twice", "user twice"]);
    assert!(session.find("e2").is_none());
}

#[test]
fn tokens_and_money_are_counted_once() {
    let session = read_fixture(SESSION);
    let usage: Vec<_> =
        session.indices().filter_map(|at| session.entry(at).unwrap().usage()).collect();
    let sum = |of: fn(&leafpress::session::usage::Usage) -> f64| usage.iter().map(of).sum::<f64>();
    // The last shutdown, which counts the sub-agent too, and the compaction, which it leaves out.
    assert_eq!(sum(|usage| usage.input).to_string(), (1100 + 200 + 100).to_string());
    assert_eq!(sum(|usage| usage.output).to_string(), (150 + 30 + 50).to_string());
    assert_eq!(sum(|usage| usage.cache_read).to_string(), (900 + 500).to_string());
    assert_eq!(sum(|usage| usage.cache_write).to_string(), "100");
    assert!((sum(|usage| usage.cost) - 0.02).abs() < 1e-9);
    assert_eq!(assistant(&session, "ev-09").usage.unwrap().output.to_string(), "40");

    // What came after the last shutdown is counted by its responses.
    let metrics = json!({"modelMetrics": {"m": {"usage": {"inputTokens": 10, "outputTokens": 7}}}});
    let session = read(&lines(&[
        response("a", &json!([])),
        event("session.shutdown", &metrics),
        response("b", &json!([])),
    ]));
    let outputs =
        session.indices().filter_map(|at| Some(session.entry(at).unwrap().usage()?.output));
    assert_eq!(outputs.sum::<f64>().to_string(), "12");
}

#[test]
fn a_compaction_replaces_what_is_above() {
    let session = read_fixture(SESSION);
    let seen = seen(&session, "ev-37");
    assert_eq!(
        seen,
        [
            "compactionSummary Low tide is at 04:12, high tide at 10:20.",
            "system You are a terminal assistant.",
            "custom <skill-context name=\"charts\">Draw charts.</skill-context>",
            "user Draw it",
        ]
    );
}

#[test]
fn events_of_a_sub_agent_are_a_session_below_its_call() {
    let session = read_fixture(SESSION);
    let [child] = session.sub_sessions() else { panic!("one sub-agent") };
    assert_eq!((child.key.as_str(), child.agent.as_deref()), ("t1", Some("explore")));
    assert_eq!(child.task.as_deref(), Some("Find high tide"));
    assert_eq!(session.id(child.started_by).unwrap(), "ev-27");
    let own: Vec<&str> = child.entries().map(|at| session.id(at).unwrap()).collect();
    assert_eq!(own, ["ev-21", "ev-22", "ev-24", "ev-25", "ev-26"]);
    let Body::Message(Message::Assistant(first)) =
        session.entry(EntryIndex::new(child.first.get() + 1)).unwrap().body
    else {
        panic!("a response")
    };
    let call = first.calls().next().unwrap();
    assert_eq!(call.arguments.compact(), r#"{"pattern":"high","path":"tides.csv"}"#);
    assert_eq!(child.state(&session), "done");
}

#[test]
fn sub_agents_of_sub_agents_and_circles_end() {
    let of = |agent: &str, id: &str, calls: &Value| {
        event(
            "assistant.message",
            &json!({"content": id, "toolRequests": calls, "parentToolCallId": agent}),
        )
    };
    let task = |id: &str| json!([{"toolCallId": id, "name": "task", "arguments": {}}]);
    let session = read(&lines(&[
        response("main", &task("a")),
        of("a", "in a", &task("b")),
        of("b", "in b", &json!([])),
        of("lost", "in lost", &json!([])),
        of("x", "in x", &task("y")),
        of("y", "in y", &task("x")),
        of("self", "in self", &task("self")),
    ]));
    let mut children: Vec<(&str, usize)> =
        session.sub_sessions().iter().map(|child| (child.key.as_str(), child.parent)).collect();
    children.sort_unstable();
    let number = |key: &str| session.sub_sessions().iter().position(|c| c.key == key).unwrap() + 1;
    assert_eq!(
        children,
        [("a", 0), ("a/b", number("a")), ("lost", 0), ("self", 0), ("x", 0), ("x/y", number("x"))]
    );
    let notes = session.notes().join("\n");
    assert!(notes.contains("1 sub-agent is not in the file"), "{notes}");
    assert!(notes.contains("2 sub-agents started by their own work"), "{notes}");
}

#[test]
fn an_agent_is_known_by_its_own_id_too() {
    let of = |agent: &str, mut event: Value| {
        event["agentId"] = json!(agent);
        event
    };
    let task = |id: &str| json!([{"toolCallId": id, "name": "task", "arguments": {}}]);
    let started = |call: &str| event("subagent.started", &json!({"toolCallId": call}));
    let session = read(&lines(&[
        response("main", &task("a")),
        of("agent-1", started("a")),
        of("agent-1", response("in a", &task("b"))),
        // The agent that starts it, not the one that is started.
        of("agent-1", started("b")),
        of("agent-1", response("in a again", &json!([]))),
    ]));
    let children: Vec<(&str, usize)> =
        session.sub_sessions().iter().map(|child| (child.key.as_str(), child.len)).collect();
    assert_eq!(children, [("a", 3), ("a/b", 1)]);
}

#[test]
fn the_title_lies_beside_the_session() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let read = |path: PathBuf| {
        let options = ReadOptions::new().session(path);
        read_with(fixture(SESSION), None, &options).unwrap()
    };
    assert_eq!(read(root.join(SESSION)).title(), Some("Ana's tides"));
    let folder = tempfile::tempdir().unwrap();
    let yaml = folder.path().join("workspace.yaml");
    let title = |text: &str, file: &str| {
        std::fs::write(&yaml, text).unwrap();
        read(folder.path().join(file)).title().map(str::to_owned)
    };
    let own = "id: 5e1f0c2a-tide\nname: Own\n";
    assert_eq!(title(own, "events.jsonl").as_deref(), Some("Own"));
    assert_eq!(title(own, "other.jsonl"), None, "a file of another layout");
    assert_eq!(title("name: Bazel\n", "events.jsonl"), None, "somebody else's file");
    assert_eq!(title("id: other\nname: Other\n", "events.jsonl"), None);
    assert_eq!(title("id: 5e1f0c2a-tide\nname:\n", "events.jsonl"), None);
}

#[test]
fn an_id_that_is_used_twice_does_not_break_the_chain() {
    let line = |text: &str| {
        json!({"type": "user.message", "id": "same", "parentId": null,
            "timestamp": "2026-06-01T10:00:00.000Z", "data": {"content": text}})
        .to_string()
    };
    let session = read(&[line("a"), line("b"), line("c")].join("\n"));
    assert_eq!(ids(&session, session.indices()), ["same", "line-2", "line-3"]);
    assert_eq!(seen(&session, "line-3"), ["user a", "user b", "user c"]);
}

#[test]
fn what_is_not_known_is_shown_whole() {
    let session = read_fixture(SESSION);
    let Body::Custom { custom_type, data } = session.entry(index(&session, "ev-49")).unwrap().body
    else {
        panic!("a custom entry")
    };
    assert_eq!(
        (custom_type.as_ref(), data.unwrap().compact().as_str()),
        ("session.tide_table", r#"{"rows":2}"#)
    );
    let text = lines(&[event("user.message", &json!({"content": "x"}))])
        + "\n{\"type\":\"new\",\"id\":\"n\",\"timestamp\":\"2026-06-01T10:00:00.000Z\",\"data\":{},\"more\":1}";
    let session = read(&text);
    let Body::Custom { data, .. } = session.entry(index(&session, "n")).unwrap().body else {
        panic!()
    };
    assert_eq!(
        data.unwrap().get("more").and_then(leafpress::session::json::Json::as_f64),
        Some(1.0)
    );
}

fn event(kind: &str, data: &Value) -> Value {
    json!({"type": kind, "data": data})
}

/// A response of the model `m` that wrote five tokens.
fn response(text: &str, calls: &Value) -> Value {
    let data = json!({"content": text, "toolRequests": calls, "model": "m", "outputTokens": 5});
    event("assistant.message", &data)
}

/// The events with the ids `e1`, `e2` …
fn lines(events: &[Value]) -> String {
    let line = |(nth, event): (usize, &Value)| {
        let mut event = event.clone();
        event["id"] = json!(format!("e{}", nth + 1));
        event["timestamp"] = json!("2026-06-01T10:00:00.000Z");
        event["parentId"] = json!(null);
        event.to_string()
    };
    events.iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

fn read(text: &str) -> Session {
    leafpress::read(text.as_bytes().to_vec()).unwrap()
}

#[test]
fn wrong_types_and_cuts_never_fail() {
    let text = String::from_utf8(fixture(SESSION)).unwrap();
    let read =
        |text: String| read_with(text.into_bytes(), Some(Format::Copilot), &ReadOptions::default());
    for end in (0..text.len()).step_by(37).filter(|&end| text.is_char_boundary(end)) {
        let _ = read(text[..end].to_owned());
    }
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
                let session = read(broken.collect::<Vec<_>>().join("\n")).unwrap();
                for entry in session.indices() {
                    session.entry(entry).unwrap();
                }
            }
        }
    }
}

#[test]
fn what_hooks_said_and_citations_are_shown() {
    let mut cited = response("So it is.", &json!([]));
    cited["data"]["citations"] = json!({"sources": [{"title": "Tide table"}]});
    let events = [
        event("hook.start", &json!({"hookType": "preToolUse", "input": {"toolName": "bash"}})),
        event("hook.end", &json!({"hookType": "preToolUse", "success": true, "output": "allowed"})),
        event("hook.end", &json!({"hookType": "preToolUse", "success": true})),
        cited,
        event(
            "session.compaction_complete",
            &json!({"success": false, "error": {"message": "too small"}}),
        ),
    ];
    let session = read(&lines(&events));
    let raw: String = session.indices().map(|at| session.raw(at).unwrap()).collect();
    for words in ["toolName", "allowed", "Tide table", "too small"] {
        assert!(raw.contains(words), "{words}");
    }
    let note = session.notes().iter().find(|note| note.starts_with("Not shown: "));
    assert!(note.unwrap().contains("1 hook.end"), "{note:?}");
}

#[test]
fn what_stands_beside_a_result_or_a_compaction_is_shown() {
    let result = |content: &str, further: &str, value: Value| {
        let mut complete = event("tool.execution_complete", &json!({"toolCallId": content}));
        complete["data"]["result"] = json!({"content": content});
        complete["data"]["result"][further] = value;
        complete
    };
    let events = [
        result("warm", "structuredContent", json!({"celsius": 21})),
        result("{\"celsius\": 22}", "structuredContent", json!({"celsius": 22})),
        result("tides", "citableSources", json!([{"title": "Almanac"}])),
        event(
            "session.compaction_complete",
            &json!({
                "success": true, "summaryContent": "so far", "error": "kept less than asked",
                "customInstructions": "keep the numbers"
            }),
        ),
    ];
    let session = read(&lines(&events));
    let shown: Vec<&str> = session
        .indices()
        .filter(|&at| session.entry_type(at).unwrap() == "custom")
        .map(|at| session.raw(at).unwrap())
        .collect();
    assert_eq!(shown.len(), 3, "{shown:?}");
    assert!(shown[0].contains("21") && shown[1].contains("Almanac"), "{shown:?}");
    assert!(shown[2].contains("keep the numbers"), "{shown:?}");
    let compaction = session.indices().find(|&at| session.entry_type(at).unwrap() == "compaction");
    let compaction = session.raw(compaction.unwrap()).unwrap();
    assert!(compaction.contains(r#""warning":"kept less than asked""#), "{compaction}");
}

#[test]
fn what_was_asked_and_allowed_has_rows_among_the_details() {
    let request = json!({"kind": "shell", "fullCommandText": "rm -r build"});
    let events = [
        response("", &json!([{"toolCallId": "c1", "name": "bash", "arguments": {}}])),
        event(
            "permission.requested",
            &json!({"permissionRequest": request, "promptRequest": request}),
        ),
        event("permission.completed", &json!({"toolCallId": "c1", "result": {"kind": "approved"}})),
    ];
    let session = read(&lines(&events));
    let rows: Vec<&str> = session.indices().map(|at| session.raw(at).unwrap()).collect();
    assert_eq!(kinds(&session)[1..], [("e2", Kind::Custom), ("e3", Kind::Custom)]);
    // The question repeats the request.
    assert_eq!(rows[1].matches("rm -r build").count(), 1, "{}", rows[1]);
    assert!(rows[2].contains("approved"), "{}", rows[2]);
}

#[test]
fn responses_that_are_only_there_in_parts_are_shown() {
    let part = |id: &str, words: &str| {
        let data = json!({"messageId": id, "deltaContent": words});
        let mut part = event("assistant.message_delta", &data);
        part["ephemeral"] = json!(true);
        part
    };
    let whole = |id: &str, words: &str| {
        let mut whole = response(words, &json!([]));
        whole["data"]["messageId"] = json!(id);
        whole
    };
    let mut of_agent = event("assistant.turn_end", &json!({}));
    of_agent["agentId"] = json!("scout");
    let events = [
        event("user.message", &json!({"content": "go"})),
        part("m1", "It was "),
        part("m1", "cut"),
        event("assistant.turn_end", &json!({})),
        part("m2", "Do"),
        whole("m2", "Done."),
        part("m3", "And on"),
        // It ends nothing of the main agent.
        of_agent,
    ];
    let session = read(&lines(&events));
    let said: Vec<(String, Option<String>)> = session
        .indices()
        .filter_map(|at| match session.entry(at).unwrap().body {
            Body::Message(Message::Assistant(said)) => Some((
                joined_text(&said.content, ""),
                said.stop_reason.map(std::borrow::Cow::into_owned),
            )),
            _ => None,
        })
        .collect();
    let said: Vec<(&str, &str)> =
        said.iter().map(|(said, stop)| (said.as_str(), stop.as_deref().unwrap())).collect();
    assert_eq!(said, [("It was cut", "stop"), ("Done.", "stop"), ("And on", "pending")]);
}

#[test]
fn passing_events_of_a_run_have_no_rows() {
    let passing = |kind: &str| {
        let mut passing = event(kind, &json!({}));
        passing["ephemeral"] = json!(true);
        passing
    };
    let events = [
        event("user.message", &json!({"content": "go"})),
        passing("model.call_start"),
        passing("assistant.idle"),
        response("Done.", &json!([])),
        event("result", &json!({"exitCode": 0})),
    ];
    let session = read(&lines(&events));
    assert_eq!(session.len(), 3);
    assert!(session.damage().is_empty(), "{:?}", session.damage());
}
