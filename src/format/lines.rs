//! Tolerant JSON lines: every value of a file, its place, and what was wrong.
//!
//! Lines end at LF alone (U+2028 and U+2029 are text); a byte order mark, CR
//! before LF, blank lines and a missing last newline are no damage. What a
//! strict parser refuses is repaired beside the original where it can be. A file
//! whose lines end at CR alone, or that is one line, is read value by value. A file that is one
//! JSON array of rows is read as if each of them were a line.

mod array;
mod parsed;
mod scan;
mod values;

use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::Range;

use crate::byte_search;
use crate::progress::{Progress, Steps, Task};
use crate::session::json::Json;
use crate::workers::Workers;

use super::envelope::Checked;
use super::read_options::ReadOptions;
use super::spans::Span;
use parsed::{Envelopes, Keeps, WholeValues};
use scan::{Part, ScannedLine};
use values::Spans;

pub(super) use array::{begins as begins_array, first_rows};
pub(super) use scan::{Scan, Value, line_id};
pub(super) use values::whole_values;

/// Hands every JSON value of `source` to `each`, in their order, with the fields that place it; they are read on
/// all cores.
pub(super) fn scan(source: &[u8], mut each: impl FnMut(Value<'_>, Checked<'_>)) -> Scan {
    scan_counted::<Envelopes>(source, None, &mut each)
}

/// The same with all of each value.
pub(super) fn scan_json(source: &[u8], mut each: impl FnMut(Value<'_>, Json<'_>)) -> Scan {
    scan_counted::<WholeValues>(source, None, &mut each)
}

/// The same, and tells how far it is.
fn scan_counted<K: Keeps>(
    source: &[u8],
    progress: Option<&Progress>,
    each: &mut dyn FnMut(Value<'_>, K::Parsed<'_>),
) -> Scan {
    let mut scan = Scan::default();
    let first = if source.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let steps = Steps::new(progress.cloned(), Task::Parse, source.len() - first);
    // Checked as a whole, which is many times as fast as line by line.
    if let Ok(whole) = str::from_utf8(source) {
        if scan.array::<K>(array::Text { whole, first, is_files: true }, &steps, each) {
            return scan;
        }
        scan.text::<K>(whole, first, &steps, each);
        return scan;
    }
    if array::begins(&source[first..]) {
        let whole = &String::from_utf8_lossy(source);
        if scan.array::<K>(array::Text { whole, first, is_files: false }, &steps, each) {
            return scan;
        }
    }
    for (line, number) in byte_search::lines(&source[first..]).zip(1..) {
        let start = first + line.start;
        let line = &source[start..start + line.len()];
        steps.add(line.len());
        let text = String::from_utf8_lossy(line);
        let own = matches!(text, Cow::Borrowed(_)).then_some(start);
        let part = Part::of_line(&text, own);
        let spans = Spans::of(part.text);
        let line_state =
            ScannedLine { number, is_last: !line.ends_with(b"\n"), ..ScannedLine::default() };
        scan.line::<K>(part, spans, line_state, each);
    }
    scan
}

impl ReadOptions {
    /// As [`scan`](scan()), and tells who waits for it.
    pub(super) fn scan(&self, source: &[u8], mut each: impl FnMut(Value<'_>, Checked<'_>)) -> Scan {
        scan_counted::<Envelopes>(source, self.progress.as_ref(), &mut each)
    }

    /// As [`scan_json`], and tells who waits for it.
    pub(super) fn scan_json(
        &self,
        source: &[u8],
        mut each: impl FnMut(Value<'_>, Json<'_>),
    ) -> Scan {
        scan_counted::<WholeValues>(source, self.progress.as_ref(), &mut each)
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Where lines begin and end that are read in one go, of at least so many bytes together.
fn pieces(text: &str, first: usize) -> Vec<Range<usize>> {
    const PIECE: usize = 256 * 1024;
    let mut pieces = Vec::with_capacity(text.len() / PIECE + 1);
    let mut start = first;
    while start < text.len() {
        let enough = text.len().min(start + PIECE);
        let end = memchr::memchr(b'\n', &text.as_bytes()[enough..]);
        let end = end.map_or(text.len(), |at| enough + at + 1);
        pieces.push(start..end);
        start = end;
    }
    pieces
}

impl Scan {
    /// The lines of a file from the byte `first` on.
    fn text<K: Keeps>(
        &mut self,
        text: &str,
        first: usize,
        steps: &Steps,
        each: &mut dyn FnMut(Value<'_>, K::Parsed<'_>),
    ) {
        let pieces = pieces(text, first);
        let read = |(): &mut (), nth: usize| {
            let Range { start, end } = pieces[nth];
            let mut lines = Vec::new();
            for line in byte_search::lines(&text.as_bytes()[start..end]) {
                let start = start + line.start;
                let line = &text[start..start + line.len()];
                let part = Part::of_line(line, Some(start));
                lines.push((part, Spans::<K::Parsed<'_>>::of(part.text), !line.ends_with('\n')));
            }
            lines
        };
        let mut number = 0;
        let mut lengths = pieces.iter().map(Range::len);
        let take = |lines: Vec<_>| {
            steps.add(lengths.next().unwrap_or_default());
            for (part, spans, is_last) in lines {
                number += 1;
                self.line::<K>(
                    part,
                    spans,
                    ScannedLine { number, is_last, ..ScannedLine::default() },
                    each,
                );
            }
            Ok::<(), Infallible>(())
        };
        let Ok(()) = Workers::new(K::threads(), || ()).run(pieces.len(), read, take);
    }
}

/// Hands over the value that lies there, repaired where it has to be. The damage that it gives is
/// counted from line 1 and is all of the line on which the value begins.
pub(super) fn value_at(text: &str, span: Span, each: impl FnOnce(Json<'_>)) -> Scan {
    let text = &text[span.start..span.end];
    // Between the parts of a value a newline is but a blank, within strings it is damage.
    let one_line =
        if text.contains('\n') { Cow::Owned(text.replace('\n', " ")) } else { Cow::Borrowed(text) };
    let mut each = Some(each);
    scan_json(one_line.as_bytes(), |_, json| {
        if let Some(each) = each.take() {
            each(json);
        }
    })
}

/// The values of a damaged line as they are read, where all of it can be.
pub(crate) fn repaired_values(line: &[u8]) -> Option<Vec<String>> {
    let text = String::from_utf8_lossy(line);
    let (texts, is_all) = whole_values(text.trim_ascii());
    is_all.then(|| texts.into_iter().map(Cow::into_owned).collect())
}

/// Whether anything of some lines can be read.
pub(crate) fn holds_values(lines: &[u8]) -> bool {
    let mut holds = false;
    scan(lines, |_, _| holds = true);
    holds
}

/// Whether a file of whatever bytes holds what may be an entry.
pub(crate) fn holds_entries(source: &[u8]) -> bool {
    let mut holds = false;
    scan(source, |_, Checked(envelope)| {
        holds |= envelope.is_some_and(|envelope| {
            envelope.entry_type.is_some() || envelope.id.is_some() || envelope.is_entry()
        });
    });
    holds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_values_are_those_whose_fields_are_read() {
        let entry = r#"{"type":"message","id":"a","parentId":null}"#;
        let part = r#"{"type":"text","text":"a"}"#;
        let timed = r#"{"type":"user","timestamp":"2026-01-01T00:00:00Z"}"#;
        for text in [
            format!("{entry}\n[1]\n{part}\n"),
            format!("{entry}{entry}\n{part}{timed}"),
            // Behind what is broken an entry is read, and a part of one is not.
            format!("{{\"type\":\"message\",\"content\":[{part},{entry}\n{timed}\n"),
            format!("{{\"content\":\"a{timed}{part}\n"),
            format!("[{entry},\n {part}]"),
        ] {
            let (mut some, mut all) = (Vec::new(), Vec::new());
            let checked = scan(text.as_bytes(), |value, Checked(fields)| {
                some.push((value.line, value.nth, value.text.to_owned(), fields.is_some()));
            });
            let whole = scan_json(text.as_bytes(), |value, json| {
                assert_eq!(serde_json::from_str::<Json<'_>>(value.text).ok(), Some(json.clone()));
                let is_object = matches!(json, Json::Object(_));
                all.push((value.line, value.nth, value.text.to_owned(), is_object));
            });
            assert_eq!(some, all, "{text}");
            assert_eq!(checked.damage, whole.damage, "{text}");
        }
    }
}
