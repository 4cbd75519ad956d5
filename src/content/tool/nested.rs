//! Calls that a tool made itself.

use crate::content::{Content, Item, ItemState, List, ListKind, Part, Span, Style};
use crate::figures::duration;
use crate::session::json::Json;

/// `{complete, calls: [{name, arguments? | argumentsBytes, status, durationMs?, error?}]}`, as pi writes it;
/// `output` where the reader of another format knows it.
pub(super) fn list<'r>(json: &'r Json<'r>) -> Content<'r> {
    let mut content = Content::new();
    let Some(Json::Array(calls)) = json.get("calls") else {
        content.fields([("nestedCalls", json)]);
        return content;
    };
    content.push(Part::List(List {
        kind: ListKind::Calls,
        items: calls.iter().map(read).collect(),
        is_incomplete: json.get("complete") == Some(&Json::Bool(false)),
    }));
    content
}

fn read<'r>(call: &'r Json<'r>) -> Item<'r> {
    let text = |key: &str| {
        let value = call.get(key).filter(|value| **value != Json::Null)?;
        Some(value.clone().into_text().into_owned())
    };
    let state = match call.get("status").and_then(Json::as_str) {
        Some("ok") => ItemState::Done,
        Some("error") => ItemState::Failed,
        _ => ItemState::Open,
    };
    let dropped = call.get("argumentsBytes").and_then(Json::as_f64);
    let size = |size| format!("({size} bytes of arguments, not kept by the agent)");
    let name = text("name").unwrap_or_else(|| call.compact());
    let arguments = text("arguments").or(dropped.map(size)).unwrap_or_default();
    let mut words = vec![
        Span::styled(Style::Tool, name),
        Span::text(" "),
        Span::styled(Style::Args, arguments),
    ];
    if let Some(ms) = call.get("durationMs").and_then(Json::as_f64) {
        let time = Span { is_own: true, ..Span::styled(Style::Fact, duration(ms)) };
        words.extend([Span::text(" "), time]);
    }
    if let Some(error) = text("error") {
        words.extend([Span::text(" "), Span::styled(Style::Error, error)]);
    }
    let mut content = Content::new();
    if let Some(output) = text("output") {
        content.output(output);
    }
    Item { state, words, content }
}
