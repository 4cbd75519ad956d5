//! How many lines groups of edits added and removed: the edits of a turn, of a run of steps, of a branch.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::lines::Lines;
use super::model::{FileChanges, FileEdit, FileState};
use super::{Changes, Known};
use crate::session::EntryIndex;

/// What a group of edits did to one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EditedFile {
    /// The file's place in [`Changes::files`].
    pub(crate) file: usize,
    /// The result of the first edit.
    pub(crate) first: EntryIndex,
    /// How many of them succeeded.
    pub(crate) edits: usize,
    pub(crate) lines: EditedLines,
}

/// Lines added and removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct EditedLines {
    pub(crate) added: usize,
    pub(crate) removed: usize,
    /// Some edit is not exact, so that these are the lines of all edits added up. Else they are those of the file before
    /// the first edit against the file after the last one.
    pub(crate) is_about: bool,
}

impl std::iter::Sum for EditedLines {
    fn sum<I: Iterator<Item = EditedLines>>(lines: I) -> EditedLines {
        lines.fold(EditedLines::default(), |sum, more| EditedLines {
            added: sum.added + more.added,
            removed: sum.removed + more.removed,
            is_about: sum.is_about || more.is_about,
        })
    }
}

/// A group's edits of one file, as places in [`FileChanges::edits`].
#[derive(Debug, Clone, Copy)]
struct Span {
    first: usize,
    last: usize,
    edits: usize,
    /// Added up.
    lines: EditedLines,
}

impl Changes {
    /// What the successful edits among some entries did to files.
    pub(crate) fn edited_among(&self, entries: &[EntryIndex]) -> Vec<EditedFile> {
        let entries: HashSet<EntryIndex> = entries.iter().copied().collect();
        let group = |edit: &FileEdit| entries.contains(&edit.entry).then_some(());
        self.edited_by(|edit| group(edit).into_iter().collect()).remove(&()).unwrap_or_default()
    }

    /// What each group of successful edits did to files, these in the order of [`files`](Changes::files). `groups` says
    /// which groups an edit is part of. Each file is replayed once.
    pub(crate) fn edited_by<G: Copy + Eq + Hash>(
        &self,
        groups: impl Fn(&FileEdit) -> Vec<G>,
    ) -> HashMap<G, Vec<EditedFile>> {
        let mut all: HashMap<G, Vec<EditedFile>> = HashMap::new();
        for (place, file) in self.files.iter().enumerate() {
            let spans = file.spans(&groups);
            let net = file.net_lines(spans.values().map(|span| (span.first, span.last)));
            for (group, span) in spans {
                let lines = match net.get(&(span.first, span.last)) {
                    Some(&(added, removed)) if !span.lines.is_about => {
                        EditedLines { added, removed, is_about: false }
                    }
                    _ => EditedLines { is_about: true, ..span.lines },
                };
                let first = file.edits[span.first].entry;
                all.entry(group).or_default().push(EditedFile {
                    file: place,
                    first,
                    edits: span.edits,
                    lines,
                });
            }
        }
        all
    }
}

impl FileChanges {
    fn spans<G: Copy + Eq + Hash>(&self, groups: impl Fn(&FileEdit) -> Vec<G>) -> HashMap<G, Span> {
        let mut spans: HashMap<G, Span> = HashMap::new();
        for (nth, edit) in self.edits.iter().enumerate().filter(|(_, edit)| edit.ok) {
            for group in groups(edit) {
                let span = spans.entry(group).or_insert(Span {
                    first: nth,
                    last: nth,
                    edits: 0,
                    lines: EditedLines::default(),
                });
                span.last = nth;
                span.edits += 1;
                span.lines.added += edit.added;
                span.lines.removed += edit.removed;
                let is_new = span.first == nth && self.is_new_by(nth);
                span.lines.is_about |= edit.known != Known::Exact && !is_new;
            }
        }
        spans
    }

    /// Lines added and removed between the file before an edit and the file after another, where both are known. What
    /// was before a file that was written whole counts as nothing.
    fn net_lines(
        &self,
        spans: impl Iterator<Item = (usize, usize)>,
    ) -> HashMap<(usize, usize), (usize, usize)> {
        let steps = self.steps.iter();
        let known = steps.filter_map(|step| Some((step.edit?, step.lines.as_ref()?.counts())));
        let known: HashMap<usize, (usize, usize)> = known.collect();
        let mut net = HashMap::new();
        let mut firsts: HashMap<usize, Vec<usize>> = HashMap::new();
        for (first, last) in spans {
            let counts = known.get(&first).filter(|_| first == last);
            if let Some(counts) = counts.filter(|_| self.copied_onto(first).is_none()) {
                net.insert((first, last), *counts);
                continue;
            }
            let firsts = firsts.entry(last).or_default();
            if !firsts.contains(&first) {
                firsts.push(first);
            }
        }
        if firsts.is_empty() {
            return net;
        }
        let wanted: HashSet<usize> = firsts.values().flatten().copied().collect();
        let mut befores: HashMap<usize, FileState> = HashMap::new();
        self.each_state(usize::MAX, |step, before, after| {
            let Some(edit) = step.edit else { return };
            if wanted.contains(&edit) {
                befores.insert(edit, self.copied_onto(edit).unwrap_or(before).clone());
            }
            for &first in firsts.get(&edit).into_iter().flatten() {
                let old = befores.get(&first).and_then(FileState::text);
                let old = old.or(self.is_new_by(first).then_some(""));
                if let (Some(old), Some(new)) = (old, after.text()) {
                    net.insert((first, edit), Lines::between(old, new).counts());
                }
            }
        });
        net
    }
}
