//! Text as it lies in packs before it is compressed.
//!
//! A pack is a row of pieces, one for each of its entries, each ended by NUL: the article's
//! markup, and before it the line of the session's file that the entry was read from, where the pack
//! holds it (`[number] U+0001 line U+0002 fragment U+0000`). Both say mostly the same, so
//! both are written alike: the text in them as the reader sees it, what is JSON's or markup's own as
//! control characters. Compression then finds the text once, and a page gets smaller by a sixth
//! to a quarter. static/js/chunks/pack-text.js reads it.

use std::fmt::Write as _;

use crate::byte_search;
use crate::html::{OwnWords, reference};

pub(crate) use super::signs::PIECE_END;
use super::signs::{
    APOSTROPHE, CHILD, ESCAPE, LINE_BEGIN, LINE_END, QUOTE, REFERENCE, SPAN_END, SPANS, TAG_CLOSE,
    TAG_OPEN,
};

/// What [`ESCAPE`] adds.
const SHIFT: u8 = 0x40;

const SPAN_START: u8 = SPAN_END + 1;
const LAST_SPAN: u8 = 31;
const _: () = assert!(SPAN_START as usize + SPANS.len() <= LAST_SPAN as usize + 1);
const SPAN_OPEN: &str = "<span class=\"";
const SPAN_CLOSE: &str = "</span>";

/// How texts are escaped in markup, and what they are.
const REFERENCES: [(&str, u8); 5] =
    [("&amp;", b'&'), ("&lt;", b'<'), ("&gt;", b'>'), ("&quot;", b'"'), ("&#39;", b'\'')];

/// Bytes of a fragment that are written otherwise.
const CHANGED_IN_FRAGMENTS: [bool; 256] = {
    let mut table = [false; 256];
    let mut at = 0;
    while at <= APOSTROPHE as usize {
        table[at] = true;
        at += 1;
    }
    at = SPAN_END as usize;
    while at <= LAST_SPAN as usize {
        table[at] = true;
        at += 1;
    }
    table[b'<' as usize] = true;
    table[b'>' as usize] = true;
    table[b'"' as usize] = true;
    table[b'\'' as usize] = true;
    table[b'&' as usize] = true;
    table
};

/// Bytes of a line that are written otherwise.
const CHANGED_IN_LINES: [bool; 256] = {
    let mut table = [false; 256];
    let mut at = 0;
    let changed = [b'\n', b'\t', b'"', b'\\', ESCAPE, QUOTE];
    while at < changed.len() {
        table[changed[at] as usize] = true;
        at += 1;
    }
    table
};

/// Appends a fragment.
pub fn push_fragment(out: &mut Vec<u8>, fragment: &str) {
    let bytes = fragment.as_bytes();
    out.reserve(bytes.len());
    let mut copied = 0;
    let mut at = 0;
    // Of each open span whether a sign began it.
    let mut spans = Vec::new();
    while at < bytes.len() {
        let byte = bytes[at];
        if !CHANGED_IN_FRAGMENTS[usize::from(byte)] {
            at += 1;
            continue;
        }
        out.extend_from_slice(&bytes[copied..at]);
        let mut len = 1;
        match byte {
            b'<' => {
                let span = span(&fragment[at..], &mut spans);
                len = span.map_or(1, |(_, len)| len);
                out.push(span.map_or(TAG_OPEN, |(sign, _)| sign));
            }
            b'>' => out.push(TAG_CLOSE),
            b'"' => out.push(QUOTE),
            b'\'' => out.push(APOSTROPHE),
            b'&' => {
                let reference =
                    REFERENCES.iter().find(|(text, _)| bytes[at..].starts_with(text.as_bytes()));
                len = reference.map_or(1, |(text, _)| text.len());
                out.push(reference.map_or(REFERENCE, |(_, meant)| *meant));
            }
            _ => out.extend_from_slice(&[ESCAPE, byte + SHIFT]),
        }
        at += len;
        copied = at;
    }
    out.extend_from_slice(&bytes[copied..]);
}

/// The sign for a tag that a fragment goes on with, and the tag's length.
fn span(rest: &str, open: &mut Vec<bool>) -> Option<(u8, usize)> {
    if rest.starts_with(SPAN_CLOSE) {
        return open.pop()?.then_some((SPAN_END, SPAN_CLOSE.len()));
    }
    if !rest.starts_with("<span") {
        return None;
    }
    let sign = rest.strip_prefix(SPAN_OPEN).and_then(|rest| {
        let class = &rest[..memchr::memchr(b'"', rest.as_bytes())?];
        let sign = (SPAN_START..).zip(SPANS).find(|(_, known)| *known == class)?.0;
        rest[class.len()..].starts_with("\">").then_some((sign, SPAN_OPEN.len() + class.len() + 2))
    });
    open.push(sign.is_some());
    sign
}

/// The fragment that was appended so.
pub fn fragment(text: &str) -> String {
    let mut fragment = String::with_capacity(text.len() * 5 / 4);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let Ok(byte) = u8::try_from(character) else {
            fragment.push(character);
            continue;
        };
        match byte {
            TAG_OPEN => fragment.push('<'),
            TAG_CLOSE => fragment.push('>'),
            QUOTE => fragment.push('"'),
            APOSTROPHE => fragment.push('\''),
            REFERENCE => fragment.push('&'),
            SPAN_END => fragment.push_str(SPAN_CLOSE),
            SPAN_START..=LAST_SPAN => {
                let class = SPANS.get(usize::from(byte - SPAN_START)).copied();
                fragment.extend([SPAN_OPEN, class.unwrap_or_default(), "\">"]);
            }
            ESCAPE => {
                let shifted = characters.next().and_then(|next| u8::try_from(next).ok());
                fragment.extend(shifted.and_then(|byte| byte.checked_sub(SHIFT)).map(char::from));
            }
            _ => match REFERENCES.iter().find(|(_, meant)| *meant == byte) {
                Some((reference, _)) => fragment.push_str(reference),
                None => fragment.push(character),
            },
        }
    }
    fragment
}

/// Whether [`push_line`] can write a line: text without control characters that ends no escape halfway.
pub fn is_writable(line: &[u8]) -> bool {
    // Counted to the end: quicker than to stop at the first.
    let controls = line.iter().filter(|byte| **byte < b' ' && **byte != b'\r').count();
    let backslashes = line.iter().rev().take_while(|byte| **byte == b'\\').count();
    controls == 0 && backslashes % 2 == 0 && str::from_utf8(line).is_ok()
}

/// Appends a line for which [`is_writable`] holds.
pub fn push_line(out: &mut Vec<u8>, line: &[u8]) {
    out.reserve(line.len());
    let (mut copied, mut from) = (0, 0);
    while let Some(at) = memchr::memchr2(b'"', b'\\', &line[from..]).map(|at| from + at) {
        out.extend_from_slice(&line[copied..at]);
        let escaped = line.get(at + 1).filter(|_| line[at] == b'\\');
        let meant = match escaped {
            None => QUOTE,
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(sign @ (b'"' | b'\\')) => *sign,
            Some(_) => ESCAPE,
        };
        out.push(meant);
        from = at + 1 + usize::from(escaped.is_some());
        // Of another escape, what it escapes is copied.
        copied = if meant == ESCAPE { at + 1 } else { from };
    }
    out.extend_from_slice(&line[copied..]);
}

/// A part of a fragment that was appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part<'p> {
    /// As the reader sees it.
    Text(&'p str),
    /// As it lies in the pack; [`fragment`] gives it back.
    Tag(&'p str),
    /// Of a `span` that a sign of its own begins.
    SpanStart,
    SpanEnd,
}

/// Gives the text of a fragment that was appended, piece by piece, as
/// [`Html::visible_text`](crate::render::Html::visible_text) has it.
pub(crate) fn visible_pieces(packed: &[u8], mut give: impl FnMut(&str)) {
    let mut own_words = OwnWords::default();
    // Fragments are text.
    parts(str::from_utf8(packed).unwrap_or_default(), |part| match part {
        Part::Text(text) if !own_words.are_here() => give(text),
        Part::Text(_) => {}
        Part::Tag(tag) if tag.as_bytes().get(1) == Some(&b'/') => own_words.pass_end(),
        // Most tags: none of the page's own words are here, and none begin.
        Part::Tag(tag) if !own_words.are_here() && !tag.contains(" data-ui") => {}
        Part::Tag(tag) => own_words.pass(&fragment(tag)),
        Part::SpanStart => own_words.pass_start(),
        Part::SpanEnd => own_words.pass_end(),
    });
}

/// Gives the parts of a fragment that was appended.
pub(crate) fn parts(packed: &str, mut give: impl FnMut(Part<'_>)) {
    let mut rest = packed;
    while !rest.is_empty() {
        let text_end = byte_search::first(rest.as_bytes(), is_sign).unwrap_or(rest.len());
        let (text, behind) = rest.split_at(text_end);
        give(Part::Text(text));
        let Some(&sign) = behind.as_bytes().first() else { return };
        let mut len = 1;
        let mut buffer = [0; 4];
        give(match sign {
            TAG_OPEN => {
                len = tag_length(behind);
                Part::Tag(&behind[..len])
            }
            SPAN_START..=LAST_SPAN => Part::SpanStart,
            SPAN_END => Part::SpanEnd,
            REFERENCE => {
                let (meant, more) = reference(&behind[1..]).unwrap_or(('&', 0));
                len += more;
                Part::Text(meant.encode_utf8(&mut buffer))
            }
            ESCAPE => {
                let shifted = behind[1..].chars().next().unwrap_or_default();
                len = behind.len().min(1 + shifted.len_utf8());
                let meant = u8::try_from(shifted).ok().and_then(|byte| byte.checked_sub(SHIFT));
                Part::Text(meant.map_or("", |meant| char::from(meant).encode_utf8(&mut buffer)))
            }
            TAG_CLOSE => Part::Text(">"),
            QUOTE => Part::Text("\""),
            APOSTROPHE => Part::Text("'"),
            other => Part::Text(char::from(other).encode_utf8(&mut buffer)),
        });
        rest = &behind[len..];
    }
}

/// The text of what was appended without a tag.
#[cfg(feature = "cli")]
pub(crate) fn text(packed: &str) -> String {
    let mut all = String::with_capacity(packed.len());
    parts(packed, |part| {
        if let Part::Text(text) = part {
            all.push_str(text);
        }
    });
    all
}

/// The names and the values of a tag's attributes that have a value, which [`text`] gives back.
#[cfg(feature = "cli")]
pub(crate) fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut pieces = tag.split(char::from(QUOTE));
    std::iter::from_fn(move || {
        let name = pieces.next()?.strip_suffix('=')?;
        let name = name.rsplit(' ').next().unwrap_or(name);
        Some((name, pieces.next()?))
    })
}

/// Whether a byte may be other than text in what was appended; no text has other control characters.
#[expect(clippy::needless_bitwise_bool, reason = "looked for in blocks, without branches")]
fn is_sign(byte: u8) -> bool {
    (byte < b' ') & (byte != b'\n') & (byte != b'\t')
}

/// The length of the tag at the start of `packed`, quotes respected.
pub(crate) fn tag_length(packed: &str) -> usize {
    let mut is_quoted = false;
    for at in memchr::memchr2_iter(TAG_CLOSE, QUOTE, packed.as_bytes()) {
        if packed.as_bytes()[at] == QUOTE {
            is_quoted = !is_quoted;
        } else if !is_quoted {
            return at + 1;
        }
    }
    packed.len()
}

/// The line that was appended so.
pub fn line(text: &[u8]) -> Vec<u8> {
    let mut line = Vec::with_capacity(text.len() * 9 / 8);
    let mut copied = 0;
    for (at, &byte) in text.iter().enumerate() {
        if !CHANGED_IN_LINES[usize::from(byte)] {
            continue;
        }
        line.extend_from_slice(&text[copied..at]);
        copied = at + 1;
        line.extend_from_slice(match byte {
            b'\n' => b"\\n",
            b'\t' => b"\\t",
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            ESCAPE => b"\\",
            _ => b"\"",
        });
    }
    line.extend_from_slice(&text[copied..]);
    line
}

/// What a piece says of the file: whose line, and the line as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedLine<'p> {
    /// It is one of the sub-sessions' files.
    pub of_child: bool,
    /// From 1, in the element of the page that holds the other lines.
    pub number: usize,
    /// As it lies in the pack; [`line()`] gives it back.
    pub text: &'p [u8],
}

/// Appends where a line stands and the line itself. `before` is the number of the line before, if
/// that is of the same element.
pub fn push_numbered(
    out: &mut Vec<u8>,
    line: &[u8],
    of_child: bool,
    number: usize,
    before: Option<usize>,
) {
    if before.is_none_or(|before| before + 1 != number) {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = write!(text, "{}{number}", if of_child { "c" } else { "" });
        out.extend_from_slice(text.as_bytes());
    }
    out.push(LINE_BEGIN);
    push_line(out, line);
    out.push(LINE_END);
}

/// The lines of an unpacked pack; `None` if it is none.
pub fn lines(pack: &[u8]) -> Option<Vec<PackedLine<'_>>> {
    let mut lines = Vec::new();
    let (mut of_child, mut number) = (false, 0_usize);
    for piece in pack.split(|byte| *byte == PIECE_END) {
        let Some(begin) = memchr::memchr(LINE_BEGIN, piece) else { continue };
        let end = memchr::memchr(LINE_END, piece)?;
        let (place, text) = (&piece[..begin], piece.get(begin + 1..end)?);
        number = number.checked_add(1)?;
        if !place.is_empty() {
            of_child = place[0] == CHILD;
            number = str::from_utf8(&place[usize::from(of_child)..]).ok()?.parse().ok()?;
        }
        lines.push(PackedLine { of_child, number, text });
    }
    Some(lines)
}

/// The fragments of an unpacked pack.
pub fn fragments(pack: &str) -> Vec<String> {
    pieces(pack).map(|(_, packed)| fragment(packed)).collect()
}

/// The pieces of an unpacked pack: the line, where there is one, and the fragment, both as they lie there.
pub(crate) fn pieces(pack: &str) -> impl Iterator<Item = (Option<&str>, &str)> {
    let mut start = 0;
    // Behind the last end is nothing.
    let all = memchr::memchr_iter(PIECE_END, pack.as_bytes()).map(move |end| {
        let piece = &pack[start..end];
        start = end + 1;
        piece
    });
    all.map(|piece| match memchr::memchr(LINE_END, piece.as_bytes()) {
        Some(end) => {
            let begin = memchr::memchr(LINE_BEGIN, piece.as_bytes()).map_or(0, |at| at + 1);
            (piece.get(begin..end), &piece[end + 1..])
        }
        None => (None, piece),
    })
}

#[cfg(test)]
mod tests;
