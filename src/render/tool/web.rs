//! The web: a page fetched, a search.

use super::{ToolCard, ToolRun};
use crate::render::markdown;

pub(super) fn draw(run: &ToolRun<'_>) -> ToolCard {
    let arguments = &run.arguments;
    let url = arguments.text(&["url", "uri", "link"]);
    let _named_in_the_head = (
        arguments.text(&["query", "q", "search_query", "searchQuery"]),
        arguments.text(&["method"]),
    );
    let prompt = arguments.text(&["prompt", "objective"]);
    let mut card = ToolCard::default();
    if let Some(url) = url {
        card.body.push_markup("<p class=\"address\">");
        card.body.push(&markdown::link(&url));
        card.body.push_markup("</p>\n");
    }
    if let Some(prompt) = prompt {
        card.body.push(&markdown::block(&prompt));
    }
    card.body.push(&arguments.rest());
    card.body.push(&run.prose());
    card
}
