//! A file, or a part of it, as it was read.

use super::{ToolCard, ToolRun};
use crate::render::html::Html;
use crate::render::{highlight, output};
use crate::session::text::short_path;

pub(super) fn draw(run: &ToolRun<'_>) -> ToolCard {
    let arguments = &run.arguments;
    let path = arguments.text(&["path", "file_path", "filePath", "file"]).unwrap_or_default();
    let (from, count) = (arguments.number(&["offset"]), arguments.number(&["limit"]));
    let mut summary = Html::text(&short_path(&path));
    summary.push_text(&match (from.unwrap_or(1.0), from, count) {
        (_, None, None) => String::new(),
        (first, _, Some(count)) => format!(":{first}-{}", first + count - 1.0),
        (first, _, None) => format!(":{first}"),
    });
    let mut body = arguments.rest();
    body.push(&match run.output_text().filter(|_| !run.is_error()) {
        Some(text) => output::printed_code(text, highlight::language_of_path(&path)),
        None => run.output(),
    });
    ToolCard { summary, body, ..ToolCard::default() }
}
