//! Programs that the model ran: one text, or the cells of a notebook.

use super::{ToolCard, ToolRun};
use crate::content::{Content, Part};
use crate::figures::counted;
use crate::session::action::Program;
use crate::session::action::heading::cell_text;
use crate::session::action::names::CELL_CODE;
use crate::session::arguments::text_of;
use crate::session::json::Json;

pub(super) fn read<'r>(run: &ToolRun<'r>, program: Program<'r>) -> ToolCard<'r> {
    let Program { code, cells, language, .. } = program;
    let language = language.unwrap_or_else(|| language_of_tool(run.name));
    let mut card = ToolCard::default();
    card.facts.extend(cells.map(|cells| counted(cells.len(), "cell")));
    card.body.append(run.arguments.rest());
    if let Some(code) = code {
        card.body.code(code, language);
    }
    for cell in cells.unwrap_or_default() {
        card.body.append(read_cell(cell, language));
    }
    card.body.append(run.output());
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

fn read_cell<'r>(cell: &'r Json<'r>, language: &'r str) -> Content<'r> {
    let Some(code) = cell_text(cell) else { return Part::Value(cell.into()).into() };
    let own = text_of(cell, &["language", "lang"]);
    let mut content = Content::new();
    if let Json::Object(fields) = cell {
        let key = CELL_CODE
            .iter()
            .find(|key| cell.get(key).is_some_and(|value| value.as_str().is_some()));
        let rest = fields.iter().filter(|(name, _)| Some(&name.as_ref()) != key);
        content.fields(rest.map(|(name, value)| (name.as_ref(), value)));
    }
    content.code(code, own.unwrap_or(language));
    content
}
