//! Messages in the core's form.

use crate::format::blocks::{arguments, text_block, thinking, tool_call, usage};
use crate::format::probe::text;
use crate::session::json::Json;

use super::attachments;

/// A call as its result and its turn know it.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) id: Option<String>,
    pub(super) name: String,
}

/// The calls of a response; old exports hold the list as text.
pub(super) fn calls(message: &Json<'_>) -> Vec<Call> {
    let call = |call: &Json<'_>| Call {
        id: text(call, "id").filter(|id| !id.is_empty()).map(str::to_owned),
        name: name(call).to_owned(),
    };
    call_list(message).iter().map(call).collect()
}

/// What cannot be read as a list of calls is one.
fn call_list<'a>(message: &Json<'a>) -> Vec<Json<'a>> {
    match message.get("toolCalls") {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::Array(calls)) => calls.clone(),
        Some(Json::String(written)) if written.trim().is_empty() => Vec::new(),
        Some(Json::String(written)) => match serde_json::from_str::<Json<'_>>(written) {
            Ok(list @ Json::Array(_)) => list.owned().items().to_vec(),
            _ => vec![Json::String(written.clone())],
        },
        Some(other) => vec![other.clone()],
    }
}

fn name<'j>(call: &'j Json<'_>) -> &'j str {
    let function = call.get("function").unwrap_or(call);
    text(function, "name").unwrap_or_default()
}

/// The blocks of a response: thinking, text and calls.
pub(super) fn response<'a>(message: &Json<'a>, entry: &str) -> Vec<Json<'a>> {
    let mut blocks = Vec::new();
    let thought = ["reasoningContent", "thinking"].into_iter().find_map(|key| words(message, key));
    blocks.extend(thought.map(thinking));
    let is_thought = text(message, "type") == Some("think");
    match words(message, "content") {
        Some(words) if is_thought => blocks.push(thinking(words)),
        _ => blocks.extend(content(message)),
    }
    blocks.extend(attachments::blocks(message));
    for (nth, call) in call_list(message).into_iter().enumerate() {
        if !matches!(call, Json::Object(_)) {
            blocks.push(Json::Object(vec![
                ("type".into(), Json::String("toolCalls".into())),
                ("value".into(), call),
            ]));
            continue;
        }
        let id = text(&call, "id").filter(|id| !id.is_empty()).map(str::to_owned);
        let name = name(&call).to_owned();
        let function = call.get("function").unwrap_or(&call);
        let arguments = arguments(function.get("arguments"));
        blocks.push(tool_call(id.unwrap_or_else(|| call_id(entry, nth)), name, arguments));
    }
    blocks
}

/// The id of a call that has none.
pub(super) fn call_id(entry: &str, nth: usize) -> String {
    format!("{entry}-call-{}", nth + 1)
}

/// A text that is not empty; what is no text is shown as JSON.
pub(super) fn words<'a>(message: &Json<'a>, key: &str) -> Option<std::borrow::Cow<'a, str>> {
    let value = message.get(key).filter(|value| **value != Json::Null)?;
    Some(value.clone().into_text()).filter(|words| !words.is_empty())
}

/// The content as blocks; by the format it is a text.
pub(super) fn content<'a>(message: &Json<'a>) -> Vec<Json<'a>> {
    match message.get("content") {
        Some(Json::Array(blocks)) => blocks.clone(),
        _ => words(message, "content").map(text_block).into_iter().collect(),
    }
}

/// Tokens that a response cost, as llama.app counts them.
// `timings` {prompt_n, cache_n, predicted_n, *_ms}: llama.cpp; `cache_n` is not in `prompt_n` in real exports.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Tokens {
    /// Read, without those that the cache held.
    pub(super) prompt: f64,
    pub(super) cached: f64,
    pub(super) predicted: f64,
    pub(super) ms: f64,
}

impl Tokens {
    fn read(timings: &Json<'_>) -> Option<Tokens> {
        let count = |key: &str| timings.get(key).and_then(Json::as_f64).filter(|n| *n >= 0.0);
        let is_there = ["prompt_n", "predicted_n"].into_iter().any(|key| count(key).is_some());
        let of = |key| count(key).unwrap_or(0.0);
        is_there.then(|| Tokens {
            prompt: of("prompt_n"),
            cached: of("cache_n"),
            predicted: of("predicted_n"),
            ms: of("prompt_ms") + of("predicted_ms"),
        })
    }

    /// What the response that is number `nth` of its turn cost, when those before it cost `before`.
    ///
    /// In a turn with calls llama.app repeats the figures of the whole turn at each response:
    /// its own ones stand in `agentic.perTurn`, and what all have cost so far in `agentic.llm`.
    pub(super) fn of_response(message: &Json<'_>, nth: usize, before: Tokens) -> Option<Tokens> {
        let timings = message.get("timings")?;
        let own = Tokens::read(timings);
        let agentic = timings.get("agentic");
        let Some(so_far) = agentic.and_then(|agentic| Tokens::read(agentic.get("llm")?)) else {
            return own;
        };
        let turns = agentic.and_then(|agentic| agentic.get("perTurn"));
        let in_turn = turns.and_then(|turns| Tokens::read(turns.items().get(nth)?.get("llm")?));
        let mut tokens = in_turn.unwrap_or(Tokens {
            prompt: (so_far.prompt - before.prompt).max(0.0),
            predicted: (so_far.predicted - before.predicted).max(0.0),
            ms: (so_far.ms - before.ms).max(0.0),
            cached: 0.0,
        });
        // The file has the cache of the last response alone.
        let is_of = |own: &Tokens| (own.prompt, own.predicted) == (tokens.prompt, tokens.predicted);
        if tokens.cached == 0.0
            && let Some(own) = own.filter(is_of)
        {
            tokens.cached = own.cached;
        }
        Some(tokens)
    }

    pub(super) fn plus(self, other: Tokens) -> Tokens {
        Tokens {
            prompt: self.prompt + other.prompt,
            cached: self.cached + other.cached,
            predicted: self.predicted + other.predicted,
            ms: self.ms + other.ms,
        }
    }

    pub(super) fn usage(self) -> Json<'static> {
        usage(self.prompt, self.predicted, self.cached, None)
    }
}
