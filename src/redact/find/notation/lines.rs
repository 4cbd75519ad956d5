//! The lines of a text as people see them: without the number, the sign of a
//! diff or the quote mark that a tool has put before each of them.

use crate::redact::views::signs::line_number;

/// Longest line that is read line by line, in bytes.
const MAX_LINE: usize = 2000;

/// One line: its content is `start..end`.
#[derive(Debug, Clone, Copy)]
pub(super) struct NotationLine {
    /// Behind numbers and signs; indentation is content.
    pub(super) start: usize,
    /// Before the line break.
    pub(super) end: usize,
    is_numbered: bool,
}

impl NotationLine {
    /// The line around `at`. `None` when it is longer than a line of text.
    pub(super) fn of(text: &[u8], at: usize) -> Option<NotationLine> {
        let from = at.saturating_sub(MAX_LINE);
        let start = match memchr::memrchr(b'\n', &text[from..at]) {
            Some(found) => from + found + 1,
            None if from == 0 => 0,
            None => return None,
        };
        Some(NotationLine::new(
            text,
            start,
            line_number(&text[start..line_end(text, at)?]).is_some(),
        ))
    }

    /// The line behind this one.
    pub(super) fn next(self, text: &[u8]) -> Option<NotationLine> {
        let start = self.end + 1 + usize::from(text.get(self.end) == Some(&b'\r'));
        let is_there = start < text.len() && line_end(text, start).is_some();
        is_there.then(|| NotationLine::new(text, start, self.is_numbered))
    }

    /// The line before this one.
    pub(super) fn before(self, text: &[u8]) -> Option<NotationLine> {
        let from = self.start.saturating_sub(MAX_LINE);
        let last = from + memchr::memrchr(b'\n', &text[from..self.start])?;
        NotationLine::of(text, last)
    }

    fn new(text: &[u8], start: usize, is_numbered: bool) -> NotationLine {
        let mut end = line_end(text, start).unwrap_or(text.len());
        if end > start && text[end - 1] == b'\r' {
            end -= 1;
        }
        let mut at = start;
        if is_numbered {
            at += line_number(&text[at..end]).unwrap_or(0);
        }
        match (text[at..end].first(), text[at..end].get(1)) {
            (Some(b'+'), next) if next != Some(&b'-') => at += 1,
            // A list's item begins with `- `, what a diff removes seldom does.
            (Some(b'-'), Some(next)) if !b" -".contains(next) => at += 1,
            (Some(b'>'), Some(b' ')) => at += 2,
            _ => {}
        }
        NotationLine { start: at, end, is_numbered }
    }

    /// The content.
    pub(super) fn text<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.start.min(self.end)..self.end]
    }

    /// Spaces before the content's first letter.
    pub(super) fn indent(&self, text: &[u8]) -> usize {
        self.text(text).iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// Where the content's first letter stands.
    pub(super) fn first(&self, text: &[u8]) -> usize {
        self.start + self.indent(text)
    }

    pub(super) fn is_blank(&self, text: &[u8]) -> bool {
        self.text(text).trim_ascii().is_empty()
    }
}

/// Where the line of `at` ends. `None` when that is too far.
fn line_end(text: &[u8], at: usize) -> Option<usize> {
    let far = text.len().min(at + MAX_LINE);
    match memchr::memchr(b'\n', &text[at..far]) {
        Some(found) => Some(at + found),
        None => (far == text.len()).then_some(far),
    }
}
