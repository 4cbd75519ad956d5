//! Chimera's session trees: JSON lines in snake case, times in seconds, the
//! header one of the tree's own entries.
//!
//! A compaction stands in its place and drops nothing: what it summarizes is
//! sent along with it. Labels are written but never read back by Chimera.
//!
//! All of it: chimera at 533c343d (docs/formats.md, Sources), which is where a field is required, and what is never
//! read.

use std::borrow::Cow;

use crate::format::ReadError;
use crate::session::json::Json;
use crate::session::text::counted;
use crate::session::{DamageKind, Format, Session, time};

use super::Reader;
use super::blocks::{other, text_block};
use super::entry::{self, NewCompaction, custom};
use super::fields::{ObjectFields, fields_of, fields_without, id_of, string};
use super::message::NewMessage;
use super::probe::{Probe, text};
use super::read_options::ReadOptions;
use super::translation::{Spot, Translation};

/// Times above this are no seconds (the year 5138) but milliseconds.
const LATEST_SECOND: f64 = 1e11;

pub(super) const READER: Reader =
    Reader { format: Format::Chimera, recognizes, read, listing: None };

/// Entries hang by `parent_id`, at a time that is a number; there is no `session` line.
fn recognizes(probe: &Probe<'_>) -> bool {
    let is_entry = |line: &Json<'_>| {
        let has_place = text(line, "id").is_some() && line.get("parent_id").is_some();
        let has_time = line.get("timestamp").is_none_or(|time| time.as_f64().is_some());
        text(line, "type").is_some() && has_place && has_time
    };
    probe.any(is_entry) && !probe.any(|line| text(line, "type") == Some("session"))
}

/// Reads a session file.
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    let mut reader = ChimeraReader { translation: Translation::new(Format::Chimera), labels: 0 };
    let scan = options.scan_json(&source, |value, json| match json {
        Json::Object(_) => reader.line(value.line, json),
        _ => reader.translation.damage(value.line, DamageKind::NotAnObject),
    });
    let ChimeraReader { mut translation, labels } = reader;
    translation.scanned(scan);
    if labels > 0 {
        translation.note(format!(
            "{} shown here. Chimera itself never reads labels back",
            counted(labels, "label")
        ));
    }
    translation.finish(source)
}

struct ChimeraReader {
    translation: Translation,
    labels: usize,
}

impl ChimeraReader {
    /// Chimera leaves out what lacks a type, an id or a message's role.
    fn line(&mut self, line: u32, json: Json<'_>) {
        let id = text(&json, "id").filter(|id| !id.is_empty()).map(str::to_owned);
        let Some(id) = id else { return self.translation.damage(line, DamageKind::NoId) };
        let Some(entry_type) = text(&json, "type").map(str::to_owned) else {
            return self.translation.damage(line, DamageKind::Incomplete);
        };
        let spot = Spot {
            line,
            id: Some(id),
            parent_id: id_of(&json, "parent_id"),
            time: json.get("timestamp").and_then(instant),
        };
        let (entry_type, fields) = match entry_type.as_str() {
            "header" => self.header(json, spot.time),
            "message" => match message(json) {
                Some(message) => ("message", vec![(Cow::Borrowed("message"), message)]),
                None => return self.translation.damage(line, DamageKind::Incomplete),
            },
            "compaction" => ("compaction", compaction(&json)),
            "label" => {
                self.labels += 1;
                ("label", label(&json))
            }
            "state_change" => state_change(json),
            _ => return self.translation.push_unknown(spot, &entry_type, json),
        };
        self.translation.push(spot, entry_type, fields);
    }

    /// The header is an entry, and what it says of the session holds for all of it.
    fn header<'a>(
        &mut self,
        json: Json<'a>,
        time: Option<i64>,
    ) -> (&'static str, ObjectFields<'a>) {
        let header = self.translation.header();
        header.time = header.time.or(time);
        if header.cwd.is_empty() {
            header.cwd =
                taken(&json, "cwd").map_or_else(String::new, |cwd| cwd.into_text().into_owned());
        }
        if header.id.is_empty() {
            header.id = id_of(&json, "id").unwrap_or_default();
        }
        match taken(&json, "system_prompt") {
            Some(prompt) => {
                let message = NewMessage::system(prompt).json();
                let mut fields = vec![(Cow::Borrowed("message"), message)];
                fields.extend(fields_without(
                    json,
                    &["type", "id", "parent_id", "timestamp", "system_prompt", "message"],
                ));
                ("message", fields)
            }
            None => ("custom", custom("header", json)),
        }
    }
}

/// A field's value; null counts as absent.
fn taken<'a>(json: &Json<'a>, key: &str) -> Option<Json<'a>> {
    json.get(key).filter(|value| **value != Json::Null).cloned()
}

/// Seconds since 1970; lenient towards milliseconds and ISO strings.
// `timestamp` is a float of seconds (chimera).
fn instant(json: &Json<'_>) -> Option<i64> {
    match json.as_f64() {
        Some(seconds) if seconds.abs() < LATEST_SECOND => {
            let ms = serde_json::Number::from_f64((seconds * 1000.0).round())?;
            time::read(&Json::Number(ms))
        }
        _ => time::read(json),
    }
}

/// A message in the core's form; none where the role is missing.
fn message(mut json: Json<'_>) -> Option<Json<'_>> {
    let message = take(&mut json, "message")?;
    let role = id_of(&message, "role")?;
    Some(match role.as_str() {
        "assistant" => assistant(message),
        "tool" => NewMessage::tool_result_of(taken(&message, "call_id"))
            .tool_name(taken(&message, "name"))
            .content(content(&message))
            .given("isError", taken(&message, "is_error"))
            .json(),
        // Whatever else there is shows as it is.
        _ => message,
    })
}

fn assistant(message: Json<'_>) -> Json<'_> {
    let mut blocks = content(&message);
    match taken(&message, "tool_calls") {
        None => {}
        Some(Json::Array(calls)) => blocks.extend(calls.into_iter().map(call)),
        // No list of calls: shown as what it is.
        Some(odd) => blocks.push(other("tool_calls", odd)),
    }
    let rest = fields_without(message, &["role", "content", "tool_calls"]);
    NewMessage::assistant(blocks).rest(rest).json()
}

/// The text as blocks; what is neither text nor a list shows as its JSON.
fn content<'a>(message: &Json<'a>) -> Vec<Json<'a>> {
    match taken(message, "content") {
        None => Vec::new(),
        Some(Json::Array(blocks)) => blocks,
        Some(Json::String(text)) if text.is_empty() => Vec::new(),
        Some(text) => vec![text_block(text.into_text())],
    }
}

fn call(call: Json<'_>) -> Json<'_> {
    if !matches!(call, Json::Object(_)) {
        return other("tool_call", call);
    }
    let mut fields = fields_of([("type", Some(string("toolCall")))]);
    fields.extend(fields_without(call, &["type"]));
    Json::Object(fields)
}

/// `inPlace` says what sets it apart: nothing before it is dropped.
// Chimera puts the summary in place and drops nothing; `first_kept_entry_id` is never used.
fn compaction<'a>(json: &Json<'a>) -> ObjectFields<'a> {
    let kept = taken(json, "first_kept_entry_id").filter(|id| id.as_str() != Some(""));
    let details = fields_of([
        ("readFiles", taken(json, "read_files")),
        ("modifiedFiles", taken(json, "modified_files")),
    ]);
    NewCompaction::new(taken(json, "summary"))
        .first_kept(kept)
        .tokens_before(taken(json, "tokens_before"))
        .details(details)
        .given("inPlace", Some(Json::Bool(true)))
        .fields()
}

fn label<'a>(json: &Json<'a>) -> ObjectFields<'a> {
    fields_of([("targetId", taken(json, "target_id")), ("label", taken(json, "label"))])
}

fn state_change(json: Json<'_>) -> (&'static str, ObjectFields<'_>) {
    let value = json.get("value").filter(|value| value.as_str().is_some()).cloned();
    match (text(&json, "kind"), value) {
        (Some("model"), Some(value)) => ("model_change", fields_of([("model", Some(value))])),
        (Some("thinking" | "thinking_level"), Some(value)) => {
            ("thinking_level_change", entry::thinking_level(Some(value)))
        }
        _ => ("custom", custom("state_change", json)),
    }
}

fn take<'a>(json: &mut Json<'a>, key: &str) -> Option<Json<'a>> {
    let Json::Object(fields) = json else { return None };
    let at = fields.iter().rposition(|(name, _)| name == key)?;
    Some(fields.swap_remove(at).1)
}
