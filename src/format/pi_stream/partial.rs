//! A response as far as it came: its pieces, one after the other (`message_update` of pi 0.87.1 and omp 18.2.3).

use std::collections::BTreeMap;

use crate::format::blocks::{arguments, text_block, thinking, tool_call};
use crate::format::probe::text;
use crate::session::json::Json;
use crate::session::message::UNFINISHED;

/// A message that began and has not ended.
pub(super) struct Partial {
    /// Its line.
    pub(super) line: u32,
    message: Json<'static>,
    /// Tokens so far, as pi states them with each piece.
    usage: Option<Json<'static>>,
    blocks: BTreeMap<u64, Piece>,
}

/// A block of it.
enum Piece {
    Text(String),
    Thinking(String),
    Call {
        id: String,
        name: String,
        arguments: String,
    },
    /// As the row that ended it has it.
    Whole(Json<'static>),
}

impl Partial {
    pub(super) fn new(line: u32, message: Json<'static>) -> Partial {
        Partial { line, message, usage: None, blocks: BTreeMap::new() }
    }

    /// A `message_update`.
    pub(super) fn update(&mut self, row: &Json<'_>) {
        if let Some(message) = row.get("message").filter(|message| has_content(message)) {
            self.message = message.clone().owned();
            self.blocks.clear();
            return;
        }
        let tokens = |usage: &Json<'_>| usage.get("totalTokens").and_then(Json::as_f64);
        if let Some(usage) = row.get("usage").filter(|usage| tokens(usage) > Some(0.0)) {
            self.usage = Some(usage.clone().owned());
        }
        let Some(event) = row.get("assistantMessageEvent") else { return };
        let nth = event.get("contentIndex").and_then(Json::as_f64).unwrap_or(0.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "`as` saturates"
        )]
        let nth = nth as u64;
        let words = |key| text(event, key).unwrap_or_default();
        let whole = match text(event, "type").unwrap_or_default() {
            "text_start" => Some(Piece::Text(String::new())),
            "text_end" => Some(Piece::Text(words("content").to_owned())),
            "thinking_start" => Some(Piece::Thinking(String::new())),
            "thinking_end" => Some(Piece::Thinking(words("content").to_owned())),
            "toolcall_start" => Some(Piece::Call {
                id: words("id").to_owned(),
                name: words("toolName").to_owned(),
                arguments: String::new(),
            }),
            "toolcall_end" => event.get("toolCall").map(|call| Piece::Whole(call.clone().owned())),
            _ => None,
        };
        if let Some(whole) = whole {
            self.blocks.insert(nth, whole);
            return;
        }
        let delta = words("delta");
        match (text(event, "type"), self.blocks.get_mut(&nth)) {
            (_, Some(Piece::Text(said) | Piece::Thinking(said))) => said.push_str(delta),
            (_, Some(Piece::Call { arguments, .. })) => arguments.push_str(delta),
            // Its beginning is not in the file.
            (Some("text_delta"), None) => {
                self.blocks.insert(nth, Piece::Text(delta.to_owned()));
            }
            (Some("thinking_delta"), None) => {
                self.blocks.insert(nth, Piece::Thinking(delta.to_owned()));
            }
            _ => {}
        }
    }

    /// What it says so far; `None` where that is nothing.
    pub(super) fn content(&self) -> Option<Json<'static>> {
        if self.blocks.is_empty() {
            let content = self.message.get("content").filter(|_| has_content(&self.message));
            return content.map(|content| content.clone().owned());
        }
        let block = |piece: &Piece| match piece {
            Piece::Text(said) => (!said.is_empty()).then(|| text_block(said.clone())),
            Piece::Thinking(said) => (!said.is_empty()).then(|| thinking(said.clone())),
            Piece::Call { id, name, arguments: written } => {
                let written = Json::String(written.clone().into());
                Some(tool_call(id.clone(), name.clone(), arguments(Some(&written))))
            }
            Piece::Whole(json) => Some(json.clone()),
        };
        let blocks: Vec<Json<'static>> = self.blocks.values().filter_map(block).collect();
        (!blocks.is_empty()).then_some(Json::Array(blocks))
    }

    /// The message as far as it came, which no row says was all.
    pub(super) fn unfinished(self) -> Option<Json<'static>> {
        let content = self.content();
        let is_response = text(&self.message, "role") == Some("assistant");
        let Json::Object(mut fields) = self.message else { return None };
        if is_response {
            let content = content?;
            // What its beginning says of its end and of tokens is none of it.
            fields.retain(|(key, _)| !matches!(key.as_ref(), "content" | "stopReason" | "usage"));
            fields.push(("content".into(), content));
            fields.extend(self.usage.map(|usage| ("usage".into(), usage)));
            fields.push(("stopReason".into(), Json::String(UNFINISHED.into())));
        }
        Some(Json::Object(fields))
    }
}

/// Whether a message says anything.
pub(super) fn has_content(message: &Json<'_>) -> bool {
    match message.get("content") {
        Some(Json::Array(blocks)) => !blocks.is_empty(),
        Some(Json::String(said)) => !said.is_empty(),
        _ => false,
    }
}
