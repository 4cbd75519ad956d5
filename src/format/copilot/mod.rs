//! GitHub Copilot CLI: `events.jsonl`, one event a line, `{type, data, id, timestamp, parentId}`.
//!
//! `parentId` names the event that was written just before, so events are a chain in file order;
//! a rewind cuts the file. A call stands in `assistant.message` and again in
//! `tool.execution_start`, the system prompt stands whole before many prompts. Events of
//! sub-agents lie between the others and name the call that started them: those of one call are
//! a session of their own.
//!
//! Versions in comments are those of Copilot CLI: 1.0.102 was run for leafpress; 0.0.420, 1.0.11, 1.0.13 and 1.0.68
//! are in public files. All types and fields: copilot-sdk (docs/formats.md, Sources). What a rewind does:
//! copilot-sdk, docs.

mod agents;
mod content;
mod conversation;
mod event;
mod first_pass;
mod listing;
mod partial;
mod reader;
mod results;
mod session_events;
mod spending;
mod unit;
mod workspace;

use crate::format::ReadError;
use crate::session::json::Json;
use crate::session::{Format, Session};

use super::Reader;
use super::lines::scan_json;
use super::probe::{Probe, text};
use super::read_options::ReadOptions;

use event::Event;
use first_pass::FirstPass;
use reader::CopilotReader;

/// How the types of events begin.
// copilot-sdk.
const FAMILIES: [&str; 9] = [
    "session.",
    "user.",
    "assistant.",
    "tool.",
    "system.",
    "subagent.",
    "hook.",
    "permission.",
    "skill.",
];

pub(super) const READER: Reader =
    Reader { format: Format::Copilot, recognizes, read, listing: Some(listing::LISTING) };

fn recognizes(probe: &Probe<'_>) -> bool {
    probe.any(is_event) || probe.whole.as_ref().is_some_and(is_event)
}

/// A type with a dot, its facts in `data`, an id and a time.
fn is_event(line: &Json<'_>) -> bool {
    let is_known = |kind: &str| FAMILIES.iter().any(|family| kind.starts_with(family));
    text(line, "type").is_some_and(is_known)
        && matches!(line.get("data"), Some(Json::Object(_)))
        && text(line, "id").is_some()
        && text(line, "timestamp").is_some()
}

/// Reads the events of a session and of its sub-agents.
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    let mut first_pass = FirstPass::default();
    scan_json(&source, |value, json| {
        if let Some(event) = Event::read(&value, json) {
            first_pass.event(&event);
        }
    });
    let mut reader = CopilotReader::new(first_pass.finish());
    let scan = options.scan_json(&source, |value, json| reader.value(&value, json));
    reader.damaged(&scan.damage);
    let mut translation = reader.finish();
    let header = translation.header();
    header.title = workspace::title(options, &header.id);
    translation.finish(source)
}
