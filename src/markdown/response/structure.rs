//! Headings below those of the document, footnotes of a response's own, and the end of an open fence.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use super::edits::Edits;
use super::number;

const MOST_LEVEL: usize = 6;

/// Whether a text may have a heading, a footnote or a fence: most responses are without.
pub(super) fn may_need_shape(text: &str) -> bool {
    let has = |piece: &str| memchr::memmem::find(text.as_bytes(), piece.as_bytes()).is_some();
    // Under the words of a heading, perhaps in a quote or a list.
    let is_underline = |line: &str| {
        let line = line.trim_matches([' ', '\t', '>']);
        !line.is_empty() && (line.bytes().all(|b| b == b'=') || line.bytes().all(|b| b == b'-'))
    };
    ["#", "```", "~~~", "[^"].into_iter().any(has) || text.lines().any(is_underline)
}

pub(super) fn shaped(text: &str, level: usize, own: &str) -> String {
    let mut edits = Edits::default();
    let mut heading: Option<Heading> = None;
    let mut depth = 0_usize;
    let mut open_fence = None;
    for (event, place) in super::parser(text).into_offset_iter() {
        match &event {
            Event::Start(Tag::Heading { level: was, .. }) => {
                let level = (number(*was) + level - 1).min(MOST_LEVEL);
                heading = Some(Heading {
                    level,
                    place: place.clone(),
                    last: place.start,
                    breaks: Vec::new(),
                });
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some(heading) = heading.take() {
                    heading.lower(text, &mut edits);
                }
            }
            Event::FootnoteReference(_) => edits.put(place.start + 2, own),
            Event::Start(Tag::FootnoteDefinition(_)) => {
                if let Some(at) = text[place.clone()].find("[^") {
                    edits.put(place.start + at + 2, own);
                }
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) if depth == 0 => {
                open_fence = open_end(text, &place);
            }
            _ => {}
        }
        if let Some(heading) = &mut heading {
            heading.pass(&event, &place);
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    let mut shaped = edits.applied(text);
    if let Some(fence) = open_fence {
        shaped.push('\n');
        shaped.push_str(&fence);
    }
    shaped
}

struct Heading {
    level: usize,
    place: Range<usize>,
    /// Where its words end so far.
    last: usize,
    /// Where its lines end.
    breaks: Vec<usize>,
}

impl Heading {
    fn pass(&mut self, event: &Event<'_>, place: &Range<usize>) {
        match event {
            Event::SoftBreak | Event::HardBreak => self.breaks.push(place.start),
            Event::Start(Tag::Heading { .. }) => {}
            _ => self.last = self.last.max(place.end.min(self.place.end)),
        }
    }

    fn lower(self, text: &str, edits: &mut Edits) {
        let marks = "#".repeat(self.level);
        let source = &text[self.place.clone()];
        if source.starts_with('#') {
            let old = source.bytes().take_while(|&byte| byte == b'#').count();
            edits.replace(self.place.start..self.place.start + old, marks);
            return;
        }
        // Underlined, perhaps of several lines: no level below two is written that way.
        edits.put(self.place.start, marks + " ");
        for at in self.breaks {
            let next = text[at..self.place.end].find(|c: char| !c.is_whitespace() && c != '>');
            edits.replace(at..at + next.unwrap_or(1).max(1), " ");
        }
        let end = text[..self.place.end].trim_end_matches(['\n', ' ']).len();
        edits.replace(self.last..end.max(self.last), "");
    }
}

/// The fence that ends a block of code which the text leaves open.
fn open_end(text: &str, place: &Range<usize>) -> Option<String> {
    if !text[place.end..].trim().is_empty() {
        return None;
    }
    let source = text[place.clone()].trim_start_matches(' ');
    let mark = source.chars().next()?;
    let length = source.chars().take_while(|&c| c == mark).count();
    let last = source.lines().skip(1).last().unwrap_or_default().trim();
    let is_closed = last.chars().count() >= length && last.chars().all(|c| c == mark);
    (!is_closed).then(|| mark.to_string().repeat(length))
}
