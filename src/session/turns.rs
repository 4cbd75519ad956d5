//! What the answers of a model cost: each alone, and together since the last
//! prompt above them. A path from the root to an entry is always the same, so
//! every entry has one such sum whatever leaf is on show.

use super::Session;
use std::collections::HashSet;

use super::entry::Body;
use super::message::{Assistant, Block, Message};
use super::tree::EntryIndex;
use super::usage::Usage;

/// Facts of one answer that depend on what stands above it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Turn {
    /// The model answers for the first time on this path, or another did before.
    pub is_new_model: bool,
    /// What was spent since the prompt, where this answer is the last of several.
    pub since_prompt: Option<Spent>,
}

/// What one prompt led to.
#[derive(Debug, Clone, PartialEq)]
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
    next_request: Vec<Option<f64>>,
    system_updates: HashSet<EntryIndex>,
}

/// What is carried down the tree.
#[derive(Debug, Clone, Default)]
struct Above {
    model: Option<usize>,
    prompt: Option<EntryIndex>,
    answers: usize,
    usage: Usage,
    /// A compaction after which nothing was asked of a model yet.
    compaction: Option<EntryIndex>,
    has_system: bool,
}

impl Turns {
    /// Reads all turns of the session, in linear time.
    pub fn read(session: &Session) -> Turns {
        let tree = session.tree();
        let mut turns = Turns {
            answers: vec![None; session.len()],
            next_request: vec![None; session.len()],
            system_updates: HashSet::new(),
        };
        let mut above = vec![Above::default(); session.len()];
        let mut models: Vec<(String, String)> = Vec::new();
        for index in tree.order() {
            let entry = session.entry(index);
            let mut here =
                tree.parent(index).map(|parent| above[parent].clone()).unwrap_or_default();
            here.usage += entry.usage().unwrap_or_default();
            match &entry.body {
                Body::Message(Message::User(_)) => {
                    here = Above {
                        model: here.model,
                        compaction: here.compaction,
                        has_system: here.has_system,
                        prompt: Some(index),
                        ..Above::default()
                    };
                }
                Body::Message(Message::Assistant(assistant)) => {
                    here.answers += 1;
                    turns.add(session, index, assistant, &mut here, &mut models);
                }
                Body::Message(Message::System(_)) => {
                    if here.has_system {
                        turns.system_updates.insert(index);
                    }
                    here.has_system = true;
                }
                Body::Compaction(_) => here.compaction = Some(index),
                _ => {}
            }
            above[index] = here;
        }
        turns
    }

    fn add(
        &mut self,
        session: &Session,
        index: EntryIndex,
        assistant: &Assistant<'_>,
        here: &mut Above,
        models: &mut Vec<(String, String)>,
    ) {
        let model = assistant.model.as_ref().map(|model| {
            let known = models
                .iter()
                .position(|(provider, id)| *provider == model.provider && *id == model.id);
            known.unwrap_or_else(|| {
                models.push((model.provider.to_string(), model.id.to_string()));
                models.len() - 1
            })
        });
        let is_new_model = model.is_some() && model != here.model;
        here.model = model.or(here.model);
        if let (Some(usage), Some(compaction)) = (assistant.usage, here.compaction.take()) {
            let request = usage.input + usage.cache_read + usage.cache_write;
            // Of several branches the first in document order stands for all.
            if request > 0.0 && self.next_request[compaction].is_none() {
                self.next_request[compaction] = Some(request);
            }
        }
        let since_prompt = here
            .prompt
            .filter(|_| here.answers > 1 && is_last(session, index, assistant))
            .map(|prompt| Spent {
                answers: here.answers,
                usage: here.usage,
                elapsed_ms: elapsed(session, prompt, index),
            });
        self.answers[index] = Some(Turn { is_new_model, since_prompt });
    }

    /// The facts of an assistant's entry.
    pub fn of(&self, index: EntryIndex) -> Option<&Turn> {
        self.answers.get(index)?.as_ref()
    }

    /// Whether a system message changes one that stands above it.
    pub fn is_system_update(&self, index: EntryIndex) -> bool {
        self.system_updates.contains(&index)
    }

    /// The tokens sent with the first answer below a compaction: what the
    /// context had shrunk to by then.
    pub fn request_after(&self, compaction: EntryIndex) -> Option<f64> {
        self.next_request.get(compaction).copied().flatten()
    }
}

/// Milliseconds between two entries, where both have a time and it went forward.
fn elapsed(session: &Session, from: EntryIndex, to: EntryIndex) -> Option<i64> {
    let elapsed = session.time(to)? - session.time(from)?;
    (elapsed >= 0).then_some(elapsed)
}

/// Whether the model was done: it asked for no tool. A turn that failed is the
/// last one only where nothing follows.
fn is_last(session: &Session, index: EntryIndex, assistant: &Assistant<'_>) -> bool {
    if assistant.stopped_by("error") || assistant.stopped_by("aborted") {
        return session.tree().children(index).len() == 0;
    }
    match assistant.stop_reason.as_deref() {
        Some("toolUse") => false,
        Some(_) => true,
        None => !assistant.content.iter().any(|block| matches!(block, Block::ToolCall(_))),
    }
}
