//! The story of a session: what each entry is to its turn, and which entries are
//! mere steps between a prompt and the response to it.
//!
//! A turn is a prompt and all that follows until the next one. Nothing here
//! depends on a leaf: a run of steps ends where the tree forks, and a response
//! is one that ends its turn on some path, so every path that holds an entry
//! sees it the same way. A compaction that the model goes on after is no end of a
//! run: it is one of the lines below that of the steps.

use std::collections::HashMap;

use super::calls::{CallPlace, Calls};
use super::entry_digest::{EntryDigest, What};
use super::turn_part::Part;
use crate::session::tree::index::EntryIndex;
use crate::session::tree::session::Session;

/// What an entry is to its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TurnRole {
    /// What a person asked.
    Prompt,
    /// The last text of a turn, or the error that ended it.
    Response,
    /// All between them.
    Step,
    /// A compaction, a reset, a branch summary: the context changes here.
    Divider,
}

impl TurnRole {
    /// The word for it in the page's `data-turn-role`.
    pub fn name(self) -> &'static str {
        match self {
            TurnRole::Prompt => "prompt",
            TurnRole::Response => "response",
            TurnRole::Step => "step",
            TurnRole::Divider => "divider",
        }
    }
}

/// Steps that follow each other on every path that holds one of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The entries, root side first; at least one.
    pub entries: Vec<EntryIndex>,
}

/// What each entry is to its turn.
#[derive(Debug, Default)]
pub struct Story {
    places: Vec<InTurn>,
    runs: Vec<Run>,
    /// The quiet entries that the card of a tool result tells of.
    progress: HashMap<EntryIndex, Vec<EntryIndex>>,
    /// Whether a session has more than settings and state, by its number.
    has_more: Vec<bool>,
}

/// What one entry is. There is one for each entry of a session, so indices are small.
#[derive(Debug, Clone, Copy)]
struct InTurn {
    role: TurnRole,
    part: Part,
    run: Option<u32>,
    /// The first of the quiet entries that one line stands for.
    quiet: Option<EntryIndex>,
    /// The result of the call whose progress a quiet entry tells: its card has the line.
    card: Option<EntryIndex>,
}

#[expect(clippy::cast_possible_truncation, reason = "a session holds fewer than 2^32 entries")]
fn small(index: usize) -> u32 {
    index as u32
}

impl Story {
    /// What each entry is to its turn, from what all entries say, by entry.
    pub(super) fn of(session: &Session, digests: &[EntryDigest<'_>], calls: &Calls) -> Story {
        let parts: Vec<Part> = session.indices().map(|index| part(digests, calls, index)).collect();
        let last = LastInTurn::read(session, &parts);
        let role = |index: EntryIndex| match parts[index.get()] {
            Part::Prompt => TurnRole::Prompt,
            Part::Divider | Part::Compaction => TurnRole::Divider,
            Part::Answer { has_text: true, .. } if last.text[index.get()] => TurnRole::Response,
            Part::Answer { failed: true, .. } if last.answer[index.get()] => TurnRole::Response,
            _ => TurnRole::Step,
        };
        let place = |index| InTurn {
            role: role(index),
            part: parts[index.get()],
            run: None,
            quiet: None,
            card: None,
        };
        let places = session.indices().map(place).collect();
        let mut story = Story { places, ..Story::default() };
        story.join_runs(session, &last.goes_on);
        story.join_quiet(session, calls);
        story.has_more = vec![false; session.sub_sessions().len() + 1];
        for index in session.indices() {
            story.has_more[session.tree().session_of(index)] |= !story.is_aside(index);
        }
        story
    }

    /// `goes_on` as [`LastInTurn`] has it.
    fn join_runs(&mut self, session: &Session, goes_on: &[bool]) {
        let tree = session.tree();
        for index in tree.order() {
            let before = tree.parent(index).filter(|_| tree.branch(index).count == 1);
            let before = before.and_then(|before| self.places[before.get()].run);
            let is_compaction = self.places[index.get()].part == Part::Compaction;
            let is_within = is_compaction && goes_on[index.get()] && before.is_some();
            if (self.is_in_story(index) && !is_within) || session.label(index).is_some() {
                continue;
            }
            let run = before.unwrap_or_else(|| {
                self.runs.push(Run { entries: Vec::new() });
                small(self.runs.len() - 1)
            });
            self.runs[run as usize].entries.push(index);
            self.places[index.get()].run = Some(run);
        }
    }

    /// Within a run that has more than quiet entries, those in a row are one line, and those of a call another.
    fn join_quiet(&mut self, session: &Session, calls: &Calls) {
        for run in &self.runs {
            if run.entries.iter().all(|&index| self.is_aside(index)) {
                continue;
            }
            for &index in &run.entries {
                if self.places[index.get()].part == Part::Quiet {
                    let card = card_of(session, calls, index);
                    let before = session.tree().parent(index);
                    let before = before.filter(|_| index != run.entries[0]);
                    let before = before.map(|before| self.places[before.get()]);
                    let first = before.filter(|before| before.card == card);
                    let first = first.and_then(|before| before.quiet);
                    self.places[index.get()].quiet = Some(first.unwrap_or(index));
                    self.places[index.get()].card = card;
                    if let Some(card) = card {
                        self.progress.entry(card).or_default().push(index);
                    }
                }
            }
        }
    }

    /// What an entry is to its turn.
    pub fn role(&self, index: EntryIndex) -> TurnRole {
        self.places[index.get()].role
    }

    /// The run of steps that an entry is one of; `None` for what is always visible.
    pub fn run_of(&self, index: EntryIndex) -> Option<&Run> {
        self.places[index.get()].run.map(|run| &self.runs[run as usize])
    }

    /// All runs of steps, in the order of the document.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Whether nothing in a run is part of the story: settings, and state that no person ever
    /// saw. Where a session has nothing else, that is its story.
    pub fn is_aside_run(&self, session: &Session, run: &Run) -> bool {
        self.has_more[session.tree().session_of(run.entries[0])]
            && run.entries.iter().all(|&index| self.is_aside(index))
    }

    /// The first of the entries in a row that no person ever saw and that one line stands
    /// for; `None` for any other entry, and where a run has nothing else.
    pub fn quiet_of(&self, index: EntryIndex) -> Option<EntryIndex> {
        self.places[index.get()].quiet
    }

    /// The tool result whose card tells of a quiet entry: an update on that call, or a hook of it.
    pub fn card_of(&self, index: EntryIndex) -> Option<EntryIndex> {
        self.places[index.get()].card
    }

    /// The quiet entries that the card of a tool result tells of.
    pub fn progress_of(&self, result: EntryIndex) -> &[EntryIndex] {
        self.progress.get(&result).map_or(&[], Vec::as_slice)
    }

    /// Whether a setting, or state that no person ever saw.
    pub fn is_aside(&self, index: EntryIndex) -> bool {
        matches!(self.places[index.get()].part, Part::Setting | Part::Quiet)
    }

    /// Whether the entry is part of the story whatever its label is.
    fn is_in_story(&self, index: EntryIndex) -> bool {
        let InTurn { role, part, .. } = self.places[index.get()];
        role != TurnRole::Step || matches!(part, Part::InStory | Part::Answer { asks: true, .. })
    }
}

/// The result of the call that an entry tells the progress of, if some path holds both.
fn card_of(session: &Session, calls: &Calls, index: EntryIndex) -> Option<EntryIndex> {
    let tree = session.tree();
    let results = calls.results_of(calls.progress_of(index)?);
    let is_near =
        |&&result: &&EntryIndex| tree.is_on_path(index, result) || tree.is_on_path(result, index);
    results.iter().find(is_near).copied()
}

/// Which answers are the last of their turn on at least one path, and after which entries it goes on.
struct LastInTurn {
    /// The last with text.
    text: Vec<bool>,
    /// The last of all.
    answer: Vec<bool>,
    /// Of any entry: whether an answer follows it in its turn.
    goes_on: Vec<bool>,
}

impl LastInTurn {
    fn read(session: &Session, parts: &[Part]) -> LastInTurn {
        let tree = session.tree();
        let none = vec![false; parts.len()];
        let mut last = LastInTurn { text: none.clone(), answer: none.clone(), goes_on: none };
        let order: Vec<EntryIndex> = tree.order().collect();
        for &index in order.iter().rev() {
            let mut children = tree.children(index).peekable();
            let ends = children.peek().is_none();
            let (mut text, mut answer, mut goes_on) = (ends, ends, false);
            for child in children {
                match parts[child.get()] {
                    Part::Prompt => (text, answer) = (true, true),
                    Part::Answer { has_text, .. } => {
                        text |= !has_text && last.text[child.get()];
                        goes_on = true;
                    }
                    _ => {
                        text |= last.text[child.get()];
                        answer |= last.answer[child.get()];
                        goes_on |= last.goes_on[child.get()];
                    }
                }
            }
            (last.text[index.get()], last.answer[index.get()]) = (text, answer);
            last.goes_on[index.get()] = goes_on;
        }
        last
    }
}

/// What an entry is, together with the calls and results that belong to it.
fn part(digests: &[EntryDigest<'_>], calls: &Calls, index: EntryIndex) -> Part {
    match (&digests[index.get()].what, digests[index.get()].part) {
        (What::Answer(answer), Part::Answer { has_text, failed, .. }) => {
            let is_open = |nth| calls.results_of(CallPlace { entry: index, nth }).is_empty();
            let mut all = answer.calls.iter().zip(0..);
            let asks = all.any(|(call, nth)| call.asked.tool.is_in_story() && is_open(nth));
            Part::Answer { has_text, failed, asks }
        }
        (What::Result { tool, .. }, part) => {
            if calls.tool_of(index).unwrap_or(*tool).is_in_story() { Part::InStory } else { part }
        }
        (_, part) => part,
    }
}

#[cfg(test)]
mod tests;
