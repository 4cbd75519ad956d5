//! A session from its file.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::decode::{Limit, SourceError};
use super::{ReadError, ReadOptions, read_with, source};
use crate::session::Session;

/// Why there is no session in a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadFileError {
    /// The file cannot be read.
    #[error("failed to read `{}`", path.display())]
    #[non_exhaustive]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It was read, and holds no session.
    #[error("no session in `{}`", path.display())]
    #[non_exhaustive]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: ReadError,
    },
}

/// Reads a session with the files that lie beside it, such as those of its sub-agents. The file may be compressed by
/// gzip or zstd, and is at most 2 GiB decompressed; [`read_with`] has other limits and places. It is never written.
///
/// # Errors
/// [`ReadFileError::Io`] for a file that cannot be read, [`ReadFileError::Read`] for one that holds no session.
///
/// ```
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// println!("{} entries, {} sub-agent sessions", session.len(), session.sub_sessions().len());
/// # Ok::<(), leafpress::format::ReadFileError>(())
/// ```
pub fn read_file(path: impl AsRef<Path>) -> Result<Session, ReadFileError> {
    let path = path.as_ref();
    let unread = |source| ReadFileError::Io { path: path.to_owned(), source };
    let no_session = |source| ReadFileError::Read { path: path.to_owned(), source };
    let file = File::open(path).map_err(unread)?;
    let facts = file.metadata().map_err(unread)?;
    if facts.is_dir() {
        return Err(unread(io::ErrorKind::IsADirectory.into()));
    }
    let size = facts.is_file().then_some(facts.len());
    let source = source::read(file, size, None, Limit::default()).map_err(|error| match error {
        SourceError::Io(error) => unread(error),
        SourceError::Content(error) => no_session(error),
    })?;
    let options = ReadOptions { session: Some(path.to_owned()), ..ReadOptions::default() };
    read_with(source, None, &options).map_err(no_session)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_with_what_lies_beside_it_or_says_why_not() {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
        assert_eq!(read_file(samples.join("garden.jsonl")).unwrap().own_len(), 28);
        let error = |path: &str| read_file(samples.join(path)).unwrap_err();
        assert!(matches!(error("none.jsonl"), ReadFileError::Io { .. }));
        assert!(matches!(error(""), ReadFileError::Io { .. }), "a directory");
        assert!(matches!(error("own_renderers.rs"), ReadFileError::Read { .. }));
    }
}
