//! Which lines of a file changed. Each step of a file keeps it: whoever follows the file asks for it, to count lines,
//! to say who made them, or to show them.

use std::ops::Range;

use super::diff::{same_lines, whole_lines};
use crate::byte_search;

/// The lines of two texts between those that begin and that end both.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    /// How many lines both begin with.
    pub(super) first: usize,
    pub(super) old: usize,
    pub(super) new: usize,
    /// In bytes, where these lines are in the text before, and in the one after.
    pub(super) bytes: (Range<usize>, Range<usize>),
    /// Which of them stay: places before and after, and how many follow each other.
    same: Vec<(usize, usize, usize)>,
}

impl Lines {
    pub(super) fn between(old: &str, new: &str) -> Lines {
        let (head, old_end, new_end) = middle_of(old, new);
        let first = memchr::memchr_iter(b'\n', &old.as_bytes()[..head]).count();
        let bytes = (head..old_end, head..new_end);
        let (old, new) = (whole_lines(&old[head..old_end]), whole_lines(&new[head..new_end]));
        let mut same: Vec<(usize, usize, usize)> = Vec::new();
        for (from, to) in same_lines(&old, &new) {
            match same.last_mut() {
                Some((a, b, count)) if (*a + *count, *b + *count) == (from, to) => *count += 1,
                _ => same.push((from, to, 1)),
            }
        }
        Lines { first, old: old.len(), new: new.len(), bytes, same }
    }

    /// Them in the text before and in the text after, which have to be those that were compared.
    pub(super) fn of<'t>(&self, old: &'t str, new: &'t str) -> (&'t str, &'t str) {
        (&old[self.bytes.0.clone()], &new[self.bytes.1.clone()])
    }

    /// How many were added and removed.
    pub(super) fn counts(&self) -> (usize, usize) {
        let same: usize = self.same.iter().map(|(.., count)| count).sum();
        (self.new - same, self.old - same)
    }

    /// Those that stay: their places before and after.
    pub(super) fn same(&self) -> impl Iterator<Item = (usize, usize)> {
        let pairs = |&(old, new, count): &(usize, usize, usize)| (old..old + count).zip(new..);
        self.same.iter().flat_map(pairs)
    }
}

/// The lines of two texts between those that begin and that end both: where they begin in both, and where they end in
/// each.
pub(super) fn middle_of(old: &str, new: &str) -> (usize, usize, usize) {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let same = byte_search::same_start(a, b);
    let head = memchr::memrchr(b'\n', &a[..same]).map_or(0, |at| at + 1);
    let head = if same == a.len() && same == b.len() { same } else { head };
    let same = byte_search::same_end(&a[head..], &b[head..]);
    // Back to where a line begins in both.
    let tail = &a[a.len() - same..];
    let begins = |len: usize| {
        let starts = |text: &[u8]| len == text.len() - head || text[text.len() - len - 1] == b'\n';
        starts(a) && starts(b)
    };
    let tail =
        if begins(same) { same } else { memchr::memchr(b'\n', tail).map_or(0, |at| same - at - 1) };
    (head, a.len() - tail, b.len() - tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_stay_are_paired_and_the_rest_counted() {
        let (old, new) = ("a\nb\nc\nd\ne\nf\n", "a\nB\nc\nd\nx\ne\nF\nf\n");
        let lines = Lines::between(old, new);
        assert_eq!((lines.first, lines.old, lines.new), (1, 4, 6));
        assert_eq!(lines.of(old, new), ("b\nc\nd\ne\n", "B\nc\nd\nx\ne\nF\n"));
        assert_eq!(lines.same().collect::<Vec<_>>(), [(1, 1), (2, 2), (3, 4)]);
        assert_eq!(lines.counts(), (3, 1));
        assert_eq!(Lines::between("a", "a").counts(), (0, 0));
        assert_eq!(Lines::between("", "a\nb").counts(), (2, 0));
    }
}
