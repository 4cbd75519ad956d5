//! The core: a session's entries, its tree, its labels, its leaf, and what a
//! model saw at any leaf. It knows nothing of how files are written or of HTML.

pub(crate) mod about;
pub mod arguments;
pub mod attachments;
mod block;
mod build;
mod by_person;
mod call_summary;
pub mod calls;
mod child;
pub(crate) mod code_mode;
pub(crate) mod command_end;
pub mod context;
pub mod convert;
pub mod damage;
mod dialect;
pub mod digest;
pub mod ending;
pub mod entry;
pub mod event;
pub mod failure;
mod file;
pub(crate) mod file_tools;
mod gist;
pub(crate) mod image_type;
pub(crate) mod invisible;
pub mod json;
pub mod key;
mod kind;
pub(crate) mod known;
pub mod landmarks;
mod merge_children;
pub mod message;
mod not_shown;
mod not_understood;
pub(crate) mod notice;
pub mod omitted;
pub mod over_time;
mod priced;
mod question;
pub(crate) mod queued_prompt;
pub(crate) mod redaction_mark;
mod shell;
pub(crate) mod skill;
pub mod story;
pub mod text;
pub mod time;
pub mod title;
pub(crate) mod tool_kind;
pub(crate) mod totals;
mod tree;
mod turn_part;
pub mod turns;
pub mod usage;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::prices::Prices;

use attachments::Attachments;
use file::SessionFile;

pub use build::{Place, RawEntry, SessionBuilder};
use child::Children;
pub use child::{Child, SubSession};
pub use damage::{Damage, DamageKind};
pub use dialect::Dialect;
pub(crate) use dialect::{ContextRules, RowStyle};
pub use entry::{Body, Entry};
pub use kind::Kind;
pub(crate) use tree::cut_cycles;
pub use tree::{Branch, ChildLink, EntryIndex, Tree};

/// What a session says of itself.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Header {
    /// The session's id; empty where the file has none.
    pub id: String,
    /// The format's version as written; 1 where it was left out.
    pub version: u32,
    /// When the session began, in milliseconds since 1970.
    pub time: Option<i64>,
    /// The folder that the agent worked in; empty where unknown.
    pub cwd: String,
    /// The session this one was forked from, a path or an id.
    pub parent_session: Option<String>,
    /// A title that the format keeps beside the entries.
    pub title: Option<String>,
    /// The agent's name, where the format is of several agents and the file says whose it is.
    pub agent: Option<String>,
    /// The version of the agent's program that wrote the file, as far as the file says.
    pub agent_version: Option<String>,
    /// The git branch that the agent worked on, as far as the file says: the last one that it names.
    pub git_branch: Option<String>,
    /// Pull requests that lines without an entry name (Claude Code): the line and the address, each once.
    pub pull_requests: Vec<(u32, String)>,
}

impl Header {
    /// The name of the folder that the agent worked in; `None` where that is unknown. A folder such as
    /// `.worktrees/1` has the name of the one around it.
    pub fn project(&self) -> Option<String> {
        let short = text::short_path(&self.cwd);
        let is_name = |part: &&str| !part.starts_with('.') && part.chars().any(char::is_alphabetic);
        short.split(['/', '\\']).rfind(is_name).map(str::to_owned)
    }
}

/// A name that somebody gave an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Label {
    /// The name.
    pub text: String,
    /// When it was given, in milliseconds since 1970.
    pub time: Option<i64>,
}

/// What the index keeps of an entry.
#[derive(Debug)]
struct Record {
    id: String,
    entry_type: u32,
    parent_missing: bool,
    time: Option<i64>,
    line: u32,
    place: Place,
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
#[derive(Debug)]
pub struct Session {
    file: SessionFile,
    repaired: Vec<String>,
    dialect: Dialect,
    header: Header,
    name: Option<String>,
    records: Vec<Record>,
    types: Vec<String>,
    labels: HashMap<EntryIndex, Label>,
    leaf: Option<EntryIndex>,
    notes: Vec<String>,
    children: Children,
    sub_sessions: Vec<SubSession>,
    tree: Tree,
    /// What costs are computed from where the file states none.
    prices: Option<Arc<Prices>>,
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
    pub fn dialect(&self) -> Dialect {
        self.dialect
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

    /// The entry at `index`, parsed now.
    pub fn entry(&self, index: EntryIndex) -> Entry<'_> {
        let entry = Entry::parse(self.raw(index));
        match &self.prices {
            Some(prices) => entry.priced(prices),
            None => entry,
        }
    }

    /// The JSON of the entry, as in the file or as repaired.
    pub fn raw(&self, index: EntryIndex) -> &str {
        self.records[index].place.text(&self.file_of(index).source, &self.repaired)
    }

    /// How many bytes [`Session::raw`] has.
    pub(crate) fn raw_len(&self, index: EntryIndex) -> usize {
        self.records[index].place.len(&self.repaired)
    }

    /// Where the JSON of the entry lies.
    #[cfg(feature = "store")]
    pub(crate) fn place(&self, index: EntryIndex) -> Place {
        self.records[index].place
    }

    /// The file's bytes and the repaired lines, which places refer to.
    #[cfg(feature = "store")]
    pub(crate) fn into_texts(self) -> (Vec<u8>, Vec<String>) {
        (self.file.source, self.repaired)
    }

    /// The entry's own id.
    pub fn id(&self, index: EntryIndex) -> &str {
        &self.records[index].id
    }

    /// The entry's public key: its id, percent-encoded where an address needs it.
    pub fn key(&self, index: EntryIndex) -> String {
        let own = key::encode(self.id(index));
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
    pub fn children(&self) -> &[SubSession] {
        &self.sub_sessions
    }

    /// The sub-session that an entry belongs to; `None` for the session's own entries.
    pub fn sub_session_of(&self, index: EntryIndex) -> Option<&SubSession> {
        self.sub_sessions.get(self.tree.session_of(index).checked_sub(1)?)
    }

    /// The entries of the session that an entry belongs to.
    pub fn entries_beside(&self, index: EntryIndex) -> Range<EntryIndex> {
        match self.sub_session_of(index) {
            Some(sub) => sub.first..sub.first + sub.len,
            None => 0..self.own_len(),
        }
    }

    /// The entries of a session: 0 for this one, then its sub-sessions counted from 1.
    pub(crate) fn entries_of(&self, number: usize) -> Range<EntryIndex> {
        match number.checked_sub(1).and_then(|nth| self.sub_sessions.get(nth)) {
            Some(sub) => sub.first..sub.first + sub.len,
            None => 0..self.own_len(),
        }
    }

    /// How many entries the session itself has.
    pub fn own_len(&self) -> usize {
        self.sub_sessions.first().map_or(self.len(), |sub| sub.first)
    }

    /// The entry's type as written, such as `message`.
    pub fn entry_type(&self, index: EntryIndex) -> &str {
        &self.types[self.records[index].entry_type as usize]
    }

    /// When the entry was written, in milliseconds since 1970.
    pub fn time(&self, index: EntryIndex) -> Option<i64> {
        self.records[index].time
    }

    /// The line of its file that the entry stands on, counted from 1; 0 where it stands in none.
    /// For an entry of a sub-session that is the sub-session's file, if it has one.
    pub fn line(&self, index: EntryIndex) -> u32 {
        self.records[index].line
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
            spent += self.entry(entry).usage().unwrap_or_default();
        }
        spent
    }

    /// Whether the entry names a parent that the file does not hold.
    pub fn parent_missing(&self, index: EntryIndex) -> bool {
        self.records[index].parent_missing
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
        self.leaf.unwrap_or(self.own_len() - 1)
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

    /// Lines whose entries were put away and are not to be shown, ascending.
    pub fn left_out(&self) -> &[u32] {
        &self.file.left_out
    }

    /// The same as a session of another agent's, with all that it started.
    pub(crate) fn with_dialect(mut self, dialect: Dialect) -> Session {
        let mut open = vec![&mut self];
        while let Some(session) = open.pop() {
            session.dialect = dialect;
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
