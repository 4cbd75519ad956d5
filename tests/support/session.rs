//! Sessions written in a few words, and fixtures.

use std::path::PathBuf;

use leafpress::session::context::Facts;
use leafpress::session::message::{Assistant, Message, ToolResult};
use leafpress::session::usage::Usage;
use leafpress::session::{Body, EntryIndex, Kind};
use leafpress::{Session, report};
use serde_json::{Value, json};

/// A file under `tests/fixtures`.
pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) fn read_fixture(name: &str) -> Session {
    leafpress::read(fixture(name)).unwrap()
}

pub(crate) fn json_fixture(name: &str) -> Value {
    serde_json::from_slice(&fixture(name)).unwrap()
}

/// The ids and kinds of all entries.
pub(crate) fn kinds(session: &Session) -> Vec<(&str, Kind)> {
    session
        .indices()
        .map(|at| (session.id(at).unwrap(), Kind::of(&session.entry(at).unwrap().body)))
        .collect()
}

/// What all responses report, added up.
pub(crate) fn spent(session: &Session) -> Usage {
    let mut sum = Usage::default();
    session
        .indices()
        .filter_map(|at| session.entry(at).unwrap().usage())
        .for_each(|usage| sum += usage);
    sum
}

/// A session file, line by line. Each entry hangs from the one before unless
/// [`Log::under`] says otherwise; ids are `1`, `2`, `3` …
#[derive(Default)]
pub(crate) struct Log {
    lines: Vec<String>,
    entries: usize,
    parent: Option<Value>,
}

impl Log {
    pub(crate) fn new() -> Log {
        Log::default().line(r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}"#)
    }

    pub(crate) fn without_header() -> Log {
        Log::default()
    }

    /// A line as it is.
    pub(crate) fn line(mut self, line: &str) -> Log {
        self.lines.push(line.to_owned());
        self
    }

    /// The next entry hangs from this id, or from nothing.
    pub(crate) fn under(mut self, parent: Option<&str>) -> Log {
        self.parent = Some(json!(parent));
        self
    }

    /// An entry with these fields.
    pub(crate) fn entry(mut self, mut fields: Value) -> Log {
        self.entries += 1;
        let before = (self.entries > 1).then(|| (self.entries - 1).to_string());
        let defaults = json!({
            "id": self.entries.to_string(),
            "parentId": self.parent.take().unwrap_or(json!(before)),
            "timestamp": format!("2026-01-01T00:{:02}:{:02}.000Z", self.entries / 60, self.entries % 60),
        });
        for (key, value) in defaults.as_object().unwrap() {
            fields.as_object_mut().unwrap().entry(key.clone()).or_insert(value.clone());
        }
        self.line(&fields.to_string())
    }

    #[expect(clippy::needless_pass_by_value, reason = "reads better where it is called")]
    pub(crate) fn message(self, message: Value) -> Log {
        self.entry(json!({"type": "message", "message": message}))
    }

    pub(crate) fn user(self, text: &str) -> Log {
        self.message(json!({"role": "user", "content": text}))
    }

    pub(crate) fn assistant(self, text: &str) -> Log {
        self.message(json!({"role": "assistant", "content": [{"type": "text", "text": text}],
            "provider": "anthropic", "model": "claude-test", "stopReason": "stop"}))
    }

    /// An assistant's turn that only calls a tool.
    pub(crate) fn calling(self, stop_reason: &str) -> Log {
        self.message(json!({"role": "assistant", "content": [{"type": "toolCall", "id": "c", "name": "read",
            "arguments": {"path": "x"}}], "provider": "p", "model": "m", "stopReason": stop_reason}))
    }

    pub(crate) fn compaction(self, summary: &str, first_kept: &str) -> Log {
        self.entry(json!({"type": "compaction", "summary": summary, "firstKeptEntryId": first_kept, "tokensBefore": 1000}))
    }

    pub(crate) fn branch_summary(self, summary: &str) -> Log {
        self.entry(json!({"type": "branch_summary", "summary": summary, "fromId": "x"}))
    }

    pub(crate) fn label(self, target: &str, label: &str) -> Log {
        self.entry(json!({"type": "label", "targetId": target, "label": label}))
    }

    pub(crate) fn text(&self) -> String {
        self.lines.join("\n") + "\n"
    }

    pub(crate) fn read(&self) -> Session {
        leafpress::read(self.text().into_bytes()).unwrap()
    }
}

/// `role text` of each message at a leaf.
pub(crate) fn seen(session: &Session, leaf: &str) -> Vec<String> {
    let report = report::context(session, index(session, leaf)).unwrap();
    report.messages.iter().map(|message| format!("{} {}", message.role, message.text)).collect()
}

/// The texts alone.
pub(crate) fn texts(session: &Session, leaf: &str) -> Vec<String> {
    let report = report::context(session, index(session, leaf)).unwrap();
    report.messages.into_iter().map(|message| message.text).collect()
}

/// What is sent to the provider at a leaf, as `(role, text)`.
pub(crate) fn sent(session: &Session, leaf: &str) -> Vec<(String, String)> {
    let facts = Facts::read(session);
    let context = facts.context(Some(index(session, leaf)));
    let read = |message: &leafpress::session::context::ContextMessage<'_>| {
        let seen = message.read(session).unwrap();
        assert_eq!(seen.is_sent(), message.sent);
        let sent = seen.for_model()?;
        let text = leafpress::session::message::joined_text(&sent.content, "\n");
        Some((sent.role.to_owned(), text))
    };
    context.messages.iter().filter_map(read).collect()
}

pub(crate) fn index(session: &Session, id: &str) -> EntryIndex {
    session.index_of(id).unwrap_or_else(|| panic!("no entry {id}"))
}

pub(crate) fn ids(session: &Session, entries: impl IntoIterator<Item = EntryIndex>) -> Vec<&str> {
    entries.into_iter().map(|entry| session.id(entry).unwrap()).collect()
}

/// The turn with this id.
pub(crate) fn assistant<'a>(session: &'a Session, id: &str) -> Assistant<'a> {
    match session.entry(index(session, id)).unwrap().body {
        Body::Message(Message::Assistant(assistant)) => assistant,
        body => panic!("{id}: {body:?}"),
    }
}

/// The tool result with this id.
pub(crate) fn tool_result<'a>(session: &'a Session, id: &str) -> ToolResult<'a> {
    match session.entry(index(session, id)).unwrap().body {
        Body::Message(Message::ToolResult(result)) => result,
        body => panic!("{id}: {body:?}"),
    }
}

/// The strings of a JSON array.
pub(crate) fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

/// Every place within a value, as JSON pointers.
pub(crate) fn pointers(value: &Value, at: &str) -> Vec<String> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, v)| (key.clone(), v)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(n, v)| (n.to_string(), v)).collect(),
        _ => Vec::new(),
    };
    let mut found = Vec::new();
    for (key, value) in inner {
        let here = format!("{at}/{key}");
        found.extend(pointers(value, &here));
        found.push(here);
    }
    found
}
