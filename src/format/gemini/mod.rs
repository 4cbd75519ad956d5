//! Gemini CLI's recorded chats.
//!
//! Older versions write one JSON object with `messages`. Newer ones write JSON lines: a header,
//! messages, `$set` with changed metadata, and `$rewindTo`. A message written again replaces the
//! earlier one. What was rewound or replaced is still in the log: it is a branch of its own.
//! Messages have no parents, and calls and their results are one message.
//!
//! What a headless run prints is another thing: see [`stream`].
//!
//! Versions in comments are those of Gemini CLI: 0.61.0 was run for leafpress. gemini-cli is its source at 5411f113,
//! `packages/core/src/services/chatRecording*.ts` (docs/formats.md, Sources).

mod agents;
mod history;
mod listing;
mod log;
pub(super) mod parts;
mod reader;
pub(super) mod results;
mod stream;

use crate::format::ReadError;
use crate::session::{Format, Session};

use super::Reader;
use super::probe::Probe;
use super::read_options::ReadOptions;
use super::spans::members;
use super::translation::Translation;

use agents::Wanted;
use log::Log;
use reader::GeminiReader;

pub(super) const READER: Reader =
    Reader { format: Format::Gemini, recognizes, read, listing: Some(listing::LISTING) };

/// An object with the ids of a session and of a project: the whole file, its torn beginning, or a line.
fn recognizes(probe: &Probe<'_>) -> bool {
    let is_header = listing::is_header;
    match &probe.whole {
        Some(whole) => is_header(whole),
        None => {
            probe.any(is_header)
                || is_stream(probe)
                || probe.lines.is_empty() && is_torn(probe.source)
        }
    }
}

/// Whether the file holds rows of a headless run and no header of a chat.
fn is_stream(probe: &Probe<'_>) -> bool {
    probe.any(stream::is_own) && !probe.any(|line| line.get("projectHash").is_some())
}

/// Whether the file begins as a session does, and ends too early or is damaged.
fn is_torn(source: &[u8]) -> bool {
    /// All that comes before the messages is small.
    const HEAD_BYTES: usize = 64 << 10;
    let source = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source);
    let head = String::from_utf8_lossy(&source[..source.len().min(HEAD_BYTES)]);
    let members = members(&head);
    ["sessionId", "projectHash"].iter().all(|name| members.iter().any(|(key, _)| key == name))
}

/// Reads a session, with the sub-agents' files beside it.
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    if is_stream(&Probe::new(&source)) {
        return stream::translate(&source).finish(source);
    }
    let (mut translation, wanted) = translate(&source);
    if let Some(cwd) = agents::working_directory(options) {
        translation.header().cwd = cwd;
    }
    let session = translation.finish(source)?;
    if options.without_children {
        return Ok(session);
    }
    Ok(agents::with_agents(session, wanted, options))
}

/// The session alone, and what its calls say of sub-agents.
fn translate(source: &[u8]) -> (Translation, Wanted) {
    GeminiReader::new(Log::read(source)).finish()
}
