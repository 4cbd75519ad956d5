//! The body of a private key: lines of base64 behind a heading, whatever
//! stands before each of them (a diff's sign, a quote, a line's number), and
//! whether or not the end is there.

use std::ops::Range;

use crate::redact::bytes;

/// Shortest first line of a body; prose about keys has no word as long.
const MIN_LINE: usize = 24;

/// Longest line of a field such as `Comment:`, in bytes.
const MAX_FIELD: usize = 400;

/// Most fields between heading and body.
const MAX_FIELDS: usize = 8;

/// Most lines of a body without its heading, and the longest of them, in bytes.
const MAX_TAIL: usize = 200;
const MAX_LINE: usize = 400;

/// The lines of a body whose heading is cut off, before its end at `literal`.
fn tail(text: &[u8], literal: &Range<usize>) -> Vec<Range<usize>> {
    let before = |end: usize| {
        let from = end.saturating_sub(MAX_LINE);
        memchr::memrchr(b'\n', &text[from..end]).map(|at| from + at)
    };
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut end = before(literal.start);
    while let Some(newline) = end.filter(|_| lines.len() < MAX_TAIL) {
        let start = before(newline).map_or(newline.saturating_sub(MAX_LINE), |at| at + 1);
        let own = &text[start..newline];
        // The body was read from its heading on.
        if bytes::contains(own, b"BEGIN") {
            return Vec::new();
        }
        let closers = own.iter().rev().take_while(|byte| b"\r \t\"',|".contains(byte)).count();
        let own = &own[..own.len() - closers];
        let len = own.iter().rev().take_while(|&&byte| is_body(byte)).count();
        // The last line is shorter, as every other but the one before the checksum of PGP.
        let least = if lines.len() < 2 { 1 } else { MIN_LINE };
        let is_prefix = own[..own.len() - len].iter().all(|byte| !byte.is_ascii_alphabetic());
        if len < least || !is_prefix {
            break;
        }
        let at = start + own.len();
        lines.push(at - len..at);
        end = start.checked_sub(1);
    }
    lines.reverse();
    let is_key = lines.iter().any(|line| line.len() >= MIN_LINE);
    if is_key { lines } else { Vec::new() }
}

/// The lines of the body, each without what stands around it.
pub(super) fn body(text: &[u8], literal: &Range<usize>) -> Vec<Range<usize>> {
    let before = bytes::last_line(&text[literal.start.saturating_sub(60)..literal.start]);
    if bytes::contains(before, b"-----END ") {
        return tail(text, literal);
    }
    let Some(start) = heading_end(text, literal) else { return Vec::new() };
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut at = start;
    let mut fields = 0;
    while let Some(begin) = skip_between(text, at) {
        let len = text[begin..].iter().take_while(|&&byte| is_body(byte)).count();
        let line = begin..begin + len;
        let field = text.get(line.end) == Some(&b':') && text.get(line.end + 1) == Some(&b' ');
        if field && lines.is_empty() && fields < MAX_FIELDS {
            fields += 1;
            at = line_end(text, line.end);
            continue;
        }
        let is_first = lines.is_empty();
        if len == 0 || is_first && len < MIN_LINE {
            break;
        }
        at = line.end;
        let width = lines.first().map_or(len, Range::len);
        lines.push(line);
        // The last line is shorter, the checksum of PGP excepted.
        if len < width && text.get(at) != Some(&b'\n') && !rest_begins_checksum(text, at) {
            break;
        }
    }
    lines
}

fn is_body(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Behind `-----BEGIN … PRIVATE KEY-----`, or behind `Private-Lines: 8`.
fn heading_end(text: &[u8], literal: &Range<usize>) -> Option<usize> {
    if text[literal.clone()].starts_with(b"Private-L") {
        return Some(line_end(text, literal.end));
    }
    let before = &text[literal.start.saturating_sub(60)..literal.start];
    let line = bytes::last_line(before);
    bytes::find(line, b"BEGIN")?;
    let mut at = literal.end;
    while at < text.len()
        && (text[at] == b'-'
            || text[at..].starts_with(b" BLOCK-")
            || at - literal.end < 6 && text[at].is_ascii_uppercase())
    {
        at += if text[at] == b' ' { 6 } else { 1 };
    }
    (at > literal.end + 3).then_some(at)
}

/// To the end of the line, be it a real one or `\n` as letters.
fn line_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    let far = text.len().min(from + MAX_FIELD);
    while at < far && text[at] != b'\n' && !text[at..].starts_with(b"\\n") {
        at += 1;
    }
    at
}

/// Over line breaks and what stands before a line's text. `None` at the end.
fn skip_between(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    let mut breaks = 0;
    while at < text.len() {
        let rest = &text[at..];
        let slashes = rest.iter().take_while(|&&byte| byte == b'\\').count();
        if slashes > 0 && matches!(rest.get(slashes), Some(b'n' | b'r' | b't')) {
            breaks += usize::from(rest[slashes] == b'n');
            at += slashes + 1;
        } else if slashes > 0 && matches!(rest.get(slashes), Some(b'"' | b'\'')) {
            at += slashes + 1;
        } else if let Some(len) = number(rest).filter(|_| breaks > 0) {
            at += len;
        } else if rest.starts_with("→".as_bytes()) || rest.starts_with("│".as_bytes()) {
            at += 3;
        } else if rest.starts_with(b"--")
            || rest[0] == b'+' && breaks == 0
            || !b"\n\r\t +->|\"',;".contains(&rest[0])
        {
            break;
        } else {
            breaks += usize::from(rest[0] == b'\n');
            at += 1;
        }
        if breaks > 3 {
            return None;
        }
    }
    (at < text.len()).then_some(at)
}

/// A line's number and its sign, as tools put before lines they print.
fn number(rest: &[u8]) -> Option<usize> {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let behind = &rest[digits..];
    let sign = ["→", "│", "\t", ": ", "| ", " | ", "  ", ":"]
        .iter()
        .find(|sign| behind.starts_with(sign.as_bytes()))?;
    (1..=6).contains(&digits).then_some(digits + sign.len())
}

fn rest_begins_checksum(text: &[u8], at: usize) -> bool {
    skip_between(text, at).is_some_and(|at| text[at..].starts_with(b"="))
}
