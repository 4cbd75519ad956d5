//! What a Markdown text says, in one line: the excerpts of prompts and responses.

use std::fmt;
use std::ops::{Deref, Range};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::text::{cut, one_line, shortened, trim};
use super::{cjk, formulas};

/// The words of a Markdown text in one line, and which of them are code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Words {
    /// The line.
    pub text: String,
    /// Byte ranges of the text that are code, in order.
    pub code: Vec<Range<usize>>,
}

impl Words {
    /// Those of a Markdown text; of a text that has none, the text itself.
    pub(crate) fn of_markdown(markdown: &str) -> Words {
        let mut words = Words::default();
        // A heading and what stands below it are no sentence.
        let mut is_headed = false;
        let mut block = None;
        let mut options = Options::ENABLE_TABLES;
        let joined = cjk::with_joints(markdown);
        let markdown = joined.as_deref().unwrap_or(markdown);
        let prepared = formulas::prepared(markdown, options);
        options.set(Options::ENABLE_MATH, prepared.is_some());
        let parsed = prepared.as_deref().unwrap_or(markdown);
        for (event, place) in Parser::new_ext(parsed, options).into_offset_iter() {
            match event {
                Event::InlineMath(inner) | Event::DisplayMath(inner) => {
                    let is_display = parsed[place.clone()].starts_with("$$");
                    let text = formulas::written(markdown, place, &inner, is_display);
                    words.push(&text, std::mem::take(&mut is_headed));
                }
                Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => {
                    words.push(&text, std::mem::take(&mut is_headed));
                }
                Event::Code(text) => {
                    words.push("", std::mem::take(&mut is_headed));
                    let start = words.text.len();
                    words.text.push_str(&formulas::restored(&cjk::without_joints(&text)));
                    words.code.push(start..words.text.len());
                }
                Event::Start(Tag::CodeBlock(_)) => {
                    words.push("", std::mem::take(&mut is_headed));
                    words.end_block();
                    block = Some(words.text.len());
                }
                Event::End(TagEnd::CodeBlock) => {
                    let start = block.take().unwrap_or_default();
                    words.code.push(start..words.text.trim_end().len().max(start));
                    words.end_block();
                }
                Event::End(TagEnd::Heading(_)) => is_headed = true,
                Event::SoftBreak
                | Event::HardBreak
                | Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell) => {
                    words.end_block();
                }
                _ => {}
            }
        }
        // One character for each, so that the ranges stay.
        words.text = words.text.replace(['\n', '\t'], " ");
        let trimmed = trim(&words.text);
        let start = trimmed.as_ptr() as usize - words.text.as_ptr() as usize;
        let words = words.part(start..start + trimmed.len());
        if words.is_empty() {
            return Words { text: one_line(&cjk::without_joints(markdown)), code: Vec::new() };
        }
        words
    }

    fn push(&mut self, text: &str, is_headed: bool) {
        if is_headed {
            if self.text.ends_with(char::is_alphanumeric) {
                self.text.push(':');
            }
            self.end_block();
        }
        self.text.push_str(&formulas::restored(&cjk::without_joints(text)));
    }

    fn end_block(&mut self) {
        if !self.text.ends_with(char::is_whitespace) {
            self.text.push(' ');
        }
    }

    /// The words within a byte range.
    pub(crate) fn part(&self, range: Range<usize>) -> Words {
        let within = |code: &Range<usize>| {
            let code = code.start.max(range.start)..code.end.min(range.end);
            (!code.is_empty()).then(|| code.start - range.start..code.end - range.start)
        };
        let code = self.code.iter().filter_map(within).collect();
        Words { text: self.text[range].to_owned(), code }
    }

    /// The same, or their beginning of so many UTF-16 units with `…` behind it.
    pub(crate) fn shortened(&self, units: usize) -> Words {
        let text = shortened(&self.text, units);
        let kept = text.strip_suffix('…').filter(|_| cut(&self.text, units) != self.text);
        let code = self.part(0..kept.unwrap_or(&text).len()).code;
        Words { text, code }
    }

    /// The words in order, each piece with whether it is code.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = (bool, &str)> {
        let ends = self.code.iter().map(|code| code.end).chain([self.text.len()]);
        let starts = std::iter::once(0).chain(self.code.iter().map(|code| code.end));
        let code = self.code.iter().map(|code| code.start).chain([self.text.len()]);
        let both = starts.zip(code).zip(ends).flat_map(|((start, code), end)| {
            [(false, &self.text[start..code]), (true, &self.text[code..end])]
        });
        both.filter(|(_, piece)| !piece.is_empty())
    }
}

impl Deref for Words {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Words {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(words: &Words) -> String {
        words
            .pieces()
            .map(|(is_code, piece)| if is_code { format!("<{piece}>") } else { piece.to_owned() })
            .collect()
    }

    #[test]
    fn code_stays_code() {
        for (markdown, expected) in [
            ("", ""),
            ("a `b` *c*\n`d`", "a <b> c <d>"),
            ("  `a`", "<a>"),
            ("```sh\nls `x`\n```\nthen", "<ls `x`> then"),
            ("As follows:\n\n    a\n    b\n\n- c", "As follows: <a b> c"),
            ("```\n```", "``` ```"),
            ("# The plan\n\nGo on", "The plan: Go on"),
            ("# What?\n## `a`\n\nb", "What? <a>: b"),
            ("# The plan", "The plan"),
            ("***", "***"),
        ] {
            assert_eq!(marked(&Words::of_markdown(markdown)), expected, "{markdown}");
        }
    }

    #[test]
    fn a_cut_keeps_where_code_is() {
        let words = Words::of_markdown("say `once` and `twice over`");
        for (units, expected) in [
            (5, "say <o>…"),
            (6, "say <on>…"),
            (8, "say <once>…"),
            (20, "say <once> and <twice>…"),
            (99, "say <once> and <twice over>"),
        ] {
            assert_eq!(marked(&words.shortened(units)), expected, "{units}");
        }
        assert_eq!(marked(&words.part(6..words.len())), "<ce> and <twice over>");
    }
}
