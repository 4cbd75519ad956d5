//! What `pi --mode json`, `omp --mode json` and their `--mode rpc` print: JSON lines of a run.
//!
//! A message stands whole in its `message_end`; what comes before only grows to it, and `turn_end` and `agent_end`
//! repeat it. Entries have no ids here, so they are a chain in the order of the file. Seen in pi 0.87.1 and oh-my-pi
//! 18.2.3.

mod partial;
mod reader;
mod rows;

use crate::format::ReadError;
use crate::session::json::Json;
use crate::session::{Format, Session};

use super::probe::{Probe, text};
use super::read_options::ReadOptions;

/// Whether a file is the output of a run of pi or oh-my-pi.
pub(super) fn is_stream(probe: &Probe<'_>) -> bool {
    let has_header = || probe.any(|line| text(line, "type") == Some("session"));
    let begins = |line: &Json<'_>| matches!(text(line, "type"), Some("agent_start" | "turn_start"));
    !probe.any(is_entry) && (probe.any(is_row) || has_header() && probe.any(begins))
}

/// The same of a file's bytes: of a session file its first entry says that it is none.
pub(super) fn is_stream_file(source: &[u8]) -> bool {
    !Probe::any_of(source, is_entry) && is_stream(&Probe::new(source))
}

/// An entry of a session file has a place in a tree.
fn is_entry(line: &Json<'_>) -> bool {
    line.get("parentId").is_some()
}

fn is_row(line: &Json<'_>) -> bool {
    let has_role = || line.get("message").is_some_and(|message| text(message, "role").is_some());
    match text(line, "type") {
        Some("message_start" | "message_end") => has_role(),
        Some("message_update") => line.get("assistantMessageEvent").is_some(),
        Some("turn_end") => has_role() && line.get("toolResults").is_some(),
        Some("tool_execution_start" | "tool_execution_update" | "tool_execution_end") => {
            text(line, "toolCallId").is_some() && text(line, "toolName").is_some()
        }
        Some("agent_end") => line.get("messages").is_some(),
        _ => false,
    }
}

/// Whether a run is oh-my-pi's: rows and fields that pi does not print.
// 18.2.3.
pub(super) fn is_omp(probe: &Probe<'_>) -> bool {
    const ROWS: [&str; 6] = [
        "advisor_cost_changed",
        "auto_compaction_end",
        "auto_compaction_start",
        "available_commands_update",
        "notice",
        "prompt_result",
    ];
    is_stream(probe)
        && probe.any(|line| {
            let kind = text(line, "type").unwrap_or_default();
            ROWS.contains(&kind)
                || kind == "ready" && line.get("protocolVersion").is_some()
                || kind == "agent_end" && line.get("isTerminal").is_some()
                || kind == "tool_execution_start" && line.get("intent").is_some()
                || line.get("message").is_some_and(|message| message.get("attribution").is_some())
        })
}

/// Reads the output of a run.
pub(super) fn read(
    format: Format,
    source: Vec<u8>,
    options: &ReadOptions,
) -> Result<Session, ReadError> {
    reader::read(format, &source, options).finish(source)
}
