//! Calls whose result, or the rest of it, only an event tells: the rollout was copied in the middle
//! of a turn, or a command went on in the background and ended later ("Process running with session ID N": 0.169.0).

use std::collections::HashMap;

use crate::format::probe::text;
use crate::session::json::Json;

use super::ending::running_session;
use super::finished::Finished;
use super::items::is_call;
use super::told::Key;

/// What items say of a call.
#[derive(Debug, Default)]
struct Known {
    has_output: bool,
    /// Of a command that went on, its session and what was shown of its output.
    session: Option<String>,
    shown: String,
    /// It is known how it ended.
    is_over: bool,
}

impl Known {
    fn may_have_more(&self) -> bool {
        !self.has_output || self.session.is_some()
    }
}

/// What only an event says of a call.
#[derive(Debug, Default)]
pub(super) struct Late {
    calls: HashMap<String, Known>,
    /// The calls by the sessions of their commands.
    sessions: HashMap<String, String>,
    /// The calls that ask what a session printed.
    polls: HashMap<String, String>,
    finished: HashMap<String, (Key, Finished)>,
    results: HashMap<Key, Finished>,
}

impl Late {
    pub(super) fn item(&mut self, item: &str, payload: &Json<'_>) {
        let id = text(payload, "call_id").unwrap_or_default();
        if is_call(item) {
            self.calls.entry(id.to_owned()).or_default();
            if text(payload, "name") == Some("write_stdin")
                && let Some(session) = polled(payload)
            {
                self.polls.insert(id.to_owned(), session);
            }
        } else if item.ends_with("_output") {
            self.output(id, payload);
        }
    }

    fn output(&mut self, id: &str, payload: &Json<'_>) {
        let Some(known) = self.calls.get_mut(id) else { return };
        known.has_output = true;
        // Mostly the item comes right behind the event.
        self.finished.remove(id);
        let Some(said) = payload.get("output").and_then(Json::as_str) else { return };
        let session = running_session(said);
        if let Some(asked) = self.polls.get(id) {
            let Some(call) = self.sessions.get(asked).and_then(|call| self.calls.get_mut(call))
            else {
                return;
            };
            call.is_over |= session.is_none();
            call.shown.push_str(body(said));
        } else if let Some(session) = session {
            known.session = Some(session.to_owned());
            body(said).clone_into(&mut known.shown);
            self.sessions.insert(session.to_owned(), id.to_owned());
        }
    }

    pub(super) fn event(&mut self, key: Key, event: &str, payload: &Json<'_>) {
        if let Some(finished) = Finished::of_event(event, payload)
            && self.calls.get(&finished.id).is_some_and(Known::may_have_more)
        {
            self.finished.insert(finished.id.clone(), (key, finished));
        }
    }

    /// At the end of the file.
    pub(super) fn finish(&mut self) {
        for (id, (key, mut finished)) in std::mem::take(&mut self.finished) {
            let Some(known) = self.calls.get(&id) else { continue };
            if !known.has_output {
                self.results.insert(key, finished);
                continue;
            }
            let rest = finished.output.strip_prefix(known.shown.as_str());
            let rest = rest.unwrap_or_else(|| {
                if known.shown.contains(&finished.output) { "" } else { &finished.output }
            });
            if !rest.trim().is_empty() || !known.is_over {
                finished.output = String::from(rest);
                self.results.insert(key, finished);
            }
        }
        self.sessions.clear();
        self.polls.clear();
    }

    /// The result that the event at `key` tells, where nothing else does.
    pub(super) fn take(&mut self, key: Key) -> Option<Finished> {
        self.results.remove(&key)
    }

    /// Whether the output of a call is that of a command which went on.
    pub(super) fn went_on(&self, call: &str) -> bool {
        self.calls.get(call).is_some_and(|call| call.session.is_some())
    }
}

fn polled(payload: &Json<'_>) -> Option<String> {
    let given: Json<'_> = serde_json::from_str(text(payload, "arguments")?).ok()?;
    Some(given.get("session_id")?.clone().into_text().into_owned())
}

/// What a command printed, behind the lines that Codex writes.
fn body(output: &str) -> &str {
    output.split_once("\nOutput:\n").map_or("", |(_, body)| body)
}
