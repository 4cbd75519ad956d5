//! Responses and reasoning that the output of a run has only in parts: no later event has them whole. Seen in
//! 1.0.102: `assistant.message_delta` and `assistant.reasoning_delta`, both ephemeral, of a response that was stopped
//! or cut.

use std::collections::HashMap;

use super::event::{Event, Key};

/// What is known of one so far.
#[derive(Debug)]
struct Partial {
    /// The event with its first part.
    begins: Key,
    said: String,
    /// The request that it is of was over.
    has_ended: bool,
}

/// Those that may have no event of their own, by their ids.
#[derive(Debug, Default)]
pub(super) struct Partials {
    known: HashMap<String, Partial>,
    /// Those of the request that is open, of each agent: the main one has no name.
    open: HashMap<Option<String>, Vec<String>>,
    /// By the event that they begin with, at the end of the file.
    lone: HashMap<Key, (String, bool)>,
}

impl Partials {
    /// Takes what an event says of one.
    pub(super) fn event(&mut self, event: &Event<'_>) {
        match event.kind() {
            "assistant.message_delta" | "assistant.reasoning_delta" => self.part(event),
            "assistant.message" => self.forget(event.text("messageId")),
            "assistant.reasoning" => self.forget(event.text("reasoningId")),
            "assistant.turn_end" | "model.call_finished" => {
                for id in self.open.remove(&event.agent().map(str::to_owned)).unwrap_or_default() {
                    if let Some(partial) = self.known.get_mut(&id) {
                        partial.has_ended = true;
                    }
                }
            }
            _ => {}
        }
    }

    fn part(&mut self, event: &Event<'_>) {
        let id = event.text("messageId").or(event.text("reasoningId")).unwrap_or_default();
        let Some(said) = event.text("deltaContent") else { return };
        if let Some(partial) = self.known.get_mut(id) {
            return partial.said.push_str(said);
        }
        let partial = Partial { begins: event.key, said: said.to_owned(), has_ended: false };
        self.known.insert(id.to_owned(), partial);
        self.open.entry(event.agent().map(str::to_owned)).or_default().push(id.to_owned());
    }

    /// It has an event of its own.
    fn forget(&mut self, id: Option<&str>) {
        id.and_then(|id| self.known.remove(id));
    }

    /// At the end of the file.
    pub(super) fn finish(&mut self) {
        let known = std::mem::take(&mut self.known).into_values();
        let says = known.filter(|partial| !partial.said.trim().is_empty());
        self.lone = says.map(|of| (of.begins, (of.said, of.has_ended))).collect();
        self.open.clear();
    }

    /// What no event has whole and an event with this key begins, with whether its request was over.
    pub(super) fn take(&mut self, begins: Key) -> Option<(String, bool)> {
        self.lone.remove(&begins)
    }
}
