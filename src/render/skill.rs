//! Skills that a prompt brings along: `<skill name="…" location="…">`, the
//! skill's text, `</skill>`, and what the person typed.

use std::slice;

use askama::Template;

use super::html::Html;
use super::{Renderer, fill, markdown};
use crate::session::EntryIndex;
use crate::session::message::Block;

#[derive(Template)]
#[template(path = "skill.html")]
struct SkillTemplate<'a> {
    name: &'a str,
    location: &'a str,
    text: Html,
}

/// The parts of a prompt that begins with a skill.
#[derive(Debug, PartialEq)]
struct Skill<'a> {
    name: &'a str,
    location: &'a str,
    text: &'a str,
    rest: &'a str,
}

impl<'a> Skill<'a> {
    /// Reads the very shape that agents write; anything else is a person's text.
    fn read(prompt: &'a str) -> Option<Skill<'a>> {
        let rest = prompt.strip_prefix("<skill name=\"")?;
        let (name, rest) = rest.split_once("\" location=\"")?;
        let (location, rest) = rest.split_once("\">\n")?;
        let is_attribute = |text: &str| !text.is_empty() && !text.contains(['"', '\n']);
        if !is_attribute(name) || !is_attribute(location) {
            return None;
        }
        let mut ends = rest.match_indices("\n</skill>");
        let (text, rest) = ends.find_map(|(at, end)| {
            let after = &rest[at + end.len()..];
            let is_end =
                after.trim_start_matches(' ').is_empty() || after.starts_with(['\n', '\r']);
            is_end.then(|| (&rest[..at], after))
        })?;
        Some(Skill { name, location, text, rest })
    }
}

impl Renderer<'_> {
    /// What a person typed, a skill at its beginning as a card.
    pub(super) fn prompt(&mut self, index: EntryIndex, blocks: &[Block<'_>]) -> Html {
        let mut html = Html::new();
        for block in blocks {
            match block {
                Block::Text(text) => html.push(&typed(text)),
                other => html.push(&self.blocks(index, slice::from_ref(other))),
            }
        }
        html
    }
}

fn typed(text: &str) -> Html {
    let Some(skill) = Skill::read(text) else { return markdown::block(text) };
    let mut html = fill(&SkillTemplate {
        name: skill.name,
        location: skill.location,
        text: markdown::block(skill.text),
    });
    html.push(&markdown::block(skill.rest));
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skill_is_told_from_what_was_typed() {
        let skill = Skill::read(
            "<skill name=\"bake\" location=\"/s/SKILL.md\">\nMix.\n\n</skill> is no end\n</skill>\n\nNow rye.",
        );
        let expected = Skill {
            name: "bake",
            location: "/s/SKILL.md",
            text: "Mix.\n\n</skill> is no end",
            rest: "\n\nNow rye.",
        };
        assert_eq!(skill, Some(expected));
        let skill =
            Skill::read("<skill name=\"a\" location=\"b\">\n\n</skill>").map(|skill| skill.rest);
        assert_eq!(skill, Some(""));
    }

    #[test]
    fn anything_malformed_stays_text() {
        for prompt in [
            "",
            "x <skill name=\"a\" location=\"b\">\nx\n</skill>",
            "<skill name=\"a\" location=\"b\">\nx",
            "<skill name=\"a\" location=\"b\">x\n</skill>",
            "<skill name=\"\" location=\"b\">\nx\n</skill>",
            "<skill location=\"b\" name=\"a\">\nx\n</skill>",
            "<skill name=\"a\" x=\"\" location=\"b\">\nx\n</skill>",
            "<skill name=\"a\nb\" location=\"b\">\nx\n</skill>",
            "<skill name=\"a\" location=\"b\">\nx\n</skill>y",
        ] {
            assert_eq!(Skill::read(prompt), None, "{prompt}");
        }
    }
}
