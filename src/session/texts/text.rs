//! Small rules on text, as the agents' own programs apply them.

use std::borrow::Cow;

use unicode_segmentation::GraphemeCursor;

/// The last sentence of a line, with what stands behind its end.
pub(crate) fn last_sentence(line: &str) -> &str {
    let is_end = |c: char| matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？');
    let line = trim(line);
    let body = line.trim_end_matches(|c: char| !c.is_alphanumeric());
    let mut start = 0;
    for (at, end) in body.match_indices(is_end) {
        let rest = &body[at + end.len()..];
        // A dot within a name or a number ends nothing; scripts without blanks have ends of their own.
        if rest.starts_with(char::is_whitespace) || matches!(end, "。" | "！" | "？") {
            start = body.len() - rest.trim_start().len();
        }
    }
    &line[start..]
}

/// One line: each newline and tab becomes a blank, ends are trimmed. Runs of
/// blanks stay.
pub fn one_line(text: &str) -> String {
    trim(&text.replace(['\n', '\t'], " ")).to_owned()
}

/// Trims what JavaScript's `trim` does, which counts U+FEFF as a blank.
pub fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}')
}

/// The first `units` UTF-16 units, never half a character.
pub fn cut(text: &str, units: usize) -> &str {
    let mut left = units;
    let end = text.char_indices().find_map(|(at, c)| match left.checked_sub(c.len_utf16()) {
        Some(rest) => {
            left = rest;
            None
        }
        None => Some(at),
    });
    &text[..end.unwrap_or(text.len())]
}

/// The length in UTF-16 units, as JavaScript counts it.
pub fn utf16_len(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// A path with the home folder written `~`, recognized by its pattern: whose home it
/// was is nobody's business in a shared page.
pub fn short_path(path: &str) -> String {
    for base in ["/home/", "/Users/", "C:\\Users\\"] {
        if let Some(rest) = path.strip_prefix(base) {
            let user = rest.find(['/', '\\']).unwrap_or(rest.len());
            if user > 0 {
                return format!("~{}", &rest[user..]);
            }
        }
    }
    path.to_owned()
}

/// A path as named from the folder `cwd` that a session works in: agents name one file both ways. A path
/// elsewhere, and the folder itself, stay as they are; an empty `cwd` is an unknown one.
pub(crate) fn path_within<'p>(path: &'p str, cwd: &str) -> &'p str {
    let cwd = cwd.trim_end_matches(['/', '\\']);
    let inside = path.strip_prefix(cwd).filter(|_| !cwd.is_empty());
    let inside = inside.and_then(|rest| rest.strip_prefix(['/', '\\']));
    let inside = inside.or_else(|| path.strip_prefix("./"));
    inside.filter(|rest| !rest.is_empty()).unwrap_or(path)
}

/// A path in a row of the tree: without the working folder `cwd`, with the home folder written `~`.
pub(crate) fn row_path(path: &str, cwd: &str) -> String {
    short_path(path_within(path, cwd))
}

/// `48,211`.
pub(crate) fn count(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// `1 match`, `2 matches`.
pub(crate) fn numbered(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// `1 line`, `2 lines`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    numbered(number, noun, &format!("{noun}s"))
}

/// `1 entry`, `2 entries`.
pub(crate) fn counted_entries(number: usize) -> String {
    numbered(number, "entry", "entries")
}

/// `340 B`, `12 KB`, `1.5 MB`, `2.1 GB`.
pub(crate) fn bytes(count: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "rounded to two digits anyway")]
    let count_f = count as f64;
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{:.0} KB", count_f / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", count_f / 1e6),
        _ => format!("{:.1} GB", count_f / 1e9),
    }
}

/// The text, or its beginning of so many UTF-16 units at most with `…` behind it. What a reader takes for one character
/// is whole.
pub(crate) fn shortened(text: &str, units: usize) -> String {
    let end = cut(text, units).len();
    if end == text.len() {
        return text.to_owned();
    }
    let mut cursor = GraphemeCursor::new(end, text.len(), true);
    let end = match cursor.is_boundary(text, 0) {
        Ok(true) => end,
        // One that is longer than all that is kept is cut.
        _ => cursor.prev_boundary(text, 0).ok().flatten().filter(|&at| at > 0).unwrap_or(end),
    };
    let (start, rest) = text.split_at(end);
    // A word is given up, but not a long path or an address.
    let whole_words =
        start.rfind(' ').filter(|&at| !rest.starts_with(' ') && at * 3 >= start.len() * 2);
    format!("{}…", start[..whole_words.unwrap_or(start.len())].trim_end())
}

/// What a program printed, without the NUL between the letters of UTF-16 that an agent took for UTF-8, as
/// `wsl.exe` and other programs of Windows write it. A terminal shows nothing for NUL anywhere.
pub(crate) fn printed(text: Cow<'_, str>) -> Cow<'_, str> {
    if memchr::memchr(0, text.as_bytes()).is_none() {
        return text;
    }
    // What a byte order mark of UTF-16 became.
    let rest = text
        .strip_prefix("\u{fffd}\u{fffd}")
        .filter(|rest| rest.chars().take(2).any(|c| c == '\0'));
    Cow::Owned(rest.unwrap_or(&text).replace('\0', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_commas_and_their_noun() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([1, 12_000].map(|number| counted(number, "line")), ["1 line", "12,000 lines"]);
        assert_eq!([1, 12_000].map(counted_entries), ["1 entry", "12,000 entries"]);
    }

    #[test]
    fn cutting_counts_utf16_units_and_keeps_characters_whole() {
        assert_eq!(cut("abc", 2), "ab");
        assert_eq!(cut("a\u{1f56f}b", 2), "a");
        assert_eq!(cut("a\u{1f56f}b", 3), "a\u{1f56f}");
        assert_eq!(utf16_len("a\u{1f56f}"), 3);
    }

    #[test]
    fn what_is_shortened_ends_with_a_word() {
        assert_eq!(shortened("one two three", 13), "one two three");
        assert_eq!(shortened("one two three", 10), "one two…");
        assert_eq!(shortened("one two three", 7), "one two…");
        assert_eq!(shortened("a /very/long/path", 10), "a /very/lo…");
    }

    #[test]
    fn what_is_shortened_has_whole_characters() {
        let family = "👨\u{200d}👩\u{200d}👧";
        assert_eq!(shortened(&format!("漢字{family}"), 5), "漢字…");
        assert_eq!(shortened("か\u{3099}き\u{3099}く", 3), "か\u{3099}…");
        // There is nothing before it.
        assert_eq!(shortened(family, 3), "👨\u{200d}…");
    }

    #[test]
    fn home_folders_are_told_by_their_pattern() {
        assert_eq!(short_path("/home/ana/x"), "~/x");
        assert_eq!(short_path("/Users/ana"), "~");
        assert_eq!(short_path("/home/"), "/home/");
        assert_eq!(short_path("/srv/x"), "/srv/x");
    }

    #[test]
    fn a_path_in_a_row_begins_where_it_differs() {
        assert_eq!(row_path("/home/ana/w/src/a.rs", "/home/ana/w"), "src/a.rs");
        assert_eq!(row_path("/home/ana/wide/a.rs", "/home/ana/w"), "~/wide/a.rs");
        assert_eq!(row_path("/home/ana/w", "/home/ana/w"), "~/w");
    }

    #[test]
    fn one_line_keeps_runs_of_blanks() {
        assert_eq!(one_line(" a\n\tb \u{feff}"), "a  b");
    }

    #[test]
    fn nul_is_nothing_in_what_a_program_printed() {
        let wide = "No\r\nway".chars().flat_map(|c| [c, '\0']).collect::<String>();
        for (text, expected) in [
            (wide.clone(), "No\r\nway"),
            (format!("\u{fffd}\u{fffd}{wide}"), "No\r\nway"),
            (format!("Exit code: 1\n{wide}"), "Exit code: 1\nNo\r\nway"),
            ("\u{fffd}\u{fffd} plain".to_owned(), "\u{fffd}\u{fffd} plain"),
        ] {
            assert_eq!(printed(text.clone().into()), expected, "{text:?}");
        }
    }
}
