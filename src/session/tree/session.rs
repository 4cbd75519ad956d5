//! A session: the file's bytes and an index over them.
//!
//! It keeps bytes and places, and parses an entry when somebody asks. Functions named `*_at` are for an index that is
//! known to be of this session. The public ones answer any index: with `None`, nothing, or the entry.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::child::{Children, SubSession};
use super::file::{Place, SessionFile};
use super::index::EntryIndex;
use super::parents::Tree;
use crate::session::model::attachments::Attachments;
use crate::session::model::damage::{Damage, DamageKind};
use crate::session::model::entry::Entry;
use crate::session::model::format::Format;
use crate::session::model::header::{Header, Label};
use crate::session::model::prices::Prices;
use crate::session::model::usage;
use crate::session::texts::key;

/// What the index keeps of an entry.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) id: String,
    pub(super) entry_type: u32,
    pub(super) parent_missing: bool,
    pub(super) time: Option<i64>,
    pub(super) line: u32,
    pub(super) place: Place,
}

/// A session: the file's bytes and an index over them.
///
/// Entries are parsed when asked for, so a large session costs little more
/// than its bytes. The bytes are never changed; lines that had to be repaired
/// or migrated lie beside them.
///
/// The entries of sub-agent sessions follow those of the session itself, in one index, with
/// their repaired lines, labels and notes. Each sub-agent session keeps its own file: bytes,
/// ids, damage, attachments.
///
/// ```
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// println!("{} of {}", session.title().unwrap_or("Untitled"), session.format());
/// for index in session.tree().path(session.leaf()) {
///     println!("{:?} {:?} at {:?} ms", session.id(index), session.entry_type(index), session.time(index));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Session {
    pub(super) file: SessionFile,
    pub(super) repaired: Vec<String>,
    pub(super) format: Format,
    pub(super) header: Header,
    pub(super) name: Option<String>,
    pub(super) records: Vec<Record>,
    pub(super) types: Vec<String>,
    pub(super) labels: HashMap<EntryIndex, Label>,
    pub(super) leaf: Option<EntryIndex>,
    pub(super) notes: Vec<String>,
    pub(super) children: Children,
    pub(super) sub_sessions: Vec<SubSession>,
    pub(super) tree: Tree,
    /// What costs are computed from where the file states none.
    pub(super) prices: Option<Arc<Prices>>,
}

impl Session {
    /// The file's bytes as they were read.
    pub fn source(&self) -> &[u8] {
        &self.file.source
    }

    /// Where a line of [`Session::source`] stands in the file that was read; `None` for one that is of
    /// another file, which the session goes on from.
    #[cfg(feature = "cli")]
    pub(crate) fn own_line(&self, line: u32) -> Option<u32> {
        let behind = line.checked_sub(2);
        match behind {
            None => Some(line),
            Some(behind) if behind < self.file.history => None,
            Some(_) => Some(line - self.file.history),
        }
    }

    /// Whose session it is.
    pub fn format(&self) -> Format {
        self.format
    }

    /// What the session says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The name given last (`session_info`; an empty one clears), else the
    /// title that the format keeps beside the entries.
    pub fn title(&self) -> Option<&str> {
        let title = self.name.as_deref().or(self.header.title.as_deref());
        title.map(str::trim).filter(|title| !title.is_empty())
    }

    /// How many entries there are, those of all sub-sessions included; at least one.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Never true: a file without entries is no session.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Every entry in file order, those of all sub-sessions included.
    pub fn indices(
        &self,
    ) -> impl DoubleEndedIterator<Item = EntryIndex> + ExactSizeIterator + Clone + use<> {
        EntryIndex::range(0..self.len())
    }

    /// The entries of the session itself in file order.
    pub fn own_indices(
        &self,
    ) -> impl DoubleEndedIterator<Item = EntryIndex> + ExactSizeIterator + Clone + use<> {
        EntryIndex::range(0..self.own_len())
    }

    /// The entry, parsed now; `None` where there is none, as for an index of another session.
    pub fn entry(&self, index: EntryIndex) -> Option<Entry<'_>> {
        self.tree.has(index).then(|| self.entry_at(index))
    }

    /// The JSON of the entry, as in the file or as repaired.
    pub fn raw(&self, index: EntryIndex) -> Option<&str> {
        self.tree.has(index).then(|| self.raw_at(index))
    }

    /// The entry's own id.
    pub fn id(&self, index: EntryIndex) -> Option<&str> {
        self.tree.has(index).then(|| self.id_at(index))
    }

    /// The entry's public key: its id, percent-encoded where an address needs it, behind the key of
    /// its sub-session.
    pub fn key(&self, index: EntryIndex) -> Option<String> {
        self.tree.has(index).then(|| self.key_at(index))
    }

    /// The entry's type as written, such as `message`.
    pub fn entry_type(&self, index: EntryIndex) -> Option<&str> {
        self.tree.has(index).then(|| self.entry_type_at(index))
    }

    /// The entry at an index of this session.
    pub(crate) fn entry_at(&self, index: EntryIndex) -> Entry<'_> {
        let entry = Entry::parse(self.raw_at(index));
        match &self.prices {
            Some(prices) => entry.priced(prices),
            None => entry,
        }
    }

    pub(crate) fn raw_at(&self, index: EntryIndex) -> &str {
        self.records[index.get()].place.text(&self.file_of(index).source, &self.repaired)
    }

    /// How many bytes [`Session::raw`] has.
    pub(crate) fn raw_len(&self, index: EntryIndex) -> usize {
        self.records[index.get()].place.len(&self.repaired)
    }

    /// Where the JSON of the entry lies.
    #[cfg(feature = "store")]
    pub(crate) fn place(&self, index: EntryIndex) -> Place {
        self.records[index.get()].place
    }

    /// The file's bytes and the repaired lines, which places refer to.
    #[cfg(feature = "store")]
    pub(crate) fn into_texts(self) -> (Vec<u8>, Vec<String>) {
        (self.file.source, self.repaired)
    }

    pub(crate) fn id_at(&self, index: EntryIndex) -> &str {
        &self.records[index.get()].id
    }

    pub(crate) fn key_at(&self, index: EntryIndex) -> String {
        let own = key::encode(self.id_at(index));
        match self.sub_session_of(index) {
            Some(sub) => format!("{}/{own}", sub.key),
            None => own,
        }
    }

    /// The entry of the session itself with this id.
    pub fn index_of(&self, id: &str) -> Option<EntryIndex> {
        self.file.place_of(id)
    }

    /// The entry with this id in the session that `beside` belongs to.
    pub fn index_beside(&self, beside: EntryIndex, id: &str) -> Option<EntryIndex> {
        match self.sub_session_of(beside) {
            Some(sub) => sub.index_of(id),
            None => self.index_of(id),
        }
    }

    /// The entry that a person names by its id or its public key.
    /// The key wins: it is what is printed and linked.
    pub fn find(&self, key_or_id: &str) -> Option<EntryIndex> {
        // An alias has a key too, which older links have.
        let decoded = key::decode(key_or_id).filter(|id| key::encode(id) == key_or_id);
        decoded
            .and_then(|id| self.index_of(&id))
            .or_else(|| self.index_of(key_or_id))
            .or_else(|| self.find_within(key_or_id))
    }

    /// The entry of a sub-session: `Scout/a1`.
    fn find_within(&self, key_or_id: &str) -> Option<EntryIndex> {
        let (session, own) = key_or_id.rsplit_once('/')?;
        let encoded: Vec<String> = session.split('/').map(key::encode).collect();
        let encoded = encoded.join("/");
        let named = |sub: &&SubSession| sub.key == session || sub.key == encoded;
        let sub = self.sub_sessions.iter().find(named)?;
        let decoded = key::decode(own).filter(|id| key::encode(id) == own);
        decoded.and_then(|id| sub.index_of(&id)).or_else(|| sub.index_of(own))
    }

    /// The sessions within this one, however deep, those that start others before them.
    pub fn sub_sessions(&self) -> &[SubSession] {
        &self.sub_sessions
    }

    /// The sub-session that an entry belongs to; `None` for the session's own entries.
    pub fn sub_session_of(&self, index: EntryIndex) -> Option<&SubSession> {
        self.sub_sessions.get(self.tree.session_of(index).checked_sub(1)?)
    }

    /// An entry, the one that started the sub-session that it belongs to, and so on up to the session's own entries.
    pub(crate) fn with_starters(
        &self,
        index: EntryIndex,
    ) -> impl Iterator<Item = EntryIndex> + Clone + '_ {
        std::iter::successors(Some(index), |&at| Some(self.sub_session_of(at)?.started_by))
    }

    /// The entries of the session that an entry belongs to.
    pub fn entries_beside(
        &self,
        index: EntryIndex,
    ) -> impl DoubleEndedIterator<Item = EntryIndex> + ExactSizeIterator + Clone + use<> {
        self.entries_of(self.tree.session_of(index))
    }

    /// The entries of a session: 0 for this one, then its sub-sessions counted from 1.
    pub(crate) fn entries_of(
        &self,
        number: usize,
    ) -> impl DoubleEndedIterator<Item = EntryIndex> + ExactSizeIterator + Clone + use<> {
        EntryIndex::range(self.places_of(number))
    }

    /// The places of these entries in file order.
    pub(crate) fn places_of(&self, number: usize) -> Range<usize> {
        match number.checked_sub(1).and_then(|nth| self.sub_sessions.get(nth)) {
            Some(sub) => sub.first.get()..sub.first.get() + sub.len,
            None => 0..self.own_len(),
        }
    }

    /// Whether the entry is the session's own, and not one of a sub-session.
    pub(crate) fn is_own(&self, index: EntryIndex) -> bool {
        index.get() < self.own_len()
    }

    /// How many entries the session itself has.
    pub fn own_len(&self) -> usize {
        self.sub_sessions.first().map_or(self.len(), |sub| sub.first.get())
    }

    pub(crate) fn entry_type_at(&self, index: EntryIndex) -> &str {
        &self.types[self.records[index.get()].entry_type as usize]
    }

    /// When the entry was written, in milliseconds since 1970.
    pub fn time(&self, index: EntryIndex) -> Option<i64> {
        self.records.get(index.get())?.time
    }

    /// The line of its file that the entry stands on, counted from 1; 0 where it stands in none.
    /// For an entry of a sub-session that is the sub-session's file, if it has one.
    pub fn line(&self, index: EntryIndex) -> u32 {
        self.records.get(index.get()).map_or(0, |record| record.line)
    }

    /// The path to `leaf` behind an entry on it, that entry left out; all of it
    /// without one, nothing where the entry is not on the path.
    pub fn path_since(&self, leaf: EntryIndex, since: Option<EntryIndex>) -> Vec<EntryIndex> {
        let mut path = self.tree.path(leaf);
        let Some(since) = since else { return path };
        match path.iter().position(|&entry| entry == since) {
            Some(at) => path.split_off(at + 1),
            None => Vec::new(),
        }
    }

    /// What the entries of [`Session::path_since`] spent.
    pub fn usage_since(&self, leaf: EntryIndex, since: Option<EntryIndex>) -> usage::Usage {
        let mut spent = usage::Usage::default();
        for entry in self.path_since(leaf, since) {
            spent += self.entry_at(entry).usage().unwrap_or_default();
        }
        spent
    }

    /// Whether the entry names a parent that the file does not hold.
    pub fn parent_missing(&self, index: EntryIndex) -> bool {
        self.records.get(index.get()).is_some_and(|record| record.parent_missing)
    }

    /// The label that the entry carries now.
    pub fn label(&self, index: EntryIndex) -> Option<&Label> {
        self.labels.get(&index)
    }

    /// Who is whose parent.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Where the session stands when it is opened: where the file says, else
    /// at its last entry.
    pub fn leaf(&self) -> EntryIndex {
        self.leaf.unwrap_or(EntryIndex::new(self.own_len() - 1))
    }

    /// Further ids under which entries are known.
    pub fn aliases(&self) -> &[(String, EntryIndex)] {
        &self.file.aliases
    }

    /// What else is in the file, without rows of its own.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The files beside the session of an entry that the entries of it name.
    pub fn attachments_of(&self, entry: EntryIndex) -> &Attachments {
        &self.file_of(entry).attachments
    }

    /// The file of the session that an entry belongs to.
    fn file_of(&self, entry: EntryIndex) -> &SessionFile {
        self.sub_session_of(entry).map_or(&self.file, |sub| &sub.file)
    }

    /// Takes out the files beside a session, numbered as the entries' sessions are.
    pub(crate) fn take_attachments(&mut self, number: usize) -> Attachments {
        let sub = number.checked_sub(1).and_then(|nth| self.sub_sessions.get_mut(nth));
        let file = sub.map_or(&mut self.file, |sub| &mut sub.file);
        std::mem::take(&mut file.attachments)
    }

    /// Lines whose entries were put away and are not to be shown: counted from 1, ascending.
    pub fn left_out(&self) -> &[u32] {
        &self.file.left_out
    }

    /// The same as a session of another agent's, with all that it started.
    pub(crate) fn with_format(mut self, format: Format) -> Session {
        let mut open = vec![&mut self];
        while let Some(session) = open.pop() {
            session.format = format;
            let children = session.children.0.iter_mut();
            open.extend(children.filter_map(|child| child.session.as_deref_mut().ok()));
        }
        self
    }

    /// Tells something more that is wrong with the file as a whole, on top of the rest.
    pub(crate) fn tell(&mut self, kind: DamageKind) {
        self.file.damage.insert(0, Damage { line: 1, kind });
    }

    /// What was wrong with the file, by line.
    pub fn damage(&self) -> &[Damage] {
        &self.file.damage
    }
}
