//! Files that are one JSON array of the rows that other files have one a line: what `--verbose`
//! JSON output of agents is, on one line or indented.

use crate::byte_search;
use crate::format::spans::{Rows, Span};
use crate::progress::Steps;
use crate::session::DamageKind;

use super::parsed::Keeps;
use super::scan::{Part, Scan, ScannedLine, Value};
use super::values::Spans;

/// Whether a text begins with an array whose first item is an object.
pub(in crate::format) fn begins(text: &[u8]) -> bool {
    let Some((b'[', items)) = text.trim_ascii_start().split_first() else { return false };
    items.trim_ascii_start().first() == Some(&b'{')
}

/// The first objects of an array, each by its bytes; `None` where the text begins with no array.
pub(in crate::format) fn first_rows(text: &str, count: usize) -> Option<Vec<&str>> {
    begins(text.as_bytes()).then(|| {
        Rows::new(text, 0).take(count).map(|Span { start, end, .. }| &text[start..end]).collect()
    })
}

/// The text of a file.
#[derive(Clone, Copy)]
pub(super) struct Text<'t> {
    pub(super) whole: &'t str,
    /// Where it begins.
    pub(super) first: usize,
    /// Its bytes are those of the file, which are UTF-8.
    pub(super) is_files: bool,
}

impl Scan {
    /// The rows of the array that the file is. Nothing, and `false`, where it is none or more follows it.
    pub(super) fn array<K: Keeps>(
        &mut self,
        text: Text<'_>,
        steps: &Steps,
        each: &mut dyn FnMut(Value<'_>, K::Parsed<'_>),
    ) -> bool {
        let Text { whole: text, first, is_files } = text;
        if !begins(&text.as_bytes()[first..]) {
            return false;
        }
        let mut rows = Rows::new(text, first);
        let spans: Vec<Span> = rows.by_ref().collect();
        let end = rows.end();
        if !text[end.unwrap_or(text.len())..].trim_ascii().is_empty() {
            return false;
        }
        let (mut number, mut values) = (0, 0);
        let count = spans.len();
        for (nth, span) in spans.into_iter().enumerate() {
            let own = &text[span.start..span.end];
            steps.add(own.len());
            (number, values) = if span.line == number { (number, values) } else { (span.line, 0) };
            let is_torn = nth + 1 == count && end.is_none();
            let mut line =
                ScannedLine { number, is_last: is_torn, values, ..ScannedLine::default() };
            let found = Spans::of(own);
            if found.broken.is_some() && own.contains('\n') {
                // Between the parts of a value a newline is but a blank, within strings it is damage.
                let flat = own.replace('\n', " ");
                let part = Part { text: &flat, start: None, ends_line: true };
                self.part::<K>(part, Spans::of(&flat), &mut line, each);
            } else {
                let start = is_files.then_some(span.start);
                if !is_files && own.contains('\u{fffd}') {
                    line.note(DamageKind::InvalidUtf8);
                }
                let part = Part { text: own, start, ends_line: true };
                self.part::<K>(part, found, &mut line, each);
            }
            values = line.values;
            self.note(&line);
        }
        if end.is_none() && self.damage.iter().all(|one| one.kind != DamageKind::TornLastLine) {
            let number = byte_search::lines(&text.as_bytes()[first..]).count();
            let mut line = ScannedLine {
                number: u32::try_from(number).unwrap_or(u32::MAX),
                ..ScannedLine::default()
            };
            line.note(DamageKind::TornLastLine);
            self.note(&line);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::lines::scan;

    /// A row's text, its line, and its number on it.
    type Row = (String, u32, u32);

    fn read(text: &str) -> (Vec<Row>, Vec<(u32, DamageKind)>) {
        let mut rows = Vec::new();
        let scan = scan(text.as_bytes(), |value, _| {
            rows.push((value.text.to_owned(), value.line, value.nth));
        });
        (rows, scan.damage.iter().map(|damage| (damage.line, damage.kind)).collect())
    }

    #[test]
    fn rows_of_an_array_are_read_as_lines() {
        let row = |text: &str, line, nth| (text.to_owned(), line, nth);
        let flat = r#"[{"a":1},{"b":[2]}]"#;
        let expected = vec![row(r#"{"a":1}"#, 1, 1), row(r#"{"b":[2]}"#, 1, 2)];
        assert_eq!(read(flat), (expected, Vec::new()));
        let indented = "[\n  {\n    \"a\": 1\n  },\n  {\"b\": \"]\"}\n]\n";
        let expected = vec![row("{\n    \"a\": 1\n  }", 2, 1), row(r#"{"b": "]"}"#, 5, 1)];
        assert_eq!(read(indented), (expected, Vec::new()));
    }

    #[test]
    fn an_array_that_is_cut_off_gives_what_is_whole() {
        let (rows, damage) = read(r#"[{"a":1},{"b":{"c"#);
        assert_eq!((rows.len(), damage), (1, vec![(1, DamageKind::TornLastLine)]));
        let (rows, damage) = read("[{\"a\":1},\n");
        assert_eq!((rows.len(), damage), (1, vec![(1, DamageKind::TornLastLine)]));
    }

    #[test]
    fn an_array_on_a_line_among_others_is_no_file_of_rows() {
        let (rows, _) = read("[{\"a\":1}]\n{\"b\":2}\n");
        assert_eq!(rows.iter().map(|row| row.1).collect::<Vec<_>>(), [1, 2]);
    }
}
