//! Claude Code's session files: JSON lines of `uuid` and `parentUuid`, no header.
//!
//! A file has hundreds of false branch points and hardly a true one, so reading goes through these modules, each of
//! which imports only from those before it: [`rows`] (what each line is), [`queue`] (prompts that no other line
//! holds), [`replays`] (copies dropped, parents found), [`nodes`] (the lines of one response together, its results
//! behind it), [`linearize`] (all but true branches put in line), [`entries`] (written anew, with [`results`] and
//! [`events`]), [`mod@unit`] (one session of the file), [`agents`] (the sessions of sub-agents). What a headless run
//! prints is read the same way, by [`stream`].
//!
//! The format is not documented. Versions in comments are those of Claude Code whose session files or output were read:
//! 1.0.98 to 2.1.37 in public repositories, 2.1.197 and 2.1.330 run for leafpress. The rest is what other readers
//! say: toolpath (`claude-code/`), agentsview, claude-code-log, openclaude (docs/formats.md, Sources).

mod access;
mod agents;
mod attachments;
mod claims;
mod commands;
mod content;
mod cost_state;
mod entries;
mod events;
mod fields;
mod found;
mod linearize;
mod listing;
mod nodes;
mod operation;
mod progress;
mod queue;
mod replays;
mod results;
mod row;
mod rows;
mod run_end;
mod session_facts;
mod stream;
mod stream_rows;
mod stream_totals;
mod unit;

use crate::format::ReadError;
use crate::session::json::Json;
use crate::session::{Format, Session};

use super::Reader;
use super::own_folder::Budget;
use super::probe::{Probe, text};
use super::read_options::ReadOptions;
use super::translation::Translation;

/// Types of lines that no other agent writes.
// queue-operation, last-prompt: 2.1.330. file-history-snapshot, pr-link: 2.1.37. Others: toolpath, entry-types.md.
const OWN_TYPES: [&str; 7] = [
    "file-history-snapshot",
    "queue-operation",
    "custom-title",
    "ai-title",
    "last-prompt",
    "permission-mode",
    "pr-link",
];

pub(super) const READER: Reader =
    Reader { format: Format::ClaudeCode, recognizes, read, listing: Some(listing::LISTING) };

/// No header, and lines linked as Claude Code links them; or a whole JSON value of its kind.
// No line is of type `session`, which is the header of pi, omp and OpenClaw (pi 1.5.2).
fn recognizes(probe: &Probe<'_>) -> bool {
    probe.whole.is_none()
        && !probe.any(|line| text(line, "type") == Some("session"))
        && probe.any(|line| is_own(line, true))
        || probe.whole.as_ref().is_some_and(|whole| is_own(whole, false))
}

/// Whether a value is one of its lines: one among others, or all of a file.
fn is_own(line: &Json<'_>, is_row: bool) -> bool {
    let Some(kind) = text(line, "type") else { return false };
    let has = |key| line.get(key).is_some();
    let has_content = line.get("message").is_some_and(|said| said.get("content").is_some());
    match kind {
        "user" | "assistant" => has_content,
        // `system/init`, the first row of a stream (2.1.197, 2.1.330).
        "system" if has("claude_code_version") => is_row,
        "system" | "attachment" | "progress" => {
            let linked = ["parentUuid", "uuid", "sessionId", "session_id"].into_iter().any(has);
            linked && (has("message") || has("isSidechain") || has("parentUuid"))
        }
        // Without a uuid or a session id of its own (2.1.12; toolpath, entry-types.md).
        "summary" => has("leafUuid"),
        // The first rows of a run, where it prints a long response in parts.
        "stream_event" => is_row && has("session_id") && has("event"),
        // The last row of a run, behind others of its stream.
        "result" => is_row && has("session_id") && has("num_turns"),
        kind => OWN_TYPES.contains(&kind) && (has("sessionId") || has("messageId")),
    }
}

/// Reads a session file and those of its sub-agents.
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    agents::translate(&source, options, Budget::default()).finish(source)
}

/// Rows of another agent's that are made Claude Code's, without any file beside.
pub(super) fn translate(source: &[u8], options: &ReadOptions) -> Translation {
    agents::translate(source, options, Budget::default())
}

#[cfg(test)]
mod tests;
