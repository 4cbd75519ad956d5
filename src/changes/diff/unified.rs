//! A unified diff, as `diff -u` and `git diff` print it (GNU diffutils' manual, "Detailed Description of Unified
//! Format").

use std::borrow::Cow;

use super::{FileDiff, FileVerb, LineChange, Row};

/// Reads the diff. `None` where no hunk is in it; lines of no known form are
/// kept as notes of the file that follows.
pub(super) fn read(text: &str) -> Option<Vec<FileDiff<'_>>> {
    let text = text.trim_end_matches(['\n', '\r']);
    let lines: Vec<&str> = text.split('\n').collect();
    let mut reader = PatchReader::default();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        // Within a hunk `--- x` may be a line removed; before a new hunk it is a file's head.
        let head = lines.get(at + 1).and_then(|next| next.strip_prefix("+++ "));
        let is_head =
            !reader.left.within() || lines.get(at + 2).is_some_and(|l| l.starts_with("@@"));
        if let Some((new, old)) = head.zip(line.strip_prefix("--- ")).filter(|_| is_head) {
            reader.begin(old, new);
            at += 2;
        } else {
            reader.line(line);
            at += 1;
        }
    }
    reader.flush_notes();
    let has_change = |file: &FileDiff<'_>| {
        file.rows.iter().any(|row| matches!(row.kind, LineChange::Removed | LineChange::Added))
    };
    (reader.has_hunk && reader.files.iter().any(has_change)).then_some(reader.files)
}

#[derive(Default)]
struct PatchReader<'t> {
    files: Vec<FileDiff<'t>>,
    notes: Vec<&'t str>,
    left: Left,
    in_hunk: bool,
    has_hunk: bool,
}

/// What the hunk at hand still has to come by its header, and the next numbers.
#[derive(Default)]
struct Left {
    old: usize,
    new: usize,
    old_number: Option<usize>,
    new_number: Option<usize>,
}

impl Left {
    fn within(&self) -> bool {
        self.old > 0 || self.new > 0
    }
}

impl<'t> PatchReader<'t> {
    fn begin(&mut self, old: &'t str, new: &'t str) {
        let (old, old_time) = name(old, "a/");
        let (new, new_time) = name(new, "b/");
        let (verb, names) = match (old, new) {
            ("/dev/null", new) => (Some(FileVerb::Added), vec![Cow::Borrowed(new)]),
            (old, "/dev/null") => (Some(FileVerb::Deleted), vec![old.into()]),
            (old, new) if old == new => (None, vec![new.into()]),
            (old, new) => (None, vec![old.into(), new.into()]),
        };
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend([old_time, new_time].into_iter().flatten());
        self.files.push(FileDiff { verb, names, notes, rows: Vec::new() });
        (self.in_hunk, self.left) = (false, Left::default());
    }

    fn line(&mut self, line: &'t str) {
        let plain = line.strip_suffix('\r').unwrap_or(line);
        if let Some(left) = hunk(plain) {
            if self.files.is_empty() || !self.notes.is_empty() {
                let notes = std::mem::take(&mut self.notes);
                self.files.push(FileDiff { notes, ..FileDiff::default() });
            }
            self.left = left;
            (self.in_hunk, self.has_hunk) = (true, true);
            self.push(Row::new(LineChange::Skipped, None, plain));
        } else if !(self.in_hunk && self.row(line)) {
            self.in_hunk = false;
            self.left = Left::default();
            self.notes.extend(Some(plain).filter(|line| !line.trim().is_empty()));
        }
    }

    /// A line of a hunk; false where it is none.
    fn row(&mut self, line: &'t str) -> bool {
        let left = &mut self.left;
        let text = line.get(1..).unwrap_or_default();
        let row = match line.bytes().next() {
            Some(b'+') => {
                left.new = left.new.saturating_sub(1);
                Row::new(LineChange::Added, step(&mut left.new_number), text)
            }
            Some(b'-') => {
                left.old = left.old.saturating_sub(1);
                Row::new(LineChange::Removed, step(&mut left.old_number), text)
            }
            Some(b' ' | b'\r') | None => {
                left.old = left.old.saturating_sub(1);
                left.new = left.new.saturating_sub(1);
                step(&mut left.old_number);
                Row::new(LineChange::Same, step(&mut left.new_number), text)
            }
            Some(b'\\') => Row::new(LineChange::Skipped, None, line),
            _ => return false,
        };
        self.push(row);
        true
    }

    fn push(&mut self, row: Row<'t>) {
        if let Some(file) = self.files.last_mut() {
            file.rows.push(row);
        }
    }

    fn flush_notes(&mut self) {
        if !self.notes.is_empty() {
            let notes = std::mem::take(&mut self.notes);
            self.files.push(FileDiff { notes, ..FileDiff::default() });
        }
    }
}

fn step(number: &mut Option<usize>) -> Option<usize> {
    let this = *number;
    *number = this.and_then(|number| number.checked_add(1));
    this
}

/// A file's name without git's prefix, and what follows a tab.
fn name<'t>(text: &'t str, prefix: &str) -> (&'t str, Option<&'t str>) {
    let text = text.trim_end_matches('\r');
    let (name, time) =
        text.split_once('\t').map_or((text, None), |(name, time)| (name, Some(time)));
    (name.strip_prefix(prefix).unwrap_or(name), time.filter(|time| !time.is_empty()))
}

/// `@@ -1,3 +1,4 @@`, or an `@@` without numbers.
fn hunk(line: &str) -> Option<Left> {
    let rest = line.strip_prefix("@@")?;
    let mut words = rest.split_whitespace();
    let range = |word: Option<&str>, sign| {
        let word = word?.strip_prefix(sign)?;
        let (first, count) = word.split_once(',').unwrap_or((word, "1"));
        Some((first.parse().ok()?, count.parse().ok()?))
    };
    let old: Option<(usize, usize)> = range(words.next(), '-');
    let new: Option<(usize, usize)> = range(words.next(), '+');
    Some(Left {
        old: old.map_or(0, |(_, count)| count),
        new: new.map_or(0, |(_, count)| count),
        old_number: old.map(|(first, _)| first),
        new_number: new.map(|(first, _)| first),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows<'t>(file: &FileDiff<'t>) -> Vec<(LineChange, Option<usize>, &'t str)> {
        file.rows.iter().map(|row| (row.kind, row.number, row.text)).collect()
    }

    #[test]
    fn hunks_and_files_are_read() {
        let diff = "diff --git a/tide.txt b/tide.txt\n--- a/tide.txt\n+++ b/tide.txt\n@@ -4,3 +4,3 @@ noon\n low\n--- ebb\n+++ flow\n high\n\
                    --- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n";
        let files = read(diff).unwrap();
        assert_eq!(files.len(), 2);
        assert_eq!(files[0].notes, ["diff --git a/tide.txt b/tide.txt"]);
        assert_eq!(files[0].names, ["tide.txt"]);
        assert_eq!(
            rows(&files[0]),
            [
                (LineChange::Skipped, None, "@@ -4,3 +4,3 @@ noon"),
                (LineChange::Same, Some(4), "low"),
                (LineChange::Removed, Some(5), "-- ebb"),
                (LineChange::Added, Some(5), "++ flow"),
                (LineChange::Same, Some(6), "high"),
            ]
        );
        assert_eq!(files[1].verb, Some(FileVerb::Added));
        assert_eq!(rows(&files[1])[2], (LineChange::Skipped, None, "\\ No newline at end of file"));
    }

    #[test]
    fn a_diff_with_odd_parts_keeps_them() {
        let diff = "words before\n@@ broken @@\n-a\n+b\nwords after\n@@ -1 +1 @@\n-c\n+d\nlast";
        let files = read(diff).unwrap();
        let notes: Vec<_> = files.iter().flat_map(|file| file.notes.clone()).collect();
        assert_eq!(notes, ["words before", "words after", "last"]);
        assert_eq!(files.iter().map(|file| file.rows.len()).sum::<usize>(), 6);
    }

    #[test]
    fn wrong_counts_in_a_head_lose_no_hunk() {
        let diff = "--- a/x\n+++ b/x\n@@ -1,90 +1,90 @@\n-a\n+b\n@@ -9,9 +9,9 @@\n-c\n+d\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-e\n+f";
        let files = read(diff).unwrap();
        assert_eq!(files.iter().map(|file| file.rows.len()).collect::<Vec<_>>(), [6, 3]);
    }

    #[test]
    fn other_texts_are_not() {
        for text in ["", "-a\n+b", "@@", "@@ -1 +1 @@\n same", "--- a\n+++ b"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
