//! Messages that have no text although texts stand on their lines of the file: where these are most
//! of them, the file is not what it was taken for.

use std::collections::BTreeMap;

use memchr::memmem;

/// Fields of an entry that show something.
const SHOWN: [&str; 5] = ["text", "thinking", "content", "output", "errorMessage"];

/// Blocks and entries that show something in another way.
const BLOCKS: [&[u8]; 4] = [b"\"toolCall\"", b"\"image\"", b"\"command\"", b"\"summary\""];

/// Fields that hold what was said, in the files of all agents.
const HOLDING: [&str; 5] = ["text", "content", "thinking", "output", "message"];

/// The lines of messages that hold text and show none, where they are more than half of those that
/// hold text. `messages` are the lines and the texts of entries.
pub(super) fn lines<'t>(source: &[u8], messages: impl Iterator<Item = (u32, &'t str)>) -> Vec<u32> {
    // Several entries may be of one line: it shows what one of them shows.
    let mut by_line: BTreeMap<u32, bool> = BTreeMap::new();
    for (line, text) in messages {
        let shows = by_line.entry(line).or_default();
        *shows = *shows || shows_text(text.as_bytes());
    }
    let shown = by_line.values().filter(|shows| **shows).count();
    if (by_line.len() - shown) <= shown {
        return Vec::new();
    }
    let mut places = by_line.into_iter().peekable();
    let mut ends = memchr::memchr_iter(b'\n', source).map(|end| end + 1);
    let (mut number, mut start) = (1, 0);
    let mut silent = Vec::new();
    while let Some((line, shows)) = places.next() {
        while number < line {
            start = ends.next().unwrap_or(source.len());
            number += 1;
        }
        // A message of an object that goes over several lines ends where the next one begins.
        let next = places.peek().map_or(u32::MAX, |(next, _)| *next);
        let begin = start;
        while number < next && start < source.len() {
            start = ends.next().unwrap_or(source.len());
            number += 1;
            // A line that is an object by itself ends with it.
            if is_object(&source[begin..start]) {
                break;
            }
        }
        if !shows && holds_text(&source[begin..start]) {
            silent.push(line);
        }
    }
    if silent.len() > shown { silent } else { Vec::new() }
}

fn is_object(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    !line.contains(&b'\n') && line.starts_with(b"{") && line.ends_with(b"}")
}

pub(super) fn shows_text(entry: &[u8]) -> bool {
    has_text(entry, &SHOWN) || BLOCKS.iter().any(|block| memmem::find(entry, block).is_some())
}

fn holds_text(part: &[u8]) -> bool {
    has_text(part, &HOLDING)
}

/// Whether one of these fields is a text that is not empty. An unescaped quote ends a string, so nothing
/// within a text looks like this.
fn has_text(part: &[u8], keys: &[&str]) -> bool {
    keys.iter().any(|key| {
        memmem::find_iter(part, key).any(|at| {
            let is_key = at > 0
                && part[at - 1] == b'"'
                && at.checked_sub(2).and_then(|at| part.get(at)) != Some(&b'\\');
            let rest = part[at + key.len()..].strip_prefix(b"\"").filter(|_| is_key);
            let value = rest.and_then(|rest| rest.trim_ascii_start().strip_prefix(b":"));
            let text = value.and_then(|value| value.trim_ascii_start().strip_prefix(b"\""));
            text.is_some_and(|text| text.first().is_some_and(|first| *first != b'"'))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::lines;

    const EMPTY: &str = r#"{"type":"message","message":{"role":"user","content":[]}}"#;
    const SAID: &str = r#"{"type":"message","message":{"role":"user","content":"hi"}}"#;

    #[test]
    fn messages_are_silent_where_their_lines_hold_text() {
        let held = "{\"a\":{\"text\": \"hi\"}}\n";
        let none =
            "{\"a\":{\"text\": \"\", \"signature\":\"x\", \"said\":\"\\\"text\\\":\\\"x\\\"\"}}\n";
        let told = |source: String, messages: &[(u32, &str)]| {
            lines(source.as_bytes(), messages.iter().copied())
        };
        let all = [(1, EMPTY), (2, EMPTY), (3, SAID)];
        assert_eq!(told(held.repeat(3), &all), [1, 2]);
        assert!(told(none.repeat(3), &all).is_empty(), "nothing is there to be shown");
        assert!(told(held.repeat(3), &[(1, EMPTY), (2, SAID)]).is_empty(), "half of them");
        assert!(told(held.to_owned(), &[(1, EMPTY), (1, SAID)]).is_empty(), "one line, shown once");
        let others = format!("{none}{held}");
        assert!(told(others, &[(1, EMPTY)]).is_empty(), "the text of a line that is no message");
        let pretty = "{\n \"messages\": [\n  {\n   \"text\": \"hi\"\n  }\n ]\n}\n";
        assert_eq!(told(pretty.to_owned(), &[(3, EMPTY)]), [3]);
    }
}
