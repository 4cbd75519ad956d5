//! Lines with a gutter beside them: numbers, and in a diff the signs.

use std::fmt::{Display, Write as _};

use crate::html::Html;

/// A gutter that is written line by line.
#[derive(Debug, Default)]
pub(super) struct Gutter(String);

impl Gutter {
    /// The mark of the line `text`.
    pub(super) fn push(&mut self, mark: impl Display, text: &str) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.0, "{mark}");
        // A carriage return within a line shows as a line of its own, which has no number.
        let text = text.strip_suffix('\r').unwrap_or(text);
        for _ in memchr::memchr_iter(b'\r', text.as_bytes()) {
            self.0.push('\n');
        }
    }

    /// The gutter and its lines side by side.
    pub(super) fn beside(&self, lines: &Html) -> Html {
        let mut html = Html::new();
        html.push_markup("<div class=\"numbered\">");
        self.frame(lines, &mut html);
        html
    }

    /// The same for a diff.
    pub(super) fn beside_diff(&self, lines: &Html) -> Html {
        let mut html = Html::new();
        html.push_markup("<div class=\"numbered diff\">");
        self.frame(lines, &mut html);
        html
    }

    fn frame(&self, lines: &Html, html: &mut Html) {
        // A parser drops the first newline of a `pre`: it must not be the text's own.
        html.push_markup("<pre class=\"gutter\" data-ui aria-hidden=\"true\">\n");
        html.push_text(self.0.strip_suffix('\n').unwrap_or(&self.0));
        html.push_markup("</pre><pre class=\"out\">\n");
        html.push(lines);
        html.push_markup("</pre></div>\n");
    }
}

/// How many digits a number takes.
pub(super) fn digits(number: usize) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_broken_by_a_carriage_return_takes_two_lines_of_the_gutter() {
        let mut gutter = Gutter::default();
        gutter.push(" 9", "one\rtwo\r");
        gutter.push("10", "three\r");
        let html = gutter.beside(&Html::text("one\rtwo\r\nthree"));
        assert!(html.as_str().contains("\n 9\n\n10</pre>"), "{html}");
        assert_eq!(html.visible_text(), "\none\ntwo\nthree\n");
    }

    #[test]
    fn digits_are_counted() {
        assert_eq!([0, 9, 10, 12_345].map(digits), [1, 1, 2, 5]);
    }
}
