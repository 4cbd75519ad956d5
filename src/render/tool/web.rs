//! The web: a page fetched, a search.

use super::{ToolCard, ToolRun};
use crate::render::markdown;
use crate::session::about::URL;

pub(super) fn draw(run: &mut ToolRun<'_>) -> ToolCard {
    let arguments = &mut run.arguments;
    let url = arguments.text(URL);
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
