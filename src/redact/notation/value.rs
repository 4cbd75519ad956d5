//! Values as they are written: between quotes of all kinds, or bare.

use std::ops::Range;

/// Longest value between quotes, in bytes.
const MAX_QUOTED: usize = 4000;

/// Longest value without, in bytes.
const MAX_BARE: usize = 1000;

/// A value, and whether it stands between quotes.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) range: Range<usize>,
    pub(super) is_quoted: bool,
}

/// Spaces and tabs skipped.
pub(super) fn skip_spaces(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && matches!(text[at], b' ' | b'\t') {
        at += 1;
    }
    at
}

/// Spaces and line breaks skipped, at most a few.
pub(super) fn skip_blank(text: &[u8], at: usize) -> usize {
    at + part(text, at..text.len())
        .iter()
        .take(80)
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

/// The string that begins at `at`, whatever the language puts before its quote.
pub(super) fn string(text: &[u8], at: usize) -> Option<Range<usize>> {
    let prefixes: [&[u8]; 11] = [b"", b"b", b"r", b"u", b"f", b"N", b"@", b"E", b"L", b"rb", b"br"];
    let own = text.get(at..)?;
    let begin = prefixes.iter().find_map(|prefix| {
        let behind = at + prefix.len();
        let rest = text.get(behind..)?;
        let slashes = rest.iter().take(8).take_while(|&&byte| byte == b'\\').count();
        let is_quote = rest.get(slashes).is_some_and(|byte| b"\"'`".contains(byte));
        (own.starts_with(prefix) && is_quote).then_some((behind + slashes, slashes))
    });
    let (quote_at, slashes) = begin?;
    let quote = text[quote_at];
    if slashes == 0 && text[quote_at..].starts_with(&[quote; 3]) {
        let range = quoted(text, quote_at + 3, 0, quote)?;
        return Some(range);
    }
    quoted(text, quote_at + 1, slashes, quote)
}

/// To the quote that closes: one with as many backslashes before it.
pub(super) fn quoted(text: &[u8], from: usize, slashes: usize, quote: u8) -> Option<Range<usize>> {
    let mut at = from;
    let mut run = 0;
    while at < text.len() && at - from < MAX_QUOTED {
        match text[at] {
            b'\\' => run += 1,
            b'\n' | b'\r' => return None,
            byte if byte == quote && (run == slashes || slashes == 0 && run % 2 == 0) => {
                return Some(from..at - run);
            }
            _ => run = 0,
        }
        at += 1;
    }
    // Cut off: the closing quote is gone, the secret may be there whole.
    let is_cut = at == text.len() && at > from;
    is_cut.then_some(from..at - run)
}

/// The letters from `at` on up to white space, a quote or one of `stops`.
pub(super) fn bare(text: &[u8], at: usize, stops: &[u8]) -> Range<usize> {
    let ends = |byte: &u8| {
        byte.is_ascii_whitespace()
            || byte.is_ascii_control()
            || b"\"'`\\".contains(byte)
            || stops.contains(byte)
    };
    let len =
        part(text, at..text.len()).iter().take(MAX_BARE).take_while(|byte| !ends(byte)).count();
    at..at + len
}

/// Longest word in a sentence or a cell, in bytes.
const MAX_WORD: usize = 256;

/// A string, or a bare word without the signs that end a sentence.
pub(super) fn string_or_word(text: &[u8], at: usize) -> Option<Value> {
    let at = at + text.get(at..)?.iter().take(3).take_while(|&&byte| byte == b'*').count();
    if text.get(at).is_some_and(|byte| b"\"'`".contains(byte)) {
        let mut range = string(text, at)?;
        // Two backticks around a value.
        while range.start < range.end && text[range.start] == b'`' {
            range.start += 1;
        }
        return Some(Value { range, is_quoted: true });
    }
    let open: [&[u8]; 3] = ["“".as_bytes(), "„".as_bytes(), "«".as_bytes()];
    if let Some(sign) = open.iter().find(|sign| text[at..].starts_with(sign)) {
        let from = at + sign.len();
        let len = text[from..].iter().take(200).take_while(|byte| byte.is_ascii_graphic()).count();
        return Some(Value { range: from..from + len, is_quoted: true });
    }
    let near = &text[..text.len().min(at + MAX_WORD)];
    let mut range = bare(near, at, b"<>|");
    trim_end(text, &mut range);
    Some(Value { range, is_quoted: false })
}

/// Takes the signs off that end a sentence or a bracket.
pub(super) fn trim_end(text: &[u8], range: &mut Range<usize>) {
    while range.end > range.start && b".,;:)]}*".contains(&text[range.end - 1]) {
        range.end -= 1;
    }
}

/// The bytes of a range; none when it is none of the text's.
pub(super) fn part(text: &[u8], range: Range<usize>) -> &[u8] {
    text.get(range).unwrap_or_default()
}

/// The text of a range, if it is UTF-8.
pub(super) fn str<'a>(text: &'a [u8], range: &Range<usize>) -> Option<&'a str> {
    std::str::from_utf8(text.get(range.clone())?).ok()
}
