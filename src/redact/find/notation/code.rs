//! Names and values in programs beyond a plain `name = "x"`: calls, fallbacks,
//! declarations, comparisons.
//!
//! `value` tries the forms in turn, for a string that a program gives to a name. Functions are told apart by their
//! first words: one that asks for what is named (`getPassword("x")`) gives no value, one that takes or passes it
//! does.

use std::ops::Range;

use crate::redact::bytes::{Words, begins, find};

use super::named::Named;
use super::value::{skip_blank, skip_spaces, string};

/// Longest expression between a name and the string that stands in for it, in bytes.
const MAX_EXPRESSION: usize = 80;

/// Bytes behind an operator in which the string's quote stands: options of a command, spaces.
const MAX_STRING_START: usize = 80;

/// First words of functions that ask for what is named, and do not set it.
#[rustfmt::skip]
static ASKING: Words = Words::of(&[
    "get", "find", "fetch", "read", "load", "has", "is", "parse", "remove", "delete", "clear",
    "expect", "next", "peek", "consume", "match", "create", "new", "make", "generate", "decode",
    "lookup", "require", "no", "extract", "describe", "it", "test", "print", "log", "t",
]);

/// Functions that take a value in case there is none, or put one in.
#[rustfmt::skip]
static TAKING: Words = Words::of(&[
    "unwrap_or", "unwrap_or_else", "unwrapOr", "getOrElse", "orElse", "or_else", "or", "getOrDefault", "fill", "type",
    "send_keys", "sendKeys", "setValue", "type_text", "toBe", "toEqual", "equals", "equal", "eq", "enter_text", "fill_in", "set",
]);

/// Functions that a string passes through.
#[rustfmt::skip]
static PASSING: Words = Words::of(&[
    "from", "String", "new", "Some", "SecretStr", "SecretString", "Secret", "Password", "Token", "of", "quote", "bytes",
    "str", "string", "toCharArray", "wrap", "just", "Just", "Buffer", "encodeURIComponent", "b", "sensitive",
]);

/// The string that a program gives to a name.
pub(super) fn value(text: &[u8], named: &Named) -> Option<Range<usize>> {
    let name = &named.range;
    called(text, name)
        .or_else(|| declared(text, name.end))
        .or_else(|| fallback(text, name.end))
        .or_else(|| passed(text, name.end))
        .or_else(|| compared(text, name.start))
}

/// `setPassword("x")`, `.password("x")`, `String password("x")`, `password{"x"}`.
fn called(text: &[u8], name: &Range<usize>) -> Option<Range<usize>> {
    let own = std::str::from_utf8(&text[name.clone()]).ok()?;
    let own = own.rsplit('.').next().unwrap_or(own);
    let first = own.find(|letter: char| letter.is_ascii_uppercase() || letter == '_');
    let first = first.filter(|&at| at > 0).map_or(own, |at| &own[..at]);
    if ASKING.has_exactly(first) {
        return None;
    }
    let open = text.get(name.end)?;
    let close = match open {
        b'(' => b')',
        b'{' => b'}',
        _ => return None,
    };
    let range = argument(text, skip_blank(text, name.end + 1))?;
    let behind = skip_blank(text, range.end + 1);
    // `token("x", …)` is a call of anything; a setter takes the value alone.
    let rest = &text[behind.min(text.len())..];
    let chars = [&b".toCharArray()"[..], b".to_string()", b".into()", b".to_owned()"];
    let skipped = chars.iter().find(|call| rest.starts_with(call)).map_or(0, |call| call.len());
    (rest.get(skipped) == Some(&close) || rest.is_empty()).then_some(range)
}

/// The string at `at`, or the one that a function there lets pass.
pub(super) fn argument(text: &[u8], at: usize) -> Option<Range<usize>> {
    if let Some(range) = string(text, at) {
        return Some(range);
    }
    let is_path = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.:&".contains(byte);
    let near = &text[at.min(text.len())..text.len().min(at + 48)];
    let near_text = near.strip_prefix(b"new ").unwrap_or(near);
    let skipped = near.len() - near_text.len();
    let len = near_text.iter().take_while(|byte| is_path(byte)).count();
    (near_text.get(len) == Some(&b'(')).then_some(())?;
    let path = std::str::from_utf8(&near_text[..len]).ok()?;
    let last = path.rsplit(['.', ':', '&']).next()?;
    PASSING.has_exactly(last).then_some(())?;
    string(text, skip_blank(text, at + skipped + len + 1))
}

/// `name string = "x"`, `name[32] = "x"`, `name VARCHAR DEFAULT 'x'`.
fn declared(text: &[u8], at: usize) -> Option<Range<usize>> {
    let is_type = |byte: &u8| byte.is_ascii_alphanumeric() || b"_*[]<>&'. ".contains(byte);
    if !matches!(text.get(at), Some(b' ' | b'[')) {
        return None;
    }
    let len = text[at..].iter().take(40).take_while(|byte| is_type(byte)).count();
    let equals = at + len;
    let is_assigned = text.get(equals) == Some(&b'=') && text.get(equals + 1) != Some(&b'=');
    let words = text[at..equals].trim_ascii();
    // A type is a word or two; a sentence has more.
    let is_type = !words.is_empty() && words.split(|&byte| byte == b' ').count() <= 2;
    (is_assigned && is_type).then(|| argument(text, skip_blank(text, equals + 1))).flatten()
}

/// `… || "x"`, `… ?? "x"`, `… ?: "x"`, `… or "x"`, `NAME") .unwrap_or("x")`.
fn fallback(text: &[u8], at: usize) -> Option<Range<usize>> {
    let mut at = at;
    let closers = text[at..].iter().take(6).take_while(|byte| b"\"'`)]".contains(byte)).count();
    at += closers;
    let is_method = text.get(at) == Some(&b'.');
    if is_method {
        return method(text, at + 1).or_else(|| {
            let len = name_len(text, at + 1);
            // `.to_string()` and the like in between.
            let behind = at + 1 + len;
            text[behind..].starts_with(b"()").then(|| method(text, behind + 3)).flatten()
        });
    }
    operand(text, at)
}

fn operand(text: &[u8], at: usize) -> Option<Range<usize>> {
    let spaced = skip_blank(text, at);
    let operators: [&[u8]; 5] = [b"||", b"??", b"?:", b"or ", b"//"];
    let operator = operators.iter().find(|operator| begins(&text[spaced..], operator))?;
    argument(text, skip_blank(text, spaced + operator.len()))
}

/// The string in `unwrap_or("x")`.
fn method(text: &[u8], at: usize) -> Option<Range<usize>> {
    let len = name_len(text, at);
    let name = std::str::from_utf8(text.get(at..at + len)?).ok()?;
    (TAKING.has_exactly(name) && text.get(at + len) == Some(&b'(')).then_some(())?;
    let mut begin = skip_blank(text, at + len + 1);
    if text.get(begin) == Some(&b'|') {
        let close = text[begin + 1..].iter().take(16).position(|&byte| byte == b'|')?;
        begin = skip_blank(text, begin + close + 2);
    }
    argument(text, begin)
}

fn name_len(text: &[u8], at: usize) -> usize {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    text.get(at..).unwrap_or_default().iter().take(32).take_while(|byte| is_name(byte)).count()
}

/// `name = expression || "x"`, `name: Secret::from("x")`, `name = ENV.fetch("K") { 'x' }`.
fn passed(text: &[u8], at: usize) -> Option<Range<usize>> {
    let mut at = at;
    at += text[at..].iter().take(3).take_while(|byte| b"\"'])".contains(byte)).count();
    let at = skip_spaces(text, at);
    let signs: [&[u8]; 7] = [b":=", b"=>", b"<-", b"||=", b"==", b"=", b":"];
    let rest = &text[at..];
    let behind = match signs.iter().find(|sign| begins(rest, sign)) {
        Some(sign) => skip_blank(text, at + sign.len()),
        // Ruby's block: `fetch("K") { 'x' }`
        None if rest.starts_with(b"{ ") => return string(text, skip_spaces(text, at + 1)),
        None => return None,
    };
    if let Some(range) = argument(text, behind) {
        return Some(range);
    }
    if text.get(behind) == Some(&b'(') {
        return string(text, skip_blank(text, behind + 1));
    }
    // No string stands in an expression without quotes.
    let near = &text[behind..text.len().min(behind + MAX_EXPRESSION + MAX_STRING_START)];
    memchr::memchr3(b'"', b'\'', b'`', near)?;
    let line = &near[..near.len().min(MAX_EXPRESSION)];
    let end = line.iter().position(|&byte| matches!(byte, b'\n' | b';')).unwrap_or(line.len());
    let secure = line[..end]
        .windows(22)
        .position(|part| part.eq_ignore_ascii_case(b"ConvertTo-SecureString"));
    if let Some(found) = secure {
        return secure_string(text, behind + found + 22);
    }
    let operators: [&[u8]; 4] = [b" || ", b" ?? ", b" ?: ", b" or "];
    let found = operators.iter().find_map(|sign| Some(find(&line[..end], sign)? + sign.len()))?;
    string(text, skip_spaces(text, behind + found))
}

/// The string of `ConvertTo-SecureString -String "x" -AsPlainText`.
pub(super) fn secure_string(text: &[u8], at: usize) -> Option<Range<usize>> {
    let mut at = skip_spaces(text, at);
    for option in ["-String ", "-AsPlainText ", "-Force "] {
        if text[at..].starts_with(option.as_bytes()) {
            at = skip_spaces(text, at + option.len());
        }
    }
    string(text, at)
}

/// `"x".equals(password)`
fn compared(text: &[u8], at: usize) -> Option<Range<usize>> {
    let before = &text[at.saturating_sub(200)..at];
    let calls: [&[u8]; 3] = [b"\".equals(", b"\" == ", b"' === "];
    let call = calls.iter().find(|call| before.ends_with(call))?;
    let end = before.len() - call.len();
    let quote = call[0];
    let start = memchr::memrchr(quote, &before[..end])? + 1;
    let from = at - before.len();
    (!before[start..end].contains(&b'\n')).then_some(from + start..from + end)
}
