//! The folder of an archive. All that changes it goes through here, so that a test can make each step fail.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::catalog::CatalogError;
use crate::faults::Faults;
use crate::session::text::count;
use crate::temporary::Temporary;

/// By this file a folder is known to be an archive. Whoever writes to the archive holds its lock.
pub(super) const MARK: &str = ".leafpress-archive";

/// How the names of files begin that are being written, and of what is left of them where a process was killed.
pub(super) const UNFINISHED: &str = ".leafpress-";

/// What an archive consists of beside `index.html` and `data/manifest.js`.
pub(super) const SESSIONS: &str = "sessions";
pub(super) const MONTH_PAGES: &str = "months";
pub(super) const MONTHS: &str = "data/months";
pub(super) const TEXT: &str = "data/text";

/// Why an archive cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ArchiveError {
    /// The system's reason.
    #[error("failed to write `{}`: {source}", path.display())]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There are files, none of which says that leafpress made them.
    #[error("failed to write to `{}`: the directory is not empty and not an archive", .0.display())]
    NotAnArchive(PathBuf),
    /// What it consists of cannot be read.
    #[error(
        "failed to write to `{}`: the list of its sessions is damaged, or of another version",
        .0.display()
    )]
    Damaged(PathBuf),
    /// Another process writes to it.
    #[error("failed to write to `{}`: {by} is writing to it", path.display())]
    Locked {
        /// The archive.
        path: PathBuf,
        /// Who.
        by: String,
    },
    /// Its pages were made by other options or on another machine, and some cannot be made again.
    #[error(
        "failed to write to `{}`: other options or another machine made it, and this run did not find {} of its sessions",
        path.display(),
        count(*gone)
    )]
    MadeOtherwise {
        /// The archive.
        path: PathBuf,
        /// How many pages would be lost.
        gone: usize,
    },
    /// The filter leaves out pages that cannot be made again.
    #[error(
        "failed to write to `{}`: {} of its sessions would have to leave it, and this run did not find them",
        path.display(),
        count(*lost)
    )]
    WouldLose {
        /// The archive.
        path: PathBuf,
        /// How many pages would be lost.
        lost: usize,
    },
    /// An author's sessions were to be added to it.
    #[error("failed to write to `{}`: it is the archive of one person", .0.display())]
    OnePerson(PathBuf),
    /// Sessions without an author were to be added to it.
    #[error("failed to write to `{}`: it is a team's archive or a part of one", .0.display())]
    Team(PathBuf),
    /// The author of another name has this folder.
    #[error("failed to write to `{}`: it belongs to the author `{author}`", path.display())]
    OtherAuthor {
        /// The author's folder.
        path: PathBuf,
        /// Whose it is.
        author: String,
    },
    /// The author of this name wrote with another key.
    #[error("failed to write to `{}`: another person or machine made it", .0.display())]
    OtherOwner(PathBuf),
    /// Nothing says whose an author's folder is.
    #[error("failed to write to `{}`: its `data/author.js` is missing or damaged", .0.display())]
    NoOwner(PathBuf),
    /// The catalog cannot be read.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
}

/// Whether a folder is an archive.
pub(crate) fn is_one(path: &Path) -> bool {
    path.join(MARK).exists()
}

/// An archive's folder, locked against other processes.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) path: PathBuf,
    /// The name of the file that is locked.
    mark: &'static str,
    /// Permission bits of new files.
    mode: u32,
    lock: File,
    pub(super) faults: Faults,
}

impl Folder {
    /// Opens an archive, or makes one where there is nothing.
    pub(super) fn open(path: &Path, mode: u32) -> Result<Folder, ArchiveError> {
        let parts = [SESSIONS, MONTH_PAGES, MONTHS, TEXT];
        Folder::open_marked(path, mode, MARK, (&parts, Duration::ZERO))
    }

    /// The same with another mark and other folders in it. Waits for whoever has it, if asked to.
    pub(super) fn open_marked(
        path: &Path,
        mode: u32,
        mark: &'static str,
        (folders, patience): (&[&str], Duration),
    ) -> Result<Folder, ArchiveError> {
        let failed = |source| ArchiveError::Write { path: path.to_owned(), source };
        make_marked(path, mark)?;
        let lock = locked(path, &path.join(mark), patience, failed)?;
        for folder in folders {
            fs::create_dir_all(path.join(folder)).map_err(failed)?;
        }
        Ok(Folder { path: path.to_owned(), mark, mode, lock, faults: Faults::default() })
    }

    /// Writes a file whole or not at all.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> Result<(), ArchiveError> {
        self.write(name, bytes, false, Temporary::replace)
    }

    /// The same, and not before it is on the disk.
    pub(super) fn put_synced(&self, name: &str, bytes: &[u8]) -> Result<(), ArchiveError> {
        self.write(name, bytes, true, Temporary::replace)
    }

    /// The same where there is no such file; gives what is there then.
    pub(super) fn put_new(&self, name: &str, bytes: &[u8]) -> Result<Vec<u8>, ArchiveError> {
        match self.write(name, bytes, true, Temporary::put_new) {
            Err(ArchiveError::Write { source, .. })
                if source.kind() == io::ErrorKind::AlreadyExists =>
            {
                Ok(self.read(name).unwrap_or_default())
            }
            written => written.map(|()| bytes.to_owned()),
        }
    }

    /// Writes a file whose name has the hash of what it holds, unless it is there.
    pub(super) fn put_named(&self, name: &str, bytes: &[u8]) -> Result<(), ArchiveError> {
        let size = fs::metadata(self.path.join(name)).map(|about| about.len());
        if size.is_ok_and(|size| size == bytes.len() as u64) {
            return Ok(());
        }
        self.put(name, bytes)
    }

    /// Writes a file unless it is there as it should be; says whether it was written.
    pub(super) fn put_changed(&self, name: &str, bytes: &[u8]) -> Result<bool, ArchiveError> {
        let is_there = self.read(name).is_some_and(|there| there == bytes);
        if !is_there {
            self.put(name, bytes)?;
        }
        Ok(!is_there)
    }

    fn write(
        &self,
        name: &str,
        bytes: &[u8],
        is_synced: bool,
        place: impl FnOnce(Temporary, &Path) -> io::Result<File>,
    ) -> Result<(), ArchiveError> {
        let path = self.path.join(name);
        let write = || {
            let folder = path.parent().unwrap_or(&self.path);
            let file = Temporary::create(folder, self.mode)?;
            self.faults.step()?;
            file.as_file()?.write_all(bytes)?;
            if is_synced {
                self.faults.step()?;
                file.as_file()?.sync_all()?;
            }
            self.faults.step()?;
            place(file, &path).map(drop)
        };
        write().map_err(|source| ArchiveError::Write { path: path.clone(), source })
    }

    /// Makes a folder for files that are written next.
    pub(super) fn make(&self, name: &str) -> Result<(), ArchiveError> {
        let path = self.path.join(name);
        let made = self.faults.step().and_then(|()| fs::create_dir_all(&path));
        made.map_err(|source| ArchiveError::Write { path, source })
    }

    /// Removes a file or a folder; one that is gone is no error.
    pub(super) fn remove(&self, name: &str) -> Result<(), ArchiveError> {
        let path = self.path.join(name);
        let removed = self.faults.step().and_then(|()| {
            if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) }
        });
        match removed {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                Err(ArchiveError::Write { path, source })
            }
            _ => Ok(()),
        }
    }

    /// Removes what a killed process left in a folder of the archive: whoever has the lock is the only writer.
    pub(super) fn remove_unfinished(&self, folder: &str) -> Result<(), ArchiveError> {
        for name in self.files(folder).into_keys() {
            if name.starts_with(UNFINISHED) && name != self.mark {
                self.remove(Path::new(folder).join(name).to_str().unwrap_or_default())?;
            }
        }
        Ok(())
    }

    /// A file; `None` where it cannot be read.
    pub(super) fn read(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.path.join(name)).ok()
    }

    /// The names in a folder of the archive, with their sizes in bytes.
    pub(super) fn files(&self, folder: &str) -> HashMap<String, u64> {
        let files = fs::read_dir(self.path.join(folder)).into_iter().flatten().flatten();
        let named = files.filter_map(|file| {
            let size = file.metadata().ok()?.len();
            Some((file.file_name().into_string().ok()?, size))
        });
        named.collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Whoever gets the folder need not know which process wrote it.
        let _ = self.lock.set_len(0);
    }
}

/// Makes a folder with a mark, unless it is there or holds something else.
pub(super) fn make_marked(path: &Path, mark: &str) -> Result<(), ArchiveError> {
    let failed = |source| ArchiveError::Write { path: path.to_owned(), source };
    fs::create_dir_all(path).map_err(failed)?;
    let mark = path.join(mark);
    let is_free = mark.exists() || fs::read_dir(path).map_err(failed)?.next().is_none();
    // Another process may have begun meanwhile: it makes the mark first.
    if !is_free && !mark.exists() {
        return Err(ArchiveError::NotAnArchive(path.to_owned()));
    }
    opened(&mark).map(drop).map_err(failed)
}

fn opened(mark: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(mark)
}

/// The mark, locked; it tells others which process holds it.
fn locked(
    path: &Path,
    mark: &Path,
    patience: Duration,
    failed: impl Fn(io::Error) -> ArchiveError,
) -> Result<File, ArchiveError> {
    const PAUSE: Duration = Duration::from_millis(20);
    let mut lock = opened(mark).map_err(&failed)?;
    let end = Instant::now() + patience;
    let mut attempt = lock.try_lock();
    while matches!(attempt, Err(TryLockError::WouldBlock)) && Instant::now() < end {
        thread::sleep(PAUSE);
        attempt = lock.try_lock();
    }
    match attempt {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            // Windows lets nobody read what is locked.
            let _ = lock.read_to_string(&mut holder);
            let holder = holder.trim().parse::<u32>();
            let by = holder.map_or("another process".to_owned(), |id| format!("process {id}"));
            return Err(ArchiveError::Locked { path: path.to_owned(), by });
        }
        // Some file systems have no locks.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    let noted = lock
        .set_len(0)
        .and_then(|()| lock.rewind())
        .and_then(|()| writeln!(lock, "{}", std::process::id()));
    noted.map_err(failed)?;
    Ok(lock)
}
