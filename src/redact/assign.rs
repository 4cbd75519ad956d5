//! A secret's name and what is assigned to it, in any notation of files,
//! shells and programs: `.env`, JSON, YAML, TOML, connection strings, headers,
//! `--password x`, `set("TOKEN", "x")`.

use std::ops::Range;

use super::names::{self, MAX_NAME, Promise};
use super::plausible::{self, Setting};

/// Longest value between quotes, in bytes.
const MAX_VALUE: usize = 4000;

/// Longest value without, in bytes.
const MAX_BARE: usize = 1000;

/// Words that belong to the name before them or behind them: `API key: x`.
const SPACED: &[&str] = &["api", "access", "secret", "private", "auth", "encryption", "signing"];

/// How the value is parted from its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Equals,
    Colon,
    /// `("NAME", "value")`
    Comma,
    /// `--password value`, `login me password value`
    Space,
}

/// The value assigned to the name in which the word at `word` stands, if it is a secret.
pub(super) fn value(text: &[u8], word: Range<usize>) -> Option<Range<usize>> {
    let (promise, name) = name(text, &word)?;
    let (sign, at) = sign(text, &name)?;
    let (range, setting) = read_value(text, &name, sign, at)?;
    let value = std::str::from_utf8(&text[range.clone()]).ok()?;
    if sign == Sign::Comma && !(value.len() >= 8 && plausible::entropy(value.as_bytes()) >= 2.7) {
        return None;
    }
    let own = std::str::from_utf8(&text[name]).ok()?.trim_start_matches('-');
    // What test runners print before a test's name.
    if own.eq_ignore_ascii_case("pass") && sign == Sign::Colon && !setting.quoted {
        return None;
    }
    let repeats = value.eq_ignore_ascii_case(own);
    (!repeats && plausible::is_secret(value, promise, setting)).then_some(range)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// The whole name around a word, and what it promises.
fn name(text: &[u8], word: &Range<usize>) -> Option<(Promise, Range<usize>)> {
    let mut start = word.start;
    while start > 0 && is_name(text[start - 1]) && word.end - start < MAX_NAME {
        start -= 1;
    }
    // The letter of an escape is none of the name's.
    let is_escape = start > 0 && text[start - 1] == b'\\' && b"nrt".contains(&text[start]);
    if is_escape && start < word.start {
        start += 1;
    }
    let mut end = word.end;
    while end < text.len() && is_name(text[end]) && end - start < MAX_NAME {
        end += 1;
    }
    while end > word.end && matches!(text[end - 1], b'.' | b'-') {
        end -= 1;
    }
    let name = std::str::from_utf8(&text[start..end]).ok()?;
    if let Some(promise) = names::promise(name) {
        return Some((promise, start..end));
    }
    let before = text[..start].strip_suffix(b" ")?;
    let first = before.len()
        - before.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).take(12).count();
    let spaced = std::str::from_utf8(&before[first..]).ok()?.to_ascii_lowercase();
    let is_key = SPACED.contains(&spaced.as_str()) && name.eq_ignore_ascii_case("key");
    is_key.then_some((Promise::Key, first..end))
}

/// Whether the name is an option, or stands in a line of `.netrc`.
fn takes_space(text: &[u8], name: &Range<usize>) -> bool {
    if text[name.clone()].starts_with(b"--") {
        return true;
    }
    let line = &text[name.start.saturating_sub(160)..name.start];
    text[name.clone()].eq_ignore_ascii_case(b"password")
        && memchr::memmem::find(line, b"login ").is_some_and(|at| !line[at..].contains(&b'\n'))
}

/// Skips quotes with the backslashes before them.
fn skip_quotes(text: &[u8], mut at: usize) -> usize {
    while at < text.len() {
        match text[at] {
            b'\\' if matches!(text.get(at + 1), Some(b'"' | b'\'' | b'\\')) => at += 1,
            b'"' | b'\'' | b'`' => return at + 1,
            _ => break,
        }
    }
    at
}

fn skip_spaces(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && matches!(text[at], b' ' | b'\t') {
        at += 1;
    }
    at
}

/// What joins name and value, and where the value begins.
fn sign(text: &[u8], name: &Range<usize>) -> Option<(Sign, usize)> {
    let mut at = skip_quotes(text, name.end);
    let was_quoted = at > name.end;
    if text.get(at) == Some(&b']') {
        at += 1;
    }
    let spaced = skip_spaces(text, at);
    let rest = &text[spaced..];
    let behind = |len: usize| skip_spaces(text, spaced + len);
    let equals: [&[u8]; 7] = [b"===", b"==", b"=>", b":=", b"?=", b"+=", b"="];
    if let Some(sign) = equals.iter().find(|sign| rest.starts_with(sign)) {
        return Some((Sign::Equals, behind(sign.len())));
    }
    if rest.starts_with(b"::") {
        return None;
    }
    if rest.starts_with(b":") {
        return Some(typed(text, behind(1)));
    }
    if was_quoted && rest.starts_with(b",") {
        return Some((Sign::Comma, behind(1)));
    }
    (spaced > at && takes_space(text, name)).then_some((Sign::Space, spaced))
}

/// Steps over a type: `password: str = "x"`.
fn typed(text: &[u8], at: usize) -> (Sign, usize) {
    let is_type = |byte: &u8| byte.is_ascii_alphanumeric() || b"_&'<>[]|. ".contains(byte);
    let len = text[at..].iter().take(40).take_while(|byte| is_type(byte)).count();
    let behind = at + len;
    if len > 0 && text.get(behind) == Some(&b'=') && text.get(behind + 1) == Some(&b' ') {
        return (Sign::Equals, skip_spaces(text, behind + 1));
    }
    (Sign::Colon, at)
}

fn read_value(
    text: &[u8],
    name: &Range<usize>,
    sign: Sign,
    at: usize,
) -> Option<(Range<usize>, Setting)> {
    let slashes = text[at..].iter().take_while(|&&byte| byte == b'\\').count();
    let quote = text.get(at + slashes).copied().filter(|byte| b"\"'`".contains(byte));
    if let Some(quote) = quote {
        let range = quoted(text, at + slashes + 1, slashes, quote)?;
        return Some((range, Setting { quoted: true, env: false }));
    }
    if slashes > 0 || sign == Sign::Comma {
        return None;
    }
    let is_env = sign == Sign::Equals && at == name.end + 1 && begins_line(text, name);
    let ends = |byte: &u8| {
        byte.is_ascii_whitespace()
            || byte.is_ascii_control()
            || b"\"'`\\".contains(byte)
            || !is_env && b",;)}]<>&|(".contains(byte)
    };
    let len = text[at..].iter().take(MAX_BARE).take_while(|byte| !ends(byte)).count();
    let wide = std::str::from_utf8(&text[at..at + len]).ok();
    let mut end = at + wide.and_then(|wide| wide.find(char::is_whitespace)).unwrap_or(len);
    if !is_env && matches!(text.get(end), Some(b'(' | b'[' | b'<')) {
        return None;
    }
    while !is_env && end > at && matches!(text[end - 1], b'.' | b':' | b'?' | b'!') {
        end -= 1;
    }
    Some((at..end, Setting { quoted: false, env: is_env || sign == Sign::Space }))
}

/// To the quote that closes: one with as many backslashes before it.
fn quoted(text: &[u8], from: usize, slashes: usize, quote: u8) -> Option<Range<usize>> {
    let mut at = from;
    let mut run = 0;
    while at < text.len() && at - from < MAX_VALUE {
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

/// `NAME=`, perhaps behind `export`, a diff's sign, a quote or a line number.
fn begins_line(text: &[u8], name: &Range<usize>) -> bool {
    let is_upper = !text[name.clone()].iter().any(u8::is_ascii_lowercase);
    let from = name.start.saturating_sub(24);
    let line = text[from..name.start]
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(from, |at| from + at + 1);
    let head = &text[line..name.start];
    let is_start = line > from || from == 0;
    let words =
        ["export ", "set ", "ENV ", "ARG ", "-e ", "--env ", "env ", "declare ", "-x ", "setenv "];
    let is_command = words.iter().any(|word| head.ends_with(word.as_bytes()));
    let is_sign = |byte: &u8| b"+- >|:\t$;&".contains(byte) || byte.is_ascii_digit();
    is_command
        || is_upper
            && (is_start && head.iter().all(is_sign)
                || head.last().is_some_and(|byte| b" ;&".contains(byte)))
}
