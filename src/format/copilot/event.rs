//! One event as its line has it.

use crate::format::lines::Value;
use crate::format::probe::text;
use crate::session::json::Json;
use crate::session::time;

/// A value's line, and which of the values on that line it is.
pub(super) type Key = (u32, u32);

/// Fields of every event, beside which its `data` says all.
const ENVELOPE: [&str; 7] = ["type", "data", "id", "timestamp", "parentId", "agentId", "ephemeral"];

/// An event.
pub(super) struct Event<'a> {
    pub(super) key: Key,
    /// A lasting id of its place in the file.
    pub(super) line_id: String,
    pub(super) time: Option<i64>,
    json: Json<'a>,
}

impl<'a> Event<'a> {
    /// The event of a value; none where that is no object.
    pub(super) fn read(value: &Value<'_>, json: Json<'a>) -> Option<Event<'a>> {
        matches!(json, Json::Object(_)).then(|| {
            let time = json.get("timestamp").and_then(time::read);
            Event { key: (value.line, value.nth), line_id: value.line_id(), time, json }
        })
    }

    pub(super) fn kind(&self) -> &str {
        text(&self.json, "type").unwrap_or_default()
    }

    /// Its own id, where it has one.
    pub(super) fn id(&self) -> Option<&str> {
        text(&self.json, "id").filter(|id| !id.is_empty())
    }

    /// What it says: `data`, and where that is missing the line itself.
    pub(super) fn data(&self) -> &Json<'a> {
        self.json.get("data").unwrap_or(&self.json)
    }

    /// All that it says: the whole line where `data` is not all of it.
    pub(super) fn whole(&self) -> &Json<'a> {
        let has_more = match &self.json {
            Json::Object(fields) => {
                fields.iter().any(|(name, _)| !ENVELOPE.contains(&name.as_ref()))
            }
            _ => true,
        };
        match self.json.get("data") {
            Some(data @ Json::Object(_)) if !has_more && !self.kind().is_empty() => data,
            _ => &self.json,
        }
    }

    /// Whether it is in the output of a run alone, and not in the session's file.
    pub(super) fn is_ephemeral(&self) -> bool {
        self.json.get("ephemeral") == Some(&Json::Bool(true))
    }

    pub(super) fn text(&self, key: &str) -> Option<&str> {
        text(self.data(), key)
    }

    pub(super) fn call_id(&self) -> Option<&str> {
        self.text("toolCallId").filter(|id| !id.is_empty())
    }

    /// The call that started the sub-agent whose event it is, or the sub-agent's own id.
    // `parentToolCallId`: 1.0.11 to 1.0.102; `agentId` on the line: 1.0.102.
    pub(super) fn agent(&self) -> Option<&str> {
        let named = |text: Option<&'_ str>| text.is_some_and(|id| !id.is_empty());
        let parent = self.text("parentToolCallId");
        if named(parent) { parent } else { text(&self.json, "agentId").filter(|id| !id.is_empty()) }
    }

    /// The sub-agent's own id, where the event names the call beside it.
    pub(super) fn agent_and_call(&self) -> Option<(&str, &str)> {
        let agent = text(&self.json, "agentId").filter(|id| !id.is_empty())?;
        let own = || self.kind().starts_with("subagent.").then(|| self.call_id()).flatten();
        let call = self.text("parentToolCallId").filter(|id| !id.is_empty()).or_else(own)?;
        Some((agent, call))
    }
}

/// Whether an event has something there that a person could read.
pub(super) fn says(event: &Event<'_>, key: &str) -> bool {
    event.data().get(key).is_some_and(says_something)
}

pub(super) fn says_something(value: &Json<'_>) -> bool {
    match value {
        Json::Object(fields) => !fields.is_empty(),
        Json::Array(items) => !items.is_empty(),
        value => value.is_truthy(),
    }
}
