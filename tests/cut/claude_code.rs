//! Every flag on a session of Claude Code's, whose lines are of another form than the core's.

use leafpress::Session;
use leafpress::session::{Format, Kind};
use serde_json::{Value, json};

use crate::cut::cases::{all_but, assert_gone};

fn lines() -> Vec<(&'static str, Option<&'static str>, Value)> {
    let user =
        |content: Value| json!({"type": "user", "message": {"role": "user", "content": content}});
    let assistant = |id: &str, content: Value| json!({"type": "assistant", "message": {"id": id, "role": "assistant", "model": "m", "content": content}});
    let png = |marker: &str| {
        json!({"type": "image", "source": {"type": "base64", "media_type": "image/png",
        "data": format!("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAQzxmark{marker}9mZ")}})
    };
    vec![
        (
            "u1",
            None,
            user(
                json!([{"type": "text", "text": "Qzxmarkfirst <system-reminder>Qzxmarkreminder</system-reminder>"}, png("image")]),
            ),
        ),
        (
            "a1",
            Some("u1"),
            assistant(
                "m1",
                json!([{"type": "thinking", "thinking": "Qzxmarkthinking", "signature": "Qzxmarksignature"}]),
            ),
        ),
        ("a2", Some("a1"), assistant("m1", json!([{"type": "text", "text": "Qzxmarkanswer"}]))),
        (
            "a3",
            Some("a2"),
            assistant(
                "m1",
                json!([{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "Qzxmarkargument"}}]),
            ),
        ),
        (
            "r1",
            Some("a3"),
            json!({"type": "user", "toolUseResult": {"stdout": "Qzxmarkstdout", "stderr": "", "file": {"content": "Qzxmarkfile"}},
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "Qzxmarkoutput"}, png("resultimage")]}]}}),
        ),
        (
            "me",
            Some("r1"),
            json!({"type": "user", "isMeta": true, "message": {"role": "user", "content": "Qzxmarkmeta"}}),
        ),
        ("sy", Some("me"), json!({"type": "system", "subtype": "hook", "content": "Qzxmarkhook"})),
        (
            "at",
            Some("sy"),
            json!({"type": "attachment", "attachment": {"type": "file", "content": "Qzxmarkattachment"}}),
        ),
        ("ux", Some("r1"), user(json!("Qzxmarkbranchprompt"))),
        (
            "ax",
            Some("ux"),
            assistant("m2", json!([{"type": "text", "text": "Qzxmarkbranchanswer"}])),
        ),
        ("bi", Some("at"), user(json!("<bash-input>Qzxmarkcommand</bash-input>"))),
        (
            "bo",
            Some("bi"),
            user(json!("<bash-stdout>Qzxmarkbashoutput</bash-stdout><bash-stderr></bash-stderr>")),
        ),
        ("u2", Some("bo"), user(json!("Qzxmarksecond"))),
        (
            "cb",
            Some("u2"),
            json!({"type": "system", "subtype": "compact_boundary", "compactMetadata": {"trigger": "auto", "note": "Qzxmarkcompactnote"}}),
        ),
        (
            "cs",
            Some("cb"),
            json!({"type": "user", "isCompactSummary": true, "message": {"role": "user", "content": "Qzxmarksummary"}}),
        ),
        ("u3", Some("cs"), user(json!("Qzxmarkthird"))),
        ("a4", Some("u3"), assistant("m3", json!([{"type": "text", "text": "Qzxmarklast"}]))),
    ]
}

fn read() -> Session {
    let mut text = String::new();
    for (nth, (id, parent, mut line)) in lines().into_iter().enumerate() {
        line["uuid"] = json!(id);
        line["parentUuid"] = json!(parent);
        line["sessionId"] = json!("s");
        line["cwd"] = json!("/w");
        line["timestamp"] = json!(format!("2026-01-01T00:00:{nth:02}.000Z"));
        text += &(line.to_string() + "\n");
    }
    text += &json!({"type": "ai-title", "aiTitle": "Qzxmarktitle", "sessionId": "s"}).to_string();
    let session = leafpress::read(text.into_bytes()).unwrap();
    assert_eq!(session.format(), Format::ClaudeCode);
    session
}

const SUMMARY: [&str; 2] = ["summary", "compactnote"];
const UNKNOWN: [&str; 2] = ["hook", "attachment"];

fn list(parts: &[&[&'static str]]) -> Vec<&'static str> {
    parts.concat()
}

/// What only the lines hold, which are written anew.
const LINES: [&str; 2] = ["stdout", "file"];

#[test]
fn thinking() {
    let gone = list(&[&["thinking", "signature"], &LINES, &UNKNOWN, &SUMMARY]);
    assert_gone("no thinking", read, |_, cut| cut.without_thinking = true, &gone);
}

#[test]
fn tool_output() {
    let gone =
        list(&[&["output", "resultimage", "bashoutput", "meta"], &LINES, &UNKNOWN, &SUMMARY]);
    assert_gone("no tool output", read, |_, cut| cut.without_tool_output = true, &gone);
}

#[test]
fn images() {
    let gone = list(&[&["image", "resultimage"], &LINES, &SUMMARY]);
    assert_gone("no images", read, |_, cut| cut.without_images = true, &gone);
}

#[test]
fn system() {
    let gone = list(&[&["reminder", "meta"], &LINES, &UNKNOWN, &SUMMARY]);
    assert_gone("no system", read, |_, cut| cut.without_system = true, &gone);
}

#[test]
fn active_only() {
    let gone = list(&[&["branchprompt", "branchanswer", "title"], &LINES]);
    let session = assert_gone("active only", read, |_, cut| cut.active_only = true, &gone);
    assert_eq!(session.id(session.find("ax").unwrap()).unwrap(), "ux");
    // The parts of one answer are one entry.
    assert_eq!(session.find("a3"), session.find("a1"));
    assert!(session.find("a3").is_some());
}

#[test]
fn a_subtree_and_a_part() {
    let gone = all_but(&read(), &["third", "last"]);
    assert_gone("subtree", read, |session, cut| cut.subtree = session.find("u3"), &gone);
    let set = |session: &Session, cut: &mut leafpress::cut::Cut| {
        cut.from = session.find("u3");
        cut.to = session.find("a4");
    };
    assert_gone("part", read, set, &gone);
}

#[test]
fn a_branch() {
    let kept = [
        "first",
        "reminder",
        "image",
        "thinking",
        "signature",
        "answer",
        "argument",
        "output",
        "resultimage",
        "branchprompt",
        "branchanswer",
    ];
    let gone = all_but(&read(), &kept);
    assert_gone("branch", read, |session, cut| cut.branch = session.find("ax"), &gone);
}

#[test]
fn only_some_kinds() {
    let kept = [
        "first",
        "reminder",
        "image",
        "thinking",
        "signature",
        "answer",
        "argument",
        "branchprompt",
        "branchanswer",
        "second",
        "third",
        "last",
    ];
    let gone = all_but(&read(), &kept);
    let set = |_: &Session, cut: &mut leafpress::cut::Cut| {
        cut.only = Some(vec![Kind::User, Kind::Assistant]);
    };
    assert_gone("only", read, set, &gone);
}
