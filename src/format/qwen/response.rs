//! A response of the model, which a sub-agent writes over several lines.

use crate::format::blocks::usage;
use crate::format::gemini::parts::Content;
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::format::translation::Spot;
use crate::session::json::Json;

/// A response whose lines are not all read yet.
pub(super) struct Response {
    pub(super) spot: Spot,
    /// Its own id, and the ids of its further lines.
    pub(super) id: String,
    pub(super) aliases: Vec<String>,
    pub(super) calls: Vec<Json<'static>>,
    blocks: Vec<Json<'static>>,
    model: Option<String>,
    usage: Option<Json<'static>>,
}

impl Response {
    pub(super) fn new(spot: Spot, id: String, model: Option<String>) -> Response {
        Response {
            spot,
            id,
            aliases: Vec::new(),
            calls: Vec::new(),
            blocks: Vec::new(),
            model,
            usage: None,
        }
    }

    /// Takes what one of its lines says.
    pub(super) fn add(&mut self, json: &Json<'_>) {
        let content = json.get("message").map(|message| Content::of(message, &self.id));
        let Content { blocks, thoughts, calls, responses } = content.unwrap_or_default();
        let blocks = thoughts.into_iter().chain(blocks).chain(responses);
        self.blocks.extend(blocks.map(Json::owned));
        self.calls.extend(calls.into_iter().map(|(_, call)| call.owned()));
        if self.usage.is_none() {
            self.usage = json.get("usageMetadata").filter(|of| of.is_truthy()).map(tokens);
        }
    }

    pub(super) fn message(self) -> Json<'static> {
        let has_calls = !self.calls.is_empty();
        let blocks: Vec<_> = self.blocks.into_iter().chain(self.calls).collect();
        NewMessage::assistant(blocks)
            .provider(self.model.as_ref().map(|_| "qwen"))
            .model(self.model)
            .usage(self.usage)
            .ended(has_calls)
            .json()
    }
}

/// The request's tokens count what came from the cache; those of the response, mostly, the thoughts.
// `usageMetadata` of Google's API: counts of tokens (0.24.4).
fn tokens(given: &Json<'_>) -> Json<'static> {
    let count = |key: &str| {
        given.get(key).and_then(Json::as_f64).filter(|count| *count >= 0.0).unwrap_or(0.0)
    };
    let (prompt, response) = (count("promptTokenCount"), count("candidatesTokenCount"));
    let (cached, thoughts) = (count("cachedContentTokenCount"), count("thoughtsTokenCount"));
    let are_apart = count("totalTokenCount") >= prompt + response + thoughts;
    let output = if are_apart { response + thoughts } else { response };
    usage((prompt - cached).max(0.0), output, cached, None)
}

/// The text of a message that is not shown as parts.
pub(super) fn error(message: &str) -> Json<'static> {
    NewMessage::stopped("error", Some(message.to_owned())).json()
}

/// What of a call says which agent it starts.
// `agent`: 0.24.4.
pub(super) fn is_agents(call: &Json<'_>) -> bool {
    matches!(text(call, "name"), Some("agent" | "task"))
}
