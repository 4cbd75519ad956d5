//! Values as they are written: between quotes of all kinds, or bare.

use std::ops::Range;

use crate::redact::bytes::{Bytes, begins};

/// What ends every bare value: white space, control signs, quotes and backslashes.
const ENDS: Bytes = {
    let mut all = [0; 33];
    let mut byte = 0;
    while byte < 32 {
        all[byte as usize] = byte;
        byte += 1;
    }
    all[32] = 127;
    Bytes::of(&all).and(b" \"'`\\")
};

/// What ends a bare value, as far as nothing else may stand there.
pub(super) static IN_ENV: Bytes = ENDS;
/// Within programs and sentences.
pub(super) static IN_CODE: Bytes = ENDS.and(b",;)}]<>&|(");
/// Within markup and tables.
pub(super) static IN_MARKUP: Bytes = ENDS.and(b"<>|");
/// Within lists.
pub(super) static IN_LIST: Bytes = ENDS.and(b",[](){}");

/// What may begin a string: quotes, backslashes before one, letters that languages put there.
static BEGINS_STRING: Bytes = Bytes::of(b"\"'`\\brufN@EL");

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
    let own = text.get(at..)?;
    BEGINS_STRING.has(*own.first()?).then_some(())?;
    let prefix = match own {
        [b'r', b'b', ..] | [b'b', b'r', ..] => 2,
        [b'"' | b'\'' | b'`' | b'\\', ..] => 0,
        _ => 1,
    };
    let rest = &own[prefix..];
    let slashes = rest.iter().take(8).take_while(|&&byte| byte == b'\\').count();
    rest.get(slashes).is_some_and(|byte| b"\"'`".contains(byte)).then_some(())?;
    let quote_at = at + prefix + slashes;
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

/// The letters from `at` on up to one that ends a value.
pub(super) fn bare(text: &[u8], at: usize, ends: &Bytes) -> Range<usize> {
    let rest = part(text, at..text.len());
    let len = rest.iter().take(MAX_BARE).take_while(|byte| !ends.has(**byte)).count();
    at..at + len
}

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
    if let Some(sign) = open.iter().find(|sign| begins(part(text, at..text.len()), sign)) {
        let from = at + sign.len();
        let len = text[from..].iter().take(200).take_while(|byte| byte.is_ascii_graphic()).count();
        return Some(Value { range: from..from + len, is_quoted: true });
    }
    let mut range = bare(text, at, &IN_MARKUP);
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
