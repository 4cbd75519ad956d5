//! The JSON values within one line, whole or broken.

use std::borrow::Cow;

use memchr::memmem;

use crate::format::envelope::Checked;
use crate::format::lost::Lost;
use crate::format::repair::repair;

use super::parsed::Parsed;

pub(super) struct Span<P> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) parsed: P,
}

/// Where a text is no JSON.
#[derive(Debug, Clone, Copy)]
pub(super) struct Broken {
    pub(super) at: usize,
    /// Whether it merely ends too early.
    pub(super) is_cut_off: bool,
}

/// The JSON values within one line.
pub(super) struct Spans<P> {
    /// Apart from the others, since nearly every line is one value: a list for each line would be
    /// allocated by one thread and freed by another, which makes them wait for each other.
    pub(super) first: Option<Span<P>>,
    pub(super) others: Vec<Span<P>>,
    /// The first thing that is no JSON.
    pub(super) broken: Option<Broken>,
    /// What seems to have been entries, their line still open.
    pub(super) lost: Vec<Lost>,
}

impl<P> Spans<P> {
    /// Reads value after value. Behind something broken it goes on where the
    /// next entry seems to begin, as after a write that was cut short.
    ///
    /// Linear: an attempt that begins within an earlier one that failed is
    /// either within an object still open there, of which the parser allows
    /// 128, or within a string, where its own quote ended that attempt.
    pub(super) fn of<'a>(text: &'a str) -> Spans<P>
    where
        P: Parsed<'a>,
    {
        let mut spans = Spans { first: None, others: Vec::new(), broken: None, lost: Vec::new() };
        let mut start = 0;
        // Whether an object may be a mere part of something broken.
        let mut is_within = false;
        while start < text.len() {
            let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter();
            let Some(value) = values.next() else { break };
            match value {
                Ok(parsed) => {
                    let end = start + values.byte_offset();
                    if !is_within || P::is_entry(&parsed) {
                        spans.push(Span { start, end, parsed });
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

    fn push(&mut self, span: Span<P>) {
        match self.first {
            None => self.first = Some(span),
            Some(_) => self.others.push(span),
        }
    }

    fn values(&self) -> impl Iterator<Item = &Span<P>> {
        self.first.iter().chain(&self.others)
    }

    pub(super) fn len(&self) -> usize {
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

/// The texts of a line's values, repaired where that makes it whole, and whether
/// that is all that stands there. Of a line that is cut off, or of several values,
/// what stands before the break; else nothing of one that holds something else.
pub(in crate::format) fn whole_values(line: &str) -> (Vec<Cow<'_, str>>, bool) {
    let spans: Spans<Checked<'_>> = Spans::of(line);
    let texts = |end: usize| {
        let whole = spans.values().filter(move |span| span.end <= end);
        whole.map(|span| Cow::Borrowed(&line[span.start..span.end])).collect()
    };
    let Some(broken) = spans.broken else { return (texts(line.len()), true) };
    let (repaired, repairs) = repair(line);
    let mended = (!repairs.is_empty()).then(|| Spans::<Checked<'_>>::of(&repaired));
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
