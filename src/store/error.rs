//! What an operation on a store can end with.

use std::io;
use std::path::PathBuf;

use super::Agent;

/// Why nothing was done: neither the file nor the store has changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// An id that no entry has.
    #[error("entry `{0}` not found")]
    NotFound(String),
    /// Another process, or another store of this one, writes the file.
    #[error("failed to open `{}`: another process is writing to it", .0.display())]
    Locked(PathBuf),
    /// Somebody who takes no lock wrote to the file since it was read.
    #[error("another program changed `{}`", .0.display())]
    Changed(PathBuf),
    /// The file was deleted, or another was put in its place.
    #[error("another program deleted or replaced `{}`", .0.display())]
    Gone(PathBuf),
    /// A new session would replace a file.
    #[error("failed to create `{}`: the file exists", .0.display())]
    Exists(PathBuf),
    /// Reading or writing failed.
    #[error("failed to {action} `{}`", path.display())]
    Io {
        /// What was tried, such as `write`.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is no session that begins with a header line.
    #[error("`{}` is not a pi or oh-my-pi session: {reason}", path.display())]
    NoSession {
        /// The file.
        path: PathBuf,
        /// What was there instead.
        reason: String,
    },
    /// A session of another program, which is only read.
    #[error("`{}` is not a pi or oh-my-pi session: its format is {found}", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// Whose it is.
        found: String,
    },
    /// The file has a version from after this program.
    #[error("unsupported session `{}`: its format version is {version}, newer than 3", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version, 4 or more.
        version: u32,
    },
    /// The file begins with a title line from after this program (oh-my-pi).
    #[error(
        "unsupported session `{}`: its title line has version {version}, newer than 1",
        path.display()
    )]
    NewerTitle {
        /// The file.
        path: PathBuf,
        /// Its version; 0 where it is no number.
        version: u32,
    },
    /// The file names another writer in its header.
    #[error("unsupported session `{}`: the program `{writer}` wrote it", path.display())]
    UnknownWriter {
        /// The file.
        path: PathBuf,
        /// As it calls itself.
        writer: String,
    },
    /// An entry of a type that the session's agent does not have.
    #[error("{agent} has no entries of type `{entry_type}`")]
    NoSuchEntry {
        /// The type.
        entry_type: &'static str,
        /// Whose session it is.
        agent: Agent,
    },
    /// oh-my-pi's sessions have a title that is not empty, or none yet.
    #[error("an oh-my-pi session cannot have an empty title")]
    EmptyTitle,
    /// An id for a session that cannot be part of a file's name.
    #[error("invalid session id `{0}`")]
    InvalidId(String),
    /// A message that cannot be an entry.
    #[error("invalid message: {0}")]
    InvalidMessage(String),
    /// Something that cannot be JSON.
    #[error("invalid JSON: {0}")]
    Json(String),
    /// The model's view of the entry cannot be edited.
    #[error("entry `{0}` has no message in the model's context that can be edited")]
    NotEditable(String),
    /// Only a prompt can be forked at.
    #[error("entry `{0}` is not a user message")]
    NotAPrompt(String),
    /// Only messages are copied to another branch.
    #[error("entry `{0}` is not a message")]
    NotAMessage(String),
    /// There is no prompt to go back to.
    #[error("no user message is before the leaf")]
    NothingToPop,
    /// A summary is wanted, and nobody is there to write it.
    #[error("no model available for summarization")]
    NoSummarizer,
    /// Whoever summarizes failed.
    #[error("failed to summarize: {0}")]
    Summary(String),
    /// The store holds as many entries as it can number.
    #[error("the session is full: it has 2^32 - 1 entries")]
    Full,
    /// The system gives no random numbers.
    #[error("the system provides no random numbers for a new id")]
    NoRandom,
}

impl StoreError {
    /// Of what JSON cannot hold.
    #[expect(clippy::needless_pass_by_value, reason = "it is for `map_err`")]
    pub(super) fn json(error: serde_json::Error) -> StoreError {
        StoreError::Json(error.to_string())
    }

    pub(super) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.into();
        move |source| StoreError::Io { action, path, source }
    }
}
