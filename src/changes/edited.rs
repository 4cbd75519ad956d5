//! How many lines groups of edits added and removed: the edits of a turn, of a run of steps, of a branch.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::lines::Lines;
use super::model::{Change, FileChanges, FileEdit, FileState, Step};
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
    /// the first edit against the file after the last one, or at the end of the branch.
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
    /// What the successful edits among some entries did to files, until the last of these entries.
    pub(crate) fn edited_among(&self, entries: &[EntryIndex]) -> Vec<EditedFile> {
        let until = entries.iter().map(|&entry| self.timeline.position(entry)).max();
        let entries: HashSet<EntryIndex> = entries.iter().copied().collect();
        let group = |edit: &FileEdit| entries.contains(&edit.entry).then_some(());
        let groups = |edit: &FileEdit| group(edit).into_iter().collect();
        self.edited_by(groups, |()| until).remove(&()).unwrap_or_default()
    }

    /// What was changed on the way to each leaf, of the edits that are on the way to some.
    pub(crate) fn edited_by_leaf(
        &self,
        leaves: impl Fn(&FileEdit) -> Vec<EntryIndex>,
    ) -> HashMap<EntryIndex, Vec<EditedFile>> {
        self.edited_by(leaves, |leaf| Some(self.timeline.position(leaf)))
    }

    /// What each group of successful edits did to files, these in the order of [`files`](Changes::files). `groups` says
    /// which groups an edit is part of. A group ends with its last edit, or at a place in the time order: then what is
    /// known to have happened to a file before the next edit counts, such as a command that deleted it. Each file is
    /// replayed once.
    pub(crate) fn edited_by<G: Copy + Eq + Hash>(
        &self,
        groups: impl Fn(&FileEdit) -> Vec<G>,
        until: impl Fn(G) -> Option<usize>,
    ) -> HashMap<G, Vec<EditedFile>> {
        let mut all: HashMap<G, Vec<EditedFile>> = HashMap::new();
        for (place, file) in self.files.iter().enumerate() {
            let spans = file.spans(&groups);
            let ends = file.ends();
            let end = |(&group, span): (&G, &Span)| {
                (span.first, file.end(ends[span.last], until(group).unwrap_or_default()))
            };
            let net = file.net_lines(spans.iter().map(end));
            for (group, span) in spans {
                let lines = match net.get(&end((&group, &span))) {
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

    /// By edit, the step that it took; 0 for one that failed.
    fn ends(&self) -> Vec<usize> {
        let mut ends = vec![0; self.edits.len()];
        for (nth, step) in self.steps.iter().enumerate() {
            if let Some(edit) = step.edit {
                ends[edit] = nth;
            }
        }
        ends
    }

    /// The last step, up to a place in the time order and before the next edit, after which the file is known; `from`, an
    /// edit's, where there is none.
    fn end(&self, from: usize, until: usize) -> usize {
        let own = |step: &&Step| step.edit.is_none() && step.position <= until;
        let more = self.steps[from + 1..].iter().take_while(own);
        let is_known = |step: &Step| matches!(&step.change, Change::Set(state) if state.is_known());
        let known = more.enumerate().filter(|(_, step)| is_known(step)).last();
        known.map_or(from, |(nth, _)| from + 1 + nth)
    }

    /// Lines added and removed between the file before an edit and the file after a step, where both are known. What was
    /// before a file that was written whole counts as nothing.
    fn net_lines(
        &self,
        spans: impl Iterator<Item = (usize, usize)>,
    ) -> HashMap<(usize, usize), (usize, usize)> {
        let mut net = HashMap::new();
        let mut firsts: HashMap<usize, Vec<usize>> = HashMap::new();
        for (first, end) in spans {
            let step = &self.steps[end];
            let lines = step.lines.as_ref().filter(|_| step.edit == Some(first));
            if let Some(lines) = lines.filter(|_| self.copied_onto(first).is_none()) {
                net.insert((first, end), lines.counts());
                continue;
            }
            let firsts = firsts.entry(end).or_default();
            if !firsts.contains(&first) {
                firsts.push(first);
            }
        }
        if firsts.is_empty() {
            return net;
        }
        let wanted: HashSet<usize> = firsts.values().flatten().copied().collect();
        let mut befores: HashMap<usize, FileState> = HashMap::new();
        let mut nth = 0;
        self.each_state(usize::MAX, |step, before, after| {
            if let Some(edit) = step.edit.filter(|edit| wanted.contains(edit)) {
                befores.insert(edit, self.copied_onto(edit).unwrap_or(before).clone());
            }
            for &first in firsts.get(&nth).into_iter().flatten() {
                let old = befores.get(&first).and_then(FileState::text);
                let old = old.or(self.is_new_by(first).then_some(""));
                if let (Some(old), Some(new)) = (old, after.text()) {
                    net.insert((first, nth), Lines::between(old, new).counts());
                }
            }
            nth += 1;
        });
        net
    }
}
