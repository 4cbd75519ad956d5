//! pi's tree proposal of December 2025, which never shipped: `uuid` and `parentUuid`, the header itself the root of
//! the tree, and `stack_summary` for what was left behind. Times are often missing. Source: the design document of
//! pi-mono of 25 December 2025, deleted on the 31st.

use std::borrow::Cow;

use crate::format::ReadError;
use crate::session::json::Json;
use crate::session::{DamageKind, Format, Session, time};

use super::Reader;
use super::entry::custom;
use super::fields::{ObjectFields, fields_without, id_of, string};
use super::probe::{Probe, text};
use super::read_options::ReadOptions;
use super::translation::{Spot, Translation};

pub(super) const READER: Reader =
    Reader { format: Format::PiProposal, recognizes, read, listing: None };

/// The header has a `uuid`.
fn recognizes(probe: &Probe<'_>) -> bool {
    probe.any(|line| text(line, "type") == Some("session") && line.get("uuid").is_some())
}

/// Reads a session file.
fn read(source: Vec<u8>, options: &ReadOptions) -> Result<Session, ReadError> {
    let mut reader =
        ProposalReader { translation: Translation::new(Format::PiProposal), headers: 0 };
    let scan = options.scan_json(&source, |value, json| match json {
        Json::Object(_) => reader.line(value.line, json),
        _ => reader.translation.damage(value.line, DamageKind::NotAnObject),
    });
    let ProposalReader { mut translation, headers } = reader;
    translation.scanned(scan);
    if headers == 0 {
        translation.damage(1, DamageKind::NoHeader);
    }
    translation.finish(source)
}

struct ProposalReader {
    translation: Translation,
    headers: usize,
}

impl ProposalReader {
    fn line(&mut self, line: u32, json: Json<'_>) {
        let id = id_of(&json, "uuid").or_else(|| id_of(&json, "id")).filter(|id| !id.is_empty());
        let Some(id) = id else { return self.translation.damage(line, DamageKind::NoId) };
        let parent_id = id_of(&json, "parentUuid").or_else(|| id_of(&json, "parentId"));
        let spot = Spot { line, id: Some(id), time: instant(&json), parent_id };
        let entry_type = text(&json, "type").unwrap_or_default().to_owned();
        let (entry_type, fields) = match entry_type.as_str() {
            "session" => {
                self.header(line, &json);
                ("custom", custom("session", json))
            }
            "stack_summary" | "branch_summary" => {
                ("branch_summary", branch_summary(json, spot.parent_id.as_deref()))
            }
            known if is_core(known) => (known, renamed(json)),
            _ => return self.translation.push_unknown(spot, &entry_type, json),
        };
        self.translation.push(spot, entry_type, fields);
    }

    fn header(&mut self, line: u32, json: &Json<'_>) {
        self.headers += 1;
        if self.headers > 1 {
            return self
                .translation
                .note(format!("another header on line {line}, shown as an entry"));
        }
        let version = json.get("version").and_then(Json::as_f64);
        let header = self.translation.header();
        header.id = id_of(json, "id").unwrap_or_default();
        header.cwd = id_of(json, "cwd").unwrap_or_default();
        header.time = json.get("timestamp").and_then(time::read);
        header.parent_session = id_of(json, "parentSession");
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "`as` saturates"
        )]
        let version = version.map_or(2, |version| version as u32);
        header.version = version;
    }
}

/// The entry's own time, else its message's.
fn instant(json: &Json<'_>) -> Option<i64> {
    let own = json.get("timestamp").and_then(time::read);
    own.or_else(|| json.get("message")?.get("timestamp").and_then(time::read))
}

/// Types that mean here what they mean in what shipped.
fn is_core(entry_type: &str) -> bool {
    matches!(
        entry_type,
        "message"
            | "compaction"
            | "model_change"
            | "thinking_level_change"
            | "label"
            | "custom"
            | "custom_message"
            | "session_info"
    )
}

/// The fields with `…Uuid` written `…Id`, as the core has them.
fn renamed(json: Json<'_>) -> ObjectFields<'_> {
    let mut fields = fields_without(json, &PLACE);
    for (key, _) in &mut fields {
        match key.as_ref() {
            "firstKeptEntryUuid" => *key = Cow::Borrowed("firstKeptEntryId"),
            "targetUuid" => *key = Cow::Borrowed("targetId"),
            "fromUuid" => *key = Cow::Borrowed("fromId"),
            _ => {}
        }
    }
    fields
}

/// A `stack_summary` summarizes the branch that was left for its parent.
fn branch_summary<'a>(json: Json<'a>, parent: Option<&str>) -> ObjectFields<'a> {
    let mut fields = renamed(json);
    if !fields.iter().any(|(key, _)| key == "fromId") {
        fields.push((Cow::Borrowed("fromId"), string(parent.unwrap_or("root").to_owned())));
    }
    fields
}

/// The fields that place an entry.
const PLACE: [&str; 6] = ["type", "uuid", "parentUuid", "id", "parentId", "timestamp"];
