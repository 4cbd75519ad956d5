//! Messages of version 2.x: flat, with their `type` (opencode, packages/schema/src/session*; no file of it was read).

use crate::format::blocks::text_block;
use crate::format::entry::NewCompaction;
use crate::format::fields::fields_of;
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::session::json::Json;

use super::chain::{At, Chain};
use super::files::FilePart;
use super::response::{About, Response, error};
use super::usage::Spent;
use super::v1::{is_open, taken};

/// Writes a message.
pub(super) fn message(chain: &mut Chain, at: At, message: &Json<'_>) {
    chain.begin(&at.id);
    chain.give_up_summary();
    let words = || message.get("text").cloned().map(Json::into_text);
    match text(message, "type").unwrap_or_default() {
        "user" => prompt(chain, &at, message),
        "assistant" => response(chain, at, message),
        "shell" => shell(chain, at, message),
        kind @ ("synthetic" | "system" | "skill") if words().is_some() => {
            let name = kind.to_owned();
            chain.added(at, &name, words().unwrap_or_default().into_owned());
        }
        "compaction" if text(message, "summary").is_some() => compaction(chain, at, message),
        "agent-switched" if text(message, "agent").is_some() => {
            chain.agent(&at, text(message, "agent").unwrap_or_default());
            chain.aside("agent-switched");
        }
        "model-switched" if message.get("model").is_some() => {
            let (provider, model) = model(message);
            chain.model(&at, &provider.unwrap_or_default(), &model.unwrap_or_default());
            chain.aside("model-switched");
        }
        // One ends each turn.
        kind @ ("idle" | "location-switched") => {
            let name = kind.to_owned();
            chain.custom(at, &name, message.clone());
        }
        kind => {
            let name = if kind.is_empty() { "message" } else { kind }.to_owned();
            chain.unknown(at, &name, message.clone());
        }
    }
}

/// The provider and the model of a message.
fn model(message: &Json<'_>) -> (Option<String>, Option<String>) {
    let model = message.get("model");
    let part = |key: &str| model.and_then(|model| text(model, key)).map(str::to_owned);
    (part("providerID"), part("id").or_else(|| part("modelID")))
}

fn prompt(chain: &mut Chain, at: &At, message: &Json<'_>) {
    let mut content = Vec::new();
    if let Some(words) = message.get("text").filter(|words| **words != Json::Null) {
        content.push(text_block(words.clone().into_text()));
    }
    let files = || {
        let files = message.get("files").map(Json::items).unwrap_or_default();
        files.iter().map(FilePart::read)
    };
    content.extend(files().filter_map(|file| file.image()));
    chain.message(at.clone(), NewMessage::user(content).json());
    let other = files().filter(|file| file.image().is_none());
    let mentioned: Vec<Json<'_>> = other.map(|file| file.mention()).collect();
    if !mentioned.is_empty() {
        let said = NewMessage::file_mention(mentioned);
        chain.message(At { id: format!("{}-files", at.id), ..at.clone() }, said.json());
    }
    for key in ["agents", "skills"] {
        for _ in message.get(key).map(Json::items).unwrap_or_default() {
            // The prompt says it too.
            chain.aside(key.trim_end_matches('s'));
        }
    }
}

fn response(chain: &mut Chain, at: At, message: &Json<'_>) {
    let (provider, model) = model(message);
    let line = at.line;
    let retry = message.get("retry").filter(|retry| matches!(retry, Json::Object(_))).cloned();
    let retried = At { id: format!("{}-retry", at.id), ..at.clone() };
    let about = About {
        provider,
        model,
        spent: Spent::read(message),
        finish: text(message, "finish").map(str::to_owned),
        error: error(message),
        ms: taken(message),
        is_open: is_open(message),
        at,
    };
    let mut response = Response::new(chain, about);
    for part in message.get("content").map(Json::items).unwrap_or_default() {
        response.part(line, part);
    }
    response.finish();
    if let Some(retry) = retry {
        chain.custom(retried, "retry", retry);
    }
}

/// A command that the person ran.
fn shell(chain: &mut Chain, at: At, message: &Json<'_>) {
    let output = message.get("output");
    let printed = output.and_then(|output| output.get("output")).or(output);
    let is_cut = output.and_then(|output| output.get("truncated")) == Some(&Json::Bool(true));
    let is_killed = matches!(text(message, "status"), Some("killed" | "cancelled" | "timeout"));
    let ran = NewMessage::shell(message.get("command").cloned(), printed.cloned())
        .given("exitCode", message.get("exit").cloned())
        .given("cancelled", Some(Json::Bool(is_killed)))
        .given("truncated", Some(Json::Bool(is_cut)));
    chain.message(at, ran.json());
}

/// The history replaced by a summary and, word for word, by what came last.
fn compaction(chain: &mut Chain, at: At, message: &Json<'_>) {
    let recent = text(message, "recent").filter(|recent| !recent.is_empty());
    let compaction = NewCompaction::new(message.get("summary").cloned())
        .retained(recent.map(|recent| NewMessage::user(recent).json()).into_iter().collect())
        .details(fields_of([("reason", message.get("reason").cloned())]))
        .usage(Spent::read(message).usage());
    chain.push(at, "compaction", compaction.fields());
}
