//! Where the files beside a session are read from: the disk, or a folder in memory.
//!
//! Their names come out of the session and are not trusted. What every such file goes through is
//! `OwnFolder`, which hands on nothing but plain names in folders that belong to the session.

mod disk;
mod memory;

use std::fmt;
use std::path::{Path, PathBuf};

pub(crate) use disk::Disk;
pub use memory::MemoryFiles;

/// What agents themselves name so: the folder that Gemini CLI was started in.
const DOTTED: [&str; 1] = [".project_root"];

/// Files that lie beside sessions, such as those of sub-agents: those of the disk, or others that the
/// caller has ([`ReadOptions::files`](super::ReadOptions::files)).
///
/// A folder is only asked for what lies in it: `name` is one plain name, neither `..` nor a path, and
/// begins with no dot. An implementation sees to it that what it finds under such a name lies in the folder
/// itself: it follows no link.
pub trait SessionFiles: fmt::Debug + Send + Sync {
    /// The size of a file, in bytes.
    ///
    /// # Errors
    /// [`SessionFileError::Missing`], [`SessionFileError::Link`], [`SessionFileError::Outside`] for what is
    /// no file of this folder.
    fn size(&self, folder: &Path, name: &str) -> Result<u64, SessionFileError>;

    /// The first bytes of a file, at most `limit`.
    ///
    /// # Errors
    /// As [`SessionFiles::size`], and [`SessionFileError::Unreadable`].
    fn read(&self, folder: &Path, name: &str, limit: u64) -> Result<Vec<u8>, SessionFileError>;

    /// The names of the files and folders in a folder, in any order; none where there is no folder.
    fn list(&self, folder: &Path) -> Vec<String>;

    /// The path of the folder `name` in `folder`.
    ///
    /// # Errors
    /// As [`SessionFiles::size`].
    fn below(&self, folder: &Path, name: &str) -> Result<PathBuf, SessionFileError>;

    /// The one path of a file or folder that may have several: absolute, without links and `..`. A session's
    /// place in its agent's directory is recognized by it.
    ///
    /// # Errors
    /// [`SessionFileError::Missing`], [`SessionFileError::Unreadable`].
    fn canonical(&self, path: &Path) -> Result<PathBuf, SessionFileError>;
}

/// Why a file beside a session was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SessionFileError {
    /// There is no such file, or the session came without a place.
    #[error("not found")]
    Missing,
    /// The name leads out of the session's folders.
    #[error("refused: the file is outside the session's directory")]
    Outside,
    /// A link stands where the file or a folder of the session should be.
    #[error("refused: a symbolic link is not followed")]
    Link,
    /// The file, or a folder that it lies in, has a name that begins with a dot.
    #[error("refused: a name that begins with a dot")]
    Hidden,
    /// An image by its name or place, and not by what it holds.
    #[error("not an image")]
    NotImage,
    /// Too large to be read: the limit, in bytes.
    #[error("refused: the file is larger than {}", size(*.0))]
    TooLarge(u64),
    /// The files read before it are all that is read.
    #[error("not read: the files beside the session are too many or too large")]
    TooMany,
    /// The system's reason.
    #[error("{0}")]
    Unreadable(String),
}

fn size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        megabytes => format!("{megabytes} MB"),
    }
}

/// Whether it is the name of something in a folder and no way out of it.
fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && !matches!(name, "." | "..")
        && !name.contains(['/', '\\', '\0', ':'])
        && Path::new(name).components().count() == 1
}

pub(super) fn is_hidden(name: &str) -> bool {
    name.starts_with('.') && !DOTTED.contains(&name)
}

pub(super) fn check(name: &str) -> Result<(), SessionFileError> {
    match is_plain(name) {
        false => Err(SessionFileError::Outside),
        true if is_hidden(name) => Err(SessionFileError::Hidden),
        true => Ok(()),
    }
}
