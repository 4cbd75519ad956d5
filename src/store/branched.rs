//! A path as a session of its own.
//!
//! The entries of the path are copied line by line with their ids and times, as pi does (`createBranchedSession`).
//! Labels are not copied but given anew at the end, so what hung from a label's entry hangs from the one before it.
//! The new store is complete before the old one changes anything.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::session::message::Message;
use crate::session::{Body, Label, Place};

use super::events::BranchPlan;
use super::index::At;
use super::line::{anchored, placed};
use super::log::{self, Log, LogFile};
use super::navigate::is_user_message;
use super::{Inherited, NewEntry, NewSession, SessionStore, StoreError};
use crate::session::time::now;

impl SessionStore {
    /// Goes on with the path to an entry as a session of its own, in a new file
    /// beside this one. Gives that file, which exists once it holds a prompt or a response
    /// (oh-my-pi: at once); `None` in memory, where the path takes the place of all entries.
    ///
    /// The entries keep their ids and times. Label entries are not copied: labels
    /// in force on the path are written anew behind it, and what was below a label
    /// entry hangs from the entry before.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for the entry; [`StoreError::Io`] and others where the new file cannot be written.
    pub fn create_branched_session(&mut self, id: &str) -> Result<Option<PathBuf>, StoreError> {
        *self = match self.path() {
            Some(_) => self.branched_beside(id)?,
            None => self.branched(id, |_| Log::Memory)?,
        };
        Ok(self.path().map(Path::to_owned))
    }

    /// The path to an entry as a session in a new file beside this one's, named as pi names
    /// them. This store stays at the session that it has.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for the entry; [`StoreError::Io`] and others where the new file cannot be written.
    pub fn branched_beside(&self, id: &str) -> Result<SessionStore, StoreError> {
        let folder = self.own_folder();
        self.branched(id, |name| Log::Planned(folder.join(name)))
    }

    /// The path to an entry as a session in a file of its own, where nothing may be
    /// yet. This store stays at the session that it has.
    ///
    /// # Errors
    /// [`StoreError::Exists`] where something is at the path; [`StoreError::NotFound`] for the entry; those of writing.
    pub fn branched_to(
        &self,
        id: &str,
        path: impl AsRef<Path>,
    ) -> Result<SessionStore, StoreError> {
        let path = path.as_ref();
        if path.symlink_metadata().is_ok() {
            return Err(StoreError::Exists(path.to_owned()));
        }
        self.branched(id, |_| Log::Planned(path.to_owned()))
    }

    /// What a branch that ends before a prompt takes along, and the prompt's text for editing.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::NotAPrompt`].
    pub fn plan_branch(&self, prompt_id: &str) -> Result<BranchPlan, StoreError> {
        let at = self.at(prompt_id)?;
        let is_prompt = is_user_message(&self.parsed(at).body);
        let Some(text) = self.prompt(at).filter(|_| is_prompt) else {
            return Err(StoreError::NotAPrompt(prompt_id.to_owned()));
        };
        let leaf_id = self.index.parent(at).map(|at| self.index.id(at).to_owned());
        Ok(BranchPlan { prompt_id: prompt_id.to_owned(), text, leaf_id })
    }

    /// The path to a prompt, without it, as a session in a file of its own: at `to`, where nothing
    /// may be yet, or beside this one's, named as pi names them. At the first prompt of all, that
    /// is a new and empty session. This store stays at the session that it has.
    ///
    /// # Errors
    /// [`StoreError::Exists`] where something is at the path; [`StoreError::NotFound`] where the plan is of another session; those
    /// of writing.
    pub fn branched_before(
        &self,
        plan: &BranchPlan,
        to: Option<&Path>,
    ) -> Result<SessionStore, StoreError> {
        let folder = self.own_folder();
        match to {
            Some(to) if to.symlink_metadata().is_ok() => Err(StoreError::Exists(to.to_owned())),
            _ => self.branched_from(plan.leaf_id.as_deref(), |name| {
                Log::Planned(to.map_or_else(|| folder.join(name), Path::to_owned))
            }),
        }
    }

    /// The path to an entry as a session of its own; without one an empty session.
    pub(super) fn branched_from(
        &self,
        leaf_id: Option<&str>,
        log: impl FnOnce(&str) -> Log,
    ) -> Result<SessionStore, StoreError> {
        let Some(leaf_id) = leaf_id else {
            let mut next =
                SessionStore::begin(self.successor(), Inherited::default(), log, self.sync)?;
            if self.agent.rules().writes_branch_at_once {
                next.ensure_written()?;
            }
            next.take_title_of(self)?;
            return Ok(next);
        };
        self.branched(leaf_id, log)
    }

    /// The folder of the session's file.
    fn own_folder(&self) -> &Path {
        let own = self.read_from.as_deref().or(self.path());
        own.map_or(Path::new("."), log::folder)
    }

    /// Makes the session's file even without a prompt or an answer.
    ///
    /// # Errors
    /// [`StoreError::Exists`] and [`StoreError::Io`]; the session stays in memory then.
    pub fn ensure_written(&mut self) -> Result<(), StoreError> {
        if let Log::Planned(path) = &self.log {
            self.log = Log::File(LogFile::create(path, &self.bytes, self.sync)?);
        }
        Ok(())
    }

    /// The facts of a session that goes on from this one.
    pub(super) fn successor(&self) -> NewSession {
        NewSession {
            agent: self.agent,
            id: None,
            cwd: Some(self.header.cwd.clone()),
            parent_session: self.origin(),
        }
    }

    fn branched(
        &self,
        id: &str,
        log: impl FnOnce(&str) -> Log,
    ) -> Result<SessionStore, StoreError> {
        let path = self.index.path(self.at(id)?);
        let new = self.successor();
        let mut next = SessionStore::begin(new, self.inherited.clone(), log, self.sync)?;
        let labels: Vec<bool> = path.iter().map(|&at| self.is_label(at)).collect();
        let stands_for = self.stand_ins(&path, &labels);
        let mut has_message = false;
        let mut parent: Option<At> = None;
        for (&at, _) in path.iter().zip(&labels).filter(|&(_, &is_label)| !is_label) {
            let entry = self.parsed(at);
            has_message |= self.starts_file(role(&entry.body));
            let parent_id = parent.map(|at| next.index.id(at).to_owned());
            let mut text = placed(self.text(at), self.index.id(at), parent_id.as_deref());
            if matches!(entry.body, Body::Compaction(_)) {
                text = anchored(text, &stands_for);
            }
            parent = Some(next.copy(self.index.id(at), parent, &text)?);
        }
        next.leaf = parent;
        for (at, label) in self.index.labels() {
            self.copy_label(&mut next, at, label)?;
        }
        if has_message || self.agent.rules().writes_branch_at_once {
            next.ensure_written()?;
        }
        Ok(next)
    }

    /// What goes on where a label entry was: the next entry of the path that is none.
    fn stand_ins(&self, path: &[At], labels: &[bool]) -> HashMap<&str, &str> {
        let mut stands_for = HashMap::new();
        let mut next: Option<At> = None;
        for (&at, &is_label) in path.iter().zip(labels).rev() {
            match next {
                Some(next) if is_label => {
                    stands_for.insert(self.index.id(at), self.index.id(next));
                }
                _ if is_label => {}
                _ => next = Some(at),
            }
        }
        stands_for
    }

    fn is_label(&self, at: At) -> bool {
        matches!(self.parsed(at).body, Body::Label { .. })
    }

    /// Takes over an entry as it is. Nothing is written yet.
    fn copy(&mut self, id: &str, parent: Option<At>, text: &str) -> Result<At, StoreError> {
        let place = Place::Source { start: self.bytes.len(), len: text.len() };
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(b'\n');
        self.index.push(id, parent, place)
    }

    fn copy_label(&self, next: &mut SessionStore, at: At, label: &Label) -> Result<(), StoreError> {
        let id = self.index.id(at);
        if next.index.find(id).is_some() {
            let entry = NewEntry::label(id, Some(&label.text))?;
            let own = label.time.filter(|_| self.agent.rules().keeps_label_times);
            next.add_at_time(next.leaf, &entry, own.unwrap_or_else(now))?;
        }
        Ok(())
    }
}

/// The role of a prompt or a response.
fn role(body: &Body<'_>) -> Option<&'static str> {
    match body {
        Body::Message(Message::User(_)) => Some("user"),
        Body::Message(Message::Assistant(_)) => Some("assistant"),
        _ => None,
    }
}
