//! Values whose kind a word beside them tells, whatever they are called: parameters of AWS that
//! are `SecureString`s, the private parts of JSON Web Keys.

use std::ops::Range;

use crate::redact::bytes::{contains, find, rfind};

use super::value::{part, skip_spaces, string, string_or_word};
use super::xml::skip_breaks;

/// Bytes of an object before and behind the word.
const MAX_OBJECT: usize = 4_000;

/// Bytes of a command before and behind the word.
const MAX_COMMAND: usize = 400;

/// What a JSON Web Key calls its private parts.
const PRIVATE: [&[u8]; 7] = [b"d", b"k", b"p", b"q", b"dp", b"dq", b"qi"];

/// Shortest private part.
const MIN_PART: usize = 16;

/// The object around a word that is the only one of its kind in it so far.
fn object(text: &[u8], word: &Range<usize>) -> Option<Range<usize>> {
    let from = word.start.saturating_sub(MAX_OBJECT);
    let open = from + memchr::memrchr(b'{', &text[from..word.start])?;
    let rest = part(text, word.end..text.len().min(word.end + MAX_OBJECT));
    let close = word.end + memchr::memchr(b'}', rest).unwrap_or(rest.len());
    (!contains(&text[open..word.start], &text[word.clone()])).then_some(open..close)
}

/// The string behind a key in an object, of JSON or of a program.
fn member(text: &[u8], object: &Range<usize>, key: &[u8]) -> Option<Range<usize>> {
    let own = &text[object.clone()];
    let is_outside = |byte: Option<&u8>| {
        byte.is_none_or(|byte| !byte.is_ascii_alphanumeric() && !b"_-.".contains(byte))
    };
    memchr::memmem::find_iter(own, key).find_map(|at| {
        let behind = at + key.len();
        let before = at.checked_sub(1).map(|before| &own[before]);
        let quote = before.filter(|byte| b"\"'".contains(byte));
        (is_outside(before) && is_outside(own.get(behind))).then_some(())?;
        (quote.is_none() || own.get(behind) == quote).then_some(())?;
        let colon = skip_breaks(text, object.start + behind + usize::from(quote.is_some()));
        (text.get(colon) == Some(&b':')).then(|| string(text, skip_breaks(text, colon + 1)))?
    })
}

/// The value of a parameter of the type at `literal`: in JSON, in a line of words between tabs, in
/// a table, or an option of the command.
pub(super) fn parameter(text: &[u8], literal: &Range<usize>) -> Option<Range<usize>> {
    // A key of a storage account of Azure.
    if text[literal.clone()].starts_with(b"\"") {
        return member(text, &object(text, literal)?, b"value");
    }
    // `ConvertTo-SecureString`
    if literal.start.checked_sub(1).is_some_and(|at| text[at] == b'-') {
        return None;
    }
    let behind = literal.end + usize::from(text.get(literal.end) == Some(&b'"'));
    if text.get(literal.end) == Some(&b'"')
        && let Some(value) =
            object(text, literal).and_then(|object| member(text, &object, b"Value"))
    {
        return Some(value);
    }
    if text.get(literal.end) == Some(&b'\t') {
        return string_or_word(text, literal.end + 1).map(|value| value.range);
    }
    let far = text.len().min(behind + MAX_COMMAND);
    let rest = &text[behind..far];
    let value = || find(rest, b"--value").map(|at| behind + at);
    let before = || {
        let from = literal.start.saturating_sub(MAX_COMMAND);
        let near = &text[from..literal.start];
        find(near, b"--type").and_then(|_| rfind(near, b"--value")).map(|at| from + at)
    };
    let is_option = text[..literal.start].trim_ascii_end().ends_with(b"--type")
        || text[..literal.start].ends_with(b"--type=")
        || text[..literal.start].ends_with(b"--type \"");
    if is_option {
        let at = value().or_else(before)? + b"--value".len();
        let sign = skip_spaces(text, at);
        let at = sign + usize::from(text.get(sign) == Some(&b'='));
        return string_or_word(text, at).map(|value| value.range);
    }
    // A row of a table below, `|  Value | x |`, or the next field in YAML, `Value: x`.
    let row = behind + find(rest, b"Value")? + b"Value".len();
    let bar = skip_spaces(text, row);
    let is_field = text.get(bar) == Some(&b':') && part(text, behind..row).trim_ascii() == b"Value";
    (text.get(bar) == Some(&b'|') || is_field)
        .then(|| string_or_word(text, skip_spaces(text, bar + 1)))?
        .map(|value| value.range)
}

/// The private parts of the key whose type is at `literal`.
pub(super) fn web_key(text: &[u8], literal: &Range<usize>) -> Vec<Range<usize>> {
    let Some(object) = object(text, literal) else { return Vec::new() };
    let is_part = |range: &Range<usize>| {
        range.len() >= MIN_PART
            && text[range.clone()]
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_=".contains(byte))
    };
    PRIVATE.iter().filter_map(|key| member(text, &object, key)).filter(is_part).collect()
}
