//! Where the lines go: a file with a lock on it, or nowhere but memory.
//!
//! A line is written in one write, and when that fails the file is cut back to what it held: it never ends in half an
//! entry. Before each write the file is held against what was read (`check`), since not every program asks for the
//! lock. A new file is made aside and put in place whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
#[cfg(not(windows))]
use std::{fs::TryLockError, thread, time::Duration};

use crate::temporary::Temporary;

use super::StoreError;

/// When what was written is pushed through to the disk. A process that ends or
/// is killed loses nothing either way; this is about the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Sync {
    /// When the system sees fit, and at [`super::SessionStore::flush`].
    #[default]
    OnFlush,
    /// After each entry, before it is acknowledged.
    EachEntry,
}

/// The place of a store's lines.
#[derive(Debug)]
pub(super) enum Log {
    /// Memory alone.
    Memory,
    /// A file that begins to exist at the first prompt or answer.
    Planned(PathBuf),
    /// A file.
    File(LogFile),
}

/// A file that only this store writes to, as long as all writers ask for the lock.
#[derive(Debug)]
pub(super) struct LogFile {
    path: PathBuf,
    file: File,
    /// The bytes that are entries; more than these are a write that failed.
    len: u64,
    /// A write failed and what it left could not be taken away yet.
    has_rest: bool,
    sync: Sync,
    #[cfg(test)]
    pub(super) written: Vec<usize>,
}

impl Log {
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Log::Memory => None,
            Log::Planned(path) => Some(path),
            Log::File(file) => Some(&file.path),
        }
    }
}

impl LogFile {
    /// Opens a file that is there for appending, and locks it.
    pub(super) fn open(path: &Path, sync: Sync) -> Result<LogFile, StoreError> {
        let mut options = OpenOptions::new();
        options.read(true).append(true);
        #[cfg(windows)]
        {
            // Its first line may be overwritten, and nobody else gets to write meanwhile.
            options.append(false).write(true);
            // Others may read but not write: a lock on bytes would keep readers out.
            const FILE_SHARE_READ: u32 = 1;
            std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, FILE_SHARE_READ);
        }
        let file = options.open(path).map_err(|source| opening(path, source))?;
        lock(&file, path)?;
        let there = is_at(&file, path);
        if !there {
            // It was replaced between opening and locking.
            return Err(StoreError::Changed(path.to_owned()));
        }
        let metadata = file.metadata().map_err(StoreError::io("read", path))?;
        if !metadata.is_file() {
            let reason = "it is no regular file".to_owned();
            return Err(StoreError::NoSession { path: path.to_owned(), reason });
        }
        Ok(LogFile::new(path, file, metadata.len(), sync))
    }

    fn new(path: &Path, file: File, len: u64, sync: Sync) -> LogFile {
        LogFile {
            path: path.to_owned(),
            file,
            len,
            has_rest: false,
            sync,
            #[cfg(test)]
            written: Vec::new(),
        }
    }

    /// Makes the file with its first lines: it is there whole and locked, or not at all.
    pub(super) fn create(path: &Path, bytes: &[u8], sync: Sync) -> Result<LogFile, StoreError> {
        let failed = |source| StoreError::Io { action: "create", path: path.to_owned(), source };
        let folder = folder(path);
        fs::create_dir_all(folder).map_err(failed)?;
        // As for any new file: what the umask leaves of rw-rw-rw-.
        let temporary = Temporary::create(folder, 0o666).map_err(failed)?;
        let mut new = temporary.as_file().map_err(failed)?;
        lock(new, path)?;
        new.write_all(bytes).map_err(failed)?;
        if sync == Sync::EachEntry {
            new.sync_all().map_err(failed)?;
        }
        let file = temporary.put_new(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => StoreError::Exists(path.to_owned()),
            _ => failed(error),
        })?;
        let log = LogFile::new(path, file, bytes.len() as u64, sync);
        if sync == Sync::EachEntry {
            log.sync_folder().map_err(failed)?;
        }
        Ok(log)
    }

    pub(super) fn sync(&mut self, sync: Sync) {
        self.sync = sync;
    }

    /// All that is in the file now.
    pub(super) fn read(&mut self) -> Result<Vec<u8>, StoreError> {
        let mut bytes = Vec::new();
        self.file
            .rewind()
            .and_then(|()| self.file.read_to_end(&mut bytes))
            .map_err(StoreError::io("read", &self.path))?;
        self.len = bytes.len() as u64;
        Ok(bytes)
    }

    /// Adds bytes in one write. When it fails, the file is as it was.
    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.check()?;
        #[cfg(windows)]
        self.file.seek(io::SeekFrom::End(0)).map_err(StoreError::io("write", &self.path))?;
        let written = self.file.write_all(bytes).and_then(|()| match self.sync {
            Sync::EachEntry => self.file.sync_data(),
            Sync::OnFlush => Ok(()),
        });
        if let Err(source) = written {
            self.has_rest = self.file.set_len(self.len).is_err();
            return Err(StoreError::Io { action: "write", path: self.path.clone(), source });
        }
        #[cfg(test)]
        self.written.push(bytes.len());
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Whether the file is still the one that was read.
    pub(super) fn check(&mut self) -> Result<(), StoreError> {
        if self.has_rest {
            self.file.set_len(self.len).map_err(StoreError::io("write", &self.path))?;
            self.has_rest = false;
        }
        let metadata = self.file.metadata().map_err(StoreError::io("read", &self.path))?;
        #[cfg(unix)]
        if std::os::unix::fs::MetadataExt::nlink(&metadata) == 0 {
            return Err(StoreError::Gone(self.path.clone()));
        }
        if metadata.len() != self.len {
            return Err(StoreError::Changed(self.path.clone()));
        }
        Ok(())
    }

    /// Puts other bytes in place of the first ones.
    pub(super) fn overwrite_start(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.check()?;
        let overwrite = || {
            // What is open here only writes at the end.
            let opened = OpenOptions::new().write(true).open(&self.path);
            #[cfg(windows)]
            let opened = opened.or_else(|_| {
                // But for a file that was opened so that it cannot be opened twice.
                let mut file = self.file.try_clone()?;
                file.rewind().map(|()| file)
            });
            let mut file = opened?;
            let own = same_file::Handle::from_file(self.file.try_clone()?)?;
            if same_file::Handle::from_file(file.try_clone()?)? != own {
                return Err(io::ErrorKind::NotFound.into());
            }
            file.write_all(bytes)?;
            match self.sync {
                Sync::EachEntry => file.sync_data(),
                Sync::OnFlush => Ok(()),
            }
        };
        overwrite().map_err(StoreError::io("write", &self.path))
    }

    /// Takes the last bytes away again, which were written for something that then failed.
    pub(super) fn take_back(&mut self, len: usize) -> Result<(), StoreError> {
        self.truncate(self.len.saturating_sub(len as u64))
    }

    /// Puts other content in the file's place in one step, unless it changed since it was read.
    pub(super) fn replace(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let path = &self.path;
        let failed = |source| StoreError::Io { action: "replace", path: path.clone(), source };
        let permissions = fs::metadata(path).map_err(failed)?.permissions();
        let temporary = Temporary::create(folder(path), 0o600).map_err(failed)?;
        let mut new = temporary.as_file().map_err(failed)?;
        lock(new, path)?;
        new.write_all(bytes).map_err(failed)?;
        new.set_permissions(permissions).map_err(failed)?;
        new.sync_all().map_err(failed)?;
        self.check()?;
        let path = &self.path;
        let failed = |source| StoreError::Io { action: "replace", path: path.clone(), source };
        self.file = temporary.replace(path).map_err(failed)?;
        self.len = bytes.len() as u64;
        Ok(())
    }

    /// Cuts the file to its first bytes.
    pub(super) fn truncate(&mut self, len: u64) -> Result<(), StoreError> {
        self.file.set_len(len).map_err(StoreError::io("write", &self.path))?;
        self.len = len;
        Ok(())
    }

    /// Pushes all that was written through to the disk.
    pub(super) fn flush(&self) -> Result<(), StoreError> {
        let flushed = self.file.sync_all().and_then(|()| self.sync_folder());
        flushed.map_err(StoreError::io("flush", &self.path))
    }

    #[cfg(unix)]
    fn sync_folder(&self) -> io::Result<()> {
        File::open(folder(&self.path))?.sync_all()
    }

    #[cfg(not(unix))]
    fn sync_folder(&self) -> io::Result<()> {
        Ok(())
    }
}

/// The folder that a file lies in.
pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn is_at(file: &File, path: &Path) -> bool {
    let own = file.try_clone().and_then(same_file::Handle::from_file);
    let there = same_file::Handle::from_path(path);
    matches!((own, there), (Ok(own), Ok(there)) if own == there)
}

fn opening(path: &Path, source: io::Error) -> StoreError {
    /// `ERROR_SHARING_VIOLATION`
    const SHARING: i32 = 32;
    if cfg!(windows) && source.raw_os_error() == Some(SHARING) {
        return StoreError::Locked(path.to_owned());
    }
    StoreError::Io { action: "open", path: path.to_owned(), source }
}

#[cfg(windows)]
fn lock(_: &File, _: &Path) -> Result<(), StoreError> {
    Ok(())
}

#[cfg(not(windows))]
fn lock(file: &File, path: &Path) -> Result<(), StoreError> {
    /// A process that is being started holds copies of all open files until its program runs: also
    /// of one that was closed, and with it given free, just now.
    const TRIES: u32 = 20;
    const PAUSE: Duration = Duration::from_millis(5);
    for tried in 1.. {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if tried < TRIES => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Err(StoreError::Locked(path.to_owned())),
            Err(TryLockError::Error(source)) => {
                return Err(StoreError::Io { action: "lock", path: path.to_owned(), source });
            }
        }
    }
    Ok(())
}
