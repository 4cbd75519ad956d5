//! Why a file gives no session.

use crate::session::Format;
use crate::session::text::bytes;

/// Why there is no session in what was read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// More bytes than are read.
    #[error("it is larger than {}", size(*limit))]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// Compressed data that grows without bounds: nothing that a person wrote compresses so well.
    #[error("it decompresses to more than 100 times its size")]
    Bursts,
    /// Compressed data that cannot be decompressed.
    #[error("failed to decompress {compression} data: {reason}")]
    Decompress {
        /// `gzip` or `zstd`.
        compression: &'static str,
        /// What the decoder says, and how far it came.
        reason: String,
    },
    /// A ZIP archive; llama.app packs several sessions into one.
    #[error("it is a ZIP archive")]
    Zip,
    /// Nothing to show.
    #[error("no session entries found: {found}")]
    NoEntries {
        /// What was there instead.
        found: String,
    },
    /// Text, which may be the final answer of a run of any agent.
    #[error("it is plain text, not a session file")]
    PlainText,
    /// JSON, but not of any format known here.
    #[error("unknown session format: {found}")]
    #[non_exhaustive]
    Unknown {
        /// What is there instead.
        found: String,
        /// The format that it is most like.
        nearest: Option<Format>,
    },
    /// What an agent prints at the end of a run, where its transcript was expected.
    #[error("it is the final answer of a run, not its transcript; run with `{options}`")]
    FinalAnswer {
        /// The options that make the agent print the transcript.
        options: &'static str,
        /// The whole command.
        command: &'static str,
    },
    /// A page of leafpress's own, where a session was expected.
    #[error("it is a leafpress page, not a session file")]
    IsPage,
    /// A database, whose sessions are read one by one: see `format::database`.
    #[error("it is an SQLite database, not a session file")]
    IsDatabase,
    /// No page of leafpress's own, where one was expected.
    #[error("it is not a leafpress page")]
    NoPage,
}

/// `2 GiB`, `50.0 MB`.
fn size(limit: u64) -> String {
    const GIB: u64 = 1 << 30;
    if limit > 0 && limit.is_multiple_of(GIB) {
        return format!("{} GiB", limit / GIB);
    }
    bytes(usize::try_from(limit).unwrap_or(usize::MAX))
}
