//! The sessions of sub-agents, which lie in the same database.

use std::collections::{HashMap, HashSet};

use crate::format::descendants::{FoundChild, with_descendants};
use crate::format::read_options::ReadOptions;
use crate::session::{Child, Session};

use super::chain::Started;
use super::database::{ChildRow, Database, is_database};
use super::read_one;

/// So many sessions are read, as many as a page shows.
const MAX_SESSIONS: usize = 20_000;

/// And so many of their bytes, which are held in memory together.
const MAX_BYTES: u64 = 1 << 30;

/// Finds the sessions of sub-agents.
pub(super) struct Children<'o> {
    options: &'o ReadOptions,
    database: Database,
    /// Those read so far, so that a circle of parents ends.
    seen: HashSet<String>,
    bytes: u64,
}

impl<'o> Children<'o> {
    /// Where the session came out of a database that can be read.
    pub(super) fn of(options: &'o ReadOptions) -> Option<Children<'o>> {
        let path = options.session.as_deref().filter(|_| !options.without_children)?;
        let database = is_database(path).then(|| Database::open(path).ok()).flatten()?;
        Some(Children { options, database, seen: HashSet::new(), bytes: MAX_BYTES })
    }

    /// The session with those of its sub-agents, and theirs.
    pub(super) fn within(mut self, session: Session, started: Vec<Started>) -> Session {
        let id = session.header().id.clone();
        self.seen.insert(id.clone());
        with_descendants(session, (id, started), |_, (id, started), _| self.children(&id, started))
    }

    fn children(
        &mut self,
        id: &str,
        started: Vec<Started>,
    ) -> Vec<FoundChild<(String, Vec<Started>)>> {
        let rows = match self.database.children(id) {
            Ok(rows) => rows,
            Err(error) => return vec![not_listed(&error.to_string())],
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
        let title = row.title.as_deref().filter(|title| super::export::own_title(title));
        let (title, by_title) = title.map_or((None, None), |title| {
            let (title, agent) = parted(title);
            (Some(title.to_owned()), agent.map(str::to_owned))
        });
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
            agent: agent.or(by_title).or(row.agent),
            task: task.or(title),
            started_by: entry,
            session,
        };
        FoundChild { child, next }
    }

    fn read(&mut self, id: &str) -> Result<(Session, Vec<Started>), String> {
        if self.seen.len() > MAX_SESSIONS {
            return Err("not read: the sub-agent sessions are too many".to_owned());
        }
        let source = self.database.session(id, self.bytes).map_err(|error| error.to_string())?;
        self.bytes = self.bytes.saturating_sub(source.len() as u64);
        read_one(self.options.rewritten(source), true).map_err(|error| error.to_string())
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

/// OpenCode titles them `Find the harbor (@explore subagent)`.
fn parted(title: &str) -> (&str, Option<&str>) {
    let parts = title
        .rsplit_once(" (@")
        .and_then(|(title, rest)| Some((title, rest.strip_suffix(" subagent)")?)));
    parts.map_or((title, None), |(title, agent)| (title, Some(agent)))
}
