//! OpenCode: one exported session, or the stream of `opencode run --format json`.
//!
//! An export is one object `{info, messages}`. In versions 1.x each message is `{info, parts}`, in
//! versions 2.x it is flat, with its `type`. A stream is JSON lines that each hold one part of a
//! response. Messages name no place in a tree, so the entries are a chain in the order of the file.
//! Messages that were undone stay in the file, behind the current leaf.
//!
//! Versions in comments are those of OpenCode: 1.18.33 was run for leafpress, files of 1.17.2 are in public
//! repositories. opencode is its source (docs/formats.md, Sources); all of versions 2.x comes from there.

mod chain;
#[cfg(feature = "sqlite")]
pub(super) mod database;
mod export;
mod files;
#[cfg(feature = "sqlite")]
mod listing;
mod response;
mod stream;
mod tool;
mod usage;
mod v1;
mod v2;

use crate::format::ReadError;
use crate::session::json::Json;
use crate::session::{DamageKind, Format, Session};

use super::Reader;
#[cfg(feature = "sqlite")]
use super::database::{Children, Origin};
use super::descendants::Started;
use super::listing::Listing;
use super::probe::{Probe, text};
use super::read_options::ReadOptions;
use super::spans::members;
use super::translation::Translation;

pub(super) const READER: Reader =
    Reader { format: Format::OpenCode, recognizes, read, listing: LISTING };

#[cfg(feature = "sqlite")]
const LISTING: Option<Listing> = Some(listing::LISTING);

/// Without the feature nothing of the database can be listed.
#[cfg(not(feature = "sqlite"))]
const LISTING: Option<Listing> = None;

/// An object of `info` and `messages`, also one that is torn; else lines of a stream.
fn recognizes(probe: &Probe<'_>) -> bool {
    match &probe.whole {
        Some(whole) => is_export(whole) || is_of_stream(whole),
        None => probe.any(is_of_stream) || is_torn_export(probe.source),
    }
}

fn is_export(whole: &Json<'_>) -> bool {
    let (Some(info), Some(Json::Array(messages))) = (whole.get("info"), whole.get("messages"))
    else {
        return false;
    };
    let is_message = |message: &Json<'_>| {
        let has_role = message.get("info").is_some_and(|info| text(info, "role").is_some());
        // Rows of a database that are no JSON have no time.
        let is_flat = text(message, "type")
            .is_some_and(|kind| message.get("time").is_some() || kind == "damaged");
        has_role && message.get("parts").is_some() || is_flat
    };
    let has_place = || info.get("directory").is_some() || info.get("location").is_some();
    let has_messages = || messages.iter().any(is_message);
    text(info, "id").is_some() && if messages.is_empty() { has_place() } else { has_messages() }
}

/// The first object is cut off, and what there is of it are the members of an export.
fn is_torn_export(source: &[u8]) -> bool {
    /// `info` comes first.
    const HEAD: usize = 256;
    let start = source.trim_ascii_start();
    let head = &start[..start.len().min(HEAD)];
    if head.first() != Some(&b'{') || memchr::memmem::find(head, b"\"info\"").is_none() {
        return false;
    }
    let text = String::from_utf8_lossy(start);
    let found = members(&text);
    let has = |name: &str| found.iter().any(|(key, _)| *key == name);
    let info = found.iter().find(|(key, _)| *key == "info");
    let is_session = info.is_some_and(|(_, info)| {
        let of_session = |key: &str| matches!(key, "directory" | "location" | "projectID");
        let info = members(&text[info.start..info.end]);
        info.iter().any(|(key, _)| *key == "id") && info.iter().any(|(key, _)| of_session(key))
    });
    has("messages") && is_session
}

/// One line of a stream.
// {type, timestamp in ms, sessionID, part}; `error` has no part: 1.18.33.
fn is_of_stream(line: &Json<'_>) -> bool {
    let is_event = matches!(
        text(line, "type"),
        Some("step_start" | "tool_use" | "text" | "reasoning" | "step_finish")
    );
    let has_part = || {
        line.get("part")
            .is_some_and(|part| text(part, "type").is_some() && part.get("messageID").is_some())
    };
    // A run that failed at once has no other.
    let is_error = || {
        text(line, "type") == Some("error")
            && line.get("error").is_some_and(|error| text(error, "name").is_some())
    };
    text(line, "sessionID").is_some()
        && line.get("timestamp").is_some_and(|time| time.as_f64().is_some())
        && (is_event && has_part() || is_error())
}

/// Reads a session. One that comes out of a database has the sessions of its sub-agents there.
#[cfg(feature = "sqlite")]
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    let Some(origin) = Origin::of(options) else {
        let (translation, _) = translated(&source, options.without_children);
        return translation.finish(source);
    };
    let (mut translation, started) = translated(&source, true);
    if let Some(note) = origin.unread() {
        translation.note(note.to_owned());
    }
    let session = translation.finish(source)?;
    if options.without_children {
        return Ok(session);
    }
    Ok(Children::of(options, origin, read_one).within(session, started))
}

/// Reads a session.
#[cfg(not(feature = "sqlite"))]
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    let (translation, _) = translated(&source, options.without_children);
    translation.finish(source)
}

/// A session of a database alone, and the sub-agents that its entries started.
#[cfg(feature = "sqlite")]
pub(super) fn read_one(
    source: Vec<u8>,
    _: &ReadOptions,
) -> Result<(Session, Vec<Started>), ReadError> {
    let (translation, started) = translated(&source, true);
    Ok((translation.finish(source)?, started))
}

/// The session alone, and the sub-agents that its entries started.
fn translated(source: &[u8], has_children: bool) -> (Translation, Vec<Started>) {
    let text = String::from_utf8_lossy(source);
    let own = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let found = members(own);
    let is_export = found.iter().any(|(key, _)| matches!(*key, "info" | "messages"));
    let chain = if is_export {
        let mut chain = export::read(own, &found);
        if let Err(error) = std::str::from_utf8(source) {
            let line = memchr::memchr_iter(b'\n', &source[..error.valid_up_to()]).count() + 1;
            chain.damage(u32::try_from(line).unwrap_or(u32::MAX), DamageKind::InvalidUtf8);
        }
        chain
    } else {
        stream::read(source)
    };
    chain.finish(has_children)
}
