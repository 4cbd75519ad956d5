//! Skills that a prompt brings along: `<skill name="…" location="…">`, the
//! skill's text, `</skill>`, and what the person typed.

use std::slice;

use askama::Template;

use super::{Renderer, fill, markdown};
use crate::html::Html;
use crate::session::EntryIndex;
use crate::session::message::Block;
use crate::session::skill::Skill;

#[derive(Template)]
#[template(path = "skill.html")]
struct SkillTemplate<'a> {
    name: &'a str,
    location: &'a str,
    text: Html,
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
