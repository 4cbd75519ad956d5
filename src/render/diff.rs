//! A diff as markup.

use std::ops::Range;

use super::folded::{Preview, folded_lines};
use super::numbered::{Gutter, digits};
use super::output;
use crate::changes::diff::{Diff, FileDiff, LineChange, Row};
use crate::html::Html;

/// How many lines that stay are seen beside a change.
const CONTEXT: usize = 3;

/// A fold that hides fewer lines that stay than this helps nobody.
const WORTH_FOLDING: usize = 4;

/// More lines that say something of a file are shown as printed text.
const FEW_NOTES: usize = 3;

/// What is drawn as one: a row, or a fold of rows that stay.
enum Unit {
    Row(usize),
    Kept(Range<usize>),
}

impl Diff<'_> {
    /// The diff as markup. Lines that stay and lie far from any change are in folds.
    pub(super) fn html(&self) -> Html {
        let mut html = Html::new();
        for remark in &self.remarks {
            html.push_markup("<p class=\"note\" data-ui>");
            html.push_markup(remark);
            html.push_markup("</p>\n");
        }
        for file in &self.files {
            head(file, &mut html);
            html.push(&Listing::new(&file.rows).folded());
        }
        html
    }
}

fn head(file: &FileDiff<'_>, html: &mut Html) {
    if !file.names.is_empty() {
        html.push_markup("<p class=\"diff-file\">");
        if let Some(verb) = file.verb {
            html.push_markup("<span data-ui>");
            html.push_markup(verb.word());
            html.push_markup(" </span>");
        }
        for (nth, name) in file.names.iter().enumerate() {
            html.push_markup(if nth > 0 { "<span data-ui> → </span><code>" } else { "<code>" });
            html.push_text(name);
            html.push_markup("</code>");
        }
        html.push_markup("</p>\n");
    }
    if file.notes.len() > FEW_NOTES {
        html.push(&output::plain(&file.notes.join("\n")));
        return;
    }
    for note in &file.notes {
        html.push(&output::notice(note));
    }
}

/// The rows of one file.
struct Listing<'a, 't> {
    rows: &'a [Row<'t>],
    units: Vec<Unit>,
    /// Digits of the largest number; 0 where no row has one.
    width: usize,
}

impl<'a, 't> Listing<'a, 't> {
    fn new(rows: &'a [Row<'t>]) -> Self {
        let largest = rows.iter().filter_map(|row| row.number).max();
        Listing { rows, units: units(rows), width: largest.map_or(0, digits) }
    }

    fn folded(&self) -> Html {
        folded_lines(
            self.units.len(),
            Preview::DIFF,
            |units| {
                let rows = self.rows_of(units);
                (rows.len(), self.rows[rows].iter().map(|row| row.text.len() + 1).sum())
            },
            |units| self.draw(units),
        )
    }

    /// The rows of units that follow each other.
    fn rows_of(&self, units: Range<usize>) -> Range<usize> {
        match (&self.units[units.start], &self.units[units.end - 1]) {
            (Unit::Row(from), Unit::Row(last)) => *from..last + 1,
            (Unit::Row(from), Unit::Kept(last)) => *from..last.end,
            (Unit::Kept(from), Unit::Row(last)) => from.start..last + 1,
            (Unit::Kept(from), Unit::Kept(last)) => from.start..last.end,
        }
    }

    fn draw(&self, units: Range<usize>) -> Html {
        let mut html = Html::new();
        let mut shown: Option<Range<usize>> = None;
        for unit in &self.units[units] {
            match unit {
                Unit::Row(row) => shown = Some(shown.map_or(*row, |rows| rows.start)..row + 1),
                Unit::Kept(rows) => {
                    html.push(&shown.take().map_or_else(Html::new, |rows| self.block(rows)));
                    html.push(&self.kept(rows.clone()));
                }
            }
        }
        html.push(&shown.map_or_else(Html::new, |rows| self.block(rows)));
        html
    }

    fn kept(&self, rows: Range<usize>) -> Html {
        let mut html = Html::new();
        html.push_markup("<details class=\"more\"><summary data-ui>");
        html.push_text(&rows.len().to_string());
        html.push_markup(" unchanged lines</summary>\n");
        html.push(&self.block(rows));
        html.push_markup("</details>\n");
        html
    }

    fn block(&self, rows: Range<usize>) -> Html {
        let (mut gutter, mut lines) = (Gutter::default(), Html::new());
        for row in &self.rows[rows] {
            let sign = match row.kind {
                LineChange::Removed => '-',
                LineChange::Added => '+',
                LineChange::Same | LineChange::Skipped => ' ',
            };
            let number = row.number.map(|number| number.to_string()).unwrap_or_default();
            gutter.push(format_args!("{sign}{number:>width$}", width = self.width), row.text);
            line(row, &mut lines);
        }
        gutter.beside_diff(&lines)
    }
}

/// Rows that stay and lie far from any change become folds.
fn units(rows: &[Row<'_>]) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut from = 0;
    while from < rows.len() {
        let same = rows[from..].iter().take_while(|row| row.kind == LineChange::Same).count();
        let to = from + same;
        let seen_from = if from > 0 { from + CONTEXT } else { from };
        let seen_to = if to < rows.len() { to.saturating_sub(CONTEXT) } else { to };
        if seen_from + WORTH_FOLDING <= seen_to {
            units.extend((from..seen_from).map(Unit::Row));
            units.push(Unit::Kept(seen_from..seen_to));
            units.extend((seen_to..to).map(Unit::Row));
        } else {
            units.extend((from..to).map(Unit::Row));
        }
        if to < rows.len() {
            units.push(Unit::Row(to));
        }
        from = to + 1;
    }
    units
}

/// One line, its newline within: removed and added lines are blocks of their own.
fn line(row: &Row<'_>, html: &mut Html) {
    let text = row.text.strip_suffix('\r').unwrap_or(row.text);
    let (open, close) = match row.kind {
        LineChange::Same => ("", "\n"),
        LineChange::Removed => ("<del>", "\n</del>"),
        LineChange::Added => ("<ins>", "\n</ins>"),
        LineChange::Skipped if text.is_empty() => ("<span class=\"skip\" data-ui>…", "</span>\n"),
        LineChange::Skipped => ("<span class=\"skip\">", "</span>\n"),
    };
    html.push_markup(open);
    let mut from = 0;
    for word in &row.words {
        html.push_text(&text[from..word.start]);
        html.push_markup("<b class=\"w\">");
        html.push_text(&text[word.clone()]);
        html.push_markup("</b>");
        from = word.end;
    }
    html.push_text(&text[from..]);
    html.push_markup(close);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The lines that a diff shows of one side.
    fn side(html: &str, wanted: &str, other: &str) -> usize {
        html.matches(wanted).count() + html.matches(other).count()
    }

    #[test]
    fn two_texts_are_compared() {
        let diff = Diff::between("quay\nberth = 4\npier\n", "quay\nberth = 12\npier\nbuoy\n");
        assert_eq!(diff.facts(), ["+2 \u{2212}1"]);
        let html = diff.html();
        assert_eq!(
            html.as_str(),
            "<div class=\"numbered diff\"><pre class=\"gutter\" data-ui aria-hidden=\"true\">\n \n-\n+\n \n+</pre><pre class=\"out\">\n\
             quay\n<del>berth = <b class=\"w\">4</b>\n</del><ins>berth = <b class=\"w\">12</b>\n</ins>pier\n<ins>buoy\n</ins></pre></div>\n"
        );
        assert_eq!(html.visible_text(), "\nquay\nberth = 4\nberth = 12\npier\nbuoy\n\n");
    }

    #[test]
    fn unchanged_lines_lie_in_a_fold_and_are_not_lost() {
        let old: Vec<String> = (0..60).map(|n| format!("line {n}")).collect();
        let mut new = old.clone();
        new[30] = "changed".to_owned();
        let (old, new) = (old.join("\n"), new.join("\n"));
        let html = Diff::between(&old, &new).html();
        assert!(
            html.as_str().contains("27 unchanged lines")
                && html.as_str().contains("26 unchanged lines"),
            "{html}"
        );
        let text = html.visible_text();
        assert!(old.lines().chain(new.lines()).all(|line| text.contains(line)));
    }

    #[test]
    fn carriage_returns_at_line_ends_add_no_lines() {
        let html = Diff::between("a\r\nb\r\n", "a\r\nc\r\n").html();
        assert_eq!(html.visible_text(), "\na\nb\nc\n\n");
    }

    #[test]
    fn twenty_thousand_changed_lines_stay_whole() {
        let text =
            |word: &str| (0..20_000).map(|n| format!("{word} {n}\n")).collect::<Vec<_>>().concat();
        let (old, new) = (text("old"), text("new"));
        let diff = Diff::between(&old, &new);
        assert_eq!(diff.counts(), (20_000, 20_000));
        assert!(diff.remarks.iter().any(|remark| remark.contains("words")));
        let html = diff.html();
        assert_eq!(side(html.as_str(), "<del>", "<ins>"), 40_000);
        assert!(
            html.visible_text().contains("old 19999\n")
                && html.visible_text().contains("new 19999\n")
        );
    }

    #[test]
    fn two_long_lines_stay_whole() {
        let (old, new) = ("tide ".repeat(200_000), "ebb ".repeat(250_000));
        let diff = Diff::between(&old, &new);
        assert_eq!(diff.counts(), (1, 1));
        let text = diff.html().visible_text();
        assert_eq!((text.matches("tide").count(), text.matches("ebb").count()), (200_000, 250_000));
    }

    /// Few different lines, so that many of them stay.
    fn some_text() -> impl Strategy<Value = String> {
        prop_oneof!["([ab<&\r] ?|\n){0,30}", "(x|y|tide 4|tide 12|\n){0,40}", any::<String>()]
    }

    proptest! {
        #[test]
        fn every_word_of_both_texts_is_drawn(old in some_text(), new in some_text()) {
            let diff = Diff::between(&old, &new);
            let shown = diff.html().visible_text();
            for word in old.split_whitespace().chain(new.split_whitespace()) {
                prop_assert!(shown.contains(&word.replace('\0', "\u{fffd}")), "{word:?} in {shown:?}");
            }
        }

        #[test]
        fn no_text_breaks_the_readers(text in some_text(), sign in "[-+ @*]{0,3}") {
            let lines: Vec<String> = text.split('\n').map(|line| format!("{sign}{line}")).collect();
            for start in ["", "*** Begin Patch\n*** Update File: a\n", "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-a\n", "+1 a\n"] {
                let whole = format!("{start}{}", lines.join("\n"));
                let Some(diff) = Diff::written(&whole) else { continue };
                let (html, shown) = (diff.html(), diff.html().visible_text());
                for word in text.split_whitespace().filter(|word| word.chars().all(char::is_alphanumeric)) {
                    // A number alone behind a sign is a line's number, and stands beside the text.
                    let number = word.parse::<u64>().is_ok_and(|number| html.as_str().contains(&number.to_string()));
                    prop_assert!(number || shown.contains(word), "{word:?} of {whole:?} in {shown:?}");
                }
            }
        }
    }
}
