//! Calls that a tool made itself.

use askama::Template;

use crate::figures::duration;
use crate::html::Html;
use crate::render::{fill, output};
use crate::session::json::Json;

#[derive(Template)]
#[template(path = "nested_calls.html")]
struct NestedCallsTemplate {
    calls: Vec<NestedCall>,
    /// The agent kept no more of them.
    incomplete: bool,
}

struct NestedCall {
    mark: &'static str,
    state: &'static str,
    name: String,
    arguments: String,
    time: Option<String>,
    error: Option<String>,
    output: Html,
}

/// `{complete, calls: [{name, arguments? | argumentsBytes, status, durationMs?, error?}]}`, as pi writes it;
/// `output` where the reader of another format knows it.
pub(super) fn list(json: &Json<'_>) -> Html {
    let Some(Json::Array(calls)) = json.get("calls") else {
        return crate::render::value::fields([("nestedCalls", json)].into_iter());
    };
    fill(&NestedCallsTemplate {
        calls: calls.iter().map(NestedCall::read).collect(),
        incomplete: json.get("complete") == Some(&Json::Bool(false)),
    })
}

impl NestedCall {
    fn read(call: &Json<'_>) -> NestedCall {
        let text = |key: &str| {
            let value = call.get(key).filter(|value| **value != Json::Null)?;
            Some(value.clone().into_text().into_owned())
        };
        let (mark, state) = match call.get("status").and_then(Json::as_str) {
            Some("ok") => ("✓", "ok"),
            Some("error") => ("✗", "failed"),
            _ => ("…", "never finished"),
        };
        let dropped = call.get("argumentsBytes").and_then(Json::as_f64);
        let size = |size| format!("({size} bytes of arguments, not kept by the agent)");
        NestedCall {
            mark,
            state,
            name: text("name").unwrap_or_else(|| call.compact()),
            arguments: text("arguments").or(dropped.map(size)).unwrap_or_default(),
            time: call.get("durationMs").and_then(Json::as_f64).map(duration),
            error: text("error"),
            output: text("output").map_or_else(Html::new, |output| output::printed(&output)),
        }
    }
}
