//! Qwen Code's sessions. What it stores is JSON lines linked as Claude Code's are, by `uuid` and
//! `parentUuid`, with messages of Google's parts as Gemini CLI has them ([`chat`]). What a headless run
//! prints is as Claude Code's ([`stream`]).
//!
//! Versions in comments are those of Qwen Code: 0.24.4 was run for leafpress. What no run wrote is in its source,
//! qwen-code (docs/formats.md, Sources).

mod agents;
mod chat;
mod listing;
mod response;
mod stream;

use crate::format::ReadError;
use crate::session::json::Json;
use crate::session::{Format, Session};

use super::Reader;
use super::probe::{Probe, text};
use super::read_options::ReadOptions;

pub(super) const READER: Reader =
    Reader { format: Format::Qwen, recognizes, read, listing: Some(listing::LISTING) };

fn recognizes(probe: &Probe<'_>) -> bool {
    let is_one = |line: &Json<'_>| is_own(line) || stream::is_own(line);
    probe.any(is_one) || probe.whole.as_ref().is_some_and(is_own)
}

/// The event by which Qwen Code says that it could no longer write a session down.
// `system` {data {reason: "write_failed", message}} in a stream: qwen-code.
const DEGRADED: &str = "session_recording_degraded";

/// What that means for whoever reads the file.
const INCOMPLETE: &str =
    "Qwen Code could not write all of this session: what came after that is not in the stored file";

/// Whether a line holds a message of parts, or an event that only Qwen Code writes.
fn is_own(line: &Json<'_>) -> bool {
    let Some(kind) = text(line, "type") else { return false };
    let has_parts = line.get("message").is_some_and(|message| message.get("parts").is_some());
    match kind {
        "user" | "assistant" | "tool_result" => has_parts,
        "system" => line.get("systemPayload").is_some() && text(line, "sessionId").is_some(),
        _ => false,
    }
}

/// Whether a file holds rows of a stream and no lines of a stored session.
fn is_stream(source: &[u8]) -> bool {
    let probe = Probe::new(source);
    let is_row = |line: &Json<'_>| {
        stream::is_own(line) || line.get("session_id").is_some() && line.get("sessionId").is_none()
    };
    probe.any(is_row) && !probe.any(is_own)
}

/// Reads a session, with the sub-agents' files beside it.
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    if is_stream(&source) {
        return Ok(stream::translate(&source, options).finish(source)?.with_format(Format::Qwen));
    }
    let (translation, wanted) = chat::translate(&source);
    let session = translation.finish(source)?;
    if options.without_children {
        return Ok(session);
    }
    Ok(agents::with_agents(session, wanted, options))
}
