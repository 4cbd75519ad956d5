//! Versions 1 and 2 of pi's files, brought to version 3 in memory.
//!
//! Version 1 is a list: each entry gets an id and the one before it as parent,
//! and a compaction's `firstKeptEntryIndex`, which counts all lines with the
//! header as 0, becomes an id. Version 2 calls the role `custom` `hookMessage`.

use std::borrow::Cow;
use std::collections::HashSet;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::session::json::Json;
use crate::session::{Damage, DamageKind, Place, RawEntry};

/// An entry as it was found, before it is known what it hangs from.
#[derive(Debug)]
pub(super) struct Unplaced {
    /// The id, where there is a usable one.
    pub(super) id: Option<String>,
    /// The parent's id.
    pub(super) parent_id: Option<String>,
    /// The type as written.
    pub(super) entry_type: String,
    /// Milliseconds since 1970.
    pub(super) time: Option<i64>,
    /// The line, counted from 1.
    pub(super) line: u32,
    /// Where the JSON lies.
    pub(super) place: Place,
    /// Which of the file's JSON values it is, from 0.
    pub(super) nth_value: usize,
}

/// Brings the entries of one file to version 3.
#[derive(Debug)]
pub(super) struct Migration<'a> {
    version: u32,
    session_id: &'a str,
    source: &'a [u8],
    repaired: Vec<String>,
}

impl<'a> Migration<'a> {
    pub(super) fn new(
        version: u32,
        session_id: &'a str,
        source: &'a [u8],
        repaired: Vec<String>,
    ) -> Self {
        Migration { version, session_id, source, repaired }
    }

    /// Gives the entries with their ids, and the texts that differ from the file's.
    pub(super) fn run(
        mut self,
        entries: Vec<Unplaced>,
        damage: &mut Vec<Damage>,
    ) -> (Vec<RawEntry>, Vec<String>) {
        let mut placed =
            if self.version < 2 { self.number(entries) } else { keep_ids(entries, damage) };
        if self.version < 3 {
            for entry in &mut placed {
                self.rename_role(entry);
            }
        }
        (placed, self.repaired)
    }

    fn text(&self, place: Place) -> &str {
        match place {
            Place::Source { start, len } => {
                std::str::from_utf8(&self.source[start..start + len]).unwrap_or_default()
            }
            Place::Repaired(at) => &self.repaired[at],
        }
    }

    fn put(&mut self, text: String) -> Place {
        self.repaired.push(text);
        Place::Repaired(self.repaired.len() - 1)
    }

    fn number(&mut self, entries: Vec<Unplaced>) -> Vec<RawEntry> {
        let mut used = HashSet::new();
        let ids: Vec<String> = entries
            .iter()
            .map(|entry| lasting_id(self.session_id, entry.line, &mut used))
            .collect();
        let id_of_value = |nth: usize| {
            let at = entries.binary_search_by_key(&nth, |entry| entry.nth_value).ok()?;
            Some(ids[at].clone())
        };
        let anchors: Vec<Option<Anchor>> = entries
            .iter()
            .map(|entry| {
                let anchor = (entry.entry_type == "compaction")
                    .then(|| Anchor::read(self.text(entry.place)))??;
                Some(anchor.resolve(entry.nth_value, id_of_value))
            })
            .collect();
        let mut previous = None;
        let mut placed = Vec::with_capacity(entries.len());
        for ((entry, id), anchor) in entries.into_iter().zip(ids).zip(anchors) {
            let place = match anchor {
                Some(anchor) => {
                    let text = anchor.rewrite(self.text(entry.place));
                    self.put(text)
                }
                None => entry.place,
            };
            let parent_id = previous.replace(id.clone());
            placed.push(RawEntry { place, ..raw_entry(entry, id, parent_id) });
        }
        placed
    }

    fn rename_role(&mut self, entry: &mut RawEntry) {
        let text = self.text(entry.place);
        if entry.entry_type != "message" || !text.contains("hookMessage") {
            return;
        }
        let Ok(mut json) = serde_json::from_str::<Json<'_>>(text) else { return };
        let Some(role) = field(&mut json, "message").and_then(|message| field(message, "role"))
        else {
            return;
        };
        if role.as_str() == Some("hookMessage") {
            *role = Json::String(Cow::Borrowed("custom"));
            let text = json.compact();
            entry.place = self.put(text);
        }
    }
}

fn raw_entry(entry: Unplaced, id: String, parent_id: Option<String>) -> RawEntry {
    let Unplaced { entry_type, time, line, place, .. } = entry;
    RawEntry { id, parent_id, entry_type, time, line, place }
}

/// Entries without a usable id are left out.
fn keep_ids(entries: Vec<Unplaced>, damage: &mut Vec<Damage>) -> Vec<RawEntry> {
    let mut placed = Vec::with_capacity(entries.len());
    for mut entry in entries {
        match entry.id.take() {
            Some(id) => {
                let parent_id = entry.parent_id.take();
                placed.push(raw_entry(entry, id, parent_id));
            }
            None => damage.push(Damage { line: entry.line, kind: DamageKind::NoId }),
        }
    }
    placed
}

/// An id that is the same whenever the file is read: 8 hex digits of a hash
/// over the session's id and the line, so that links keep working.
fn lasting_id(session_id: &str, line: u32, used: &mut HashSet<String>) -> String {
    for attempt in 0u32.. {
        let hash = Sha256::digest(format!("{session_id}\n{line}\n{attempt}"));
        let id = HEXLOWER.encode(&hash[..4]);
        if used.insert(id.clone()) {
            return id;
        }
    }
    unreachable!("2^32 attempts cannot all collide with fewer entries")
}

/// A version 1 compaction's `firstKeptEntryIndex` on its way to an id.
struct Anchor {
    index: f64,
    id: Option<String>,
}

impl Anchor {
    fn read(text: &str) -> Option<Anchor> {
        let json: Json<'_> = serde_json::from_str(text).ok()?;
        let index = json.get("firstKeptEntryIndex")?.as_f64()?;
        Some(Anchor { index, id: None })
    }

    /// An index of the header, of nothing, or of a later line keeps nothing.
    fn resolve(mut self, own: usize, id_of_value: impl Fn(usize) -> Option<String>) -> Anchor {
        #[expect(clippy::cast_precision_loss, reason = "a file holds fewer than 2^52 values")]
        let is_earlier = self.index >= 0.0 && self.index.fract() == 0.0 && self.index < own as f64;
        if is_earlier {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "checked above"
            )]
            let index = self.index as usize;
            self.id = id_of_value(index);
        }
        self
    }

    fn rewrite(self, text: &str) -> String {
        let Ok(Json::Object(mut fields)) = serde_json::from_str(text) else {
            return text.to_owned();
        };
        fields.retain(|(key, _)| key != "firstKeptEntryIndex");
        if let Some(id) = self.id {
            fields.retain(|(key, _)| key != "firstKeptEntryId");
            fields.push((Cow::Borrowed("firstKeptEntryId"), Json::String(Cow::Owned(id))));
        }
        Json::Object(fields).compact()
    }
}

fn field<'j, 'a>(json: &'j mut Json<'a>, key: &str) -> Option<&'j mut Json<'a>> {
    match json {
        Json::Object(fields) => fields.iter_mut().rev().find(|(k, _)| k == key).map(|(_, v)| v),
        _ => None,
    }
}
