//! The first pass: where messages hang, and what later lines say of earlier ones. It goes over all parts once and
//! keeps of each message its id, its parent, its calls and its place in the turn; the second pass (`reader.rs`) asks
//! for these. It is apart because a result is described by the response above it, and the leaf by the header.

use std::collections::HashMap;

use crate::format::fields::id_of;
use crate::format::probe::text;
use crate::session::json::Json;
use crate::session::time;

use super::message::{Call, calls};
use super::parts::{At, Part};

/// What must be known before the first entry is written.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) sessions: Vec<Planned>,
    /// The place of the one that is opened.
    opened: Option<usize>,
    /// The ids given so far, to tell sessions of one file apart.
    taken: HashMap<String, usize>,
}

/// One session of the file.
#[derive(Default)]
pub(super) struct Planned {
    /// The id of the row of its header.
    pub(super) header: Option<String>,
    pub(super) name: Option<String>,
    current: Option<String>,
    modified: Option<i64>,
    pub(super) messages: Vec<Message>,
    /// So many hidden roots stand ahead of all else.
    roots_ahead: usize,
    /// The places of messages by their own ids.
    by_id: HashMap<String, usize>,
}

/// What is known of a message.
pub(super) struct Message {
    /// The id of its entry.
    pub(super) id: String,
    /// A hidden root: the header's row stands for it.
    pub(super) is_root: bool,
    /// Its parent as the file names it.
    named: Named,
    /// The place of its parent.
    parent: Option<usize>,
    time: Option<i64>,
    role: Role,
    calls: Vec<Call>,
    /// The places of calls by id.
    by_call: HashMap<String, usize>,
    /// How each call of its turn ended, where the file says it.
    ends: Vec<End>,
    place: InTurn,
}

/// What a message says of its parent.
enum Named {
    /// Nothing: in a list messages follow each other.
    Before,
    /// It has none.
    Nothing,
    Id(String),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    User,
    Assistant,
    Tool,
    Other,
}

/// How a call ended.
#[derive(Debug, Clone)]
pub(super) struct End {
    name: Option<String>,
    pub(super) success: Option<bool>,
    pub(super) ms: Option<f64>,
}

/// A call with its result.
pub(super) struct Answered<'p> {
    /// The entry that made it.
    pub(super) response: &'p str,
    /// Which of its calls.
    pub(super) nth: usize,
    pub(super) call: &'p Call,
    /// How it ended, where the file says it.
    pub(super) end: Option<&'p End>,
}

/// Where a message stands in its turn, which a prompt begins.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct InTurn {
    /// How many responses come before it.
    pub(super) responses: usize,
    /// How many calls do.
    calls: usize,
    /// The response above it.
    pub(super) response: Option<usize>,
    /// How many results stand between that and it.
    results: usize,
}

impl Plan {
    pub(super) fn part(&mut self, at: &At, part: &Part<'_>) {
        match part {
            Part::Header(header) => {
                self.taken.insert(at.id.clone(), usize::MAX);
                self.sessions.push(Planned::new(at, header));
            }
            Part::Message(message) => {
                if self.sessions.is_empty() {
                    self.sessions.push(Planned::default());
                }
                let own = text(message, "id").filter(|id| !id.is_empty());
                let id = self.free_id(own.unwrap_or(&at.id), at);
                if let Some(session) = self.sessions.last_mut() {
                    session.message(id, own, message);
                }
            }
            Part::Other(_) | Part::Odd => {}
        }
    }

    /// Conversations may be in one file twice, and their messages then have the same ids.
    fn free_id(&mut self, id: &str, at: &At) -> String {
        let session = self.sessions.len();
        match self.taken.get(id) {
            Some(&of) if of != session => format!("{id}~{}", at.id),
            _ => {
                self.taken.insert(id.to_owned(), session);
                id.to_owned()
            }
        }
    }

    pub(super) fn finish(mut self) -> Plan {
        for session in &mut self.sessions {
            session.link();
        }
        let sessions = self.sessions.iter().enumerate();
        self.opened = sessions.max_by_key(|(_, session)| session.latest()).map(|(at, _)| at);
        self
    }

    /// The session that is opened: the one changed last, and of those that do not say, the last.
    pub(super) fn opened(&self) -> Option<&Planned> {
        self.sessions.get(self.opened?)
    }
}

impl Planned {
    fn new(at: &At, header: &Json<'_>) -> Planned {
        Planned {
            header: Some(at.id.clone()),
            name: text(header, "name").map(str::to_owned),
            current: text(header, "currNode").map(str::to_owned),
            modified: header.get("lastModified").and_then(time::read),
            ..Planned::default()
        }
    }

    fn message(&mut self, id: String, own: Option<&str>, message: &Json<'_>) {
        let role = match text(message, "role") {
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            Some("tool") => Role::Tool,
            _ => Role::Other,
        };
        let is_empty = text(message, "content").is_none_or(str::is_empty);
        let is_root = is_empty && text(message, "type") == Some("root") && self.header.is_some();
        if is_root && self.roots_ahead == self.messages.len() {
            self.roots_ahead += 1;
        }
        if let Some(own) = own {
            self.by_id.insert(own.to_owned(), self.messages.len());
        }
        let calls = if role == Role::Assistant { calls(message) } else { Vec::new() };
        let named = calls.iter().enumerate().rev();
        let by_call = named.filter_map(|(nth, call)| Some((call.id.clone()?, nth))).collect();
        self.messages.push(Message {
            id,
            is_root,
            named: match message.get("parent") {
                None => Named::Before,
                Some(_) => id_of(message, "parent").map_or(Named::Nothing, Named::Id),
            },
            parent: None,
            time: message.get("timestamp").and_then(time::read),
            role,
            calls,
            by_call,
            ends: ends(message),
            place: InTurn::default(),
        });
    }

    fn latest(&self) -> Option<i64> {
        self.modified.or_else(|| self.messages.iter().filter_map(|message| message.time).max())
    }

    /// When the session began.
    pub(super) fn began(&self) -> Option<i64> {
        self.messages.iter().find_map(|message| message.time)
    }

    /// Finds parents, and where each message stands in its turn.
    fn link(&mut self) {
        for at in 0..self.messages.len() {
            let parent = match &self.messages[at].named {
                Named::Id(id) => self.by_id.get(id).copied(),
                Named::Nothing => None,
                Named::Before => at.checked_sub(1),
            };
            self.messages[at].parent = parent.filter(|&parent| parent != at);
        }
        let mut is_placed = vec![false; self.messages.len()];
        for start in 0..self.messages.len() {
            let mut way = Vec::new();
            let mut next = Some(start);
            while let Some(at) = next.filter(|&at| !is_placed[at]) {
                is_placed[at] = true;
                way.push(at);
                next = self.messages[at].parent;
            }
            for at in way.into_iter().rev() {
                self.messages[at].place = self.behind(self.messages[at].parent);
            }
        }
    }

    /// The place in its turn of what hangs from a message.
    fn behind(&self, parent: Option<usize>) -> InTurn {
        let Some(at) = parent else { return InTurn::default() };
        let message = &self.messages[at];
        let place = message.place;
        match message.role {
            Role::User => InTurn::default(),
            Role::Assistant => InTurn {
                responses: place.responses + 1,
                calls: place.calls + message.calls.len(),
                response: Some(at),
                results: 0,
            },
            Role::Tool => InTurn { results: place.results + 1, ..place },
            Role::Other => place,
        }
    }

    /// What the entry of a message hangs from.
    pub(super) fn parent_of(&self, at: usize) -> Option<String> {
        let message = self.messages.get(at)?;
        let id = |at: usize| match &self.messages[at] {
            root if root.is_root => self.header.clone(),
            message => Some(message.id.clone()),
        };
        match (&message.named, message.parent) {
            (_, Some(parent)) => id(parent),
            (Named::Id(missing), None) => {
                // Some exports hold the shown branch alone, without the root it hangs from.
                let is_first = at <= self.roots_ahead;
                if is_first { self.header.clone() } else { Some(missing.clone()) }
            }
            (_, None) => self.header.clone(),
        }
    }

    /// Where a message stands in its turn.
    pub(super) fn place(&self, at: usize) -> InTurn {
        self.messages.get(at).map(|message| message.place).unwrap_or_default()
    }

    /// The call that a result answers.
    pub(super) fn answered(&self, at: usize, call_id: Option<&str>) -> Option<Answered<'_>> {
        let place = self.place(at);
        let response = self.messages.get(place.response?)?;
        let nth = match call_id.filter(|id| !id.is_empty()) {
            Some(id) => *response.by_call.get(id)?,
            None => place.results,
        };
        let call = response.calls.get(nth)?;
        let end = response.ends.get(response.place.calls + nth);
        let is_its = |end: &&End| end.name.as_ref().is_none_or(|name| *name == call.name);
        Some(Answered { response: &response.id, nth, call, end: end.filter(is_its) })
    }

    /// The leaf: the current message, else the newest; of a list the last one.
    // `currNode` of the header; empty or unknown, the newest time counts (llama.cpp).
    pub(super) fn leaf(&self) -> Option<String> {
        let current = self.current.as_ref().and_then(|id| self.by_id.get(id).copied());
        let shown = |at: &usize| !self.messages[*at].is_root;
        let places = || (0..self.messages.len()).filter(shown);
        let is_list = places().all(|at| matches!(self.messages[at].named, Named::Before));
        let newest = || places().max_by_key(|&at| self.messages[at].time.filter(|_| !is_list));
        let at = current.filter(shown).or_else(newest)?;
        Some(self.messages[at].id.clone())
    }
}

/// llama.app repeats the outcomes of all calls of a turn at each of its responses.
// `timings.agentic.toolCalls` [{name, duration_ms, success}], in milliseconds: real exports.
fn ends(message: &Json<'_>) -> Vec<End> {
    let agentic = message.get("timings").and_then(|timings| timings.get("agentic"));
    let calls = agentic.and_then(|agentic| agentic.get("toolCalls"));
    let end = |call: &Json<'_>| End {
        name: text(call, "name").map(str::to_owned),
        success: match call.get("success") {
            Some(Json::Bool(success)) => Some(*success),
            _ => None,
        },
        ms: call.get("duration_ms").and_then(Json::as_f64),
    };
    calls.map(Json::items).unwrap_or_default().iter().map(end).collect()
}
