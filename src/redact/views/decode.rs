//! A text as it reads without escapes, color codes or percent signs.

use std::borrow::Cow;
use std::ops::Range;

use crate::redact::bytes::Bytes;

use super::rendered_text::SHOWN_OTHERWISE;
use super::view::View;

static READ_OTHERWISE: Bytes = SHOWN_OTHERWISE.and(b"\x1b%");

/// Whether a text with this byte may read otherwise in some view, those of `rendered_text.rs` among them.
pub(crate) fn may_read_otherwise(byte: u8) -> bool {
    READ_OTHERWISE.has(byte)
}

/// The text with one level of JSON escapes resolved. `None` without escapes.
/// Half surrogates become U+FFFD.
pub(crate) fn unescaped(text: &str) -> Option<View> {
    View::build(text, escapes(text).map(|(range, letter)| (range, Some(letter))))
}

/// [`unescaped`] without the way back.
pub(crate) fn unescaped_text(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(b'\\', text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    let mut at = first;
    while let Some((range, letter)) = next_escape(text.as_bytes(), at) {
        out.push_str(&text[copied..range.start]);
        out.push(letter);
        copied = range.end;
        at = copied;
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// The escapes of a text and what they stand for.
fn escapes(text: &str) -> impl Iterator<Item = (Range<usize>, char)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let found = next_escape(text.as_bytes(), at)?;
        at = found.0.end;
        Some(found)
    })
}

/// The first escape from `from` on and what it stands for.
#[inline]
fn next_escape(bytes: &[u8], from: usize) -> Option<(Range<usize>, char)> {
    let mut at = from;
    loop {
        let found = at + memchr::memchr(b'\\', &bytes[at..])?;
        if let Some((letter, len)) = escape(&bytes[found..]) {
            return Some((found..found + len, letter));
        }
        at = found + 1;
    }
}

/// What the escape at the start of `rest` stands for, and its length.
#[inline]
fn escape(rest: &[u8]) -> Option<(char, usize)> {
    let letter = match rest.get(1)? {
        b'"' => '"',
        b'\'' => '\'',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(rest),
        _ => return None,
    };
    Some((letter, 2))
}

fn unicode(rest: &[u8]) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = rest.get(at..at + 6)?.strip_prefix(b"\\u")?;
        let digits = std::str::from_utf8(digits).ok()?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
        u32::from_str_radix(digits, 16).ok()
    };
    let first = unit(0)?;
    if let (0xd800..0xdc00, Some(second @ 0xdc00..0xe000)) = (first, unit(6)) {
        let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return Some((char::from_u32(code)?, 12));
    }
    Some((char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 6))
}

/// The text without terminal sequences. `None` without any.
pub(crate) fn without_colors(text: &str) -> Option<View> {
    let mut at = 0;
    let pieces = std::iter::from_fn(|| {
        let start = at + memchr::memchr(0x1b, &text.as_bytes()[at..])?;
        at = sequence_end(text.as_bytes(), start);
        Some((start..at, None))
    });
    View::build(text, pieces)
}

/// Behind the terminal sequence that begins at `start`.
pub(crate) fn sequence_end(bytes: &[u8], start: usize) -> usize {
    let rest = &bytes[start + 1..];
    let len = match rest.first() {
        Some(b'[') => {
            let parameters =
                rest[1..].iter().take_while(|byte| (0x20..0x40).contains(*byte)).count();
            let ended = rest.get(1 + parameters).is_some_and(|byte| (0x40..0x7f).contains(byte));
            1 + parameters + usize::from(ended)
        }
        Some(b']') => match rest.iter().position(|&byte| matches!(byte, 0x07 | 0x1b | b'\n')) {
            Some(end) if rest[end] == 0x07 => end + 1,
            Some(end) if rest[end] == 0x1b && rest.get(end + 1) == Some(&b'\\') => end + 2,
            _ => 1,
        },
        Some(byte) if (0x20..0x7f).contains(byte) => 1,
        _ => 0,
    };
    start + 1 + len
}

/// The text with percent signs resolved where they stand for characters. `None` without any.
pub(crate) fn percent_decoded(text: &str) -> Option<View> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let pieces = std::iter::from_fn(|| {
        loop {
            let found = at + memchr::memchr(b'%', &bytes[at..])?;
            at = found + 1;
            if let Some((letter, len)) = percent(&bytes[found..]) {
                at = found + len;
                return Some((found..at, Some(letter)));
            }
        }
    });
    View::build(text, pieces)
}

/// The character at the start of `rest`, each of its bytes as `%` and two digits, and their length.
fn percent(rest: &[u8]) -> Option<(char, usize)> {
    let byte = |at: usize| {
        let digits = rest.get(at..at + 3)?.strip_prefix(b"%")?;
        Some(hex_digit(digits[0])? << 4 | hex_digit(digits[1])?)
    };
    let mut bytes = [byte(0)?, 0, 0, 0];
    let len = match bytes[0] {
        0..0x80 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf8 => 4,
        _ => return None,
    };
    for (at, slot) in bytes.iter_mut().enumerate().take(len).skip(1) {
        *slot = byte(at * 3)?;
    }
    let letter = std::str::from_utf8(&bytes[..len]).ok()?.chars().next()?;
    Some((letter, len * 3))
}

fn hex_digit(byte: u8) -> Option<u8> {
    let digit = char::from(byte).to_digit(16)?;
    u8::try_from(digit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_of_what_is_left_out_takes_no_memory_of_its_own() {
        let text = format!("a{}b\u{1b}[1m\u{1b}[0mc", "\0".repeat(100_000));
        let zeros = crate::redact::views::rendered_text::shown(&text).unwrap();
        assert_eq!((zeros.text.len(), zeros.units.len()), (text.len() - 100_000, 1));
        assert_eq!(zeros.base(&(0..2)), 0..100_002);
        assert_eq!(zeros.parts(&(0..2)), [0..1, 100_001..100_002]);
        let plain = without_colors(&text).unwrap();
        assert_eq!(plain.units.len(), 1);
        assert_eq!(plain.parts(&(100_001..100_003)), [100_001..100_002, 100_010..100_011]);
    }
}
