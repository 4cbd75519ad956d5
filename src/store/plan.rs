//! What a move of the leaf leaves behind.

use std::collections::HashSet;

use crate::session::Body;
use crate::session::json::Json;
use crate::session::message::{Message, joined_text};

use super::index::At;
use super::rules::TakenBack;
use super::{SessionStore, StoreError};

/// A move of the leaf to an entry, before it is done.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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
        let (ancestor, left) = self.left_behind(self.leaf, Some(target));
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
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn common_ancestor(&self, a: &str, b: &str) -> Result<Option<&str>, StoreError> {
        let (ancestor, _) = self.left_behind(Some(self.at(a)?), Some(self.at(b)?));
        Ok(ancestor.map(|at| self.index.id(at)))
    }

    /// The entries that a move from one leaf to an entry would leave behind: from their common
    /// ancestor, which is not among them, to the old leaf.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn entries_to_summarize(
        &self,
        old_leaf: Option<&str>,
        target: &str,
    ) -> Result<Vec<&str>, StoreError> {
        let old = old_leaf.map(|id| self.at(id)).transpose()?;
        let (_, left) = self.left_behind(old, Some(self.at(target)?));
        Ok(self.ids(&left))
    }

    /// The deepest entry on the paths to both, and what comes after it on the path to the old leaf.
    pub(super) fn left_behind(
        &self,
        old_leaf: Option<At>,
        target: Option<At>,
    ) -> (Option<At>, Vec<At>) {
        let Some(old_leaf) = old_leaf else { return (None, Vec::new()) };
        let kept: HashSet<At> =
            target.map(|at| self.index.ancestors(at).collect()).unwrap_or_default();
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
        let custom = match self.parsed(at).body {
            Body::Message(Message::User(content)) => return Some(joined_text(&content, "")),
            Body::Message(Message::Custom(custom)) if custom.is_prompt() => custom,
            Body::CustomMessage(custom) => custom,
            _ => return None,
        };
        let text = || joined_text(&custom.content, "");
        if self.agent.rules().taken_back == TakenBack::AllAboveLeaf {
            return Some(text());
        }
        let is_skill = custom.custom_type == SKILL_PROMPT;
        let called = custom.details.as_ref().filter(|_| is_skill && custom.is_prompt());
        called.and_then(skill_call).or_else(|| (custom.is_prompt() || !is_skill).then(text))
    }
}

/// The type of a message that holds a skill's text.
const SKILL_PROMPT: &str = "skill-prompt";

/// What a person typed to call a skill (oh-my-pi).
fn skill_call(details: &Json<'_>) -> Option<String> {
    let text = |key| details.get(key).and_then(Json::as_str).map(str::trim);
    let text = |key| text(key).filter(|text| !text.is_empty()).map(str::to_owned);
    let called = || {
        let (name, args) = (text("name"), text("args"));
        match (name, args) {
            (Some(name), Some(args)) => Some(format!("/skill:{name} {args}")),
            (Some(name), None) => Some(format!("/skill:{name}")),
            (None, args) => args,
        }
    };
    text("__queueChipText").or_else(|| text("prompt")).or_else(called)
}
