//! The store: an append-only session tree that an agent writes, in pi's format
//! (version 3) or oh-my-pi's, on disk or in memory alone.
//!
//! Each append makes a child of the leaf and moves the leaf to it; branching moves
//! the leaf alone and writes nothing. One entry is one write of one line.
//!
//! * A file begins to exist at the first prompt or response (oh-my-pi: at the first response);
//!   entries before it wait.
//! * One store writes a file: a second one is refused ([`StoreError::Locked`]).
//!   Others may read it at any time, with [`crate::read`].
//! * An operation that fails has changed neither the file nor the store.
//! * Appending costs the same however long the session is; opening is linear.
//!
//! [`SessionStore::context`] is what the model gets at the leaf, before each turn. What the
//! tree looks like and how the page is made is answered by a [`Session`], which
//! [`SessionStore::session`] gives.
//!
//! ```
//! use leafpress::store::{NewSession, SessionStore};
//! use serde_json::json;
//!
//! let mut store = SessionStore::in_memory(NewSession::default())?;
//! let prompt = store.append_message(&json!({"role": "user", "content": "Hello"}))?;
//! store.append_message(&json!({"role": "assistant", "content": [{"type": "text", "text": "Hi"}]}))?;
//! store.branch(&prompt)?;
//! assert_eq!(store.leaf(), Some(prompt.as_str()));
//! # Ok::<(), leafpress::store::StoreError>(())
//! ```

mod agent;
mod append;
mod branched;
mod context;
mod error;
mod events;
mod first_lines;
mod index;
mod line;
mod listeners;
mod log;
mod migrate;
mod names;
mod navigate;
mod new_entry;
mod new_session;
mod open;
mod plan;
mod rules;
mod session;
mod shape;
mod stack;
mod tasks;
#[cfg(test)]
mod tests;
mod title;
mod title_line;
mod tree;
mod turn;
mod usage;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use crate::session::context::FactList;
use crate::session::{Header, Session};

pub use agent::Agent;
pub use error::StoreError;
pub use events::{
    Abort, AgentStart, AgentStarted, BranchPlan, Branched, Compacted, Compacting, CompactionPlan,
    Events, Moved, StartChanges, Summary, Verdict,
};
use first_lines::Opened;
use index::{At, Index};
pub use listeners::Listeners;
use log::Log;
pub use log::Sync;
pub use migrate::{Migrated, migrate};
pub use names::Removed;
pub use navigate::{MoveOptions, Outcome};
pub use new_entry::NewEntry;
use new_session::Inherited;
pub use new_session::NewSession;
pub use plan::MovePlan;
pub use tasks::{TaskSession, delete_session_tree};

/// A session that is being written.
///
/// ```
/// use leafpress::store::{NewSession, SessionStore};
/// use serde_json::json;
///
/// let mut store = SessionStore::in_memory(NewSession::new().cwd("/work"))?;
/// let prompt = store.append_message(&json!({"role": "user", "content": "Sort these names"}))?;
/// store.append_message(&json!({"role": "assistant", "content": [{"type": "text", "text": "Ana, Bo"}]}))?;
/// store.branch(&prompt)?;
/// store.append_message(&json!({"role": "assistant", "content": [{"type": "text", "text": "Bo, Ana"}]}))?;
/// assert_eq!(store.leaves().len(), 2);
/// let context = store.model_context().expect("there are entries");
/// assert_eq!(context.messages.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SessionStore {
    agent: Agent,
    header: Header,
    inherited: Inherited,
    log: Log,
    sync: Sync,
    /// All lines, the header first, as they stand in the file or wait for it.
    bytes: Vec<u8>,
    /// Lines that had to be repaired to be read.
    repaired: Vec<String>,
    index: Index,
    leaf: Option<At>,
    /// The file that the session was read from without being written.
    read_from: Option<PathBuf>,
    /// How long it was then, in bytes.
    read_len: usize,
    /// Made when asked for, gone with the next entry.
    session: OnceLock<Option<Session>>,
    /// What it was before the next entry: it is made from that.
    session_before: Mutex<Option<Session>>,
    /// What the entries mean to the context, by entry, as far as that was asked for.
    facts: Mutex<FactList<'static>>,
}

impl SessionStore {
    /// A session without a file.
    ///
    /// # Errors
    /// [`StoreError::InvalidId`], [`StoreError::NoRandom`].
    pub fn in_memory(new: NewSession) -> Result<SessionStore, StoreError> {
        SessionStore::begin(new, Inherited::default(), |_| Log::Memory, Sync::default())
    }

    /// A session to be written to `path`, where nothing may be yet. The file is
    /// made at the first prompt or answer.
    ///
    /// # Errors
    /// [`StoreError::Exists`], [`StoreError::InvalidId`], [`StoreError::NoRandom`].
    pub fn create(path: impl AsRef<Path>, new: NewSession) -> Result<SessionStore, StoreError> {
        let path = path.as_ref();
        if path.symlink_metadata().is_ok() {
            return Err(StoreError::Exists(path.to_owned()));
        }
        let log = |_: &str| Log::Planned(path.to_owned());
        SessionStore::begin(new, Inherited::default(), log, Sync::default())
    }

    /// A session to be written into a folder, to a file named after its time and id as pi names it.
    ///
    /// # Errors
    /// [`StoreError::InvalidId`], [`StoreError::NoRandom`].
    pub fn create_in(
        folder: impl AsRef<Path>,
        new: NewSession,
    ) -> Result<SessionStore, StoreError> {
        let folder = folder.as_ref();
        let log = |name: &str| Log::Planned(folder.join(name));
        SessionStore::begin(new, Inherited::default(), log, Sync::default())
    }

    /// When to push entries through to the disk.
    #[must_use]
    pub fn with_sync(mut self, sync: Sync) -> SessionStore {
        self.sync = sync;
        if let Log::File(file) = &mut self.log {
            file.sync(sync);
        }
        self
    }

    /// Starts another session in the same folder, or in memory; this one stays as it is on disk.
    ///
    /// # Errors
    /// [`StoreError::InvalidId`]; the session at hand goes on then.
    pub fn new_session(&mut self, new: NewSession) -> Result<(), StoreError> {
        let folder = self.path().map(|path| log::folder(path).to_owned());
        let log = |name: &str| folder.map_or(Log::Memory, |folder| Log::Planned(folder.join(name)));
        *self = SessionStore::begin(new, Inherited::default(), log, self.sync)?;
        Ok(())
    }

    fn begin(
        new: NewSession,
        inherited: Inherited,
        log: impl FnOnce(&str) -> Log,
        sync: Sync,
    ) -> Result<SessionStore, StoreError> {
        let agent = new.agent;
        let (header, lines) = new.header(&inherited)?;
        let name = new_session::file_name(&header);
        let opened = Opened { agent, header, inherited };
        let mut store = SessionStore::empty(opened, log(&name));
        store.sync = sync;
        store.bytes = lines.into_bytes();
        Ok(store)
    }

    /// The agent whose format the session is written in.
    pub fn agent(&self) -> Agent {
        self.agent
    }

    /// The session's id.
    pub fn id(&self) -> &str {
        &self.header.id
    }

    /// What the session says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The session's file, which may not be there yet; `None` in memory.
    pub fn path(&self) -> Option<&Path> {
        self.log.path()
    }

    /// The file to name as the parent of a session that goes on from this one.
    fn origin(&self) -> Option<String> {
        let path =
            self.read_from.as_deref().or_else(|| self.path().filter(|_| self.is_written()))?;
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Some(path.display().to_string())
    }

    /// Whether the session is in a file by now.
    pub fn is_written(&self) -> bool {
        matches!(self.log, Log::File(_))
    }

    /// Whether the file is still what was read and written here.
    ///
    /// # Errors
    /// [`StoreError::Changed`], [`StoreError::Gone`].
    pub fn check(&mut self) -> Result<(), StoreError> {
        if let Some(path) = &self.read_from {
            let metadata = fs::metadata(path).map_err(|_| StoreError::Gone(path.clone()))?;
            let is_same = usize::try_from(metadata.len()).is_ok_and(|len| len == self.read_len);
            return if is_same { Ok(()) } else { Err(StoreError::Changed(path.clone())) };
        }
        match &mut self.log {
            Log::File(file) => file.check(),
            Log::Memory | Log::Planned(_) => Ok(()),
        }
    }

    /// Pushes all that was written through to the disk.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn flush(&self) -> Result<(), StoreError> {
        match &self.log {
            Log::File(file) => file.flush(),
            Log::Memory | Log::Planned(_) => Ok(()),
        }
    }

    /// The session as it is now, for its tree, its contexts and its page; `None`
    /// without an entry. It is read once; later only the entries that were added are. Its tree is linear in its length,
    /// and kept until the next entry.
    ///
    /// Its own leaf is its last entry, as for anyone who opens the file;
    /// [`SessionStore::leaf`] is where the store stands.
    pub fn session(&self) -> Option<&Session> {
        self.session.get_or_init(|| self.extended().or_else(|| self.read_anew())).as_ref()
    }
}
