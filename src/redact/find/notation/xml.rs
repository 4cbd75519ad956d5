//! Names and values in XML and HTML: elements, attributes, cells side by side.

use std::ops::Range;

use crate::redact::bytes::find;

use super::lines::NotationLine;
use super::named::Named;
use super::value::{skip_spaces, string};

/// Longest tag that is gone over, in bytes.
const MAX_TAG: usize = 300;

/// Longest text of an element, in bytes.
const MAX_TEXT: usize = 4000;

/// The value that markup gives to a name.
pub(super) fn value(text: &[u8], named: &Named) -> Option<Range<usize>> {
    let name = &named.range;
    let before = &text[name.start.saturating_sub(24)..name.start];
    if opens_tag(before) {
        return element(text, name.end);
    }
    if text.get(name.end).is_some_and(|byte| b"\"'".contains(byte)) && is_labelled(before) {
        return beside_label(text, name.end + 1);
    }
    cell(text, name.end)
}

/// `<`, perhaps with a name space behind it.
fn opens_tag(before: &[u8]) -> bool {
    let before = match before.last() {
        Some(b':') => {
            let prefix = before[..before.len() - 1]
                .iter()
                .rev()
                .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-')
                .count();
            &before[..before.len() - 1 - prefix]
        }
        _ => before,
    };
    before.ends_with(b"<") || before.ends_with(b"&lt;")
}

/// `key="` and what else calls the thing by its name.
fn is_labelled(before: &[u8]) -> bool {
    let Some((quote, before)) = before.split_last() else { return false };
    // The last word of `hibernate.connection.password` alone is the name here.
    let labels: [&[u8]; 7] = [b"type=", b"key=", b"name=", b"Name=", b"Key=", b"id=", b"property="];
    b"\"'".contains(quote) && labels.iter().any(|label| before.ends_with(label))
}

/// `<password type="x">value</password>`
fn element(text: &[u8], at: usize) -> Option<Range<usize>> {
    let begin = tag_end(text, at)?;
    content(text, begin)
}

/// Behind the `>` of the tag that goes on at `at`; none for one without content.
fn tag_end(text: &[u8], at: usize) -> Option<usize> {
    let tag = &text[at..text.len().min(at + MAX_TAG)];
    if tag.first().is_some_and(|byte| !b"> \t\n\r&".contains(byte)) {
        return None;
    }
    if tag.starts_with(b"&gt;") {
        return Some(at + 4);
    }
    let len = memchr::memchr2(b'>', b'<', tag)?;
    // `SmallVector<Pass *, 16>` takes a type.
    let is_type = tag[..len].trim_ascii_start().first().is_some_and(|byte| b"*&,".contains(byte));
    let is_closed = len > 0 && tag[len - 1] == b'/';
    (tag[len] == b'>' && !is_closed && !is_type).then_some(at + len + 1)
}

/// Over white space, line breaks and what stands before a line's content.
pub(super) fn skip_breaks(text: &[u8], at: usize) -> usize {
    let spaced = skip_spaces(text, at);
    if !matches!(text.get(spaced), Some(b'\n' | b'\r')) {
        return spaced;
    }
    let next = NotationLine::of(text, spaced).and_then(|line| line.next(text));
    next.map_or(spaced, |line| line.first(text))
}

/// The text up to the tag that closes.
fn content(text: &[u8], begin: usize) -> Option<Range<usize>> {
    let mut begin = skip_breaks(text, begin);
    let is_data = text[begin..].starts_with(b"<![CDATA[");
    let rest = &text[begin..text.len().min(begin + MAX_TEXT)];
    if is_data {
        begin += 9;
        let len = find(&rest[9..], b"]]>")?;
        return Some(begin..begin + len);
    }
    let len = memchr::memchr2(b'<', b'\n', rest).unwrap_or(rest.len());
    // Markup within markup.
    let escaped = ["&lt;", "&#x3C;", "&#60;"];
    let len = escaped.iter().find_map(|sign| find(&rest[..len], sign.as_bytes())).unwrap_or(len);
    let is_open = rest[len..].starts_with(b"<") && !rest[len..].starts_with(b"</");
    let own = rest[..len].trim_ascii_end();
    (!is_open).then_some(begin..begin + own.len())
}

/// `value="x"` in the same tag, or the element's text.
fn beside_label(text: &[u8], at: usize) -> Option<Range<usize>> {
    let tag = &text[at..text.len().min(at + MAX_TAG)];
    let close = memchr::memchr2(b'>', b'<', tag)?;
    let attributes: [&[u8]; 5] = [b" value=", b" Value=", b"\tvalue=", b"\nvalue=", b" content="];
    let found = attributes.iter().find_map(|label| Some(find(&tag[..close], label)? + label.len()));
    if let Some(found) = found {
        return string(text, at + found);
    }
    let begin = tag_end_of(tag, close)? + at;
    let inner = skip_breaks(text, begin);
    let child: [&[u8]; 2] = [b"<value>", b"<Value>"];
    match child.iter().find(|tag| text[inner..].starts_with(tag)) {
        Some(tag) => content(text, inner + tag.len()),
        None => content(text, begin),
    }
}

fn tag_end_of(tag: &[u8], close: usize) -> Option<usize> {
    (tag[close] == b'>' && (close == 0 || tag[close - 1] != b'/')).then_some(close + 1)
}

/// `<td>Password</td><td>x</td>`, `<b>Password:</b> x`
fn cell(text: &[u8], at: usize) -> Option<Range<usize>> {
    let at = at + usize::from(text.get(at) == Some(&b':'));
    // A heading stands beside other headings.
    if !text[at..].starts_with(b"</") || text[at..].starts_with(b"</th>") {
        return None;
    }
    let len = text[at..].iter().take(40).position(|&byte| byte == b'>')?;
    let mut begin = skip_breaks(text, at + len + 1);
    for _ in 0..3 {
        if text.get(begin) != Some(&b'<') || text.get(begin + 1) == Some(&b'/') {
            break;
        }
        begin = skip_breaks(text, tag_end(text, begin + 1 + name_len(text, begin + 1))?);
    }
    begin = skip_spaces(text, begin);
    begin += usize::from(text.get(begin) == Some(&b':'));
    content(text, begin)
}

fn name_len(text: &[u8], at: usize) -> usize {
    text[at..].iter().take(40).take_while(|byte| byte.is_ascii_alphanumeric()).count()
}
