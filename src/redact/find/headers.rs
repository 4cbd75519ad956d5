//! Headers that carry a login: `Authorization: Basic`, cookies.

use std::ops::Range;

use crate::redact::judge::plausible::{entropy, is_stand_in};
use crate::redact::views::base64;

/// Where base64 begins behind `Basic ` or in a registry's `"auth"` that may be a login: its first
/// letters tell of most words that they are none, however long they are.
pub(super) fn login_start(text: &[u8], literal: &Range<usize>) -> Option<usize> {
    let mut at = literal.end;
    while at < text.len() && at - literal.end < 10 && b" \t\"'`\\:=_".contains(&text[at]) {
        at += 1;
    }
    if at == literal.end && text[at - 1] != b' ' {
        return None;
    }
    let head = text[at..].iter().take(base64::HEAD);
    let len = head.take_while(|&&byte| base64::is_letter(byte)).count();
    let may_be_login = || base64::may_be_text(&text[at..at + len]) || is_in_header(text, literal);
    (len >= 8 && may_be_login()).then_some(at)
}

/// The base64 value of `user:password` behind `Basic ` or in a registry's `"auth"`.
pub(crate) fn login(text: &[u8], literal: Range<usize>) -> Option<Range<usize>> {
    let at = login_start(text, &literal)?;
    let len = text[at..].iter().take_while(|&&byte| base64::is_letter(byte)).count();
    let padding = text[at + len..].iter().take(2).take_while(|&&byte| byte == b'=').count();
    let letters = &text[at..at + len];
    let decoded = base64::may_be_text(letters).then(|| base64::decode(letters)).flatten();
    let Some(decoded) = decoded else {
        // Passwords may be of any bytes.
        let is_login = is_in_header(text, &literal) && is_random(letters);
        return is_login.then_some(at..at + len + padding);
    };
    let (user, password) = decoded.split_once(':')?;
    let is_example = is_stand_in(password) && is_stand_in(user);
    let is_printed = decoded.chars().all(|letter| letter != ' ' && !letter.is_control());
    let is_login = !password.is_empty() && is_printed && !is_example;
    is_login.then_some(at..at + len + padding)
}

/// Whether `Authorization: ` stands before the literal.
fn is_in_header(text: &[u8], literal: &Range<usize>) -> bool {
    let before = text[literal.start.saturating_sub(24)..literal.start].trim_ascii_end();
    let before = before.strip_suffix(b":").unwrap_or(before).trim_ascii_end();
    before.len() >= 13 && before[before.len() - 13..].eq_ignore_ascii_case(b"authorization")
}

/// Whether letters of base64 are of no word.
fn is_random(letters: &[u8]) -> bool {
    letters.len() >= 24
        && letters.iter().any(u8::is_ascii_lowercase)
        && letters.iter().any(u8::is_ascii_uppercase)
        && letters.iter().any(u8::is_ascii_digit)
        && entropy(letters) >= 3.8
}

/// The secret values of a cookie header that begins at the word `cookie`.
pub(crate) fn cookies(text: &[u8], literal: &Range<usize>) -> Vec<Range<usize>> {
    cookie_line(text, literal).map_or_else(Vec::new, |line| pairs(text, line))
}

/// The pairs of a cookie header.
pub(super) fn cookie_line(text: &[u8], literal: &Range<usize>) -> Option<Range<usize>> {
    let mut at = literal.end;
    let mut signs = 0;
    while at < text.len() && at - literal.end < 12 && b" \t\"'`\\:=,".contains(&text[at]) {
        signs += usize::from(matches!(text[at], b':' | b'=' | b','));
        at += 1;
    }
    let is_option = literal.start >= 2 && text[literal.start - 2..literal.start] == *b"--";
    if signs == 0 && !is_option {
        return None;
    }
    let ends = |byte: &u8| byte.is_ascii_control() || b"\"'`\\".contains(byte);
    let len = text[at..].iter().take(4000).take_while(|byte| !ends(byte)).count();
    Some(at..at + len)
}

/// The secret values among `name=value; name=value`.
pub(super) fn pairs(text: &[u8], line: Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = line.start;
    for pair in text[line].split(|&byte| byte == b';') {
        let start = at;
        at += pair.len() + 1;
        let Some(equals) = pair.iter().position(|&byte| byte == b'=') else { continue };
        let name = pair[..equals].trim_ascii();
        let is_name = !name.is_empty()
            && name.iter().all(|&byte| byte.is_ascii_graphic() && !b"(){}<>".contains(&byte));
        let value = pair[equals + 1..].trim_ascii_end();
        if is_name && is_cookie(name, value) {
            found.push(start + equals + 1..start + equals + 1 + value.len());
        }
    }
    found
}

fn is_cookie(name: &[u8], value: &[u8]) -> bool {
    let attributes = ["path", "domain", "expires", "max-age", "samesite", "priority", "version"];
    if attributes.iter().any(|known| name.eq_ignore_ascii_case(known.as_bytes())) {
        return false;
    }
    let Ok(value) = std::str::from_utf8(value) else { return false };
    value.len() >= 8
        && !value.contains([' ', '(', '<'])
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
        && entropy(value.as_bytes()) >= 2.5
        && !is_stand_in(value)
}
