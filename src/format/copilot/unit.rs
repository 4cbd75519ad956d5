//! One of the sessions of a file on its way: the main agent's, or a sub-agent's.

use std::collections::{HashMap, HashSet};

use crate::format::entry;
use crate::format::fields::ObjectFields;
use crate::format::translation::{Spot, Translation};
use crate::session::Format;
use crate::session::json::Json;

use super::event::Event;

/// A session on its way.
pub(super) struct Unit {
    /// The call that started it; empty for the main one.
    pub(super) key: String,
    pub(super) out: Translation,
    /// The entry that the next one hangs from.
    last: Option<String>,
    ids: HashSet<String>,
    /// The entries that made a call or have its result, the result where there is one.
    pub(super) entries_of_calls: HashMap<String, String>,
    /// Which model is at work, where a response does not say so itself.
    pub(super) model: Option<String>,
    /// The system prompt in force.
    pub(super) system: Option<String>,
    /// Reasoning that goes with the next response.
    pub(super) reasoning: Vec<Json<'static>>,
    /// The events that it stands in.
    pub(super) reasoning_ids: Vec<(String, u32, Option<i64>)>,
    pub(super) agent: Option<String>,
}

impl Unit {
    pub(super) fn new(key: String) -> Unit {
        let mut out = Translation::new(Format::Copilot);
        let header = out.header();
        header.id.clone_from(&key);
        header.version = 1;
        Unit {
            key,
            out,
            last: None,
            ids: HashSet::new(),
            entries_of_calls: HashMap::new(),
            model: None,
            system: None,
            reasoning: Vec::new(),
            reasoning_ids: Vec::new(),
            agent: None,
        }
    }

    /// The id of the event's entry: its own, and that of its place for one that was used before.
    pub(super) fn id_of(&self, event: &Event<'_>) -> String {
        let own = event.id().filter(|id| !self.ids.contains(*id));
        own.map_or_else(|| event.line_id.clone(), str::to_owned)
    }

    /// The event's own entry. Gives its id.
    pub(super) fn push(
        &mut self,
        event: &Event<'_>,
        kind: &str,
        fields: ObjectFields<'_>,
    ) -> String {
        let id = self.id_of(event);
        self.push_as(id.clone(), (event.key.0, event.time), kind, fields);
        id
    }

    /// A further entry of an event, called after it.
    pub(super) fn push_beside(
        &mut self,
        event: &Event<'_>,
        name: &str,
        kind: &str,
        fields: ObjectFields<'_>,
    ) {
        let own = event.id().map(|id| format!("{id}-{name}"));
        let own = own.filter(|id| !self.ids.contains(id));
        let id = own.unwrap_or_else(|| format!("{}-{name}", event.line_id));
        self.push_as(id, (event.key.0, event.time), kind, fields);
    }

    pub(super) fn push_as(
        &mut self,
        id: String,
        (line, time): (u32, Option<i64>),
        kind: &str,
        fields: ObjectFields<'_>,
    ) {
        self.ids.insert(id.clone());
        let parent_id = self.last.replace(id.clone());
        self.out.push(Spot { line, id: Some(id), parent_id, time }, kind, fields);
    }

    pub(super) fn message(&mut self, event: &Event<'_>, message: Json<'_>) -> String {
        self.push(event, "message", entry::message(message))
    }

    /// Links to the event lead to the entry that says it.
    pub(super) fn alias(&mut self, event: &Event<'_>, entry: &str) {
        if let Some(id) = event.id().filter(|id| !self.ids.contains(*id)) {
            self.out.alias(id.to_owned(), entry.to_owned());
        }
    }
}
