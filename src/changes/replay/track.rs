//! The history of one file.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

use crate::changes::diff::Diff;
use crate::changes::edit::{EditKind, Hunk, HunkLine, Replacement};
use crate::changes::facts::{Before, EditFacts};
use crate::changes::model::{
    Break, Change, EditVerb, FileChanges, FileEdit, FileState, Known, NEVER_SEEN, Step, Unknown,
    Version,
};
use crate::session::calls::CallPlace;
use crate::session::{EntryIndex, Format};

use super::text::{self, Rules, Splice};

/// Why a file is not known.
const OUTSIDE: &str = "the file changed outside of this session";
const COMMAND: &str = "a command may have written the file";
const WORDS: &str = "only the words that it replaced are known";
const HUNKS: &str = "only the hunks of its patch are known";
const OVERWRITTEN: &str = "the file was created or overwritten, what was there before is not known";
const NAMED: &str = "the call names the file, and not what it changed";
const DELETED: &str = "the text of the deleted file is not known";
const CELL: &str = "only the source of a notebook's cell is known";

/// What is known of an edit beside what it did.
pub(super) struct Asked<'a> {
    pub(super) entry: EntryIndex,
    pub(super) call: CallPlace,
    pub(super) position: usize,
    pub(super) prompt: Option<EntryIndex>,
    pub(super) tool: &'a str,
    pub(super) ok: bool,
    pub(super) format: Format,
}

impl Asked<'_> {
    fn rules(&self) -> Rules {
        Rules { empty_takes_newline: self.format == Format::ClaudeCode, is_loose: false }
    }
}

/// A file while its history is read.
pub(super) struct Track {
    file: FileChanges,
    state: FileState,
    version: usize,
    /// An edit succeeded.
    is_edited: bool,
    /// A command that writes into this very file is among those that may have written it.
    pub(super) is_named: bool,
    /// It is noted that more can be told of it once a command may have written it.
    pub(super) is_open: bool,
    /// By a text's hash, the version that has it.
    known: HashMap<u64, usize>,
    /// By the hash of what an edit put in and took out, the last edit that did so.
    changed: HashMap<(u64, u64), usize>,
    /// Random for each run, so that no file can bring two texts to collide.
    hasher: RandomState,
}

/// What an edit does to the text.
struct Outcome {
    change: Change,
    known: Known,
    why: Option<&'static str>,
    hunks: Vec<Hunk>,
}

impl Track {
    pub(super) fn new(path: String) -> Track {
        let unknown = Unknown { since: None, why: NEVER_SEEN };
        Track {
            file: FileChanges {
                edits: Vec::new(),
                breaks: Vec::new(),
                maybe: Vec::new(),
                paths: vec![(0, path)],
                steps: Vec::new(),
                versions: vec![Version { before: None, edit: None }],
            },
            state: FileState::Unknown(unknown),
            version: 0,
            is_edited: false,
            is_named: false,
            is_open: false,
            known: HashMap::new(),
            changed: HashMap::new(),
            hasher: RandomState::new(),
        }
    }

    /// Its changes; `None` for a file that was only read, or only one of many that a command may have written.
    pub(super) fn into_file(self) -> Option<FileChanges> {
        let is_written = self.is_named && !self.file.maybe.is_empty();
        (!self.file.edits.is_empty() || is_written).then_some(self.file)
    }

    pub(super) fn path(&self) -> &str {
        self.file.paths.last().map_or("", |(_, path)| path)
    }

    pub(super) fn moved(&mut self, to: String) {
        self.file.paths.push((self.file.edits.len(), to));
    }

    /// A command may have written the file: this very one (`is_named`), or any of many. That many others may have been
    /// written too is worth a word only where the file was edited.
    pub(super) fn maybe(&mut self, entry: EntryIndex, position: usize, is_named: bool) {
        if (self.is_edited || is_named) && self.file.maybe.last() != Some(&entry) {
            self.file.maybe.push(entry);
        }
        if self.state.is_known() {
            let unknown = Unknown { since: Some(entry), why: COMMAND };
            self.learn(FileState::Unknown(unknown), position);
        }
    }

    /// A read shows the whole text.
    pub(super) fn seen(&mut self, text: &str, entry: EntryIndex, position: usize) {
        self.shown(FileState::Text(text.into()), entry, position);
    }

    /// The session shows the file as it is. Where that is not as it should be, somebody else changed it.
    fn shown(&mut self, state: FileState, entry: EntryIndex, position: usize) {
        if let (Some(own), Some(shown)) = (self.state.text(), state.text()) {
            // Tools show a file with other ends of lines, and some without its last one.
            let is_same =
                own == shown || matches!(self.state, FileState::Text(_)) && same_lines(own, shown);
            if is_same {
                return;
            }
        }
        // Where a command may have written the file, it was not somebody else.
        if self.state.is_known() && self.is_edited {
            let is_return = self.hash(&state).is_some_and(|hash| self.known.contains_key(&hash));
            self.file.breaks.push(Break { entry, is_return, position });
        }
        self.learn(state, position);
    }

    fn learn(&mut self, state: FileState, position: usize) {
        self.step(position, None, Change::Set(state.clone()), state);
    }

    /// Takes a step to the next state, and says which version that is; `None` for one that was there before.
    fn step(
        &mut self,
        position: usize,
        edit: Option<usize>,
        change: Change,
        state: FileState,
    ) -> Option<usize> {
        let hash = self.hash(&state);
        let before = hash.and_then(|hash| self.known.get(&hash).copied());
        let made = match before {
            Some(version) => {
                self.version = version;
                None
            }
            // What a command may have done is not known: the version stays until the file is shown.
            None if hash.is_none() && edit.is_none() => None,
            None => {
                self.file.versions.push(Version { before: Some(self.version), edit });
                self.version = self.file.versions.len() - 1;
                if let Some(hash) = hash {
                    self.known.insert(hash, self.version);
                }
                Some(self.version)
            }
        };
        self.file.steps.push(Step { position, edit, change, version: self.version });
        self.state = state;
        made
    }

    fn hash(&self, state: &FileState) -> Option<u64> {
        match state {
            FileState::Absent => Some(self.hasher.hash_one(0_u8)),
            FileState::Text(text) => Some(self.hasher.hash_one((1_u8, text))),
            FileState::Unknown(_) => None,
        }
    }

    pub(super) fn edit(&mut self, asked: &Asked<'_>, kind: &EditKind<'_>, facts: &EditFacts) {
        if !asked.ok {
            let (added, removed) = counts(&hunks_of(kind));
            let why = Some("it failed");
            let known = known_without_text(kind).0;
            let outcome =
                Outcome { change: Change::Splices(Vec::new()), known, why, hunks: hunks_of(kind) };
            self.push(asked, kind, outcome, (added, removed), EditVerb::Changed);
            return;
        }
        match &facts.before {
            Some(Before::Absent) => self.shown(FileState::Absent, asked.entry, asked.position),
            Some(Before::Text(text)) => {
                self.shown(FileState::Text(text.as_str().into()), asked.entry, asked.position);
            }
            // The call says so itself.
            None if matches!(kind, EditKind::Create(_)) && !self.state.is_known() => {
                self.learn(FileState::Absent, asked.position);
            }
            None => {}
        }
        let outcome = self.outcome(asked, kind, facts);
        let outcome = outcome.unwrap_or_else(|| {
            // It does not apply to what the file should be.
            if self.state.is_known() {
                self.file.breaks.push(Break {
                    entry: asked.entry,
                    is_return: false,
                    position: asked.position,
                });
                let unknown = Unknown { since: Some(asked.entry), why: OUTSIDE };
                self.learn(FileState::Unknown(unknown), asked.position);
            }
            self.without_text(asked, kind, facts)
        });
        let before = self.state.clone();
        let after = match &outcome.change {
            Change::Set(state) => state.clone(),
            Change::Splices(splices) => {
                let mut after = before.text().unwrap_or_default().to_owned();
                text::apply(&mut after, splices);
                FileState::Text(after.into())
            }
        };
        let verb = verb(kind, &before, &after);
        let edit = self.file.edits.len();
        let mut hashes = None;
        let lines = match (before.text(), after.text()) {
            (Some(old), Some(new)) => {
                let (old, new) = middle(old, new);
                hashes = Some((self.hasher.hash_one(old), self.hasher.hash_one(new)));
                Diff::count_between(old, new)
            }
            (None, Some(new)) if outcome.hunks.is_empty() => (new.lines().count(), 0),
            _ => counts(&outcome.hunks),
        };
        let change = outcome.change.clone();
        self.is_edited = true;
        self.push(asked, kind, outcome, lines, verb);
        let made = self.step(asked.position, Some(edit), change, after);
        self.file.edits[edit].made = made;
        if let Some((old, new)) = hashes.filter(|(old, new)| made.is_some() && old != new) {
            self.reverse(edit, asked.position, old, new);
        }
        if made.is_none() && !self.state.is_known() {
            self.file.edits[edit].made = Some(self.version);
        }
    }

    /// Marks the edit that this one takes back, by the hashes of what both changed. Where it brings back a version as a
    /// whole, the versions say so.
    fn reverse(&mut self, edit: usize, position: usize, old: u64, new: u64) {
        if let Some(taken) = self.changed.remove(&(new, old)) {
            self.file.edits[taken].reversed = Some(position);
        }
        self.changed.insert((old, new), edit);
    }

    fn push(
        &mut self,
        asked: &Asked<'_>,
        _kind: &EditKind<'_>,
        outcome: Outcome,
        (added, removed): (usize, usize),
        verb: EditVerb,
    ) {
        self.file.edits.push(FileEdit {
            entry: asked.entry,
            call: asked.call,
            prompt: asked.prompt,
            tool: asked.tool.to_owned(),
            verb,
            ok: asked.ok,
            known: outcome.known,
            why: outcome.why,
            added,
            removed,
            hunks: outcome.hunks,
            position: asked.position,
            reversed: None,
            made: None,
        });
    }

    /// What an edit does to the text as it should be. `None` where it does not apply to that.
    fn outcome(
        &self,
        asked: &Asked<'_>,
        kind: &EditKind<'_>,
        facts: &EditFacts,
    ) -> Option<Outcome> {
        let exact =
            |change| Some(Outcome { change, known: Known::Exact, why: None, hunks: Vec::new() });
        let text = match &self.state {
            FileState::Unknown(_) => return None,
            FileState::Absent => "",
            FileState::Text(text) => text,
        };
        if let Some(after) = &facts.after {
            return exact(Change::Set(FileState::Text(after.as_str().into())));
        }
        let is_absent = matches!(self.state, FileState::Absent);
        let splices = match kind {
            EditKind::Write(new) | EditKind::Create(new) => {
                // What the tool says of the text before may be of another one.
                let is_other = !is_absent
                    && !facts.hunks.is_empty()
                    && !agrees(text, new, facts)
                    && facts.before.is_none();
                if is_other {
                    return None;
                }
                return exact(Change::Set(FileState::Text(new.as_ref().into())));
            }
            EditKind::Delete if is_absent => return None,
            EditKind::Delete => return exact(Change::Set(FileState::Absent)),
            EditKind::Move { .. } if is_absent => return None,
            EditKind::Move { .. } => Vec::new(),
            EditKind::Replace(all) => {
                let all: &[Replacement<'_>] = facts.replaced.as_deref().unwrap_or(all);
                if is_absent && !all.first().is_some_and(|first| first.old.is_empty()) {
                    return None;
                }
                let splices = text::replace(text, all, asked.rules());
                self.checked(text, splices, facts)?
            }
            _ if is_absent => return None,
            EditKind::Insert { after, text: new } => {
                self.checked(text, text::insert(text, *after, new), facts)?
            }
            EditKind::Patch { hunks, .. } => {
                let numbered = hunks.iter().all(|hunk| hunk.old_start.is_some());
                let rules = Rules { is_loose: !numbered, ..asked.rules() };
                let splices = text::patch(text, hunks, rules);
                self.checked(text, splices, facts)?
            }
            EditKind::Cell(_) | EditKind::Unknown => self.checked(text, None, facts)?,
        };
        exact(Change::Splices(splices))
    }

    /// Holds what was asked to the diff that the tool left: that one is what happened.
    fn checked(
        &self,
        text: &str,
        splices: Option<Vec<Splice>>,
        facts: &EditFacts,
    ) -> Option<Vec<Splice>> {
        if facts.hunks.is_empty() || facts.hunks.iter().any(|hunk| hunk.old_start.is_none()) {
            return splices;
        }
        if let Some(splices) = &splices {
            let mut after = text.to_owned();
            text::apply(&mut after, splices);
            if agrees(text, &after, facts) {
                return Some(splices.clone());
            }
        }
        if facts.tabs_are_spaces {
            return None;
        }
        text::patch(text, &facts.hunks, Rules::default()).or_else(|| {
            let unnumbered = facts.hunks.iter().cloned();
            let hunks: Vec<Hunk> =
                unnumbered.map(|hunk| Hunk { old_start: None, ..hunk }).collect();
            text::patch(text, &hunks, Rules::default())
        })
    }

    /// What an edit does where the text before is not known.
    fn without_text(&self, asked: &Asked<'_>, kind: &EditKind<'_>, facts: &EditFacts) -> Outcome {
        let (known, why) = known_without_text(kind);
        let since = |why| FileState::Unknown(Unknown { since: Some(asked.entry), why });
        if let EditKind::Write(text) | EditKind::Create(text) = kind {
            let change = Change::Set(FileState::Text(text.as_ref().into()));
            return Outcome { change, known, why: Some(why), hunks: Vec::new() };
        }
        if let EditKind::Delete = kind {
            let change = Change::Set(FileState::Absent);
            return Outcome { change, known, why: Some(why), hunks: Vec::new() };
        }
        if let Some(after) = &facts.after {
            let change = Change::Set(FileState::Text(after.as_str().into()));
            return Outcome { change, known: Known::Part, why: Some(WORDS), hunks: hunks_of(kind) };
        }
        let why_now = match &self.state {
            FileState::Unknown(unknown) if unknown.since.is_some() => *unknown,
            _ => Unknown { since: None, why: NEVER_SEEN },
        };
        let change = match since(why) {
            _ if why_now.since.is_some() => Change::Set(FileState::Unknown(why_now)),
            FileState::Unknown(unknown) => {
                Change::Set(FileState::Unknown(Unknown { since: None, ..unknown }))
            }
            state => Change::Set(state),
        };
        if !facts.hunks.is_empty() && !facts.tabs_are_spaces {
            let hunks = facts.hunks.clone();
            return Outcome { change, known: Known::Patch, why: Some(HUNKS), hunks };
        }
        Outcome { change, known, why: Some(why), hunks: hunks_of(kind) }
    }
}

/// How well an edit is known where the text before is not.
fn known_without_text(kind: &EditKind<'_>) -> (Known, &'static str) {
    match kind {
        EditKind::Patch { .. } | EditKind::Move { .. } => (Known::Patch, HUNKS),
        EditKind::Write(_) | EditKind::Create(_) => (Known::Part, OVERWRITTEN),
        EditKind::Delete => (Known::Part, DELETED),
        EditKind::Cell(_) => (Known::Part, CELL),
        EditKind::Replace(_) | EditKind::Insert { .. } => (Known::Part, WORDS),
        EditKind::Unknown => (Known::Part, NAMED),
    }
}

/// Whether the diff that the tool left makes the text after of the text before.
fn agrees(before: &str, after: &str, facts: &EditFacts) -> bool {
    let rules = Rules::default();
    if facts.tabs_are_spaces {
        let (before, after) = (before.replace('\t', "  "), after.replace('\t', "  "));
        return is_made(&before, &after, &facts.hunks, rules);
    }
    is_made(before, after, &facts.hunks, rules) || are_within(before, after, &facts.hunks)
}

fn is_made(before: &str, after: &str, hunks: &[Hunk], rules: Rules) -> bool {
    let Some(splices) = text::patch(before, hunks, rules) else { return false };
    let mut made = before.to_owned();
    text::apply(&mut made, &splices);
    // Diffs for viewers do not say whether there is a newline at the end.
    made.trim_end_matches('\n') == after.trim_end_matches('\n') || same_lines(&made, after)
}

/// Whether the lines of each hunk stand in both texts. Some diffs count their lines wrongly.
fn are_within(before: &str, after: &str, hunks: &[Hunk]) -> bool {
    hunks.iter().all(|hunk| {
        let stands = |text: &str, lines: &[&str]| text.contains(&lines.join("\n"));
        stands(before, &hunk.side(false)) && stands(after, &hunk.side(true))
    })
}

/// Whether two texts have the same lines but for the ends of these.
fn same_lines(a: &str, b: &str) -> bool {
    let lines = |text: &'_ str| text.strip_suffix('\n').unwrap_or(text).len();
    let (a, b) = (&a[..lines(a)], &b[..lines(b)]);
    let bare = |line: &'_ str| line.strip_suffix('\r').map_or(line.len(), str::len);
    let mut ours = a.split('\n').map(|line| &line[..bare(line)]);
    let mut theirs = b.split('\n').map(|line| &line[..bare(line)]);
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return true,
            (ours, theirs) if ours == theirs => {}
            _ => return false,
        }
    }
}

/// What a call shows of a change without the file.
fn hunks_of(kind: &EditKind<'_>) -> Vec<Hunk> {
    match kind {
        EditKind::Patch { hunks, .. } => hunks.clone(),
        EditKind::Replace(all) => all.iter().map(|one| between(&one.old, &one.new)).collect(),
        EditKind::Insert { text, .. } => vec![between("", text)],
        EditKind::Write(text) | EditKind::Create(text) => vec![between("", text)],
        EditKind::Cell(cell) => vec![between("", &cell.source)],
        EditKind::Delete | EditKind::Move { .. } | EditKind::Unknown => Vec::new(),
    }
}

fn between(old: &str, new: &str) -> Hunk {
    let diff = Diff::between(old, new);
    let rows = diff.files.iter().flat_map(|file| &file.rows);
    let line = |row: &crate::changes::diff::Row<'_>| HunkLine {
        change: row.kind,
        text: row.text.to_owned(),
    };
    Hunk { lines: rows.map(line).collect(), ..Hunk::default() }
}

fn counts(hunks: &[Hunk]) -> (usize, usize) {
    hunks.iter().map(Hunk::counts).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

fn verb(kind: &EditKind<'_>, before: &FileState, after: &FileState) -> EditVerb {
    match (kind, before, after) {
        (EditKind::Move { .. } | EditKind::Patch { moved_to: Some(_), .. }, ..) => EditVerb::Moved,
        (EditKind::Delete, ..) => EditVerb::Deleted,
        (_, FileState::Absent, FileState::Text(_)) => EditVerb::Created,
        (EditKind::Write(_) | EditKind::Create(_), FileState::Unknown(_), _) => EditVerb::Written,
        _ => EditVerb::Changed,
    }
}

/// The lines of two texts between those that begin and that end both.
pub(in crate::changes) fn middle<'t>(old: &'t str, new: &'t str) -> (&'t str, &'t str) {
    let (head, old_end, new_end) = middle_of(old, new);
    (&old[head..old_end], &new[head..new_end])
}

/// Where they begin in both, and where they end in each.
pub(in crate::changes) fn middle_of(old: &str, new: &str) -> (usize, usize, usize) {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let head = memchr::memrchr(b'\n', &a[..same]).map_or(0, |at| at + 1);
    let head = if same == a.len() && same == b.len() { same } else { head };
    let tails = a[head..].iter().rev().zip(b[head..].iter().rev());
    let same = tails.take_while(|(a, b)| a == b).count();
    // Back to where a line begins in both.
    let tail = &a[a.len() - same..];
    let begins = |len: usize| {
        let starts = |text: &[u8]| len == text.len() - head || text[text.len() - len - 1] == b'\n';
        starts(a) && starts(b)
    };
    let tail =
        if begins(same) { same } else { memchr::memchr(b'\n', tail).map_or(0, |at| same - at - 1) };
    (head, a.len() - tail, b.len() - tail)
}
