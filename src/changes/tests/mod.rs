mod broken;
mod commands;
mod known;
mod net;

use std::fmt::Write as _;

use super::*;

/// A session of pi's in which a model calls tools: each step is the call, whether it failed, and its result.
fn session(steps: &[(&str, &str, &str)]) -> Session {
    let mut text = String::from(
        "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"cwd\":\"/w\"}\n",
    );
    let mut parent = "null".to_owned();
    let mut add = |id: String, message: String, at: usize| {
        let _ = writeln!(
            text,
            "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\"timestamp\":\"2026-01-01T00:{:02}:{:02}.000Z\",\"message\":{message}}}",
            at / 60,
            at % 60
        );
        parent = format!("\"{id}\"");
    };
    for (nth, (tool, arguments, result)) in steps.iter().enumerate() {
        let at = nth * 3;
        if *tool == "prompt" {
            add(
                format!("p{nth}"),
                format!("{{\"role\":\"user\",\"content\":\"{arguments}\"}}"),
                at,
            );
            continue;
        }
        let call = format!(
            "{{\"role\":\"assistant\",\"content\":[{{\"type\":\"toolCall\",\"id\":\"c{nth}\",\"name\":\"{tool}\",\"arguments\":{arguments}}}],\"stopReason\":\"toolUse\"}}"
        );
        add(format!("a{nth}"), call, at + 1);
        let (failed, rest) = match result.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, *result),
        };
        let (said, details) = rest.split_once('|').unwrap_or((rest, ""));
        let details = if details.is_empty() {
            String::new()
        } else {
            format!(",\"details\":{{\"diff\":{}}}", serde_json::to_string(details).unwrap())
        };
        let said = serde_json::to_string(said).unwrap();
        let result = format!(
            "{{\"role\":\"toolResult\",\"toolCallId\":\"c{nth}\",\"toolName\":\"{tool}\",\"content\":[{{\"type\":\"text\",\"text\":{said}}}],\"isError\":{failed}{details}}}"
        );
        add(format!("r{nth}"), result, at + 2);
    }
    crate::read(text.into_bytes()).unwrap()
}

const READ: (&str, &str, &str) = ("read", r#"{"path":"a"}"#, "one\ntwo\nthree\n");
const TWO: (&str, &str, &str) =
    ("edit", r#"{"path":"/w/a","oldText":"two","newText":"TWO"}"#, "ok");
const BACK: (&str, &str, &str) = ("edit", r#"{"path":"a","oldText":"TWO","newText":"two"}"#, "ok");
const THREE: (&str, &str, &str) = ("edit", r#"{"path":"a","oldText":"three","newText":"3"}"#, "ok");

/// The edits of the first file: how well each is known, and a sign for what became of it.
fn told(session: &Session) -> String {
    let changes = Changes::of(session);
    let files = changes.at(session, session.leaf());
    let Some(file) = files.first() else { return String::new() };
    let one = |(edit, undone): (&FileEdit, &bool)| {
        let sign = match (edit.ok, undone) {
            (false, _) => " failed",
            (true, true) => " undone",
            (true, false) => "",
        };
        format!("{}{sign} +{} -{}", edit.known.name(), edit.added, edit.removed)
    };
    let edits: Vec<String> = file.each_edit().zip(&file.undone).map(one).collect();
    format!("{}; net +{} -{}", edits.join(", "), file.net.added, file.net.removed)
}

fn after(session: &Session) -> Option<String> {
    let changes = Changes::of(session);
    let state = changes.state(&changes.files()[0], session.leaf());
    state.text().map(str::to_owned)
}

/// A session of Claude Code's: rows of JSON without their ids and times, each below the one before.
fn rows(rows: &[&str]) -> Session {
    let mut text = String::new();
    for (nth, row) in rows.iter().enumerate() {
        let above = nth.checked_sub(1).map_or("null".to_owned(), |above| format!("\"u{above}\""));
        let _ = writeln!(
            text,
            "{{\"uuid\":\"u{nth}\",\"parentUuid\":{above},\"sessionId\":\"s\",\"timestamp\":\"2026-01-01T00:00:{nth:02}.000Z\",{row}}}"
        );
    }
    crate::read(text.into_bytes()).unwrap()
}
