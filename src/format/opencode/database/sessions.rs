//! Which tables the database has, and the sessions that they list.
//!
//! Both versions may have left tables, and other programs columns. So it is asked first which tables and columns
//! there are (`Table::find`, which takes no view and nothing computed), and queries name only those.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::format::opencode::export::own_title;

use super::{ChildRow, DatabaseError, DatabaseSession};

/// A table, and the columns that it has of those that are read.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) name: &'static str,
    columns: HashSet<String>,
}

/// The tables of both versions; a database that was migrated has all of them.
// `migration.v1-v2` in the table `kv`; the tables of 1.x stay (opencode).
#[derive(Debug)]
pub(super) struct Tables {
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

impl Table {
    /// The table of this name, unless it is a view or something else that computes its rows.
    fn find(
        connection: &Connection,
        name: &'static str,
        needed: &[&str],
    ) -> Result<Option<Table>, DatabaseError> {
        let kind = "SELECT type, sql FROM main.sqlite_schema WHERE name = ?1";
        let found = connection.query_row(kind, [name], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?.unwrap_or_default()))
        });
        let Some((kind, sql)) = found.optional()? else { return Ok(None) };
        let is_virtual = || {
            let mut words = sql.split_ascii_whitespace().skip(1);
            words.next().is_some_and(|word| word.eq_ignore_ascii_case("virtual"))
        };
        if kind != "table" || is_virtual() {
            return Err(DatabaseError::NotOpenCode(format!("`{name}` is not a table")));
        }
        // Hidden are columns that are computed.
        let columns = "SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0";
        let mut columns = connection.prepare(columns)?;
        let columns = columns.query_map([name], |row| row.get::<_, String>(0))?;
        let columns = columns.collect::<Result<HashSet<String>, _>>()?;
        if let Some(missing) = needed.iter().find(|column| !columns.contains(**column)) {
            let reason = format!("the table `{name}` has no column `{missing}`");
            return Err(DatabaseError::NotOpenCode(reason));
        }
        Ok(Some(Table { name, columns }))
    }

    /// The column, or null where the table has none of that name.
    pub(super) fn column(&self, name: &'static str) -> &'static str {
        if self.columns.contains(name) { name } else { "NULL" }
    }
}

impl Tables {
    pub(super) fn of(connection: &Connection) -> Result<Tables, DatabaseError> {
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
            return Err(DatabaseError::NotOpenCode(reason));
        }
        Ok(Tables { sessions, has_parts, has_flat })
    }

    /// Whether a session has messages of one kind, in terms of its id.
    fn has(kind: &str, id: &str) -> String {
        format!("EXISTS (SELECT 1 FROM {kind} AS m WHERE m.session_id = {id})")
    }

    pub(super) fn sessions(
        &self,
        connection: &Connection,
    ) -> Result<Vec<DatabaseSession>, DatabaseError> {
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
    pub(super) fn prompts(
        &self,
        connection: &Connection,
    ) -> Result<Vec<(String, String)>, DatabaseError> {
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

    pub(super) fn children(
        &self,
        connection: &Connection,
        id: &str,
    ) -> Result<Vec<ChildRow>, DatabaseError> {
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
                if let Some(id) = text(row, 0)? {
                    children.push(ChildRow { id, title: text(row, 1)?, agent: text(row, 2)? });
                }
            }
        }
        Ok(children)
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

/// A text; numbers as their text, anything else as nothing.
pub(super) fn text(row: &Row<'_>, at: usize) -> Result<Option<String>, DatabaseError> {
    use rusqlite::types::ValueRef;
    Ok(match row.get_ref(at)? {
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Null | ValueRef::Blob(_) => None,
    })
}
