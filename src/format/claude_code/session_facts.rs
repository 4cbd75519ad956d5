//! What lines say of the session as a whole: where it was forked from, which folder it moved to,
//! which lines others stand in for.

use std::collections::BTreeSet;

use crate::session::json::Json;
use crate::session::text::counted;

use super::access::text;

/// A note names up to this many ids.
const NAMED_IDS: usize = 5;

/// Facts of the session, collected from its lines.
#[derive(Debug, Default)]
pub(super) struct SessionFacts {
    fork: Option<Fork>,
    /// Lines that say that they were copied from there.
    copied: usize,
    /// The folders it moved to, each with its line.
    moved: Vec<(u32, String)>,
    superseded: BTreeSet<String>,
    removed: BTreeSet<String>,
    is_background: bool,
    /// The ids of the sessions in which it goes on.
    continued_in: BTreeSet<String>,
    /// Those that it came from, each with the way: `compact`, `resume`.
    derived_from: BTreeSet<(String, String)>,
    /// The first of them that a line lists.
    first_derived_from: Option<String>,
    /// The model ended the conversation.
    ended_by_model: bool,
    /// The entry of another session up to which this agent was given the conversation.
    given_up_to: Option<String>,
}

/// The session and the message that this one was forked from.
#[derive(Debug)]
struct Fork {
    session: String,
    message: Option<String>,
}

impl SessionFacts {
    /// Takes what a line says.
    // `forkedFrom` is on each copied line of `/branch`, `session-branch` is a first line: openclaude. `relocated`:
    // toolpath, entry-types.md. `sessionKind`, `supersedesUuids`: agentsview. `snipMetadata`: openclaude.
    pub(super) fn read(&mut self, line: u32, json: &Json<'_>) {
        let named = |json: &Json<'_>, key| text(json, key).map(str::to_owned);
        if let Some(from) = json.get("forkedFrom")
            && let Some(session) = named(from, "sessionId")
        {
            self.copied += 1;
            // The last of the copies is where the sessions part.
            self.fork = Some(Fork { session, message: named(from, "messageUuid") });
        }
        match text(json, "type") {
            Some("session-branch") => {
                if let Some(session) = named(json, "parentSessionId") {
                    let message = named(json, "branchedAtMessageId");
                    self.fork.get_or_insert(Fork { session, message });
                }
            }
            Some("relocated") => {
                self.moved.extend(named(json, "relocatedCwd").map(|folder| (line, folder)));
            }
            // 2.1.332: strings of the program.
            Some("continued-in") => self.continued_in.extend(named(json, "continuedInSessionId")),
            Some("derived-from") => {
                let sessions = json.get("sessions").map_or(&[][..], Json::items);
                if self.first_derived_from.is_none() {
                    self.first_derived_from = sessions.iter().find_map(|one| named(one, "id"));
                }
                self.derived_from.extend(sessions.iter().filter_map(|session| {
                    Some((named(session, "id")?, named(session, "via").unwrap_or_default()))
                }));
            }
            Some("fork-context-ref") => self.given_up_to = named(json, "parentLastUuid"),
            Some("ended-by-model") => self.ended_by_model = true,
            _ => {}
        }
        self.is_background |= text(json, "sessionKind") == Some("bg");
        ids(json.get("supersedesUuids"), &mut self.superseded);
        ids(json.get("snipMetadata").and_then(|snip| snip.get("removedUuids")), &mut self.removed);
    }

    /// The entry of another session that the first line may name as its parent.
    pub(super) fn given_up_to(&self) -> Option<&str> {
        self.given_up_to.as_deref()
    }

    /// The ids of the sessions in which it goes on.
    pub(super) fn continued_in(&self) -> Vec<String> {
        self.continued_in.iter().cloned().collect()
    }

    /// The id of the session that this one was forked from, or continues.
    pub(super) fn parent_session(&self) -> Option<&str> {
        let fork = self.fork.as_ref().map(|fork| fork.session.as_str());
        fork.or(self.first_derived_from.as_deref())
    }

    /// The facts in words.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(Fork { session, message }) = &self.fork {
            let at = message.as_ref().map(|message| format!(" at message {message}"));
            let copied = match self.copied {
                0 => String::new(),
                1 => "; 1 line was copied from it".to_owned(),
                count => format!("; {count} lines were copied from it"),
            };
            notes.push(format!("Forked from session {session}{}{copied}", at.unwrap_or_default()));
        }
        for (session, via) in &self.derived_from {
            let via = if via.is_empty() { String::new() } else { format!(" ({via})") };
            notes.push(format!("Came from session {session}{via}"));
        }
        if let Some(entry) = &self.given_up_to {
            notes.push(format!(
                "This agent began with the conversation of its parent session up to {entry}, which is not in its own file"
            ));
        }
        if self.ended_by_model {
            notes.push("The model ended the conversation".to_owned());
        }
        if self.is_background {
            notes.push("The session ran in the background (sessionKind is bg)".to_owned());
        }
        for (line, folder) in &self.moved {
            notes.push(format!("The working directory is {folder} from line {line} on"));
        }
        let listed = [
            (&self.superseded, "superseded by later ones (supersedesUuids)"),
            (&self.removed, "removed from the model's context (snipMetadata.removedUuids)"),
        ];
        for (ids, what) in listed.into_iter().filter(|(ids, _)| !ids.is_empty()) {
            let is = if ids.len() == 1 { "is" } else { "are" };
            let named: Vec<&str> = ids.iter().take(NAMED_IDS).map(String::as_str).collect();
            let more = match ids.len().saturating_sub(NAMED_IDS) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let count = counted(ids.len(), "line");
            notes.push(format!("{count} {is} {what}: {}{more}", named.join(", ")));
        }
        notes
    }
}

fn ids(list: Option<&Json<'_>>, into: &mut BTreeSet<String>) {
    into.extend(
        list.map_or(&[][..], Json::items).iter().filter_map(Json::as_str).map(str::to_owned),
    );
}
