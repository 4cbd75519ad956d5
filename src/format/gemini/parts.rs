//! The content of messages: a text, a part, or a list of parts as Google's API has them.

use crate::format::blocks::{arguments, image, other, text_block, thinking, tool_call};
use crate::format::fields::{object, string};
use crate::format::probe::text;
use crate::session::json::Json;
use crate::session::text::bytes;

/// A content, sorted by what becomes of it.
#[derive(Default)]
pub(in crate::format) struct Content<'a> {
    pub(in crate::format) blocks: Vec<Json<'a>>,
    pub(in crate::format) thoughts: Vec<Json<'a>>,
    /// The model's calls, with their ids as written.
    pub(in crate::format) calls: Vec<(Option<String>, Json<'a>)>,
    /// Results of calls, `{id, name, response}`.
    pub(in crate::format) responses: Vec<Json<'a>>,
}

impl<'a> Content<'a> {
    /// Of a message; some write `parts` for `content`.
    pub(in crate::format) fn of(message: &Json<'a>, entry: &str) -> Content<'a> {
        let mut content = Content::default();
        let given = message.get("content").filter(|given| given.is_truthy());
        if let Some(given) = given.or_else(|| message.get("parts")) {
            content.add(given, entry);
        }
        content
    }

    /// Of a call's result.
    pub(super) fn of_result(result: &Json<'a>) -> Content<'a> {
        let mut content = Content::default();
        content.add(result, "");
        content
    }

    fn add(&mut self, given: &Json<'a>, entry: &str) {
        match given {
            Json::Null => {}
            Json::Array(parts) => parts.iter().for_each(|part| self.part(part, entry)),
            part => self.part(part, entry),
        }
    }

    fn part(&mut self, part: &Json<'a>, entry: &str) {
        if let Json::String(words) = part {
            if !words.is_empty() {
                self.blocks.push(text_block(words.clone()));
            }
        } else if let Some(call) = part.get("functionCall") {
            let id = text(call, "id").map(str::to_owned);
            let given =
                id.clone().unwrap_or_else(|| format!("{entry}-part-{}", self.calls.len() + 1));
            let name = text(call, "name").unwrap_or_default().to_owned();
            self.calls.push((id, tool_call(given, name, arguments(call.get("args")))));
        } else if let Some(response) = part.get("functionResponse") {
            self.responses.push(response.clone());
        } else if let Some(code) = part.get("executableCode") {
            let id = format!("{entry}-code-{}", self.calls.len() + 1);
            let call = tool_call(id.clone(), CODE_EXECUTION, code.clone());
            self.calls.push((Some(id), call));
        } else if let Some(result) = part.get("codeExecutionResult") {
            self.responses.push(self.of_code(result));
        } else if let Some(words) = part.get("text") {
            let words = words.clone().into_text();
            match part.get("thought") {
                Some(Json::Bool(true)) => self.thoughts.push(thinking(words)),
                _ if words.is_empty() => {}
                _ => self.blocks.push(text_block(words)),
            }
        } else if let Some(data) = part.get("inlineData") {
            self.blocks.push(inline(data));
        } else {
            self.blocks.push(other("part", part.clone()));
        }
    }
}

/// What Google's own running of code is called, as a tool.
const CODE_EXECUTION: &str = "code_execution";

impl<'a> Content<'a> {
    /// What came of the code before it.
    // {outcome: OUTCOME_OK, OUTCOME_FAILED or OUTCOME_DEADLINE_EXCEEDED, output}: documentation of Gemini's API.
    fn of_code(&self, result: &Json<'a>) -> Json<'a> {
        let id = self.calls.last().and_then(|(id, _)| id.clone());
        let has_failed = text(result, "outcome").is_some_and(|outcome| outcome != "OUTCOME_OK");
        let output = result.get("output").cloned().unwrap_or_else(|| string(""));
        let output = object([(if has_failed { "error" } else { "output" }, Some(output))]);
        object([
            ("id", id.map(string)),
            ("name", Some(string(CODE_EXECUTION))),
            ("response", Some(output)),
        ])
    }
}

/// An image; of other data what it is.
fn inline<'a>(data: &Json<'a>) -> Json<'a> {
    let mime_type = text(data, "mimeType").unwrap_or_default();
    match data.get("data") {
        Some(Json::String(base64)) if mime_type.starts_with("image/") => {
            image(mime_type.to_owned(), base64.clone())
        }
        Some(Json::String(base64)) => {
            let size = bytes(base64.len() / 4 * 3);
            text_block(format!("Attached data ({mime_type}, {size}), not shown"))
        }
        _ => other("inlineData", data.clone()),
    }
}

/// All text of a message.
pub(super) fn plain(message: &Json<'_>) -> String {
    let content = Content::of(message, "");
    let texts = content.blocks.iter().filter_map(|block| text(block, "text"));
    texts.collect::<Vec<_>>().join("\n")
}

/// The text with which a message begins.
pub(super) fn beginning<'j>(message: &'j Json<'_>) -> &'j str {
    let content = message.get("content").filter(|given| given.is_truthy());
    let content = content.or_else(|| message.get("parts"));
    let first = match content {
        Some(Json::Array(parts)) => parts.first(),
        other => other,
    };
    let words = first.and_then(|first| first.as_str().or_else(|| text(first, "text")));
    words.unwrap_or_default().trim_start()
}

/// What is not a prompt: the program's own texts, and its commands. A path is no command.
// gemini-cli; `<session_context>`: 0.61.0.
pub(super) fn injected(words: &str) -> Option<&'static str> {
    let is_word = |rest: &str| {
        let first = rest.split_whitespace().next().unwrap_or_default();
        !first.is_empty() && first.chars().all(|c| c.is_ascii_alphanumeric() || "-_:".contains(c))
    };
    match words {
        _ if words.starts_with("<session_context>") => Some("session_context"),
        _ if words.starts_with("<hook_context>") => Some("hook_context"),
        _ if words.strip_prefix('/').is_some_and(is_word) => Some("command"),
        "?" => Some("command"),
        _ => None,
    }
}

/// The text that Gemini CLI writes before the first prompt, and anew whenever a session goes on.
pub(super) fn is_session_context(message: &Json<'_>) -> bool {
    text(message, "type") == Some("user") && injected(beginning(message)) == Some("session_context")
}

/// Whether the model never gets the message, so that no history lists it.
pub(super) fn is_silent(message: &Json<'_>) -> bool {
    let has = |key: &str| message.get(key).is_some_and(|list| !list.items().is_empty());
    let has_content = || {
        let given = message.get("content").filter(|given| given.is_truthy());
        given.or_else(|| message.get("parts")).is_some_and(Json::is_truthy)
    };
    match text(message, "type") {
        Some("user") => injected(beginning(message).trim()) == Some("command"),
        Some("gemini" | "model" | "assistant") => {
            !has_content() && !has("thoughts") && !has("toolCalls")
        }
        _ => true,
    }
}
