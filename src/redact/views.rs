//! A text as it reads without escapes, colour codes or percent signs, and the
//! way back: where a range of it stands in the text it came from.

use std::ops::Range;

/// One place where a view differs from what it was made of.
#[derive(Debug, Clone, Copy)]
struct Unit {
    view: usize,
    view_len: usize,
    base: usize,
    base_len: usize,
}

/// A text made of another one.
#[derive(Debug, Default)]
pub(super) struct View {
    pub(super) text: String,
    units: Vec<Unit>,
}

impl View {
    /// Where `range` of this view stands in the text it was made of.
    pub(super) fn base(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.position(range.start, false);
        if range.is_empty() {
            return start..start;
        }
        start..self.position(range.end - 1, true)
    }

    /// Of the byte at `at`: where it begins, or where it has ended.
    fn position(&self, at: usize, end: bool) -> usize {
        let count = self.units.partition_point(|unit| unit.view <= at);
        let Some(unit) = count.checked_sub(1).map(|last| self.units[last]) else {
            return at + usize::from(end);
        };
        let into = at - unit.view;
        match (into < unit.view_len, end) {
            (true, false) => unit.base,
            (true, true) => unit.base + unit.base_len,
            (false, _) => unit.base + unit.base_len + into - unit.view_len + usize::from(end),
        }
    }

    /// Built from a text and its pieces that read otherwise, in order.
    pub(super) fn build(
        text: &str,
        pieces: impl Iterator<Item = (Range<usize>, Option<char>)>,
    ) -> Option<Self> {
        let mut view = View::default();
        let mut copied = 0;
        for (piece, letter) in pieces {
            view.text.push_str(&text[copied..piece.start]);
            let start = view.text.len();
            view.text.extend(letter);
            view.units.push(Unit {
                view: start,
                view_len: view.text.len() - start,
                base: piece.start,
                base_len: piece.len(),
            });
            copied = piece.end;
        }
        if view.units.is_empty() {
            return None;
        }
        view.text.push_str(&text[copied..]);
        Some(view)
    }
}

/// The text with one level of JSON escapes resolved. `None` without escapes.
/// Half surrogates become U+FFFD.
pub(super) fn unescaped(text: &str) -> Option<View> {
    let mut at = 0;
    let pieces = std::iter::from_fn(|| {
        loop {
            let found = at + memchr::memchr(b'\\', &text.as_bytes()[at..])?;
            at = found + 1;
            if let Some((letter, len)) = escape(&text.as_bytes()[found..]) {
                at = found + len;
                return Some((found..at, Some(letter)));
            }
        }
    });
    View::build(text, pieces)
}

/// What the escape at the start of `rest` stands for, and its length.
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
pub(super) fn without_colours(text: &str) -> Option<View> {
    let mut at = 0;
    let pieces = std::iter::from_fn(|| {
        let start = at + memchr::memchr(0x1b, &text.as_bytes()[at..])?;
        at = sequence_end(text.as_bytes(), start);
        Some((start..at, None))
    });
    View::build(text, pieces)
}

/// Behind the terminal sequence that begins at `start`.
pub(super) fn sequence_end(bytes: &[u8], start: usize) -> usize {
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

/// The text with percent signs resolved where they stand for ASCII. `None` without any.
pub(super) fn percent_decoded(text: &str) -> Option<View> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let pieces = std::iter::from_fn(|| {
        loop {
            let found = at + memchr::memchr(b'%', &bytes[at..])?;
            at = found + 1;
            let digits =
                bytes.get(found + 1..found + 3).and_then(|pair| std::str::from_utf8(pair).ok());
            let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            if let Some(code) = code.filter(|code| matches!(code, 0x20..0x7f | 9 | 10 | 13)) {
                at = found + 3;
                return Some((found..at, Some(char::from(code))));
            }
        }
    });
    View::build(text, pieces)
}
