//! Which tables OpenCode's database has, and the sessions that they list.
//!
//! Both versions may have left tables, and other programs columns. So it is asked first which tables and columns
//! there are (`Table::find`, which takes no view and nothing computed), and queries name only those.

mod export;

use std::collections::HashSet;

use rusqlite::{Connection, params};

use crate::format::database::{AgentTables, ChildRow, DatabaseError, DatabaseSession, Table, text};
use crate::format::opencode::export::own_title;

/// The tables of both versions; a database that was migrated has all of them.
// `migration.v1-v2` in the table `kv`; the tables of 1.x stay (opencode).
#[derive(Debug)]
pub(in crate::format) struct Tables {
    /// Tables of sessions, that of the newer version first.
    pub(super) sessions: Vec<Table>,
    /// `message` and `part`, of version 1.x.
    pub(super) has_parts: bool,
    /// `session_message`, of version 2.x.
    pub(super) has_flat: bool,
}

/// A session that is asked for in one of the tables.
pub(super) struct SessionPlace<'t> {
    pub(super) table: &'t Table,
    /// Its messages are those of version 2.x.
    pub(super) is_flat: bool,
}

impl Tables {
    pub(in crate::format) fn of(connection: &Connection) -> Result<Tables, DatabaseError> {
        const SESSION: [&str; 3] = ["id", "time_created", "time_updated"];
        const MESSAGE: [&str; 4] = ["id", "session_id", "time_created", "data"];
        const PART: [&str; 4] = ["id", "message_id", "session_id", "data"];
        const FLAT: [&str; 6] = ["id", "session_id", "type", "seq", "time_created", "data"];
        let find = |name, needed: &[&str]| Table::find(connection, name, needed);
        let newer = find("session_v2", &SESSION)?;
        let older = find("session", &SESSION)?;
        let sessions: Vec<Table> = newer.into_iter().chain(older).collect();
        let has_parts = find("message", &MESSAGE)?.is_some() && find("part", &PART)?.is_some();
        let has_flat = find("session_message", &FLAT)?.is_some();
        if sessions.is_empty() || !has_parts && !has_flat {
            let reason = "it has no tables of sessions and messages".to_owned();
            return Err(DatabaseError::NotAnAgents(reason));
        }
        Ok(Tables { sessions, has_parts, has_flat })
    }

    /// Whether a session has messages of one kind, in terms of its id.
    fn has(kind: &str, id: &str) -> String {
        format!("EXISTS (SELECT 1 FROM {kind} AS m WHERE m.session_id = {id})")
    }

    /// Where a session is: the newer table wins.
    pub(super) fn place(
        &self,
        connection: &Connection,
        id: &str,
    ) -> Result<Option<SessionPlace<'_>>, DatabaseError> {
        let is_there = |query: String| -> Result<bool, DatabaseError> {
            Ok(connection.query_row(&query, params![id], |row| row.get(0))?)
        };
        for table in &self.sessions {
            if !is_there(format!("SELECT EXISTS (SELECT 1 FROM {} WHERE id = ?1)", table.name))? {
                continue;
            }
            let has = |kind| is_there(format!("SELECT {}", Tables::has(kind, "?1")));
            let is_flat = self.has_flat && (!self.has_parts || has("session_message")?);
            return Ok(Some(SessionPlace { table, is_flat }));
        }
        Ok(None)
    }
}

impl AgentTables for Tables {
    fn sessions(&self, connection: &Connection) -> Result<Vec<DatabaseSession>, DatabaseError> {
        let kinds = [(self.has_parts, "message"), (self.has_flat, "session_message")];
        let kinds = kinds.into_iter().filter(|(is_there, _)| *is_there);
        let filled: Vec<String> = kinds.map(|(_, kind)| Tables::has(kind, "s.id")).collect();
        let filled = filled.join(" OR ");
        let mut sessions: Vec<DatabaseSession> = Vec::new();
        let mut seen = HashSet::new();
        for table in &self.sessions {
            let [parent, title, directory] =
                ["parent_id", "title", "directory"].map(|name| table.column(name));
            let query = format!(
                "SELECT s.id, {title}, {directory}, s.time_updated FROM {} AS s \
                 WHERE {parent} IS NULL AND ({filled})",
                table.name
            );
            let mut query = connection.prepare(&query)?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                let Some(id) = text(row, 0)? else { continue };
                if seen.insert(id.clone()) {
                    sessions.push(DatabaseSession {
                        id,
                        title: text(row, 1)?.filter(|title| own_title(title)),
                        cwd: text(row, 2)?,
                        time: row.get::<_, Option<i64>>(3).unwrap_or_default(),
                    });
                }
            }
        }
        // `time_updated` in milliseconds since 1970.
        sessions.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.id.cmp(&b.id)));
        Ok(sessions)
    }

    /// One query for all sessions. Ids ascend with time, so the least is that of the first message.
    fn prompts(&self, connection: &Connection) -> Result<Vec<(String, String)>, DatabaseError> {
        const PART: &str = "SELECT s.id, \
             (SELECT substr(json_extract(p.data, '$.text'), 1, 2000) FROM part AS p \
              WHERE p.message_id = (SELECT min(m.id) FROM message AS m WHERE m.session_id = s.id) \
              AND json_valid(p.data) AND json_extract(p.data, '$.type') = 'text' \
              AND NOT coalesce(json_extract(p.data, '$.synthetic'), 0) ORDER BY p.id LIMIT 1)";
        const FLAT: &str = "SELECT s.id, \
             (SELECT substr(json_extract(m.data, '$.text'), 1, 2000) FROM session_message AS m \
              WHERE m.session_id = s.id AND m.type = 'user' AND json_valid(m.data) \
              ORDER BY m.seq LIMIT 1)";
        let mut prompts = Vec::new();
        for table in &self.sessions {
            let parent = table.column("parent_id");
            for query in [(self.has_flat, FLAT), (self.has_parts, PART)] {
                let (true, query) = query else { continue };
                let query = format!("{query} FROM {} AS s WHERE {parent} IS NULL", table.name);
                let mut query = connection.prepare(&query)?;
                let mut rows = query.query([])?;
                while let Some(row) = rows.next()? {
                    prompts.extend(text(row, 0)?.zip(text(row, 1)?));
                }
            }
        }
        Ok(prompts)
    }

    fn children(&self, connection: &Connection, id: &str) -> Result<Vec<ChildRow>, DatabaseError> {
        let mut children: Vec<ChildRow> = Vec::new();
        for table in &self.sessions {
            let [parent, title, agent] =
                ["parent_id", "title", "agent"].map(|name| table.column(name));
            let query = format!(
                "SELECT id, {title}, {agent} FROM {} WHERE {parent} = ?1 ORDER BY time_created, id",
                table.name
            );
            let mut query = connection.prepare(&query)?;
            let mut rows = query.query([id])?;
            while let Some(row) = rows.next()? {
                let Some(id) = text(row, 0)? else { continue };
                let title = text(row, 1)?.filter(|title| own_title(title));
                let (title, by_title) = title.as_deref().map(parted).unzip();
                let agent = by_title.flatten().map(str::to_owned);
                let title = title.map(str::to_owned);
                children.push(ChildRow { id, title, agent: agent.or(text(row, 2)?) });
            }
        }
        Ok(children)
    }

    fn session(
        &self,
        connection: &Connection,
        id: &str,
        limit: u64,
    ) -> Result<Vec<u8>, DatabaseError> {
        export::session(connection, self, id, limit)
    }
}

/// OpenCode titles them `Find the harbor (@explore subagent)`.
// opencode; 1.18.33.
fn parted(title: &str) -> (&str, Option<&str>) {
    let parts = title
        .rsplit_once(" (@")
        .and_then(|(title, rest)| Some((title, rest.strip_suffix(" subagent)")?)));
    parts.map_or((title, None), |(title, agent)| (title, Some(agent)))
}
