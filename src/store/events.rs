//! Where others have a say: before and after the leaf moves, a path becomes a
//! session, or a history is compacted.
//!
//! The order is always: the plan is made, listeners see it and may stop it or supply the summary, a summary is
//! written if it still is wanted, then the file changes, then listeners are told. Nothing is written before the last
//! question was asked, so that whoever stops it finds everything as it was.

use crate::setters::setters;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

use crate::session::convert::SentMessage;

use super::{MovePlan, NewEntry, SessionStore, StoreError};

/// A sign to stop, shared between whoever waits and whoever works.
#[derive(Debug, Clone, Default)]
pub struct Abort(Arc<AtomicBool>);

impl Abort {
    /// Gives the sign.
    pub fn abort(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was given.
    pub fn is_aborted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a listener says to something that is about to happen.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// Go on.
    Proceed,
    /// Leave everything as it is.
    Cancel,
    /// Go on with this summary, where one is wanted, instead of having one written.
    Supply(Summary),
}

/// A summary and what belongs to it.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// The summary.
    pub text: String,
    /// `{readFiles, modifiedFiles}` by convention.
    pub details: Option<Value>,
    /// What writing it cost, in pi's form of a usage.
    pub usage: Option<Value>,
    /// What a compaction keeps for whoever supplied it, as an object (`preserveData`).
    pub preserve_data: Option<Value>,
}

impl Summary {
    /// A summary, and nothing else with it.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Summary {
        Summary { text: text.into(), ..Summary::default() }
    }

    setters! {
        details: Value => Some(details),
        usage: Value => Some(usage),
        preserve_data: Value => Some(preserve_data),
    }
}

/// A path that is about to become a session of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BranchPlan {
    /// The prompt that was chosen.
    pub prompt_id: String,
    /// Its text, to be edited and sent again.
    pub text: String,
    /// The last entry that is taken along; `None` starts an empty session.
    pub leaf_id: Option<String>,
}

/// A compaction that is about to be written.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CompactionPlan {
    /// The first entry that the model still gets as it is; `None` keeps nothing.
    pub first_kept_id: Option<String>,
    /// The size of the context until now, in tokens.
    pub tokens_before: u64,
    /// What the summary should heed.
    pub instructions: Option<String>,
    /// The entries from the root to the leaf; the store fills them in.
    pub branch_entries: Vec<String>,
    /// What [`Events::compacting`] said; the store fills it in.
    pub compacting: Compacting,
    /// The sign to stop.
    pub abort: Abort,
}

impl CompactionPlan {
    /// The defaults.
    #[must_use]
    pub fn new() -> CompactionPlan {
        CompactionPlan::default()
    }

    setters! {
        first_kept_id: impl Into<String> => Some(first_kept_id.into()),
        tokens_before: u64 => tokens_before,
        instructions: impl Into<String> => Some(instructions.into()),
        abort: Abort => abort,
    }
}

/// What a listener adds to a compaction before its summary is written (`session.compacting`).
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Compacting {
    /// More lines for the summary to include.
    pub context: Vec<String>,
    /// The prompt to summarize with instead of the usual one.
    pub prompt: Option<String>,
    /// What to keep in the compaction's entry, as an object.
    pub preserve_data: Option<Value>,
}

impl Compacting {
    /// The defaults.
    #[must_use]
    pub fn new() -> Compacting {
        Compacting::default()
    }

    setters! {
        context: Vec<String> => context,
        prompt: impl Into<String> => Some(prompt.into()),
        preserve_data: Value => Some(preserve_data),
    }

    pub(super) fn is_silent(&self) -> bool {
        *self == Compacting::default()
    }
}

/// A prompt on its way to the model.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct AgentStart {
    /// Its text.
    pub prompt: String,
    /// Its images, as blocks of a message.
    pub images: Vec<Value>,
    /// The system prompt in parts. It is not stored.
    pub system_prompt: Vec<String>,
}

impl AgentStart {
    /// A prompt of text alone.
    #[must_use]
    pub fn new(prompt: impl Into<String>) -> AgentStart {
        AgentStart { prompt: prompt.into(), ..AgentStart::default() }
    }

    setters! {
        images: Vec<Value> => images,
        system_prompt: Vec<String> => system_prompt,
    }
}

/// What a listener adds to a turn (`before_agent_start`).
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct StartChanges {
    /// Messages behind the prompt, made by [`NewEntry::custom_message`].
    pub messages: Vec<NewEntry>,
    /// The system prompt to use in this turn.
    pub system_prompt: Option<Vec<String>>,
}

impl StartChanges {
    /// The defaults.
    #[must_use]
    pub fn new() -> StartChanges {
        StartChanges::default()
    }

    setters! {
        messages: Vec<NewEntry> => messages,
        system_prompt: Vec<String> => Some(system_prompt),
    }
}

/// A turn whose prompt was written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentStarted {
    /// The prompt's entry.
    pub prompt_id: String,
    /// The messages of listeners behind it.
    pub message_ids: Vec<String>,
    /// The system prompt to use in this turn.
    pub system_prompt: Vec<String>,
}

/// The leaf has moved.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moved {
    /// Where it was.
    pub old_leaf_id: Option<String>,
    /// Where it is.
    pub new_leaf_id: Option<String>,
    /// The summary that was written on the way.
    pub summary_id: Option<String>,
    /// Whether a listener supplied that summary.
    pub from_hook: bool,
    /// The prompt that was chosen, to be edited and sent again.
    pub editor_text: Option<String>,
}

/// A path has become a session of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Branched {
    /// The prompt's text, to be edited and sent again.
    pub text: String,
    /// The session's file; `None` in memory.
    pub path: Option<PathBuf>,
}

/// A compaction was written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compacted {
    /// Its entry.
    pub id: String,
    /// Whether a listener supplied the summary.
    pub from_hook: bool,
}

/// Has a say in what happens to a session. Every touch point does nothing unless
/// it is written; `()` has none.
pub trait Events {
    /// The leaf is about to move.
    fn before_move(&mut self, _: &SessionStore, _: &MovePlan, _: &Abort) -> Verdict {
        Verdict::Proceed
    }

    /// Writes the summary of what a move leaves behind, as a model does.
    ///
    /// # Errors
    /// [`StoreError::NoSummarizer`] where nobody can, [`StoreError::Summary`] where it failed.
    fn summarize_branch(
        &mut self,
        _: &SessionStore,
        _: &MovePlan,
        _: &Abort,
    ) -> Result<Summary, StoreError> {
        Err(StoreError::NoSummarizer)
    }

    /// The leaf has moved.
    fn moved(&mut self, _: &SessionStore, _: &Moved) {}

    /// A path is about to become a session of its own.
    fn before_branch(&mut self, _: &SessionStore, _: &BranchPlan) -> Verdict {
        Verdict::Proceed
    }

    /// The store is now at that session.
    fn branched(&mut self, _: &SessionStore, _: &Branched) {}

    /// A prompt was given, and the model is about to be asked (`before_agent_start`).
    fn before_agent_start(&mut self, _: &SessionStore, _: &AgentStart) -> StartChanges {
        StartChanges::default()
    }

    /// The messages that the model is about to get (`context`). What is given back is sent
    /// instead; nothing of it is stored.
    fn context<'s>(
        &mut self,
        _: &'s SessionStore,
        messages: Vec<SentMessage<'s>>,
    ) -> Vec<SentMessage<'s>> {
        messages
    }

    /// The history is about to be compacted.
    fn before_compaction(&mut self, _: &SessionStore, _: &CompactionPlan) -> Verdict {
        Verdict::Proceed
    }

    /// The summary of a compaction is about to be written; not asked where a listener supplied it.
    fn compacting(&mut self, _: &SessionStore, _: &CompactionPlan) -> Compacting {
        Compacting::default()
    }

    /// Writes the summary that replaces the history, as a model does. What
    /// [`Events::compacting`] said is in the plan.
    ///
    /// # Errors
    /// As [`Events::summarize_branch`].
    fn summarize_history(
        &mut self,
        _: &SessionStore,
        _: &CompactionPlan,
    ) -> Result<Summary, StoreError> {
        Err(StoreError::NoSummarizer)
    }

    /// The compaction was written.
    fn compacted(&mut self, _: &SessionStore, _: &Compacted) {}
}

impl Events for () {}
