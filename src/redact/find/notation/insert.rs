//! `INSERT INTO users VALUES (…)` without the names of columns: the value that looks like a
//! password and like nothing else that is kept of people.

use std::ops::Range;

use crate::redact::judge::names::Promise;
use crate::redact::judge::plausible;

use super::value::{skip_blank, str, string};

/// Tables that have passwords in them.
const TABLES: &[&[u8]] = &[
    b"user",
    b"account",
    b"credential",
    b"login",
    b"admin",
    b"member",
    b"auth",
    b"passw",
    b"secret",
];

/// Longest statement that is read, in bytes, and most strings of it.
const MAX_STATEMENT: usize = 4_000;
const MAX_STRINGS: usize = 400;

/// The passwords of the statement at `literal`.
pub(super) fn values(text: &[u8], literal: &Range<usize>) -> Vec<Range<usize>> {
    let far = text.len().min(literal.end + MAX_STATEMENT);
    let text = &text[..far];
    let mut found = Vec::new();
    let Some(mut at) = rows(text, literal.end) else { return found };
    for _ in 0..MAX_STRINGS {
        let Some(len) = text[at..].iter().position(|byte| b"'\";".contains(byte)) else { break };
        at += len;
        if text[at] == b';' {
            break;
        }
        let Some(range) = string(text, at) else { break };
        at = range.end + 1;
        if at > text.len() {
            break;
        }
        if is_password(text, &range) {
            found.push(range);
        }
    }
    found
}

/// Where the first row begins, if the table is one of people and names no columns.
fn rows(text: &[u8], at: usize) -> Option<usize> {
    let at = skip_blank(text, at);
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.`\"[]".contains(byte);
    let len = text[at..].iter().take(80).take_while(|byte| is_name(byte)).count();
    let name = text[at..at + len].to_ascii_lowercase();
    let is_of_people = TABLES.iter().any(|word| memchr::memmem::find(&name, word).is_some());
    let values = skip_blank(text, at + len);
    let is_values = text.get(values..values + 6)?.eq_ignore_ascii_case(b"values");
    (is_of_people && is_values).then_some(values + 6)
}

fn is_password(text: &[u8], range: &Range<usize>) -> bool {
    let Some(value) = str(text, range) else { return false };
    let is_mail =
        value.contains('@') && value.rsplit('@').next().is_some_and(|host| host.contains('.'));
    let is_hex = value.bytes().all(|byte| byte.is_ascii_hexdigit() || b"-:. +T".contains(&byte));
    !is_mail && !is_hex && plausible::is_striking(value, Promise::Password)
}
