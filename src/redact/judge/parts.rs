//! Whether a part of a word is one of a token, or a word of a text.

use std::ops::Range;

/// Whether letters stand before a literal that begins with one.
pub(crate) fn is_within_word(view: &[u8], literal: &Range<usize>) -> bool {
    let before = literal.start.checked_sub(1).map(|at| view[at]);
    view[literal.start].is_ascii_alphanumeric()
        && before.is_some_and(|byte| byte.is_ascii_alphanumeric())
}

/// Nothing but hex digits.
pub(crate) fn is_hex(part: &[u8]) -> bool {
    part.iter().all(u8::is_ascii_hexdigit)
}

/// Letters and digits as no word has them.
pub(crate) fn is_random(part: &[u8]) -> bool {
    part.iter().any(u8::is_ascii_digit)
        && part.iter().any(u8::is_ascii_alphabetic)
        && !is_name(part)
}

/// Words, perhaps with a number behind each, joined by signs or by capitals: `step2_nextPart`.
pub(crate) fn is_name(part: &[u8]) -> bool {
    part.split(|byte| !byte.is_ascii_alphanumeric()).all(|part| {
        let digits = part.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let stem = &part[..part.len() - digits];
        let is_short = humps(stem).count() > 1 && humps(stem).any(|hump| hump.len() < 3);
        (stem.is_empty() || digits <= 2) && !is_short && humps(stem).all(is_word)
    })
}

/// The words in `camelCase`.
fn humps(part: &[u8]) -> impl Iterator<Item = &[u8]> {
    part.chunk_by(|left, right| !(left.is_ascii_lowercase() && right.is_ascii_uppercase()))
}

fn is_word(part: &[u8]) -> bool {
    let vowel = |byte: &u8| b"aeiouy".contains(&byte.to_ascii_lowercase());
    let is_cased =
        part.iter().skip(1).all(u8::is_ascii_lowercase) || part.iter().all(u8::is_ascii_uppercase);
    let most = if part[0].is_ascii_uppercase() { 12 } else { 16 };
    is_cased && part.len() <= most && (part.len() < 3 || part.iter().any(vowel))
}
