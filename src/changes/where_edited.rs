//! Which lines of a file each edit is about.

use std::ops::RangeInclusive;

use super::diff::LineChange;
use super::model::{FileChanges, FileEdit};
use super::replay::middle_of;

impl FileChanges {
    /// The lines of the file after each edit in which it changed something, from 1; `None` where they are not known. Of
    /// an edit that only removed lines, the line that follows them.
    pub(crate) fn edited_lines(&self) -> Vec<Option<RangeInclusive<usize>>> {
        let mut lines: Vec<_> = self.edits.iter().map(asked_lines).collect();
        self.each_state(usize::MAX, |step, before, after| {
            let (Some(edit), Some(old), Some(new)) = (step.edit, before.text(), after.text())
            else {
                return;
            };
            let (head, _, end) = middle_of(old, new);
            let count = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
            let first = count(&new[..head]) + 1;
            let last = first + count(&new[head..end]).saturating_sub(1);
            lines[edit] = Some(first..=last);
        });
        lines
    }
}

/// As the hunks of an edit say that is not exact.
fn asked_lines(edit: &FileEdit) -> Option<RangeInclusive<usize>> {
    let first = edit.hunks.first()?.old_start?;
    let last = edit.hunks.last()?;
    let kept = last.lines.iter().filter(|line| line.change != LineChange::Removed).count();
    Some(first..=(last.old_start? + kept).saturating_sub(1).max(first))
}
