//! A file, or a part of it, as it was read.

use super::file::{lines_fact, split_notice};
use super::{ToolCard, ToolRun};
use crate::content::Part;
use crate::session::action::lines::LineRange;
use crate::session::json::Json;

pub(super) fn read<'r>(run: &ToolRun<'r>, path: &str, lines: LineRange) -> ToolCard<'r> {
    let mut card = ToolCard::of(run.arguments.rest());
    match run.output_text().filter(|_| !run.is_error()) {
        Some(text) if !is_listing(run, path) && !text.trim().is_empty() => {
            let (text, notice) = split_notice(text);
            let language = crate::language::of_path(path);
            file_text(text, language, lines.first.unwrap_or(1).max(1), &mut card);
            if let Some(notice) = notice {
                card.body.notice(notice);
            }
        }
        _ => card.body.append(run.output()),
    }
    card
}

/// A folder's list or a page of the web, whose lines have no numbers.
fn is_listing(run: &ToolRun<'_>, path: &str) -> bool {
    let is_folder = matches!(path, "." | "..") || path.ends_with(['/', '\\']);
    is_folder || path.contains("://") || run.detail("isDirectory") == Some(&Json::Bool(true))
}

fn file_text<'r>(text: &'r str, language: &str, first: usize, card: &mut ToolCard<'r>) {
    let language = language.to_owned().into();
    if let Some(numbered) = Numbered::read(text) {
        if !numbered.before.is_empty() {
            card.body.push(Part::Plain(numbered.before.trim_end().into()));
        }
        card.facts.push(lines_fact(&numbered.text));
        let first_line = Some(numbered.first);
        card.body.push(Part::File { text: numbered.text.into(), language, first_line });
        if !numbered.after.trim().is_empty() {
            card.body.push(Part::Plain(numbered.after.trim_matches('\n').into()));
        }
        return;
    }
    card.facts.push(lines_fact(text));
    let first_line = (!is_marked(text, first)).then_some(first);
    card.body.push(Part::File { text: text.into(), language, first_line });
}

/// Some agents put a mark of their own before each line, with its number in it:
/// `12#AB:text`, `12:text`.
fn is_marked(text: &str, first: usize) -> bool {
    text.trim_end().split('\n').zip(first..).all(|(line, number)| {
        let rest = line.trim_start().strip_prefix(&number.to_string());
        rest.is_some_and(|rest| rest.starts_with([':', '#', '|']))
    })
}

/// A text whose lines came with their numbers, as `cat -n` prints them, or in the agent's own way.
#[derive(Debug, PartialEq)]
struct Numbered<'t> {
    /// What the agent put above.
    before: &'t str,
    first: usize,
    text: String,
    /// What the agent added below, apart from an empty line.
    after: &'t str,
}

impl Numbered<'_> {
    /// `None` unless every line has its number and the numbers follow each other.
    fn read(text: &str) -> Option<Numbered<'_>> {
        let (before, text, marks) = framed(text).unwrap_or(("", text, &CAT));
        let (first, _) = numbered_line(text.split('\n').next()?, marks)?;
        let mut numbered = Numbered { before, first, text: String::new(), after: "" };
        let mut at = 0;
        for (line, expected) in text.split('\n').zip(first..) {
            // Of the last line, what is empty behind the number may have been trimmed.
            let is_last = at > 0 && at + line.len() == text.len();
            match numbered_line(line, marks)
                .or_else(|| trimmed_number(line, marks).filter(|_| is_last))
            {
                Some((number, line)) if number == expected => {
                    if at > 0 {
                        numbered.text.push('\n');
                    }
                    numbered.text.push_str(line);
                }
                None if line.trim().is_empty() || line.starts_with("</") => {
                    numbered.after = &text[at..];
                    break;
                }
                _ => return None,
            }
            at = (at + line.len() + 1).min(text.len());
        }
        Some(numbered)
    }
}

/// What stands between a number and its line.
const CAT: [&str; 2] = ["→", "\t"];

/// What an agent puts above the lines of a file, the rest, and what stands behind their numbers.
// OpenCode: `<path>…</path>`, `<type>file</type>`, `<content>`, `12: text` (1.18.33); `<file>`, `00012| text` (before).
// omp 18.2.3: `[src/tide.rs#0C90]`, `12:text`.
fn framed(text: &str) -> Option<(&str, &str, &'static [&'static str])> {
    const TAGS: [(&str, &str); 2] = [("<path>", "<content>\n"), ("<file>", "<file>\n")];
    for (begin, last) in TAGS {
        if let Some(at) = text.find(last).filter(|_| text.starts_with(begin)) {
            let (before, lines) = text.split_at(at + last.len());
            return Some((before, lines, &[": ", "| "]));
        }
    }
    let (head, lines) = text.split_once('\n')?;
    let is_head = head.starts_with('[') && head.ends_with(']') && head.contains('#');
    is_head.then_some((head, lines, &[":"]))
}

/// `   12→text` or `12`, a tab, the text.
fn numbered_line<'t>(line: &'t str, marks: &[&str]) -> Option<(usize, &'t str)> {
    let line = line.trim_start_matches(' ');
    let end = line.find(|c: char| !c.is_ascii_digit())?;
    let text = marks.iter().find_map(|mark| line[end..].strip_prefix(mark))?;
    let number = line[..end].parse().ok()?;
    (number <= 1_000_000_000).then_some((number, text))
}

/// The number of an empty line, without what follows a number.
fn trimmed_number<'t>(line: &str, marks: &[&str]) -> Option<(usize, &'t str)> {
    let line = line.trim_start_matches(' ');
    let number = marks.iter().find_map(|mark| line.strip_suffix(mark.trim_end()))?;
    Some((number.parse().ok()?, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_agent_are_recognised() {
        let read = |text| Numbered::read(text).map(|found| (found.first, found.text, found.after));
        assert_eq!(
            read("     9→low\n    10→\n    11→  high"),
            Some((9, "low\n\n  high".to_owned(), ""))
        );
        assert_eq!(read("1\ta\n2\tb\n"), Some((1, "a\nb".to_owned(), "")));
        assert_eq!(read("1\ta\n2"), Some((1, "a\n".to_owned(), "")));
        assert_eq!(read("1\n2"), None);
        assert_eq!(read("1→a\n\n<reminder>\n2→b"), Some((1, "a".to_owned(), "\n<reminder>\n2→b")));
    }

    #[test]
    fn what_an_agent_puts_around_the_lines_is_none_of_them() {
        let read =
            |text| Numbered::read(text).map(|own| (own.before, own.first, own.text, own.after));
        let end = "\n(End of file - total 8 lines)\n</content>";
        let above = "<path>/a.rs</path>\n<type>file</type>\n<content>\n";
        let text = format!("{above}7: low\n8:   high\n{end}");
        assert_eq!(read(&text), Some((above, 7, "low\n  high".to_owned(), end)));
        assert_eq!(
            read("<file>\n00001| low\n00002| \n</file>"),
            Some(("<file>\n", 1, "low\n".to_owned(), "</file>"))
        );
        assert_eq!(
            read("[src/a.rs#0C90]\n1:low\n2: high"),
            Some(("[src/a.rs#0C90]", 1, "low\n high".to_owned(), ""))
        );
        assert_eq!(read("[src/a.rs]\n1:low"), None);
    }

    #[test]
    fn numbers_of_the_text_itself_are_left_alone() {
        for text in ["", "12 a\n13 b", "1→a\n3→b", "1→a\nb", "99999999999999999999→a", "→a"]
        {
            assert_eq!(Numbered::read(text), None, "{text}");
        }
    }
}
