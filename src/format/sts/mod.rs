//! STS, the format of Hugging Face's session traces, and the exports of llama.app, which writes a
//! tree in it.
//!
//! JSON lines: a header `{type: "session", harness}`, then messages that have nothing beside
//! `type` and `message`. Plain files are a list. llama.app keeps ids and parents within the
//! messages; its older exports are one JSON value `{conv, messages}`, or a list of them. A file
//! may hold several sessions: each is a root of its own, and the newest one is opened.
//!
//! Plain files: hub-docs. llama.app: llama.cpp and real exports in ontouchstart/ontouchstart.github.io
//! (docs/formats.md, Sources).

mod attachments;
mod message;
mod parts;
mod plan;
mod reader;

use crate::format::ReadError;
use crate::session::json::Json;
use crate::session::{Format, Session};

use super::Reader;
use super::probe::{Probe, text};
use super::read_options::ReadOptions;

use parts::File;
use plan::Plan;
use reader::StsReader;

pub(super) const READER: Reader = Reader { format: Format::Sts, recognizes, read, listing: None };

/// Headers with a `harness`, or messages as only STS has them, and no line with a place of its own:
/// a file of pi's may name a harness too.
fn recognizes(probe: &Probe<'_>) -> bool {
    if parts::is_export(probe.source) {
        return true;
    }
    let of_type = |line: &Json<'_>, kind: &str| text(line, "type") == Some(kind);
    let has = |line: &Json<'_>, keys: &[&str]| keys.iter().any(|key| line.get(key).is_some());
    let is_header = |line: &Json<'_>| {
        text(line, "harness").is_some() && !has(line, &["version", "cwd", "parentId"])
    };
    let has_place = |line: &Json<'_>| has(line, &["id", "parentId", "timestamp"]);
    let is_own = |line: &Json<'_>| {
        let message = line.get("message");
        message.is_some_and(|message| {
            text(message, "role") == Some("tool") || has(message, &["toolCalls", "convId"])
        })
    };
    let sessions = || probe.lines.iter().filter(|line| of_type(line, "session"));
    let is_ours = if sessions().next().is_some() {
        sessions().all(is_header)
    } else {
        // The header may be on a line that could not be read.
        probe.any(is_own)
    };
    is_ours && probe.lines.iter().all(|line| of_type(line, "session") || !has_place(line))
}

/// Reads all sessions of a file.
fn read(source: Vec<u8>, _options: &ReadOptions) -> Result<Session, ReadError> {
    let file = File::new(&source);
    let mut plan = Plan::default();
    file.each(|at, part| plan.part(&at, &part));
    let mut reader = StsReader::new(plan.finish());
    let damage = file.each(|at, part| reader.part(&at, part));
    let translation = reader.finish(damage);
    drop(file);
    translation.finish(source)
}
