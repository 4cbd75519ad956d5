//! Codex rollouts: JSON lines, one thing that happened a line, in a row.
//!
//! Newer files wrap each line as `{timestamp, type, payload}`; the oldest hold
//! bare response items below a first line `{id, timestamp, instructions}`. What
//! the model got and gave stands in `response_item`; `event_msg` says the same
//! for viewers, and is read only for what stands nowhere else. Lines have no
//! ids, so entries are addressed by their line. The entries are a chain, but for
//! turns that were rolled back, which are a branch of their own.
//!
//! Versions in comments are those of Codex: 0.169.0 was run for leafpress, 0.77.0 and 0.146.0 are in public files.
//! codex-rs is its source, `codex-rs/rollout` and the protocol; letta trajectory read 0.101 to 0.144.

mod agents;
mod beside;
mod compaction;
mod ending;
mod events;
mod finished;
mod first_pass;
mod fork;
mod items;
mod late;
mod listing;
mod reader;
mod review;
mod scripts;
mod stream;
mod stream_items;
mod system_prompt;
mod thread;
mod told;
mod turns;

use std::collections::HashSet;
use std::rc::Rc;

use crate::format::ReadError;
use crate::session::json::Json;
use crate::session::{Format, Session};

use super::Reader;
use super::lines::scan_json;
use super::probe::{Probe, text};
use super::read_options::ReadOptions;

use first_pass::FirstPass;
use reader::CodexReader;
use thread::Facts;

/// Kinds of wrapped lines.
// 0.77.0 to 0.169.0; `world_state` since 0.146.0.
const ENVELOPES: [&str; 6] =
    ["session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"];

/// Kinds of response items, bare in the oldest files.
// codex-rs, protocol: `ResponseItem`. Bare lines and `record_type` are of 2025 and in no file that was read.
const ITEMS: [&str; 8] = [
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "local_shell_call",
    "custom_tool_call",
    "custom_tool_call_output",
    "web_search_call",
];

pub(super) const READER: Reader =
    Reader { format: Format::Codex, recognizes, read, listing: Some(listing::LISTING) };

fn recognizes(probe: &Probe<'_>) -> bool {
    let first = probe.whole.as_ref().or(probe.lines.first());
    let is_wrapped = |line: &Json<'_>| {
        line.get("payload").is_some() && text(line, "type").is_some_and(|t| ENVELOPES.contains(&t))
    };
    let is_oldest = |first: &Json<'_>| {
        first.get("type").is_none()
            && text(first, "id").is_some()
            && first.get("timestamp").is_some()
            && (first.get("instructions").is_some() || first.get("git").is_some())
    };
    probe.any(is_wrapped)
        || first.is_some_and(is_wrapped)
        || first.is_some_and(|first| is_oldest(first) && first.get("kind").is_none())
        || probe.any(|line| text(line, "record_type") == Some("state"))
        || stream::is_stream(probe)
}

/// Reads a rollout, and those of its agents; or the stream of a run.
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    if stream::is_stream(&Probe::new(&source)) {
        return stream::read(source, options);
    }
    let (source, history) = fork::with_history(source, options);
    let (session, facts) = read_thread(source, history, None, options)?;
    Ok(agents::with_agents(session, facts, options))
}

/// Reads one rollout; of an agent's, the turns of the thread that started it tell which lines are copies.
fn read_thread(
    source: Vec<u8>,
    history: u32,
    parent_turns: Option<Rc<HashSet<String>>>,
    options: &ReadOptions,
) -> Result<(Session, Facts), ReadError> {
    // Responses known by their items must not be shown again by events.
    let mut first_pass = FirstPass::new(parent_turns);
    scan_json(&source, |value, json| first_pass.value(&value, &json));
    let (first_pass, facts) = first_pass.finish();
    let mut reader = CodexReader::new(first_pass);
    if history > 0 {
        reader.history(history);
    }
    let scan = options.scan_json(&source, |value, json| reader.value(&value, &json));
    for damage in &scan.damage {
        reader.damage(damage);
    }
    Ok((reader.finish().finish(source)?, facts))
}
