//! The files of the disk.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::{SessionFileError, SessionFiles, check};

/// The files of the disk. No link is followed but in the path of the folder itself.
#[derive(Debug)]
pub(crate) struct Disk;

impl SessionFiles for Disk {
    fn size(&self, folder: &Path, name: &str) -> Result<u64, SessionFileError> {
        let (_, about) = file(folder, name)?;
        Ok(about.len())
    }

    fn read(&self, folder: &Path, name: &str, limit: u64) -> Result<Vec<u8>, SessionFileError> {
        let (path, _) = file(folder, name)?;
        let file = fs::File::open(&path).map_err(unreadable)?;
        let mut bytes = Vec::new();
        file.take(limit)
            .read_to_end(&mut bytes)
            .map_err(|error| SessionFileError::Unreadable(error.to_string()))?;
        Ok(bytes)
    }

    fn list(&self, folder: &Path) -> Vec<String> {
        let files = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
        files.filter_map(|file| file.file_name().into_string().ok()).collect()
    }

    /// A link to a folder is refused wherever it leads: what lies there belongs to somebody else.
    fn below(&self, folder: &Path, name: &str) -> Result<PathBuf, SessionFileError> {
        let path = folder.join(name);
        let about = fs::symlink_metadata(&path).map_err(unreadable)?;
        if about.is_symlink() {
            return Err(SessionFileError::Link);
        }
        let real = self.canonical(&path)?;
        let is_within = real.parent() == Some(self.canonical(folder)?.as_path());
        check_real(&real)?;
        match (about.is_dir(), is_within) {
            (false, _) => Err(SessionFileError::Missing),
            (true, false) => Err(SessionFileError::Outside),
            (true, true) => Ok(path),
        }
    }

    fn canonical(&self, path: &Path) -> Result<PathBuf, SessionFileError> {
        path.canonicalize().map_err(unreadable)
    }
}

/// What it is really called: file systems have other spellings of a name, such as `ENV~1`.
fn check_real(path: &Path) -> Result<(), SessionFileError> {
    check(path.file_name().and_then(OsStr::to_str).unwrap_or_default())
}

/// A file where it really is, and what the system says of it.
fn file(folder: &Path, name: &str) -> Result<(PathBuf, Metadata), SessionFileError> {
    let root = folder.canonicalize().map_err(unreadable)?;
    let path = folder.join(name);
    // Asked before it is opened: opening a pipe would wait for a writer.
    let about = fs::symlink_metadata(&path).map_err(unreadable)?;
    if about.is_symlink() {
        return Err(SessionFileError::Link);
    }
    let path = path.canonicalize().map_err(unreadable)?;
    if path.parent() != Some(&root) {
        return Err(SessionFileError::Outside);
    }
    check_real(&path)?;
    if about.is_file() { Ok((path, about)) } else { Err(SessionFileError::Outside) }
}

#[expect(clippy::needless_pass_by_value, reason = "what errors are mapped with")]
fn unreadable(error: io::Error) -> SessionFileError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => SessionFileError::Missing,
        _ => SessionFileError::Unreadable(error.to_string()),
    }
}
