//! The operations of pi's tree proposal: going back with a summary, and taking single messages
//! from other branches. Nothing is taken out of the file; what is left is on another branch.

use crate::session::message::Message;
use crate::session::{Body, Place, time};

use super::events::Moved;
use super::index::At;
use super::line::copied;
use super::{Events, MoveOptions, MovePlan, Outcome, SessionStore, StoreError};
use crate::session::time::now;

impl SessionStore {
    /// `/pop`: goes back to an entry, or to the prompt before the leaf, and leaves a summary there
    /// of what came after it. The entry stays in the context.
    ///
    /// # Errors
    /// [`StoreError::NotFound`]; [`StoreError::NothingToPop`] without a prompt before the leaf;
    /// those of the summary and of writing, after which the leaf is where it was.
    pub fn pop(
        &mut self,
        to: Option<&str>,
        options: &MoveOptions,
        events: &mut dyn Events,
    ) -> Result<Outcome<Moved>, StoreError> {
        let to = match to {
            Some(id) => self.at(id)?,
            None => self.previous_prompt().ok_or(StoreError::NothingToPop)?,
        };
        if self.leaf == Some(to) {
            return Ok(Outcome::Unchanged);
        }
        let id = self.index.id(to).to_owned();
        let plan = MovePlan {
            new_leaf_id: Some(id.clone()),
            editor_text: None,
            wants_summary: true,
            instructions: options.instructions.clone(),
            ..self.plan_move(&id)?
        };
        self.move_by(plan, options, events)
    }

    /// The last prompt above the leaf.
    fn previous_prompt(&self) -> Option<At> {
        let above = self.index.ancestors(self.leaf?).skip(1);
        above
            .into_iter()
            .find(|&at| matches!(self.parsed(at).body, Body::Message(Message::User(_))))
    }

    /// The proposal's older `stack_pop`: goes back to an entry by its number in the file, the
    /// header being 0, with a summary that is at hand. Gives the summary's id.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for a number that no entry has; those of writing.
    pub fn stack_pop(
        &mut self,
        back_to_index: usize,
        summary: &str,
        pre_pop_summary: Option<&str>,
    ) -> Result<String, StoreError> {
        let at = back_to_index.checked_sub(1).and_then(|nth| self.all().nth(nth));
        let id = at.map(|at| self.index.id(at).to_owned());
        let id = id.ok_or_else(|| StoreError::NotFound(back_to_index.to_string()))?;
        let mut entry = self.branch_summary_at(Some(&id), summary)?;
        if let Some(before) = pre_pop_summary {
            entry = entry.with("details", &serde_json::json!({"prePopSummary": before}))?;
        }
        self.append_at(Some(&id), &entry)
    }

    /// `/switch`: goes on at the branch that an entry ends.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn switch(&mut self, id: &str) -> Result<(), StoreError> {
        self.branch(id)
    }

    /// `/cherry-pick`: copies a message of any branch to the leaf. Gives the copy's id. The copy
    /// holds what the original holds; the usage of a response then counts twice.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::NotAMessage`], and those of writing.
    pub fn cherry_pick(&mut self, id: &str) -> Result<String, StoreError> {
        let at = self.at(id)?;
        let body = self.parsed(at).body;
        let role = match &body {
            Body::Message(message) => Some(message.role().to_owned()),
            Body::CustomMessage(_) => None,
            _ => return Err(StoreError::NotAMessage(id.to_owned())),
        };
        drop(body);
        let new_id = self.new_id()?;
        let parent = self.leaf.map(|leaf| self.index.id(leaf));
        let line = copied(self.text(at), &new_id, parent, &time::iso(now()));
        self.index.check_room()?;
        self.write(line.as_bytes(), self.starts_file(role.as_deref()))?;
        self.push(&new_id, self.leaf, &line)?;
        Ok(new_id)
    }

    /// `/merge`: copies the messages that a branch has and the path to the leaf has not. Gives the
    /// ids of the copies, in the order of the branch.
    ///
    /// # Errors
    /// As [`SessionStore::cherry_pick`]; what was copied before stays.
    pub fn merge(&mut self, leaf_id: &str) -> Result<Vec<String>, StoreError> {
        let (_, own) = self.left_behind(Some(self.at(leaf_id)?), self.leaf);
        let own = self.ids(&own).into_iter().map(str::to_owned);
        let is_message = |id: &String| {
            let body = self.entry(id).map(|entry| entry.body);
            matches!(body, Some(Body::Message(_) | Body::CustomMessage(_)))
        };
        let messages: Vec<String> = own.filter(is_message).collect();
        messages.iter().map(|id| self.cherry_pick(id)).collect()
    }

    /// Takes over a line that was written, as the new leaf.
    pub(super) fn push(
        &mut self,
        id: &str,
        parent: Option<At>,
        line: &str,
    ) -> Result<At, StoreError> {
        let place = Place::Source { start: self.bytes.len(), len: line.len() - 1 };
        self.bytes.extend_from_slice(line.as_bytes());
        let at = self.index.push(id, parent, place)?;
        self.leaf = Some(at);
        self.session_goes_on();
        Ok(at)
    }
}
