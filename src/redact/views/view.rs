//! A text that was made of another one, and the way back: where a range of it stands in the text
//! it came from.

use std::ops::Range;

/// One place where a view differs from what it was made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    view: usize,
    view_len: usize,
    base: usize,
    base_len: usize,
}

/// A text made of another one.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) text: String,
    pub(super) units: Vec<Unit>,
}

impl View {
    /// Where `range` of this view stands in the text it was made of.
    pub(crate) fn base(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.position(range.start, false);
        if range.is_empty() {
            return start..start;
        }
        start..self.position(range.end - 1, true)
    }

    /// The same without what the view leaves out within `range`.
    pub(crate) fn parts(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let first = self.units.partition_point(|unit| unit.view <= range.start);
        let gaps = self.units[first..].iter().take_while(|unit| unit.view < range.end);
        let mut start = range.start;
        let mut parts = Vec::new();
        for unit in gaps.filter(|unit| unit.view_len == 0) {
            parts.push(self.base(&(start..unit.view)));
            start = unit.view;
        }
        parts.push(self.base(&(start..range.end)));
        parts
    }

    /// Of the byte at `at`: where it begins, or where it has ended.
    fn position(&self, at: usize, end: bool) -> usize {
        let count = self.units.partition_point(|unit| unit.view <= at);
        let Some(unit) = count.checked_sub(1).map(|last| self.units[last]) else {
            return at + usize::from(end);
        };
        let into = at - unit.view;
        match (into < unit.view_len, end) {
            (true, false) => unit.base,
            (true, true) => unit.base + unit.base_len,
            (false, _) => unit.base + unit.base_len + into - unit.view_len + usize::from(end),
        }
    }

    /// Built from a text and its pieces that read otherwise, in order.
    pub(crate) fn build(
        text: &str,
        pieces: impl Iterator<Item = (Range<usize>, Option<char>)>,
    ) -> Option<Self> {
        let mut view = View::default();
        let mut copied = 0;
        for (piece, letter) in pieces {
            view.text.push_str(&text[copied..piece.start]);
            let start = view.text.len();
            // A run of what is left out is one: gigabytes of zeros take no list.
            if letter.is_none()
                && let Some(last) = view.units.last_mut().filter(|last| last.view == start)
            {
                last.base_len += piece.len();
                copied = piece.end;
                continue;
            }
            view.text.extend(letter);
            view.units.push(Unit {
                view: start,
                view_len: view.text.len() - start,
                base: piece.start,
                base_len: piece.len(),
            });
            copied = piece.end;
        }
        if view.units.is_empty() {
            return None;
        }
        view.text.push_str(&text[copied..]);
        Some(view)
    }
}
