//! Files that are written beside their place and renamed into it when they are whole. What is still
//! open when the process is asked to end can be removed at once.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// The files that are being written now.
static OPEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that is gone when it is dropped, unless it was put in its place.
#[derive(Debug)]
pub(crate) struct Temporary {
    /// `None` once it was put in its place.
    file: Option<NamedTempFile>,
}

/// As long as this is held, no file is made or put in its place.
#[cfg(all(feature = "cli", unix))]
pub(crate) struct Removed {
    _open: MutexGuard<'static, Vec<PathBuf>>,
}

/// Removes all files that are being written: for a process that a signal ends.
#[cfg(all(feature = "cli", unix))]
pub(crate) fn remove_all() -> Removed {
    let mut open = open();
    for path in open.drain(..) {
        // There is nobody left to tell.
        let _ = std::fs::remove_file(path);
    }
    Removed { _open: open }
}

impl Temporary {
    /// Makes one with the permission bits `mode` (Unix; the umask applies) for adding to its end.
    pub(crate) fn create(folder: &Path, mode: u32) -> io::Result<Temporary> {
        let mut builder = Builder::new();
        builder.prefix(".leafpress-").append(true);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        #[cfg(not(unix))]
        let _ = mode;
        // Made and noted in one step, so that no signal comes between.
        let mut open = open();
        let file = builder.tempfile_in(folder).map_err(|error| without_path(&error))?;
        open.push(file.path().to_owned());
        Ok(Temporary { file: Some(file) })
    }

    /// The file, to write to.
    pub(crate) fn as_file(&self) -> io::Result<&File> {
        self.file.as_ref().map(NamedTempFile::as_file).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Puts it in its place, whatever is there.
    pub(crate) fn replace(self, path: &Path) -> io::Result<File> {
        self.put(|file| file.persist(path).map_err(|error| error.error))
    }

    /// Puts it in its place where nothing is there.
    pub(crate) fn put_new(self, path: &Path) -> io::Result<File> {
        self.put(|file| {
            file.persist_noclobber(path).or_else(|error| match error.error.kind() {
                io::ErrorKind::AlreadyExists => Err(error.error),
                // Some file systems cannot do that in one step.
                _ if path.symlink_metadata().is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
                _ => error.file.persist(path).map_err(|error| error.error),
            })
        })
    }

    fn put(mut self, put: impl FnOnce(NamedTempFile) -> io::Result<File>) -> io::Result<File> {
        let mut open = open();
        let file = self.file.take().ok_or(io::ErrorKind::NotFound)?;
        let path = file.path().to_owned();
        let done = put(file);
        open.retain(|other| *other != path);
        done
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            let mut open = open();
            let path = file.path().to_owned();
            drop(file);
            open.retain(|other| *other != path);
        }
    }
}

/// What was noted is right even where somebody panicked meanwhile.
fn open() -> MutexGuard<'static, Vec<PathBuf>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// tempfile adds its random file name to errors, which tells a person nothing.
fn without_path(error: &io::Error) -> io::Error {
    error.kind().into()
}
