//! A plan put before the person.

use super::{ToolCard, ToolRun};
use crate::render::markdown;

pub(super) fn draw(run: &mut ToolRun<'_>) -> ToolCard {
    let plan = run.arguments.text(&["plan", "proposal", "content"]).unwrap_or_default();
    let mut body = run.arguments.rest();
    body.push(&markdown::block(&plan));
    body.push(&run.output());
    ToolCard { body, ..ToolCard::default() }
}
