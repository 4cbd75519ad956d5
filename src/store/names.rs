//! The same core under the names that Flue and Chimera have for it.

use serde::Serialize;

use crate::session::{Body, Place};

use super::log::Log;
use super::{NewEntry, SessionStore, StoreError};

/// What became of a failed message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Removed {
    /// It is gone: it was not written yet.
    Gone,
    /// It stays in the file; the leaf is above it.
    BranchedPast,
}

impl SessionStore {
    /// Flue's `appendMessages`: each below the one before. Gives their ids, as far as it came.
    ///
    /// # Errors
    /// [`StoreError::InvalidMessage`], and those of [`SessionStore::append`]. Those before the one that failed stay.
    pub fn append_messages<M: Serialize>(
        &mut self,
        messages: &[M],
    ) -> Result<Vec<String>, StoreError> {
        let entries: Vec<NewEntry> =
            messages.iter().map(NewEntry::message).collect::<Result<_, _>>()?;
        entries.iter().map(|entry| self.append(entry)).collect()
    }

    /// Flue's `appendBranchSummary`: a summary at the leaf of a branch that ended at `from_id`.
    ///
    /// # Errors
    /// Those of [`SessionStore::append`].
    pub fn append_branch_summary(
        &mut self,
        summary: &str,
        from_id: &str,
    ) -> Result<String, StoreError> {
        self.append(&NewEntry::branch_summary(from_id, summary)?)
    }

    /// Flue's `removeLeafMessage`: takes a failed message back before it is tried again.
    /// What is in a file stays there, since that only grows: the leaf goes above it.
    /// `None` where the leaf is no message.
    pub fn remove_failed_leaf(&mut self) -> Option<Removed> {
        let leaf = self.leaf?;
        if !matches!(self.parsed(leaf).body, Body::Message(_)) {
            return None;
        }
        self.leaf = self.index.parent(leaf);
        let is_last = self.index.check_room().is_ok_and(|next| next.get() == leaf.get() + 1);
        let is_written = matches!(self.log, Log::File(_));
        if is_written || !is_last || self.index.label(leaf).is_some() {
            return Some(Removed::BranchedPast);
        }
        if let Some(Place::Source { start, .. }) = self.index.pop() {
            self.bytes.truncate(start);
        }
        self.forget_removed();
        Some(Removed::Gone)
    }

    /// Chimera's `add_message`: below an entry, or below the leaf.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for the parent, [`StoreError::InvalidMessage`], and those of [`SessionStore::append`].
    pub fn add_message(
        &mut self,
        message: &impl Serialize,
        parent: Option<&str>,
    ) -> Result<String, StoreError> {
        let entry = NewEntry::message(message)?;
        match parent {
            Some(parent) => self.append_at(Some(parent), &entry),
            None => self.append(&entry),
        }
    }

    /// Chimera's `fork`: the next entry begins a branch at this one.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn fork(&mut self, id: &str) -> Result<(), StoreError> {
        self.branch(id)
    }

    /// Chimera's `switch_branch`: goes on at another leaf.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn switch_branch(&mut self, leaf_id: &str) -> Result<(), StoreError> {
        self.branch(leaf_id)
    }

    /// Chimera's `summarize_branch`: a summary at a leaf in place of all before it.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for the entry, and those of [`SessionStore::append`].
    pub fn summarize_branch(&mut self, leaf_id: &str, summary: &str) -> Result<String, StoreError> {
        self.append_at(Some(leaf_id), &NewEntry::compaction(summary, None, 0)?)
    }
}
