//! For formats whose lines are not of the core's own form: entries written
//! anew in it, which is that of pi's version 3. What the file holds stays in
//! the source.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use crate::format::ReadError;
use crate::session::json::{Fields, Json};
use crate::session::text::count;
use crate::session::usage::Usage;
use crate::session::{
    Child, Damage, DamageKind, Format, Header, Label, RawEntry, Session, SessionBuilder,
};

use super::entry;
use super::fields::ObjectFields;
use super::lines::{Scan, line_id};
use super::lost::{Lost, rejoin};

/// Collects a session's entries in the core's form.
#[derive(Debug)]
pub(super) struct Translation {
    builder: SessionBuilder,
    format: Format,
    lost: Vec<Lost>,
    counted: Usage,
}

/// Where an entry stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Spot {
    /// Its line, counted from 1.
    pub(super) line: u32,
    /// Its own id; an entry without one gets a lasting one of its line.
    pub(super) id: Option<String>,
    /// Its parent's id.
    pub(super) parent_id: Option<String>,
    /// Milliseconds since 1970.
    pub(super) time: Option<i64>,
}

impl Translation {
    pub(super) fn new(format: Format) -> Self {
        let mut builder = SessionBuilder::new(Vec::new(), Vec::new());
        builder.format(format);
        builder.tell_not_understood();
        Translation { builder, format, lost: Vec::new(), counted: Usage::default() }
    }

    /// What the session says of itself.
    pub(super) fn header(&mut self) -> &mut Header {
        self.builder.header_mut()
    }

    /// The next entry in file order: `fields` in the core's form, without id, parent and time.
    pub(super) fn push(&mut self, spot: Spot, entry_type: &str, fields: ObjectFields<'_>) {
        let mut object =
            vec![(Cow::Borrowed("type"), Json::String(Cow::Owned(entry_type.to_owned())))];
        self.counted += usage_in(&fields);
        object.extend(fields);
        let place = self.builder.repaired(Json::Object(object).compact());
        self.builder.push(RawEntry {
            id: spot.id.filter(|id| !id.is_empty()).unwrap_or_else(|| line_id(spot.line, 1)),
            parent_id: spot.parent_id,
            entry_type: entry_type.to_owned(),
            time: spot.time,
            line: spot.line,
            place,
        });
    }

    /// What the entries so far say was spent, those of children not included.
    pub(super) fn counted(&self) -> Usage {
        self.counted
    }

    /// An entry of a kind that the format's reader does not know: its words, and all of it.
    pub(super) fn push_unknown(&mut self, spot: Spot, kind: &str, json: Json<'_>) {
        let (entry_type, fields) = entry::unknown(kind, json);
        self.push(spot, entry_type, fields);
        self.last_is_not_understood();
    }

    /// The entry pushed last is of a kind that the format's reader does not know.
    pub(super) fn last_is_not_understood(&mut self) {
        self.builder.last_is_not_understood();
    }

    /// Another id under which an entry is known.
    pub(super) fn alias(&mut self, alias: String, id: String) {
        self.builder.alias(alias, id);
    }

    /// The leaf that the file itself names.
    pub(super) fn leaf(&mut self, id: String) {
        self.builder.leaf(id);
    }

    /// The file stands before its first entry; a page has to show one all the same.
    pub(super) fn no_leaf(&mut self) {
        let told = "the file says that the session stands before its first entry: its last entry stands in";
        self.note(told.to_owned());
    }

    /// The label of an entry, where the file keeps labels beside the entries; none clears it.
    pub(super) fn label(&mut self, id: String, label: Option<Label>) {
        self.builder.label(id, label);
    }

    /// Something that is in the file and has no row; the page's head names it.
    pub(super) fn note(&mut self, note: String) {
        self.builder.note(note);
    }

    /// So many lines behind the first are of another file, which the session goes on from.
    pub(super) fn history(&mut self, lines: u32) {
        self.builder.history(lines);
    }

    /// The same of lines that have no row, counted by their kind.
    pub(super) fn not_shown(&mut self, counts: &BTreeMap<String, usize>) {
        if !counts.is_empty() {
            let told: Vec<String> = counts.iter().map(|(kind, &of)| lines_of(kind, of)).collect();
            self.note(format!("Not shown: {}", told.join(", ")));
        }
    }

    /// A session that one of the entries started.
    pub(super) fn child(&mut self, child: Child) {
        self.builder.child(child);
    }

    /// The sessions that entries started.
    #[cfg(test)]
    pub(super) fn children(&self) -> &[Child] {
        self.builder.children()
    }

    /// Something that could not be read as written.
    pub(super) fn damage(&mut self, line: u32, kind: DamageKind) {
        self.builder.damage(line, kind);
    }

    /// An entry that is not shown, whose children are to hang from what it was below.
    pub(super) fn lost(&mut self, lost: Lost) {
        self.lost.push(lost);
    }

    /// What a scan found wrong, for formats whose entries name their parents.
    pub(super) fn scanned(&mut self, scan: Scan) {
        self.damaged(scan.damage);
        self.lost.extend(scan.lost);
    }

    fn damaged(&mut self, damage: Vec<Damage>) {
        for Damage { line, kind } in damage {
            self.builder.damage(line, kind);
        }
    }

    /// The session over the file's bytes, its children still apart.
    pub(super) fn finish(mut self, source: Vec<u8>) -> Result<Session, ReadError> {
        let (entries, aliases) = self.builder.entries_and_aliases();
        let aliases: HashSet<&str> = aliases.iter().map(|(alias, _)| alias.as_str()).collect();
        let rejoined = rejoin(entries, &self.lost, |id| aliases.contains(id));
        self.damaged(rejoined);
        self.builder.set_source(source);
        self.builder.link().ok_or_else(|| ReadError::NoEntries {
            found: format!("the file is a session of {} without entries", self.format),
        })
    }
}

/// What the fields of an entry say was spent: its own `usage`, or that of its message.
fn usage_in(fields: &[(Cow<'_, str>, Json<'_>)]) -> Usage {
    let of = |key: &str| fields.iter().find(|(name, _)| name == key).map(|(_, value)| value);
    let usage = of("usage").or_else(|| of("message")?.get("usage"));
    usage.map_or_else(Usage::default, |usage| Usage::read(Fields::new(usage.clone())))
}

/// `13 file snapshots`; a kind that has no words for people by its name in the file.
fn lines_of(kind: &str, number: usize) -> String {
    const WORDS: [(&str, &str, &str); 4] = [
        ("file-history-snapshot", "file snapshot", "file snapshots"),
        ("queue-operation", "queue operation", "queue operations"),
        ("step-start", "start of a step", "starts of steps"),
        ("turn_ended", "end of a turn", "ends of turns"),
    ];
    let words = WORDS.iter().find(|(name, ..)| *name == kind);
    let words = words.map_or(kind, |&(_, one, many)| if number == 1 { one } else { many });
    format!("{} {words}", count(number))
}
