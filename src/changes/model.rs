//! What a session did to each file.
//!
//! A file is kept as one chain of steps and not as a text for each edit: ten thousand edits of a large file would not
//! fit into memory. The text at a time is made by the steps up to it (`state_at`), so that whoever wants one text pays
//! for one.

use std::sync::Arc;

use crate::session::EntryIndex;
use crate::session::calls::CallPlace;

use super::Known;
use super::edit::Hunk;
use super::lines::Lines;
use super::replay::text::{self, Splice};

/// A file at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileState {
    /// There is no such file.
    Absent,
    /// Its whole text.
    Text(Arc<str>),
    /// The session does not say.
    Unknown(Unknown),
}

impl FileState {
    /// The text; empty where there is no file. `None` where it is unknown.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            FileState::Absent => Some(""),
            FileState::Text(text) => Some(text),
            FileState::Unknown(_) => None,
        }
    }

    /// Whether it is known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !matches!(self, FileState::Unknown(_))
    }
}

/// Why a text is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unknown {
    /// Since which entry. `None` where it never was.
    pub since: Option<EntryIndex>,
    /// Why, as a part of a sentence.
    pub why: &'static str,
}

/// What an edit did to the file itself, beside its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditVerb {
    /// It was not there before.
    Created,
    /// It was created or overwritten.
    Written,
    /// Parts of it changed.
    Changed,
    /// It is no longer there.
    Deleted,
    /// It has another path; its text may have changed too.
    Moved,
}

/// One edit of a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FileEdit {
    /// The entry from which on it counts: the result of the call, or the call where the format has no results.
    pub entry: EntryIndex,
    /// The call.
    pub call: CallPlace,
    /// The prompt that asked for it, in the session itself; an edit of a sub-agent belongs to the turn that started it.
    pub prompt: Option<EntryIndex>,
    /// The tool, as the call names it.
    pub tool: String,
    /// What it did to the file.
    pub verb: EditVerb,
    /// Whether it succeeded.
    pub ok: bool,
    /// How well it is known.
    pub known: Known,
    /// Why it is not exact, as a part of a sentence.
    pub why: Option<&'static str>,
    /// Lines that it added.
    pub added: usize,
    /// Lines that it removed.
    pub removed: usize,
    /// What is known of it where it is not exact: hunks with or without the numbers of lines.
    pub hunks: Vec<Hunk>,
    /// Its place in the time order of the session.
    pub(super) position: usize,
    /// A later edit put back what it changed, at this place in the time order.
    pub(super) reversed: Option<usize>,
    /// The version of the file that it made; `None` where it made one that was there before.
    pub(super) made: Option<usize>,
}

/// Where a file is not as the edits before lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Break {
    /// The entry that shows it: the result of the next edit, or of a read.
    pub entry: EntryIndex,
    /// What it shows.
    pub kind: BreakKind,
    /// The text after it is one that the file had before: it was put back.
    pub is_return: bool,
    pub(super) position: usize,
}

/// What shows that a file is not as the edits before lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BreakKind {
    /// The session has another text: something else changed the file, such as a formatter or somebody outside of the session.
    Outside,
    /// An edit that succeeded does not fit that text. Somebody changed the file, or the tool edits otherwise than leafpress
    /// knows.
    Misfit,
}

impl BreakKind {
    /// It, as a part of a sentence on the file.
    #[must_use]
    pub fn phrase(self) -> &'static str {
        match self {
            BreakKind::Outside => "changed between edits",
            BreakKind::Misfit => "an edit does not fit the ones before it",
        }
    }
}

/// What a session did to one file, in time order over all branches and sub-agents.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FileChanges {
    /// Its edits.
    pub edits: Vec<FileEdit>,
    /// Where it is not as its edits lead to.
    pub breaks: Vec<Break>,
    /// Calls whose commands may have written it: their results.
    pub maybe: Vec<EntryIndex>,
    /// The absolute paths that it had, with the number of edits after which it has them; at least one.
    pub(super) paths: Vec<(usize, String)>,
    /// Since this place in the time order another file has its path, which was moved there.
    pub(super) replaced: Option<usize>,
    /// The file before a command wrote all of it or made it a copy of another one, where no edit was before that.
    pub(super) copied_onto: Option<FileState>,
    /// What happened to its text.
    pub(super) steps: Vec<Step>,
    /// Its versions, each with the one before it.
    pub(super) versions: Vec<Version>,
}

/// Something that happened to the text of a file.
#[derive(Debug, Clone)]
pub(super) struct Step {
    /// Its place in the time order.
    pub(super) position: usize,
    /// The edit that did it; `None` for what the session learns of the file.
    pub(super) edit: Option<usize>,
    pub(super) change: Change,
    /// The lines that an edit changed, where the text before and after is known.
    pub(super) lines: Option<Lines>,
    /// The version of the file afterwards.
    pub(super) version: usize,
}

/// What becomes of a text.
#[derive(Debug, Clone)]
pub(super) enum Change {
    Set(FileState),
    Splices(Vec<Splice>),
}

/// A version of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Version {
    pub(super) before: Option<usize>,
    pub(super) edit: Option<usize>,
}

impl FileChanges {
    /// The absolute path after so many of its edits: 0 is before the first; more than there are give the last path.
    #[must_use]
    pub fn path_after(&self, edits: usize) -> &str {
        let behind = self.paths.partition_point(|(after, _)| *after <= edits);
        &self.paths[behind.saturating_sub(1)].1
    }

    /// Whether it has this absolute path at a place in the time order.
    pub(super) fn has_path(&self, path: &str, at: usize) -> bool {
        let edits = self.edits.partition_point(|edit| edit.position <= at);
        self.replaced.is_none_or(|replaced| replaced > at) && self.path_after(edits) == path
    }

    /// The first of its absolute paths.
    #[must_use]
    pub fn first_path(&self) -> &str {
        &self.paths[0].1
    }

    /// Whether an edit wrote a file whole of which nothing was known, or changed a copy that was put there, and no edit
    /// was before it: the file is shown as a new one.
    pub(super) fn is_new_by(&self, edit: usize) -> bool {
        match self.copied_onto(edit) {
            Some(before) => !before.is_known(),
            None => self.is_first(edit) && self.edits[edit].verb == EditVerb::Written,
        }
    }

    /// The file before a command put a text there that the first edit went on from. That text counts with that edit, even
    /// if an earlier turn made it: turns have only what edits did.
    pub(super) fn copied_onto(&self, edit: usize) -> Option<&FileState> {
        self.copied_onto.as_ref().filter(|_| self.is_first(edit))
    }

    /// Whether it is the first edit that succeeded.
    fn is_first(&self, edit: usize) -> bool {
        self.edits[edit].ok && self.edits[..edit].iter().all(|before| !before.ok)
    }

    /// Calls `see` with each edit that has one, the file before it and the file after it, in time order, up to a
    /// place in the time order. Each text is made once, from the one before it.
    pub(super) fn each_state(
        &self,
        until: usize,
        mut see: impl FnMut(&Step, &FileState, &FileState),
    ) -> FileState {
        let mut state = never_seen();
        for step in self.steps.iter().take_while(|step| step.position <= until) {
            let after = step.change.of(&state);
            see(step, &state, &after);
            state = after;
        }
        state
    }

    /// The file at a place in the time order. Texts before the last one that is whole are not made.
    pub(super) fn state_at(&self, until: usize) -> FileState {
        let end = self.steps.partition_point(|step| step.position <= until);
        let steps = &self.steps[..end];
        let is_set = |step: &Step| matches!(step.change, Change::Set(_));
        let from = steps.iter().rposition(is_set).unwrap_or_default();
        let mut state = never_seen();
        for step in &steps[from..] {
            state = step.change.of(&state);
        }
        state
    }

    /// The file as the edit at a place found it.
    pub(super) fn before_edit(&self, edit: usize, position: usize) -> FileState {
        let mut found = never_seen();
        self.each_state(position, |step, before, _| {
            if step.edit == Some(edit) {
                found = before.clone();
            }
        });
        found
    }

    /// Which of its edits are still in the file at a place in the time order, by edit.
    pub(super) fn live_at(&self, until: usize) -> Vec<bool> {
        let mut live = vec![false; self.edits.len()];
        let end = self.steps.partition_point(|step| step.position <= until);
        let mut version = self.steps[..end].last().map(|step| step.version);
        while let Some(at) = version {
            if let Some(edit) = self.versions[at].edit {
                live[edit] = true;
            }
            version = self.versions[at].before;
        }
        for (edit, live) in self.edits.iter().zip(&mut live) {
            // One that made no version of its own put an earlier one back.
            *live |= edit.made.is_none();
            *live &= edit.reversed.is_none_or(|at| at > until);
        }
        live
    }
}

/// Why nothing is known of a file.
pub(super) const NEVER_SEEN: &str = "the session does not show the whole file";

/// A file before anything is known of it.
pub(super) fn never_seen() -> FileState {
    FileState::Unknown(Unknown { since: None, why: NEVER_SEEN })
}

impl Change {
    /// The text after.
    pub(super) fn of(&self, state: &FileState) -> FileState {
        match self {
            Change::Set(state) => state.clone(),
            Change::Splices(splices) => {
                let mut after = state.text().unwrap_or_default().to_owned();
                text::apply(&mut after, splices);
                FileState::Text(after.into())
            }
        }
    }
}
