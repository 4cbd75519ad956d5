//! Patches as hunks.

use super::{Edit, EditKind};
use crate::changes::diff::{Diff, FileDiff, FileVerb, LineChange, Row};

/// A line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HunkLine {
    /// What becomes of the line; never [`LineChange::Skipped`].
    pub change: LineChange,
    /// The line without its newline. A carriage return at its end is kept.
    pub text: String,
}

/// Lines of a file that follow each other, with what changes in them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hunk {
    /// The number of its first line in the file before, from 1, where the patch says it.
    pub old_start: Option<usize>,
    /// A line above the hunk that says where to look, as `apply_patch` has it after `@@`.
    pub below: Option<String>,
    /// Its lines in order.
    pub lines: Vec<HunkLine>,
    /// It ends where the file ends.
    pub at_end: bool,
    /// The last line of the text before has no newline.
    pub old_without_newline: bool,
    /// The last line of the text after has no newline.
    pub new_without_newline: bool,
}

impl Hunk {
    /// The lines before (`false`) or after (`true`) the change.
    pub(crate) fn side(&self, after: bool) -> Vec<&str> {
        let other = if after { LineChange::Removed } else { LineChange::Added };
        let lines = self.lines.iter().filter(|line| line.change != other);
        lines.map(|line| line.text.as_str()).collect()
    }

    /// How many lines it adds and removes.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let count = |change| self.lines.iter().filter(|line| line.change == change).count();
        (count(LineChange::Added), count(LineChange::Removed))
    }
}

/// The edits of a patch; none where the text is no patch that names its files.
pub(super) fn edits(text: &str) -> Vec<Edit<'static>> {
    let Some(diff) = Diff::lines_written(text) else { return Vec::new() };
    diff.files.iter().filter_map(edit).collect()
}

fn edit(file: &FileDiff<'_>) -> Option<Edit<'static>> {
    let path = file.names.first()?.to_string();
    let hunks = hunks(&file.rows);
    let kind = match file.verb {
        Some(FileVerb::Added) => EditKind::Create(after(&hunks).into()),
        Some(FileVerb::Deleted) => EditKind::Delete,
        _ => {
            let moved_to = file.names.get(1).map(ToString::to_string);
            match moved_to {
                Some(to) if hunks.is_empty() => EditKind::Move { to },
                moved_to => EditKind::Patch { hunks, moved_to },
            }
        }
    };
    Some(Edit { path: path.into(), kind })
}

/// The text that is all that hunks add.
fn after(hunks: &[Hunk]) -> String {
    let mut text = String::new();
    for line in hunks.iter().flat_map(|hunk| hunk.side(true)) {
        text.push_str(line);
        text.push('\n');
    }
    if hunks.last().is_some_and(|hunk| hunk.new_without_newline) {
        text.pop();
    }
    text
}

/// Rows as hunks: a row that leaves something out ends one. Rows of [`Diff::written`] know no other
/// boundary, so what such a row says is read here.
pub(crate) fn hunks(rows: &[Row<'_>]) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    let mut open = Hunk::default();
    let mut last = LineChange::Same;
    let mut numbers_are_of_rows = false;
    let mut old_lines = 0;
    for row in rows {
        if row.kind != LineChange::Skipped {
            if open.lines.is_empty() {
                numbers_are_of_rows = open.old_start.is_none();
                old_lines = 0;
            }
            // pi (0.87.1) counts the first lines of some hunks from 1, and the lines behind the change rightly:
            // the last number counts.
            if row.kind != LineChange::Added {
                let start = row.number.and_then(|number| number.checked_sub(old_lines));
                if numbers_are_of_rows {
                    open.old_start = start.filter(|start| *start > 0);
                }
                old_lines += 1;
            }
            last = row.kind;
            open.lines.push(HunkLine { change: row.kind, text: row.text.to_owned() });
            continue;
        }
        let said = row.text.trim();
        // `\ No newline at end of file` (GNU diffutils, git), and not any backslash: `@@ \section{B}` names a line.
        // `*** End of File` (codex-rs/apply-patch).
        if said.starts_with("\\ No newline") {
            open.old_without_newline |= last != LineChange::Added;
            open.new_without_newline |= last != LineChange::Removed;
        } else if said == "*** End of File" {
            open.at_end = true;
        } else {
            close(&mut open, &mut hunks);
            open.old_start = numbered(said);
            let names_a_line = open.old_start.is_none() && !said.is_empty() && said != "@@";
            open.below = names_a_line.then(|| said.trim_start_matches("@@").trim().to_owned());
        }
    }
    close(&mut open, &mut hunks);
    hunks
}

fn close(open: &mut Hunk, hunks: &mut Vec<Hunk>) {
    let mut hunk = std::mem::take(open);
    // An empty line behind the last hunk is the end of the text.
    if hunk.counts() != (0, 0) {
        // A hunk that only adds stands behind the line of its number in `-3,0`.
        hunk.below = hunk.below.filter(|line| !line.is_empty());
        hunks.push(hunk);
    }
}

/// The first line before of `@@ -4,3 +4,3 @@`. Of `-3,0`, which removes nothing and stands behind line 3, the
/// line that follows.
fn numbered(head: &str) -> Option<usize> {
    let range = head.strip_prefix("@@")?.trim_start().strip_prefix('-')?;
    let range = range.split_whitespace().next()?;
    let (start, count) = range.split_once(',').unwrap_or((range, "1"));
    let start: usize = start.parse().ok()?;
    Some(if count == "0" { start.saturating_add(1) } else { start.max(1) })
}

/// The hunks of a diff that names no file.
pub(super) fn hunks_of(text: &str) -> Vec<Hunk> {
    let diff = Diff::lines_written(text);
    let rows = diff.iter().flat_map(|diff| &diff.files).filter(|file| file.names.is_empty());
    rows.flat_map(|file| hunks(&file.rows)).collect()
}
