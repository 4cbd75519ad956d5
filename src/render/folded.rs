//! Long content: the lines seen at once, the rest behind a fold that says how much it holds.

use std::ops::Range;

use askama::Template;

use super::fill_around;
use crate::figures::bytes;
use crate::html::Html;

/// How many lines are seen at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Preview {
    pub(super) first: usize,
    pub(super) last: usize,
}

impl Preview {
    /// Of what a program printed: how it began, and how it ended.
    pub(super) const PRINTED: Preview = Preview { first: 6, last: 6 };
    /// Of what a failed run printed: why it failed stands at the end.
    pub(super) const FAILED: Preview = Preview { first: 4, last: 16 };
    /// Of a text that is read from its beginning.
    pub(super) const TEXT: Preview = Preview { first: 12, last: 0 };
    /// Of a diff, which is what a reader came for.
    pub(super) const DIFF: Preview = Preview { first: 30, last: 0 };
}

/// A fold that hides fewer lines than this helps nobody.
const WORTH_FOLDING: usize = 8;

#[derive(Template)]
#[template(path = "folded.html")]
struct FoldedTemplate<'a> {
    first: Html,
    middle: Html,
    last: Html,
    lines: usize,
    size: &'a str,
}

/// Lines drawn by `draw`, which gets ranges that follow each other; `size` tells the bytes of a range.
pub(super) fn folded(
    lines: usize,
    preview: Preview,
    size: impl Fn(Range<usize>) -> usize,
    draw: impl FnMut(Range<usize>) -> Html,
) -> Html {
    folded_lines(lines, preview, |lines| (lines.len(), size(lines)), draw)
}

/// The same for units that may be several lines each; `size` tells the lines and the bytes of a range.
pub(super) fn folded_lines(
    units: usize,
    preview: Preview,
    size: impl Fn(Range<usize>) -> (usize, usize),
    mut draw: impl FnMut(Range<usize>) -> Html,
) -> Html {
    if units < preview.first + preview.last + WORTH_FOLDING {
        return draw(0..units);
    }
    let middle = preview.first..units - preview.last;
    let (hidden, hidden_bytes) = size(middle.clone());
    let template = FoldedTemplate {
        lines: hidden,
        size: &bytes(hidden_bytes),
        first: draw(0..middle.start),
        middle: draw(middle.clone()),
        last: if preview.last > 0 { draw(middle.end..units) } else { Html::new() },
    };
    fill_around(template, |template| &mut template.middle)
}
