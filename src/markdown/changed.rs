//! Which files a branch changed: the section at the end of a document, or a document of its own.

use std::fmt::Write as _;

use super::blocks::{details, push};
use super::fence;
use crate::changes::diff::LineChange;
use crate::changes::{Changes, EditedLines, FileAt};
use crate::session::text::counted;
use crate::session::{EntryIndex, Session};

/// The section, with the diff of each file if asked for; empty where no file changed.
pub(super) fn section(
    session: &Session,
    changes: &Changes,
    leaf: EntryIndex,
    with_diffs: bool,
) -> String {
    let mut files = changes.at(session, leaf);
    files.retain(FileAt::may_have_changed);
    if files.is_empty() {
        return String::new();
    }
    let mut out = format!("## Files changed\n\n{}\n\n", summary(&files));
    for file in &files {
        out.push_str(&line(file));
    }
    for file in files.iter().filter(|_| with_diffs) {
        let lines = diff(file);
        if !lines.is_empty() {
            push(&mut out, &details(&name(file), &fence::block(&lines, "diff")));
        }
    }
    out
}

/// `8 files, about +185 −24, 4 maybe changed by commands`
fn summary(files: &[FileAt<'_>]) -> String {
    let lines = FileAt::sum_of_lines(files).map(lines_of);
    let maybe = files.iter().filter(|file| !file.maybe.is_empty()).count();
    let maybe = (maybe > 0).then(|| format!("{maybe} maybe changed by commands"));
    let parts = [Some(counted(files.len(), "file")), lines, maybe];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn lines_of(EditedLines { added, removed, is_about }: EditedLines) -> String {
    format!("{}+{added} \u{2212}{removed}", if is_about { "about " } else { "" })
}

fn name(file: &FileAt<'_>) -> String {
    match &file.from {
        Some(from) => format!("{from} → {}", file.path),
        None => file.path.clone(),
    }
}

/// ``- `src/table.rs` about +81 −8, 5 edits, in part``
fn line(file: &FileAt<'_>) -> String {
    let facts = file
        .lines()
        .map(lines_of)
        .into_iter()
        .chain(Some(file.facts()).filter(|facts| !facts.is_empty()));
    let facts = facts.collect::<Vec<_>>().join(", ");
    format!("- {} {facts}\n", fence::inline(&name(file)))
}

/// The changes from the first known state of a file to the last one.
fn diff(file: &FileAt<'_>) -> String {
    let mut out = String::new();
    for hunk in &file.net.hunks {
        let (old, new) = ((hunk.old_start, hunk.old_lines), (hunk.new_start, hunk.new_lines));
        let _ = writeln!(out, "@@ -{},{} +{},{} @@", old.0, old.1, new.0, new.1);
        for (kind, text) in &hunk.lines {
            out.push(match kind {
                LineChange::Removed => '-',
                LineChange::Added => '+',
                LineChange::Same | LineChange::Skipped => ' ',
            });
            out.push_str(text);
            if !text.ends_with('\n') {
                out.push('\n');
            }
        }
    }
    out
}
