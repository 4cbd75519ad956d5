//! The web: a page fetched, a search.

use super::{ToolCard, ToolRun};
use crate::content::{Line, Part, Role, Span, Style};
use crate::session::action::Web;

pub(super) fn read<'r>(run: &ToolRun<'r>, web: Web<'r>) -> ToolCard<'r> {
    let mut card = ToolCard::default();
    if let Some(url) = web.address {
        let link = Line::new(Role::Address, [Span::styled(Style::Link, url)]);
        card.body.push(Part::Line(link));
    }
    if let Some(prompt) = web.prompt {
        card.body.prose(prompt);
    }
    card.body.append(run.arguments.rest());
    card.body.append(run.prose());
    card
}
