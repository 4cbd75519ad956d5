//! Programs that the model ran: one text, or the cells of a notebook.

use super::{ToolCard, ToolRun};
use crate::figures::counted;
use crate::html::Html;
use crate::render::{highlight, value};
use crate::session::about::{CELL_TEXT, cell_text};
use crate::session::json::Json;

pub(super) fn draw(run: &mut ToolRun<'_>) -> ToolCard {
    let arguments = &mut run.arguments;
    // Not taken: the list names it, since the colors alone do not.
    let language =
        ["language", "lang", "kernel"].iter().find_map(|key| arguments.json().get(key)?.as_str());
    let language = language.unwrap_or_else(|| language_of_tool(run.name));
    let code = arguments.text(&["code", "source", "script", "expression"]);
    let cells = arguments.array(&["cells"]);
    let mut card = ToolCard::default();
    card.facts.extend(cells.map(|cells| counted(cells.len(), "cell")));
    card.body.push(&arguments.rest());
    if let Some(code) = code {
        card.body.push(&highlight::block(&code, language));
    }
    for cell in cells.unwrap_or_default() {
        card.body.push(&draw_cell(cell, language));
    }
    card.body.push(&run.output());
    card
}

/// What the tool's name says: `python`, `run_js`; else nothing.
fn language_of_tool(name: &str) -> &'static str {
    let name = name.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if says(&["py", "notebook"]) {
        "python"
    } else if says(&["js", "script", "node"]) {
        "js"
    } else {
        ""
    }
}

fn draw_cell(cell: &Json<'_>, language: &str) -> Html {
    let Some(code) = cell_text(cell) else { return value::alone(cell) };
    let own = ["language", "lang"].iter().find_map(|key| cell.get(key)?.as_str());
    let mut html = Html::new();
    if let Json::Object(fields) = cell {
        let key = CELL_TEXT
            .iter()
            .find(|key| cell.get(key).is_some_and(|value| value.as_str().is_some()));
        let rest = fields.iter().filter(|(name, _)| Some(&name.as_ref()) != key);
        html.push(&value::fields(rest.map(|(name, value)| (name.as_ref(), value))));
    }
    html.push(&highlight::block(code, own.unwrap_or(language)));
    html
}
