//! Tolerant JSON lines: every value of a file, its place, and what was wrong.
//!
//! Lines end at LF alone (U+2028 and U+2029 are text); a byte order mark, CR
//! before LF, blank lines and a missing last newline are no damage. What a
//! strict parser refuses is repaired beside the original where it can be. A file
//! whose lines end at CR alone, or that is one line, is read value by value.

use std::borrow::Cow;
use std::fmt;

use memchr::memmem;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::session::json::Json;
use crate::session::{Damage, DamageKind, Place};

use super::lost::Lost;
use super::repair::repair;

/// The fields that place an entry in its session.
#[derive(Debug, Default)]
pub(super) struct Envelope<'a> {
    pub(super) entry_type: Option<Json<'a>>,
    pub(super) id: Option<Json<'a>>,
    pub(super) parent_id: Option<Json<'a>>,
    pub(super) timestamp: Option<Json<'a>>,
    /// Whether it names its parent as another format does.
    names_parent: bool,
}

impl Envelope<'_> {
    /// Entries carry these beside their type, the parts of an entry do not.
    fn is_entry(&self) -> bool {
        let is_placed = self.names_parent
            || self.parent_id.is_some()
            || matches!(self.timestamp, Some(Json::String(_)));
        is_placed && self.entry_type.is_some()
    }
}

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

/// Hands every JSON value of `source` to `each`.
pub(super) fn scan(source: &[u8], mut each: impl FnMut(Value<'_>)) -> Scan {
    let mut scan = Scan::default();
    // Checked as a whole, which is many times as fast as line by line.
    let whole = str::from_utf8(source).ok();
    let mut start = if source.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let ends = memchr::memchr_iter(b'\n', source).chain([source.len()]);
    for (end, number) in ends.zip(1..) {
        let text = match whole {
            Some(whole) => Cow::Borrowed(&whole[start..end]),
            None => String::from_utf8_lossy(&source[start..end]),
        };
        let is_last = end == source.len();
        let own = matches!(text, Cow::Borrowed(_)).then_some(start);
        scan.line(&text, own, Line { number, is_last, ..Line::default() }, &mut each);
        start = end + 1;
    }
    scan
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
    /// A line that begins at `start`; `None` where its bytes are no UTF-8 and the text is not the file's.
    fn line(
        &mut self,
        text: &str,
        start: Option<usize>,
        mut line: Line,
        each: &mut impl FnMut(Value<'_>),
    ) {
        if start.is_none() {
            line.note(DamageKind::InvalidUtf8);
        }
        let part = Part { text, start, ends_line: true };
        self.part(part.trimmed(), &mut line, each);
        if line.values > 1 {
            line.note(DamageKind::Glued);
        }
        self.damage.extend(line.kinds.iter().map(|&kind| Damage { line: line.number, kind }));
    }

    /// As written, else repaired, else piece by piece where CR ends the lines.
    fn part(&mut self, part: Part<'_>, line: &mut Line, each: &mut impl FnMut(Value<'_>)) {
        let text = part.text;
        let spans = Spans::of(text);
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
                self.part(Part { text: piece, start, ends_line }.trimmed(), line, each);
            }
            return;
        }
        match mended.filter(|mended| mended.values.len() >= spans.values.len()) {
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
        for span in spans.values {
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
        let whole = spans.values.iter().filter(move |span| span.end <= end);
        whole.map(|span| Cow::Borrowed(&line[span.start..span.end])).collect()
    };
    let Some(broken) = spans.broken else { return (texts(line.len()), true) };
    let (repaired, repairs) = repair(line);
    let mended = (!repairs.is_empty()).then(|| Spans::of(&repaired));
    if let Some(mended) = mended.filter(|mended| mended.broken.is_none()) {
        let texts = mended.values.iter().map(|span| repaired[span.start..span.end].to_owned());
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
    values: Vec<Span<'a>>,
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
                        spans.values.push(Span { start, end, envelope });
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

/// A whole value, checked to its depths but kept only as far as [`Envelope`] goes.
struct Checked<'a>(Option<Envelope<'a>>);

impl<'de> Deserialize<'de> for Checked<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EnvelopeVisitor).map(Checked)
    }
}

/// A value that only has to be readable.
struct Readable;

impl<'de> Deserialize<'de> for Readable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReadableVisitor).map(|()| Readable)
    }
}

struct EnvelopeVisitor;

impl<'de> Visitor<'de> for EnvelopeVisitor {
    type Value = Option<Envelope<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        ReadableVisitor.visit_seq(seq).map(|()| None)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut envelope = Envelope::default();
        while let Some(key) = map.next_key::<Json<'de>>()? {
            let field = match key.as_str() {
                Some("type") => &mut envelope.entry_type,
                Some("id") => &mut envelope.id,
                Some("parentId") => &mut envelope.parent_id,
                Some("timestamp") => &mut envelope.timestamp,
                Some("parent_id" | "parentUuid") => {
                    envelope.names_parent = true;
                    map.next_value::<Readable>()?;
                    continue;
                }
                _ => {
                    map.next_value::<Readable>()?;
                    continue;
                }
            };
            *field = Some(map.next_value()?);
        }
        Ok(Some(envelope))
    }
}

struct ReadableVisitor;

impl<'de> Visitor<'de> for ReadableVisitor {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }
    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element::<Readable>()?.is_some() {}
        Ok(())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<Readable, Readable>()?.is_some() {}
        Ok(())
    }
}
