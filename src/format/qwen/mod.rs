//! Qwen Code's sessions. What it stores is JSON lines linked as Claude Code's are, by `uuid` and
//! `parentUuid`, with messages of Google's parts as Gemini CLI has them.

mod agents;
mod chat;
mod listing;
mod response;

use crate::format::ReadError;
use crate::session::json::Json;
use crate::session::{Dialect, Session};

use super::Format;
use super::probe::{Probe, text};
use super::read_options::ReadOptions;

pub(super) const FORMAT: Format =
    Format { dialect: Dialect::Qwen, recognizes, read, listing: Some(listing::LISTING) };

fn recognizes(probe: &Probe<'_>) -> bool {
    probe.any(is_own) || probe.whole.as_ref().is_some_and(is_own)
}

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

/// Reads a session, with the sub-agents' files beside it.
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    let (translation, wanted) = chat::translate(&source);
    let session = translation.finish(source)?;
    if options.without_children {
        return Ok(session);
    }
    Ok(agents::with_agents(session, wanted, options))
}
