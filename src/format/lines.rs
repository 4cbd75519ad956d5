//! Tolerant JSON lines: every value of a file, its place, and what was wrong.
//!
//! Lines end at LF alone (U+2028 and U+2029 are text); a byte order mark, CR
//! before LF, blank lines and a missing last newline are no damage. What a
//! strict parser refuses is repaired beside the original where it can be.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::session::json::Json;
use crate::session::{Damage, DamageKind, Place};

use super::repair::repair;

/// The fields that place an entry in its session.
#[derive(Debug, Default)]
pub(super) struct Envelope<'a> {
    pub(super) entry_type: Option<Json<'a>>,
    pub(super) id: Option<Json<'a>>,
    pub(super) parent_id: Option<Json<'a>>,
    pub(super) timestamp: Option<Json<'a>>,
}

impl Envelope<'_> {
    /// Entries carry these beside their type, the parts of an entry do not.
    fn is_entry(&self) -> bool {
        self.parent_id.is_some() || matches!(self.timestamp, Some(Json::String(_)))
    }
}

/// One JSON value of the file.
#[derive(Debug)]
pub(super) struct Value<'a> {
    /// The line, counted from 1.
    pub(super) line: u32,
    /// Where its text lies.
    pub(super) place: Place,
    /// Its text.
    pub(super) text: &'a str,
    /// Its top-level fields; `None` when the value is no object.
    pub(super) envelope: Option<Envelope<'a>>,
}

/// What a scan leaves behind beside the values.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Texts that differ from the file's.
    pub(super) repaired: Vec<String>,
    /// What was wrong.
    pub(super) damage: Vec<Damage>,
}

/// Hands every JSON value of `source` to `each`.
pub(super) fn scan(source: &[u8], mut each: impl FnMut(Value<'_>)) -> Scan {
    let mut scan = Scan::default();
    let bom = if source.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut start = bom;
    for (bytes, line) in source[bom..].split(|&byte| byte == b'\n').zip(1..) {
        let is_last = start + bytes.len() == source.len();
        scan.line(Line { bytes, start, number: line, is_last }, &mut each);
        start += bytes.len() + 1;
    }
    scan
}

#[derive(Clone, Copy)]
struct Line<'a> {
    bytes: &'a [u8],
    start: usize,
    number: u32,
    is_last: bool,
}

impl Scan {
    fn line(&mut self, line: Line<'_>, each: &mut impl FnMut(Value<'_>)) {
        let lossy = String::from_utf8_lossy(line.bytes);
        let mut kinds = Vec::new();
        if matches!(lossy, Cow::Owned(_)) {
            kinds.push(DamageKind::InvalidUtf8);
        }
        let text = lossy.trim_matches(|c: char| c.is_ascii_whitespace());
        if text.is_empty() {
            return;
        }
        let mut spans = Spans::of(text);
        let mut mended = None;
        if spans.broken_at.is_some() {
            let (repaired, repairs) = repair(text);
            if !repairs.is_empty() {
                kinds.extend(repairs);
                mended = Some(repaired);
            }
        }
        let mended_text = mended.as_deref().unwrap_or(text);
        if mended.is_some() {
            spans = Spans::of(mended_text);
        }
        if spans.values.len() > 1 {
            kinds.push(DamageKind::Glued);
        }
        if spans.broken_at.is_some() {
            let torn = line.is_last && spans.cut_off;
            kinds.push(if torn { DamageKind::TornLastLine } else { DamageKind::NotJson });
        }
        self.damage.extend(kinds.iter().map(|&kind| Damage { line: line.number, kind }));

        let in_source = mended.is_none() && matches!(lossy, Cow::Borrowed(_));
        let indent =
            lossy.len() - lossy.trim_start_matches(|c: char| c.is_ascii_whitespace()).len();
        for span in spans.values {
            let text = &mended_text[span.start..span.end];
            let place = if in_source {
                Place::Source { start: line.start + indent + span.start, len: text.len() }
            } else {
                self.repaired.push(text.to_owned());
                Place::Repaired(self.repaired.len() - 1)
            };
            each(Value { line: line.number, place, text, envelope: span.envelope });
        }
    }
}

struct Span<'a> {
    start: usize,
    end: usize,
    envelope: Option<Envelope<'a>>,
}

/// The JSON values within one line.
struct Spans<'a> {
    values: Vec<Span<'a>>,
    /// Where something that is no JSON begins.
    broken_at: Option<usize>,
    /// Whether it merely ends too early.
    cut_off: bool,
}

impl<'a> Spans<'a> {
    /// Reads value after value. Behind something broken it goes on where the
    /// next entry seems to begin, as after a write that was cut short.
    fn of(text: &'a str) -> Spans<'a> {
        /// Attempts after a break, so that no line costs more than linear time.
        const ATTEMPTS: usize = 32;
        let mut spans = Spans { values: Vec::new(), broken_at: None, cut_off: false };
        let mut start = 0;
        let mut attempts = 0;
        while start < text.len() {
            let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter();
            let Some(value) = values.next() else { break };
            match value {
                Ok(Checked(envelope)) => {
                    let end = start + values.byte_offset();
                    let sought = spans.broken_at.is_some();
                    // An object found within a broken one may be a mere part of it.
                    if !sought || envelope.as_ref().is_some_and(Envelope::is_entry) {
                        spans.values.push(Span { start, end, envelope });
                    }
                    let rest = &text[end..];
                    start = end + (rest.len() - rest.trim_start().len());
                }
                Err(error) => {
                    if spans.broken_at.is_none() {
                        spans.broken_at = Some(start);
                        spans.cut_off = error.is_eof();
                    }
                    attempts += 1;
                    let mut entries =
                        text[start..].match_indices("{\"type\":").map(|(at, _)| start + at);
                    let next = entries.find(|&at| at > start);
                    match next.filter(|_| attempts < ATTEMPTS) {
                        Some(next) => start = next,
                        None => break,
                    }
                }
            }
        }
        spans
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
