//! Parts of a file that were read one after the other: together they may be all of it.

use std::collections::BTreeMap;

use crate::changes::facts::Part;

/// The lines that were read since the file may have changed.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// While nothing else happened; another one begins anew.
    era: usize,
    total: usize,
    lines: BTreeMap<usize, String>,
}

impl Parts {
    /// Adds a part. The whole text where no line is missing any more.
    pub(super) fn add(&mut self, part: &Part, era: usize) -> Option<String> {
        let lines = || (part.start..).zip(part.text.split('\n'));
        let differs =
            |(at, line): (usize, &str)| self.lines.get(&at).is_some_and(|own| own != line);
        if era != self.era || part.total != self.total || lines().any(differs) {
            *self = Parts { era, total: part.total, lines: BTreeMap::new() };
        }
        self.lines.extend(lines().map(|(at, line)| (at, line.to_owned())));
        let is_whole = self.lines.len() == self.total
            && self.lines.last_key_value().is_some_and(|(last, _)| *last == self.total);
        is_whole.then(|| {
            let lines = std::mem::take(self).lines;
            lines.into_values().collect::<Vec<_>>().join("\n")
        })
    }
}

/// Whether a part is of this text, which may have other ends of lines, and a newline more or less at its end.
pub(super) fn is_part_of(text: &str, part: &Part) -> bool {
    let mut newlines = memchr::memchr_iter(b'\n', text.as_bytes());
    let from = match part.start {
        0 | 1 => Some(0),
        start => newlines.nth(start - 2).map(|at| at + 1),
    };
    let mut own = from.into_iter().flat_map(|from| text[from..].split('\n'));
    let has_lines =
        part.text.split('\n').all(|line| bare(own.next().unwrap_or_default()) == bare(line));
    let count = memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
    has_lines && count.abs_diff(part.total) <= 1
}

fn bare(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}
