//! Where the parts of one large JSON object lie, found without reading them:
//! each is then read for itself, so a torn or damaged file gives all the rest.

use crate::format::repair::{string_end, value_end};

/// The bytes of one value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The line it begins on, counted from 1.
    pub(super) line: u32,
}

/// The members of the object that the text begins with. Of a key used twice
/// both are given.
pub(super) fn members(text: &str) -> Vec<(&str, Span)> {
    let mut cursor = Cursor { bytes: text.as_bytes(), at: 0, line: 1 };
    let mut members = Vec::new();
    cursor.skip_blanks();
    if !cursor.take(b'{') {
        return members;
    }
    loop {
        cursor.skip_blanks();
        if cursor.peek() != Some(b'"') {
            return members;
        }
        let key = cursor.value();
        cursor.skip_blanks();
        if !cursor.take(b':') {
            return members;
        }
        cursor.skip_blanks();
        let value = cursor.value();
        if value.start == value.end {
            return members;
        }
        members.push((text[key.start..key.end].trim_matches('"'), value));
        cursor.skip_blanks();
        if !cursor.take(b',') {
            return members;
        }
    }
}

/// The items of the array that lies there; none where it is no array.
pub(super) fn items(text: &str, array: Span) -> Vec<Span> {
    let bytes = &text.as_bytes()[..array.end];
    let mut cursor = Cursor { bytes, at: array.start, line: array.line };
    let is_over = !cursor.take(b'[');
    Rows { cursor, end: None, is_over }.collect()
}

/// The items of the array that the text holds from a place on, one after the other.
pub(super) struct Rows<'a> {
    cursor: Cursor<'a>,
    /// Behind the bracket that closes it.
    end: Option<usize>,
    is_over: bool,
}

impl<'a> Rows<'a> {
    pub(super) fn new(text: &'a str, first: usize) -> Rows<'a> {
        let mut cursor = Cursor { bytes: text.as_bytes(), at: first, line: 1 };
        cursor.skip_blanks();
        let is_over = !cursor.take(b'[');
        Rows { cursor, end: None, is_over }
    }

    /// Where the array ends; `None` where it is cut off. Known once all items were given.
    pub(super) fn end(&self) -> Option<usize> {
        self.end
    }
}

impl Iterator for Rows<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        while !self.is_over {
            self.cursor.skip_blanks();
            let item = self.cursor.value();
            self.cursor.skip_blanks();
            if !self.cursor.take(b',') {
                self.is_over = true;
                self.end = self.cursor.take(b']').then_some(self.cursor.at);
            }
            if item.start < item.end {
                return Some(item);
            }
        }
        None
    }
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
}

impl Cursor<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek().filter(u8::is_ascii_whitespace) {
            self.line += u32::from(byte == b'\n');
            self.at += 1;
        }
    }

    /// Steps over one value; over nothing where none begins. What is cut off reaches to the end.
    fn value(&mut self) -> Span {
        let (start, line) = (self.at, self.line);
        self.at = match self.peek() {
            Some(b'"') => string_end(self.bytes, start),
            Some(b'{' | b'[') => value_end(self.bytes, start),
            _ => {
                let is_part = |byte: &&u8| !byte.is_ascii_whitespace() && !b",]}".contains(byte);
                start + self.bytes[start..].iter().take_while(is_part).count()
            }
        };
        let lines = memchr::memchr_iter(b'\n', &self.bytes[start..self.at]).count();
        self.line += u32::try_from(lines).unwrap_or(u32::MAX);
        Span { start, end: self.at, line }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown<'t>(text: &'t str, spans: &[Span]) -> Vec<(&'t str, u32)> {
        spans.iter().map(|span| (&text[span.start..span.end], span.line)).collect()
    }

    #[test]
    fn members_and_items_are_found_with_their_lines() {
        let text = "{\"a\": [1, {\"x\": \"]\"},\n \"s\"],\n\"b\":null}";
        let members = members(text);
        assert_eq!(members.iter().map(|(key, _)| *key).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(shown(text, &[members[1].1]), [("null", 3)]);
        let expected = [("1", 1), ("{\"x\": \"]\"}", 1), ("\"s\"", 2)];
        assert_eq!(shown(text, &items(text, members[0].1)), expected);
    }

    #[test]
    fn what_is_torn_gives_what_is_there() {
        let text = r#"{"v":3,"entries":[{"id":"a"},{"id":"b"#;
        let members = members(text);
        assert_eq!(members.len(), 2);
        assert_eq!(
            shown(text, &items(text, members[1].1)),
            [(r#"{"id":"a"}"#, 1), (r#"{"id":"b"#, 1)]
        );
        for text in [
            "",
            "{",
            "{\"a",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":}",
            "[1]",
            "nonsense",
            "{a:1}",
            "{\"a\":]]}",
        ] {
            let members = super::members(text);
            for (_, span) in members {
                items(text, span);
            }
        }
    }
}
