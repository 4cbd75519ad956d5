//! A diff as markup.

use std::ops::Range;

use super::{Diff, FileDiff, LineChange, Row};
use crate::html::Html;
use crate::render::folded::{Preview, folded_lines};
use crate::render::numbered::{Gutter, digits};
use crate::render::output;

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

pub(super) fn diff(diff: &Diff<'_>) -> Html {
    let mut html = Html::new();
    for remark in &diff.remarks {
        html.push_markup("<p class=\"note\" data-ui>");
        html.push_markup(remark);
        html.push_markup("</p>\n");
    }
    for file in &diff.files {
        head(file, &mut html);
        html.push(&Listing::new(&file.rows).folded());
    }
    html
}

fn head(file: &FileDiff<'_>, html: &mut Html) {
    if !file.names.is_empty() {
        html.push_markup("<p class=\"diff-file\">");
        if let Some(verb) = file.verb {
            html.push_markup("<span data-ui>");
            html.push_markup(verb);
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
        html.push(&output::plain(&file.notes.join(
            "
",
        )));
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
