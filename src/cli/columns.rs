//! How wide a line may be, and texts that fit it.

use std::io::{self, IsTerminal as _};

use terminal_size::{Width, terminal_size_of};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Where nobody says how wide the lines may be.
const USUAL: usize = 80;

/// The columns that `COLUMNS` asks for, else those of the terminal that standard output is, else 80.
pub(super) fn columns() -> usize {
    known_columns().unwrap_or(USUAL)
}

/// The same; `None` in a pipe or a file without `COLUMNS`.
pub(super) fn known_columns() -> Option<usize> {
    asked_for().or_else(of_terminal)
}

/// `COLUMNS`, which counts in a pipe, too.
fn asked_for() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.parse().ok().filter(|&columns| columns > 0)
}

/// The columns of the terminal that standard output is; `None` for a pipe or a file.
pub(super) fn of_terminal() -> Option<usize> {
    let stdout = io::stdout();
    let size = stdout.is_terminal().then(|| terminal_size_of(&stdout)).flatten();
    size.map(|(Width(columns), _)| usize::from(columns)).filter(|&columns| columns > 0)
}

/// The beginning of a text that takes at most so many columns.
pub(super) fn fitting(text: &str, columns: usize) -> &str {
    let mut left = columns;
    let end =
        text.char_indices().find_map(|(at, c)| match left.checked_sub(c.width().unwrap_or(0)) {
            Some(rest) => {
                left = rest;
                None
            }
            None => Some(at),
        });
    &text[..end.unwrap_or(text.len())]
}

/// The text, or what of it fits so many columns with `…` behind it: whole words, unless the last one is long.
pub(super) fn shortened(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let start = fitting(text, columns.saturating_sub(1));
    let rest = &text[start.len()..];
    let word = start.rfind(' ').filter(|&at| !rest.starts_with(' ') && at * 3 >= start.len() * 2);
    format!("{}…", start[..word.unwrap_or(start.len())].trim_end())
}

/// A path, or both ends of it with `…` between them: the place, and as much as fits of the file's name.
pub(super) fn path_within(path: &str, columns: usize) -> String {
    if path.width() <= columns {
        return path.to_owned();
    }
    let name = path.rfind(['/', '\\']).map_or(path, |at| &path[at..]);
    if let Some(room) = columns.checked_sub(name.width() + 1) {
        return format!("{}…{name}", fitting(path, room));
    }
    let tail = columns.saturating_sub(2) / 2;
    let end = name.char_indices().rev().scan(tail, |left, (at, c)| {
        *left = left.checked_sub(c.width().unwrap_or(0))?;
        Some(at)
    });
    let end = end.last().unwrap_or(name.len());
    let room = columns.saturating_sub(1 + name[end..].width());
    format!("{}…{}", fitting(path, room), &name[end..])
}

/// Items on lines of at most so many columns, of which all but the first begin with an indentation. An item
/// that is wider than a line is broken between words, and a word that is wider is shortened.
pub(super) fn wrapped(items: &[String], separator: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (nth, item) in items.iter().enumerate() {
        let separator = if nth + 1 < items.len() { separator.trim_end() } else { "" };
        let is_wide = item.width() + separator.width() > columns;
        let words: Vec<&str> = if is_wide { item.split(' ').collect() } else { vec![item] };
        for (nth, word) in words.iter().enumerate() {
            let separator = if nth + 1 < words.len() { "" } else { separator };
            let word = shortened(word, columns.saturating_sub(separator.width()));
            match lines.last_mut() {
                Some(line) if line.width() + 1 + word.width() + separator.width() <= columns => {
                    line.push(' ');
                    line.push_str(&word);
                    line.push_str(separator);
                }
                _ => lines.push(format!("{word}{separator}")),
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_wide_ends_with_an_ellipsis() {
        assert_eq!(shortened("Plant two rows", 14), "Plant two rows");
        assert_eq!(shortened("Plant two rows", 13), "Plant two…");
        assert_eq!(shortened("海底灯塔", 7), "海底灯…");
        assert_eq!(shortened("abc", 0), "…");
    }

    #[test]
    fn a_path_keeps_its_file_name() {
        assert_eq!(path_within("~/a/b/c/name.jsonl", 18), "~/a/b/c/name.jsonl");
        assert_eq!(path_within("~/a/b/c/name.jsonl", 16), "~/a/…/name.jsonl");
        let short = path_within("~/a/b/c/a-very-long-name-0001.jsonl", 16);
        assert_eq!((short.as_str(), short.width()), ("~/a/b/c/…1.jsonl", 16));
    }

    #[test]
    fn items_are_put_on_as_many_lines_as_they_need() {
        let items = ["bash 8", "edit 5", "read 3"].map(str::to_owned);
        assert_eq!(wrapped(&items, ", ", 80), ["bash 8, edit 5, read 3"]);
        assert_eq!(wrapped(&items, ", ", 16), ["bash 8, edit 5,", "read 3"]);
        assert_eq!(wrapped(&[], ", ", 16), Vec::<String>::new());
        let wide = ["09:00 to 10:41", "3m", "mcp__calendar__list"].map(str::to_owned);
        assert_eq!(wrapped(&wide, ", ", 10), ["09:00 to", "10:41, 3m,", "mcp__cale…"]);
    }
}
