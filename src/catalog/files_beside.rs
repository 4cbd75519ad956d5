//! The files that were read for a session beside its own, such as those of its sub-agents, and what its own folder held:
//! whether they are still the same. Nothing in the session's file says that they have grown.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::update::hash;
use crate::format::{Disk, SessionFileError, SessionFiles};

/// Paths, each with the size of the file or a hash of the names in the folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FilesBeside(BTreeMap<PathBuf, i64>);

impl FilesBeside {
    /// As the catalog holds them; `None` for none.
    pub(super) fn to_json(&self) -> Option<String> {
        // Paths that are not UTF-8 have no form in JSON: their changes are not noticed.
        (!self.0.is_empty()).then(|| serde_json::to_string(self).ok()).flatten()
    }

    /// Whether those of the catalog are still as they were.
    pub(super) fn are_unchanged(json: Option<&str>) -> bool {
        let Some(json) = json else { return true };
        let files: FilesBeside = serde_json::from_str(json).unwrap_or_default();
        files.0.iter().all(|(path, state)| state_of(path) == Some(*state))
    }
}

fn state_of(path: &Path) -> Option<i64> {
    let about = fs::symlink_metadata(path).ok()?;
    if about.is_dir() { Some(of_names(Disk.list(path))) } else { Some(of_size(about.len())) }
}

fn of_size(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

fn of_names(mut names: Vec<String>) -> i64 {
    names.sort();
    hash(names.join("/").as_bytes())
}

/// The disk, watched while a session is read: before something is read it is noted how it is then.
#[derive(Debug)]
pub(super) struct Watch {
    session: PathBuf,
    seen: Mutex<FilesBeside>,
}

impl Watch {
    pub(super) fn new(session: &Path) -> Arc<Watch> {
        Arc::new(Watch { session: session.to_owned(), seen: Mutex::default() })
    }

    pub(super) fn seen(&self) -> FilesBeside {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether a folder is the session's own: not one in which other sessions lie. It lies below the session's, or has its
    /// name (Qwen Code, `subagents/<session>/`).
    fn is_own(&self, folder: &Path) -> bool {
        let around = self.session.parent().unwrap_or(Path::new(""));
        let is_below = folder.strip_prefix(around).is_ok_and(|below| below != Path::new(""));
        let name = self.session.file_stem();
        is_below || folder.components().any(|part| Some(part.as_os_str()) == name)
    }

    fn note(&self, path: PathBuf, state: i64) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.0.entry(path).or_insert(state);
    }
}

impl SessionFiles for Watch {
    fn size(&self, folder: &Path, name: &str) -> Result<u64, SessionFileError> {
        // Asked before a file is read whole. Of others the beginning is read, to see whose they are.
        let size = Disk.size(folder, name)?;
        self.note(folder.join(name), of_size(size));
        Ok(size)
    }

    fn read(&self, folder: &Path, name: &str, limit: u64) -> Result<Vec<u8>, SessionFileError> {
        Disk.read(folder, name, limit)
    }

    fn list(&self, folder: &Path) -> Vec<String> {
        let names = Disk.list(folder);
        if self.is_own(folder) && folder.is_dir() {
            self.note(folder.to_owned(), of_names(names.clone()));
        }
        names
    }

    fn below(&self, folder: &Path, name: &str) -> Result<PathBuf, SessionFileError> {
        Disk.below(folder, name)
    }

    fn canonical(&self, path: &Path) -> Result<PathBuf, SessionFileError> {
        Disk.canonical(path)
    }
}
