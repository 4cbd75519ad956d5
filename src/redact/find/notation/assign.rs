//! A secret's name and what is assigned to it, in any notation of files,
//! shells and programs: `.env`, JSON, YAML, TOML, connection strings, headers,
//! `--password x`, `set("TOKEN", "x")`.

use std::ops::Range;

use crate::redact::bytes::{ALPHANUMERIC, Bytes, Words, begins, contains, last_line};
use crate::redact::judge::names::{self, MAX_NAME, Promise};
use crate::redact::judge::ordinary;
use crate::redact::judge::plausible::{self, Setting};

use super::named::Named;
use super::value::{IN_CODE, IN_ENV, bare, quoted, skip_spaces, string};

/// Words that belong to the name before them or behind them: `API key: x`.
const SPACED: &[&str] =
    &["api", "access", "secret", "private", "auth", "encryption", "signing", "unseal", "recovery"];

/// Words before a name behind which its value follows after a space.
#[rustfmt::skip]
const SETTING: &[&str] = &[
    "#define ", "ENV ", "ARG ", "setenv ", "set -x ", "set -gx ", "set -Ux ", "set -lx ", "set -U ", "set -g ", "setx ",
    "configure set ", "config set ", "npm set ", "defaults write ", "env:set ", "env set ", "secrets set ", "variables set ",
];

/// Names in files of settings that are followed by a space and the value.
#[rustfmt::skip]
static DIRECTIVES: Words =
    Words::of(&["requirepass", "masterauth", "rootpw", "bindpw"]);

/// How the value is parted from its name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Equals,
    Colon,
    /// `("NAME", "value")`
    Comma,
    /// `--password value`, `login me password value`
    Space,
    /// The name and one word make up the line.
    Line,
}

/// The value assigned to a name, if it is a secret.
pub(super) fn value(text: &[u8], named: &Named) -> Option<Range<usize>> {
    let name = &named.range;
    let (sign, at) = sign(text, name)?;
    let (range, setting) = read_value(text, name, sign, at)?;
    let value = named.value(text, &range)?;
    if sign == Sign::Comma && !(value.len() >= 8 && plausible::entropy(value.as_bytes()) >= 2.7) {
        return None;
    }
    // Lists of words are more frequent than calls.
    let is_word = !value.bytes().any(|byte| byte.is_ascii_digit()) || plausible::is_joined(value);
    // A module: `"Test2::Event::Pass", "x"`.
    let is_module = text[..name.start].ends_with(b"::");
    if sign == Sign::Comma && (is_word || is_module || value.contains(['[', '(', '<'])) {
        return None;
    }
    let is_option = value.starts_with(['-', '@']);
    // `password=@file`
    if sign == Sign::Equals && !setting.quoted && value.starts_with('@') {
        return None;
    }
    let is_phrase = plausible::is_passphrase(value)
        && (setting.quoted && named.promise == Promise::Password || named.is_of_phrase(text));
    // An option has a value, and few that name a password have words joined by a number.
    let own = &text[name.clone()];
    let is_chosen = is_phrase
        || own.starts_with(b"--")
            && named.promise == Promise::Password
            && value.bytes().any(|byte| byte.is_ascii_digit());
    let is_name = plausible::is_joined(value) && !is_chosen;
    if sign == Sign::Space && !setting.quoted && (is_option || is_name) {
        return None;
    }
    if sign == Sign::Line {
        // A parameter: `ApiToken *token,`
        let own = value.trim_start_matches(['*', '&']).trim_end_matches([',', ';', ')']);
        let is_pointer = value.starts_with(['*', '&']) && ordinary::is_variable(own);
        return (!is_pointer && plausible::is_striking(value, named.promise)).then_some(range);
    }
    // A name in place of a name.
    let before = &text[name.start.saturating_sub(8)..name.start];
    if sign == Sign::Space && !setting.quoted && before.ends_with(b"#define ") {
        return None;
    }
    // What test runners print before a test's name.
    if own.eq_ignore_ascii_case(b"pass")
        && sign == Sign::Colon
        && !setting.quoted
        && !(own != b"PASS" && plausible::is_striking(value, named.promise))
    {
        return None;
    }
    (is_phrase || named.promises(text, value, setting))
        .then(|| if setting.quoted { range } else { with_marks(text, range) })
}

/// A value without quotes, with the exclamation marks that end it: `hunter2!`
pub(super) fn with_marks(text: &[u8], value: Range<usize>) -> Range<usize> {
    let rest = text[value.end..].iter().take(8);
    let marks = rest.take_while(|byte| matches!(byte, b'!' | b'?')).count();
    let ends = text.get(value.end + marks).is_none_or(u8::is_ascii_whitespace);
    value.start..value.end + if ends { marks } else { 0 }
}

static NAME: Bytes = ALPHANUMERIC.and(b"_-.");

/// Whether names have this byte.
pub(crate) fn is_name(byte: u8) -> bool {
    NAME.has(byte)
}

/// The whole name around a word, and what it promises.
pub(super) fn name(text: &[u8], word: &Range<usize>) -> Option<Named> {
    // A literal may reach over the sign behind the name.
    let len = text[word.clone()].iter().take_while(|&&byte| is_name(byte)).count();
    let word = word.start..word.start + len;
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
    // The sign of a diff.
    let begins_line = start == 0 || text[start - 1] == b'\n';
    if begins_line && text[start] == b'-' && text.get(start + 1) != Some(&b'-') {
        start += 1;
    }
    let name = std::str::from_utf8(&text[start..end]).ok()?;
    if let Some(promise) = names::promise(name) {
        return Some(Named { range: start..end, promise, is_plural: false });
    }
    if let Some(promise) = names::promise_of_each(name) {
        return Some(Named { range: start..end, promise, is_plural: true });
    }
    // A file that holds nothing else.
    if let Some(promise) = name.strip_suffix(".txt").and_then(names::promise) {
        return Some(Named { range: start..end, promise, is_plural: false });
    }
    let before = text[..start].strip_suffix(b" ")?;
    let first = before.len()
        - before.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).take(12).count();
    let spaced = std::str::from_utf8(&before[first..]).ok()?.to_ascii_lowercase();
    let is_key = SPACED.contains(&spaced.as_str()) && name.eq_ignore_ascii_case("key");
    // `Unseal Key 1: x`
    let number = text[end..].strip_prefix(b" ").map_or(0, |rest| {
        let digits = rest.iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
        if rest.get(digits) == Some(&b':') && digits > 0 { digits + 1 } else { 0 }
    });
    end += number;
    is_key.then_some(Named { range: first..end, promise: Promise::Key, is_plural: false })
}

/// Whether the name is an option, stands in a line of `.netrc`, or behind a
/// word that sets it.
fn takes_space(text: &[u8], name: &Range<usize>) -> bool {
    let own = &text[name.clone()];
    let before = name.start.checked_sub(1).map(|at| text[at]);
    let is_option = own.starts_with(b"--")
        || own.starts_with(b"-") && before.is_none_or(|byte| byte.is_ascii_whitespace());
    if is_option || DIRECTIVES.has(own) {
        return true;
    }
    let head = &text[name.start.saturating_sub(160)..name.start];
    let line = last_line(head);
    // `aws configure set profile.x.aws_secret_access_key`, `npm config set //host/:_authToken`
    let behind = memchr::memrchr(b' ', line).map_or(0, |last| last + 1);
    if behind > 0 && SETTING.iter().any(|word| line[..behind].ends_with(word.as_bytes())) {
        return true;
    }
    own.eq_ignore_ascii_case(b"password")
        && (is_login(line) || line.trim_ascii().len() < 12 && is_login_before(head, line))
}

/// `login me` of `.netrc`.
fn is_login(line: &[u8]) -> bool {
    contains(line, b"login ")
}

/// Whether the line before is the one of the login.
fn is_login_before(head: &[u8], line: &[u8]) -> bool {
    let before = &head[..head.len() - line.len()];
    let before = before.strip_suffix(b"\n").unwrap_or(before);
    is_login(last_line(before))
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

/// What joins name and value, and where the value begins.
fn sign(text: &[u8], name: &Range<usize>) -> Option<(Sign, usize)> {
    let mut at = skip_quotes(text, name.end);
    let mut was_quoted = at > name.end;
    if text.get(at) == Some(&b']') {
        // `input[name="password"]', 'x'`
        let behind = skip_quotes(text, at + 1);
        was_quoted |= behind > at + 1;
        at = behind;
    }
    let spaced = skip_spaces(text, at);
    let rest = &text[spaced..];
    let behind = |len: usize| skip_spaces(text, spaced + len);
    let equals: [&[u8]; 13] = [
        b"!==", b"!=", b"===", b"==", b"=>", b":::=", b"::=", b":=", b"?=", b"+=", b"||=", b"<-",
        b"=",
    ];
    if let Some(sign) = equals.iter().find(|sign| begins(rest, sign)) {
        return Some((Sign::Equals, behind(sign.len())));
    }
    if rest.starts_with(b"::") {
        return None;
    }
    if rest.starts_with(b":") {
        return Some(typed(text, behind(1)));
    }
    if rest.starts_with("：".as_bytes()) {
        return Some((Sign::Colon, behind(3)));
    }
    if was_quoted && rest.starts_with(b",") {
        let at = behind(1);
        let label: [&[u8]; 2] = [b"default=", b"default: "];
        let skipped = label.iter().find(|label| text[at..].starts_with(label));
        return Some((Sign::Comma, at + skipped.map_or(0, |label| label.len())));
    }
    if spaced == at {
        return None;
    }
    if takes_space(text, name) {
        return Some((Sign::Space, spaced + usize::from(rest.starts_with(b"(\""))));
    }
    fills_line(text, name, spaced).then_some((Sign::Line, spaced))
}

/// Whether the line, or a string, is the name, a space and one word.
fn fills_line(text: &[u8], name: &Range<usize>, at: usize) -> bool {
    let head = &text[name.start.saturating_sub(24)..name.start];
    let line = last_line(head);
    let word = bare(text, at, &IN_ENV);
    let closes =
        word.end + text[word.end..].iter().take(32).take_while(|&&byte| byte == b'\\').count();
    if text[..name.start].ends_with(b"\"") && text.get(closes) == Some(&b'"') {
        return true;
    }
    let behind = skip_spaces(text, word.end);
    line.iter().all(|byte| byte.is_ascii_digit() || b" \t+->:|".contains(byte))
        && (line.len() < 24 || name.start < 24)
        && matches!(text.get(behind), None | Some(b'\n' | b'\r'))
}

/// Steps over a type: `password: str = "x"`.
fn typed(text: &[u8], at: usize) -> (Sign, usize) {
    let is_type = |byte: &u8| byte.is_ascii_alphanumeric() || b"_&'<>[]|. ".contains(byte);
    let len = text[at..].iter().take(40).take_while(|byte| is_type(byte)).count();
    let behind = at + len;
    if len > 0 && text.get(behind) == Some(&b'=') && text.get(behind + 1) == Some(&b' ') {
        return (Sign::Equals, skip_spaces(text, behind + 1));
    }
    // What YAML puts before a value: `!unsafe x`, `&anchor x`.
    if matches!(text.get(at), Some(b'!' | b'&')) {
        let word = bare(text, at, &IN_ENV);
        let behind = skip_spaces(text, word.end);
        if behind > word.end && text.get(behind).is_some_and(|byte| !byte.is_ascii_whitespace()) {
            return (Sign::Colon, behind);
        }
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
        let range = if slashes == 0 {
            string(text, at)?
        } else {
            quoted(text, at + slashes + 1, slashes, quote)?
        };
        return Some((range, Setting::QUOTED));
    }
    if slashes > 0 {
        return None;
    }
    // `b"x"`, `@"x"`; letters before the quote are none of the value's.
    if text.get(at).is_some_and(|byte| b"brufNEL@".contains(byte))
        && let Some(range) = string(text, at)
    {
        return Some((range, Setting::QUOTED));
    }
    if sign == Sign::Comma || text[name.end..at].windows(2).any(|pair| pair == b"!=") {
        return None;
    }
    let is_env = sign == Sign::Equals && at == name.end + 1 && begins_line(text, name);
    let range = bare(text, at, if is_env { &IN_ENV } else { &IN_CODE });
    let mut end = range.end;
    if !text[range.clone()].is_ascii()
        && let Ok(wide) = std::str::from_utf8(&text[range])
        && let Some(len) = wide.find(char::is_whitespace)
    {
        end = at + len;
    }
    if !is_env && matches!(text.get(end), Some(b'(' | b'[' | b'<')) {
        return None;
    }
    while !is_env && end > at && matches!(text[end - 1], b'.' | b':' | b'?' | b'!') {
        end -= 1;
    }
    Some((at..end, Setting { quoted: false, env: is_env || sign == Sign::Space }))
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
