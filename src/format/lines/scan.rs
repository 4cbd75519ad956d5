//! One line after the other: its values as they stand, repaired, or piece by piece.

use crate::format::lost::Lost;
use crate::format::repair::repair;
use crate::session::{Damage, DamageKind, Place};

use super::parsed::Keeps;
use super::values::Spans;

/// One JSON value of the file.
#[derive(Debug)]
pub(in crate::format) struct Value<'a> {
    /// The line, counted from 1.
    pub(in crate::format) line: u32,
    /// Which of the values on its line, counted from 1.
    pub(in crate::format) nth: u32,
    /// Where its text lies.
    pub(in crate::format) place: Place,
    /// Its text.
    pub(in crate::format) text: &'a str,
}

impl Value<'_> {
    /// A lasting id for a value that has none.
    pub(in crate::format) fn line_id(&self) -> String {
        line_id(self.line, self.nth)
    }
}

/// `line-12`, and `line-12.2` for the second value on that line.
pub(in crate::format) fn line_id(line: u32, nth: u32) -> String {
    if nth < 2 { format!("line-{line}") } else { format!("line-{line}.{nth}") }
}

/// What a scan leaves behind beside the values.
#[derive(Debug, Default)]
pub(in crate::format) struct Scan {
    /// Texts that differ from the file's.
    pub(in crate::format) repaired: Vec<String>,
    /// What was wrong.
    pub(in crate::format) damage: Vec<Damage>,
    /// What could not be read, in file order.
    pub(in crate::format) lost: Vec<Lost>,
}

/// What is known of the line that is being read.
#[derive(Default)]
pub(super) struct ScannedLine {
    pub(super) number: u32,
    pub(super) is_last: bool,
    pub(super) values: u32,
    pub(super) kinds: Vec<DamageKind>,
}

impl ScannedLine {
    pub(super) fn note(&mut self, kind: DamageKind) {
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
    }
}

/// A part of a line: all of it, or what stands between two CR.
#[derive(Clone, Copy)]
pub(super) struct Part<'t> {
    pub(super) text: &'t str,
    /// Where it begins in the file; `None` where the text is not the file's.
    pub(super) start: Option<usize>,
    pub(super) ends_line: bool,
}

impl<'t> Part<'t> {
    /// All of a line.
    pub(super) fn of_line(text: &'t str, start: Option<usize>) -> Part<'t> {
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
    pub(super) fn line<K: Keeps>(
        &mut self,
        part: Part<'_>,
        spans: Spans<K::Parsed<'_>>,
        mut line: ScannedLine,
        each: &mut dyn FnMut(Value<'_>, K::Parsed<'_>),
    ) {
        // Bytes that are no UTF-8: the text is not the file's.
        if part.start.is_none() {
            line.note(DamageKind::InvalidUtf8);
        }
        self.part::<K>(part, spans, &mut line, each);
        if line.values > 1 {
            line.note(DamageKind::Glued);
        }
        self.note(&line);
    }

    pub(super) fn note(&mut self, line: &ScannedLine) {
        self.damage.extend(line.kinds.iter().map(|&kind| Damage { line: line.number, kind }));
    }

    /// As written, else repaired, else piece by piece where CR ends the lines.
    pub(super) fn part<K: Keeps>(
        &mut self,
        part: Part<'_>,
        spans: Spans<K::Parsed<'_>>,
        line: &mut ScannedLine,
        each: &mut dyn FnMut(Value<'_>, K::Parsed<'_>),
    ) {
        let text = part.text;
        if spans.broken.is_none() {
            return self.hand_over::<K>(part, text, spans, line, each);
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
                self.part::<K>(piece, Spans::of(piece.text), line, each);
            }
            return;
        }
        match mended.filter(|mended| mended.len() >= spans.len()) {
            Some(mended) => {
                for kind in repairs {
                    line.note(kind);
                }
                let part = Part { start: None, ..part };
                self.hand_over::<K>(part, &repaired, mended, line, each);
            }
            None => self.hand_over::<K>(part, text, spans, line, each),
        }
    }

    fn hand_over<K: Keeps>(
        &mut self,
        part: Part<'_>,
        text: &str,
        spans: Spans<K::Parsed<'_>>,
        line: &mut ScannedLine,
        each: &mut dyn FnMut(Value<'_>, K::Parsed<'_>),
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
            each(Value { line, nth, place, text }, span.parsed);
        }
    }
}
