//! The second pass: sessions and messages as entries.
//!
//! The plan (`plan.rs`) has given every message its id and its parent, since these stand on other lines. Here each
//! line is taken in file order and becomes the entry that was planned for it. A hidden root is none: the header
//! stands for it.

use std::collections::{HashMap, HashSet};

use crate::format::blocks::number;
use crate::format::document::Document;
use crate::format::entry::{self, NewCompaction, custom};
use crate::format::fields::ObjectFields;
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::format::translation::{Spot, Translation};
use crate::session::json::Json;
use crate::session::text::{counted, one_line, shortened};
use crate::session::{Damage, Format, Label, time};

use super::attachments;
use super::message::{Tokens, call_id, content, response, words};
use super::parts::{At, Part};
use super::plan::Plan;

/// Of the name of a session so much stands in a note, in UTF-16 units.
const NAME_UNITS: usize = 80;

/// So many programs that recorded the sessions are named.
const NAMED: usize = 8;

pub(super) struct StsReader {
    out: Translation,
    plan: Plan,
    /// Of all headers so far, the number of the last one's session.
    session: usize,
    headers: usize,
    /// The place of the next message in its session.
    next: usize,
    /// The entry before, from which lines of unknown kinds hang.
    last: Option<String>,
    /// Tokens of the turns so far, by the place of their last response.
    spent: HashMap<usize, Tokens>,
    /// The programs that recorded the sessions, in the order of the file.
    harnesses: Vec<String>,
    known_harnesses: HashSet<String>,
    /// Hidden roots, which the header's row stands for.
    roots: usize,
}

impl StsReader {
    pub(super) fn new(plan: Plan) -> StsReader {
        StsReader {
            out: Translation::new(Format::Sts),
            plan,
            session: 0,
            headers: 0,
            next: 0,
            last: None,
            spent: HashMap::new(),
            harnesses: Vec::new(),
            known_harnesses: HashSet::new(),
            roots: 0,
        }
    }

    pub(super) fn part(&mut self, at: &At, part: Part<'_>) {
        match part {
            Part::Header(header) => self.header(at, header),
            Part::Message(message) => self.message(at, &message),
            Part::Other(json) => {
                let kind = text(&json, "type").unwrap_or("unknown").to_owned();
                let spot = self.spot(at, at.id.clone(), self.last.clone(), None);
                self.out.push_unknown(spot, &kind, json);
            }
            Part::Odd => {
                if let Some(kind) = part.damage() {
                    self.out.damage(at.line, kind);
                }
            }
        }
    }

    /// A row of its own: it holds what is known of the session, and its messages hang from it.
    fn header(&mut self, at: &At, header: Json<'_>) {
        // Messages ahead of the first header are a session without one.
        let is_first = self.headers == 0
            && self.plan.sessions.first().is_some_and(|first| first.header.is_some());
        self.session = if is_first { 0 } else { self.session + 1 };
        self.headers += 1;
        self.next = 0;
        self.spent.clear();
        if let Some(harness) = text(&header, "harness")
            && self.known_harnesses.insert(harness.to_owned())
        {
            self.harnesses.push(harness.to_owned());
        }
        if self.plan.sessions.len() > 1
            && let Some(name) = text(&header, "name")
        {
            let label = Label { text: shortened(&one_line(name), NAME_UNITS), time: None };
            self.out.label(at.id.clone(), Some(label));
        }
        let opened = self.plan.opened().and_then(|session| session.header.as_ref());
        if opened == Some(&at.id) {
            let own = |key| text(&header, key).map(str::to_owned);
            let about = self.out.header();
            about.id = own("id").unwrap_or_default();
            about.parent_session = own("forkedFromConversationId");
        }
        let id = at.id.clone();
        let spot = self.spot(at, id, None, None);
        self.out.push(spot, "custom", custom("session", header));
    }

    fn spot(&mut self, at: &At, id: String, parent_id: Option<String>, time: Option<i64>) -> Spot {
        self.last = Some(id.clone());
        Spot { line: at.line, id: Some(id), parent_id, time }
    }

    fn message(&mut self, at: &At, message: &Json<'_>) {
        let place = self.next;
        self.next += 1;
        let Some(session) = self.plan.sessions.get(self.session) else { return };
        let Some(planned) = session.messages.get(place) else { return };
        let id = planned.id.clone();
        if planned.is_root {
            self.roots += 1;
            if let Some(header) = &session.header {
                self.out.alias(id, header.clone());
            }
            return;
        }
        let parent = session.parent_of(place);
        let (entry_type, fields) = match (text(message, "role"), text(message, "type")) {
            (_, Some("compaction")) => compaction(message),
            (Some("assistant"), _) => {
                let answer = self.response(place, &id, message);
                ("message", entry::message(answer))
            }
            (Some("tool"), _) => ("message", entry::message(self.result(place, message))),
            (Some(role @ ("user" | "system")), _) => {
                let mut blocks = content(message);
                blocks.extend(attachments::blocks(message));
                let message = if role == "system" {
                    NewMessage::system(blocks)
                } else {
                    NewMessage::user(blocks)
                };
                ("message", entry::message(message.json()))
            }
            (Some(_), _) => ("message", entry::message(message.clone())),
            (None, _) => ("custom", custom("message", message.clone())),
        };
        let time = message.get("timestamp").and_then(time::read);
        let spot = self.spot(at, id, parent, time);
        self.out.push(spot, entry_type, fields);
    }

    fn response<'a>(&mut self, place: usize, id: &str, message: &Json<'a>) -> Json<'a> {
        let in_turn = self.plan.sessions.get(self.session).map(|session| session.place(place));
        let in_turn = in_turn.unwrap_or_default();
        let before = in_turn.response.and_then(|above| self.spent.get(&above).copied());
        let before = before.unwrap_or_default();
        let tokens = Tokens::of_response(message, in_turn.responses, before);
        self.spent.insert(place, before.plus(tokens.unwrap_or_default()));
        let blocks = response(message, id);
        let calls = blocks.iter().any(|block| text(block, "type") == Some("toolCall"));
        let ms = tokens.map(|tokens| tokens.ms).filter(|ms| *ms > 0.0);
        NewMessage::assistant(blocks)
            .model(words(message, "model"))
            .usage(tokens.map(Tokens::usage))
            .duration(ms.and_then(number))
            .ended(calls)
            .json()
    }

    fn result<'a>(&self, place: usize, message: &Json<'a>) -> Json<'a> {
        let own = text(message, "toolCallId");
        let session = self.plan.sessions.get(self.session);
        let answered = session.and_then(|session| session.answered(place, own));
        // A call without an id got one.
        let given = answered
            .as_ref()
            .map(|to| to.call.id.clone().unwrap_or_else(|| call_id(to.response, to.nth)));
        let call_id = own.filter(|id| !id.is_empty()).map(str::to_owned).or(given);
        let name = text(message, "toolName").map(str::to_owned);
        let name = name.or_else(|| answered.as_ref().map(|to| to.call.name.clone()));
        let end = answered.and_then(|to| to.end);
        let mut blocks = content(message);
        blocks.extend(attachments::blocks(message));
        NewMessage::tool_result(call_id.unwrap_or_default())
            .tool_name(name.filter(|name| !name.is_empty()))
            .content(blocks)
            .failed(end.is_some_and(|end| end.success == Some(false)))
            .duration(end.and_then(|end| end.ms).and_then(number))
            .json()
    }

    pub(super) fn finish(mut self, damage: Vec<Damage>) -> Translation {
        Document::told(damage, &mut self.out);
        if let Some(opened) = self.plan.opened() {
            if let Some(leaf) = opened.leaf() {
                self.out.leaf(leaf);
            }
            let (began, name) = (opened.began(), opened.name.as_deref().map(plain));
            let header = self.out.header();
            header.version = 1;
            header.time = began;
            header.title = name;
        }
        if let [harness] = &self.harnesses[..] {
            self.out.header().agent = Some(harness.clone()).filter(|name| !name.trim().is_empty());
        }
        if !self.harnesses.is_empty() {
            let rest = self.harnesses.len().saturating_sub(NAMED);
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            self.harnesses.truncate(NAMED);
            self.out.note(format!("Recorded by {}{more}", self.harnesses.join(", ")));
        }
        let sessions = self.plan.sessions.len();
        if sessions > 1 {
            let name = |name: &Option<String>| {
                let name = name.as_deref().map(one_line).filter(|name| !name.is_empty());
                name.map_or("without a name".to_owned(), |name| {
                    format!("“{}”", shortened(&name, NAME_UNITS))
                })
            };
            let opened = self.plan.opened().map(|session| name(&session.name));
            self.out.note(format!(
                "The file contains {sessions} sessions, each with its own root in the tree. The newest one is open: {}",
                opened.unwrap_or_default()
            ));
        }
        if self.roots > 0 {
            self.out.note(format!(
                "Not shown: {} without content",
                counted(self.roots, "root message")
            ));
        }
        self.out
    }
}

/// A name on one line.
fn plain(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The summary that stands for all before it; without one the compaction was broken off.
// A message of type compaction whose content is the summary: llama.cpp.
fn compaction<'a>(message: &Json<'a>) -> (&'static str, ObjectFields<'a>) {
    match words(message, "content") {
        Some(summary) => ("compaction", NewCompaction::new(Some(summary)).fields()),
        None => ("custom", custom("compaction", message.clone())),
    }
}
