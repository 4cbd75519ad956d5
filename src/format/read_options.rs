//! How a session is read, and where its other files lie.

use crate::setters::setters;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::compressed::plain_name;
use super::files::{Disk, SessionFileError, SessionFiles};
use super::own_folder::{OwnFolder, Rewrite, rewritten};
use crate::progress::Progress;

/// Where a session's other files may lie.
///
/// ```
/// use leafpress::format::{ReadOptions, read_with};
///
/// let path = "examples/garden.jsonl";
/// let options = ReadOptions::new().session(path).without_children(true);
/// let session = read_with(std::fs::read(path)?, None, &options)?;
/// assert!(session.sub_sessions().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The session file itself; `None` for standard input, which has nothing beside it.
    pub session: Option<PathBuf>,
    /// Where the files beside the session are read from; by default the disk. Databases are always read
    /// from the disk, and not at all where this is given.
    pub files: Option<Arc<dyn SessionFiles>>,
    /// Where blobs are kept, when the caller says so.
    pub blobs: Option<PathBuf>,
    /// Whether entries that were put away are read too.
    pub archived: bool,
    /// Leave out the sessions that entries started.
    pub without_children: bool,
    /// Changes every file before it is read any further; by default none.
    pub rewrite: Option<Arc<dyn Rewrite>>,
    /// Is called with how far the reading is; by default none.
    pub progress: Option<Progress>,
    /// What was seen beside other sessions; by default nothing.
    pub(crate) beside: Option<Arc<Beside>>,
    /// What gives the sessions of sub-agents where `session` is a database that is not read itself.
    #[cfg(feature = "sqlite")]
    pub(crate) copies: Option<Arc<dyn super::database::Sessions>>,
}

/// What files beside a session say, remembered while many sessions are read: each lies beside many others.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    parents: Mutex<HashMap<PathBuf, Option<String>>>,
}

impl Beside {
    /// The thread that started the one of this file.
    pub(super) fn parent_of(
        &self,
        file: PathBuf,
        read: impl FnOnce() -> Option<String>,
    ) -> Option<String> {
        let parents = || self.parents.lock().unwrap_or_else(PoisonError::into_inner);
        let known = parents().get(&file).cloned();
        known.unwrap_or_else(|| {
            let parent = read();
            parents().insert(file, parent.clone());
            parent
        })
    }
}

impl ReadOptions {
    /// The defaults.
    #[must_use]
    pub fn new() -> ReadOptions {
        ReadOptions::default()
    }

    setters! {
        session: impl Into<PathBuf> => Some(session.into()),
        files: Arc<dyn SessionFiles> => Some(files),
        blobs: impl Into<PathBuf> => Some(blobs.into()),
        archived: bool => archived,
        without_children: bool => without_children,
        rewrite: Arc<dyn Rewrite> => Some(rewrite),
        progress: Progress => Some(progress),
    }

    /// The folder that carries the session's name: `X/` beside `X.jsonl`.
    pub(super) fn own_folder(&self) -> Result<OwnFolder, SessionFileError> {
        let name = || {
            let name = self.session.as_deref()?.file_name()?.to_str()?;
            plain_name(name).strip_suffix(".jsonl")
        };
        let (folder, name) = self.folder().zip(name()).ok_or(SessionFileError::Missing)?;
        folder.sub_folder(name)
    }

    /// Where blobs are kept: where the caller says, else beside the folder `sessions`
    /// that the session lies in.
    pub(super) fn blobs_folder(&self) -> Result<OwnFolder, SessionFileError> {
        if let Some(folder) = &self.blobs {
            return Ok(self.at(folder.clone()));
        }
        let session = self.canonical()?;
        let sessions = session.ancestors().find(|folder| folder.ends_with("sessions"));
        let agents = sessions.and_then(Path::parent).ok_or(SessionFileError::Missing)?;
        self.at(agents.to_owned()).sub_folder("blobs")
    }

    /// The folder that the session lies in.
    pub(super) fn folder(&self) -> Option<OwnFolder> {
        let folder = self.session.as_deref()?.parent()?;
        let is_here = folder.as_os_str().is_empty();
        Some(self.at(if is_here { PathBuf::from(".") } else { folder.to_owned() }))
    }

    /// The folder around the one that the session lies in, where that is called `name`.
    pub(super) fn folder_around(&self, name: &str) -> Option<OwnFolder> {
        let session = self.canonical().ok()?;
        let folder = session.parent().filter(|folder| folder.ends_with(name))?;
        Some(self.at(folder.parent()?.to_owned()))
    }

    /// The same for another session.
    pub(super) fn of(&self, session: PathBuf) -> ReadOptions {
        let blobs = self.blobs_folder().map(OwnFolder::into_path);
        ReadOptions { session: Some(session), blobs: blobs.ok(), ..self.clone() }
    }

    /// A file as it is to be read.
    pub(super) fn rewritten(&self, bytes: Vec<u8>) -> Vec<u8> {
        rewritten(self.rewrite.as_deref(), bytes)
    }

    /// A text that no file holds.
    pub(super) fn renamed(&self, name: String) -> String {
        match &self.rewrite {
            Some(rewrite) => rewrite.name(name),
            None => name,
        }
    }

    /// The session's one path, which tells where in its agent's directory it lies.
    pub(super) fn canonical(&self) -> Result<PathBuf, SessionFileError> {
        self.session_files().canonical(self.session.as_deref().ok_or(SessionFileError::Missing)?)
    }

    /// The session's path where that is on the disk.
    #[cfg(feature = "sqlite")]
    pub(super) fn on_disk(&self) -> Option<&Path> {
        self.session.as_deref().filter(|_| self.files.is_none())
    }

    /// A folder that the place of the session leads to, or the caller names: never one that the session names.
    pub(super) fn at(&self, path: PathBuf) -> OwnFolder {
        OwnFolder::new(self.session_files(), path, self.rewrite.clone())
    }

    fn session_files(&self) -> Arc<dyn SessionFiles> {
        self.files.clone().unwrap_or_else(|| Arc::new(Disk))
    }
}
