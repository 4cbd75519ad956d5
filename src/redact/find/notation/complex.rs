//! YAML's complex keys: `? password` and `: value` on lines of their own.

use std::ops::Range;

use super::lines::NotationLine;
use super::named::Named;
use super::value::{IN_ENV, bare, part, skip_spaces, string_or_word};

/// The value of a name behind a question mark.
pub(super) fn value(text: &[u8], named: &Named) -> Option<Range<usize>> {
    let behind = skip_spaces(text, named.range.end);
    let ends = text.get(behind).is_some_and(|byte| b"\"'\r\n".contains(byte));
    let line = ends.then(|| NotationLine::of(text, named.range.start))??;
    let head = part(text, line.start..named.range.start);
    let head = head.trim_ascii_start();
    let head = head.strip_prefix(b"- ").unwrap_or(head).trim_ascii_start();
    let behind = part(text, named.range.end..line.end);
    let is_key = head.strip_prefix(b"? ").is_some_and(|rest| {
        // A tag may stand before the name.
        let rest = rest.trim_ascii();
        rest.is_empty() || rest == b"\"" || rest == b"'" || rest.starts_with(b"!!")
    });
    (is_key && behind.iter().all(|byte| b"\"' \t\r".contains(byte))).then_some(())?;
    let next = line.next(text)?;
    let first = next.first(text);
    (text.get(first..first + 2)? == b": ").then_some(())?;
    let mut at = skip_spaces(text, first + 2);
    if text.get(at) == Some(&b'!') {
        at = skip_spaces(text, bare(text, at, &IN_ENV).end);
    }
    string_or_word(text, at).map(|value| value.range)
}
