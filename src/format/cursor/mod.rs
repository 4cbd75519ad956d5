//! Cursor's agent transcripts: JSON lines `{role, message: {content}}`, and in older versions a
//! text with a line `user:` or `assistant:` above each message.
//!
//! A transcript says little: no ids, no models, no tokens, mostly no times and no results of
//! tools. Messages are a chain in file order, addressed by their lines. Sub-agents have files of
//! their own beside the session's.
//!
//! No version of Cursor stands in the files. Those that were read are of public repositories: probez, agent-sessions,
//! letta trajectory, claude-replay (es617). The rest is what toolpath (cursor.md), agentsview and deja-vu say.

mod agents;
mod listing;
mod messages;
mod prompt;
mod transcript;
mod writer;

use crate::format::ReadError;
use crate::session::json::Json;
use crate::session::{Format, Session};

use super::Reader;
use super::compressed::plain_name;
use super::own_folder::Budget;
use super::probe::{Probe, text};
use super::read_options::ReadOptions;

use writer::Writer;

pub(super) const READER: Reader =
    Reader { format: Format::Cursor, recognizes, read, listing: Some(listing::LISTING) };

fn recognizes(probe: &Probe<'_>) -> bool {
    let first = probe.whole.as_ref().or(probe.lines.first());
    match first {
        Some(first) => {
            (is_message(first) || is_end(first))
                && (is_message(first) || probe.any(|line| is_message(line)))
        }
        None => transcript::is_one(probe.source),
    }
}

/// A role and a message, and nothing that other agents write beside them.
fn is_message(line: &Json<'_>) -> bool {
    const OTHERS: [&str; 6] = ["type", "uuid", "sessionId", "parentId", "parent_id", "timestamp"];
    let content = line.get("message").and_then(|message| message.get("content"));
    matches!(text(line, "role"), Some("user" | "assistant"))
        && matches!(content, Some(Json::Array(_) | Json::String(_)))
        && OTHERS.iter().all(|key| line.get(key).is_none())
}

// {"type": "turn_ended", "status": "success"}: probez.
fn is_end(line: &Json<'_>) -> bool {
    text(line, "type") == Some("turn_ended")
}

/// Reads a transcript and those of the sub-agents beside it.
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    let mut writer = written(&source);
    if let Some(id) = options.session.as_deref().and_then(stem) {
        id.clone_into(&mut writer.out.header().id);
    }
    if !options.without_children {
        agents::add(&mut writer, options, Budget::default());
    }
    writer.out.finish(source)
}

/// The messages of a file, whichever of the two forms it has.
fn written(source: &[u8]) -> Writer {
    if transcript::is_one(source) { transcript::read(source) } else { messages::read(source) }
}

/// Cursor calls a transcript by the session's id.
fn stem(path: &std::path::Path) -> Option<&str> {
    let name = plain_name(path.file_name()?.to_str()?);
    name.strip_suffix(".jsonl").or_else(|| name.strip_suffix(".txt"))
}
