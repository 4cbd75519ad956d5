//! What can go wrong with copies of sessions.

use std::path::PathBuf;

use crate::session::text::{counted, numbered};

/// Why a session was not kept, or a copy not read.
#[derive(Debug, thiserror::Error)]
pub(in crate::cli) enum KeepError {
    /// The file that was to be copied holds no session.
    #[error("failed to keep `{}`: it is not a session", .0.display())]
    NotASession(PathBuf),
    /// Standard input is not what a hook gets.
    #[error("standard input is not the JSON of a hook: it has no `transcript_path`")]
    NoHook,
    /// No copy has this id.
    #[error("no session of the id `{0}` is kept")]
    NotKept(String),
    /// It names no session.
    #[error("`{0}` is not the id of a session, nor its first 6 characters or more")]
    NoId(String),
    /// Some files could not be copied.
    #[error("{} not kept", counted(*.0, "file"))]
    NotAllKept(usize),
    /// Some copies are not what was copied.
    #[error("{} damaged", numbered(*.0, "copy is", "copies are"))]
    Damaged(usize),
    /// Where a file was, another is now.
    #[error("failed to restore `{}`: the file there differs from its copy", .0.display())]
    Differs(PathBuf),
    /// A copy cannot be unpacked.
    #[error("failed to restore `{}`: its copy `{}` is damaged", original.display(), copy.display())]
    Unreadable {
        /// Where the file was.
        original: PathBuf,
        /// The copy.
        copy: PathBuf,
    },
    /// A copy is not to be written to.
    #[error("`{}` is a copy that leafpress keeps, and never changes", .0.display())]
    Changes(PathBuf),
}

impl KeepError {
    /// What to do about it.
    pub(in crate::cli) fn help(&self) -> Option<&'static str> {
        Some(match self {
            KeepError::NotKept(_) | KeepError::NoId(_) => {
                "`leafpress list -n 0` lists all sessions"
            }
            KeepError::NoHook => "`leafpress keep --session FILE` keeps a file",
            KeepError::Differs(_) => "write the copies to another directory with `-o DIR`",
            KeepError::Changes(_) => {
                "write it to another place with `leafpress keep --restore ID -o DIR`"
            }
            KeepError::Damaged(_) => {
                "move each damaged `.zst` and its `.index` away; the next `leafpress keep` copies \
                 those whose originals are there"
            }
            KeepError::Unreadable { .. } => "`leafpress keep --verify` checks all copies",
            KeepError::NotASession(_) | KeepError::NotAllKept(_) => return None,
        })
    }
}
