//! Tolerant JSON lines: every value of a file, its place, and what was wrong.
//!
//! Lines end at LF alone (U+2028 and U+2029 are text); a byte order mark, CR
//! before LF, blank lines and a missing last newline are no damage. What a
//! strict parser refuses is repaired beside the original where it can be. A file
//! whose lines end at CR alone, or that is one line, is read value by value. A file that is one
//! JSON array of rows is read as if each of them were a line.

mod array;

use std::borrow::Cow;
use std::convert::Infallible;
use std::ops::Range;

use memchr::memmem;

use crate::byte_search;
use crate::progress::{Progress, Steps, Task};
use crate::session::{Damage, DamageKind, Place};
use crate::workers::{Threads, Workers};

use super::envelope::{Checked, Envelope};
use super::lost::Lost;
use super::read_options::ReadOptions;
use super::repair::repair;

pub(super) use array::first_rows;

/// One JSON value of the file.
#[derive(Debug)]
pub(super) struct Value<'a> {
    /// The line, counted from 1.
    pub(super) line: u32,
    /// Which of the values on its line, counted from 1.
    pub(super) nth: u32,
    /// Where its text lies.
    pub(super) place: Place,
    /// Its text.
    pub(super) text: &'a str,
    /// Its top-level fields; `None` when the value is no object.
    pub(super) envelope: Option<Envelope<'a>>,
}

impl Value<'_> {
    /// A lasting id for a value that has none.
    pub(super) fn line_id(&self) -> String {
        line_id(self.line, self.nth)
    }
}

/// `line-12`, and `line-12.2` for the second value on that line.
pub(super) fn line_id(line: u32, nth: u32) -> String {
    if nth < 2 { format!("line-{line}") } else { format!("line-{line}.{nth}") }
}

/// What a scan leaves behind beside the values.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Texts that differ from the file's.
    pub(super) repaired: Vec<String>,
    /// What was wrong.
    pub(super) damage: Vec<Damage>,
    /// What could not be read, in file order.
    pub(super) lost: Vec<Lost>,
}

/// Hands every JSON value of `source` to `each`, in their order; they are read on all cores.
pub(super) fn scan(source: &[u8], each: impl FnMut(Value<'_>)) -> Scan {
    scan_counted(source, None, each)
}

/// The same, and tells how far it is.
fn scan_counted(
    source: &[u8],
    progress: Option<&Progress>,
    mut each: impl FnMut(Value<'_>),
) -> Scan {
    let mut scan = Scan::default();
    let first = if source.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let steps = Steps::new(progress.cloned(), Task::Parse, source.len() - first);
    // Checked as a whole, which is many times as fast as line by line.
    if let Ok(whole) = str::from_utf8(source) {
        if scan.array(array::Text { whole, first, is_files: true }, &steps, &mut each) {
            return scan;
        }
        scan.text(whole, first, &steps, &mut each);
        return scan;
    }
    if array::begins(&source[first..]) {
        let whole = &String::from_utf8_lossy(source);
        if scan.array(array::Text { whole, first, is_files: false }, &steps, &mut each) {
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
        let line_state = Line { number, is_last: !line.ends_with(b"\n"), ..Line::default() };
        scan.line(part, spans, line_state, &mut each);
    }
    scan
}

impl ReadOptions {
    /// As [`scan`], and tells who waits for it.
    pub(super) fn scan(&self, source: &[u8], each: impl FnMut(Value<'_>)) -> Scan {
        scan_counted(source, self.progress.as_ref(), each)
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

/// What is known of the line that is being read.
#[derive(Default)]
struct Line {
    number: u32,
    is_last: bool,
    values: u32,
    kinds: Vec<DamageKind>,
}

impl Line {
    fn note(&mut self, kind: DamageKind) {
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
    }
}

/// A part of a line: all of it, or what stands between two CR.
#[derive(Clone, Copy)]
struct Part<'t> {
    text: &'t str,
    /// Where it begins in the file; `None` where the text is not the file's.
    start: Option<usize>,
    ends_line: bool,
}

impl<'t> Part<'t> {
    /// All of a line.
    fn of_line(text: &'t str, start: Option<usize>) -> Part<'t> {
        Part { text, start, ends_line: true }.trimmed()
    }

    /// The same without the blanks around it.
    fn trimmed(self) -> Part<'t> {
        let is_blank = |c: char| c.is_ascii_whitespace();
        let behind = self.text.trim_start_matches(is_blank);
        let indent = self.text.len() - behind.len();
        Part {
            text: behind.trim_end_matches(is_blank),
            start: self.start.map(|start| start + indent),
            ..self
        }
    }
}

impl Scan {
    /// The lines of a file from the byte `first` on.
    fn text(&mut self, text: &str, first: usize, steps: &Steps, each: &mut impl FnMut(Value<'_>)) {
        let pieces = pieces(text, first);
        let read = |(): &mut (), nth: usize| {
            let Range { start, end } = pieces[nth];
            let mut lines = Vec::new();
            for line in byte_search::lines(&text.as_bytes()[start..end]) {
                let start = start + line.start;
                let line = &text[start..start + line.len()];
                let part = Part::of_line(line, Some(start));
                lines.push((part, Spans::of(part.text), !line.ends_with('\n')));
            }
            lines
        };
        let mut number = 0;
        let mut lengths = pieces.iter().map(Range::len);
        let take = |lines: Vec<_>| {
            steps.add(lengths.next().unwrap_or_default());
            for (part, spans, is_last) in lines {
                number += 1;
                self.line(part, spans, Line { number, is_last, ..Line::default() }, each);
            }
            Ok::<(), Infallible>(())
        };
        let Ok(()) = Workers::new(Threads::available(), || ()).run(pieces.len(), read, take);
    }

    fn line(
        &mut self,
        part: Part<'_>,
        spans: Spans<'_>,
        mut line: Line,
        each: &mut impl FnMut(Value<'_>),
    ) {
        // Bytes that are no UTF-8: the text is not the file's.
        if part.start.is_none() {
            line.note(DamageKind::InvalidUtf8);
        }
        self.part(part, spans, &mut line, each);
        if line.values > 1 {
            line.note(DamageKind::Glued);
        }
        self.note(&line);
    }

    fn note(&mut self, line: &Line) {
        self.damage.extend(line.kinds.iter().map(|&kind| Damage { line: line.number, kind }));
    }

    /// As written, else repaired, else piece by piece where CR ends the lines.
    fn part(
        &mut self,
        part: Part<'_>,
        spans: Spans<'_>,
        line: &mut Line,
        each: &mut impl FnMut(Value<'_>),
    ) {
        let text = part.text;
        if spans.broken.is_none() {
            return self.hand_over(part, text, spans, line, each);
        }
        let (repaired, repairs) = repair(text);
        let mended = (!repairs.is_empty()).then(|| Spans::of(&repaired));
        let is_whole = mended.as_ref().is_some_and(|mended| mended.broken.is_none());
        if !is_whole && text.contains('\r') {
            let mut from = 0;
            for piece in text.split('\r') {
                let start = part.start.map(|start| start + from);
                from += piece.len() + 1;
                let ends_line = part.ends_line && from > text.len();
                let piece = Part { text: piece, start, ends_line }.trimmed();
                self.part(piece, Spans::of(piece.text), line, each);
            }
            return;
        }
        match mended.filter(|mended| mended.len() >= spans.len()) {
            Some(mended) => {
                for kind in repairs {
                    line.note(kind);
                }
                let part = Part { start: None, ..part };
                self.hand_over(part, &repaired, mended, line, each);
            }
            None => self.hand_over(part, text, spans, line, each),
        }
    }

    fn hand_over(
        &mut self,
        part: Part<'_>,
        text: &str,
        spans: Spans<'_>,
        line: &mut Line,
        each: &mut impl FnMut(Value<'_>),
    ) {
        if let Some(broken) = &spans.broken {
            let is_torn = line.is_last && part.ends_line && broken.is_cut_off;
            line.note(if is_torn { DamageKind::TornLastLine } else { DamageKind::NotJson });
        }
        self.lost.extend(spans.lost.into_iter().map(|lost| Lost { line: line.number, ..lost }));
        for span in spans.first.into_iter().chain(spans.others) {
            let text = &text[span.start..span.end];
            let place = if let Some(start) = part.start {
                Place::Source { start: start + span.start, len: text.len() }
            } else {
                self.repaired.push(text.to_owned());
                Place::Repaired(self.repaired.len() - 1)
            };
            line.values += 1;
            let (line, nth) = (line.number, line.values);
            each(Value { line, nth, place, text, envelope: span.envelope });
        }
    }
}

/// The texts of a line's values, repaired where that makes it whole, and whether
/// that is all that stands there. Of a line that is cut off, or of several values,
/// what stands before the break; else nothing of one that holds something else.
pub(super) fn whole_values(line: &str) -> (Vec<Cow<'_, str>>, bool) {
    let spans = Spans::of(line);
    let texts = |end: usize| {
        let whole = spans.values().filter(move |span| span.end <= end);
        whole.map(|span| Cow::Borrowed(&line[span.start..span.end])).collect()
    };
    let Some(broken) = spans.broken else { return (texts(line.len()), true) };
    let (repaired, repairs) = repair(line);
    let mended = (!repairs.is_empty()).then(|| Spans::of(&repaired));
    if let Some(mended) = mended.filter(|mended| mended.broken.is_none()) {
        let texts = mended.values().map(|span| repaired[span.start..span.end].to_owned());
        return (texts.map(Cow::Owned).collect(), true);
    }
    if line.contains('\r') {
        let pieces: Vec<_> = line.split('\r').map(str::trim_ascii).map(whole_values).collect();
        let is_all = pieces.iter().all(|(_, is_all)| *is_all);
        return (pieces.into_iter().flat_map(|(texts, _)| texts).collect(), is_all);
    }
    let before = texts(broken.at);
    // An item of a list that goes over several lines stands before a comma, alone.
    let is_usable = broken.is_cut_off || before.len() > 1;
    (if is_usable { before } else { Vec::new() }, false)
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
    scan(lines, |_| holds = true);
    holds
}

/// Whether a file of whatever bytes holds what may be an entry.
pub(crate) fn holds_entries(source: &[u8]) -> bool {
    let mut holds = false;
    scan(source, |value| {
        holds |= value.envelope.is_some_and(|envelope| {
            envelope.entry_type.is_some() || envelope.id.is_some() || envelope.is_entry()
        });
    });
    holds
}

struct Span<'a> {
    start: usize,
    end: usize,
    envelope: Option<Envelope<'a>>,
}

/// Where a text is no JSON.
#[derive(Debug, Clone, Copy)]
struct Broken {
    at: usize,
    /// Whether it merely ends too early.
    is_cut_off: bool,
}

/// The JSON values within one line.
#[derive(Default)]
struct Spans<'a> {
    /// Apart from the others, since nearly every line is one value: a list for each line would be
    /// allocated by one thread and freed by another, which makes them wait for each other.
    first: Option<Span<'a>>,
    others: Vec<Span<'a>>,
    /// The first thing that is no JSON.
    broken: Option<Broken>,
    /// What seems to have been entries, their line still open.
    lost: Vec<Lost>,
}

impl<'a> Spans<'a> {
    /// Reads value after value. Behind something broken it goes on where the
    /// next entry seems to begin, as after a write that was cut short.
    ///
    /// Linear: an attempt that begins within an earlier one that failed is
    /// either within an object still open there, of which the parser allows
    /// 128, or within a string, where its own quote ended that attempt.
    fn of(text: &'a str) -> Spans<'a> {
        let mut spans = Spans::default();
        let mut start = 0;
        // Whether an object may be a mere part of something broken.
        let mut is_within = false;
        while start < text.len() {
            let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter();
            let Some(value) = values.next() else { break };
            match value {
                Ok(Checked(envelope)) => {
                    let end = start + values.byte_offset();
                    if !is_within || envelope.as_ref().is_some_and(Envelope::is_entry) {
                        spans.push(Span { start, end, envelope });
                        is_within = false;
                    }
                    start = text.len() - text[end..].trim_start().len();
                }
                Err(error) => {
                    spans.broken.get_or_insert(Broken { at: start, is_cut_off: error.is_eof() });
                    let next = spans.behind_break(text, start, is_within);
                    (start, is_within) = next;
                }
            }
        }
        spans
    }

    fn push(&mut self, span: Span<'a>) {
        match self.first {
            None => self.first = Some(span),
            Some(_) => self.others.push(span),
        }
    }

    fn values(&self) -> impl Iterator<Item = &Span<'a>> {
        self.first.iter().chain(&self.others)
    }

    fn len(&self) -> usize {
        self.values().count()
    }

    /// Where to go on behind what is broken at `start`, and whether that may be within it.
    fn behind_break(&mut self, text: &str, start: usize, is_within: bool) -> (usize, bool) {
        let rest = &text[start..];
        // A block that was never written.
        let zeros = rest.len() - rest.trim_start_matches('\0').len();
        let next = match zeros {
            0 => {
                start + memmem::find(&rest.as_bytes()[1..], b"{\"").map_or(rest.len(), |at| at + 1)
            }
            zeros => start + zeros,
        };
        let lost = Lost::read(&text[start..next]);
        if !is_within || lost.id.is_some() {
            self.lost.push(lost);
        }
        (next, !text[next..].starts_with('{') || zeros == 0)
    }
}
