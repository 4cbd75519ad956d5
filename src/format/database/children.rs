//! The sessions of sub-agents, which lie in the same database.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::format::ReadError;
use crate::format::descendants::{FoundChild, Started, with_descendants};
use crate::format::read_options::ReadOptions;
use crate::session::{Child, Session};

use super::{ChildRow, Database, DatabaseError, Sessions, is_database};

/// Reads a session alone, and which sub-agents its entries started.
pub(in crate::format) type ReadOne =
    fn(Vec<u8>, &ReadOptions) -> Result<(Session, Vec<Started>), ReadError>;

/// So many sessions are read, as many as a page shows.
const MAX_SESSIONS: usize = 20_000;

/// And so many of their bytes, which are held in memory together.
const MAX_BYTES: u64 = 1 << 30;

/// And for so long: without the indexes of the agents' own databases each session is looked for in all rows.
const MAX_TIME: Duration = Duration::from_secs(60);

/// What a session comes out of.
pub(in crate::format) enum Origin<'o> {
    Database(Database),
    /// The path is that of the database.
    Copies(&'o dyn Sessions, &'o Path),
}

impl<'o> Origin<'o> {
    /// `None` for a session that lies in a file of its own.
    pub(in crate::format) fn of(options: &'o ReadOptions) -> Option<Origin<'o>> {
        if let Some(copies) = &options.copies {
            return Some(Origin::Copies(copies.as_ref(), options.session.as_deref()?));
        }
        let path = options.on_disk().filter(|path| is_database(path))?;
        Database::open(path).ok().map(Origin::Database)
    }

    /// What was not read of it, in a sentence for the person.
    pub(in crate::format) fn unread(&self) -> Option<&'static str> {
        match self {
            Origin::Database(database) => database.unread(),
            Origin::Copies(..) => None,
        }
    }

    fn children(&self, id: &str) -> Result<Vec<ChildRow>, DatabaseError> {
        match self {
            Origin::Database(database) => database.children(id),
            Origin::Copies(copies, database) => copies.children(database, id),
        }
    }

    fn session(&self, id: &str, limit: u64) -> Result<Vec<u8>, DatabaseError> {
        match self {
            Origin::Database(database) => database.session(id, limit),
            Origin::Copies(copies, database) => copies.session(database, id, limit),
        }
    }
}

/// Finds the sessions of sub-agents.
pub(in crate::format) struct Children<'o> {
    options: &'o ReadOptions,
    origin: Origin<'o>,
    read_one: ReadOne,
    /// Those read so far, so that a circle of parents ends.
    seen: HashSet<String>,
    bytes: u64,
    until: Instant,
}

impl<'o> Children<'o> {
    pub(in crate::format) fn of(
        options: &'o ReadOptions,
        origin: Origin<'o>,
        read_one: ReadOne,
    ) -> Children<'o> {
        let until = Instant::now() + MAX_TIME;
        Children { options, origin, read_one, seen: HashSet::new(), bytes: MAX_BYTES, until }
    }

    /// The session with those of its sub-agents, and theirs.
    pub(in crate::format) fn within(mut self, session: Session, started: Vec<Started>) -> Session {
        let id = session.header().id.clone();
        self.seen.insert(id.clone());
        with_descendants(session, (id, started), |_, (id, started), _| self.children(&id, started))
    }

    fn children(
        &mut self,
        id: &str,
        started: Vec<Started>,
    ) -> Vec<FoundChild<(String, Vec<Started>)>> {
        let rows = match self.in_time().and_then(|()| self.listed(id)) {
            Ok(rows) => rows,
            Err(error) => return vec![not_listed(&error)],
        };
        // A sub-agent may be asked again: the first call started it.
        let mut calls: HashMap<String, Started> = HashMap::new();
        let mut named = Vec::new();
        for call in started {
            if !calls.contains_key(&call.session) {
                named.push(call.session.clone());
                calls.insert(call.session.clone(), call);
            }
        }
        let mut found = Vec::new();
        for row in rows {
            if self.seen.insert(row.id.clone()) {
                let call = calls.remove(&row.id);
                found.push(self.child(row, call));
            }
        }
        for session in named {
            let Some(call) = calls.remove(&session).filter(|_| self.seen.insert(session.clone()))
            else {
                continue;
            };
            let row = ChildRow { id: session, title: None, agent: None };
            found.push(self.child(row, Some(call)));
        }
        found
    }

    fn child(
        &mut self,
        row: ChildRow,
        call: Option<Started>,
    ) -> FoundChild<(String, Vec<Started>)> {
        let read = self.read(&row.id);
        let (agent, task, entry) = match call {
            Some(call) => (call.agent, call.task, Some(call.entry)),
            None => (None, None, None),
        };
        let (session, next) = match read {
            Ok((session, started)) => (Ok(Box::new(session)), Some((row.id.clone(), started))),
            Err(reason) => (Err(reason), None),
        };
        let child = Child {
            key: row.id,
            agent: agent.or(row.agent),
            task: task.or(row.title),
            started_by: entry,
            session,
        };
        FoundChild { child, next }
    }

    fn in_time(&self) -> Result<(), String> {
        let is_late = Instant::now() >= self.until;
        if is_late { Err("not read: reading took too long".to_owned()) } else { Ok(()) }
    }

    fn listed(&self, id: &str) -> Result<Vec<ChildRow>, String> {
        self.origin.children(id).map_err(|error| error.to_string())
    }

    fn read(&mut self, id: &str) -> Result<(Session, Vec<Started>), String> {
        self.in_time()?;
        if self.seen.len() > MAX_SESSIONS {
            return Err("not read: the sub-agent sessions are too many".to_owned());
        }
        let source = self.origin.session(id, self.bytes).map_err(|error| error.to_string())?;
        self.bytes = self.bytes.saturating_sub(source.len() as u64);
        let source = self.options.rewritten(source);
        (self.read_one)(source, self.options).map_err(|error| error.to_string())
    }
}

#[cfg(feature = "cli")]
impl Database {
    /// Gives the sessions of a session's sub-agents, the innermost first, and the session itself last: each with the
    /// session that started it. What cannot be read is given as an error, and keeps no other from being given.
    pub(crate) fn with_children(
        &self,
        id: &str,
        limit: u64,
        mut give: impl FnMut(ChildRow, Option<String>, Result<Vec<u8>, DatabaseError>),
    ) -> Result<(), DatabaseError> {
        let mut found = vec![(ChildRow { id: id.to_owned(), title: None, agent: None }, None)];
        let mut seen = HashSet::from([id.to_owned()]);
        let mut is_listed = Ok(());
        let mut next = 0;
        while next < found.len() {
            let parent = found[next].0.id.clone();
            match self.children(&parent) {
                Ok(rows) => {
                    let new = rows.into_iter().filter(|row| seen.insert(row.id.clone()));
                    found.extend(new.map(|row| (row, Some(parent.clone()))));
                }
                Err(error) => is_listed = Err(error),
            }
            next += 1;
        }
        for (row, parent) in found.into_iter().rev() {
            let session = self.session(&row.id, limit);
            give(row, parent, session);
        }
        is_listed
    }
}

fn not_listed(reason: &str) -> FoundChild<(String, Vec<Started>)> {
    let child = Child {
        key: "sub-agents".to_owned(),
        agent: None,
        task: None,
        started_by: None,
        session: Err(reason.to_owned()),
    };
    FoundChild { child, next: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::opencode;

    #[test]
    fn reading_ends_when_it_takes_too_long() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("opencode.db");
        let writer = rusqlite::Connection::open(&path).unwrap();
        let sql = "
            CREATE TABLE session (id, parent_id, time_created, time_updated);
            CREATE TABLE message (id, session_id, time_created, data);
            CREATE TABLE part (id, message_id, session_id, data);
            INSERT INTO session VALUES ('a', NULL, 1, 1), ('b', 'a', 2, 2);
            INSERT INTO message VALUES ('m', 'a', 1, '{\"role\":\"user\"}'), ('n', 'b', 2, '{\"role\":\"user\"}');";
        writer.execute_batch(sql).unwrap();
        let options = ReadOptions { session: Some(path.clone()), ..ReadOptions::default() };
        let read = |late: bool| {
            let mut children =
                Children::of(&options, Origin::of(&options).unwrap(), opencode::read_one);
            let (session, started) =
                opencode::read_one(children.origin.session("a", u64::MAX).unwrap(), &options)
                    .unwrap();
            children.until = if late { Instant::now() } else { children.until };
            let session = children.within(session, started);
            let session = session.with_merged_children();
            let child = &session.sub_sessions()[0];
            (child.key.clone(), child.missing.clone())
        };
        assert_eq!(read(false), ("b".to_owned(), None));
        let reason = "not read: reading took too long".to_owned();
        assert_eq!(read(true), ("sub-agents".to_owned(), Some(reason)));
    }
}
