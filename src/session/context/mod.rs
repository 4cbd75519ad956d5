//! The context builder: what the model saw at a leaf.
//!
//! Each entry is first reduced to a small [`Fact`]; the facts on the path to a
//! leaf are then folded in four phases: *state* (model and thinking level,
//! over the whole path), *boundary* (the last compaction or reset: where the
//! model's view begins), *emit* (the messages, with edits applied), *settle*
//! (calls and results are paired, failed turns go, in dialects where they do). The
//! page carries the facts (`page/outline_data.rs`) and its script folds them by
//! the same rules (`static/js/context/context.js`), those of pi 1.5.2 and omp 18.3.4; a
//! browser test holds the two together. The dialects differ in their facts alone.
//!
//! An entry is *listed* when it is among those the model's view is made of: all of
//! the path, or with a boundary what that keeps and what follows it.

mod fact;
mod settle;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

pub(crate) use fact::note;
pub use fact::{Boundary, Edit, Emitted, Fact};
use settle::Draft;

use super::Session;
use super::convert::Seen;
use super::entry::{Body, Replacement};
use super::message::{Block, Message, Model};
use super::tree::EntryIndex;

/// How the context treats an entry on the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The model saw it as written.
    In,
    /// A compaction's summary stands for it.
    Summarised,
    /// The model saw it with other content.
    Edited,
    /// The model did not see it, though nothing summarizes it.
    Excluded,
    /// The model saw it, the agent's terminal did not show it.
    Hidden,
    /// It gives no message.
    None,
}

impl State {
    /// The word for it in the page.
    pub fn name(self) -> &'static str {
        match self {
            State::In => "in",
            State::Summarised => "summarised",
            State::Edited => "edited",
            State::Excluded => "excluded",
            State::Hidden => "hidden",
            State::None => "none",
        }
    }
}

/// A message of the context and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextMessage<'a> {
    /// The entry it comes from; for a compaction's lead the compaction.
    pub entry: EntryIndex,
    /// Which of a boundary's lead messages; `None` for an entry's own message.
    pub lead: Option<usize>,
    /// Its role.
    pub role: Cow<'a, str>,
    /// Whether the model got it.
    pub sent: bool,
    /// The context edit that changed its content.
    pub edited_by: Option<EntryIndex>,
    /// Which of its calls, from 0, are left out for want of a result.
    pub stripped: Vec<usize>,
}

/// The active path and what the model saw of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Context<'a> {
    /// From the root to the leaf; everything, whatever the model saw.
    pub path: Vec<EntryIndex>,
    /// The state of each entry of the path.
    pub states: Vec<State>,
    /// The messages in the order the model got them.
    pub messages: Vec<ContextMessage<'a>>,
    /// The thinking level at the leaf; `off` unless something set it.
    pub thinking_level: Cow<'a, str>,
    /// The model at the leaf.
    pub model: Option<Model<'a>>,
    /// The models of other roles at the leaf, such as `smol` (omp).
    pub role_models: BTreeMap<Cow<'a, str>, Model<'a>>,
    /// The mode at the leaf, where one is on (omp).
    pub mode: Option<Cow<'a, str>>,
    /// The service tier at the leaf by family of models (omp).
    pub tiers: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

/// The facts of every entry of a session.
#[derive(Debug)]
pub struct Facts<'a> {
    session: &'a Session,
    facts: Vec<Fact<'a>>,
}

/// Where on a path the model's view begins.
#[derive(Debug, Clone, Copy)]
struct View {
    /// The place of the boundary.
    boundary: Option<usize>,
    /// The first listed place.
    from: usize,
    /// Nothing stands for what is above.
    is_reset: bool,
}

/// The edits in force by target.
type Edits = HashMap<EntryIndex, (EntryIndex, Edit)>;

impl<'a> Facts<'a> {
    /// Parses each entry once and keeps what the context needs.
    pub fn read(session: &'a Session) -> Facts<'a> {
        let facts = (0..session.len()).map(|index| Fact::of(session, index)).collect();
        Facts { session, facts }
    }

    /// The facts of one entry.
    pub fn of(&self, index: EntryIndex) -> &Fact<'a> {
        &self.facts[index]
    }

    /// The context at `leaf`; without one, the empty context.
    pub fn context(&self, leaf: Option<EntryIndex>) -> Context<'a> {
        let path = leaf.map_or_else(Vec::new, |leaf| self.session.tree().path(leaf));
        let start = self.start(&path);
        let read = &path[start..];
        let up = || read.iter().rev().map(|&entry| self.of(entry));
        let thinking = up().find_map(|fact| fact.thinking.clone());
        let mode = up().find_map(|fact| fact.mode.clone());
        let tiers = up().find_map(|fact| fact.tiers.clone());
        let role_models = read.iter().filter_map(|&entry| self.of(entry).role_model.clone());
        let model = self.model(read);
        let view = self.view(&path, start, model.as_ref());
        let edits = self.edits(&path, view);

        let mut states = Vec::with_capacity(path.len());
        let mut drafts = Vec::new();
        for (at, &entry) in path.iter().enumerate() {
            states.push(self.emit(at, entry, view, &edits, &mut drafts));
        }
        if let Some(at) = view.boundary {
            self.put_ahead(&path, at, view, &mut drafts, &mut states);
        }
        self.settle(&mut drafts, &mut states);
        self.put_note_first(&path, &mut drafts, &mut states);
        Context {
            states,
            messages: drafts.into_iter().map(|draft| draft.message).collect(),
            thinking_level: thinking.unwrap_or(Cow::Borrowed("off")),
            model,
            role_models: role_models.collect(),
            mode: mode.filter(|mode| mode != "none"),
            tiers: tiers.unwrap_or_default(),
            path,
        }
    }

    /// The first place that the agent reads: all of the path, unless a compaction cuts it.
    fn start(&self, path: &[EntryIndex]) -> usize {
        let mut first_kept = None;
        for (at, &entry) in path.iter().enumerate().rev() {
            if first_kept == Some(entry) {
                return at;
            }
            match &self.of(entry).boundary {
                Some(boundary) if boundary.cuts && boundary.first_kept.is_none() => return at,
                Some(boundary) => first_kept = boundary.first_kept.filter(|_| boundary.cuts),
                None => {}
            }
        }
        0
    }

    /// The last model on the path; one that was chosen for good wins over later answers.
    fn model(&self, path: &[EntryIndex]) -> Option<Model<'a>> {
        let facts = || path.iter().rev().map(|&entry| self.of(entry));
        let chosen = facts().find(|fact| fact.model_holds);
        chosen.or_else(|| facts().find(|fact| fact.model.is_some()))?.model.clone()
    }

    /// The last boundary that holds for the model, and what it keeps.
    fn view(&self, path: &[EntryIndex], start: usize, model: Option<&Model<'_>>) -> View {
        let holds = |boundary: &Boundary<'_>| match (&boundary.provider, model) {
            (Some(provider), Some(model)) => *provider == model.provider,
            _ => true,
        };
        let last = path.iter().enumerate().rev().find_map(|(at, &entry)| {
            Some((at, self.of(entry).boundary.as_ref().filter(|boundary| holds(boundary))?))
        });
        let Some((at, boundary)) = last else {
            return View { boundary: None, from: 0, is_reset: false };
        };
        let place =
            |entry: Option<EntryIndex>| (start..at).find(|&other| Some(path[other]) == entry);
        let kept = place(boundary.kept_after).map(|at| at + 1).or(place(boundary.first_kept));
        View { boundary: Some(at), from: kept.unwrap_or(at), is_reset: boundary.is_reset }
    }

    /// Whether the model's view is made of the entry at a place, boundary apart.
    fn is_listed(&self, at: usize, entry: EntryIndex, view: View) -> bool {
        let is_before = view.boundary.is_some_and(|boundary| at < boundary);
        let system = || self.of(entry).message.as_ref().is_some_and(|message| message.system);
        at >= view.from && Some(at) != view.boundary && !(is_before && system())
    }

    /// The edits in force by target: only listed ones count, the last wins.
    fn edits(&self, path: &[EntryIndex], view: View) -> Edits {
        let listed =
            path.iter().enumerate().filter(|&(at, &entry)| self.is_listed(at, entry, view));
        let edit = |(_, &entry): (usize, &EntryIndex)| {
            let edit = self.of(entry).edit?;
            Some((edit.target?, (entry, edit)))
        };
        listed.filter_map(edit).collect()
    }

    fn emit(
        &self,
        at: usize,
        entry: EntryIndex,
        view: View,
        edits: &Edits,
        drafts: &mut Vec<Draft<'a>>,
    ) -> State {
        let fact = self.of(entry);
        let replaced = if view.is_reset { State::Excluded } else { State::Summarised };
        let edit = edits.get(&entry);
        let is_omitted = edit.is_some_and(|(_, edit)| edit.omit);
        if let Some(boundary) = &fact.boundary {
            return match view.boundary {
                _ if boundary.is_reset => State::None,
                Some(last) if at == last && is_omitted => State::Excluded,
                Some(last) if at == last => State::In,
                Some(last) if at < last => replaced,
                // Made for another provider's models.
                _ => State::Excluded,
            };
        }
        let Some(emitted) = &fact.message else { return State::None };
        if !self.is_listed(at, entry, view) {
            return replaced;
        }
        if emitted.never || is_omitted {
            return State::Excluded;
        }
        let edited_by = edit.filter(|_| emitted.replaceable).map(|(by, _)| *by);
        drafts.push(Draft::new(
            at,
            ContextMessage { edited_by, ..ContextMessage::of(entry, emitted) },
        ));
        match (emitted.sent, edited_by, emitted.hidden) {
            (false, ..) => State::Excluded,
            (_, Some(_), _) => State::Edited,
            (_, _, true) => State::Hidden,
            _ => State::In,
        }
    }

    /// What stands in for the history, and the prompt that is asked again.
    fn put_ahead(
        &self,
        path: &[EntryIndex],
        at: usize,
        view: View,
        drafts: &mut Vec<Draft<'a>>,
        states: &mut [State],
    ) {
        let Some(boundary) = &self.of(path[at]).boundary else { return };
        // An edit may take away what stands in for the history, and still nothing above is sent.
        let is_omitted = states[at] == State::Excluded;
        let lead =
            boundary.lead.iter().filter(|_| !is_omitted).enumerate().map(|(nth, emitted)| {
                let message = ContextMessage::of(path[at], emitted);
                Draft::new(at, ContextMessage { lead: Some(nth), ..message })
            });
        let mut ahead: Vec<Draft<'a>> = lead.collect();
        let is_prompt = |entry: EntryIndex| self.of(entry).message.as_ref().filter(|m| m.prompt);
        if boundary.asks_again
            && let Some((asked, emitted)) =
                (0..view.from).rev().find_map(|at| Some((at, is_prompt(path[at])?)))
        {
            states[asked] = State::In;
            ahead.push(Draft::new(asked, ContextMessage::of(path[asked], emitted)));
        }
        drafts.splice(0..0, ahead);
    }

    /// The last notes since the last reset come ahead of everything.
    fn put_note_first(
        &self,
        path: &[EntryIndex],
        drafts: &mut Vec<Draft<'a>>,
        states: &mut [State],
    ) {
        let is_reset = |entry| self.of(entry).boundary.as_ref().is_some_and(|b| b.is_reset);
        let since_reset = path.iter().enumerate().rev().take_while(|&(_, &entry)| !is_reset(entry));
        let last =
            |(at, &entry): (usize, &EntryIndex)| Some((at, entry, self.of(entry).note.as_ref()?));
        if let Some((at, entry, note)) = since_reset.into_iter().find_map(last) {
            states[at] = State::In;
            drafts.insert(0, Draft::new(at, ContextMessage::of(entry, note)));
        }
    }
}

impl<'a> ContextMessage<'a> {
    fn of(entry: EntryIndex, emitted: &Emitted<'a>) -> ContextMessage<'a> {
        ContextMessage {
            entry,
            lead: None,
            role: emitted.role.clone(),
            sent: emitted.sent,
            edited_by: None,
            stripped: Vec::new(),
        }
    }

    /// The message itself, its content as the model saw it.
    pub fn read(&self, session: &'a Session) -> Option<Seen<'a>> {
        let entry = session.entry(self.entry);
        if let Some(nth) = self.lead {
            let Body::Compaction(compaction) = &entry.body else { return None };
            return fact::lead(compaction).into_iter().nth(nth);
        }
        let mut seen = fact::given(entry)?;
        if let (Some(edit), Seen::Message(message)) = (self.edited_by, &mut seen)
            && let Body::ContextEdit { replacement: Replacement::Content(content), .. } =
                session.entry(edit).body
        {
            match message {
                Message::User(old) => *old = content,
                Message::Assistant(assistant) => assistant.content = content,
                Message::ToolResult(result) => result.content = content,
                Message::Custom(custom) => custom.content = content,
                _ => {}
            }
        }
        if let Seen::Message(Message::Assistant(assistant)) = &mut seen
            && !self.stripped.is_empty()
        {
            strip(&mut assistant.content, &self.stripped);
        }
        Some(seen)
    }
}

/// Without the calls of these places, and without reasoning that is bound to them.
fn strip(content: &mut Vec<Block<'_>>, stripped: &[usize]) {
    let mut nth = 0;
    content.retain(|block| match block {
        Block::ToolCall(_) => {
            nth += 1;
            !stripped.contains(&(nth - 1))
        }
        block => *block != Block::RedactedThinking,
    });
}
