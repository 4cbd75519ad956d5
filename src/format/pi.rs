//! pi's session files, versions 1 to 3, and what omp's share with them.
//!
//! JSON lines: a header (`type: "session"`), then entries with `id` and
//! `parentId`. Version 1 is a plain list without ids, version 2 names one role
//! differently; both are migrated in memory. omp puts a title line on top.
//!
//! A pass over the values takes the header, omp's title and the places of entries (`PiReader`); versions 1 and 2 are
//! brought to 3 (`migrate.rs`), children of lines that were lost find a parent (`lost.rs`), and archived branches go.
//! Rules of pi: the package 1.5.2, read and run; pi-mono up to March 2026 for what is older. 0.87.1 was run.

use crate::format::ReadError;
use crate::session::json::{Fields, Json};
use crate::session::text::counted;
use crate::session::{Damage, DamageKind, Format, Header, Session, SessionBuilder, known, time};

use super::envelope::{Checked, Envelope};
use super::lines::Value;
use super::lost::rejoin;
use super::migrate::{Migration, Unplaced};
use super::omp::additions::{self, PutAway};
use super::probe::{Probe, text};
use super::read_options::ReadOptions;
use super::{Reader, pi_agents, pi_listing, pi_stream};

/// The version that entries without any header are read as.
const CURRENT_VERSION: u32 = 3;

pub(super) const READER: Reader =
    Reader { format: Format::Pi, recognizes, read, listing: Some(pi_listing::PI) };

/// A header, or lines with an `id` and a `parentId`. Other agents begin their files with a `session` line too:
/// where other lines follow, one of them has to be of a type of pi's. A file whose first lines hold no
/// object may be a damaged one.
fn recognizes(probe: &Probe<'_>) -> bool {
    if pi_stream::is_stream(probe) {
        return true;
    }
    let is_header = |line: &Json<'_>| matches!(text(line, "type"), Some("session" | "title"));
    let mut others = probe.lines.iter().filter(|line| !is_header(line)).peekable();
    if others.peek().is_none() {
        return probe.lines.iter().any(is_header)
            || (probe.lines.is_empty() && probe.whole.is_none());
    }
    let has_header = probe.any(|line| text(line, "type") == Some("session"));
    if has_header { others.any(is_entry) } else { others.any(is_linked) }
}

fn is_linked(line: &Json<'_>) -> bool {
    line.get("id").is_some() && line.get("parentId").is_some() && line.get("data").is_none()
}

fn is_entry(line: &Json<'_>) -> bool {
    let entry_type = text(line, "type").unwrap_or_default();
    LIST_TYPES.contains(&entry_type)
        || known::is_type(entry_type)
        || line.get("parentId").is_some() && line.get("data").is_none()
}

/// The types of version 1, whose entries have no ids.
// pi-mono, November and December 2025.
const LIST_TYPES: [&str; 4] = ["message", "compaction", "model_change", "thinking_level_change"];

/// Reads a session file. Damage is noted in the session, not an error.
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    #[cfg(feature = "sqlite")]
    if let Some(origin) = super::database::Origin::of(options) {
        return super::openclaw::read(source, options, origin);
    }
    let session = if pi_stream::is_stream_file(&source) {
        pi_stream::read(Format::Pi, source, options)?
    } else {
        read_as(Format::Pi, source, options)?
    };
    Ok(if options.without_children { session } else { pi_agents::with_agents(session) })
}

pub(super) fn read_as(
    format: Format,
    source: Vec<u8>,
    options: &ReadOptions,
) -> Result<Session, ReadError> {
    read_told(format, source, options, |_| {})
}

/// The same, with what is known of the session from elsewhere.
pub(super) fn read_told(
    format: Format,
    source: Vec<u8>,
    options: &ReadOptions,
    tell: impl FnOnce(&mut SessionBuilder),
) -> Result<Session, ReadError> {
    let hides_archived = format == Format::Omp && !options.archived;
    let mut file = scanned(format, source, options, hides_archived);
    file.builder.tell_not_understood();
    if format == Format::Pi {
        let cwd = std::mem::take(&mut file.builder.header_mut().cwd);
        let agent = other_agent(&cwd, file.builder.texts().map(|(_, text)| text));
        let header = file.builder.header_mut();
        (header.cwd, header.agent) = (cwd, agent.map(str::to_owned));
    }
    tell(&mut file.builder);
    file.finish()
}

/// Which other agent wrote a file in pi's form, by what only that one writes: entries of its name, a model
/// that it serves itself, the folder in its home that it works in.
// OpenClaw: `customType` "openclaw:…" and cwd in public files. Letta: models "letta/…" (letta trajectory, fixtures).
fn other_agent<'t>(cwd: &str, texts: impl Iterator<Item = &'t str>) -> Option<&'static str> {
    /// A model is named early.
    const ENTRIES: usize = 20;
    let is_home = |part: &str| matches!(part, ".openclaw" | ".clawdbot");
    if cwd.split(['/', '\\']).any(is_home) {
        return Some("OpenClaw");
    }
    let openclaw = memchr::memmem::Finder::new("\"openclaw:");
    for (nth, text) in texts.enumerate() {
        if openclaw.find(text.as_bytes()).is_some() && is_custom_of(text, "openclaw:") {
            return Some("OpenClaw");
        }
        if nth < ENTRIES && text.contains("\"letta/") && is_model_of(text, "letta/") {
            return Some("Letta");
        }
    }
    None
}

fn is_custom_of(entry: &str, start: &str) -> bool {
    let json: Json<'_> = serde_json::from_str(entry).unwrap_or(Json::Null);
    text(&json, "customType").is_some_and(|kind| kind.starts_with(start))
}

fn is_model_of(entry: &str, start: &str) -> bool {
    let json: Json<'_> = serde_json::from_str(entry).unwrap_or(Json::Null);
    let message = json.get("message").unwrap_or(&Json::Null);
    // Where a provider is named, this is its model.
    message.get("provider").is_none()
        && text(message, "model").is_some_and(|model| model.starts_with(start))
}

/// The same before its parts are linked.
pub(super) fn scanned(
    format: Format,
    source: Vec<u8>,
    options: &ReadOptions,
    hides_archived: bool,
) -> ReadFile {
    let mut reader = PiReader::default();
    let read = options.scan(&source, |value, Checked(envelope)| reader.value(&value, envelope));
    let mut damage = read.damage;
    let content = Content {
        values: reader.values,
        objects: reader.entries.len(),
        has_header: reader.header.is_some(),
        is_damaged: !damage.is_empty(),
    };
    damage.append(&mut reader.damage);
    if reader.header.is_none() && !reader.entries.is_empty() {
        damage.push(Damage { line: 1, kind: DamageKind::NoHeader });
    }

    let header = reader.finished_header();
    let migration = Migration::new(header.version, &header.id, &source, read.repaired);
    let mut lost = read.lost;
    let (mut entries, repaired) = migration.run(reader.entries, &mut damage, &mut lost);
    damage.extend(rejoin(&mut entries, &lost, |_| false));
    let put_away = if hides_archived {
        additions::take_archived(&mut entries, |entry| entry.place.text(&source, &repaired))
    } else {
        PutAway::default()
    };
    let found = if entries.is_empty() {
        content.without_entries(&source)
    } else {
        ReadError::NoEntries { found: String::new() }
    };
    let is_omp = format == Format::Omp;
    let attachments = is_omp.then(|| additions::attachments(&source, options));
    let mut builder = SessionBuilder::new(source, repaired);
    builder.format(format);
    builder.attachments(attachments.unwrap_or_default());
    put_away.tell(&mut builder);
    builder.header(header);
    for damage in damage {
        builder.damage(damage.line, damage.kind);
    }
    for entry in entries {
        builder.push(entry);
    }
    ReadFile { builder, found }
}

/// What a file holds, ready to be linked.
pub(super) struct ReadFile {
    pub(super) builder: SessionBuilder,
    /// For when it has no entries.
    found: ReadError,
}

impl ReadFile {
    pub(super) fn finish(self) -> Result<Session, ReadError> {
        self.builder.finish().ok_or(self.found)
    }
}

/// Takes the file's values in order.
#[derive(Default)]
struct PiReader {
    values: usize,
    title: Option<String>,
    header: Option<Header>,
    entries: Vec<Unplaced>,
    damage: Vec<Damage>,
}

impl PiReader {
    fn value(&mut self, value: &Value<'_>, envelope: Option<Envelope<'_>>) {
        let nth_value = self.values;
        self.values += 1;
        let Some(envelope) = envelope else {
            return self.note(value.line, DamageKind::NotAnObject);
        };
        let entry_type = envelope.entry_type.clone().map(Json::into_text).unwrap_or_default();
        match entry_type.as_ref() {
            "session" => self.header(value.line, value.text),
            "title" if nth_value == 0 && envelope.id.is_none() => self.title_slot(value.text),
            _ => self.entry(envelope, entry_type.into_owned(), &value.place, value.line, nth_value),
        }
    }

    fn note(&mut self, line: u32, kind: DamageKind) {
        self.damage.push(Damage { line, kind });
    }

    fn header(&mut self, line: u32, text: &str) {
        if self.header.is_some() {
            return self.note(line, DamageKind::SecondHeader);
        }
        let mut fields = Fields::new(serde_json::from_str(text).unwrap_or(Json::Null));
        let has_id = fields.take("id");
        if has_id.as_ref().and_then(Json::as_str).is_none() || !self.entries.is_empty() {
            self.note(line, DamageKind::OddHeader);
        }
        self.header = Some(Header {
            id: has_id.map(|id| id.into_text().into_owned()).unwrap_or_default(),
            // A header without a version is of version 1 (pi 1.5.2).
            version: match fields.take("version") {
                None => 1,
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "`as` saturates"
                )]
                Some(version) => version.as_f64().map_or(CURRENT_VERSION, |version| version as u32),
            },
            time: fields.take("timestamp").as_ref().and_then(time::read),
            cwd: fields.text("cwd").unwrap_or_default().into_owned(),
            parent_session: fields
                .text("parentSession")
                // The name before version 2. pi-mono, 2025.
                .or_else(|| fields.text("branchedFrom"))
                .map(Into::into),
            // `displayName` stands in what OpenClaw's database gives (`openclaw/transcript.rs`).
            title: fields.text("title").or_else(|| fields.text("displayName")).map(Into::into),
            ..Header::default()
        });
    }

    /// omp's first line, rewritten in place on every change of title.
    // 18.3.4 folds it into the header, and an empty title removes the header's.
    fn title_slot(&mut self, text: &str) {
        let mut fields = Fields::new(serde_json::from_str(text).unwrap_or(Json::Null));
        self.title = Some(fields.text("title").unwrap_or_default().into_owned());
    }

    fn entry(
        &mut self,
        envelope: Envelope<'_>,
        entry_type: String,
        place: &crate::session::Place,
        line: u32,
        nth_value: usize,
    ) {
        let (id, odd_id) = match envelope.id {
            Some(Json::String(id)) if !id.is_empty() => (Some(id.into_owned()), None),
            Some(Json::Null) | None => (None, None),
            Some(odd) => (None, Some(odd.into_text().into_owned())),
        };
        self.entries.push(Unplaced {
            id,
            odd_id,
            parent_id: match envelope.parent_id {
                None | Some(Json::Null) => None,
                Some(parent) => Some(parent.into_text().into_owned()),
            },
            entry_type,
            time: envelope.timestamp.as_ref().and_then(time::read),
            line,
            place: *place,
            nth_value,
        });
    }

    /// The header, or what stands in for one; an empty title slot clears the title.
    fn finished_header(&mut self) -> Header {
        let version = if self.looks_unnumbered() { 1 } else { CURRENT_VERSION };
        let mut header = self.header.take().unwrap_or(Header { version, ..Header::default() });
        if let Some(title) = self.title.take() {
            header.title = Some(title);
        }
        header
    }

    /// Without a header, only pi's own types tell a list of version 1 from
    /// anybody's JSON lines.
    fn looks_unnumbered(&self) -> bool {
        let is_known = |entry: &Unplaced| LIST_TYPES.contains(&entry.entry_type.as_str());
        self.entries.iter().all(|entry| entry.id.is_none()) && self.entries.iter().any(is_known)
    }
}

/// What a file holds, for the error when that is no entry.
struct Content {
    values: usize,
    objects: usize,
    has_header: bool,
    is_damaged: bool,
}

impl Content {
    fn without_entries(&self, source: &[u8]) -> ReadError {
        let lines =
            source.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        let count = lines.clone().count();
        let nothing = |found: &str| ReadError::NoEntries { found: found.to_owned() };
        if count == 0 {
            return nothing("the file is empty");
        }
        if self.has_header && self.objects == 0 && !self.is_damaged {
            return nothing("the file contains only a session header");
        }
        let start: String = lines
            .clone()
            .next()
            .map(|line| String::from_utf8_lossy(line).chars().take(40).collect())
            .unwrap_or_default();
        // What begins as JSON is no text that an agent printed.
        if self.values == 0 && !start.trim_start().starts_with(['{', '[']) {
            return ReadError::PlainText;
        }
        let what = match (self.values, self.objects) {
            (0, _) => "none of them is JSON".to_owned(),
            (values, 0) => format!("{}, none of them is an entry", counted(values, "JSON value")),
            (_, objects) => {
                format!("{}, none of them has an `id`", counted(objects, "JSON object"))
            }
        };
        let lines = counted(count, "line");
        nothing(&format!("{lines}, {what} (line 1 starts with `{}`)", start.trim()))
    }
}
