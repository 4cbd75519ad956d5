//! What a move of the leaf leaves behind.

use std::collections::HashSet;

use crate::session::Body;
use crate::session::message::{Message, joined_text};

use super::index::At;
use super::{SessionStore, StoreError};

/// A move of the leaf to an entry, before it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovePlan {
    /// The entry that was chosen.
    pub target_id: String,
    /// The leaf that is left.
    pub old_leaf_id: Option<String>,
    /// Where the leaf goes: the entry, or above it where a prompt was chosen;
    /// `None` is before all entries.
    pub new_leaf_id: Option<String>,
    /// The prompt that was chosen, to be edited and sent again.
    pub editor_text: Option<String>,
    /// The deepest entry on the paths to the old leaf and to the target.
    pub common_ancestor_id: Option<String>,
    /// The entries from there to the old leaf, in their order, of every type.
    pub entries_to_summarize: Vec<String>,
    /// Whether a summary of them was asked for.
    pub wants_summary: bool,
    /// What the summary should heed.
    pub instructions: Option<String>,
}

impl SessionStore {
    /// What a move of the leaf to an entry would do.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn plan_move(&self, target_id: &str) -> Result<MovePlan, StoreError> {
        let target = self.at(target_id)?;
        let (ancestor, left) = self.left_behind(self.leaf, target);
        let text = self.prompt(target);
        let new_leaf = if text.is_some() { self.index.parent(target) } else { Some(target) };
        let id = |at: At| self.index.id(at).to_owned();
        Ok(MovePlan {
            target_id: id(target),
            old_leaf_id: self.leaf.map(id),
            new_leaf_id: new_leaf.map(id),
            editor_text: text,
            common_ancestor_id: ancestor.map(id),
            entries_to_summarize: left.into_iter().map(id).collect(),
            wants_summary: false,
            instructions: None,
        })
    }

    /// The deepest entry on both paths; `None` under different roots.
    pub fn common_ancestor(&self, a: &str, b: &str) -> Result<Option<&str>, StoreError> {
        let (ancestor, _) = self.left_behind(Some(self.at(a)?), self.at(b)?);
        Ok(ancestor.map(|at| self.index.id(at)))
    }

    /// The entries that a move from one leaf to an entry would leave behind: from their common
    /// ancestor, which is not among them, to the old leaf.
    pub fn entries_to_summarize(
        &self,
        old_leaf: Option<&str>,
        target: &str,
    ) -> Result<Vec<&str>, StoreError> {
        let old = old_leaf.map(|id| self.at(id)).transpose()?;
        let (_, left) = self.left_behind(old, self.at(target)?);
        Ok(self.ids(&left))
    }

    fn left_behind(&self, old_leaf: Option<At>, target: At) -> (Option<At>, Vec<At>) {
        let Some(old_leaf) = old_leaf else { return (None, Vec::new()) };
        let kept: HashSet<At> = self.index.ancestors(target).collect();
        let mut left = Vec::new();
        let mut ancestor = None;
        for at in self.index.ancestors(old_leaf) {
            if kept.contains(&at) {
                ancestor = Some(at);
                break;
            }
            left.push(at);
        }
        left.reverse();
        (ancestor, left)
    }

    /// The text of an entry that a person would edit and send again.
    pub(super) fn prompt(&self, at: At) -> Option<String> {
        match self.parsed(at).body {
            Body::Message(Message::User(content)) => Some(joined_text(&content, "")),
            Body::CustomMessage(message) => Some(joined_text(&message.content, "")),
            _ => None,
        }
    }
}
