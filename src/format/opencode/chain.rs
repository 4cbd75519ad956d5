//! The entries, one behind the other, and what holds for all of them.
//!
//! OpenCode keeps messages in a list and not in a tree, whatever its version. So every reader of it hands its entries
//! to this, which hangs each from the one before. A revert is the one thing that parts the list (`Undo`): what it
//! undid stays, as a branch.

use std::collections::{BTreeMap, HashMap};

use crate::format::blocks::text_block;
use crate::format::descendants::Started;
use crate::format::entry::{self, custom};
use crate::format::fields::{ObjectFields, fields_of, string};
use crate::format::probe::text;
use crate::format::run::NO_PROMPT_ID;
use crate::format::translation::{Spot, Translation};
use crate::session::json::Json;
use crate::session::text::counted;
use crate::session::{DamageKind, Format, Header};

/// So many sub-agents' sessions are named.
const NAMED: usize = 8;

/// Where a message or a part of one stands.
#[derive(Debug, Clone, Default)]
pub(super) struct At {
    pub(super) line: u32,
    pub(super) id: String,
    pub(super) time: Option<i64>,
}

/// Writes entries in file order.
pub(super) struct Chain {
    out: Translation,
    last: Option<String>,
    /// How many entries asked for an id.
    ids: HashMap<String, usize>,
    model: Option<(String, String)>,
    agent: Option<String>,
    /// Parts without rows, counted by kind.
    aside: BTreeMap<String, usize>,
    undo: Undo,
    /// The entries that started sub-agents, by the sub-agent's session.
    pub(super) started: Vec<Started>,
    /// A compaction that was asked for and has no summary yet.
    asked: Option<(At, Json<'static>)>,
}

/// What a revert undid: a message, or a part of it, and all that follows.
#[derive(Default)]
struct Undo {
    message: Option<String>,
    part: Option<String>,
    is_reached: bool,
    messages: usize,
}

impl Chain {
    pub(super) fn new() -> Chain {
        Chain {
            out: Translation::new(Format::OpenCode),
            last: None,
            ids: HashMap::new(),
            model: None,
            agent: None,
            aside: BTreeMap::new(),
            undo: Undo::default(),
            started: Vec::new(),
            asked: None,
        }
    }

    pub(super) fn header(&mut self) -> &mut Header {
        self.out.header()
    }

    pub(super) fn note(&mut self, note: String) {
        self.out.note(note);
    }

    /// Says first of all that no prompt is there.
    pub(super) fn no_prompt(&mut self, line: u32) {
        self.out.no_prompt(line);
        self.last = Some(NO_PROMPT_ID.to_owned());
    }

    pub(super) fn damage(&mut self, line: u32, kind: DamageKind) {
        self.out.damage(line, kind);
    }

    pub(super) fn alias(&mut self, alias: String, id: String) {
        self.out.alias(alias, id);
    }

    /// A part that gets no row.
    pub(super) fn aside(&mut self, kind: &str) {
        *self.aside.entry(kind.to_owned()).or_default() += 1;
    }

    /// Writes an entry behind the last one, and gives the id that it got.
    pub(super) fn push(&mut self, at: At, entry_type: &str, fields: ObjectFields<'_>) -> String {
        // Ids are unique in OpenCode's own files; what repeats one must not replace it.
        let times = self.ids.entry(at.id.clone()).or_default();
        *times += 1;
        let id = if *times == 1 { at.id } else { format!("{}~{times}", at.id) };
        let spot = Spot {
            line: at.line,
            id: Some(id.clone()),
            parent_id: self.last.replace(id.clone()),
            time: at.time,
        };
        self.out.push(spot, entry_type, fields);
        id
    }

    pub(super) fn message(&mut self, at: At, message: Json<'_>) -> String {
        self.push(at, "message", entry::message(message))
    }

    /// Something that only the page shows.
    pub(super) fn custom(&mut self, at: At, name: &str, data: Json<'_>) {
        self.push(at, "custom", custom(name.to_owned(), data));
    }

    /// The same of a kind that is not known.
    pub(super) fn unknown(&mut self, at: At, name: &str, data: Json<'_>) {
        let (entry_type, fields) = entry::unknown(name, data);
        self.push(at, entry_type, fields);
        self.out.last_is_not_understood();
    }

    /// Words that OpenCode gave the model in the person's name.
    pub(super) fn added(&mut self, at: At, name: &str, words: String) {
        let fields = entry::custom_message(name.to_owned(), vec![text_block(words)], false);
        self.push(at, "custom_message", fields);
    }

    /// The model that answers from here on.
    pub(super) fn model(&mut self, at: &At, provider: &str, id: &str) {
        let model = (provider.to_owned(), id.to_owned());
        if id.is_empty() || self.model.as_ref() == Some(&model) {
            return;
        }
        let fields = entry::model_change(Some(provider.into()), Some(id));
        self.model = Some(model);
        self.push(At { id: format!("{}-model", at.id), ..at.clone() }, "model_change", fields);
    }

    /// The agent that answers from here on: `build`, `plan` or one of the person's own.
    // `agent` of the message, 1.x; `agent-switched`, 2.x.
    pub(super) fn agent(&mut self, at: &At, agent: &str) {
        if agent.is_empty() || self.agent.as_deref() == Some(agent) {
            return;
        }
        self.agent = Some(agent.to_owned());
        let fields = fields_of([("mode", Some(string(agent.to_owned())))]);
        self.push(At { id: format!("{}-agent", at.id), ..at.clone() }, "mode_change", fields);
    }

    /// A compaction was asked for; the summary is the next response.
    pub(super) fn ask_for_summary(&mut self, at: At, part: Json<'_>) {
        self.give_up_summary();
        self.asked = Some((at, part.owned()));
    }

    /// The request that a summary answers.
    pub(super) fn take_request(&mut self, parent: Option<&str>) -> Option<(At, Json<'static>)> {
        self.asked.take_if(|(at, _)| parent.is_none_or(|parent| parent == at.id))
    }

    /// No summary followed.
    pub(super) fn give_up_summary(&mut self) {
        if let Some((at, part)) = self.asked.take() {
            self.custom(at, "compaction", part);
        }
    }

    /// What `revert` in the session's info names.
    // That message and all after it are undone, but still in the store (opencode).
    pub(super) fn undo(&mut self, revert: &Json<'_>) {
        self.undo.message = text(revert, "messageID").map(str::to_owned);
        self.undo.part = text(revert, "partID").map(str::to_owned);
    }

    /// A message begins.
    pub(super) fn begin(&mut self, id: &str) {
        if self.undo.is_reached {
            self.undo.messages += 1;
        } else if self.undo.message.as_deref() == Some(id) && self.undo.part.is_none() {
            self.stand_here();
        }
    }

    /// Whether this is the first part that was undone.
    pub(super) fn is_undone_at(&self, part: &Json<'_>) -> bool {
        let undone = self.undo.part.as_deref();
        !self.undo.is_reached && undone.is_some() && text(part, "id") == undone
    }

    /// The session stands before what follows.
    pub(super) fn stand_here(&mut self) {
        self.give_up_summary();
        self.undo.is_reached = true;
        self.undo.messages = 1;
        match self.last.clone() {
            Some(last) => self.out.leaf(last),
            None => self.out.no_leaf(),
        }
    }

    /// The end of the file. Sub-agents' sessions are in no file of one session.
    pub(super) fn finish(mut self, has_children: bool) -> (Translation, Vec<Started>) {
        self.give_up_summary();
        if !has_children && !self.started.is_empty() {
            let named: Vec<&str> =
                self.started.iter().map(|started| started.session.as_str()).take(NAMED).collect();
            let more = if self.started.len() > NAMED { ", …" } else { "" };
            self.note(format!(
                "{} that the file does not include: {}{more}",
                counted(self.started.len(), "sub-agent session"),
                named.join(", ")
            ));
        }
        if self.undo.is_reached {
            let messages = counted(self.undo.messages, "message");
            self.note(format!("{messages} undone by the user, shown after the current leaf"));
        } else if let Some(message) = self.undo.message.take() {
            self.note(format!("`{message}` was undone by the user and is not in the file"));
        }
        self.out.not_shown(&self.aside);
        (self.out, self.started)
    }
}
