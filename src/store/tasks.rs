//! Sessions that a session started, each in a file of its own, and their end.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::session::json::Json;
use crate::session::{Body, Session};

use super::log::{self, LogFile};
use super::open::opened;
use super::{NewSession, SessionStore, StoreError, Sync};

/// The type of the entries that name them.
const TASK_SESSION: &str = "leafpress.task-session";

/// A session that another one started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskSession {
    /// The task's id.
    pub task_id: String,
    /// What it is called.
    pub name: String,
    /// The name of its file, in the folder of the session that started it; `None` in memory.
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
    /// Starts a session for a task, in the same folder or in memory, and notes it here.
    pub fn start_task(&mut self, task_id: &str, name: &str) -> Result<SessionStore, StoreError> {
        let new = NewSession {
            agent: self.agent,
            id: None,
            cwd: Some(self.header.cwd.clone()),
            parent_session: self.path().map(|path| path.display().to_string()),
        };
        let child = match self.path() {
            Some(path) => SessionStore::create_in(log::folder(path), new)?,
            None => SessionStore::in_memory(new)?,
        };
        let file = child.path().and_then(Path::file_name).and_then(|name| name.to_str());
        self.append_custom(TASK_SESSION, &Data { task_id, name, file })?;
        Ok(child.with_sync(self.sync))
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
/// the last ones first, its own at the end. Gives what was deleted.
///
/// A file counts as a session's child when it lies in the same folder and its header
/// names that session as its parent: what a session says of others is not trusted.
///
/// # Errors
/// [`StoreError::Locked`] while one of them is being written, and then nothing is deleted;
/// [`StoreError::Io`] where deleting fails.
pub fn delete_session_tree(path: impl AsRef<Path>) -> Result<Vec<PathBuf>, StoreError> {
    let path = path.as_ref();
    let mut found: Vec<(PathBuf, LogFile)> = Vec::new();
    let mut seen = HashSet::from([path.to_owned()]);
    let mut waiting = vec![(path.to_owned(), None::<PathBuf>)];
    while let Some((path, parent)) = waiting.pop() {
        let Some((file, children)) = look(&path, parent.as_deref())? else { continue };
        for name in children {
            let child = path.with_file_name(&name);
            // A plain name: nothing outside the folder is meant.
            let is_plain = child.file_name().is_some_and(|own| own.to_str() == Some(name.as_str()));
            if is_plain && seen.insert(child.clone()) {
                waiting.push((child, Some(path.clone())));
            }
        }
        found.push((path, file));
    }
    let mut deleted = Vec::new();
    for (path, _lock) in found.iter().rev() {
        fs::remove_file(path).map_err(StoreError::io("delete", path))?;
        deleted.push(path.clone());
    }
    Ok(deleted)
}

/// Locks a session and gives the names of the files it started; nothing for what is no child.
fn look(path: &Path, parent: Option<&Path>) -> Result<Option<(LogFile, Vec<String>)>, StoreError> {
    if parent.is_some() && !path.is_file() {
        // A task that never came to write anything.
        return Ok(None);
    }
    let mut file = LogFile::open(path, Sync::default())?;
    let bytes = file.read()?;
    let header = match opened(path, &bytes) {
        Ok(opened) => opened.header,
        Err(_) if parent.is_some() => return Ok(None),
        Err(error) => return Err(error),
    };
    let named = header.parent_session.as_deref().map(Path::new).and_then(Path::file_name);
    if parent.is_some_and(|parent| parent.file_name() != named) {
        return Ok(None);
    }
    let session = crate::read(bytes).ok();
    let entries = |session: &Session| {
        let of = |at| task_session(&session.entry(at).body)?.file;
        (0..session.len()).filter_map(of).collect()
    };
    Ok(Some((file, session.as_ref().map(entries).unwrap_or_default())))
}
