//! Which lines of a file each edit is about.

use std::ops::RangeInclusive;

use super::diff::LineChange;
use super::model::{FileChanges, FileEdit};

impl FileChanges {
    /// The lines of the file after each edit in which it changed something, from 1; `None` where they are not known. Of
    /// an edit that only removed lines, the line that follows them.
    pub(crate) fn edited_lines(&self) -> Vec<Option<RangeInclusive<usize>>> {
        let mut lines: Vec<_> = self.edits.iter().map(asked_lines).collect();
        for step in &self.steps {
            if let (Some(edit), Some(changed)) = (step.edit, &step.lines) {
                lines[edit] = Some(changed.first + 1..=changed.first + changed.new.max(1));
            }
        }
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
