//! Sessions that a session started, each in a file of its own, and their end.
//!
//! Deleting is the delicate half. Which files go is found out first, each locked as it is found, by what their own
//! headers say and never by what a session says of others. Only when all are held does the first one go, the deepest
//! ahead, so that what is left at a failure still has its parent.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::session::json::Json;
use crate::session::{Body, Header};

use super::first_lines::{Opened, opened};
use super::log::{self, LogFile};
use super::new_session::is_id;
use super::rules::TaskFiles;
use super::{NewSession, SessionStore, StoreError, Sync};

/// The type of the entries that name them.
const TASK_SESSION: &str = "leafpress.task-session";

/// A session that another one started.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskSession {
    /// The task's id.
    pub task_id: String,
    /// What it is called.
    pub name: String,
    /// The name of its file, in the folder where the agent puts it; `None` in memory.
    pub file: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    task_id: &'a str,
    name: &'a str,
    file: Option<&'a str>,
}

impl SessionStore {
    /// Starts a session for a task and notes it here: in the same folder or in memory. A task of an
    /// oh-my-pi session gets a file of its name in the folder of that session, at once.
    ///
    /// # Errors
    /// [`StoreError::InvalidId`] for a name that cannot be a file's (oh-my-pi),
    /// [`StoreError::Exists`] where there is one already; those of writing.
    pub fn start_task(&mut self, task_id: &str, name: &str) -> Result<SessionStore, StoreError> {
        let new = NewSession {
            agent: self.agent,
            id: None,
            cwd: Some(self.header.cwd.clone()),
            parent_session: self.path().map(|path| path.display().to_string()),
        };
        let own_folder = self.agent.rules().tasks == TaskFiles::OwnFolder;
        let (mut child, file) = match self.path() {
            Some(path) if own_folder => {
                if !is_id(name) {
                    return Err(StoreError::InvalidId(name.to_owned()));
                }
                let child = path.with_extension("").join(format!("{name}.jsonl"));
                (SessionStore::create(&child, new)?, Some(child))
            }
            Some(path) => {
                let child = SessionStore::create_in(log::folder(path), new)?;
                let path = child.path().map(Path::to_owned);
                (child, path)
            }
            None => (SessionStore::in_memory(new)?, None),
        };
        child = child.with_sync(self.sync);
        if own_folder {
            child.ensure_written()?;
        }
        let file = file.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
        self.append_custom(TASK_SESSION, &Data { task_id, name, file })?;
        Ok(child)
    }

    /// The sessions that this one started, on every branch.
    pub fn task_sessions(&self) -> Vec<TaskSession> {
        self.all().filter_map(|at| task_session(&self.parsed(at).body)).collect()
    }
}

fn task_session(body: &Body<'_>) -> Option<TaskSession> {
    let Body::Custom { custom_type, data: Some(data) } = body else { return None };
    if custom_type != TASK_SESSION {
        return None;
    }
    let text = |key| data.get(key).and_then(Json::as_str).map(str::to_owned);
    Some(TaskSession {
        task_id: text("taskId").unwrap_or_default(),
        name: text("name").unwrap_or_default(),
        file: text("file"),
    })
}

/// Deletes a session's file and those of all sessions that it started, however deep:
/// the last ones first, its own at the end. Gives what was deleted. Whole files are deleted, and
/// nothing within a file.
///
/// A file counts as a session's child when it lies where the agent puts it (for pi in the same
/// folder, for oh-my-pi in the folder of that session) and its header names that session as its
/// parent: what a session says of others is not trusted. Other files in such a folder stay.
///
/// # Errors
/// [`StoreError::Locked`] while one of them is being written, and then nothing is deleted;
/// [`StoreError::Io`] where deleting fails.
pub fn delete_session_tree(path: impl AsRef<Path>) -> Result<Vec<PathBuf>, StoreError> {
    let path = path.as_ref();
    let mut found: Vec<Found> = Vec::new();
    let mut seen = HashSet::from([path.to_owned()]);
    let mut waiting = vec![(path.to_owned(), None::<Parent>)];
    while let Some((path, parent)) = waiting.pop() {
        let Some(session) = look(&path, parent.as_ref())? else { continue };
        for child in &session.children {
            if seen.insert(child.clone()) {
                waiting.push((child.clone(), Some(session.as_parent.clone())));
            }
        }
        found.push(session);
    }
    let mut deleted = Vec::new();
    for Found { path, own_folder, .. } in found.iter().rev() {
        fs::remove_file(path).map_err(StoreError::io("delete", path))?;
        if let Some(folder) = own_folder {
            // Only an empty one goes.
            let _ = fs::remove_dir(folder);
        }
        deleted.push(path.clone());
    }
    Ok(deleted)
}

/// By what a session may be named as a parent.
#[derive(Debug, Clone)]
struct Parent {
    file_name: Option<OsString>,
    id: String,
}

impl Parent {
    fn is_named(&self, header: &Header) -> bool {
        let named = header.parent_session.as_deref();
        let file_name = named.map(Path::new).and_then(Path::file_name);
        named == Some(&self.id) || (file_name.is_some() && file_name == self.file_name.as_deref())
    }
}

/// A session that is going to be deleted.
struct Found {
    path: PathBuf,
    own_folder: Option<PathBuf>,
    as_parent: Parent,
    children: Vec<PathBuf>,
    /// Held until all is done.
    _lock: LogFile,
}

/// Locks a session and finds the files it may have started; nothing for what is no child.
fn look(path: &Path, parent: Option<&Parent>) -> Result<Option<Found>, StoreError> {
    let is_file = || path.symlink_metadata().is_ok_and(|about| about.is_file());
    if parent.is_some() && !is_file() {
        // A task that never came to write anything, or a link to somewhere else.
        return Ok(None);
    }
    let mut lock = LogFile::open(path, Sync::default())?;
    let bytes = lock.read()?;
    let Opened { agent, header, .. } = match opened(path, &bytes) {
        Ok(opened) => opened,
        Err(_) if parent.is_some() => return Ok(None),
        Err(error) => return Err(error),
    };
    if parent.is_some_and(|parent| !parent.is_named(&header)) {
        return Ok(None);
    }
    let own_folder = (agent.rules().tasks == TaskFiles::OwnFolder).then(|| path.with_extension(""));
    let children = match &own_folder {
        Some(folder) => in_folder(folder),
        None => named_in(path, bytes),
    };
    let file_name = path.file_name().map(ToOwned::to_owned);
    let as_parent = Parent { file_name, id: header.id };
    Ok(Some(Found { path: path.to_owned(), own_folder, as_parent, children, _lock: lock }))
}

/// The sessions in a folder, which may not be a link.
fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let is_folder = folder.symlink_metadata().is_ok_and(|about| about.is_dir());
    let entries = is_folder.then(|| fs::read_dir(folder).ok()).flatten();
    let mut files: Vec<PathBuf> =
        entries.into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    files
}

/// The files beside a session that its entries name.
fn named_in(path: &Path, bytes: Vec<u8>) -> Vec<PathBuf> {
    let Ok(session) = crate::read(bytes) else { return Vec::new() };
    let names = session.indices().filter_map(|at| task_session(&session.entry_at(at).body)?.file);
    let child = |name: String| {
        let child = path.with_file_name(&name);
        // A plain name: nothing outside the folder is meant.
        let is_plain = child.file_name().is_some_and(|own| own.to_str() == Some(name.as_str()));
        is_plain.then_some(child)
    };
    names.filter_map(child).collect()
}
