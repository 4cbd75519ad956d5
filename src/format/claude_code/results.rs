//! Results of tools, with those that were saved beside the session.

use std::borrow::Cow;

use crate::format::blocks::text_block;
use crate::format::fields::string;
use crate::format::message::NewMessage;
use crate::format::provider_tools;
use crate::format::translation::Spot;
use crate::session::json::{Fields, Json};

use super::commands::together;
use super::content::{blocks, details, saved_as, words};
use super::entries::{Parts, Writer};
use super::row::Row;

impl Writer<'_> {
    /// The result of a tool that the provider ran, as its response states it.
    pub(super) fn provider_result(&mut self, spot: Spot, block: &Json<'_>, name: Option<&str>) {
        let Some(result) = provider_tools::result(block) else { return };
        if let Some(id) = &spot.id {
            self.written.started.by_call.insert(result.call_id.clone(), id.clone());
        }
        let message = NewMessage::tool_result(string(result.call_id))
            .tool_name(name)
            .content(result.content)
            .failed(result.failed)
            .details(result.details);
        self.message(spot, message.json());
    }

    pub(super) fn result(
        &mut self,
        parts: &mut Parts<'_>,
        block: Json<'_>,
        left: Option<Json<'_>>,
    ) {
        let spot = parts.next();
        let mut fields = Fields::new(block);
        let call = fields.text("tool_use_id").unwrap_or_default();
        let mut content = blocks(fields.take("content"));
        let is_error = fields.take("is_error").is_some_and(|flag| flag.is_truthy());
        let short = words(&content);
        // `durationMs` of a tool, `totalDurationMs` of an agent, in milliseconds (1.0.98 to 2.1.330).
        let ms = left.as_ref().and_then(|left| {
            let ms = left.get("durationMs").or_else(|| left.get("totalDurationMs"))?;
            ms.as_f64().and(Some(ms.clone()))
        });
        // A result too large for the model stands whole in what the tool left.
        let beside = left.as_ref().and_then(printed).filter(|whole| whole.len() > short.len());
        let mut details = details(left, &short);
        let saved = self.saved(&short, beside.as_deref()).map(|(name, whole)| (Some(name), whole));
        // Saved at a place of another name, it stands in its line all the same. 2.1.x as openclaude has it; no file
        // that was read holds one.
        let is_preview = short.trim_start().starts_with("<persisted-output>");
        let saved = saved.or_else(|| Some((None, beside.filter(|_| is_preview)?)));
        if let Some((name, whole)) = saved {
            let mut kept = Fields::new(details.unwrap_or(Json::Null)).rest();
            kept.extend(name.map(|name| (Cow::Borrowed("savedAs"), string(name))));
            kept.push((Cow::Borrowed("shortForm"), string(short)));
            details = Some(Json::Object(kept));
            content = vec![text_block(whole)];
        }
        if let Some(id) = &spot.id {
            self.written.started.by_call.insert(call.to_string(), id.clone());
            self.ran(parts.row, id, &call);
        }
        let name = self.nodes.calls.get(call.as_ref()).map(|call| call.name.as_str());
        let message = NewMessage::tool_result(call)
            .tool_name(name)
            .content(content)
            .failed(is_error)
            .details(details)
            .duration(ms);
        self.message(spot, message.json());
    }

    /// The whole of a result that was saved beside the session, or stands beside it in its line.
    fn saved(&mut self, short: &str, beside: Option<&str>) -> Option<(String, String)> {
        let name = saved_as(short)?;
        let read = match self.results {
            Some(folder) => folder.read(name).map_err(|error| error.to_string()),
            None => Err("not found".to_owned()),
        };
        match read {
            Ok(bytes) => Some((name.to_owned(), String::from_utf8_lossy(&bytes).into_owned())),
            Err(_) if beside.is_some() => beside.map(|whole| (name.to_owned(), whole.to_owned())),
            Err(reason) => {
                let note =
                    format!("The whole result in tool-results/{name} is not shown: {reason}");
                self.written.translation.note(note);
                None
            }
        }
    }

    fn ran(&mut self, row: &Row, entry: &str, call: &str) {
        let Some(agent) = &row.ran_agent else { return };
        let gives_tasks = self.nodes.calls.get(call).is_none_or(|call| call.task.is_some());
        if agent.is_stated || gives_tasks {
            let started = &mut self.written.started.by_agent;
            let place = || (entry.to_owned(), Some(call.to_owned()));
            started.entry(agent.id.clone()).or_insert_with(place);
        }
    }
}

/// What a tool left of its output.
fn printed(left: &Json<'_>) -> Option<String> {
    let said = |key| left.get(key).and_then(Json::as_str).unwrap_or_default();
    let whole = together(said("stdout"), said("stderr"));
    if !whole.is_empty() {
        return Some(whole);
    }
    let content = ["content", "result"].iter().find_map(|key| left.get(key)).or(Some(left))?;
    Some(words(&blocks(Some(content.clone())))).filter(|whole| !whole.is_empty())
}
