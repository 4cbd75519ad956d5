//! The web: a page fetched, a search.

use super::{ToolCard, ToolRun};
use crate::render::html::Html;
use crate::render::markdown;
use crate::session::text::one_line;

pub(super) fn draw(run: &ToolRun<'_>) -> ToolCard {
    let arguments = &run.arguments;
    let url = arguments.text(&["url", "uri", "link"]);
    let query = arguments.text(&["query", "q", "search_query", "searchQuery"]);
    let method = arguments.text(&["method"]);
    let prompt = arguments.text(&["prompt", "objective"]);
    let parts: Vec<String> =
        [&method, &url, &query].into_iter().flatten().map(|text| one_line(text)).collect();
    let mut card = ToolCard { summary: Html::text(&parts.join(" ")), ..ToolCard::default() };
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
