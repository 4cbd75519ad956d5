//! What an operation on a store can end with.

use std::io;
use std::path::PathBuf;

/// Why nothing was done: neither the file nor the store has changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// An id that no entry has.
    #[error("entry `{0}` not found")]
    NotFound(String),
    /// Another process, or another store of this one, writes the file.
    #[error("`{}` is being written by another process; end that one first", .0.display())]
    Locked(PathBuf),
    /// Somebody who takes no lock wrote to the file since it was read.
    #[error("`{}` was changed by another program meanwhile; open it again", .0.display())]
    Changed(PathBuf),
    /// The file was deleted, or another was put in its place.
    #[error("`{}` was deleted or replaced meanwhile; open it again", .0.display())]
    Gone(PathBuf),
    /// A new session would replace a file.
    #[error("`{}` is there already; open it, or name another", .0.display())]
    Exists(PathBuf),
    /// Reading or writing failed.
    #[error("failed to {action} `{}`: {source}", path.display())]
    Io {
        /// What was tried, such as `write`.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is no session that begins with a header line.
    #[error("`{}` is no session: {reason}", path.display())]
    NoSession {
        /// The file.
        path: PathBuf,
        /// What was there instead.
        reason: String,
    },
    /// A session of another program, which is only read.
    #[error("`{}` is a session of {found}; only files in pi's format are written, others are only read", path.display())]
    NotPi {
        /// The file.
        path: PathBuf,
        /// Whose it is.
        found: String,
    },
    /// The file has a version from after this program.
    #[error("`{}` has version {version} of the format; versions up to 3 are written", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// An id for a session that cannot be part of a file's name.
    #[error(
        "`{0}` is no id for a session: letters, digits, `.`, `_` and `-`, the first and last a letter or digit"
    )]
    InvalidId(String),
    /// A message that cannot be an entry.
    #[error("not a message: {0}")]
    InvalidMessage(String),
    /// Something that cannot be JSON.
    #[error("not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The model's view of the entry cannot be edited.
    #[error("entry `{0}` gives the model no message of its own that could be edited")]
    NotEditable(String),
    /// Only a prompt can be forked at.
    #[error("entry `{0}` is no user message; a fork begins at one")]
    NotAPrompt(String),
    /// A summary is wanted, and nobody is there to write it.
    #[error("no model available for summarization")]
    NoSummariser,
    /// Whoever summarises failed.
    #[error("failed to summarize: {0}")]
    Summary(String),
    /// The store holds as many entries as it can number.
    #[error("a session holds at most 2^32 - 1 entries")]
    Full,
    /// The system gives no random numbers.
    #[error("the system gives no random numbers for an id")]
    NoRandom,
}

impl StoreError {
    pub(super) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.into();
        move |source| StoreError::Io { action, path, source }
    }
}
