//! What the answers of a model cost: each alone, and together since the last
//! prompt above them. A path from the root to an entry is always the same, so
//! every entry has one such sum whatever leaf is shown.

use crate::session::tree::session::Session;
use std::collections::{HashMap, HashSet};

use super::entry_digest::{Answer, End, EntryDigest, What};
use crate::session::model::message::Model;
use crate::session::model::usage::Usage;
use crate::session::tree::index::EntryIndex;

/// Facts of one answer that depend on what stands above it.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Turn {
    /// The model answers for the first time on this path, or another did before.
    pub is_new_model: bool,
    /// What was spent since the prompt, where this answer is the last of several.
    pub since_prompt: Option<Box<Spent>>,
}

/// What one prompt led to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Spent {
    /// How many answers.
    pub answers: usize,
    /// Their usage, with that of the tools, summaries and side calls between them.
    pub usage: Usage,
    /// From the prompt to the last answer, in milliseconds.
    pub elapsed_ms: Option<i64>,
}

/// The turns of a session, by entry.
#[derive(Debug, Default)]
pub struct Turns {
    answers: Vec<Option<Turn>>,
    /// The tokens of the first request below each compaction.
    next_request: HashMap<EntryIndex, f64>,
    system_updates: HashSet<EntryIndex>,
}

/// What is carried down the tree.
#[derive(Debug, Clone, Default)]
struct Above<'g> {
    model: Option<&'g Model<'g>>,
    prompt: Option<EntryIndex>,
    answers: usize,
    /// The last answer asked for no tool, so that what comes next is another turn.
    is_over: bool,
    usage: Usage,
    /// A compaction after which nothing was asked of a model yet.
    compaction: Option<EntryIndex>,
    has_system: bool,
}

impl Turns {
    /// The turns, from what all entries say, by entry; in linear time.
    pub(super) fn of_all(session: &Session, digests: &[EntryDigest<'_>]) -> Turns {
        let tree = session.tree();
        let mut turns = Turns { answers: vec![None; session.len()], ..Turns::default() };
        let mut above = vec![Above::default(); session.len()];
        for index in tree.order() {
            let digest = &digests[index.get()];
            let mut here =
                tree.parent(index).map(|parent| above[parent.get()].clone()).unwrap_or_default();
            here.usage += digest.usage.unwrap_or_default();
            match &digest.what {
                What::Prompt | What::Command(_) if here.is_over || digest.is_prompt() => {
                    here = Above {
                        model: here.model,
                        compaction: here.compaction,
                        has_system: here.has_system,
                        prompt: Some(index),
                        ..Above::default()
                    };
                }
                What::Answer(answer) => {
                    here.answers += usize::from(!answer.goes_on && !answer.is_made_up);
                    here.is_over = answer.end != End::Calls && !answer.goes_on;
                    turns.add(session, index, answer, digest.usage, &mut here);
                }
                What::System => {
                    if here.has_system {
                        turns.system_updates.insert(index);
                    }
                    here.has_system = true;
                }
                What::Compaction => here.compaction = Some(index),
                _ => {}
            }
            above[index.get()] = here;
        }
        turns.keep_last(session, digests);
        turns
    }

    /// Of answers that follow each other in a turn, the last has its sums.
    // Codex 0.169.0 ends several responses of a turn without a call.
    fn keep_last(&mut self, session: &Session, digests: &[EntryDigest<'_>]) {
        let tree = session.tree();
        let mut goes_on = vec![false; session.len()];
        for index in tree.order().rev() {
            let (answer, goes_on_here) = (&mut self.answers[index.get()], goes_on[index.get()]);
            if let Some(answer) = answer.as_mut().filter(|_| goes_on_here) {
                answer.since_prompt = None;
            }
            let is_over = matches!(digests[index.get()].what, What::Prompt | What::Command(_));
            let is_answer = answer.is_some();
            if let Some(parent) = tree.parent(index) {
                goes_on[parent.get()] |= !is_over && (is_answer || goes_on_here);
            }
        }
    }

    fn add<'g>(
        &mut self,
        session: &Session,
        index: EntryIndex,
        answer: &'g Answer<'g>,
        usage: Option<Usage>,
        here: &mut Above<'g>,
    ) {
        let model = answer.model.as_ref();
        let is_new_model = model.is_some() && model != here.model;
        here.model = model.or(here.model);
        if let (Some(usage), Some(compaction)) = (usage, here.compaction.take()) {
            let request = usage.input + usage.cache_read + usage.cache_write;
            // Of several branches the first in document order stands for all.
            if request > 0.0 {
                self.next_request.entry(compaction).or_insert(request);
            }
        }
        let since_prompt = here
            .prompt
            .filter(|_| here.answers > 1 && is_last(session, index, answer.end))
            .map(|prompt| {
                let elapsed_ms = elapsed(session, prompt, index);
                Box::new(Spent { answers: here.answers, usage: here.usage, elapsed_ms })
            });
        self.answers[index.get()] = Some(Turn { is_new_model, since_prompt });
    }

    /// The facts of an assistant's entry.
    pub fn of(&self, index: EntryIndex) -> Option<&Turn> {
        self.answers.get(index.get())?.as_ref()
    }

    /// Whether a system message changes one that stands above it.
    pub fn is_system_update(&self, index: EntryIndex) -> bool {
        self.system_updates.contains(&index)
    }

    /// The tokens sent with the first answer below a compaction: what the
    /// context had shrunk to by then.
    pub fn request_after(&self, compaction: EntryIndex) -> Option<f64> {
        self.next_request.get(&compaction).copied()
    }
}

/// Milliseconds between two entries, where both have a time and it went forward.
fn elapsed(session: &Session, from: EntryIndex, to: EntryIndex) -> Option<i64> {
    let elapsed = session.time(to)? - session.time(from)?;
    (elapsed >= 0).then_some(elapsed)
}

/// A turn that failed is the last one only where nothing follows.
fn is_last(session: &Session, index: EntryIndex, end: End) -> bool {
    match end {
        End::Done => true,
        End::Calls => false,
        End::Failed => session.tree().children(index).len() == 0,
    }
}
