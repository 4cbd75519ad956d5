//! Forms of files in which place alone makes a secret: Kubernetes' Secrets, `.pgpass`.

use std::ops::Range;

use super::lines::Line;
use super::value::{IN_ENV, bare, part, skip_spaces, string, string_or_word};
use super::xml::skip_breaks;

/// Lines of a manifest on either side of `kind: Secret`.
const MAX_LINES: usize = 80;

/// Bytes of a manifest in JSON on either side of its kind.
const MAX_JSON: usize = 4000;

/// The values of a Secret whose `kind` is at `literal`: behind the names below `data:`.
pub(super) fn secret(text: &[u8], literal: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if text.get(literal.end).is_some_and(u8::is_ascii_alphanumeric) {
        return found;
    }
    if text[literal.clone()].contains(&b'"') {
        return json_secret(text, literal);
    }
    let Some(middle) = Line::of(text, literal.start) else { return found };
    let mut first = middle;
    for _ in 0..MAX_LINES {
        match first.before(text).filter(|line| !line.text(text).starts_with(b"---")) {
            Some(line) => first = line,
            None => break,
        }
    }
    let indent = middle.indent(text);
    let mut line = first;
    let mut is_data = false;
    for _ in 0..MAX_LINES * 2 {
        let own = line.text(text).trim_ascii();
        if own == b"---" {
            break;
        }
        if line.indent(text) <= indent && !own.is_empty() {
            is_data = matches!(own, b"data:" | b"stringData:");
        } else if is_data && let Some(value) = entry(text, line) {
            found.push(value);
        }
        match line.next(text) {
            Some(next) => line = next,
            None => break,
        }
    }
    found
}

/// The strings in `"data": {…}` of the manifest in JSON.
fn json_secret(text: &[u8], literal: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let from = literal.start.saturating_sub(MAX_JSON);
    let near = &text[from..text.len().min(literal.end + MAX_JSON)];
    for label in [&b"\"data\""[..], b"\"stringData\""] {
        // The ones nearest to the kind, on either side.
        let kind = literal.start - from;
        let before = memchr::memmem::rfind(&near[..kind], label);
        let behind = memchr::memmem::find(&near[kind..], label).map(|at| kind + at);
        for start in before.into_iter().chain(behind) {
            let mut at = skip_breaks(text, from + start + label.len());
            if text.get(at) != Some(&b':') {
                continue;
            }
            at = skip_breaks(text, at + 1) + 1;
            while let Some(name) = string(text, skip_breaks(text, at)) {
                let colon = skip_breaks(text, name.end + 1);
                let Some(value) = string(text, skip_breaks(text, colon + 1)) else { break };
                at = skip_breaks(text, value.end + 1);
                found.push(value);
                if text.get(at) != Some(&b',') {
                    break;
                }
                at += 1;
            }
        }
    }
    found
}

/// The value of `name: value`.
fn entry(text: &[u8], line: Line) -> Option<Range<usize>> {
    let first = line.first(text);
    let colon = part(text, first..line.end).iter().position(|&byte| byte == b':')?;
    let value = string_or_word(text, skip_spaces(text, first + colon + 1))?;
    let mut range = value.range;
    // Padding is part of it.
    while !value.is_quoted && text.get(range.end) == Some(&b'=') {
        range.end += 1;
    }
    Some(range)
}

/// `host:port:database:user:password`, the whole of a line, with the port at `literal`.
pub(super) fn pgpass(text: &[u8], literal: &Range<usize>) -> Option<Range<usize>> {
    let line = Line::of(text, literal.start)?;
    let first = line.first(text);
    let own = text.get(first..line.end)?.trim_ascii_end();
    let mut parts = own.splitn(5, |&byte| byte == b':');
    let mut named = 0;
    let mut at = first;
    for number in 0..4 {
        let part = parts.next()?;
        let is_word = !part.is_empty()
            && part.iter().all(|byte| byte.is_ascii_alphanumeric() || b"._-*".contains(byte));
        let is_port = number != 1 || part == b"*" || part.iter().all(u8::is_ascii_digit);
        (is_word && is_port).then_some(())?;
        named += usize::from(part.iter().any(u8::is_ascii_alphabetic));
        at += part.len() + 1;
    }
    (named >= 1 && at <= line.end).then_some(())?;
    let range = bare(text, at, &IN_ENV);
    let is_whole = range.end == first + own.len() && !text[range.clone()].contains(&b':');
    is_whole.then_some(range)
}

/// What a query sets as a password: `IDENTIFIED BY 'x'`, `PRAGMA key = 'x'`.
pub(super) fn identified(text: &[u8], literal: &Range<usize>) -> Option<Range<usize>> {
    let mut at = literal.end;
    let near = &text[at..text.len().min(at + 60)];
    let own = &text[literal.clone()];
    // What a sentence says: `the key is identified by %NAME`.
    let before = &text[literal.start.saturating_sub(5)..literal.start];
    let verbs: [&[u8]; 4] = [b" is ", b" are ", b" be ", b" was "];
    if verbs.iter().any(|verb| before.ends_with(verb)) {
        return None;
    }
    if own.eq_ignore_ascii_case(b"identified with") {
        let line = &near[..near.iter().position(|&byte| byte == b';').unwrap_or(near.len())];
        let by = line.windows(4).position(|part| part.eq_ignore_ascii_case(b" by "))?;
        at += by + 4;
    }
    if own.eq_ignore_ascii_case(b"set password for") {
        at += near.iter().take_while(|byte| !b"=;\n".contains(byte)).count();
    }
    at = skip_spaces(text, at);
    if part(text, at..text.len())
        .get(..8)
        .is_some_and(|word| word.eq_ignore_ascii_case(b"password"))
    {
        at = skip_spaces(text, at + 8);
    }
    let signs = text[at..].iter().take(2).take_while(|byte| b"=(".contains(byte)).count();
    let value = string_or_word(text, skip_spaces(text, at + signs))?;
    let is_name = value.is_quoted && text.get(value.range.end) == Some(&b'`');
    (!is_name).then_some(())?;
    (value.is_quoted || own[0].eq_ignore_ascii_case(&b'i')).then_some(value.range)
}

/// The password of `user:password@tcp(host)`, as Go's drivers take it.
pub(super) fn address(text: &[u8], literal: &Range<usize>) -> Option<Range<usize>> {
    let from = literal.start.saturating_sub(200);
    let head = &text[from..literal.start];
    let begins =
        head.iter().rposition(|byte| byte.is_ascii_whitespace() || b"\"'`=/".contains(byte));
    let begins = begins.map_or(from, |at| from + at + 1);
    let colon = text[begins..literal.start].iter().position(|&byte| byte == b':')?;
    (colon > 0).then_some(begins + colon + 1..literal.start)
}
