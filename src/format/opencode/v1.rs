//! Messages of version 1.x: `{info, parts}` (opencode; 1.18.33). `parentID` of a response names the prompt that it
//! answers, which several share: no tree. A compaction is a prompt whose part is `compaction`, answered by a response
//! with `summary` true (1.17.2, 1.18.33).

use crate::format::blocks::text_block;
use crate::format::entry::NewCompaction;
use crate::format::fields::{fields_of, string};
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::session::json::Json;
use crate::session::time;

use super::chain::{At, Chain};
use super::files::FilePart;
use super::response::{About, Response, error};
use super::usage::Spent;

/// Writes a message. Its parts hang in the order in which they stand.
pub(super) fn message(chain: &mut Chain, at: At, info: &Json<'_>, message: &Json<'_>) {
    chain.begin(&at.id);
    let parts = message.get("parts").map(Json::items).unwrap_or_default();
    match text(info, "role") {
        Some("user") => prompt(chain, &at, info, parts),
        Some("assistant") | None => response(chain, at, info, parts),
        Some(role) => {
            let name = role.to_owned();
            chain.give_up_summary();
            chain.unknown(at, &name, message.clone());
        }
    }
}

fn kind<'j>(part: &'j Json<'_>) -> &'j str {
    text(part, "type").unwrap_or_default()
}

fn is_set(part: &Json<'_>, key: &str) -> bool {
    part.get(key) == Some(&Json::Bool(true))
}

fn words(part: &Json<'_>) -> String {
    part.get("text").cloned().unwrap_or(Json::Null).into_text().into_owned()
}

/// What a person sent, and what OpenCode added to it.
fn prompt(chain: &mut Chain, at: &At, info: &Json<'_>, parts: &[Json<'_>]) {
    let has_words = parts.iter().any(|part| matches!(kind(part), "text" | "file"));
    if let Some(asked) = parts.iter().find(|part| kind(part) == "compaction" && !has_words) {
        return chain.ask_for_summary(at.clone(), asked.clone());
    }
    chain.give_up_summary();
    if let Some(model) = info.get("model") {
        let part = |key| text(model, key).unwrap_or_default();
        chain.model(at, part("providerID"), part("modelID"));
    }
    chain.agent(at, text(info, "agent").unwrap_or_default());
    let own = sent(parts);
    let mut id = Some(at.id.clone()).filter(|_| own.is_empty());
    if !own.is_empty() {
        chain.message(at.clone(), NewMessage::user(own).json());
    }
    let mut place = |part: &Json<'_>, nth: usize| {
        let own = text(part, "id").filter(|id| !id.is_empty()).map(str::to_owned);
        let own = own.unwrap_or_else(|| format!("{}.{}", at.id, nth + 1));
        // The message's own id leads to the first entry that was made of it.
        At { id: id.take().unwrap_or(own), ..at.clone() }
    };
    let mentioned: Vec<Json<'_>> = parts
        .iter()
        .filter(|part| kind(part) == "file")
        .map(FilePart::read)
        .filter(|file| file.image().is_none())
        .map(|file| file.mention())
        .collect();
    if !mentioned.is_empty() {
        let message = NewMessage::file_mention(mentioned);
        chain.message(place(&Json::Null, parts.len()), message.json());
    }
    for (nth, part) in parts.iter().enumerate() {
        match kind(part) {
            "text" if is_set(part, "synthetic") => {
                chain.added(place(part, nth), "synthetic", words(part));
            }
            "text" if is_set(part, "ignored") => {
                chain.custom(place(part, nth), "ignored", part.clone());
            }
            "text" | "file" => {}
            // The prompt says it too, as `@name`.
            "agent" => chain.aside("agent"),
            other => {
                let name = if other.is_empty() { "part" } else { other };
                chain.custom(place(part, nth), name, part.clone());
            }
        }
    }
    if let Some(system) = text(info, "system").filter(|system| !system.is_empty()) {
        chain.added(place(&Json::Null, parts.len() + 1), "system", system.to_owned());
    }
    if id.is_some() {
        chain.message(at.clone(), NewMessage::user(Vec::new()).json());
    }
}

/// What the person typed and attached; also a task that they gave to a sub-agent.
fn sent(parts: &[Json<'_>]) -> Vec<Json<'static>> {
    let block = |part: &Json<'_>| match kind(part) {
        "text" if is_set(part, "synthetic") || is_set(part, "ignored") => None,
        "text" => Some(text_block(words(part))),
        "file" => FilePart::read(part).image(),
        "subtask" => text(part, "prompt").map(|prompt| text_block(prompt.to_owned())),
        _ => None,
    };
    parts.iter().filter_map(block).collect()
}

fn response(chain: &mut Chain, at: At, info: &Json<'_>, parts: &[Json<'_>]) {
    let failed = error(info);
    if is_set(info, "summary") && failed.is_none() {
        return summary(chain, &at, info, parts);
    }
    chain.give_up_summary();
    let stated = Spent::read(info);
    let steps = parts.iter().filter(|part| kind(part) == "step-finish").map(Spent::read);
    let told = steps.fold(Spent::default(), Spent::plus);
    let line = at.line;
    let named = |key| text(info, key).map(str::to_owned);
    let about = About {
        provider: named("providerID"),
        model: named("modelID"),
        spent: stated.without(told),
        finish: named("finish"),
        error: failed,
        ms: taken(info),
        is_open: is_open(info),
        at,
    };
    let has_steps = parts.iter().any(|part| kind(part) == "step-start");
    let mut response = Response::new(chain, about);
    if !has_steps {
        response = response.without_steps();
    }
    for part in parts {
        response.part(line, part);
    }
    response.finish();
}

/// Whether a response began, and nothing says when it ended.
pub(super) fn is_open(info: &Json<'_>) -> bool {
    let has = |key| info.get("time").and_then(|time| time.get(key)).is_some();
    has("created") && !has("completed")
}

/// How long a response took.
pub(super) fn taken(info: &Json<'_>) -> Option<i64> {
    let moment = |key| info.get("time").and_then(|time| time.get(key)).and_then(time::read);
    let ms = moment("completed")?.checked_sub(moment("created")?)?;
    (ms >= 0).then_some(ms)
}

/// The history was replaced by this summary.
fn summary(chain: &mut Chain, at: &At, info: &Json<'_>, parts: &[Json<'_>]) {
    let asked = chain.take_request(text(info, "parentID"));
    chain.give_up_summary();
    let texts = |wanted: &str| {
        let texts = parts.iter().filter(|part| kind(part) == wanted).map(words);
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
    };
    let request = asked.as_ref().map(|(_, part)| part);
    let detail = |key: &str| request.and_then(|part| part.get(key)).cloned();
    let reasoning = texts("reasoning");
    let details = fields_of([
        ("auto", detail("auto")),
        ("overflow", detail("overflow")),
        ("reasoning", (!reasoning.is_empty()).then(|| string(reasoning))),
    ]);
    let steps = parts.iter().filter(|part| kind(part) == "step-finish").map(Spent::read);
    let told = steps.fold(Spent::default(), Spent::plus);
    let compaction = NewCompaction::new(Some(texts("text")))
        .first_kept(detail("tail_start_id"))
        .details(details)
        .usage(told.plus(Spent::read(info).without(told)).usage());
    let own = chain.push(at.clone(), "compaction", compaction.fields());
    if let Some((asked, _)) = &asked {
        chain.alias(asked.id.clone(), own);
    }
    for (nth, part) in parts.iter().enumerate() {
        match kind(part) {
            "text" | "reasoning" | "step-finish" => {}
            other @ ("step-start" | "snapshot") => chain.aside(other),
            other => {
                let id = text(part, "id").map(str::to_owned);
                let id = id.unwrap_or_else(|| format!("{}.{}", at.id, nth + 1));
                let name = if other.is_empty() { "part" } else { other };
                chain.custom(At { id, ..at.clone() }, name, part.clone());
            }
        }
    }
}
