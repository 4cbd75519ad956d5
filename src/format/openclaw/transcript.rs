//! The windows of one session as one file of pi's lines.
//!
//! Each window has a header and entries of its own. Here they become one tree: a window hangs below the last entry of
//! the one that it follows, with a `reset` between them that has the window's reason. Entries that a window took over
//! from another (a fork, a rewind) stand once.

use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Read as _;
use std::path::Path;

use rusqlite::{Connection, OptionalExtension as _, Statement};

use crate::format::compressed::Compression;
use crate::format::database::{DatabaseError, text};
use crate::format::fields::{object, string};
use crate::session::json::Json;
use crate::session::text::counted;

use super::database::{Tables, Window};

/// The field of the header with the current leaf's id, `leaf`, and sentences for the person, `notes`.
pub(super) const TOLD: &str = "beside";

/// An event has at most so many bytes.
// The column's own constraint, 2026.9.6.
const MAX_EVENT_BYTES: u64 = 4 << 20;

/// An archived window is read up to this size.
const MAX_ARCHIVE_BYTES: u64 = 512 << 20;

/// A session's lines, and what is to be said of them.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    pub(super) lines: Vec<u8>,
    notes: Vec<String>,
    limit: u64,
    /// The entries so far: a hash of each one's text, by its id.
    seen: HashMap<String, u64>,
    /// The last entry of each window.
    leaves: HashMap<String, String>,
    broken: usize,
}

impl Transcript {
    /// Reads at most `limit` bytes.
    pub(super) fn read(
        tables: &Tables,
        connection: &Connection,
        key: &str,
        limit: u64,
    ) -> Result<Transcript, DatabaseError> {
        let mut transcript = Transcript { limit, ..Transcript::default() };
        let windows = tables.windows(connection, key)?;
        for (at, window) in windows.iter().enumerate() {
            let above = window.follows(&windows[..at]);
            let mut place = WindowPlace {
                window,
                above: above.map(|above| above.id.as_str()),
                has_boundary: false,
            };
            transcript.archived(tables, connection, &mut place)?;
            Events::of(tables, connection, &window.id)?.each(|event| {
                match event {
                    Some(event) => transcript.event(&mut place, &event)?,
                    None => transcript.broken += 1,
                }
                Ok(true)
            })?;
        }
        if transcript.broken > 0 {
            let broken = counted(transcript.broken, "event");
            transcript.notes.push(format!("{broken} of the database could not be read"));
        }
        let aside = tables.set_aside(connection, key)?;
        if aside > 0 {
            transcript.notes.push(format!(
                "{} of this session, from before a reset or a deletion, not included",
                counted(aside, "archived transcript")
            ));
        }
        transcript.header(tables, connection, key, &windows)?;
        Ok(transcript)
    }

    /// One header for all, ahead of the lines: the first window's time, the last one's folder, the key as the id, and
    /// under [`TOLD`] what no entry says.
    fn header(
        &mut self,
        tables: &Tables,
        connection: &Connection,
        key: &str,
        windows: &[Window],
    ) -> Result<(), DatabaseError> {
        let first = |window: Option<&Window>| -> Result<Json<'static>, DatabaseError> {
            let mut header = Json::Null;
            let Some(window) = window else { return Ok(header) };
            Events::of(tables, connection, &window.id)?.each(|event| {
                let event =
                    event.as_deref().and_then(|event| serde_json::from_str::<Json<'_>>(event).ok());
                let is_header = |event: &Json<'_>| kind(event) == Some("session");
                header = event.filter(is_header).map_or(Json::Null, Json::owned);
                Ok(false)
            })?;
            Ok(header)
        };
        let (oldest, newest) = (first(windows.first())?, first(windows.last())?);
        let current = windows.last().map(|window| tables.leaf(connection, &window.id));
        let leaf = current.transpose()?.flatten();
        let notes = Json::Array(std::mem::take(&mut self.notes).into_iter().map(string).collect());
        let header = object([
            ("type", Some(string("session"))),
            // OpenClaw's events are of pi's third version.
            ("version", Some(oldest.get("version").cloned().unwrap_or(Json::Number(3.into())))),
            ("id", Some(string(key.to_owned()))),
            ("timestamp", oldest.get("timestamp").cloned()),
            ("cwd", newest.get("cwd").cloned()),
            // `title` would make it omp's.
            ("displayName", tables.title(connection, key)?.map(string)),
            (TOLD, Some(object([("leaf", leaf.map(string)), ("notes", Some(notes))]))),
        ]);
        let lines = std::mem::take(&mut self.lines);
        self.line(&header.compact())?;
        self.lines.extend(lines);
        Ok(())
    }

    /// One event of a window. Each window has a header of its own; the session has another.
    fn event(&mut self, place: &mut WindowPlace<'_>, event: &str) -> Result<(), DatabaseError> {
        let Ok(json) = serde_json::from_str::<Json<'_>>(event) else { return self.line(event) };
        if kind(&json) == Some("session") {
            return Ok(());
        }
        let Some(id) = json.get("id").and_then(Json::as_str).map(str::to_owned) else {
            return self.line(event);
        };
        let hash = hash(event);
        let is_taken_over = self.seen.insert(id.clone(), hash) == Some(hash);
        let is_root = || matches!(json.get("parentId"), None | Some(Json::Null));
        if !is_taken_over {
            let boundary = if is_root() { self.boundary(place)? } else { None };
            match boundary {
                Some(boundary) => self.line(&below(json, boundary).compact())?,
                None => self.line(event)?,
            }
        }
        self.leaves.insert(place.window.id.clone(), id);
        Ok(())
    }

    /// The entry below which a window hangs, written where it is not there yet; `None` for the first window.
    fn boundary(&mut self, place: &mut WindowPlace<'_>) -> Result<Option<String>, DatabaseError> {
        let Some(leaf) = place.above.and_then(|above| self.leaves.get(above)).cloned() else {
            return Ok(None);
        };
        let id = format!("window-{}", place.window.id);
        if !place.has_boundary {
            place.has_boundary = true;
            let began = place.window.began.map(|began| Json::Number(began.into()));
            let boundary = object([
                ("type", Some(string("reset"))),
                ("id", Some(string(id.clone()))),
                ("parentId", Some(string(leaf))),
                ("timestamp", began),
                ("reason", place.window.reason.clone().map(string)),
            ]);
            self.line(&boundary.compact())?;
        }
        Ok(Some(id))
    }

    /// The events of a window that were moved out of the table: into the database, or into a file beside it.
    fn archived(
        &mut self,
        tables: &Tables,
        connection: &Connection,
        place: &mut WindowPlace<'_>,
    ) -> Result<(), DatabaseError> {
        let Some(cold) = &tables.cold else { return Ok(()) };
        let [name, blob] = ["archive_name", "archive_blob"].map(|name| cold.column(name));
        let query = format!(
            "SELECT {name}, {blob} FROM session_transcript_cold_archives WHERE session_id = ?1"
        );
        let found = connection.query_row(&query, [&place.window.id], |row| {
            Ok((text(row, 0).ok().flatten(), row.get::<_, Option<Vec<u8>>>(1).unwrap_or_default()))
        });
        let Some((name, blob)) = found.optional()? else { return Ok(()) };
        let bytes = blob.or_else(|| beside(&tables.folder, name.as_deref()?));
        let Some(bytes) = bytes.and_then(|bytes| unpacked(bytes, MAX_ARCHIVE_BYTES)) else {
            let name = name.map(|name| format!(" (`{name}`)")).unwrap_or_default();
            self.notes.push(format!(
                "the part of this session in window `{}` is archived{name} and not included",
                place.window.id
            ));
            return Ok(());
        };
        for line in String::from_utf8_lossy(&bytes).lines().filter(|line| !line.trim().is_empty()) {
            self.event(place, line)?;
        }
        Ok(())
    }

    fn line(&mut self, event: &str) -> Result<(), DatabaseError> {
        if (self.lines.len() + event.len()) as u64 >= self.limit {
            return Err(DatabaseError::TooLarge(self.limit));
        }
        // Between the parts of JSON a newline is but a blank.
        let byte = |byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte };
        self.lines.extend(event.bytes().map(byte));
        self.lines.push(b'\n');
        Ok(())
    }
}

/// A window while it is written.
struct WindowPlace<'w> {
    window: &'w Window,
    /// The window that it follows.
    above: Option<&'w str>,
    /// Its boundary is written.
    has_boundary: bool,
}

/// The events of a window, in their order.
pub(super) struct Events<'c> {
    query: Statement<'c>,
    window: String,
}

impl<'c> Events<'c> {
    pub(super) fn of(
        tables: &Tables,
        connection: &'c Connection,
        window: &str,
    ) -> Result<Events<'c>, DatabaseError> {
        let packed = tables.events.column("event_zstd");
        let query = format!(
            "SELECT event_json, {packed} FROM transcript_events WHERE session_id = ?1 ORDER BY seq"
        );
        Ok(Events { query: connection.prepare(&query)?, window: window.to_owned() })
    }

    /// Gives each event until `take` says no more; `None` is one that cannot be read.
    pub(super) fn each(
        mut self,
        mut take: impl FnMut(Option<String>) -> Result<bool, DatabaseError>,
    ) -> Result<(), DatabaseError> {
        let mut rows = self.query.query([&self.window])?;
        while let Some(row) = rows.next()? {
            let packed = || -> Option<String> {
                let packed = row.get::<_, Option<Vec<u8>>>(1).ok().flatten()?;
                String::from_utf8(unpacked(packed, MAX_EVENT_BYTES)?).ok()
            };
            if !take(text(row, 0)?.or_else(packed))? {
                break;
            }
        }
        Ok(())
    }
}

/// What bytes hold, as they are or compressed; nothing where that is damaged or more than `limit`.
fn unpacked(bytes: Vec<u8>, limit: u64) -> Option<Vec<u8>> {
    let Some(compression) = Compression::of(&bytes) else { return Some(bytes) };
    let mut whole = Vec::new();
    compression.decoder(bytes.as_slice()).take(limit + 1).read_to_end(&mut whole).ok()?;
    (whole.len() as u64 <= limit).then_some(whole)
}

/// A file of this name in the database's own folder; never one that a link or a path leads to.
fn beside(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let is_name = !name.contains(['/', '\\', ':']) && !matches!(name, "" | "." | "..");
    let path = is_name.then(|| folder.join(name))?;
    let about = fs::symlink_metadata(&path).ok()?;
    let is_small = about.is_file() && about.len() <= MAX_ARCHIVE_BYTES;
    is_small.then(|| fs::read(path).ok())?
}

fn kind<'j>(event: &'j Json<'_>) -> Option<&'j str> {
    event.get("type").and_then(Json::as_str)
}

/// The entry below another.
fn below(entry: Json<'_>, parent: String) -> Json<'_> {
    let Json::Object(fields) = entry else { return entry };
    let own = fields.into_iter().filter(|(key, _)| key != "parentId");
    Json::Object(own.chain([("parentId".into(), string(parent))]).collect())
}

fn hash(event: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    event.hash(&mut hasher);
    hasher.finish()
}
