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
            let ends = Ends::of(&file.steps, file.edits.len());
            let with_end = |(group, span): (G, Span)| {
                let end = ends.of_edit(&file.steps, span.last, until(group).unwrap_or_default());
                (group, span, end)
            };
            let spans: Vec<(G, Span, usize)> =
                file.spans(&groups).into_iter().map(with_end).collect();
            let net = file.net_lines(spans.iter().map(|(_, span, end)| (span.first, *end)));
            for (group, span, end) in spans {
                let lines = match net.get(&(span.first, end)) {
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

/// Where groups of edits may end, as places in [`FileChanges::steps`].
struct Ends {
    /// By edit, the step that it took; 0 for one that failed.
    steps: Vec<usize>,
    /// By step, the next one that an edit took; as many as there are steps where none follows.
    next_edit: Vec<usize>,
    /// By step, the last one up to it that an edit took, or after which the file is known.
    known: Vec<usize>,
}

impl Ends {
    fn of(steps: &[Step], edits: usize) -> Ends {
        let mut ends = Ends {
            steps: vec![0; edits],
            next_edit: vec![steps.len(); steps.len()],
            known: Vec::with_capacity(steps.len()),
        };
        for (nth, step) in steps.iter().enumerate() {
            if let Some(edit) = step.edit {
                ends.steps[edit] = nth;
            }
            let is_known = matches!(&step.change, Change::Set(state) if state.is_known());
            let is_end = is_known || step.edit.is_some();
            let before = ends.known.last().copied().unwrap_or_default();
            ends.known.push(if is_end { nth } else { before });
        }
        let mut next = steps.len();
        for (nth, step) in steps.iter().enumerate().rev() {
            ends.next_edit[nth] = next;
            if step.edit.is_some() {
                next = nth;
            }
        }
        ends
    }

    /// The last step, up to a place in the time order and before the next edit, after which the file is known; the
    /// edit's own where there is none.
    fn of_edit(&self, steps: &[Step], edit: usize, until: usize) -> usize {
        let own = self.steps[edit];
        let end = steps.partition_point(|step| step.position <= until).min(self.next_edit[own]);
        self.known[end.saturating_sub(1).max(own)]
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
