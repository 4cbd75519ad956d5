//! Transcripts of JSON lines.

use crate::format::blocks::{given_image, redacted_thinking, text_block, thinking};
use crate::format::fields::object;
use crate::format::lines::{Value, scan_json};
use crate::format::probe::text;
use crate::session::DamageKind;
use crate::session::json::Json;

use super::is_end;
use super::writer::{At, Writer};

/// What stands in the place of reasoning that Cursor keeps to itself.
// agent-sessions, fixtures.
const REDACTED: &str = "[REDACTED]";

pub(super) fn read(source: &[u8]) -> Writer {
    let mut writer = Writer::new();
    let scan = scan_json(source, |value, json| line(&mut writer, &value, json));
    for damage in scan.damage {
        writer.out.damage(damage.line, damage.kind);
    }
    writer.finish()
}

fn line(writer: &mut Writer, value: &Value<'_>, json: Json<'_>) {
    if !matches!(json, Json::Object(_)) {
        return writer.out.damage(value.line, DamageKind::NotAnObject);
    }
    let own = text(&json, "id").filter(|id| !id.is_empty());
    let at = At { line: value.line, id: own.map_or_else(|| value.line_id(), str::to_owned) };
    if is_end(&json) {
        return end(writer, &at, &json);
    }
    let message = json.get("message");
    let Some(content) = message.and_then(|message| message.get("content")) else {
        let name = text(&json, "type").or(text(&json, "role")).unwrap_or("line").to_owned();
        return writer.custom(&at, &name, json);
    };
    let blocks = match content {
        Json::Array(blocks) => blocks.clone(),
        other => vec![text_block(other.clone().into_text())],
    };
    match text(&json, "role") {
        Some("user") => said(writer, &at, blocks),
        Some("assistant") => {
            let model = message.and_then(|message| text(message, "model"));
            answered(writer, &at, blocks, model);
        }
        Some("system") => writer.system(&at, blocks),
        _ => {
            let name = text(&json, "type").or(text(&json, "role")).unwrap_or("line").to_owned();
            writer.custom(&at, &name, json);
        }
    }
}

/// A turn that ended well says nothing else; any other end has a row.
// Only `success` was seen (probez).
fn end(writer: &mut Writer, at: &At, json: &Json<'_>) {
    let status = text(json, "status").unwrap_or_default();
    let why = ["error", "message", "reason"].iter().find_map(|key| text(json, key));
    let (how, words) = match status {
        "success" | "completed" if why.is_none() => {
            writer.ends += 1;
            return;
        }
        "aborted" | "cancelled" | "canceled" | "interrupted" => ("aborted", status),
        "" => return writer.custom(at, "turn_ended", json.clone()),
        _ => ("error", status),
    };
    let why = match why {
        Some(why) if matches!(words, "error" | "failed") => why.to_owned(),
        Some(why) => format!("{words}: {why}"),
        None => words.to_owned(),
    };
    writer.response(at, Vec::new(), None, Some((how, why)));
}

/// What stands in the person's place: results of tools too.
fn said(writer: &mut Writer, at: &At, blocks: Vec<Json<'_>>) {
    let mut texts: Vec<String> = Vec::new();
    let mut others = Vec::new();
    let mut has_results = false;
    for block in blocks {
        match text(&block, "type") {
            Some("tool_result") => {
                has_results = true;
                result(writer, at, &block);
            }
            Some("text") if text(&block, "text").is_some() => {
                texts.extend(text(&block, "text").map(str::to_owned));
            }
            _ => others.push(picture(block)),
        }
    }
    let texts = texts.join("\n");
    if !has_results || !texts.trim().is_empty() || !others.is_empty() {
        writer.prompt(at, Some(texts.as_str()), others);
    }
}

fn answered(writer: &mut Writer, at: &At, blocks: Vec<Json<'_>>, model: Option<&str>) {
    let mut content = Vec::new();
    let mut results = Vec::new();
    for block in blocks {
        match text(&block, "type") {
            Some("text") => content.extend(spoken(&block)),
            Some("thinking") if text(&block, "thinking").is_some() => {
                content.push(thinking(text(&block, "thinking").unwrap_or_default().to_owned()));
            }
            Some("redacted_thinking") => content.push(withheld()),
            Some("tool_use") => {
                let nth = content.len() + 1;
                let lasting = || format!("{}-call-{nth}", at.id);
                let name = text(&block, "name").unwrap_or("tool");
                let input = block.get("input").cloned().unwrap_or(Json::Object(Vec::new()));
                content.push(writer.call(text(&block, "id"), lasting, name, given(input)));
            }
            Some("tool_result") => results.push(block),
            _ => content.push(picture(block)),
        }
    }
    if !content.is_empty() || results.is_empty() {
        writer.response(at, content, model, None);
    }
    for block in results {
        result(writer, at, &block);
    }
}

/// Words, and behind them or alone the mark of reasoning that was taken out.
fn spoken<'a>(block: &Json<'a>) -> Vec<Json<'a>> {
    let Some(words) = text(block, "text") else { return vec![block.clone()] };
    let before = words.trim_end().strip_suffix(REDACTED);
    let before = before.filter(|before| before.is_empty() || before.ends_with(char::is_whitespace));
    let Some(before) = before else { return vec![text_block(words.to_owned())] };
    let mut blocks = Vec::new();
    if !before.trim().is_empty() {
        blocks.push(text_block(before.trim_end().to_owned()));
    }
    blocks.push(withheld());
    blocks
}

fn withheld<'a>() -> Json<'a> {
    redacted_thinking()
}

/// The arguments of a call: an object, or a bare text such as a patch.
fn given(input: Json<'_>) -> Json<'_> {
    match input {
        Json::String(text) => object([("input", Some(Json::String(text)))]),
        Json::Null => Json::Object(Vec::new()),
        other => other,
    }
}

fn result(writer: &mut Writer, at: &At, block: &Json<'_>) {
    let content = match block.get("content") {
        Some(Json::Array(blocks)) => blocks.iter().cloned().map(picture).collect(),
        None | Some(Json::Null) => Vec::new(),
        Some(other) => vec![text_block(other.clone().into_text())],
    };
    let is_error = block.get("is_error") == Some(&Json::Bool(true));
    let at = At { id: format!("{}-result", at.id), ..at.clone() };
    writer.result(&at, text(block, "tool_use_id"), None, Json::Array(content), is_error);
}

/// A picture in the core's form; any other block as it is.
fn picture(block: Json<'_>) -> Json<'_> {
    let source = block.get("source").filter(|_| text(&block, "type") == Some("image"));
    let data = source.and_then(|source| source.get("data"));
    match (data, source.and_then(|source| source.get("media_type"))) {
        (Some(data), Some(mime_type)) => given_image(Some(mime_type.clone()), data.clone()),
        _ => block,
    }
}
