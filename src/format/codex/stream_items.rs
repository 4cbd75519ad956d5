//! The items of `codex exec --json` (0.169.0). `todo_list` and `mcp_tool_call`: codex-rs, exec; no run wrote them.

use crate::format::blocks::{number, text_block, thinking, tool_call};
use crate::format::fields::object;
use crate::format::probe::text;
use crate::session::json::Json;

/// What an item is.
pub(super) enum Item<'a> {
    /// Text or thinking of the model.
    Said(Json<'static>),
    /// What Codex warns of.
    Warning(String),
    Call(Call<'a>),
    /// A list of what is to be done, which goes on changing.
    List(Call<'a>),
    /// Of a later version.
    Unknown(&'a str),
}

/// A call, and what is known of its end.
pub(super) struct Call<'a> {
    name: String,
    arguments: Json<'static>,
    pub(super) state: State<'a>,
}

/// How a call ended.
pub(super) struct State<'a> {
    pub(super) content: Vec<Json<'a>>,
    pub(super) has_failed: bool,
    pub(super) details: Option<Json<'static>>,
}

impl Call<'_> {
    pub(super) fn block(&self, id: &str) -> Json<'static> {
        tool_call(id.to_owned(), self.name.clone(), self.arguments.clone())
    }
}

impl<'a> Item<'a> {
    pub(super) fn read(item: &'a Json<'a>) -> Item<'a> {
        let words = |key| text(item, key).unwrap_or_default();
        let kind = words("type");
        match kind {
            "agent_message" => Item::Said(text_block(words("text").to_owned())),
            "reasoning" => Item::Said(thinking(words("text").to_owned())),
            "error" => Item::Warning(words("message").to_owned()),
            "todo_list" => Item::List(call(kind, item, &["items"], Vec::new())),
            "command_execution" => {
                Item::Call(call(kind, item, &["command"], text_blocks(words("aggregated_output"))))
            }
            "file_change" => Item::Call(call(kind, item, &["changes"], Vec::new())),
            "web_search" => Item::Call(call(kind, item, &["query", "action"], Vec::new())),
            "mcp_tool_call" => {
                let tool = format!("mcp__{}__{}", words("server"), words("tool"));
                let given = item.get("arguments").cloned().map(Json::owned);
                let call = call(&tool, item, &[], mcp_result(item));
                let arguments = match given {
                    Some(given @ Json::Object(_)) => given,
                    Some(Json::Null) | None => Json::Object(Vec::new()),
                    given => object([("arguments", given)]),
                };
                Item::Call(Call { arguments, ..call })
            }
            "collab_tool_call" => {
                let states = item.get("agents_states").filter(|states| has_any(states));
                let said = states.map(|states| text_block(states.compact()));
                let tool = text(item, "tool").unwrap_or(kind);
                let keys = ["prompt", "receiver_thread_ids"];
                Item::Call(call(tool, item, &keys, said.into_iter().collect()))
            }
            _ => Item::Unknown(kind),
        }
    }
}

/// Whether an item that did not say so has ended all the same.
pub(super) fn has_ended(item: &Json<'_>) -> bool {
    matches!(text(item, "status"), Some("completed" | "failed" | "declined"))
}

/// A text as blocks; none where it is empty.
pub(super) fn text_blocks<'a>(words: &str) -> Vec<Json<'a>> {
    if words.is_empty() { Vec::new() } else { vec![text_block(words.to_owned())] }
}

fn call<'a>(name: &str, item: &Json<'_>, keys: &[&'static str], said: Vec<Json<'a>>) -> Call<'a> {
    let given = keys.iter().filter_map(|key| {
        let value = item.get(key).filter(|value| **value != Json::Null)?;
        Some(((*key).into(), value.clone().owned()))
    });
    let code = item.get("exit_code").and_then(Json::as_f64);
    let has_failed = matches!(text(item, "status"), Some("failed" | "declined"))
        || code.is_some_and(|code| code != 0.0)
        || item.get("error").is_some_and(|error| *error != Json::Null);
    let is_denied = text(item, "status") == Some("declined");
    let mut content = said;
    if is_denied && content.is_empty() {
        content.push(text_block("declined".to_owned()));
    }
    let details = code.filter(|code| *code != 0.0).and_then(number);
    Call {
        name: name.to_owned(),
        arguments: Json::Object(given.collect()),
        state: State {
            content,
            has_failed,
            details: details.map(|code| object([("exitCode", Some(code))])),
        },
    }
}

/// What a server's tool gave back, or why it did not.
fn mcp_result<'a>(item: &'a Json<'a>) -> Vec<Json<'a>> {
    let error = item.get("error").filter(|error| **error != Json::Null);
    if let Some(error) = error {
        let why = error.as_str().or(text(error, "message")).map(str::to_owned);
        return vec![text_block(why.unwrap_or_else(|| error.compact()))];
    }
    let Some(result) = item.get("result").filter(|result| has_any(result)) else {
        return Vec::new();
    };
    match result.get("content").map(Json::items) {
        Some(blocks) if !blocks.is_empty() => blocks.to_vec(),
        _ => vec![text_block(result.compact())],
    }
}

fn has_any(json: &Json<'_>) -> bool {
    match json {
        Json::Null => false,
        Json::Object(fields) => !fields.is_empty(),
        _ => true,
    }
}
