//! OpenClaw's database. Its files of lines are pi's, and so is what the database gives (`transcript.rs`): pi's reader
//! reads both. What is particular to a session of the database is told here.
//!
//! Tables, columns and rules: OpenClaw 2026.9.6, read in the package; no database of a real run was seen.

pub(super) mod database;
#[cfg(test)]
mod tests;
mod transcript;

use crate::format::database::{Children, Origin};
use crate::format::descendants::Started;
use crate::format::read_options::ReadOptions;
use crate::format::{ReadError, pi};
use crate::session::json::Json;
use crate::session::message::Message;
use crate::session::{Body, Format, Session};

/// Reads a session that came out of a database, with those of its sub-agents.
pub(super) fn read(
    source: Vec<u8>,
    options: &ReadOptions,
    origin: Origin<'_>,
) -> Result<Session, ReadError> {
    let unread = origin.unread().map(str::to_owned);
    let session = read_alone(source, options, unread)?;
    if options.without_children {
        return Ok(session);
    }
    let started = started(&session);
    Ok(Children::of(options, origin, read_one).within(session, started))
}

/// The session alone, with what its header tells and `note`.
fn read_alone(
    source: Vec<u8>,
    options: &ReadOptions,
    note: Option<String>,
) -> Result<Session, ReadError> {
    let head = source.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let head: Json<'_> = serde_json::from_slice(head).unwrap_or(Json::Null);
    let told = head.get(transcript::TOLD);
    let leaf = told.and_then(|told| Some(told.get("leaf")?.as_str()?.to_owned()));
    let notes = told.and_then(|told| told.get("notes")).map_or(&[][..], Json::items);
    let notes: Vec<String> = notes.iter().filter_map(Json::as_str).map(str::to_owned).collect();
    pi::read_told(Format::Pi, source, options, |builder| {
        builder.header_mut().agent = Some("OpenClaw".to_owned());
        if let Some(leaf) = leaf {
            builder.leaf(leaf);
        }
        for note in note.into_iter().chain(notes) {
            builder.note(note);
        }
    })
}

/// A sub-agent's session alone, and those that it started.
fn read_one(source: Vec<u8>, options: &ReadOptions) -> Result<(Session, Vec<Started>), ReadError> {
    let session = read_alone(source, options, None)?;
    let started = started(&session);
    Ok((session, started))
}

/// The sub-agents whose sessions results name.
// `sessions_spawn` gives {status, childSessionKey, runId}, as `details` and as the JSON of its text.
fn started(session: &Session) -> Vec<Started> {
    const KEY: &str = "childSessionKey";
    let named = memchr::memmem::Finder::new(KEY);
    let mut started = Vec::new();
    for entry in session.indices() {
        if named.find(session.raw_at(entry).as_bytes()).is_none() {
            continue;
        }
        let Body::Message(Message::ToolResult(result)) = session.entry_at(entry).body else {
            continue;
        };
        let key = |json: &Json<'_>| Some(json.get(KEY)?.as_str()?.to_owned());
        let said = crate::session::message::joined_text(&result.content, "");
        let in_text = || key(&serde_json::from_str::<Json<'_>>(&said).ok()?);
        if let Some(key) = result.details.as_ref().and_then(key).or_else(in_text) {
            let entry = session.id_at(entry).to_owned();
            started.push(Started { session: key, entry, agent: None, task: None });
        }
    }
    started
}
