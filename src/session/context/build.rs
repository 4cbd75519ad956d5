//! From the facts on a path to the context at its end, in the four phases that
//! [the module](super) names.
//!
//! Agents' rules are not here: they are in the facts. `context` folds a path from its root and keeps for each entry
//! the state it is in; drafts are messages that may still go, and become final only when calls and results are
//! settled. The script of the page does the same in `static/js/context/`.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Boundary, Context, ContextMessage, Edit, Fact, FactList, State};
use crate::session::model::message::Model;
use crate::session::tree::index::EntryIndex;

/// A message that may still go.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    /// The place on the path of the entry it comes from.
    pub(super) at: usize,
    pub(super) message: ContextMessage<'a>,
}

impl<'a> Draft<'a> {
    pub(super) fn new(at: usize, message: ContextMessage<'a>) -> Draft<'a> {
        Draft { at, message }
    }
}

/// Builds contexts from the facts of all entries, by entry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContextBuilder<'f, 'a> {
    facts: &'f FactList<'a>,
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

impl<'f, 'a> ContextBuilder<'f, 'a> {
    pub(crate) fn new(facts: &'f FactList<'a>) -> Self {
        ContextBuilder { facts }
    }

    pub(super) fn of(self, index: EntryIndex) -> &'f Fact<'a> {
        self.facts.of(index)
    }

    /// The context at the end of a path.
    pub(crate) fn context(self, path: Vec<EntryIndex>) -> Context<'a> {
        let start = self.start(&path);
        let read = &path[start..];
        let up = || read.iter().rev().map(|&entry| self.of(entry));
        // pi 1.5.2, omp 18.3.4: the last of each, on the whole path.
        let thinking = up().find_map(|fact| fact.thinking.clone());
        let mode = up().find_map(|fact| fact.mode.clone());
        let tiers = up().find_map(|fact| fact.tiers.clone());
        let role_models =
            read.iter().filter_map(|&entry| self.of(entry).role_model.as_deref().cloned());
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
    // pi's harness of version 3 alone cuts (packages/agent/src/harness/session).
    fn start(self, path: &[EntryIndex]) -> usize {
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
    // pi 1.5.2 takes the last of a change and an answer; omp 18.3.4 no answer once a default model was chosen.
    fn model(self, path: &[EntryIndex]) -> Option<Model<'a>> {
        let facts = || path.iter().rev().map(|&entry| self.of(entry));
        let chosen = facts().find(|fact| fact.model_holds);
        chosen.or_else(|| facts().find(|fact| fact.model.is_some()))?.model.clone()
    }

    /// The last boundary that holds for the model, and what it keeps.
    // pi 1.5.2: the latest compaction alone. omp 18.3.4: or a reset behind it, and what a provider keeps counts for
    // that provider's models.
    fn view(self, path: &[EntryIndex], start: usize, model: Option<&Model<'_>>) -> View {
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
    fn is_listed(self, at: usize, entry: EntryIndex, view: View) -> bool {
        let is_before = view.boundary.is_some_and(|boundary| at < boundary);
        // pi 1.5.2 drops system messages before the compaction, whether it has one of its own or not.
        let is_dropped = || {
            let message = self.of(entry).message.as_ref();
            message.is_some_and(|message| message.system || view.is_reset && message.aside)
        };
        at >= view.from && Some(at) != view.boundary && !(is_before && is_dropped())
    }

    /// The edits in force by target: only listed ones count, the last wins.
    // pi 1.5.2 (`context_edit`, since 0.87).
    fn edits(self, path: &[EntryIndex], view: View) -> Edits {
        let listed =
            path.iter().enumerate().filter(|&(at, &entry)| self.is_listed(at, entry, view));
        let edit = |(_, &entry): (usize, &EntryIndex)| {
            let edit = self.of(entry).edit?;
            Some((edit.target?, (entry, edit)))
        };
        listed.filter_map(edit).collect()
    }

    fn emit(
        self,
        at: usize,
        entry: EntryIndex,
        view: View,
        edits: &Edits,
        drafts: &mut Vec<Draft<'a>>,
    ) -> State {
        let fact = self.of(entry);
        let replaced = if view.is_reset { State::Cleared } else { State::Summarized };
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
        let Some(effect) = &fact.message else { return State::None };
        if !self.is_listed(at, entry, view) {
            return replaced;
        }
        if effect.never || is_omitted {
            return State::Excluded;
        }
        // pi 1.5.2: an edit removes any message, and changes that of four roles.
        let edited_by = edit.filter(|_| effect.replaceable).map(|(by, _)| *by);
        drafts.push(Draft::new(
            at,
            ContextMessage { edited_by, ..ContextMessage::of(entry, effect) },
        ));
        match (effect.sent, edited_by, effect.hidden) {
            (false, ..) => State::Excluded,
            (_, Some(_), _) => State::Edited,
            (_, _, true) => State::Hidden,
            _ => State::In,
        }
    }

    /// What stands in for the history, and the prompt that is asked again.
    fn put_ahead(
        self,
        path: &[EntryIndex],
        at: usize,
        view: View,
        drafts: &mut Vec<Draft<'a>>,
        states: &mut [State],
    ) {
        let Some(boundary) = &self.of(path[at]).boundary else { return };
        // An edit may take away what stands in for the history, and still nothing above is sent.
        let is_omitted = states[at] == State::Excluded;
        let lead = boundary.lead.iter().filter(|_| !is_omitted).enumerate().map(|(nth, effect)| {
            let message = ContextMessage::of(path[at], effect);
            Draft::new(at, ContextMessage { lead: Some(nth), ..message })
        });
        let mut ahead: Vec<Draft<'a>> = lead.collect();
        let is_prompt = |entry: EntryIndex| self.of(entry).message.as_ref().filter(|m| m.prompt);
        // omp 18.3.4, `experimental-context-rollover`.
        if boundary.asks_again
            && let Some((asked, effect)) =
                (0..view.from).rev().find_map(|at| Some((at, is_prompt(path[at])?)))
        {
            states[asked] = State::In;
            ahead.push(Draft::new(asked, ContextMessage::of(path[asked], effect)));
        }
        drafts.splice(0..0, ahead);
    }

    /// The last notes since the last reset come ahead of everything.
    // omp 18.3.4.
    fn put_note_first(
        self,
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
