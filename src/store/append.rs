//! Appending: one line, one record, the leaf moves.
//!
//! All ends in `add_at_time`: what an entry is about must be there, the line is made, written, and only then does the
//! index know of it. A session of pi has no file before its first prompt or response; what came before is written
//! with it.

use serde::Serialize;

use crate::session::message::Message;
use crate::session::{Body, Label, time};

use super::index::At;
use super::log::{Log, LogFile};
use super::shape::{self, Position};
use super::{NewEntry, SessionStore, StoreError};
use crate::session::time::now;

impl SessionStore {
    /// Adds an entry below the leaf, or as a root where there is none, and moves
    /// the leaf to it. Gives its id.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for an entry about another that is not there;
    /// [`StoreError::Io`] and others when the file cannot take it.
    pub fn append(&mut self, entry: &NewEntry) -> Result<String, StoreError> {
        self.add(self.leaf, entry)
    }

    /// The same below any entry, or as another root.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for the parent, and those of [`SessionStore::append`].
    pub fn append_at(
        &mut self,
        parent: Option<&str>,
        entry: &NewEntry,
    ) -> Result<String, StoreError> {
        let parent = parent.map(|id| self.at(id)).transpose()?;
        self.add(parent, entry)
    }

    /// A message, as [`NewEntry::message`] takes it.
    ///
    /// # Errors
    /// [`StoreError::InvalidMessage`], and those of [`SessionStore::append`].
    pub fn append_message(&mut self, message: &impl Serialize) -> Result<String, StoreError> {
        self.append(&NewEntry::message(message)?)
    }

    /// Another thinking level.
    ///
    /// # Errors
    /// Those of [`SessionStore::append`].
    pub fn append_thinking_level(&mut self, level: &str) -> Result<String, StoreError> {
        self.append(&NewEntry::thinking_level(level)?)
    }

    /// Another model.
    ///
    /// # Errors
    /// Those of [`SessionStore::append`].
    pub fn append_model(&mut self, provider: &str, model_id: &str) -> Result<String, StoreError> {
        self.append(&NewEntry::model(provider, model_id)?)
    }

    /// A summary in place of what lies before an entry, or of everything. `tokens_before` is the size of the
    /// context until then, in tokens.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for the first entry that is kept, and those of [`SessionStore::append`].
    pub fn append_compaction(
        &mut self,
        summary: &str,
        first_kept_id: Option<&str>,
        tokens_before: u64,
    ) -> Result<String, StoreError> {
        self.append(&NewEntry::compaction(summary, first_kept_id, tokens_before)?)
    }

    /// An extension's state.
    ///
    /// # Errors
    /// Those of [`SessionStore::append`].
    pub fn append_custom(
        &mut self,
        custom_type: &str,
        data: &impl Serialize,
    ) -> Result<String, StoreError> {
        self.append(&NewEntry::custom(custom_type)?.with("data", data)?)
    }

    /// An extension's message.
    ///
    /// # Errors
    /// [`StoreError::Json`], and those of [`SessionStore::append`].
    pub fn append_custom_message(
        &mut self,
        custom_type: &str,
        content: &impl Serialize,
        display: bool,
    ) -> Result<String, StoreError> {
        self.append(&NewEntry::custom_message(custom_type, content, display)?)
    }

    /// A name for an entry; none or an empty one clears it. The label entry
    /// becomes the leaf, as everything that is appended.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for the entry, and those of [`SessionStore::append`].
    pub fn append_label(
        &mut self,
        target_id: &str,
        label: Option<&str>,
    ) -> Result<String, StoreError> {
        self.append(&NewEntry::label(target_id, label)?)
    }

    /// The session's name; an empty one clears it in pi. In oh-my-pi's files this is the title: its
    /// line on top is overwritten, and an entry tells of the change.
    ///
    /// # Errors
    /// Those of [`SessionStore::append`], and [`StoreError::EmptyTitle`].
    pub fn append_session_info(&mut self, name: &str) -> Result<String, StoreError> {
        self.append(&NewEntry::session_info(name)?)
    }

    /// The agent's mode; `none` ends it.
    ///
    /// # Errors
    /// Those of [`SessionStore::append`].
    pub fn append_mode(&mut self, mode: &str) -> Result<String, StoreError> {
        self.append(&NewEntry::mode(mode)?)
    }

    /// How a sub-agent was started.
    ///
    /// # Errors
    /// Those of [`SessionStore::append`].
    pub fn append_session_init(
        &mut self,
        system_prompt: &str,
        task: &str,
        tools: &[&str],
    ) -> Result<String, StoreError> {
        self.append(&NewEntry::session_init(system_prompt, task, tools)?)
    }

    /// Rules that were put before the model in mid-answer.
    ///
    /// # Errors
    /// Those of [`SessionStore::append`].
    pub fn append_ttsr_injection(&mut self, rules: &[&str]) -> Result<String, StoreError> {
        self.append(&NewEntry::ttsr_injection(rules)?)
    }

    pub(super) fn add(
        &mut self,
        parent: Option<At>,
        entry: &NewEntry,
    ) -> Result<String, StoreError> {
        self.add_at_time(parent, entry, now())
    }

    pub(super) fn add_at_time(
        &mut self,
        parent: Option<At>,
        entry: &NewEntry,
        time: i64,
    ) -> Result<String, StoreError> {
        let target = entry.target().map(|id| self.at(id)).transpose()?;
        if let Some(target) = target.filter(|_| entry.is_edit())
            && !is_editable(&self.parsed(target).body)
        {
            return Err(StoreError::NotEditable(self.index.id(target).to_owned()));
        }
        let entry = &*self.worded(entry)?;
        let id = self.new_id()?;
        let position = Position {
            id: &id,
            parent: parent.map(|at| self.index.id(at)),
            time: &time::iso(time),
        };
        let line = shape::line(self.agent, entry, position)?;
        self.index.check_room()?;
        if entry.is_title() {
            self.write_title(entry, &line, time)?;
        } else {
            self.write(line.as_bytes(), self.starts_file(entry.role()))?;
        }

        self.push(&id, parent, &line)?;
        if let Some(target) = target.filter(|_| entry.is_label()) {
            let label = entry.text("label").map(|text| Label { text, time: Some(time) });
            self.index.set_label(target, label);
        }
        Ok(id)
    }

    /// Whether a file begins with a message of this role.
    pub(super) fn starts_file(&self, role: Option<&str>) -> bool {
        role.is_some_and(|role| role == "assistant" || role == self.agent.rules().file_begins)
    }

    /// Brings a line to the file, if there is one or if it begins to be there with this one.
    pub(super) fn write(&mut self, line: &[u8], starts_file: bool) -> Result<(), StoreError> {
        match &mut self.log {
            Log::File(file) => file.append(line),
            Log::Planned(path) if starts_file => {
                let path = path.clone();
                let lines = [self.bytes.as_slice(), line].concat();
                self.log = Log::File(LogFile::create(&path, &lines, self.sync)?);
                Ok(())
            }
            Log::Memory | Log::Planned(_) => Ok(()),
        }
    }

    /// Eight hex digits that no other entry of the session has.
    pub(super) fn new_id(&self) -> Result<String, StoreError> {
        /// As often as pi tries before it takes a whole UUID.
        const ATTEMPTS: usize = 100;
        for _ in 0..ATTEMPTS {
            let number = getrandom::u32().map_err(|_| StoreError::NoRandom)?;
            let id = format!("{number:08x}");
            if self.index.find(&id).is_none() {
                return Ok(id);
            }
        }
        Ok(uuid::Uuid::now_v7().to_string())
    }

    /// The number of an entry.
    pub(super) fn at(&self, id: &str) -> Result<At, StoreError> {
        self.index.find(id).ok_or_else(|| StoreError::NotFound(id.to_owned()))
    }
}

/// What pi edits for the model; it writes no edit of anything else.
fn is_editable(body: &Body<'_>) -> bool {
    match body {
        Body::CustomMessage(_) => true,
        Body::Message(message) => matches!(
            message,
            Message::User(_) | Message::Assistant(_) | Message::ToolResult(_) | Message::Custom(_)
        ),
        _ => false,
    }
}
