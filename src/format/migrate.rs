//! Versions 1 and 2 of pi's files, brought to version 3 in memory.
//!
//! Version 1 is a list: each entry gets an id and the one before it as parent, and a compaction's
//! `firstKeptEntryIndex`, which counts all lines with the header as 0, becomes an id. Version 2 calls the role
//! `custom` `hookMessage`. Both as pi 1.5.2 does it, which rewrites the file; ids are random there.

use std::borrow::Cow;
use std::collections::HashSet;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::session::json::Json;
use crate::session::{Damage, DamageKind, Place, RawEntry};

use super::lost::Lost;

/// An entry as it was found, before it is known what it hangs from.
#[derive(Debug)]
pub(super) struct Unplaced {
    /// The id, where there is a usable one.
    pub(super) id: Option<String>,
    /// An id that is no string: others may name it as their parent.
    pub(super) odd_id: Option<String>,
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
        lost: &mut Vec<Lost>,
    ) -> (Vec<RawEntry>, Vec<String>) {
        let mut placed =
            if self.version < 2 { self.number(entries) } else { keep_ids(entries, damage, lost) };
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
        let mut lasting = LastingIds { session_id: self.session_id, ..LastingIds::default() };
        let ids: Vec<String> = entries.iter().map(|entry| lasting.next(entry.line)).collect();
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
fn keep_ids(
    entries: Vec<Unplaced>,
    damage: &mut Vec<Damage>,
    lost: &mut Vec<Lost>,
) -> Vec<RawEntry> {
    let mut placed = Vec::with_capacity(entries.len());
    for mut entry in entries {
        if let Some(id) = entry.id.take() {
            let parent_id = entry.parent_id.take();
            placed.push(raw_entry(entry, id, parent_id));
        } else {
            damage.push(Damage { line: entry.line, kind: DamageKind::NoId });
            lost.extend(entry.odd_id.map(|id| Lost::whole(entry.line, id, entry.parent_id)));
        }
    }
    placed
}

/// Ids that are the same whenever the file is read, so that links keep working:
/// 8 hex digits of a hash over the session's id, the line and a number.
#[derive(Default)]
struct LastingIds<'a> {
    session_id: &'a str,
    used: HashSet<String>,
    line: u32,
    /// Numbers of this line that are taken, be it by its own values.
    tried: u32,
    /// Hashes made so far.
    #[cfg(test)]
    hashes: usize,
}

impl LastingIds<'_> {
    /// The id of the next value, which stands on this line or a later one. A line
    /// of many values goes on where the value before found its number: from 0
    /// each would try those of all before it.
    fn next(&mut self, line: u32) -> String {
        if self.line != line {
            (self.line, self.tried) = (line, 0);
        }
        loop {
            let hash = Sha256::digest(format!("{}\n{line}\n{}", self.session_id, self.tried));
            self.tried = self.tried.wrapping_add(1);
            #[cfg(test)]
            {
                self.hashes += 1;
            }
            let id = HEXLOWER.encode(&hash[..4]);
            if self.used.insert(id.clone()) {
                return id;
            }
        }
    }
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
    // pi 1.5.2 gives no id for these either, so nothing before the compaction is kept.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_values_on_one_line_cost_a_hash_each() {
        let mut lasting = LastingIds { session_id: "s", ..LastingIds::default() };
        let ids: Vec<String> = (0..5_000).map(|_| lasting.next(1)).collect();
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 5_000);
        assert!(lasting.hashes < 5_100, "{} hashes for 5,000 ids", lasting.hashes);
    }

    #[test]
    fn the_ids_of_values_on_one_line_last() {
        // As they have always been: the first free one of the line's numbers.
        let hashed = |line: u32, number: u32| {
            HEXLOWER.encode(&Sha256::digest(format!("s\n{line}\n{number}"))[..4])
        };
        let mut lasting = LastingIds { session_id: "s", ..LastingIds::default() };
        let ids = [2, 3, 3, 3, 4].map(|line| lasting.next(line));
        let expected = [(2, 0), (3, 0), (3, 1), (3, 2), (4, 0)].map(|(l, n)| hashed(l, n));
        assert_eq!(ids, expected);
    }
}
