//! The sessions of sub-agents, which lie in the same database.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use crate::format::ReadError;
use crate::format::descendants::{FoundChild, Started, with_descendants};
use crate::format::read_options::ReadOptions;
use crate::session::{Child, Session};

use super::{ChildRow, Database};

/// Reads a session alone, and which sub-agents its entries started.
pub(in crate::format) type ReadOne =
    fn(Vec<u8>, &ReadOptions) -> Result<(Session, Vec<Started>), ReadError>;

/// So many sessions are read, as many as a page shows.
const MAX_SESSIONS: usize = 20_000;

/// And so many of their bytes, which are held in memory together.
const MAX_BYTES: u64 = 1 << 30;

/// And for so long: without the indexes of the agents' own databases each session is looked for in all rows.
const MAX_TIME: Duration = Duration::from_secs(60);

/// Finds the sessions of sub-agents.
pub(in crate::format) struct Children<'o> {
    options: &'o ReadOptions,
    database: Database,
    read_one: ReadOne,
    /// Those read so far, so that a circle of parents ends.
    seen: HashSet<String>,
    bytes: u64,
    until: Instant,
}

impl<'o> Children<'o> {
    pub(in crate::format) fn of(
        options: &'o ReadOptions,
        database: Database,
        read_one: ReadOne,
    ) -> Children<'o> {
        let until = Instant::now() + MAX_TIME;
        Children { options, database, read_one, seen: HashSet::new(), bytes: MAX_BYTES, until }
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
        self.database.children(id).map_err(|error| error.to_string())
    }

    fn read(&mut self, id: &str) -> Result<(Session, Vec<Started>), String> {
        self.in_time()?;
        if self.seen.len() > MAX_SESSIONS {
            return Err("not read: the sub-agent sessions are too many".to_owned());
        }
        let source = self.database.session(id, self.bytes).map_err(|error| error.to_string())?;
        self.bytes = self.bytes.saturating_sub(source.len() as u64);
        let source = self.options.rewritten(source);
        (self.read_one)(source, self.options).map_err(|error| error.to_string())
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
                Children::of(&options, Database::open(&path).unwrap(), opencode::read_one);
            let (session, started) =
                opencode::read_one(children.database.session("a", u64::MAX).unwrap(), &options)
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
