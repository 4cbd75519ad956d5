//! A part of a file that a `read` of pi's printed: which lines, and how many the file has.
//!
//! pi (up to 1.5.2) says behind a part where to go on: `[297 more lines in file. Use offset=81 to continue]`,
//! `[Showing lines 1-80 of 377 (50.0KB limit). Use offset=81 to continue]`, and in sessions of 2025
//! `... (297 more lines not shown. Use offset=81 to continue reading)`. It says nothing where the file ends. Its lines are
//! what stands between newlines, so that a newline at the end begins one more.

use crate::session::action::lines::LineRange;
use crate::session::message::{ToolResult, joined_text};

/// Lines of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// The number of the first, from 1.
    pub(crate) start: usize,
    /// How many the file has.
    pub(crate) total: usize,
    /// The lines, with newlines between them.
    pub(crate) text: String,
}

/// What a call of pi's that asked for `lines` printed of a file. `None` where it does not say which lines these are.
pub(super) fn of_pi(lines: LineRange, result: &ToolResult<'_>) -> Option<Part> {
    if result.content.len() != 1 {
        return None;
    }
    read(&joined_text(&result.content, "\n"), lines.first.unwrap_or(1).max(1), lines.count)
}

fn read(text: &str, start: usize, limit: Option<usize>) -> Option<Part> {
    let lines = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count() + 1;
    let Some((shown, notice)) = text.rsplit_once("\n\n").filter(|(_, last)| is_notice(last)) else {
        let last = text.rsplit('\n').next().unwrap_or_default();
        let count = lines(text);
        // Of a part that is as long as it may be nothing says whether the file ends there.
        let is_end = !is_notice(last) && limit.is_none_or(|limit| count < limit);
        let part = || Part { start, total: start - 1 + count, text: text.to_owned() };
        return (is_end && start > 1).then(part);
    };
    let next = number_behind(notice, "offset=")?;
    let total = match number_behind(notice, " of ") {
        Some(total) if notice.starts_with("[Showing lines ") => total,
        _ => next.checked_sub(1)?.checked_add(number_behind(notice, "")?)?,
    };
    let is_as_said = start.checked_add(lines(shown)) == Some(next) && total >= next;
    is_as_said.then(|| Part { start, total, text: shown.to_owned() })
}

fn is_notice(line: &str) -> bool {
    let ends = (line.starts_with('[') && line.ends_with(']'))
        || (line.starts_with("... (") && line.ends_with(')'));
    ends && line.contains("offset=")
}

/// The first number that stands behind some words.
fn number_behind(text: &str, words: &str) -> Option<usize> {
    let rest = &text[text.find(words)? + words.len()..];
    let rest = rest.trim_start_matches(|c: char| !c.is_ascii_digit());
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked before")]
pub(super) fn usize_of(number: f64) -> Option<usize> {
    ((0.0..1e9).contains(&number) && number.fract() == 0.0).then_some(number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_says_which_lines_it_has() {
        let told = |text: &str, start, limit| {
            read(text, start, limit).map(|part| (part.start, part.total, part.text))
        };
        for notice in [
            "[2 more lines in file. Use offset=3 to continue]",
            "[2 more lines in file. Use offset=3 to continue.]",
            "[Showing lines 1-2 of 4 (50.0KB limit). Use offset=3 to continue]",
            "... (2 more lines not shown. Use offset=3 to continue reading)",
        ] {
            let text = format!("a\nb\n\n{notice}");
            assert_eq!(told(&text, 1, Some(2)), Some((1, 4, "a\nb".to_owned())), "{notice}");
            assert_eq!(told(&text, 2, Some(2)), None, "{notice}");
            assert_eq!(told(notice, 1, None), None, "{notice}");
        }
        assert_eq!(told("c\n", 3, None), Some((3, 4, "c\n".to_owned())));
        assert_eq!(told("c\n", 3, Some(10)), Some((3, 4, "c\n".to_owned())));
        assert_eq!(told("c\n", 3, Some(2)), None);
        assert_eq!(told("c\n", 1, None), None, "a whole file is no part");
        let odd = "[Line 3 is 60KB, exceeds limit. Use bash: sed -n 3p, offset=4]";
        assert_eq!(told(odd, 3, None), None);
    }
}
