//! Lines of a file with what changed in them, as the view Changes shows them: with colors and marked words.
//!
//! The numbers beside them are not here: the page's script writes them, which takes less room than to keep them.

use std::ops::Range;

use super::highlight::{self, Colored, Colors, Highlight};
use super::invisible;
use crate::changes::diff::{LineChange, Row, marked_rows};
use crate::html::Html;

/// Stands for a carriage return, of which a parser of HTML would make a line.
const CARRIAGE_RETURN: &str = "<i class=\"cr\"></i>";

/// Stands at the end of a last line that has no newline.
const NO_NEWLINE: &str = "<i class=\"no-newline\"></i>";

/// Draws lines, each with its newline where it has one. A line that is removed or added is an element. Each ends with
/// a newline, also the one that stands for a line without.
pub(crate) fn hunk(highlight: Highlight, language: &str, lines: &[(LineChange, &str)]) -> Html {
    // No grammar reads them: in the fast way those are for what the conversation shows.
    highlight::colored((highlight, 0), |colors| draw(colors, language, lines))
}

fn draw(colors: &mut Colors, language: &str, lines: &[(LineChange, &str)]) -> Html {
    // Each side is read as one text, so that a comment or a string of several lines is known as one.
    let [old, new] = [LineChange::Added, LineChange::Removed].map(|other| {
        let side = lines.iter().filter(|(change, _)| *change != other);
        side.map(|(_, text)| *text).collect::<String>()
    });
    let changes = |wanted| lines.iter().any(|(change, _)| *change == wanted);
    let old_language = if changes(LineChange::Removed) { language } else { "" };
    let (old, new) =
        (Colored::new(colors, &old, old_language), Colored::new(colors, &new, language));
    let rows =
        lines.iter().map(|&(change, text)| (change, text.strip_suffix('\n').unwrap_or(text)));
    let rows = marked_rows(rows);
    let mut html = Html::new();
    // Bytes passed of either side.
    let mut at = (0, 0);
    for (row, (change, line)) in rows.iter().zip(lines) {
        let (side, from) = match change {
            LineChange::Removed => (&old, at.0),
            _ => (&new, at.1),
        };
        push_row(row, side, from..from + row.text.len(), line.ends_with('\n'), &mut html);
        at.0 += if *change == LineChange::Added { 0 } else { line.len() };
        at.1 += if *change == LineChange::Removed { 0 } else { line.len() };
    }
    invisible::marked(html)
}

/// A row, which stands at `range` in the text of its side.
fn push_row(
    row: &Row<'_>,
    side: &Colored<'_>,
    range: Range<usize>,
    has_newline: bool,
    html: &mut Html,
) {
    let (open, close) = match row.kind {
        LineChange::Removed => ("<del>", "</del>"),
        LineChange::Added => ("<ins>", "</ins>"),
        LineChange::Same | LineChange::Skipped => ("", ""),
    };
    html.push_markup(open);
    let colored = |at: Range<usize>, html: &mut Html| {
        side.push_part(range.start + at.start..range.start + at.end, html);
    };
    let plain = |at: Range<usize>, html: &mut Html| html.push_text(&row.text[at]);
    let mut from = 0;
    for word in &row.words {
        push_lineless(row.text, from..word.start, colored, html);
        html.push_markup("<b class=\"w\">");
        push_lineless(row.text, word.clone(), plain, html);
        html.push_markup("</b>");
        from = word.end;
    }
    push_lineless(row.text, from..row.text.len(), colored, html);
    html.push_markup(if has_newline { "" } else { NO_NEWLINE });
    html.push_markup("\n");
    html.push_markup(close);
}

/// A part of a row, with an element for each carriage return in it.
fn push_lineless(
    text: &str,
    range: Range<usize>,
    push: impl Fn(Range<usize>, &mut Html),
    html: &mut Html,
) {
    let mut from = range.start;
    for at in memchr::memchr_iter(b'\r', &text.as_bytes()[range.clone()]) {
        push(from..range.start + at, html);
        html.push_markup(CARRIAGE_RETURN);
        from = range.start + at + 1;
    }
    push(from..range.end, html);
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAME: LineChange = LineChange::Same;
    const OUT: LineChange = LineChange::Removed;
    const IN: LineChange = LineChange::Added;

    fn drawn(language: &str, lines: &[(LineChange, &str)]) -> String {
        hunk(Highlight::Fast, language, lines).as_str().to_owned()
    }

    #[test]
    fn lines_have_colors_and_marked_words_without() {
        let html = drawn(
            "rust",
            &[(SAME, "fn a() {\n"), (OUT, "    let b = 4;\n"), (IN, "    let b = 12;\n")],
        );
        assert!(html.starts_with("<span class=\"k\">fn"), "{html}");
        assert!(
            html.contains("<b class=\"w\">4</b>") && html.contains("<b class=\"w\">12</b>"),
            "{html}"
        );
        assert_eq!((html.matches("<del>").count(), html.matches("<ins>").count()), (1, 1));
    }

    #[test]
    fn a_comment_goes_on_over_the_lines_of_its_side() {
        let html =
            drawn("rust", &[(SAME, "/* one\n"), (OUT, "two */\n"), (IN, "let x;\n"), (IN, "*/\n")]);
        assert!(html.contains("<span class=\"c\">let"), "{html}");
    }

    #[test]
    fn what_ends_a_line_is_kept() {
        assert_eq!(
            drawn("", &[(OUT, "a\r\n"), (IN, "a")]),
            "<del>a<i class=\"cr\"></i>\n</del><ins>a<i class=\"no-newline\"></i>\n</ins>"
        );
        assert_eq!(drawn("", &[(SAME, "a\rb\n")]), "a<i class=\"cr\"></i>b\n");
    }

    #[test]
    fn texts_are_escaped_and_invisible_signs_marked() {
        let html = drawn("", &[(IN, "<b>\u{202e}x\n")]);
        assert!(html.contains("&lt;b&gt;") && html.contains("class=\"unseen\""), "{html}");
    }
}
