//! Puts a session together from what a format read.
//!
//! The order matters. Duplicate ids go first, since the later entry wins. Then aliases, as an entry's own id wins over
//! them. Then parents, circles and what is missing, then labels and the name, which are about entries that have to be
//! known by then.

use std::collections::{HashMap, HashSet};

use super::child::Child;
use super::child::Children;
use super::file::{Place, SessionFile};
use super::index::EntryIndex;
use super::not_shown;
use super::not_understood;
use super::parents::Tree;
use super::session::Record;
use super::session::Session;
use crate::session::model::attachments::Attachments;
use crate::session::model::damage::{Damage, DamageKind};
use crate::session::model::entry::{Body, Entry};
use crate::session::model::event::Event;
use crate::session::model::format::Format;
use crate::session::model::header::Header;
use crate::session::model::header::Label;

/// An entry as a format hands it over, in file order.
#[derive(Debug)]
pub(crate) struct RawEntry {
    /// The file's own id, not empty.
    pub id: String,
    /// The id of the parent; `None` for a root.
    pub parent_id: Option<String>,
    /// The type as written.
    pub entry_type: String,
    /// Milliseconds since 1970.
    pub time: Option<i64>,
    /// The line, counted from 1.
    pub line: u32,
    /// Where the JSON lies.
    pub place: Place,
}

/// Collects entries and damage; [`SessionBuilder::finish`] links them.
#[derive(Debug)]
pub(crate) struct SessionBuilder {
    file: SessionFile,
    repaired: Vec<String>,
    format: Format,
    header: Header,
    entries: Vec<RawEntry>,
    aliases: Vec<(String, String)>,
    leaf: Option<String>,
    labels: Vec<(String, Option<Label>)>,
    notes: Vec<String>,
    /// Ids of entries of unknown kinds; `None` where it is not asked which entries are understood.
    not_understood: Option<HashSet<String>>,
    children: Vec<Child>,
}

impl SessionBuilder {
    /// Starts with the file's bytes.
    pub(crate) fn new(source: Vec<u8>, repaired: Vec<String>) -> Self {
        SessionBuilder {
            file: SessionFile { source, ..SessionFile::default() },
            repaired,
            format: Format::default(),
            header: Header::default(),
            entries: Vec::new(),
            aliases: Vec::new(),
            leaf: None,
            labels: Vec::new(),
            notes: Vec::new(),
            not_understood: None,
            children: Vec::new(),
        }
    }

    /// The file's bytes, where they were not known at the start.
    pub(crate) fn set_source(&mut self, source: Vec<u8>) {
        self.file.source = source;
    }

    /// So many lines behind the first are of another file, which the session goes on from.
    pub(crate) fn history(&mut self, lines: u32) {
        self.file.history = lines;
    }

    /// A line beside the file's own, and its place.
    pub(crate) fn repaired(&mut self, text: String) -> Place {
        self.repaired.push(text);
        Place::Repaired(self.repaired.len() - 1)
    }

    /// Whose session it is.
    pub(crate) fn format(&mut self, format: Format) {
        self.format = format;
    }

    /// The file's bytes.
    pub(crate) fn source(&self) -> &[u8] {
        &self.file.source
    }

    /// What it says of itself, to be changed.
    pub(crate) fn header_mut(&mut self) -> &mut Header {
        &mut self.header
    }

    /// Its entries so far, to be changed, and the further ids.
    pub(crate) fn entries_and_aliases(&mut self) -> (&mut [RawEntry], &[(String, String)]) {
        (&mut self.entries, &self.aliases)
    }

    /// Its children so far.
    #[cfg(test)]
    pub(crate) fn children(&self) -> &[Child] {
        &self.children
    }

    /// The texts of its entries.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let text = |entry: &RawEntry| entry.place.text(&self.file.source, &self.repaired);
        self.entries.iter().map(move |entry| (entry.id.as_str(), text(entry)))
    }

    /// Another id under which the entry `id` is known; an entry's own id wins.
    pub(crate) fn alias(&mut self, alias: String, id: String) {
        self.aliases.push((alias, id));
    }

    /// The leaf that the file names; unknown here, the last entry is it.
    pub(crate) fn leaf(&mut self, id: String) {
        self.leaf = Some(id);
    }

    /// The label of the entry `id` from here on, where the file keeps labels beside the entries;
    /// none clears it.
    pub(crate) fn label(&mut self, id: String, label: Option<Label>) {
        self.labels.push((id, label));
    }

    /// Something that is in the file and has no row.
    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Entries that are not understood become damage, where they are many: for what an agent wrote.
    pub(crate) fn tell_not_understood(&mut self) {
        self.not_understood.get_or_insert_default();
    }

    /// The last entry is of a kind that its format's reader does not know, and holds it whole.
    pub(crate) fn last_is_not_understood(&mut self) {
        let last = self.entries.last().map(|entry| entry.id.clone());
        self.not_understood.get_or_insert_default().extend(last);
    }

    /// The files beside the session that its entries name.
    pub(crate) fn attachments(&mut self, attachments: Attachments) {
        self.file.attachments = attachments;
    }

    /// Lines, ascending, that are not to be shown in any form.
    pub(crate) fn left_out(&mut self, lines: Vec<u32>) {
        self.file.left_out = lines;
    }

    /// A session that one of the entries started.
    pub(crate) fn child(&mut self, child: Child) {
        self.children.push(child);
    }

    /// What the session says of itself.
    pub(crate) fn header(&mut self, header: Header) {
        self.header = header;
    }

    /// The next entry in file order.
    pub(crate) fn push(&mut self, entry: RawEntry) {
        self.entries.push(entry);
    }

    /// Notes something that could not be read as written.
    pub(crate) fn damage(&mut self, line: u32, kind: DamageKind) {
        self.file.damage.push(Damage { line, kind });
    }

    /// Links parents, labels and the name, and adds the entries of all children.
    /// Gives nothing when there is no entry.
    pub(crate) fn finish(self) -> Option<Session> {
        self.link().map(Session::with_merged_children)
    }

    /// The same with the children still apart.
    pub(crate) fn link(mut self) -> Option<Session> {
        let by_id = self.keep_later_duplicates();
        if self.entries.is_empty() {
            return None;
        }
        self.add_aliases(by_id);
        let index_of = |id: &str| self.file.place_of(id);
        let parents: Vec<Option<EntryIndex>> =
            self.entries.iter().map(|e| e.parent_id.as_deref().and_then(index_of)).collect();
        let times: Vec<Option<i64>> = self.entries.iter().map(|entry| entry.time).collect();
        let (tree, cuts) = Tree::build(&parents, &times);
        for cut in cuts {
            self.damage(self.entries[cut.get()].line, DamageKind::Cycle);
        }

        let mut types = Interner::default();
        let mut records = Vec::with_capacity(self.entries.len());
        for (raw, parent) in std::mem::take(&mut self.entries).into_iter().zip(&parents) {
            let parent_missing = raw.parent_id.is_some() && parent.is_none();
            if parent_missing {
                self.damage(raw.line, DamageKind::MissingParent);
            }
            records.push(Record {
                id: raw.id,
                entry_type: types.intern(raw.entry_type),
                parent_missing,
                time: raw.time,
                line: raw.line,
                place: raw.place,
            });
        }
        self.note_not_understood(&records, &types.names);
        let texts = |record: &Record| record.place.text(&self.file.source, &self.repaired);
        let is_message = |record: &&Record| types.names[record.entry_type as usize] == "message";
        let messages = records.iter().filter(is_message).map(|record| (record.line, texts(record)));
        for line in not_shown::lines(&self.file.source, messages) {
            self.damage(line, DamageKind::NoTextShown);
        }
        self.file.damage.sort_by_key(|damage| damage.line);
        let mut session = Session {
            leaf: self.leaf.and_then(|id| self.file.place_of(&id)),
            file: self.file,
            repaired: self.repaired,
            format: self.format,
            header: self.header,
            name: None,
            records,
            types: types.names,
            labels: HashMap::new(),
            notes: self.notes,
            children: Children(self.children),
            sub_sessions: Vec::new(),
            tree,
            prices: None,
        };
        session.read_labels_and_name(session.indices());
        for (id, label) in self.labels {
            session.set_label(&id, label);
        }
        Some(session)
    }

    /// Says which entries are not understood, where they are many.
    fn note_not_understood(&mut self, records: &[Record], types: &[String]) {
        let Some(not_understood) = &self.not_understood else { return };
        let is_other = |record: &&Record| {
            let entry_type = &types[record.entry_type as usize];
            let text = record.place.text(&self.file.source, &self.repaired);
            not_understood.contains(&record.id) || !not_understood::is_understood(entry_type, text)
        };
        let lines: Vec<u32> = records.iter().filter(is_other).map(|record| record.line).collect();
        let lost = self.file.damage.iter().filter(|damage| damage.kind.loses_text()).count();
        if not_understood::are_many(lines.len() + lost, records.len() + lost) {
            for line in lines {
                self.damage(line, DamageKind::NotUnderstood);
            }
        }
    }

    /// Makes aliases ids too, and keeps those that name an entry.
    fn add_aliases(&mut self, mut by_id: HashMap<String, EntryIndex>) {
        for (alias, id) in std::mem::take(&mut self.aliases) {
            let Some(&index) = by_id.get(&id) else { continue };
            if !by_id.contains_key(&alias) {
                by_id.insert(alias.clone(), index);
                self.file.aliases.push((alias, index));
            }
        }
        self.file.by_id = by_id;
    }

    /// Leaves each id with its later entry, and gives the index by id.
    fn keep_later_duplicates(&mut self) -> HashMap<String, EntryIndex> {
        let mut line_of: HashMap<&str, u32> = HashMap::with_capacity(self.entries.len());
        let mut superseded = vec![false; self.entries.len()];
        let mut damage = Vec::new();
        for (at, entry) in self.entries.iter().enumerate().rev() {
            if let Some(&later) = line_of.get(entry.id.as_str()) {
                superseded[at] = true;
                damage.push(Damage {
                    line: later,
                    kind: DamageKind::DuplicateId { earlier: entry.line },
                });
            } else {
                line_of.insert(&entry.id, entry.line);
            }
        }
        drop(line_of);
        self.file.damage.append(&mut damage);
        let mut gone = superseded.into_iter();
        self.entries.retain(|_| !gone.next().unwrap_or(false));
        let indices = EntryIndex::range(0..self.entries.len());
        self.entries.iter().map(|entry| entry.id.clone()).zip(indices).collect()
    }
}

impl Session {
    /// Labels: the last one wins, an absent or empty one clears. The name likewise.
    pub(super) fn read_labels_and_name(&mut self, entries: impl Iterator<Item = EntryIndex>) {
        for index in entries {
            if !matches!(self.entry_type_at(index), "label" | "session_info" | "title_change") {
                continue;
            }
            match Entry::parse(self.raw_at(index)).body {
                Body::Label { target_id, label } => {
                    let target_id = target_id.into_owned();
                    let label =
                        label.map(|text| Label { text: text.into_owned(), time: self.time(index) });
                    self.set_label(&target_id, label);
                }
                Body::SessionInfo(name) => self.name = Some(name.into_owned()),
                // The title line, which each of these rewrites, is the last word.
                Body::Event(Event::Title { title, .. }) if self.header.title.is_none() => {
                    self.name = Some(title.into_owned());
                }
                _ => {}
            }
        }
    }

    fn set_label(&mut self, id: &str, label: Option<Label>) {
        let Some(target) = self.index_of(id) else { return };
        match label {
            Some(label) => self.labels.insert(target, label),
            None => self.labels.remove(&target),
        };
    }
}

/// Gives each distinct name a small number.
#[derive(Default)]
pub(super) struct Interner {
    pub(super) names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Interner {
    pub(super) fn intern(&mut self, name: String) -> u32 {
        if let Some(&number) = self.numbers.get(&name) {
            return number;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }
}
