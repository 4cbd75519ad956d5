//! A plan put before the person.

use std::borrow::Cow;

use super::{ToolCard, ToolRun};

pub(super) fn read<'r>(run: &ToolRun<'r>, plan: Cow<'r, str>) -> ToolCard<'r> {
    let mut body = run.arguments.rest();
    body.prose(plan);
    body.append(run.output());
    ToolCard::of(body)
}
