//! Any tool that has no renderer of its own: its arguments by name, its output.

use super::{ToolCard, ToolRun};

pub(super) fn draw(run: &mut ToolRun<'_>) -> ToolCard {
    let mut body = run.arguments.rest();
    body.push(&run.output());
    ToolCard { body, ..ToolCard::default() }
}
