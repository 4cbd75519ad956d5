//! What is rewritten of a response so that it reaches nothing beyond itself.
//!
//! The places come from the parser, with their offsets, and only they change. Two rules hold it together. What a
//! rewrite uncovers is found by the next pass, and never by guessing what the parser will make of it. And an escape is
//! put before a character, never in its place, so that no text is lost.

use std::collections::HashSet;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

use super::super::{escape, fence};
use crate::byte_search;
use crate::link;

/// Places of a text with what stands there instead.
#[derive(Debug, Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn put(&mut self, at: usize, words: impl Into<String>) {
        self.replace(at..at, words);
    }

    pub(super) fn replace(&mut self, place: Range<usize>, words: impl Into<String>) {
        self.0.push((place, words.into()));
    }

    /// The text with all of them; of those that overlap the first one counts, and the next pass finds the others.
    pub(super) fn applied(mut self, text: &str) -> String {
        self.0.sort_by_key(|(place, _)| (place.start, place.end));
        let mut out = String::with_capacity(text.len() + 16 * self.0.len());
        let mut at = 0;
        for (place, words) in self.0 {
            if place.start >= at {
                out.push_str(&text[at..place.start]);
                out.push_str(&words);
                at = place.end;
            }
        }
        out.push_str(&text[at..]);
        out
    }
}

/// An open link: where it is, its kind and address, and its label as far as it was read.
struct OpenLink<'t> {
    place: Range<usize>,
    kind: LinkType,
    address: CowStr<'t>,
    title: CowStr<'t>,
    label: Option<Range<usize>>,
}

/// All that is to be rewritten, as far as it shows.
pub(super) fn of(text: &str) -> Edits {
    let mut edits = Edits::default();
    let parser = super::parser(text);
    definitions(text, &parser, &mut edits);
    let footnotes = footnotes(text);
    let mut links: Vec<OpenLink<'_>> = Vec::new();
    let mut images = 0_usize;
    for (event, place) in parser.into_offset_iter() {
        if let (Some(link), false) = (links.last_mut(), matches!(event, Event::End(_))) {
            let from = link.label.as_ref().map_or(place.start, |label| label.start);
            link.label = Some(from..place.end.max(from));
        }
        match event {
            Event::Html(_) | Event::InlineHtml(_) => less_thans(text, place, &mut edits),
            Event::Text(_) if images == 0 => words(text, place, &mut edits),
            Event::Start(Tag::Image { .. }) => {
                if images == 0 {
                    image(text, place, !links.is_empty(), &mut edits);
                }
                images += 1;
            }
            Event::End(TagEnd::Image) => images = images.saturating_sub(1),
            Event::Start(Tag::Link { link_type, dest_url, title, .. }) => links.push(OpenLink {
                place,
                kind: link_type,
                address: dest_url,
                title,
                label: None,
            }),
            Event::End(TagEnd::Link) => {
                if let Some(open) = links.pop() {
                    close(text, open, &mut edits);
                }
            }
            Event::FootnoteReference(label) if !footnotes.contains(label.as_ref()) => {
                edits.put(place.start, "\\");
            }
            _ => {}
        }
    }
    edits
}

/// Definitions of links become text: links have their address themselves.
fn definitions(text: &str, parser: &pulldown_cmark::Parser<'_>, edits: &mut Edits) {
    for (_, definition) in parser.reference_definitions().iter() {
        if text[definition.span.clone()].starts_with('[') {
            edits.put(definition.span.start, "\\");
        }
    }
}

/// The names of the footnotes that the text has.
fn footnotes(text: &str) -> HashSet<String> {
    if !text.contains("[^") {
        return HashSet::new();
    }
    super::parser(text)
        .filter_map(|event| match event {
            Event::Start(Tag::FootnoteDefinition(label)) => Some(label.to_string()),
            _ => None,
        })
        .collect()
}

/// HTML as text. Its characters `<` alone make it HTML.
fn less_thans(text: &str, place: Range<usize>, edits: &mut Edits) {
    for at in memchr::memchr_iter(b'<', &text.as_bytes()[place.clone()]) {
        edits.put(place.start + at, "\\");
    }
}

/// Whether a character may begin what [`words`] rewrites.
#[expect(clippy::needless_bitwise_bool, reason = "looked for in blocks, without branches")]
fn is_mark(byte: u8) -> bool {
    (byte == b'<') | (byte == b'!') | (byte == b'[') | escape::may_refer(byte)
}

/// What other readers of Markdown may take for HTML or an image, and what GitHub makes of `@name` and `#123`.
fn words(text: &str, place: Range<usize>, edits: &mut Edits) {
    let bytes = text.as_bytes();
    let mut behind = place.start;
    while let Some(found) = byte_search::first(&bytes[behind..place.end], is_mark) {
        let at = behind + found;
        behind = at + 1;
        let before = text[..at].chars().next_back();
        let next = text[behind..].chars().next();
        let is_escaped = at == place.start && before == Some('\\');
        let opens = match bytes[at] {
            b'<' if behind < place.end => {
                next.is_some_and(|next| next.is_ascii_alphabetic() || "/!?".contains(next))
            }
            b'!' => behind < place.end && next == Some('['),
            // A footnote of another response.
            b'[' => next == Some('^'),
            _ => false,
        };
        if opens && !is_escaped {
            edits.put(at, "\\");
        }
        if escape::is_reference(before, char::from(bytes[at]), next) {
            edits.put(behind, escape::JOINER);
        }
    }
}

/// An image as a link to it; within a link, which cannot hold one, as its description.
fn image(text: &str, place: Range<usize>, in_link: bool, edits: &mut Edits) {
    if !text[place.clone()].starts_with("![") {
        return;
    }
    let is_empty = text[place.start..].starts_with("![]");
    let mark = place.start..place.start + 1;
    match (in_link, is_empty) {
        (false, false) => edits.replace(mark, ""),
        (false, true) => edits.replace(place.start..place.start + 2, "[image"),
        (true, _) => {
            let label = text[place.start + 2..place.end].split(']').next().unwrap_or_default();
            let label = if label.is_empty() { "image" } else { label };
            edits.replace(place, escape::line(label));
        }
    }
}

/// A link that nobody should follow becomes its label with the address beside it; one that refers to a definition gets
/// the address itself.
fn close(text: &str, link: OpenLink<'_>, edits: &mut Edits) {
    let OpenLink { place, kind, address, title, label } = link;
    let is_safe = link::is_safe(&address);
    match kind {
        LinkType::Autolink | LinkType::Email if !is_safe => edits.put(place.start, "\\"),
        LinkType::Autolink | LinkType::Email => {}
        _ if !text[place.clone()].starts_with('[') => {}
        _ => {
            let label = label.unwrap_or(place.start + 1..place.start + 1);
            let rest = label.end..place.end;
            if !is_safe {
                edits.replace(place.start..place.start + 1, "");
                edits.replace(rest, beside(&text[label], &address));
            } else if kind != LinkType::Inline {
                edits.replace(rest, format!("]({}{})", encoded(&address), titled(&title)));
            }
        }
    }
}

/// The address in text, where the label does not say it.
fn beside(label: &str, address: &str) -> String {
    let address = address.trim();
    if address.is_empty() || label.trim().trim_matches('`') == address {
        return String::new();
    }
    format!(" ({})", fence::inline(address))
}

fn titled(title: &str) -> String {
    if title.is_empty() {
        return String::new();
    }
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    format!(" \"{}\"", title.replace('\\', "\\\\").replace('"', "\\\""))
}

/// An address that ends where the link does.
fn encoded(address: &str) -> String {
    let mut out = String::with_capacity(address.len());
    for c in address.chars() {
        match c {
            ' ' => out.push_str("%20"),
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            c => out.push(c),
        }
    }
    out
}
