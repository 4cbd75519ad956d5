//! Whether a text ends with a question.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::text::trim;

/// Whether the last sentence outside of code is a question. What stands behind it without being a
/// word, such as a closing quote or an emoji, belongs to it.
pub(crate) fn is_question(text: &str) -> bool {
    // Nearly all texts have none, and need not be read as Markdown.
    if !text.contains(['?', '？']) {
        return false;
    }
    let (mut in_code, mut part, mut last) = (false, String::new(), String::new());
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(text) if !in_code => part.push_str(&text),
            Event::SoftBreak | Event::HardBreak => part.push(' '),
            Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::Item)
            | Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::Item) => {
                if !trim(&part).is_empty() {
                    last.clone_from(&part);
                }
                part.clear();
            }
            _ => {}
        }
    }
    let is_end = |c: char| matches!(c, '?' | '？' | '.' | '!' | '…' | ':' | ';' | '。' | '！');
    last.trim_end_matches(|c: char| !c.is_alphanumeric() && !is_end(c)).ends_with(['?', '？'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_ends_the_text_outside_of_code() {
        for (text, expected) in [
            ("Shall I?", true),
            ("**Shall I?**", true),
            ("要继续吗？", true),
            ("Shall I?\n\n```\nlet x = 1;\n```", true),
            ("Why? Because.", false),
            ("Run:\n```\nis it?\n```", false),
            ("Run:\n\n    is it?", false),
            ("Read `is it?`", false),
            ("1. This?\n2. That?", true),
            ("Shall I? \u{1f642}", true),
            ("Shall I? Yes.", false),
            ("", false),
        ] {
            assert_eq!(is_question(text), expected, "{text}");
        }
    }
}
