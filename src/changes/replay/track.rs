//! The history of one file.
//!
//! Edits come in time order, of all branches. Each is put upon the text that the ones before it left. Where that text
//! is not known, or the session shows another one, the track says so and goes on from what it is shown: nothing is
//! guessed.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};

use crate::changes::Known;
use crate::changes::diff::Diff;
use crate::changes::edit::EditKind;
use crate::changes::facts::{Before, EditFacts, Part};
use crate::changes::lines::Lines;
use crate::changes::model::{
    Break, BreakKind, Change, EditVerb, FileChanges, FileEdit, FileState, NEVER_SEEN, Step,
    Unknown, Version,
};
use crate::session::EntryIndex;

use super::asked::{Asked, replaced_texts, verb};
use super::outcome::{self, COMMAND, MISFIT, OTHER, Outcome, have_same_lines};
use super::parts::{Parts, is_part_of};

/// A file as a command that succeeded left it.
pub(super) struct Made {
    /// Absolute.
    pub(super) path: String,
    pub(super) state: FileState,
    /// The file before, where a command wrote or copied all of it.
    pub(super) copied_onto: Option<FileState>,
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
    /// It is noted that more can be said of it once a command may have written it.
    pub(super) is_open: bool,
    /// By a text's hash, the version that has it.
    known: HashMap<u64, usize>,
    /// By the hash of what an edit put in and took out, the last edit that did so.
    changed: HashMap<(u64, u64), usize>,
    /// The same, by the hash of the texts that calls replaced and of those that they put there.
    asked: HashMap<(u64, u64), usize>,
    /// What was read of it, while it is not known.
    parts: Parts,
    /// Random for each run, so that no file can bring two texts to collide.
    hasher: RandomState,
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
                replaced: None,
                copied_onto: None,
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
            asked: HashMap::new(),
            parts: Parts::default(),
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

    pub(super) fn state(&self) -> &FileState {
        &self.state
    }

    /// A command made the file what it is now.
    pub(super) fn made(&mut self, made: Made, entry: EntryIndex, position: usize) {
        let is_copy = made.copied_onto.is_some();
        if is_copy && self.file.maybe.last() != Some(&entry) {
            self.file.maybe.push(entry);
        }
        if !self.is_edited {
            let onto = &mut self.file.copied_onto;
            match made.state {
                FileState::Absent => *onto = None,
                _ => *onto = onto.take().or(made.copied_onto),
            }
        }
        self.learn(made.state, position);
    }

    pub(super) fn is_there(&self) -> bool {
        matches!(self.state, FileState::Text(_))
    }

    /// Another file was moved to its path: it is gone.
    pub(super) fn replaced(&mut self, asked: &Asked<'_>) {
        self.file.replaced = Some(asked.position);
        if self.is_there() || self.is_edited && !self.state.is_known() {
            self.edit(asked, &EditKind::Delete, &EditFacts::default());
        }
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

    /// A read shows a part, which with those before it may be all of the text. Where that is known, the part is in it, or
    /// somebody else changed the file.
    pub(super) fn read(&mut self, part: &Part, era: usize, entry: EntryIndex, position: usize) {
        if let Some(text) = self.state.text() {
            if is_part_of(text, part) {
                return;
            }
            if self.is_edited {
                let kind = BreakKind::Outside;
                self.file.breaks.push(Break { entry, kind, is_return: false, position });
            }
            let unknown = Unknown { since: Some(entry), why: OTHER };
            self.learn(FileState::Unknown(unknown), position);
        }
        if let Some(text) = self.parts.add(part, era) {
            self.seen(&text, entry, position);
        }
    }

    /// The session shows the file as it is. Where that is not as it should be, somebody else changed it.
    fn shown(&mut self, state: FileState, entry: EntryIndex, position: usize) {
        if let (Some(own), Some(shown)) = (self.state.text(), state.text()) {
            // Tools show a file with other ends of lines, and some without its last one.
            let is_same = own == shown
                || matches!(self.state, FileState::Text(_)) && have_same_lines(own, shown);
            if is_same {
                return;
            }
        }
        // Where a command may have written the file, it was not somebody else.
        if self.state.is_known() && self.is_edited {
            let is_return = self.hash(&state).is_some_and(|hash| self.known.contains_key(&hash));
            self.file.breaks.push(Break { entry, kind: BreakKind::Outside, is_return, position });
        }
        self.learn(state, position);
    }

    fn learn(&mut self, state: FileState, position: usize) {
        self.step(position, None, (Change::Set(state.clone()), None), state);
    }

    /// Takes a step to the next state, and says which version that is; `None` for one that was there before.
    fn step(
        &mut self,
        position: usize,
        edit: Option<usize>,
        (change, lines): (Change, Option<Lines>),
        state: FileState,
    ) -> Option<usize> {
        self.parts = Parts::default();
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
        self.file.steps.push(Step { position, edit, change, lines, version: self.version });
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
            let outcome = outcome::failed(kind);
            let lines = outcome.counts();
            self.push(asked, outcome, lines, EditVerb::Changed);
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
        if let Some(why) = self.state.text().and_then(|text| asked.doubt(text, kind, facts)) {
            let unknown = Unknown { since: Some(asked.entry), why };
            self.learn(FileState::Unknown(unknown), asked.position);
        }
        let outcome = outcome::of(&self.state, asked, kind, facts);
        let outcome = outcome.unwrap_or_else(|| {
            // It does not apply to what the file should be.
            if self.state.is_known() {
                self.file.breaks.push(Break {
                    entry: asked.entry,
                    kind: BreakKind::Misfit,
                    is_return: false,
                    position: asked.position,
                });
                let unknown = Unknown { since: Some(asked.entry), why: MISFIT };
                self.learn(FileState::Unknown(unknown), asked.position);
            }
            outcome::without_text(&self.state, kind, facts)
        });
        let before = self.state.clone();
        let after = outcome.change.of(&before);
        let verb = verb(kind, &before, &after);
        let edit = self.file.edits.len();
        let mut hashes = None;
        let mut lines = None;
        let counts = match (before.text(), after.text()) {
            (Some(old), Some(new)) => {
                let changed = lines.insert(Lines::between(old, new));
                let (old, new) = changed.of(old, new);
                hashes = Some((self.hasher.hash_one(old), self.hasher.hash_one(new)));
                // Here a newline at the end of the file does not count.
                let ends_lines = |text: &str| text.is_empty() || text.ends_with('\n');
                if ends_lines(old) && ends_lines(new) {
                    changed.counts()
                } else {
                    Diff::count_between(old, new)
                }
            }
            (None, Some(new)) if outcome.hunks.is_empty() => (new.lines().count(), 0),
            _ => outcome.counts(),
        };
        let change = outcome.change.clone();
        self.is_edited = true;
        self.push(asked, outcome, counts, verb);
        let made = self.step(asked.position, Some(edit), (change, lines), after);
        self.file.edits[edit].made = made;
        if let Some((old, new)) = hashes.filter(|(old, new)| made.is_some() && old != new) {
            self.reverse(edit, asked.position, old, new);
        }
        if let Some((old, new)) = replaced_texts(kind, facts) {
            let (old, new) = (self.hasher.hash_one(old), self.hasher.hash_one(new));
            self.reverse_asked(edit, asked.position, old, new);
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

    /// The same by what was asked, where the whole text is not known on both sides. A tool replaces a text only if it is
    /// the only one, so that the other edit put it there.
    fn reverse_asked(&mut self, edit: usize, position: usize, old: u64, new: u64) {
        if let Some(taken) = self.asked.remove(&(new, old)) {
            let edits = &mut self.file.edits;
            let are_exact = [taken, edit].iter().all(|&at| edits[at].known == Known::Exact);
            if !are_exact && edits[taken].reversed.is_none() {
                edits[taken].reversed = Some(position);
            }
        }
        self.asked.insert((old, new), edit);
    }

    fn push(
        &mut self,
        asked: &Asked<'_>,
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
}
