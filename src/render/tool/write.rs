//! A file written whole.

use super::file::{Left, as_asked, left_diff, lines_fact, new_text, path, said};
use super::{ToolCard, ToolRun};
use crate::figures::bytes;
use crate::html::Html;
use crate::render::output;

pub(super) fn draw(run: &mut ToolRun<'_>) -> ToolCard {
    let path = path(&mut run.arguments);
    let content = run.arguments.text(&["content", "contents", "file_text", "text", "code_edit"]);
    let mut card = ToolCard { body: run.arguments.rest(), ..ToolCard::default() };
    let mut asked = Html::new();
    if let Some(content) = &content {
        card.facts.push(format!("{}, {}", lines_fact(content), bytes(content.len())));
        asked = new_text(content, crate::language::of_path(&path));
    }
    match left_diff(run) {
        Left::Diff(diff) => {
            card.facts.extend(diff.facts());
            card.body.push(&diff.html());
            let (_, new) = diff.sides();
            if !content.is_some_and(|content| new.contains(content.trim_end_matches(['\n', '\r'])))
            {
                card.body.push(&as_asked(&asked));
            }
        }
        Left::Text(text) => {
            card.body.push(&output::plain(text));
            card.body.push(&asked);
        }
        Left::Nothing => card.body.push(&asked),
    }
    card.body.push(&said(run));
    card
}
