//! What a person typed, a skill at its beginning apart.

use super::{Content, Fold, FoldKind, Part, Span, Style};
use crate::session::skill::Skill;

pub(super) fn typed(text: &str) -> Content<'_> {
    let Some(skill) = Skill::read(text) else { return Content::of_prose(text) };
    let mut content = Content::from(Part::Fold(Fold {
        kind: FoldKind::Skill,
        title: vec![
            Span::own("Skill "),
            Span::styled(Style::Tool, skill.name),
            Span::text(" "),
            Span::styled(Style::Args, skill.location),
        ],
        content: Content::of_prose(skill.text),
    }));
    content.prose(skill.rest);
    content
}
