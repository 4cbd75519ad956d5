//! Lines that the program adds beside the conversation.

use leafpress::session::EntryIndex;
use std::path::Path;

use leafpress::Session;
use leafpress::format::{ReadOptions, read_with};
use leafpress::session::message::Message;
use leafpress::session::{Body, Kind};
use serde_json::{Value, json};

use super::{Lines, part};
use crate::support::inflated::everything;
use crate::support::session::index;

fn attachment(kind: &str, mut fields: Value) -> Value {
    fields["type"] = json!(kind);
    json!({"type": "attachment", "attachment": fields})
}

/// Reads a session with the files beside it.
fn read(path: &Path) -> Session {
    let options = ReadOptions::new().session(path.to_owned());
    read_with(std::fs::read(path).unwrap(), None, &options).unwrap()
}

/// The text of the message of an extension, and whether it stands open.
fn words(lines: &Lines, id: &str) -> (String, String, bool) {
    let session = lines.read();
    match session.entry(index(&session, id)).unwrap().body {
        Body::CustomMessage(custom) => {
            let said = leafpress::session::message::joined_text(&custom.content, "\n");
            (custom.custom_type.to_string(), said, custom.display)
        }
        body => panic!("{id}: {body:?}"),
    }
}

#[test]
fn what_the_program_gave_the_model_reads_as_words() {
    let cases = [
        (
            attachment(
                "edited_text_file",
                json!({"filename": "/p/a.rs", "snippet": "1→fn main() {}"}),
            ),
            "edited-text-file",
            "`/p/a.rs` was changed since it was read\n\n```\n1→fn main() {}\n```",
        ),
        (
            attachment(
                "compact_file_reference",
                json!({"filename": "/p/a.rs", "displayPath": "a.rs"}),
            ),
            "compact-file-reference",
            "`/p/a.rs` was read before the compaction",
        ),
        (
            attachment("plan_mode", json!({"planFilePath": "/p/plan.md"})),
            "plan-mode",
            "Plan mode is on. The plan is kept in `/p/plan.md`",
        ),
        (
            attachment(
                "hook_blocking_error",
                json!({"hookName": "Stop", "blockingError":
                {"blockingError": "tests ``` fail", "command": "./check"}}),
            ),
            "hook-blocking-error",
            "Hook `Stop` blocked\n\n````\ntests ``` fail\n````\n\nCommand: `./check`",
        ),
        (
            attachment(
                "hook_additional_context",
                json!({"hookEvent": "SessionStart", "content": ["one", "two"]}),
            ),
            "hook-additional-context",
            "Hook `SessionStart`\n\none\n\ntwo",
        ),
        (
            attachment(
                "invoked_skills",
                json!({"skills": [{"name": "review", "content": "Look twice."}]}),
            ),
            "invoked-skills",
            "Skill `review`\n\nLook twice.",
        ),
        (
            attachment(
                "task_status",
                json!({"taskId": "b1", "status": "completed", "description": "run tests",
                "deltaSummary": "all green"}),
            ),
            "task-status",
            "Task “run tests”: completed\n\nall green",
        ),
        (
            json!({"type": "system", "subtype": "informational", "content": "blocked by a hook"}),
            "informational",
            "blocked by a hook",
        ),
        (
            json!({"type": "system", "subtype": "api_refusal", "apiRefusalCategory": "cyber",
                "apiRefusalExplanation": "not allowed", "refusedUserMessageUuid": "u1",
                "retractedMessageUuids": ["u2", "u3"]}),
            "api-refusal",
            "The API refused to answer: cyber\n\nnot allowed\n\nRefused prompt: `u1`\n\nRetracted messages: `u2`, `u3`",
        ),
        (
            json!({"type": "system", "subtype": "model_refusal_fallback", "originalModel": "big", "fallbackModel": "small"}),
            "model-fallback",
            "`big` refused to answer. The session goes on with `small`.",
        ),
    ];
    for (line, name, said) in cases {
        let lines = Lines::default().user("go").line(line);
        let (kind, text, _) = words(&lines, "u2");
        assert_eq!((kind.as_str(), text.as_str()), (name, said));
    }
}

#[test]
fn notices_are_in_no_context_and_attachments_are() {
    let lines = Lines::default()
        .user("go")
        .line(json!({"type": "system", "subtype": "informational", "content": "hidden from the model"}))
        .line(attachment("file", json!({"filename": "/p/a.rs", "content": {"type": "text",
            "file": {"filePath": "/p/a.rs", "content": "fn main() {}"}}})))
        .line(attachment("hook_additional_context", json!({"content": "given to the model"})))
        .says("m1", "done");
    let session = lines.read();
    let context = leafpress::report::context(&session, session.leaf()).unwrap();
    let context = serde_json::to_string(&context).unwrap();
    assert!(!context.contains("hidden from the model"), "{context}");
    assert!(
        context.contains(r#""role":"fileMention","sent":true"#)
            && context.contains("given to the model"),
        "{context}"
    );
    match session.entry(index(&session, "u3")).unwrap().body {
        Body::Message(Message::FileMention(files)) => {
            assert_eq!((&*files[0].path, &*files[0].content), ("/p/a.rs", "fn main() {}"));
        }
        body => panic!("{body:?}"),
    }
}

#[test]
fn noise_and_unknown_shapes_stay_rows_that_hold_the_line() {
    let odd = [
        attachment("skill_listing", json!({"content": "Qz"})),
        attachment("hook_success", json!({"stdout": "Qz"})),
        attachment("not_known_yet", json!({"x": "Qz"})),
        attachment("file", json!({"filename": 7, "content": "Qz"})),
        attachment("hook_blocking_error", json!({"blockingError": ["Qz"]})),
        json!({"type": "system", "subtype": "turn_duration", "content": "Qz"}),
        json!({"type": "attachment", "attachment": "Qz"}),
    ];
    for line in odd {
        let session = Lines::default().user("go").line(line.clone()).read();
        let entry = index(&session, "u2");
        assert_eq!(Kind::of(&session.entry(entry).unwrap().body), Kind::Custom, "{line}");
        assert!(session.raw(entry).unwrap().contains("Qz"), "{line}");
    }
}

#[test]
fn a_prompt_stands_apart_from_what_the_editor_said_ahead_of_it() {
    let ide = "<ide_opened_file>The user opened x.rs</ide_opened_file>";
    let text = |text: &str| json!({"type": "text", "text": text});
    let user =
        |content: Value| json!({"type": "user", "message": {"role": "user", "content": content}});
    let lines = Lines::default()
        .line(user(json!([text(ide), text("what is it?")])))
        .says("m1", "a file")
        .line(user(json!([text(ide)])))
        .line(user(json!(format!("{ide}\nand this?"))));
    let session = lines.read();
    let kinds: Vec<Kind> =
        session.indices().map(|entry| Kind::of(&session.entry(entry).unwrap().body)).collect();
    let [user, custom] = [Kind::User, Kind::CustomMessage];
    assert_eq!(kinds, [custom, user, Kind::Assistant, custom, user]);
    assert_eq!(session.id(EntryIndex::new(1)).unwrap(), "u1");
    assert_eq!(session.tree().parent(EntryIndex::new(2)), Some(EntryIndex::new(1)));
}

#[test]
fn a_prompt_of_pictures_alone_is_a_prompt() {
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}});
    let lines = Lines::default()
        .line(json!({"type": "user", "message": {"role": "user", "content": [image]}}))
        .says("m1", "a dot");
    let session = lines.read();
    let stats = leafpress::report::stats(&session);
    assert_eq!((stats.total.prompts, stats.total.turns), (1, 1));
    let page = leafpress::Options::default();
    let mut html = Vec::new();
    leafpress::export(&session, &page, &mut html).unwrap();
    let html = String::from_utf8(html).unwrap();
    assert!(everything(&html).contains("\"[image]\""));
}

#[test]
fn the_largest_usage_of_a_response_counts_once() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let lines = Lines::default()
        .user("go")
        .line(part("m1", text("one"), 1))
        .line(part("m1", text("two"), 90))
        .line(part("m1", text("three"), 40));
    let session = lines.read();
    let usage = leafpress::report::stats(&session).total.usage;
    assert_eq!((usage.input, usage.output, usage.cache_read), (3.0, 90.0, 5.0));
}

#[test]
fn a_response_that_goes_on_with_another_model_says_so() {
    let block = json!({"type": "fallback", "from": {"model": "big"}, "to": {"model": "small"}});
    let session = Lines::default().user("go").line(part("m1", block, 1)).read();
    let raw = session.raw(index(&session, "u2")).unwrap();
    assert!(raw.contains("The response goes on with `small` instead of `big`."), "{raw}");
}

#[test]
fn what_lines_say_of_the_session_is_told() {
    let lines = Lines::default()
        .line(json!({"type": "user", "message": {"role": "user", "content": "go"},
            "forkedFrom": {"sessionId": "old", "messageUuid": "u0"}, "sessionKind": "bg"}))
        .line(json!({"type": "assistant", "supersedesUuids": ["x1"],
            "message": {"id": "m", "role": "assistant", "content": "hi"}}))
        .line(json!({"type": "system", "subtype": "snip", "snipMetadata": {"removedUuids": ["y1", "y2"]}}));
    let moved = json!({"type": "relocated", "relocatedCwd": "/new", "sessionId": "s"});
    let session = leafpress::read(format!("{}{moved}\n", lines.text()).into_bytes()).unwrap();
    assert_eq!(session.header().parent_session.as_deref(), Some("old"));
    for note in [
        "Forked from session old at message u0; 1 line was copied from it",
        "The session ran in the background (sessionKind is bg)",
        "The working directory is /new from line 4 on",
        "1 line is superseded by later ones (supersedesUuids): x1",
        "2 lines are removed from the model's context (snipMetadata.removedUuids): y1, y2",
    ] {
        assert!(session.notes().iter().any(|own| own == note), "{note}: {:?}", session.notes());
    }
    let branch =
        json!({"type": "session-branch", "parentSessionId": "p", "branchedAtMessageId": "m"});
    let text = format!("{branch}\n{}", Lines::default().user("go").text());
    let session = leafpress::read(text.into_bytes()).unwrap();
    assert_eq!(session.header().parent_session.as_deref(), Some("p"));
}

/// A progress line of the agent `g` with one message, beside those given before it.
fn progress(message: &Value, before: &Value) -> Value {
    json!({"type": "progress", "parentToolUseID": "t1", "toolUseID": "agent_msg_1",
        "data": {"type": "agent_progress", "agentId": "g", "prompt": "look", "message": message,
            "normalizedMessages": before}})
}

fn message(uuid: &str, mut message: Value) -> Value {
    message["uuid"] = json!(uuid);
    message["timestamp"] = json!("2026-01-01T00:00:05.000Z");
    message
}

fn with_agent() -> Lines {
    let task = json!({"type": "tool_use", "id": "t1", "name": "Task",
        "input": {"description": "Look around", "prompt": "look", "subagent_type": "Explore"}});
    let asked = message("g1", super::prompt("look"));
    let said = message("g2", super::says("n1", "words in no line of their own"));
    let called = message("g3", super::calls("n1", "c1"));
    let found = message("g4", super::answers("c1", "found"));
    Lines::default()
        .user("go")
        .line(part("m1", task, 7))
        .line(progress(&asked, &json!([asked])))
        .line(progress(&called, &json!([said, called])))
        .line(progress(&found, &json!([said, called, found, 7, {"type": "progress"}])))
        .answers("t1", "all seen")
        .user("thanks")
}

#[test]
fn agents_of_progress_lines_hang_from_their_call() {
    let session = with_agent().read();
    let [sub] = session.sub_sessions() else { panic!("{:?}", session.sub_sessions()) };
    assert_eq!((sub.key.as_str(), sub.task.as_deref()), ("g", Some("Look around")));
    assert_eq!(sub.agent.as_deref(), Some("Explore"));
    assert_eq!(session.id(sub.started_by).unwrap(), "u6");
    let own: Vec<&str> = session.own_indices().map(|entry| session.id(entry).unwrap()).collect();
    assert_eq!(own, ["u1", "u2", "u6", "u7"]);
    let kinds: Vec<Kind> =
        sub.entries().map(|entry| Kind::of(&session.entry(entry).unwrap().body)).collect();
    assert_eq!(kinds, [Kind::User, Kind::Assistant, Kind::ToolResult]);
    let all: String = session.indices().map(|entry| session.raw(entry).unwrap()).collect();
    assert_eq!(all.matches("words in no line of their own").count(), 1);
    assert_eq!(session.line(EntryIndex::new(sub.first.get() + 1)), 4);
    assert!(session.damage().is_empty(), "{:?}", session.damage());
    // A link to a progress line leads to what it was below.
    assert_eq!(session.find("u5").map(|entry| session.id(entry).unwrap()), Some("u2"));
    let usage = leafpress::report::stats(&session).total.usage;
    assert!((usage.output - 16.0).abs() < 1e-9);
}

#[test]
fn an_agent_that_a_file_holds_too_is_shown_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    std::fs::write(&path, with_agent().text()).unwrap();
    let agents = folder.path().join("s/subagents");
    std::fs::create_dir_all(&agents).unwrap();
    let mut lines = String::new();
    let mut parent = Value::Null;
    for (uuid, mut line) in [
        ("g1", super::prompt("look")),
        ("g2", super::says("n1", "words in no line of their own")),
        ("g3", super::calls("n1", "c1")),
        ("g5", super::says("n2", "only here")),
    ] {
        for (key, value) in
            [("sessionId", json!("s")), ("agentId", json!("g")), ("parentUuid", parent)]
        {
            line[key] = value;
        }
        line["isSidechain"] = json!(true);
        lines.push_str(&message(uuid, line).to_string());
        lines.push('\n');
        parent = json!(uuid);
    }
    std::fs::write(agents.join("agent-g.jsonl"), lines).unwrap();
    let session = read(&path);
    let [sub] = session.sub_sessions() else { panic!("{:?}", session.sub_sessions()) };
    assert_eq!(sub.len, 3);
    let all: String = session.indices().map(|entry| session.raw(entry).unwrap()).collect();
    assert!(all.contains("only here"));
    assert_eq!(all.matches("words in no line of their own").count(), 1);
    let lacks = "Messages in progress lines that are not in the sub-agents' files: 1 of agent g";
    assert!(session.notes().iter().any(|note| note == lacks), "{:?}", session.notes());
}

#[test]
fn odd_progress_lines_stay_rows() {
    let odd = [
        json!({"type": "progress", "data": {"type": "agent_progress", "agentId": "g", "message": 7}}),
        json!({"type": "progress", "data": {"type": "agent_progress", "message": {"type": "user", "message": {}}}}),
        json!({"type": "progress", "data": ["agent_progress"]}),
    ];
    for line in odd {
        let session = Lines::default().user("go").line(line.clone()).read();
        assert_eq!((session.len(), session.sub_sessions().len()), (2, 0), "{line}");
    }
    // Nothing stands before it that could stand in for it.
    let asked = message("g1", super::prompt("look"));
    let session = Lines::default().line(progress(&asked, &json!([]))).user("go").read();
    assert_eq!(session.own_len(), 2);
}

#[test]
fn the_run_that_wrote_a_summary_hangs_from_its_compaction() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("s.jsonl");
    let main = Lines::default()
        .user("go")
        .says("m1", "done")
        .line(json!({"type": "system", "subtype": "compact_boundary"}))
        .line(json!({"type": "user", "isCompactSummary": true, "message": {"role": "user", "content": "in short"}}));
    std::fs::write(&path, main.text()).unwrap();
    let agents = folder.path().join("s/subagents");
    std::fs::create_dir_all(agents.join("workflows/w1")).unwrap();
    let mut line = message("g1", super::prompt("Write a summary"));
    line["isSidechain"] = json!(true);
    line["sessionId"] = json!("s");
    line["timestamp"] = json!("2026-01-01T00:00:02.500Z");
    std::fs::write(agents.join("agent-acompact-1.jsonl"), format!("{line}\n")).unwrap();
    std::fs::write(agents.join("workflows/w1/journal.jsonl"), "{\"type\":\"started\"}\n").unwrap();
    let session = read(&path);
    let [sub] = session.sub_sessions() else { panic!("{:?}", session.sub_sessions()) };
    assert_eq!(sub.agent.as_deref(), Some("compaction"));
    assert_eq!(session.id(sub.started_by).unwrap(), "u3");
}

#[test]
fn a_session_that_goes_on_in_a_new_file_has_the_name_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.jsonl");
    let lines = Lines::default().user("go").line(
        json!({"type": "user", "sessionId": "new", "message": {"role": "user", "content": "on"}}),
    );
    std::fs::write(&path, lines.text()).unwrap();
    let session = read(&path);
    assert_eq!(session.header().id, "new");
    assert_eq!(session.header().parent_session.as_deref(), Some("s"));
}
