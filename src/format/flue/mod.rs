//! Flue's session object: one JSON object a session, up to format version 3.
//!
//! Versions 2 and 3 hold entries as pi's with a stored leaf. Version 1 holds a
//! plain list of messages and the last compaction beside it. Task sessions are
//! objects of their own; their files are looked for beside the session's.
//!
//! All of it: flue (docs/formats.md, Sources), of May 2026; its 2.0.3 writes records of another form, which are not
//! read.

mod tasks;

use std::collections::HashSet;

use crate::format::ReadError;
use crate::format::entry;
use crate::session::json::Json;
use crate::session::{DamageKind, Format, Session, time};

use super::Reader;
use super::fields::{fields_without, id_of};
use super::lines::value_at;
use super::lost::Lost;
use super::probe::Probe;
use super::read_options::ReadOptions;
use super::spans::{Span, items, members};
use super::translation::{Spot, Translation};
use tasks::{Budgets, Calls, Task, Tasks, Wanted};

pub(super) const READER: Reader = Reader { format: Format::Flue, recognizes, read, listing: None };

/// One object with `entries` and a leaf, or with `messages` and a time; also one that is torn.
fn recognizes(probe: &Probe<'_>) -> bool {
    let is_array = |key: &str| {
        let value = probe.whole.as_ref().and_then(|whole| whole.get(key));
        value.is_some_and(|value| matches!(value, Json::Array(_)))
    };
    let has = |key: &str| probe.whole.as_ref().is_some_and(|whole| whole.get(key).is_some());
    match probe.whole {
        Some(_) if has("type") => false,
        Some(_) if is_array("entries") => has("leafId"),
        Some(_) => is_array("messages") && !has("entries") && has("createdAt"),
        None => probe.lines.is_empty() && is_torn(probe.source),
    }
}

/// An object that does not parse, whose members seem to be those of a session.
fn is_torn(source: &[u8]) -> bool {
    let text = String::from_utf8_lossy(source);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let found = members(text);
    let has = |found: &[(&str, Span)], name: &str| found.iter().any(|(key, _)| *key == name);
    let entries = found.iter().find(|(key, _)| *key == "entries");
    let first = entries.and_then(|(_, entries)| items(text, *entries).into_iter().next());
    let hangs = first.is_some_and(|first| has(&members(&text[first.start..first.end]), "parentId"));
    !has(&found, "type") && (hangs || entries.is_some() && has(&found, "version"))
}

/// Reads a session and the task sessions beside it.
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    let (session, wanted) = read_one(source)?;
    if options.without_children {
        return Ok(session);
    }
    Ok(Tasks::beside(options, Budgets::default()).within(session, wanted))
}

/// The session alone, and what its metadata says of task sessions.
fn read_one(source: Vec<u8>) -> Result<(Session, Wanted), ReadError> {
    let text = String::from_utf8_lossy(&source);
    let (mut translation, wanted) = translate(&text);
    drop(text);
    if let Err(error) = std::str::from_utf8(&source) {
        let before = &source[..error.valid_up_to()];
        let line = memchr::memchr_iter(b'\n', before).count() + 1;
        translation.damage(u32::try_from(line).unwrap_or(u32::MAX), DamageKind::InvalidUtf8);
    }
    Ok((translation.finish(source)?, wanted))
}

fn translate(text: &str) -> (Translation, Wanted) {
    let mut reader = FlueReader::new(text);
    let members = members(reader.text);
    let find = |name: &str| members.iter().rev().find(|(key, _)| *key == name).map(|(_, at)| *at);
    reader.header(find);
    match (find("entries"), find("messages")) {
        (Some(entries), _) => {
            reader.entries(entries);
            reader.leaf(find("leafId"));
        }
        (None, Some(messages)) => reader.messages(messages, find("lastCompaction")),
        (None, None) => {}
    }
    for (key, _) in &members {
        if !KNOWN.contains(key) {
            reader.translation.note(format!("unknown field of the session: `{key}`"));
        }
    }
    let mut tasks = Vec::new();
    if let Some(metadata) = find("metadata") {
        reader.value(metadata, |_, _, metadata| tasks = Task::list(&metadata));
    }
    (reader.translation, Wanted { tasks, calls: reader.calls })
}

/// The members of the session object.
const KNOWN: [&str; 8] = [
    "version",
    "entries",
    "messages",
    "leafId",
    "metadata",
    "createdAt",
    "updatedAt",
    "lastCompaction",
];

struct FlueReader<'t> {
    text: &'t str,
    translation: Translation,
    ids: HashSet<String>,
    calls: Calls,
}

impl<'t> FlueReader<'t> {
    fn new(text: &'t str) -> Self {
        FlueReader {
            text: text.strip_prefix('\u{feff}').unwrap_or(text),
            translation: Translation::new(Format::Flue),
            ids: HashSet::new(),
            calls: Calls::default(),
        }
    }

    /// Hands over the value that lies there, repaired where it has to be; its damage is noted.
    fn value(&mut self, span: Span, each: impl FnOnce(&mut Self, u32, Json<'_>)) {
        let text = self.text;
        let found = value_at(text, span, |json| each(self, span.line, json));
        for damage in found.damage {
            self.translation.damage(span.line, damage.kind);
        }
        for lost in found.lost {
            self.translation.lost(Lost { line: span.line, ..lost });
        }
    }

    fn header(&mut self, find: impl Fn(&str) -> Option<Span>) {
        if let Some(version) = find("version") {
            self.value(version, |reader, _, version| {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "`as` saturates"
                )]
                let version = version.as_f64().map_or(0, |version| version as u32);
                reader.translation.header().version = version;
            });
        } else {
            self.translation.header().version = 1;
        }
        if let Some(created) = find("createdAt") {
            self.value(created, |reader, _, created| {
                reader.translation.header().time = time::read(&created);
            });
        }
        if let Some(metadata) = find("metadata") {
            self.value(metadata, |reader, _, metadata| {
                let header = reader.translation.header();
                header.cwd = id_of(&metadata, "cwd").unwrap_or_default();
                header.parent_session = id_of(&metadata, "parentSession");
            });
        }
    }

    fn entries(&mut self, entries: Span) {
        let items = items(self.text, entries);
        if items.is_empty() && !self.text[entries.start..].starts_with('[') {
            self.translation.note("`entries` is not a list".to_owned());
        }
        for item in items {
            self.value(item, Self::entry);
        }
    }

    fn entry(&mut self, line: u32, json: Json<'_>) {
        if !matches!(json, Json::Object(_)) {
            return self.translation.damage(line, DamageKind::NotAnObject);
        }
        let id = json.get("id").and_then(Json::as_str).filter(|id| !id.is_empty());
        let Some(id) = id.map(str::to_owned) else {
            return self.translation.damage(line, DamageKind::NoId);
        };
        let entry_type = id_of(&json, "type").unwrap_or_default();
        if let Some(message) = json.get("message") {
            self.calls.note(&id, message);
        }
        self.ids.insert(id.clone());
        let spot = Spot {
            line,
            id: Some(id),
            parent_id: id_of(&json, "parentId"),
            time: json.get("timestamp").and_then(time::read),
        };
        match entry_type.as_str() {
            // flue, types.ts; Flue gives the model a branch summary even where it is empty.
            "message" | "compaction" | "branch_summary" => {
                let mut fields = fields_without(json, &["type", "id", "parentId", "timestamp"]);
                if entry_type == "branch_summary" {
                    fields.push(("givenEmpty".into(), Json::Bool(true)));
                }
                self.translation.push(spot, &entry_type, fields);
            }
            _ => self.translation.push_unknown(spot, &entry_type, json),
        }
    }

    /// The stored leaf; it need not be the last entry.
    // `leafId` is what Flue goes on from (flue, session.ts).
    fn leaf(&mut self, leaf: Option<Span>) {
        let Some(leaf) = leaf else { return };
        self.value(leaf, |reader, _, leaf| match leaf {
            Json::Null if reader.ids.is_empty() => {}
            Json::Null => reader.translation.no_leaf(),
            leaf => {
                let id = leaf.into_text().into_owned();
                if !reader.ids.contains(&id) {
                    reader.translation.note(format!(
                        "the file names `{id}` as the leaf, but has no such entry. The last entry is used instead"
                    ));
                }
                reader.translation.leaf(id);
            }
        });
    }

    /// Version 1: a list. What its last compaction replaced is known by an index, so the
    /// compaction stands there, before the first message that was kept.
    // Of April 2026: `lastCompaction` {summary, firstKeptIndex, details}.
    fn messages(&mut self, messages: Span, compaction: Option<Span>) {
        let items = items(self.text, messages);
        let mut before = None;
        if let Some(compaction) = compaction {
            self.value(compaction, |_, line, compaction| {
                before = v1_compaction(&compaction, items.len()).map(|(at, json)| (at, line, json));
            });
        }
        let mut parent: Option<String> = None;
        for (nth, item) in items.iter().enumerate() {
            if let Some((_, line, text)) = before.take_if(|(at, ..)| *at == nth) {
                self.push_v1_compaction(line, &text, &mut parent);
            }
            self.value(*item, |reader, line, message| {
                if !matches!(message, Json::Object(_)) {
                    return reader.translation.damage(line, DamageKind::NotAnObject);
                }
                let id = format!("message-{}", nth + 1);
                reader.calls.note(&id, &message);
                let spot = Spot {
                    line,
                    time: message.get("timestamp").and_then(time::read),
                    parent_id: parent.replace(id.clone()),
                    id: Some(id),
                };
                reader.translation.push(spot, "message", entry::message(message));
            });
        }
        if let Some((_, line, text)) = before {
            self.push_v1_compaction(line, &text, &mut parent);
        }
    }

    fn push_v1_compaction(&mut self, line: u32, text: &str, parent: &mut Option<String>) {
        let json: Json<'_> = serde_json::from_str(text).unwrap_or(Json::Null);
        let id = "last-compaction".to_owned();
        let parent_id = parent.replace(id.clone());
        let spot = Spot { line, id: Some(id), parent_id, time: None };
        self.translation.push(spot, "compaction", fields_without(json, &["type"]));
    }
}

/// The compaction of version 1 and the index that it stands before.
fn v1_compaction(compaction: &Json<'_>, messages: usize) -> Option<(usize, String)> {
    if !matches!(compaction, Json::Object(_)) {
        return None;
    }
    let index = compaction.get("firstKeptIndex").and_then(Json::as_f64).unwrap_or(f64::MAX);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    let at = (index.max(0.0) as usize).min(messages);
    Some((at, compaction.compact()))
}

/// The first thing that a person asked for, on one line.
fn first_prompt(session: &Session) -> Option<String> {
    use crate::session::message::{Message, joined_text};
    use crate::session::{Body, text::one_line};
    let texts = session.indices().filter_map(|entry| match session.entry_at(entry).body {
        Body::Message(Message::User(content)) => Some(one_line(&joined_text(&content, "\n"))),
        _ => None,
    });
    texts.into_iter().find(|text| !text.is_empty())
}
