//! Sessions with sub-sessions as `tests/fixtures/vectors/sub-sessions.json` has them.

use leafpress::session::Child;
use leafpress::{Filter, Session};
use serde::Deserialize;
use serde_json::{Value, json};

/// All vectors.
#[derive(Deserialize)]
pub(crate) struct Vectors {
    sessions: serde_json::Map<String, Value>,
    pub(crate) cases: Vec<Case>,
}

/// Which rows there are at a leaf.
#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) session: String,
    pub(crate) leaf: String,
    filter: String,
    pub(crate) query: String,
    pub(crate) note: String,
    /// Two blanks a level, `⊞` before a sub-session, the key of the entry or of the sub-session's first.
    pub(crate) rows: Vec<String>,
}

impl Vectors {
    /// A session by its name.
    pub(crate) fn session(&self, name: &str) -> Session {
        family(&self.sessions[name])
    }
}

impl Case {
    pub(crate) fn filter(&self) -> Filter {
        Filter::ALL.iter().copied().find(|filter| filter.name() == self.filter).expect("a filter")
    }
}

/// A row as the vectors have it.
pub(crate) fn line(depth: usize, is_sub_session: bool, key: &str) -> String {
    format!("{}{}{key}", "  ".repeat(depth), if is_sub_session { "⊞ " } else { "" })
}

fn family(spec: &Value) -> Session {
    let mut lines = vec![json!({"type": "session", "version": 3, "id": "s", "cwd": "/w"})];
    lines.extend(list(&spec["entries"]).iter().map(entry));
    for label in list(&spec["labels"]) {
        let id = format!("label-{}", label[0].as_str().unwrap_or_default());
        lines.push(json!({"type": "label", "id": id, "parentId": label[0], "targetId": label[0], "label": label[1]}));
    }
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let session = leafpress::read(lines.join("\n").into_bytes()).expect("a session");
    session.with_children(list(&spec["children"]).iter().map(child).collect())
}

fn entry(spec: &Value) -> Value {
    let content = match spec[3].as_str() {
        Some("[calls]") => {
            json!([{"type": "toolCall", "id": "c", "name": "task", "arguments": {}}])
        }
        text => json!([{"type": "text", "text": text}]),
    };
    json!({
        "type": "message",
        "id": spec[0],
        "parentId": spec[1],
        "message": {"role": spec[2], "content": content, "stopReason": "stop"},
    })
}

fn child(spec: &Value) -> Child {
    let text = |key: &str| spec[key].as_str().map(str::to_owned);
    Child {
        key: text("key").expect("a key"),
        agent: None,
        task: None,
        started_by: text("startedBy"),
        session: text("missing").map_or_else(|| Ok(Box::new(family(spec))), Err),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
