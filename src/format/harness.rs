//! pi's harness store, a library beside pi's own program.
//!
//! Version 3 is pi's form with `leaf` lines, which move the leaf and are no
//! entries. Version 4 writes several lanes into one file: entries, where each
//! lane stands, facts (name, labels) and records of what the program did.
//!
//! All of it: packages/agent/src/harness/session of earendil-works/pi (2026). pi's own program writes none of it.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use memchr::memmem;

use crate::format::ReadError;
use crate::session::json::Json;
use crate::session::text::counted;
use crate::session::{DamageKind, Format, Label, Session, text::trim, time};

use super::Reader;
use super::fields::{fields_without, id_of, string};
use super::lines::scan_json;
use super::probe::{Probe, object, text};
use super::read_options::ReadOptions;
use super::translation::{Spot, Translation};

pub(super) const READER: Reader =
    Reader { format: Format::PiHarness, recognizes, read, listing: None };

/// Lines of version 4, or pi's header with a `leaf` line somewhere.
fn recognizes(probe: &Probe<'_>) -> bool {
    let is_number =
        |line: &Json<'_>, key: &str| line.get(key).is_some_and(|v| v.as_f64().is_some());
    let is_v4 = |line: &Json<'_>| match text(line, "kind") {
        Some("header") => is_number(line, "version"),
        Some("entry" | "record" | "lane" | "fact") => is_number(line, "seq"),
        _ => false,
    };
    let has_header = probe.any(|line| text(line, "type") == Some("session"));
    probe.any(is_v4) || has_header && (probe.any(is_leaf) || has_leaf_line(probe.source))
}

fn is_leaf(line: &Json<'_>) -> bool {
    text(line, "type") == Some("leaf") && line.get("targetId").is_some()
}

/// Whether a line is a `leaf` line; the first candidates decide, since the
/// words may stand within another line's arguments too.
fn has_leaf_line(source: &[u8]) -> bool {
    const CANDIDATES: usize = 16;
    let mut end = 0;
    let mut is_leaf_line = |at: usize| {
        if at < end {
            return false;
        }
        let start = memchr::memrchr(b'\n', &source[..at]).map_or(0, |end| end + 1);
        end = memchr::memchr(b'\n', &source[at..]).map_or(source.len(), |end| at + end);
        holds_leaf(&source[start..end])
    };
    memmem::find_iter(source, br#""type":"leaf""#).take(CANDIDATES).any(&mut is_leaf_line)
}

/// A line may hold several values.
fn holds_leaf(line: &[u8]) -> bool {
    if let Some(one) = object(line) {
        return is_leaf(&one);
    }
    let mut holds = false;
    scan_json(line, |_, json| holds |= is_leaf(&json));
    holds
}

/// Reads a session file of version 3 or 4.
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    let mut reader = HarnessReader::default();
    let scan = options.scan_json(&source, |value, json| match json {
        Json::Object(_) => reader.line(value.line, json),
        _ => reader.translation.damage(value.line, DamageKind::NotAnObject),
    });
    reader.translation.scanned(scan);
    reader.finish().finish(source)
}

/// The lane that a file opens in.
// Lane main decides the leaf, and a line without a lane is of it.
const MAIN: &str = "main";

struct HarnessReader {
    translation: Translation,
    headers: usize,
    /// Where each lane stands; version 3 has but the main one.
    lanes: BTreeMap<String, Option<String>>,
    /// `leaf` lines by their ids, with where they lead.
    moves: HashMap<String, Option<String>>,
    leaf_lines: usize,
    /// Bookkeeping by type.
    records: BTreeMap<String, usize>,
    unordered: usize,
    last_seq: f64,
}

impl Default for HarnessReader {
    fn default() -> Self {
        HarnessReader {
            translation: Translation::new(Format::PiHarness),
            headers: 0,
            lanes: BTreeMap::new(),
            moves: HashMap::new(),
            leaf_lines: 0,
            records: BTreeMap::new(),
            unordered: 0,
            last_seq: f64::NEG_INFINITY,
        }
    }
}

impl HarnessReader {
    fn line(&mut self, line: u32, json: Json<'_>) {
        if let Some(seq) = json.get("seq").and_then(Json::as_f64) {
            self.unordered += usize::from(seq <= self.last_seq);
            self.last_seq = seq;
        }
        let kind = text(&json, "kind").map(str::to_owned);
        let is_v4 = matches!(kind.as_deref(), Some("record" | "lane" | "fact" | "entry"));
        if is_v4 && self.headers == 0 {
            // The header is lost, but only version 4 has such lines.
            self.translation.header().version = 4;
        }
        let is_v3 = |wanted| text(&json, "type") == Some(wanted);
        match kind.as_deref() {
            Some("header") => self.header(line, &json),
            Some("record") => self.record(&json),
            Some("lane") => self.lane(line, &json),
            Some("fact") => self.fact(line, &json),
            Some("entry") => self.entry(line, json),
            _ if is_v3("session") => self.header(line, &json),
            _ if is_v3("leaf") => self.leaf(line, &json),
            _ => self.entry(line, json),
        }
    }

    fn header(&mut self, line: u32, json: &Json<'_>) {
        self.headers += 1;
        if self.headers > 1 {
            return self.translation.damage(line, DamageKind::SecondHeader);
        }
        if text(json, "id").is_none() {
            self.translation.damage(line, DamageKind::OddHeader);
        }
        let version = json.get("version").and_then(Json::as_f64);
        let parent = ["parentSession", "parentSessionId", "legacyParentSessionPath"];
        let began = json.get("timestamp").or_else(|| json.get("createdAt"));
        let header = self.translation.header();
        header.id = id_of(json, "id").unwrap_or_default();
        header.cwd = id_of(json, "cwd").unwrap_or_default();
        header.time = began.and_then(time::read);
        header.parent_session = parent.iter().find_map(|key| id_of(json, key));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "`as` saturates"
        )]
        let version = version.map_or(3, |version| version as u32);
        header.version = version;
    }

    fn entry(&mut self, line: u32, json: Json<'_>) {
        let id = text(&json, "id").filter(|id| !id.is_empty()).map(str::to_owned);
        let Some(id) = id else { return self.translation.damage(line, DamageKind::NoId) };
        let of_lane = text(&json, "lane").unwrap_or(MAIN).to_owned();
        let entry_type = text(&json, "type").unwrap_or_default().to_owned();
        let parent_id = id_of(&json, "parentId");
        let spot = Spot {
            line,
            id: Some(id.clone()),
            parent_id: self.behind_moves(parent_id),
            time: json.get("timestamp").and_then(time::read),
        };
        // A `usage` entry of version 3 has a `kind` of its own.
        let is_v4 = text(&json, "kind") == Some("entry");
        let mut fields = fields_without(json, if is_v4 { &PLACE_V4 } else { &PLACE });
        if entry_type == "label" {
            trim_label(&mut fields);
        }
        self.lanes.insert(of_lane, Some(id));
        self.translation.push(spot, &entry_type, fields);
    }

    /// A `leaf` line is nobody's parent. What hangs from one all the same hangs
    /// from where it leads. Leaf lines lead to what stands above them, so the
    /// walk ends; targets are resolved as they are read, so it has one step.
    // Its own parentId names the leaf before the move; after it the leaf is `targetId`.
    fn behind_moves(&self, parent: Option<String>) -> Option<String> {
        match parent.as_ref().and_then(|id| self.moves.get(id)) {
            Some(target) => target.clone(),
            None => parent,
        }
    }

    /// Where the session stands from here on.
    fn leaf(&mut self, line: u32, json: &Json<'_>) {
        if json.get("targetId").is_none() {
            self.translation.damage(line, DamageKind::Incomplete);
        }
        self.leaf_lines += 1;
        let target = self.behind_moves(id_of(json, "targetId"));
        if let Some(id) = id_of(json, "id") {
            if let Some(target) = &target {
                self.translation.alias(id.clone(), target.clone());
            }
            self.moves.insert(id, target.clone());
        }
        self.lanes.insert(MAIN.to_owned(), target);
    }

    fn lane(&mut self, line: u32, json: &Json<'_>) {
        if json.get("leafId").is_none() {
            self.translation.damage(line, DamageKind::Incomplete);
        }
        let name = id_of(json, "lane").unwrap_or_else(|| MAIN.to_owned());
        self.lanes.insert(name, id_of(json, "leafId"));
    }

    // operation_started, tool_started, queue_enqueued, usage and others: bookkeeping, not tree.
    fn record(&mut self, json: &Json<'_>) {
        let record_type = id_of(json, "type").unwrap_or_else(|| "without a type".to_owned());
        *self.records.entry(record_type).or_default() += 1;
    }

    fn fact(&mut self, line: u32, json: &Json<'_>) {
        match text(json, "fact") {
            Some("name") => {
                let name = id_of(json, "name").filter(|name| !name.is_empty());
                self.translation.header().title = name;
            }
            Some("label") => {
                let Some(target) = id_of(json, "targetId") else {
                    return self.translation.damage(line, DamageKind::Incomplete);
                };
                let time = json.get("timestamp").and_then(time::read);
                let label = id_of(json, "label").map(|label| trim(&label).to_owned());
                let label = label.filter(|label| !label.is_empty());
                self.translation.label(target, label.map(|text| Label { text, time }));
            }
            _ => *self.records.entry("unknown fact".to_owned()).or_default() += 1,
        }
    }

    fn finish(mut self) -> Translation {
        let mut translation = self.translation;
        if self.headers == 0 {
            translation.damage(1, DamageKind::NoHeader);
        }
        match self.lanes.remove(MAIN) {
            Some(Some(leaf)) => translation.leaf(leaf),
            Some(None) => translation.no_leaf(),
            None => {}
        }
        if self.leaf_lines > 0 {
            translation.note(format!("Not shown: {}", counted(self.leaf_lines, "`leaf` line")));
        }
        if !self.lanes.is_empty() {
            translation.note(lanes_told(&self.lanes));
        }
        if !self.records.is_empty() {
            translation.note(records_told(&self.records));
        }
        if self.unordered > 0 {
            translation.note(format!("{} out of order", counted(self.unordered, "line")));
        }
        translation
    }
}

fn lanes_told(lanes: &BTreeMap<String, Option<String>>) -> String {
    /// Lanes named before the rest is counted.
    const NAMED: usize = 8;
    let mut told: Vec<String> = lanes
        .iter()
        .take(NAMED)
        .map(|(lane, leaf)| match leaf {
            Some(leaf) => format!("`{lane}` is at {leaf}"),
            None => format!("`{lane}` is before its first entry"),
        })
        .collect();
    if lanes.len() > NAMED {
        told.push(format!("{} more", lanes.len() - NAMED));
    }
    format!("{} beside `main`: {}", counted(lanes.len(), "lane"), told.join(", "))
}

fn records_told(records: &BTreeMap<String, usize>) -> String {
    /// Types named before the rest is left out.
    const NAMED: usize = 12;
    let total: usize = records.values().sum();
    let mut told: Vec<String> = records
        .iter()
        .take(NAMED)
        .map(|(record_type, count)| format!("{record_type} {count}"))
        .collect();
    if records.len() > NAMED {
        told.push("…".to_owned());
    }
    format!("Not shown: {} of internal bookkeeping ({})", counted(total, "line"), told.join(", "))
}

/// The harness trims labels.
fn trim_label(fields: &mut [(Cow<'_, str>, Json<'_>)]) {
    for (key, value) in fields {
        if key == "label"
            && let Some(label) = value.as_str()
        {
            *value = string(trim(label).to_owned());
        }
    }
}

/// The fields that place an entry.
const PLACE: [&str; 4] = ["type", "id", "parentId", "timestamp"];

/// The same in version 4.
const PLACE_V4: [&str; 6] = ["type", "id", "parentId", "timestamp", "kind", "seq"];
