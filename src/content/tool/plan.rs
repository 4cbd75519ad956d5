//! A plan put before the person.

use super::{ToolCard, ToolRun};

pub(super) fn read<'r>(run: &mut ToolRun<'r>) -> ToolCard<'r> {
    let plan = run.arguments.text(&["plan", "proposal", "content"]).unwrap_or_default();
    let mut body = run.arguments.rest();
    body.prose(plan);
    body.append(run.output());
    ToolCard::of(body)
}
