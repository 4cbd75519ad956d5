//! The operations that others have a say in: moving the leaf as a person does,
//! forking at a prompt, compacting.
//!
//! Each has the order of `events.rs`. A move to a prompt goes above it and gives its text back, as pi and omp do
//! (`navigateTree`), since the person wants to ask it in other words. A summary hangs from the new place.

use crate::session::Body;
use crate::session::message::Message;
use crate::setters::setters;

use super::events::{Abort, Branched, Compacted, CompactionPlan, Events, Moved, Summary, Verdict};
use super::log::Log;
use super::rules::TakenBack;
use super::{MovePlan, NewEntry, SessionStore, StoreError};

/// How to move.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct MoveOptions {
    /// Leave a summary of what is left behind, if that is anything.
    pub summarize: bool,
    /// What the summary should heed.
    pub instructions: Option<String>,
    /// A label for the summary, or without one for the target.
    pub label: Option<String>,
    /// The sign to stop.
    pub abort: Abort,
}

impl MoveOptions {
    /// The defaults.
    #[must_use]
    pub fn new() -> MoveOptions {
        MoveOptions::default()
    }

    setters! {
        summarize: bool => summarize,
        instructions: impl Into<String> => Some(instructions.into()),
        label: impl Into<String> => Some(label.into()),
        abort: Abort => abort,
    }
}

/// What became of an operation that others have a say in.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome<T> {
    /// It was done.
    Done(T),
    /// The leaf is there already.
    Unchanged,
    /// A listener did not want it; nothing has changed.
    Cancelled,
    /// It was stopped on the way; nothing has changed.
    Aborted,
}

impl SessionStore {
    /// Moves the leaf to an entry as a person chooses it. A prompt (user message or
    /// extension's message) is taken back for editing: its text is given, and the leaf
    /// goes above it. A summary, where one is wanted, hangs from the new place.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; those of the summary and of writing, after which the
    /// leaf is where it was.
    pub fn navigate(
        &mut self,
        target_id: &str,
        options: &MoveOptions,
        events: &mut dyn Events,
    ) -> Result<Outcome<Moved>, StoreError> {
        if self.leaf() == Some(target_id) && !self.takes_back_leaf() {
            return Ok(Outcome::Unchanged);
        }
        let plan = MovePlan {
            wants_summary: options.summarize,
            instructions: options.instructions.clone(),
            ..self.plan_move(target_id)?
        };
        self.move_by(plan, options, events)
    }

    /// Does a move that was planned.
    pub(super) fn move_by(
        &mut self,
        plan: MovePlan,
        options: &MoveOptions,
        events: &mut dyn Events,
    ) -> Result<Outcome<Moved>, StoreError> {
        let verdict = events.before_move(self, &plan, &options.abort);
        let wants = plan.wants_summary && !plan.entries_to_summarize.is_empty();
        let (summary, from_hook) = match verdict {
            Verdict::Cancel => return Ok(Outcome::Cancelled),
            _ if options.abort.is_aborted() => return Ok(Outcome::Aborted),
            Verdict::Supply(summary) if wants => (Some(summary), true),
            Verdict::Proceed if wants => {
                let written = events.summarize_branch(self, &plan, &options.abort);
                if options.abort.is_aborted() {
                    return Ok(Outcome::Aborted);
                }
                (Some(written?), false)
            }
            Verdict::Proceed | Verdict::Supply(_) => (None, false),
        };
        let old_leaf = self.leaf;
        let summary_id = match self.arrive(&plan, summary, from_hook, options.label.as_deref()) {
            Ok(summary_id) => summary_id,
            Err(error) => {
                self.leaf = old_leaf;
                return Err(error);
            }
        };
        let moved = Moved {
            old_leaf_id: plan.old_leaf_id,
            new_leaf_id: self.leaf().map(str::to_owned),
            summary_id,
            from_hook,
            editor_text: plan.editor_text,
        };
        events.moved(self, &moved);
        Ok(Outcome::Done(moved))
    }

    /// Whether a choice of the leaf itself moves it above the prompt that it is.
    fn takes_back_leaf(&self) -> bool {
        self.agent.rules().taken_back == TakenBack::AllButSkills
            && self.leaf_entry().is_some_and(|entry| is_user_message(&entry.body))
    }

    /// Puts the leaf at its new place, with a summary and a label. Gives the summary's id.
    fn arrive(
        &mut self,
        plan: &MovePlan,
        summary: Option<Summary>,
        from_hook: bool,
        label: Option<&str>,
    ) -> Result<Option<String>, StoreError> {
        let place = plan.new_leaf_id.as_deref();
        let mut summary_id = None;
        if let Some(summary) = summary {
            let entry =
                with_facts(self.branch_summary_at(place, &summary.text)?, &summary, from_hook)?;
            summary_id = Some(self.append_at(place, &entry)?);
        } else {
            self.leaf = place.map(|id| self.at(id)).transpose()?;
        }
        if let Some(label) = label {
            self.append_label(summary_id.as_deref().unwrap_or(&plan.target_id), Some(label))?;
        }
        Ok(summary_id)
    }

    /// Goes on before a prompt as a session of its own, and gives the prompt's text for
    /// editing. At the first prompt of all, that is a new and empty session.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::NotAPrompt`], and those of writing.
    pub fn fork_at_prompt(
        &mut self,
        prompt_id: &str,
        events: &mut dyn Events,
    ) -> Result<Outcome<Branched>, StoreError> {
        let plan = self.plan_branch(prompt_id)?;
        if events.before_branch(self, &plan) == Verdict::Cancel {
            return Ok(Outcome::Cancelled);
        }
        *self = match self.path() {
            Some(_) => self.branched_before(&plan, None)?,
            None => self.branched_from(plan.leaf_id.as_deref(), |_| Log::Memory)?,
        };
        let branched = Branched { text: plan.text, path: self.path().map(Into::into) };
        events.branched(self, &branched);
        Ok(Outcome::Done(branched))
    }

    /// Has a summary written in place of the history, and appends it.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for an anchor that is not there; those of the summary and
    /// of writing.
    pub fn compact(
        &mut self,
        plan: &CompactionPlan,
        events: &mut dyn Events,
    ) -> Result<Outcome<Compacted>, StoreError> {
        if let Some(id) = &plan.first_kept_id {
            self.at(id)?;
        }
        let branch_entries = self.active_path().into_iter().map(str::to_owned).collect();
        let mut plan = CompactionPlan { branch_entries, ..plan.clone() };
        let verdict = events.before_compaction(self, &plan);
        let (summary, from_hook) = match verdict {
            Verdict::Cancel => return Ok(Outcome::Cancelled),
            _ if plan.abort.is_aborted() => return Ok(Outcome::Aborted),
            Verdict::Supply(summary) => (summary, true),
            Verdict::Proceed => {
                plan.compacting = events.compacting(self, &plan);
                let written = events.summarize_history(self, &plan);
                if plan.abort.is_aborted() {
                    return Ok(Outcome::Aborted);
                }
                let mut summary = written?;
                let kept = summary.preserve_data.take();
                summary.preserve_data = kept.or(plan.compacting.preserve_data.take());
                (summary, false)
            }
        };
        let first_kept = plan.first_kept_id.as_deref();
        let entry = NewEntry::compaction(&summary.text, first_kept, plan.tokens_before)?;
        let id = self.append(&with_facts(entry, &summary, from_hook)?)?;
        let compacted = Compacted { id, from_hook };
        events.compacted(self, &compacted);
        Ok(Outcome::Done(compacted))
    }
}

pub(super) fn is_user_message(body: &Body<'_>) -> bool {
    matches!(body, Body::Message(Message::User(_)))
}

fn with_facts(
    mut entry: NewEntry,
    summary: &Summary,
    from_hook: bool,
) -> Result<NewEntry, StoreError> {
    if let Some(details) = &summary.details {
        entry = entry.with("details", details)?;
    }
    if let Some(usage) = &summary.usage {
        entry = entry.with("usage", usage)?;
    }
    if let Some(data) = &summary.preserve_data {
        entry = entry.with("preserveData", data)?;
    }
    if from_hook {
        entry = entry.with("fromHook", &true)?;
    }
    Ok(entry)
}
