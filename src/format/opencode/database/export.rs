//! One session of the database as `opencode export` writes it. Tables and columns: 1.18.33; `session_v2`,
//! `session_message`, `fork_session_id` and `fork_boundary`: opencode, packages/core/src/database.
//!
//! The database is not read into entries but written as an export, in memory, which the reader of exports then reads:
//! one way to read a session, whatever it was kept in. Its size is checked on the way. What stands in columns goes
//! into the objects that rows keep in `data`, where an export has it.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use rusqlite::Connection;
use serde_json::value::RawValue;

use crate::format::fields::{fields_of, object, string};
use crate::session::json::Json;

use crate::format::database::{DatabaseError, Table, text};

use super::Tables;

/// Writes the session, its messages one a line.
pub(super) fn session(
    connection: &Connection,
    tables: &Tables,
    id: &str,
    limit: u64,
) -> Result<Vec<u8>, DatabaseError> {
    let place = tables.place(connection, id)?;
    let place = place.ok_or_else(|| DatabaseError::NoSession(id.to_owned()))?;
    let info = info(connection, place.table, id, place.is_flat)?;
    let mut out = Export { text: format!("{{\"info\":{info},\n\"messages\":["), limit, count: 0 };
    if place.is_flat {
        out.flat(connection, id)?;
    } else {
        out.with_parts(connection, id)?;
    }
    out.text.push_str("\n]}\n");
    Ok(out.text.into_bytes())
}

/// The columns of a session's row that are texts, and their names in an export.
const TEXTS: [(&str, &str); 10] = [
    ("id", "id"),
    ("slug", "slug"),
    ("project_id", "projectID"),
    ("parent_id", "parentID"),
    ("directory", "directory"),
    ("path", "path"),
    ("title", "title"),
    ("agent", "agent"),
    ("version", "version"),
    ("share_url", "share"),
];

/// Those that are JSON, and that are numbers.
const VALUES: [(&str, &str); 6] = [
    ("model", "model"),
    ("metadata", "metadata"),
    ("cost", "cost"),
    ("revert", "revert"),
    ("fork_boundary", "boundary"),
    ("permission", "permission"),
];

const NUMBERS: [(&str, &str); 8] = [
    ("tokens_input", "input"),
    ("tokens_output", "output"),
    ("tokens_reasoning", "reasoning"),
    ("tokens_cache_read", "read"),
    ("tokens_cache_write", "write"),
    ("time_created", "created"),
    ("time_updated", "updated"),
    ("time_archived", "archived"),
];

/// What an export says of the session itself.
fn info(
    connection: &Connection,
    table: &Table,
    id: &str,
    is_flat: bool,
) -> Result<String, DatabaseError> {
    let names = TEXTS.iter().chain(&VALUES).chain(&NUMBERS).map(|(column, _)| *column);
    let names = names.chain(["fork_session_id"]);
    let columns: Vec<&str> = names.map(|name| table.column(name)).collect();
    let query = format!("SELECT {} FROM {} WHERE id = ?1", columns.join(", "), table.name);
    let mut found: BTreeMap<&str, Json<'static>> = BTreeMap::new();
    let fork = connection.query_row(&query, [id], |row| {
        let all = TEXTS.iter().chain(&VALUES).chain(&NUMBERS);
        for (at, (_, name)) in all.enumerate() {
            let Ok(Some(value)) = text(row, at) else { continue };
            let is_text = at < TEXTS.len();
            let value = if is_text { string(value) } else { json(&value) };
            found.insert(name, value);
        }
        Ok(text(row, columns.len() - 1).ok().flatten())
    })?;
    let mut take = |name: &str| found.remove(name);
    let directory = take("directory");
    let location = directory.clone().map(|directory| object([("directory", Some(directory))]));
    let boundary = take("boundary");
    let fork = fork.map(|fork| object([("sessionID", Some(string(fork))), ("boundary", boundary)]));
    let cache = object([("read", take("read")), ("write", take("write"))]);
    let tokens = object([
        ("input", take("input")),
        ("output", take("output")),
        ("reasoning", take("reasoning")),
        ("cache", Some(cache)),
    ]);
    let time = object([
        ("created", take("created")),
        ("updated", take("updated")),
        ("archived", take("archived")),
    ]);
    let fields = fields_of([
        ("id", take("id")),
        ("slug", take("slug")),
        ("projectID", take("projectID")),
        ("parentID", take("parentID")),
        ("directory", directory.filter(|_| !is_flat)),
        ("location", location.filter(|_| is_flat)),
        ("fork", fork),
        ("path", take("path")),
        ("title", take("title")),
        ("agent", take("agent")),
        ("model", take("model")),
        ("version", take("version")),
        ("share", take("share").map(|url| object([("url", Some(url))]))),
        ("metadata", take("metadata")),
        ("cost", take("cost")),
        ("tokens", Some(tokens)),
        ("permission", take("permission")),
        ("revert", take("revert")),
        ("time", Some(time)),
    ]);
    Ok(Json::Object(fields).compact())
}

fn json(text: &str) -> Json<'static> {
    serde_json::from_str::<Json<'_>>(text).map_or_else(|_| string(text.to_owned()), Json::owned)
}

struct Export {
    text: String,
    limit: u64,
    count: usize,
}

impl Export {
    /// The next message begins.
    fn begin(&mut self) {
        self.text.push_str(if self.count == 0 { "\n" } else { ",\n" });
        self.count += 1;
    }

    fn check(&self, more: usize) -> Result<(), DatabaseError> {
        if (self.text.len() + more) as u64 > self.limit {
            return Err(DatabaseError::TooLarge(self.limit));
        }
        Ok(())
    }

    /// The object that a row keeps in `data`, with what stands in columns of its own. What is no
    /// object is kept as text.
    fn object(
        &mut self,
        data: &str,
        kind: &str,
        own: &[(&str, &str)],
    ) -> Result<(), DatabaseError> {
        self.check(data.len())?;
        let is_json = serde_json::from_str::<&RawValue>(data).is_ok();
        let inner = data.trim().strip_prefix('{').filter(|_| is_json);
        let inner = inner.and_then(|data| data.strip_suffix('}'));
        self.text.push('{');
        match inner.map(str::trim) {
            // Behind its own fields: of two of the same name the last one counts.
            Some("") => {}
            Some(inner) => {
                // Between the parts of JSON a newline is but a blank, and each message has one line.
                self.text.extend(inner.chars().map(|c| if c == '\n' { ' ' } else { c }));
                self.text.push(',');
            }
            None => {
                let data = string(data).compact();
                let _ = write!(self.text, "\"{kind}\":\"damaged\",\"data\":{data},");
            }
        }
        let is_own = |name: &str| inner.is_some() || name != kind;
        for (nth, (name, value)) in own.iter().filter(|(name, _)| is_own(name)).enumerate() {
            let comma = if nth == 0 { "" } else { "," };
            let value = string(*value).compact();
            let _ = write!(self.text, "{comma}\"{name}\":{value}");
        }
        self.text.push('}');
        Ok(())
    }

    /// Messages of version 1.x. Parts whose message is gone stand at the end.
    // Order by time_created, then id; parts by id (opencode).
    fn with_parts(&mut self, connection: &Connection, session: &str) -> Result<(), DatabaseError> {
        let mut parts: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        let query = "SELECT message_id, id, data FROM part WHERE session_id = ?1 ORDER BY id";
        let mut query = connection.prepare(query)?;
        let mut rows = query.query([session])?;
        let mut bytes = 0;
        while let Some(row) = rows.next()? {
            let part = [text(row, 0)?, text(row, 1)?, text(row, 2)?].map(Option::unwrap_or_default);
            let [message, id, data] = part;
            bytes += data.len();
            self.check(bytes)?;
            parts.entry(message).or_default().push((id, data));
        }
        let query = "SELECT id, data FROM message WHERE session_id = ?1 ORDER BY time_created, id";
        let mut query = connection.prepare(query)?;
        let mut rows = query.query([session])?;
        let mut seen = HashSet::new();
        while let Some(row) = rows.next()? {
            let [id, data] = [text(row, 0)?, text(row, 1)?].map(Option::unwrap_or_default);
            let own = parts.remove(&id).unwrap_or_default();
            seen.insert(id.clone());
            self.message(session, &id, &data, own)?;
        }
        for (id, own) in parts {
            self.message(session, &id, "{}", own)?;
        }
        Ok(())
    }

    fn message(
        &mut self,
        session: &str,
        id: &str,
        data: &str,
        parts: Vec<(String, String)>,
    ) -> Result<(), DatabaseError> {
        self.begin();
        self.text.push_str("{\"info\":");
        self.object(data, "role", &[("id", id), ("sessionID", session)])?;
        self.text.push_str(",\"parts\":[");
        for (nth, (part, data)) in parts.into_iter().enumerate() {
            self.text.push_str(if nth == 0 { "" } else { "," });
            let own = [("id", &*part), ("sessionID", session), ("messageID", id)];
            self.object(&data, "type", &own)?;
        }
        self.text.push_str("]}");
        Ok(())
    }

    /// Messages of version 2.x.
    // `seq` is unique within a session and gives the order (opencode).
    fn flat(&mut self, connection: &Connection, session: &str) -> Result<(), DatabaseError> {
        let query = "SELECT id, type, data, time_created FROM session_message \
             WHERE session_id = ?1 ORDER BY seq, id";
        let mut query = connection.prepare(query)?;
        let mut rows = query.query([session])?;
        while let Some(row) = rows.next()? {
            let columns = [text(row, 0)?, text(row, 1)?, text(row, 2)?, text(row, 3)?];
            let [id, kind, data, time] = columns.map(Option::unwrap_or_default);
            let has_time = serde_json::from_str::<Json<'_>>(&data)
                .is_ok_and(|data| data.get("time").is_some());
            // Ahead of the rest stands what the data may lack.
            let timed = match (data.trim().strip_prefix('{'), time.parse::<i64>()) {
                (Some(rest), Ok(time)) if !has_time && rest.trim() != "}" => {
                    format!("{{\"time\":{{\"created\":{time}}},{rest}")
                }
                (Some(_), Ok(time)) if !has_time => format!("{{\"time\":{{\"created\":{time}}}}}"),
                _ => data,
            };
            self.begin();
            self.object(&timed, "type", &[("id", &id), ("type", &kind)])?;
        }
        Ok(())
    }
}
