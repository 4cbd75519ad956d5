//! A plan put before the person.

use super::{ToolCard, ToolRun};
use crate::render::html::Html;
use crate::render::markdown;
use crate::session::text::{cut, one_line};

/// The summary shows this much of the plan's first line, in UTF-16 units.
const SUMMARY_UNITS: usize = 100;

pub(super) fn draw(run: &ToolRun<'_>) -> ToolCard {
    let plan = run.arguments.text(&["plan", "proposal", "content"]).unwrap_or_default();
    let title =
        plan.lines().map(|line| line.trim_matches(['#', ' '])).find(|line| !line.is_empty());
    let title = one_line(title.unwrap_or_default());
    let mut body = run.arguments.rest();
    body.push(&markdown::block(&plan));
    body.push(&run.output());
    ToolCard { summary: Html::text(cut(&title, SUMMARY_UNITS)), body, ..ToolCard::default() }
}
