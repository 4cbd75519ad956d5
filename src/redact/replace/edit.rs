//! Puts marks where secrets stand.

use std::ops::Range;

use crate::redact::find::compiled::Compiled;
use crate::redact::find::scan::FoundSecret;
use crate::redact::views::decode;

/// The bytes with each part replaced, in order and apart, in their own memory: nothing is copied
/// of a file without a secret, which may be gigabytes.
pub(super) fn in_place(bytes: Vec<u8>, edits: Vec<(Range<usize>, Vec<u8>)>) -> Vec<u8> {
    if edits.is_empty() {
        return bytes;
    }
    let mut bytes = bytes;
    let len = bytes.len();
    // As far behind their place as all that is longer makes them, the bytes are read before others take their place.
    let behind = edits.iter().map(|(old, new)| new.len().saturating_sub(old.len())).sum();
    bytes.reserve_exact(behind);
    bytes.resize(len + behind, 0);
    bytes.copy_within(..len, behind);
    let (mut from, mut to) = (0, 0);
    for (old, new) in edits {
        bytes.copy_within(behind + from..behind + old.start, to);
        to += old.start - from;
        bytes[to..to + new.len()].copy_from_slice(&new);
        to += new.len();
        from = old.end;
    }
    bytes.copy_within(behind + from.., to);
    bytes.truncate(to + len - from);
    bytes
}

/// What stands in place of `text`: a mark a line, with the color codes, the
/// line breaks and what a diff or a quote puts before a line.
pub(super) fn replacement(text: &str, mark: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    let mut is_first = true;
    loop {
        let (line, end) = split_line(rest);
        let prefix = if is_first { 0 } else { prefix_len(line) };
        out.push_str(&line[..prefix]);
        if prefix < line.len() {
            out.push_str(mark);
        }
        colors(&line[prefix..], &mut out);
        out.push_str(end);
        rest = &rest[line.len() + end.len()..];
        is_first = false;
        if rest.is_empty() {
            return out;
        }
    }
}

/// A line and its break, which may be `\n` as letters.
fn split_line(text: &str) -> (&str, &str) {
    let bytes = text.as_bytes();
    for at in memchr::memchr2_iter(b'\n', b'\\', bytes) {
        if bytes[at] == b'\n' {
            let start = at - usize::from(text[..at].ends_with('\r'));
            return (&text[..start], &text[start..=at]);
        }
        if bytes.get(at + 1) == Some(&b'n') {
            let slashes = text[..=at].bytes().rev().take_while(|&byte| byte == b'\\').count();
            let start = at + 1 - slashes;
            return (&text[..start], &text[start..at + 2]);
        }
    }
    (text, "")
}

fn prefix_len(line: &str) -> usize {
    line.bytes().take_while(|byte| b" \t+->|".contains(byte)).count()
}

fn colors(text: &str, out: &mut String) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = memchr::memchr(0x1b, &bytes[at..]).map(|found| at + found) {
        at = decode::sequence_end(bytes, start);
        out.push_str(text.get(start..at).unwrap_or_default());
    }
}

/// A text with its pieces replaced by what `write` gives for each.
pub(super) fn spliced(text: &str, edits: &[(Range<usize>, String)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for (range, new) in edits {
        out.push_str(&text[copied..range.start]);
        out.push_str(new);
        copied = range.end;
    }
    out.push_str(&text[copied..]);
    out
}

/// What a rule puts in place of a whole value, if it is no mark.
pub(crate) fn instead(
    rule: &Compiled,
    found: &FoundSecret,
    piece: &Range<usize>,
) -> Option<&'static str> {
    rule.instead.filter(|_| found.value.len() == piece.len())
}

/// The parts of a line between quotes that no backslash escapes.
pub(super) fn between_quotes(line: &str) -> impl Iterator<Item = &str> {
    let bytes = line.as_bytes();
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from;
        let rest = bytes.get(start..)?;
        let mut at = start;
        for found in memchr::memchr2_iter(b'"', b'\\', rest).map(|found| start + found) {
            // Behind a backslash.
            if found < at {
                continue;
            }
            if bytes[found] == b'"' {
                from = found + 1;
                return Some(&line[start..found]);
            }
            at = found + 2;
        }
        from = bytes.len() + 1;
        Some(&line[start..])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_replaced_where_they_are() {
        let edits = |edits: &[(Range<usize>, &str)]| {
            edits.iter().map(|(old, new)| (old.clone(), new.as_bytes().to_vec())).collect()
        };
        for (parts, new) in [
            (&[][..], "0123456789"),
            (&[(0..1, "abc"), (4..4, "de")][..], "abc123de456789"),
            (&[(0..4, ""), (5..6, "xyz"), (9..10, "")][..], "4xyz678"),
            (&[(2..3, "longer than all of it"), (3..10, "")][..], "01longer than all of it"),
        ] {
            let bytes = in_place(b"0123456789".to_vec(), edits(parts));
            assert_eq!(String::from_utf8(bytes).unwrap(), new);
        }
    }

    #[test]
    fn a_file_without_a_secret_is_not_copied() {
        let mut file = b"{\"type\":\"message\"}\n{\"a\":\"\\u001b[1m\"}\n".to_vec();
        file.resize(100_000, 0);
        let (start, old) = (file.as_ptr(), file.clone());
        let redactor = crate::redact::Redactor::new(&crate::redact::Rules::new()).unwrap();
        let new = redactor.whole_file(file);
        assert_eq!(new.as_ptr(), start);
        assert_eq!(new, old);
    }
}
