//! The web: a page fetched, a search.

use super::{ToolCard, ToolRun};
use crate::content::{Line, Part, Role, Span, Style};
use crate::session::about::URL;

pub(super) fn read<'r>(run: &mut ToolRun<'r>) -> ToolCard<'r> {
    let arguments = &mut run.arguments;
    let url = arguments.text(URL);
    let prompt = arguments.text(&["prompt", "objective"]);
    let mut card = ToolCard::default();
    if let Some(url) = url {
        let link = Line::new(Role::Address, [Span::styled(Style::Link, url)]);
        card.body.push(Part::Line(link));
    }
    if let Some(prompt) = prompt {
        card.body.prose(prompt);
    }
    card.body.append(arguments.rest());
    card.body.append(run.prose());
    card
}
