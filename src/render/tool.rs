//! Tool calls and tool cards.
//!
//! A card belongs to the result's entry and repeats the call, so every branch
//! shows its own result; the assistant's turn keeps a stub that leads there.

use askama::Template;

use super::html::Html;
use super::{Renderer, fill, highlight, output};
use crate::session::EntryIndex;
use crate::session::calls::CallPlace;
use crate::session::json::Json;
use crate::session::message::{ToolCall, ToolResult};

#[derive(Template)]
#[template(path = "call.html")]
struct CallTemplate<'a> {
    name: &'a str,
    summary: String,
    results: Vec<String>,
    /// The arguments, where no card repeats them.
    arguments: Option<Html>,
}

#[derive(Template)]
#[template(path = "tool_card.html")]
struct ToolCardTemplate<'a> {
    name: &'a str,
    summary: String,
    /// The result's own name for the tool, where it is another than the call's.
    answered_as: Option<&'a str>,
    is_error: bool,
    has_call: bool,
    arguments: Option<Html>,
    output: Html,
    nested: Vec<NestedCall>,
}

/// A call that the tool itself made.
struct NestedCall {
    mark: &'static str,
    name: String,
    arguments: String,
    error: Option<String>,
}

impl Renderer<'_> {
    /// The one-line stub of a call in the assistant's turn.
    pub(super) fn call_stub(&self, place: CallPlace, call: &ToolCall<'_>) -> Html {
        let results = self.calls.results_of(place);
        fill(&CallTemplate {
            name: &call.name,
            summary: call.summary(),
            results: results.iter().map(|&result| self.session.key(result)).collect(),
            arguments: if results.is_empty() {
                arguments(&call.name, &call.arguments)
            } else {
                None
            },
        })
    }

    /// The card of a result, with the call it answers.
    pub(super) fn tool_card(&mut self, index: EntryIndex, result: &ToolResult<'_>) -> Html {
        let place = self.calls.call_of(index);
        let call = place.and_then(|place| self.reader.read(place));
        let name = call.map(|call| call.name.as_ref()).or(result.name.as_deref()).unwrap_or("tool");
        let mut output = Html::new();
        if let Some(diff) =
            result.details.as_ref().and_then(|details| details.get("diff")?.as_str())
        {
            output.push(&highlight::block(diff, "diff"));
        }
        let said = match call.filter(|_| !result.is_error).and_then(read_language) {
            Some(language) => highlighted(result, &language),
            None => output::content(&result.content),
        };
        output.push(&said);
        fill(&ToolCardTemplate {
            name,
            summary: call.map(ToolCall::summary).unwrap_or_default(),
            answered_as: result.name.as_deref().filter(|own| *own != name),
            is_error: result.is_error,
            has_call: call.is_some(),
            arguments: call.and_then(|call| arguments(&call.name, &call.arguments)),
            output,
            nested: result.nested_calls.as_ref().map(nested_calls).unwrap_or_default(),
        })
    }
}

/// The arguments in full, unless the card's head says them all.
fn arguments(name: &str, arguments: &Json<'_>) -> Option<Html> {
    let Json::Object(fields) = arguments else {
        return (*arguments != Json::Null).then(|| output::raw(&arguments.pretty()));
    };
    let is_command = matches!(name, "bash" | "Bash");
    match fields.as_slice() {
        [] => None,
        [(key, Json::String(command))] if is_command && key == "command" => {
            Some(highlight::block(command, "bash"))
        }
        [(key, Json::String(path))] if key == "path" && path.len() < 100 => None,
        _ => Some(output::raw(&arguments.pretty())),
    }
}

/// The language of a file that a call reads.
fn read_language(call: &ToolCall<'_>) -> Option<String> {
    let is_read = matches!(call.name.as_ref(), "read" | "Read");
    let path = call.arguments.get("path").or_else(|| call.arguments.get("file_path"))?;
    is_read.then(|| highlight::language_of_path(path.as_str()?).to_owned().into()).flatten()
}

/// A file's text with colours, when it is one text short enough to show whole.
fn highlighted(result: &ToolResult<'_>, language: &str) -> Html {
    use crate::session::message::Block;
    match result.content.as_slice() {
        [Block::Text(text)] => output::printed_code(text, language),
        blocks => output::content(blocks),
    }
}

fn nested_calls(json: &Json<'_>) -> Vec<NestedCall> {
    let text = |call: &Json<'_>, key: &str| {
        call.get(key).cloned().map(|value| value.into_text().into_owned())
    };
    let calls = json.get("calls").map(Json::items).unwrap_or_default();
    let read = |call: &Json<'_>| NestedCall {
        mark: match call.get("status").and_then(Json::as_str) {
            Some("ok") => "✓",
            Some("error") => "✗",
            _ => "…",
        },
        name: text(call, "name").unwrap_or_default(),
        arguments: match (
            text(call, "arguments"),
            call.get("argumentsBytes").and_then(Json::as_f64),
        ) {
            (Some(arguments), _) => arguments,
            (None, Some(size)) => format!("({size} bytes of arguments, not kept by the agent)"),
            (None, None) => String::new(),
        },
        error: text(call, "error"),
    };
    calls.iter().map(read).collect()
}
