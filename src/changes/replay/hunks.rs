//! Finds where the hunks of a patch stand in a text, and what they make of it.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use super::text::{Rules, Splice};
use crate::byte_search;
use crate::changes::diff::LineChange;
use crate::changes::edit::Hunk;

/// The splices that hunks make. `None` where one of them does not apply, or stands before the one ahead of it.
pub(super) fn patch(text: &str, hunks: &[Hunk], rules: Rules) -> Option<Vec<Splice>> {
    let seeker = Seeker::new(text, rules.is_loose);
    let mut from = 0;
    let mut splices: Vec<Splice> = Vec::new();
    let mut moved: isize = 0;
    for hunk in hunks {
        let place = seeker.place(hunk, from)?;
        let end = place + hunk.side(false).len();
        let mut new = new_lines(seeker.lines(place..end), hunk, end == seeker.count(), rules);
        // A line without a newline cannot be followed by another.
        if end == place && place == seeker.count() {
            let before = match splices.last() {
                Some(Splice { text, .. }) if from == place => text.as_str(),
                _ => seeker.lines(place.saturating_sub(1)..place).next().unwrap_or_default(),
            };
            if !before.is_empty() && !before.ends_with('\n') {
                if !rules.is_loose {
                    return None;
                }
                new.insert(0, '\n');
            }
        }
        let (at, len) = (seeker.starts[place], seeker.starts[end] - seeker.starts[place]);
        let new_len = new.len();
        splices.push(Splice { at: at.checked_add_signed(moved)?, len, text: new });
        moved += isize::try_from(new_len).ok()? - isize::try_from(len).ok()?;
        from = end;
    }
    Some(splices)
}

/// The lines after a hunk. Lines that stay are those of the text: a patch may have been matched loosely.
fn new_lines<'t>(
    old: impl Iterator<Item = &'t str>,
    hunk: &Hunk,
    at_end: bool,
    rules: Rules,
) -> String {
    let mut text = String::new();
    let mut old = old.peekable();
    let crlf = old.peek().is_some_and(|line| line.ends_with("\r\n"));
    let mut lacks_newline = false;
    for line in &hunk.lines {
        match line.change {
            LineChange::Same => {
                let line = old.next().unwrap_or_default();
                text.push_str(line);
                if !line.ends_with('\n') {
                    lacks_newline = true;
                    text.push('\n');
                }
            }
            LineChange::Removed => {
                lacks_newline |= old.next().is_some_and(|line| !line.ends_with('\n'));
            }
            LineChange::Added => {
                text.push_str(&line.text);
                if crlf && !line.text.ends_with('\r') {
                    text.push('\r');
                }
                text.push('\n');
            }
            LineChange::Skipped => {}
        }
    }
    let kept_without = lacks_newline && !hunk.old_without_newline;
    let without = hunk.new_without_newline || kept_without && !rules.is_loose;
    if at_end && without && text.ends_with('\n') {
        text.pop();
    }
    text
}

/// Finds where hunks stand, each behind the one before it.
struct Seeker<'t> {
    text: &'t str,
    /// Where each line begins, and where the last one ends.
    starts: Vec<usize>,
    /// Where each line stands, ascending: a hunk is tried only where its first line is. Most hunks have a number.
    places: OnceCell<HashMap<&'t str, Vec<usize>>>,
    is_loose: bool,
}

impl<'t> Seeker<'t> {
    fn new(text: &'t str, is_loose: bool) -> Seeker<'t> {
        let ends = byte_search::lines(text.as_bytes()).map(|line| line.end);
        Seeker {
            text,
            starts: std::iter::once(0).chain(ends).collect(),
            places: OnceCell::new(),
            is_loose,
        }
    }

    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Lines, each with its newline.
    fn lines(&self, range: Range<usize>) -> impl Iterator<Item = &'t str> {
        let starts = self.starts[range.start..=range.end].windows(2);
        starts.map(|ends| &self.text[ends[0]..ends[1]])
    }

    /// Where a line stands, whatever white space is beside it.
    fn places(&self, line: &str) -> &[usize] {
        let places = self.places.get_or_init(|| {
            let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
            for (at, line) in self.lines(0..self.count()).enumerate() {
                places.entry(line.trim()).or_default().push(at);
            }
            places
        });
        places.get(line.trim()).map(Vec::as_slice).unwrap_or_default()
    }

    fn place(&self, hunk: &Hunk, from: usize) -> Option<usize> {
        let old = hunk.side(false);
        if let Some(start) = hunk.old_start {
            let start = start.checked_sub(1).filter(|&start| start >= from)?;
            if old.is_empty() {
                return (start <= self.count()).then_some(start);
            }
            return self.is_at(&old, start, |a, b| a == b).then_some(start);
        }
        let from = match &hunk.below {
            Some(line) => self.seek(&[line], from, false)? + 1,
            None => from,
        };
        if old.is_empty() {
            // Without a line to stand beside it is put at the end, or below the line that was named.
            return Some(if hunk.below.is_some() { from } else { self.count() });
        }
        self.seek(&old, from, hunk.at_end)
    }

    /// As Codex seeks: strictly first, then without regard to the white space at the ends of lines, then at both
    /// sides.
    fn seek(&self, old: &[&str], from: usize, at_end: bool) -> Option<usize> {
        let same: [fn(&str, &str) -> bool; 3] =
            [|a, b| a == b, |a, b| a.trim_end() == b.trim_end(), |a, b| a.trim() == b.trim()];
        let all = self.places(old[0]);
        let behind = &all[all.partition_point(|&at| at < from)..];
        let same = same.into_iter().take(if self.is_loose { 3 } else { 1 });
        let mut same = same;
        same.find_map(|same| {
            let last = self.count().checked_sub(old.len()).filter(|&last| last >= from);
            if let Some(last) = last.filter(|&last| at_end && self.is_at(old, last, same)) {
                return Some(last);
            }
            behind.iter().copied().take(TRIES).find(|&at| self.is_at(old, at, same))
        })
    }

    fn is_at(&self, old: &[&str], at: usize, same: fn(&str, &str) -> bool) -> bool {
        let end = at.checked_add(old.len()).filter(|&end| end <= self.count());
        end.is_some_and(|end| self.lines(at..end).zip(old).all(|(a, b)| same(bare(a), bare(b))))
    }
}

/// Of a file of equal lines, a hunk is tried at so many places.
const TRIES: usize = 10_000;

fn bare(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::super::text::apply;
    use super::*;

    fn patched(text: &str, diff: &str) -> Option<String> {
        let rules = Rules { is_loose: diff.starts_with("***"), ..Rules::default() };
        let whole = match diff.strip_prefix("***") {
            Some(hunks) => {
                format!("*** Begin Patch\n*** Update File: a\n{hunks}*** End Patch")
            }
            None => format!("--- a/a\n+++ b/a\n{diff}"),
        };
        let diff = crate::changes::diff::Diff::written(&whole).unwrap();
        let hunks = crate::changes::edit::hunks(&diff.files[0].rows);
        let splices = patch(text, &hunks, rules)?;
        let mut text = text.to_owned();
        apply(&mut text, &splices);
        Some(text)
    }

    #[test]
    fn hunks_are_found_by_number_or_by_their_lines() {
        let text = "a\nb\nc\nd\ne\nf\n";
        let diff = "@@ -2,2 +2,2 @@\n b\n-c\n+C\n@@ -6 +6,2 @@\n f\n+g\n";
        assert_eq!(patched(text, diff).as_deref(), Some("a\nb\nC\nd\ne\nf\ng\n"));
        assert_eq!(patched(text, "@@ -3,2 +3,2 @@\n b\n-c\n+C\n"), None);
        assert_eq!(patched(text, "@@ -3,0 +4 @@\n+x\n").as_deref(), Some("a\nb\nc\nx\nd\ne\nf\n"));
        assert_eq!(
            patched(text, "***@@\n b\n-c\n+C\n@@ e\n+x\n").as_deref(),
            Some("a\nb\nC\nd\ne\nx\nf\n")
        );
        assert_eq!(patched("a  \n\tb\n", "***@@\n a\n-b\n+B\n").as_deref(), Some("a  \nB\n"));
        assert_eq!(patched(text, "***@@\n-z\n+x\n"), None);
    }

    #[test]
    fn lines_that_are_added_behind_the_end_begin_a_line_of_their_own() {
        assert_eq!(patched("a\nb", "***@@\n+c\n@@\n+d\n").as_deref(), Some("a\nb\nc\nd\n"));
        assert_eq!(patched("a\nb", "***@@\n b\n+c\n@@\n+d\n").as_deref(), Some("a\nb\nc\nd\n"));
        assert_eq!(patched("a\nb", "@@ -2,0 +3 @@\n+c\n"), None);
        assert_eq!(patched("", "@@ -0,0 +1 @@\n+c\n").as_deref(), Some("c\n"));
    }

    #[test]
    fn newlines_at_the_end_are_kept_or_as_said() {
        assert_eq!(patched("a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n").as_deref(), Some("a\nc"));
        let diff = "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n";
        assert_eq!(patched("a\nb", diff).as_deref(), Some("a\nc\n"));
        assert_eq!(patched("a\nb", "***@@\n a\n-b\n+c\n").as_deref(), Some("a\nc\n"));
        assert_eq!(patched("a\r\nb\r\n", "***@@\n a\n-b\n+c\n").as_deref(), Some("a\r\nc\r\n"));
    }
}
