//! Any tool that has no renderer of its own: its arguments by name, its output.

use super::{ToolCard, ToolRun};
use crate::render::html::Html;
use crate::session::json::Json;
use crate::session::text::{one_line, shortened};

/// The summary shows this much of the arguments, in UTF-16 units.
const SUMMARY_UNITS: usize = 100;

pub(super) fn draw(run: &ToolRun<'_>) -> ToolCard {
    let mut body = run.arguments.rest();
    body.push(&run.output());
    ToolCard { summary: summary(run.arguments.json()), body, ..ToolCard::default() }
}

/// The first arguments that are short enough to be read, without their names.
pub(super) fn summary(arguments: &Json<'_>) -> Html {
    let values: Vec<String> = match arguments {
        Json::Object(fields) => fields
            .iter()
            .filter(|(_, value)| !matches!(value, Json::Array(_) | Json::Object(_) | Json::Null))
            .map(|(_, value)| one_line(&value.clone().into_text()))
            .filter(|text| !text.is_empty())
            .collect(),
        Json::Null => Vec::new(),
        other => vec![one_line(&other.clone().into_text())],
    };
    let text = values.join(" · ");
    Html::text(&shortened(&text, SUMMARY_UNITS))
}
