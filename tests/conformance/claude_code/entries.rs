//! What lines become: results, commands, pictures, titles.

use leafpress::session::EntryIndex;
use leafpress::session::message::{Block, Message, joined_text};
use leafpress::session::{Body, Kind};
use serde_json::{Value, json};

use super::{Lines, answers, part};
use crate::support::session::{assistant, index, seen, tool_result};

#[test]
fn commands_read_as_a_person_ran_them() {
    let session = Lines::default()
        .user("<command-name>/review</command-name>\n<command-message>review</command-message>\n<command-args>12</command-args>")
        .says("m1", "ok")
        .user("<bash-input>ls</bash-input>")
        .user("<bash-stdout>low</bash-stdout><bash-stderr>tide</bash-stderr>")
        .user("<command-name>/cost</command-name>")
        .user("<local-command-stdout>$1</local-command-stdout>")
        .user("[Request interrupted by user]")
        .read();
    assert_eq!(seen(&session, "u1"), ["user /review 12"]);
    assert_eq!(session.find("u4"), session.find("u3"));
    let Body::Message(Message::Bash(bash)) = session.entry(index(&session, "u3")).unwrap().body
    else {
        panic!("a command")
    };
    assert_eq!((bash.command.as_ref(), bash.output.as_ref()), ("ls", "low\ntide"));
    let Body::Message(Message::Bash(bash)) = session.entry(index(&session, "u6")).unwrap().body
    else {
        panic!("a command")
    };
    assert_eq!((bash.command.as_ref(), bash.output.as_ref()), ("/cost", "$1"));
    assert_eq!(Kind::of(&session.entry(index(&session, "u7")).unwrap().body), Kind::CustomMessage);
}

#[test]
fn what_a_command_stands_for_is_shown() {
    let line = "<command-name>/sow</command-name><command-args>beans</command-args><command-contents>Sow one row.</command-contents>";
    let session = Lines::default().user(line).says("m1", "ok").read();
    assert_eq!(seen(&session, "u1"), ["user /sow beans\nSow one row."]);
    let session = Lines::default()
        .user(line)
        .user("<local-command-stdout>sown</local-command-stdout>")
        .read();
    let Body::Message(Message::Bash(bash)) = session.entry(index(&session, "u2")).unwrap().body
    else {
        panic!("a command")
    };
    assert_eq!((bash.command.as_ref(), bash.output.as_ref()), ("/sow beans", "Sow one row.\nsown"));
}

#[test]
fn what_a_tool_left_is_kept_where_the_page_can_use_it() {
    let mut edited = answers("a", "done");
    edited["toolUseResult"] = json!({"filePath": "/w/a", "originalFile": "x".repeat(100), "durationMs": 12,
        "structuredPatch": [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-a", "+b"]}]});
    let session = Lines::default().user("go").calls("m1", "a").line(edited).read();
    let result = tool_result(&session, "u3");
    let details = result.details.unwrap();
    assert_eq!(details.get("diff").and_then(|d| d.as_str()), Some("@@ -1,1 +1,1 @@\n-a\n+b\n"));
    assert_eq!(details.get("originalFile"), None);
    assert_eq!(result.duration_ms, Some(12.0));
}

#[test]
fn pictures_documents_and_withheld_thinking_are_kept() {
    let session = Lines::default()
        .line(json!({"type": "user", "message": {"content": [
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBO"}},
            {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBE"}},
            {"type": "document", "title": "T", "source": {"type": "text", "media_type": "text/plain", "data": "words"}},
        ]}}))
        .line(part("m", json!({"type": "redacted_thinking", "data": "secret"}), 1))
        .line(part("m", json!({"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}}), 1))
        .read();
    let Body::Message(Message::User(content)) = session.entry(EntryIndex::new(0)).unwrap().body
    else {
        panic!("a prompt")
    };
    assert!(matches!(&content[0], Block::Image { mime_type, .. } if mime_type == "image/png"));
    assert!(matches!(&content[1], Block::Other(json) if json.get("mimeType").is_some()));
    assert!(matches!(&content[2], Block::Text(text) if text.ends_with("words")));
    let content = assistant(&session, "u2").content;
    assert!(matches!(&content[0], Block::Thinking(text) if text.is_empty()));
    assert!(matches!(&content[1], Block::ToolCall(call) if call.name == "web_search"));
}

#[test]
fn made_up_answers_and_failures_are_told() {
    let session = Lines::default()
        .user("go")
        .line(json!({"type": "assistant", "message": {"id": "x", "model": "<synthetic>",
            "content": [{"type": "text", "text": "No response requested."}]}}))
        .line(json!({"type": "assistant", "isApiErrorMessage": true, "message": {"id": "y", "model": "<synthetic>",
            "content": [{"type": "text", "text": "API Error"}]}}))
        .read();
    assert_eq!(assistant(&session, "u2").model, None);
    assert_eq!(joined_text(&assistant(&session, "u2").content, ""), "No response requested.");
    assert!(assistant(&session, "u3").stopped_by("error"));
}

#[test]
fn titles_beat_each_other() {
    let with = |lines: &[Value]| {
        let mut text = Lines::default().user("go").text();
        for line in lines {
            text += &line.to_string();
            text.push('\n');
        }
        let session = leafpress::read(text.into_bytes()).unwrap();
        session.title().map(str::to_owned)
    };
    let summary = json!({"type": "summary", "summary": "S", "leafUuid": "u1"});
    let other = json!({"type": "summary", "summary": "other", "leafUuid": "elsewhere"});
    let ai = json!({"type": "ai-title", "aiTitle": "A", "sessionId": "s"});
    let custom = json!({"type": "custom-title", "customTitle": "C", "sessionId": "s"});
    assert_eq!(with(&[summary.clone(), other.clone()]).as_deref(), Some("S"));
    assert_eq!(with(&[other]), None);
    assert_eq!(with(&[ai.clone(), summary.clone()]).as_deref(), Some("A"));
    assert_eq!(with(&[custom, ai, summary]).as_deref(), Some("C"));
}
