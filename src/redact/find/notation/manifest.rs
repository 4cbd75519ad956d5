//! Forms of files in which place alone makes a secret: Kubernetes' Secrets, `.pgpass`.
//!
//! These values need no promising name: the lines around say that all of them are secret. What was read around one
//! `kind: Secret` is remembered (`LastManifests`), since a document may have many and each would read the others
//! again.

use std::collections::HashMap;
use std::ops::Range;

use super::lines::NotationLine;
use super::value::{IN_ENV, bare, part, skip_spaces, string, string_or_word};
use super::xml::skip_breaks;

/// Lines of a manifest on either side of `kind: Secret`.
const MAX_LINES: usize = 80;

/// Bytes of a manifest in JSON on either side of its kind.
const MAX_JSON: usize = 4000;

/// What was read around the kinds that stand before: of many in one document, each is among what is
/// read around the others.
#[derive(Debug, Default)]
pub(crate) struct LastManifests {
    /// By the indentation of the kind.
    lines: HashMap<usize, Lines>,
    /// One for each of [`DATA`].
    labels: [Labels; DATA.len()],
    /// Bytes that were read, for tests to bound.
    pub(crate) read: usize,
}

/// The values of a Secret whose `kind` is at `literal`: behind the names below `data:`, those
/// excepted that were read before.
pub(crate) fn secret(
    text: &[u8],
    literal: &Range<usize>,
    last: &mut LastManifests,
) -> Vec<Range<usize>> {
    if text.get(literal.end).is_some_and(u8::is_ascii_alphanumeric) {
        return Vec::new();
    }
    if text[literal.clone()].contains(&b'"') {
        return json_secret(text, literal, last);
    }
    let Some(kind) = NotationLine::of(text, literal.start) else { return Vec::new() };
    let indent = kind.indent(text);
    let lines = last.lines.entry(indent).or_insert_with(|| Lines::around(text, kind));
    if lines.end < kind.start {
        *lines = Lines::around(text, kind);
    }
    let start = lines.end;
    let found = lines.values(text, indent);
    last.read += lines.end - start;
    found
}

/// Lines around a kind, as far as they were read.
#[derive(Debug)]
struct Lines {
    /// The next one; none where the document or the text ends.
    next: Option<NotationLine>,
    end: usize,
    is_data: bool,
}

impl Lines {
    /// From the first line of the document on, if that is near.
    fn around(text: &[u8], kind: NotationLine) -> Lines {
        let mut first = kind;
        for _ in 0..MAX_LINES {
            match first.before(text).filter(|line| !line.text(text).starts_with(b"---")) {
                Some(line) => first = line,
                None => break,
            }
        }
        Lines { next: Some(first), end: first.start, is_data: false }
    }

    /// The values below `data:` in the next lines.
    fn values(&mut self, text: &[u8], indent: usize) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        for _ in 0..MAX_LINES * 2 {
            let Some(line) = self.next else { break };
            let own = line.text(text).trim_ascii();
            if own == b"---" {
                self.next = None;
                break;
            }
            if line.indent(text) <= indent && !own.is_empty() {
                self.is_data = matches!(own, b"data:" | b"stringData:");
            } else if self.is_data
                && let Some(value) = entry(text, line)
            {
                found.push(value);
            }
            self.end = line.end;
            self.next = line.next(text);
        }
        found
    }
}

/// What a manifest in JSON calls its data.
const DATA: [&[u8]; 2] = [b"\"data\"", b"\"stringData\""];

/// How far one of [`DATA`] was looked for, and behind the last that was read.
#[derive(Debug, Default)]
struct Labels {
    looked_for: usize,
    read: usize,
}

impl Labels {
    /// The ones nearest to a kind, on either side, that are still to be read.
    fn near(&mut self, text: &[u8], kind: &Range<usize>, label: &[u8]) -> [Option<usize>; 2] {
        let start = kind.start.saturating_sub(MAX_JSON).max(self.read).max(self.looked_for);
        let far = text.len().min(kind.end + MAX_JSON);
        let before = text.get(start..kind.start);
        let before = before.and_then(|near| Some(start + memchr::memmem::rfind(near, label)?));
        let mut behind = None;
        if self.read <= kind.end {
            let start = kind.end.max(self.looked_for);
            let near = text.get(start..far).unwrap_or_default();
            behind = memchr::memmem::find(near, label).map(|at| start + at);
            self.looked_for = behind.unwrap_or(far).max(self.looked_for);
        }
        let found = [before, behind].map(|at| at.map(|at| at + label.len()));
        self.read = found.into_iter().flatten().fold(self.read, usize::max);
        found
    }
}

/// The strings in `"data": {…}` of the manifest in JSON.
fn json_secret(text: &[u8], literal: &Range<usize>, last: &mut LastManifests) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let far = literal.end + MAX_JSON;
    for (label, labels) in DATA.into_iter().zip(&mut last.labels) {
        for start in labels.near(text, literal, label).into_iter().flatten() {
            let mut at = skip_breaks(text, start);
            if text.get(at) != Some(&b':') {
                continue;
            }
            at = skip_breaks(text, at + 1) + 1;
            while let Some(name) = string(text, skip_breaks(text, at)).filter(|_| at < far) {
                let colon = skip_breaks(text, name.end + 1);
                let Some(value) = string(text, skip_breaks(text, colon + 1)) else { break };
                at = skip_breaks(text, value.end + 1);
                found.push(value);
                if text.get(at) != Some(&b',') {
                    break;
                }
                at += 1;
            }
            last.read += at - start;
        }
    }
    found
}

/// The value of `name: value`.
fn entry(text: &[u8], line: NotationLine) -> Option<Range<usize>> {
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
    let line = NotationLine::of(text, literal.start)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found, and how many bytes were read for each byte of the text.
    fn read(text: &str, kind: &str) -> (usize, usize) {
        let mut last = LastManifests::default();
        let found = text.match_indices(kind).map(|(at, _)| {
            let literal = at..at + kind.len();
            secret(text.as_bytes(), &literal, &mut last).len()
        });
        (found.sum(), last.read / text.len())
    }

    /// Each kind has eighty lines around it, and thousands of bytes.
    #[test]
    fn many_kinds_in_one_document_are_read_once() {
        let block = "kind: Secret\ndata:\n  pin: c2Vq\n  cup: dGVh\n";
        let item = "{\"kind\":\"Secret\",\"data\":{\"pin\":\"c2Vq\",\"cup\":\"dGVh\"}},";
        for times in [1, 3, 2_000] {
            assert_eq!(read(&block.repeat(times), "kind: Secret"), (2 * times, 0));
            assert_eq!(read(&item.repeat(times), "kind\":\"Secret\""), (2 * times, 0));
        }
        let documents = format!("---\n{block}").repeat(2_000);
        assert_eq!(read(&documents, "kind: Secret"), (4_000, 0));
        let nested =
            "kind: Secret\n  kind: Secret\n    kind: Secret\ndata:\n  pin: c2Vq\n".repeat(900);
        assert!(read(&nested, "kind: Secret").1 < 4);
    }
}
