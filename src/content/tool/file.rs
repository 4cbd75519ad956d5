//! What the tools on files have in common.

use std::borrow::Cow;

use super::ToolRun;
use crate::changes::diff::Diff;
use crate::content::{Content, Fold, FoldKind, Line, Part, Role};
use crate::session::message::ToolResult;
use crate::session::text::counted;

/// A result up to this many bytes on one line is said beside, not as printed output.
const SHORT_BYTES: usize = 300;

/// `1 line`, `12 lines`.
pub(super) fn lines_fact(text: &str) -> String {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let breaks = || memchr::memchr_iter(b'\n', text.as_bytes()).count();
    counted(if text.is_empty() { 0 } else { breaks() + 1 }, "line")
}

/// A text and what the agent said after it in brackets: how much it left out.
pub(super) fn split_notice(text: &str) -> (&str, Option<&str>) {
    let trimmed = text.trim_end();
    let (before, last) = trimmed.rsplit_once('\n').unwrap_or(("", trimmed));
    let inner = last.strip_prefix('[').and_then(|last| last.strip_suffix(']'));
    let inner =
        inner.or_else(|| last.strip_prefix("... (").and_then(|last| last.strip_suffix(')')));
    let words = [
        "more line",
        "Showing lines",
        "offset=",
        "limit=",
        "limit reached",
        "B limit",
        "truncated",
    ];
    match inner.filter(|inner| words.iter().any(|word| inner.contains(word))) {
        Some(_) => (before.strip_suffix('\n').unwrap_or(before), Some(last)),
        None => (text, None),
    }
}

/// What the tool said: a short success as a remark, all else as it was printed.
pub(super) fn said<'r>(run: &ToolRun<'r>) -> Content<'r> {
    match run.output_text().map(str::trim) {
        Some(text) if !run.is_error() && is_short(text) => {
            let mut content = Content::new();
            content.notice(text);
            content
        }
        _ => run.output(),
    }
}

fn is_short(text: &str) -> bool {
    !text.is_empty() && text.len() <= SHORT_BYTES && !text.contains(['\n', '\r'])
}

/// The diff that the tool left for viewers.
pub(super) enum Left<'r> {
    Diff(Diff<'r>),
    /// A text that cannot be read as a diff.
    Text(&'r str),
    Nothing,
}

pub(super) fn left_diff<'r>(run: &ToolRun<'r>) -> Left<'r> {
    let text = run.result.and_then(ToolResult::diff).filter(|text| !text.trim().is_empty());
    match text {
        None => Left::Nothing,
        Some(text) => Diff::written(text).map_or(Left::Text(text), Left::Diff),
    }
}

/// What was asked, where the result shows another form of it.
pub(super) fn as_asked(asked: Content<'_>) -> Option<Part<'_>> {
    (!asked.is_empty()).then(|| Part::Fold(Fold::own(FoldKind::Plain, "Edit as requested", asked)))
}

/// The text of a new file, numbered.
pub(super) fn new_text<'r>(content: Cow<'r, str>, language: &str) -> Part<'r> {
    if content.trim_end_matches(['\n', '\r']).is_empty() {
        return Part::Line(Line::own(Role::Note, "Empty file"));
    }
    Part::File { text: content, language: language.to_owned().into(), first_line: Some(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_is_told_from_the_text() {
        let text = "low\nhigh\n\n[12 more lines in file. Use offset=3 to continue]";
        assert_eq!(split_notice(text), ("low\nhigh", Some(&text[10..])));
        let old = "low\n\n... (12 more lines not shown. Use offset=3 to continue reading)";
        assert!(split_notice(old).1.is_some());
        for text in ["[package]\nname = 1", "low\n[dependencies]", "", "[", "low"] {
            assert_eq!(split_notice(text), (text, None));
        }
    }

    #[test]
    fn lines_are_counted() {
        assert_eq!(
            ["", "\n", "a", "a\n", "a\r\nb"].map(lines_fact),
            ["0 lines", "0 lines", "1 line", "1 line", "2 lines"]
        );
    }
}
