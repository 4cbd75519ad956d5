//! Which tables OpenClaw's database has, and the sessions that they list.
//!
//! A session is a `session_key`. It has windows, each with a transcript of its own: a reset, a rollover or a fork begins a
//! new one. `#KEY` and the id of any of its windows name it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _, Row};

use crate::format::database::{AgentTables, ChildRow, DatabaseError, DatabaseSession, Table, text};
use crate::session::json::Json;
use crate::session::message::{Block, read_content};

use super::transcript::{Events, Transcript};

/// The tables of one agent's database.
#[derive(Debug)]
pub(in crate::format) struct Tables {
    nodes: Table,
    pub(super) windows: Table,
    pub(super) events: Table,
    /// Windows whose events were moved out.
    pub(super) cold: Option<Table>,
    /// Transcripts from before a reset or a deletion.
    archives: Option<Table>,
    /// Which entry is the current leaf.
    index: Option<Table>,
    /// The folder that the database lies in, and archives beside it.
    pub(super) folder: PathBuf,
}

/// A window of a session.
#[derive(Debug, Clone)]
pub(super) struct Window {
    pub(super) id: String,
    previous: Option<String>,
    /// Why it began: `initial`, `reset`, `rollover`, `fork` and others.
    pub(super) reason: Option<String>,
    /// In milliseconds since 1970.
    pub(super) began: Option<i64>,
}

impl Window {
    /// The window that it follows, of those before it: its own word, else the one before.
    pub(super) fn follows<'w>(&self, before: &'w [Window]) -> Option<&'w Window> {
        let named = self.previous.as_ref();
        let named = named.and_then(|id| before.iter().rev().find(|window| window.id == *id));
        named.or(before.last())
    }
}

impl Tables {
    /// `None` where it is not OpenClaw's.
    pub(in crate::format) fn of(
        connection: &Connection,
        folder: &Path,
    ) -> Result<Option<Tables>, DatabaseError> {
        const NODES: [&str; 3] = ["session_key", "current_session_id", "updated_at"];
        const WINDOWS: [&str; 2] = ["session_id", "session_key"];
        const EVENTS: [&str; 3] = ["session_id", "seq", "event_json"];
        let find = |name, needed: &[&str]| Table::find(connection, name, needed);
        let Some(nodes) = find("session_nodes", &NODES)? else { return Ok(None) };
        let (Some(windows), Some(events)) =
            (find("session_windows", &WINDOWS)?, find("transcript_events", &EVENTS)?)
        else {
            let reason = "it has no tables of windows and events".to_owned();
            return Err(DatabaseError::NotAnAgents(reason));
        };
        // What else is missing or of another shape only says less.
        let or_none = |name, needed: &[&str]| find(name, needed).unwrap_or_default();
        Ok(Some(Tables {
            nodes,
            windows,
            events,
            cold: or_none("session_transcript_cold_archives", &["session_id"]),
            archives: or_none("session_transcript_archives", &["session_key"]),
            index: or_none("session_transcript_index_state", &["session_id", "leaf_event_id"]),
            folder: folder.to_owned(),
        }))
    }

    /// The session that a key or a window's id names.
    fn key(connection: &Connection, id: &str) -> Result<Option<String>, DatabaseError> {
        let queries = [
            "SELECT session_key FROM session_nodes WHERE session_key = ?1",
            "SELECT session_key FROM session_windows WHERE session_id = ?1",
        ];
        for query in queries {
            let found = connection.query_row(query, [id], |row| row.get(0)).optional()?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The windows of a session in the order in which they followed each other, the current one last.
    pub(super) fn windows(
        &self,
        connection: &Connection,
        key: &str,
    ) -> Result<Vec<Window>, DatabaseError> {
        let [previous, reason, started, created] =
            ["previous_session_id", "reason", "started_at", "created_at"]
                .map(|name| self.windows.column(name));
        let query = format!(
            "SELECT session_id, {previous}, {reason}, coalesce({started}, {created}) AS began \
             FROM session_windows WHERE session_key = ?1 ORDER BY began, session_id"
        );
        let mut query = connection.prepare(&query)?;
        let mut rows = query.query([key])?;
        let mut windows = Vec::new();
        while let Some(row) = rows.next()? {
            let Some(id) = text(row, 0)? else { continue };
            let (previous, reason) = (text(row, 1)?, text(row, 2)?);
            windows.push(Window { id, previous, reason, began: number(row, 3) });
        }
        let current = "SELECT current_session_id FROM session_nodes WHERE session_key = ?1";
        let current = connection.query_row(current, [key], |row| Ok(text(row, 0).ok().flatten()));
        Ok(in_order(windows, current.optional()?.flatten().as_deref()))
    }

    pub(super) fn leaf(
        &self,
        connection: &Connection,
        window: &str,
    ) -> Result<Option<String>, DatabaseError> {
        if self.index.is_none() {
            return Ok(None);
        }
        let query =
            "SELECT leaf_event_id FROM session_transcript_index_state WHERE session_id = ?1";
        let leaf = connection.query_row(query, [window], |row| Ok(text(row, 0).ok().flatten()));
        Ok(leaf.optional()?.flatten())
    }

    /// How many transcripts from before a reset or a deletion are kept aside.
    pub(super) fn set_aside(
        &self,
        connection: &Connection,
        key: &str,
    ) -> Result<usize, DatabaseError> {
        if self.archives.is_none() {
            return Ok(0);
        }
        let query = "SELECT count(*) FROM session_transcript_archives WHERE session_key = ?1";
        let count: i64 = connection.query_row(query, [key], |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// The folder that a window's header names.
    fn cwd(&self, connection: &Connection, window: &str) -> Option<String> {
        let mut cwd = None;
        self.first(connection, window, |event| {
            cwd = event.get("cwd").and_then(Json::as_str).map(str::to_owned);
            true
        });
        cwd
    }

    /// Gives the first events of a window until `take` says that it has seen enough. What cannot be
    /// read is passed over: a listing says less then.
    fn first(
        &self,
        connection: &Connection,
        window: &str,
        mut take: impl FnMut(&Json<'_>) -> bool,
    ) {
        /// A prompt stands near the beginning.
        const EVENTS: usize = 40;
        let Ok(events) = Events::of(self, connection, window) else { return };
        let mut left = EVENTS;
        let _seen_as_far_as_readable = events.each(|event| {
            left -= 1;
            let event = event.as_deref().and_then(|event| serde_json::from_str(event).ok());
            Ok(left > 0 && !event.is_some_and(|event| take(&event)))
        });
    }

    /// The nodes that a person began: key, current window and the row.
    fn nodes(
        &self,
        connection: &Connection,
        mut each: impl FnMut(String, String, &Row<'_>) -> Result<(), DatabaseError>,
    ) -> Result<(), DatabaseError> {
        let [parent, spawned, title, label] =
            ["parent_session_key", "spawned_by", "display_name", "label"]
                .map(|name| self.nodes.column(name));
        let query = format!(
            "SELECT session_key, current_session_id, updated_at, coalesce({title}, {label}) \
             FROM session_nodes WHERE {parent} IS NULL AND {spawned} IS NULL"
        );
        let mut query = connection.prepare(&query)?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            if let (Some(key), Some(current)) = (text(row, 0)?, text(row, 1)?) {
                each(key, current, row)?;
            }
        }
        Ok(())
    }

    /// The title that a person or OpenClaw gave a session.
    pub(super) fn title(
        &self,
        connection: &Connection,
        key: &str,
    ) -> Result<Option<String>, DatabaseError> {
        let [title, label] = ["display_name", "label"].map(|name| self.nodes.column(name));
        let query =
            format!("SELECT coalesce({title}, {label}) FROM session_nodes WHERE session_key = ?1");
        let title = connection.query_row(&query, [key], |row| Ok(text(row, 0).ok().flatten()));
        Ok(title.optional()?.flatten().filter(|title| !title.trim().is_empty()))
    }

    fn has_events(connection: &Connection, key: &str) -> Result<bool, DatabaseError> {
        let own = "SELECT EXISTS (SELECT 1 FROM session_windows AS w JOIN transcript_events AS e \
             ON e.session_id = w.session_id WHERE w.session_key = ?1)";
        Ok(connection.query_row(own, [key], |row| row.get(0))?)
    }
}

impl AgentTables for Tables {
    fn sessions(&self, connection: &Connection) -> Result<Vec<DatabaseSession>, DatabaseError> {
        let mut sessions = Vec::new();
        self.nodes(connection, |id, current, row| {
            if Tables::has_events(connection, &id)? {
                let title = text(row, 3)?.filter(|title| !title.trim().is_empty());
                let cwd = self.cwd(connection, &current);
                sessions.push(DatabaseSession { id, title, time: number(row, 2), cwd });
            }
            Ok(())
        })?;
        sessions.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.id.cmp(&b.id)));
        Ok(sessions)
    }

    fn prompts(&self, connection: &Connection) -> Result<Vec<(String, String)>, DatabaseError> {
        let mut prompts = Vec::new();
        self.nodes(connection, |key, current, _| {
            let first = self.windows(connection, &key)?.into_iter().next();
            let window = first.map_or(current, |window| window.id);
            self.first(connection, &window, |event| {
                let prompt = event.get("message").and_then(prompt);
                prompts.extend(prompt.map(|prompt| (key.clone(), prompt)));
                prompts.last().is_some_and(|(last, _)| *last == key)
            });
            Ok(())
        })?;
        Ok(prompts)
    }

    fn session(
        &self,
        connection: &Connection,
        id: &str,
        limit: u64,
    ) -> Result<Vec<u8>, DatabaseError> {
        let key = Tables::key(connection, id)?;
        let key = key.ok_or_else(|| DatabaseError::NoSession(id.to_owned()))?;
        Ok(Transcript::read(self, connection, &key, limit)?.lines)
    }

    fn children(&self, connection: &Connection, id: &str) -> Result<Vec<ChildRow>, DatabaseError> {
        let [parent, spawned, title, label, created] =
            ["parent_session_key", "spawned_by", "display_name", "label", "created_at"]
                .map(|name| self.nodes.column(name));
        let query = format!(
            "SELECT session_key, coalesce({title}, {label}) FROM session_nodes \
             WHERE coalesce({spawned}, {parent}) = ?1 AND session_key <> ?1 ORDER BY {created}, session_key"
        );
        let mut query = connection.prepare(&query)?;
        let mut rows = query.query([id])?;
        let mut children = Vec::new();
        while let Some(row) = rows.next()? {
            let Some(id) = text(row, 0)? else { continue };
            children.push(ChildRow { agent: agent(&id), title: text(row, 1)?, id });
        }
        Ok(children)
    }
}

/// `agent:main:subagent:…` is of the agent `main`.
fn agent(key: &str) -> Option<String> {
    let name = key.strip_prefix("agent:")?.split(':').next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

/// What a user's message says.
fn prompt(message: &Json<'_>) -> Option<String> {
    let is_user = message.get("role").and_then(Json::as_str) == Some("user");
    let content = is_user.then(|| read_content(message.get("content").cloned()))?;
    let words = content.into_iter().find_map(|block| match block {
        Block::Text(words) if !words.trim().is_empty() => Some(words.into_owned()),
        _ => None,
    });
    words.map(|words| words.chars().take(2000).collect())
}

fn number(row: &Row<'_>, at: usize) -> Option<i64> {
    row.get::<_, Option<i64>>(at).unwrap_or_default()
}

/// Each window behind the one before it, and the chain that ends at the current one last. Windows of which nothing
/// leads to it keep the order of their time. A circle ends where it began.
fn in_order(windows: Vec<Window>, current: Option<&str>) -> Vec<Window> {
    let places: HashMap<String, usize> =
        windows.iter().enumerate().map(|(at, window)| (window.id.clone(), at)).collect();
    let mut chain = Vec::new();
    let mut seen = HashSet::new();
    let mut next = current.and_then(|id| places.get(id).copied()).or(windows.len().checked_sub(1));
    while let Some(at) = next.filter(|&at| seen.insert(at)) {
        chain.push(at);
        next = windows[at].previous.as_ref().and_then(|id| places.get(id).copied());
    }
    chain.reverse();
    let last = chain.pop();
    let others = (0..windows.len()).filter(|at| !seen.contains(at));
    let order: Vec<usize> = chain.into_iter().chain(others).chain(last).collect();
    let mut windows: Vec<Option<Window>> = windows.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| windows[at].take()).collect()
}
