//! Changes to a text: what was removed, what was added, what stayed.
//!
//! A diff is read as some tool wrote it, or computed from the text before and
//! after. Nothing of it is dropped: lines that stay are rows too.

mod compare;
mod envelope;
mod numbered;
mod unified;
mod words;

use std::borrow::Cow;
use std::ops::Range;

use crate::byte_search;

/// What a row of a diff says of its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LineChange {
    /// It stays.
    Same,
    /// It was removed.
    Removed,
    /// It was added.
    Added,
    /// Lines that the diff leaves out; its text says what it says of them.
    Skipped,
}

/// One row of a diff.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Row<'t> {
    /// What became of the line.
    pub kind: LineChange,
    /// The line's number where it was or is, from 1, as far as the diff says it.
    pub number: Option<usize>,
    /// The line without its sign and its newline. A carriage return at its end is kept.
    pub text: &'t str,
    /// What changed within the line, in bytes of its text.
    pub words: Vec<Range<usize>>,
}

impl<'t> Row<'t> {
    fn new(kind: LineChange, number: Option<usize>, text: &'t str) -> Self {
        Row { kind, number, text, words: Vec::new() }
    }
}

/// What happened to a file that is more than a change of its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileVerb {
    /// It was not there before.
    Added,
    /// It is no longer there.
    Deleted,
    /// It has another name.
    Moved,
}

impl FileVerb {
    /// As it stands before the file's name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            FileVerb::Added => "Added",
            FileVerb::Deleted => "Deleted",
            FileVerb::Moved => "Moved",
        }
    }
}

/// The changes to one file.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct FileDiff<'t> {
    /// What happened to the file, where it is more than a change.
    pub verb: Option<FileVerb>,
    /// Its name, and the name it got. None where the diff names no file.
    pub names: Vec<Cow<'t, str>>,
    /// What the diff says of the file in other words.
    pub notes: Vec<&'t str>,
    /// Its lines.
    pub rows: Vec<Row<'t>>,
}

/// The changes to some files.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Diff<'t> {
    /// In the order of the text.
    pub files: Vec<FileDiff<'t>>,
    /// What the lines alone do not show, as sentences without a period.
    pub remarks: Vec<&'static str>,
}

impl<'t> Diff<'t> {
    /// Reads a diff as pi, `diff -u` or `apply_patch` write it; `None` where
    /// the text is none of them.
    #[must_use]
    pub fn written(text: &'t str) -> Option<Self> {
        Diff::lines_written(text).map(Diff::marked)
    }

    /// The same without the words that changed, for whoever only looks at lines.
    pub(crate) fn lines_written(text: &'t str) -> Option<Self> {
        Some(Diff { files: read_written(text)?, remarks: Vec::new() })
    }

    /// Compares the text before with the text after. Their lines have no
    /// numbers: where the text stands in its file is not known here.
    #[must_use]
    pub fn between(old: &'t str, new: &'t str) -> Self {
        Diff::lines_between(old, new).marked()
    }

    /// The same without the words that changed.
    pub(crate) fn lines_between(old: &'t str, new: &'t str) -> Self {
        let (old_lines, new_lines) = (lines(old), lines(new));
        let compared = compare::compare(&old_lines, &new_lines);
        let mut rows = Vec::with_capacity(old_lines.len() + new_lines.len());
        let mut from = (0, 0);
        let end = (old_lines.len(), new_lines.len());
        for pair in compared.same.iter().copied().chain([end]) {
            let removed = old_lines[from.0..pair.0].iter();
            rows.extend(removed.map(|line| Row::new(LineChange::Removed, None, line)));
            let added = new_lines[from.1..pair.1].iter();
            rows.extend(added.map(|line| Row::new(LineChange::Added, None, line)));
            rows.extend(old_lines.get(pair.0).map(|line| Row::new(LineChange::Same, None, line)));
            from = (pair.0 + 1, pair.1 + 1);
        }
        let mut remarks = remarks(old, new);
        if !compared.is_exact {
            remarks.push("Too much changed to compare all of it line by line");
        }
        Diff { files: vec![FileDiff { rows, ..FileDiff::default() }], remarks }
    }

    /// With the words that changed.
    pub(crate) fn marked(mut self) -> Self {
        let mut all_words = true;
        for file in &mut self.files {
            all_words &= words::mark(&mut file.rows);
        }
        if !all_words {
            self.remarks.push("Too much changed to mark the words in all of it");
        }
        self
    }

    /// How many lines [`between`](Self::between) adds and removes.
    pub(crate) fn count_between(old: &str, new: &str) -> (usize, usize) {
        let (old, new) = (lines(old), lines(new));
        let same = compare::compare(&old, &new).same.len();
        (new.len() - same, old.len() - same)
    }

    /// What stands beside a tool's name: the number of files where it is not
    /// one, of lines added and of lines removed.
    pub(crate) fn facts(&self) -> Vec<String> {
        let files = self.files.iter().filter(|file| !file.names.is_empty()).count();
        let mut facts = Vec::new();
        if files > 1 {
            facts.push(format!("{files} files"));
        }
        let (added, removed) = self.counts();
        if files == 0 || added + removed > 0 {
            facts.push(format!("+{added} \u{2212}{removed}"));
        }
        facts
    }

    /// How many lines were added and how many removed.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        count(&self.files)
    }

    /// The text before and the text after, as far as the diff shows them. A line of one NUL stands
    /// where the diff leaves lines out.
    #[must_use]
    pub fn sides(&self) -> (String, String) {
        let side = |other| {
            let mut text = String::new();
            for row in self.files.iter().flat_map(|file| &file.rows) {
                // A skipped part ends a text, so that nothing is found across it.
                let line = if row.kind == LineChange::Skipped { "\0" } else { row.text };
                if row.kind != other {
                    text.push_str(line);
                    text.push('\n');
                }
            }
            text
        };
        (side(LineChange::Added), side(LineChange::Removed))
    }

    /// Whether a text before and a text after show all that changes here. Lines around it that
    /// stay may lie beyond what they show.
    pub(crate) fn is_within(&self, old: &str, new: &str) -> bool {
        let changes =
            self.files.iter().flat_map(|file| file.rows.chunk_by(|a, b| a.kind == b.kind));
        // Some agents write two spaces for a tab into a diff.
        let untabbed = |text: &str| text.replace('\t', "  ");
        let shows = |side: &str, rows: &[Row<'_>]| {
            let text = rows.iter().map(|row| row.text).collect::<Vec<_>>().join("\n");
            side.contains(&text) || untabbed(side).contains(&untabbed(&text))
        };
        changes.filter(|rows| !rows.is_empty()).all(|rows| match rows[0].kind {
            LineChange::Removed => shows(old, rows),
            LineChange::Added => shows(new, rows),
            LineChange::Same | LineChange::Skipped => true,
        })
    }
}

/// Which lines of two texts stay: pairs of their places, both growing. A difference too large to be searched counts as
/// replaced whole.
pub(crate) fn same_lines(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    compare::compare(old, new).same
}

/// Rows of lines that stay, go and come, with marks at the words that changed. The lines are without their newlines.
pub(crate) fn marked_rows<'t>(lines: impl Iterator<Item = (LineChange, &'t str)>) -> Vec<Row<'t>> {
    let mut rows: Vec<Row<'t>> = lines.map(|(kind, text)| Row::new(kind, None, text)).collect();
    words::mark(&mut rows);
    rows
}

/// The files of a diff as some tool wrote it.
fn read_written(text: &str) -> Option<Vec<FileDiff<'_>>> {
    let files = numbered::read(text).map(|rows| vec![FileDiff { rows, ..FileDiff::default() }]);
    files.or_else(|| envelope::read(text)).or_else(|| unified::read(text))
}

/// Lines added and removed.
fn count(files: &[FileDiff<'_>]) -> (usize, usize) {
    let rows = || files.iter().flat_map(|file| &file.rows);
    let count = |kind| rows().filter(|row| row.kind == kind).count();
    (count(LineChange::Added), count(LineChange::Removed))
}

/// The lines of a text; the newline at its end begins no other.
fn lines(text: &str) -> Vec<&str> {
    let lines = byte_search::lines(text.as_bytes()).map(|line| &text[line]);
    lines.map(|line| line.strip_suffix('\n').unwrap_or(line)).collect()
}

/// The same with their newlines.
pub(crate) fn whole_lines(text: &str) -> Vec<&str> {
    byte_search::lines(text.as_bytes()).map(|line| &text[line]).collect()
}

/// What the lines alone do not show.
fn remarks(old: &str, new: &str) -> Vec<&'static str> {
    let mut remarks = Vec::new();
    if old == new {
        remarks.push(match old {
            "" => "Both texts are empty",
            _ => "Nothing changed: the text is the same before and after",
        });
        return remarks;
    }
    if old.is_empty() || new.is_empty() {
        return remarks;
    }
    match (old.ends_with('\n'), new.ends_with('\n')) {
        (true, false) => remarks.push("The newline at the end was removed"),
        (false, true) => remarks.push("A newline was added at the end"),
        _ => {}
    }
    match (old.contains("\r\n"), new.contains("\r\n")) {
        (true, false) => remarks.push("The lines ended with CRLF and end with LF"),
        (false, true) => remarks.push("The lines ended with LF and end with CRLF"),
        _ => {}
    }
    remarks
}

#[cfg(test)]
mod tests;
