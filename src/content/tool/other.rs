//! Any tool that is not known here: its arguments by name, its output.

use super::{ToolCard, ToolRun};

pub(super) fn read<'r>(run: &ToolRun<'r>) -> ToolCard<'r> {
    let mut body = run.arguments.rest();
    body.append(run.output());
    ToolCard::of(body)
}
