//! A file written whole.

use std::borrow::Cow;

use super::file::{Left, as_asked, left_diff, lines_fact, new_text, said};
use super::{ToolCard, ToolRun};
use crate::content::{Content, Part};
use crate::figures::bytes;

pub(super) fn read<'r>(
    run: &ToolRun<'r>,
    path: &str,
    content: Option<Cow<'r, str>>,
) -> ToolCard<'r> {
    let mut card = ToolCard::of(run.arguments.rest());
    let mut asked = Content::new();
    if let Some(content) = &content {
        card.facts.push(format!("{}, {}", lines_fact(content), bytes(content.len())));
        asked.push(new_text(content.clone(), crate::language::of_path(path)));
    }
    match left_diff(run) {
        Left::Diff(diff) => {
            card.facts.extend(diff.facts());
            let (_, new) = diff.sides();
            let is_shown =
                content.is_some_and(|text| new.contains(text.trim_end_matches(['\n', '\r'])));
            card.body.push(Part::Diff(diff));
            card.body.extend(as_asked(asked).filter(|_| !is_shown));
        }
        Left::Text(text) => {
            card.body.push(Part::Plain(text.into()));
            card.body.append(asked);
        }
        Left::Nothing => card.body.append(asked),
    }
    card.body.append(said(run));
    card
}
