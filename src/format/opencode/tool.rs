//! Tool calls and what came of them, which OpenCode keeps in one part. `state` by status pending, running, completed
//! or error: 1.18.33; 2.x: opencode, packages/schema.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::format::blocks::{text_block, tool_call};
use crate::format::fields::{id_of, object, string};
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::session::json::Json;
use crate::session::time;

use super::files::block;

/// Facts on a result are kept up to this many bytes each. The session file holds the rest.
const MAX_FACT_BYTES: usize = 4096;

/// Facts that the call, the output or the diff says already.
const SAID_ELSEWHERE: [&str; 6] =
    ["output", "preview", "display", "filediff", "description", "exit"];

/// A call, and its result where there is one.
pub(super) struct Tool {
    /// A `toolCall` block.
    pub(super) call: Json<'static>,
    /// When it began to run, in milliseconds since 1970.
    pub(super) begun: Option<i64>,
    pub(super) result: Option<ToolAnswer>,
}

/// What a tool gave back.
pub(super) struct ToolAnswer {
    /// A message of role `toolResult`.
    pub(super) message: Json<'static>,
    pub(super) time: Option<i64>,
}

/// What a tool part says, in version 1.x and 2.x.
struct ToolPart<'p> {
    name: &'p str,
    call_id: String,
    state: &'p Json<'p>,
    metadata: Option<&'p Json<'p>>,
    /// When it began and ended, in milliseconds since 1970.
    times: [Option<i64>; 2],
}

impl Tool {
    /// Reads a part of type `tool`. `unnamed` is its id where it has none.
    pub(super) fn read(part: &Json<'_>, unnamed: &str) -> Tool {
        let state = part.get("state").unwrap_or(&Json::Null);
        let times = state.get("time").or_else(|| part.get("time"));
        let moment = |keys: [&str; 2]| {
            let moment = |key| times.and_then(|times| times.get(key)).and_then(time::read);
            keys.into_iter().find_map(moment)
        };
        let id = id_of(part, "callID").or_else(|| id_of(part, "id")).filter(|id| !id.is_empty());
        let part = ToolPart {
            name: text(part, "tool").or_else(|| text(part, "name")).unwrap_or("tool"),
            call_id: id.unwrap_or_else(|| unnamed.to_owned()),
            state,
            metadata: state.get("metadata").or_else(|| part.get("metadata")),
            times: [moment(["start", "created"]), moment(["end", "completed"])],
        };
        Tool { call: part.call(), begun: part.times[0], result: part.result() }
    }
}

impl ToolPart<'_> {
    fn call(&self) -> Json<'static> {
        tool_call(self.call_id.clone(), self.name.to_owned(), self.arguments())
    }

    /// Of a call that was not finished there is but the text of its arguments.
    fn arguments(&self) -> Json<'static> {
        let input = self.state.get("input");
        let is_empty = match input {
            Some(Json::Object(fields)) => fields.is_empty(),
            Some(Json::Null) | None => true,
            Some(_) => false,
        };
        let raw = text(self.state, "raw").filter(|raw| is_empty && !raw.is_empty());
        let written = raw.or(input.and_then(Json::as_str));
        match written {
            Some(written) => match serde_json::from_str::<Json<'_>>(written) {
                Ok(arguments @ Json::Object(_)) => arguments.owned(),
                _ => object([("input", Some(string(written.to_owned())))]),
            },
            None => input.map_or_else(|| Json::Object(Vec::new()), |input| input.clone().owned()),
        }
    }

    fn result(&self) -> Option<ToolAnswer> {
        let status = text(self.state, "status").unwrap_or_default();
        let has_failed = status == "error";
        if !has_failed && status != "completed" {
            return None;
        }
        let exit = self.metadata.and_then(|metadata| metadata.get("exit")?.as_f64());
        // A command that failed and a call that was refused count as completed in OpenCode.
        // `metadata.exit` and the tool `invalid`: 1.18.33.
        let is_error = has_failed || self.name == "invalid" || exit.is_some_and(|exit| exit != 0.0);
        let [start, end] = self.times;
        let ms = start.zip(end).and_then(|(start, end)| end.checked_sub(start));
        let ms = ms.filter(|ms| *ms >= 0).map(|ms| Json::Number(ms.into()));
        // `time.compacted`, ms: the output is no longer sent to the model (opencode).
        let cleared = self.state.get("time").and_then(|time| time.get("compacted"));
        let message = NewMessage::tool_result(self.call_id.clone())
            .tool_name(Some(self.name))
            .content(self.content(has_failed))
            .failed(is_error)
            .details(self.details(exit))
            .duration(ms)
            .given("prunedAt", cleared.filter(|time| time.as_f64().is_some()).cloned());
        Some(ToolAnswer { message: message.json().owned(), time: end.or(start) })
    }

    fn content(&self, has_failed: bool) -> Vec<Json<'static>> {
        let error = self.state.get("error").filter(|error| has_failed && **error != Json::Null);
        let error = error.map(|error| error.get("message").unwrap_or(error));
        let output = self.state.get("output").filter(|output| **output != Json::Null);
        let said = [error, output.filter(|output| Some(*output) != error)];
        let said = said.into_iter().flatten().map(|said| text_block(said.clone().into_text()));
        let listed = ["content", "attachments"].into_iter().filter_map(|key| self.state.get(key));
        let listed = listed.flat_map(Json::items).map(block);
        said.map(Json::owned).chain(listed).collect()
    }

    /// What the tool left for viewers.
    fn details(&self, exit: Option<f64>) -> Option<Json<'static>> {
        let mut kept: Vec<(Cow<'static, str>, Json<'static>)> = Vec::new();
        if let Some(Json::Object(fields)) = self.metadata {
            let asked: HashMap<&str, &Json<'_>> =
                self.input().iter().map(|(key, value)| (key.as_ref(), value)).collect();
            let is_asked = |key: &str, value| asked.get(key).is_some_and(|asked| *asked == value);
            let facts =
                fields.iter().filter(|(key, value)| is_kept(key, value) && !is_asked(key, value));
            let named = facts.map(|(key, value)| {
                let name = if key == "outputPath" { "fullOutputPath" } else { key.as_ref() };
                let diff = value.as_str().filter(|_| name == "diff").map(without_index);
                let value = diff.map_or_else(|| value.clone().owned(), string);
                (Cow::Owned(name.to_owned()), value)
            });
            kept.extend(named);
        }
        let exit = exit.and_then(serde_json::Number::from_f64).map(Json::Number);
        kept.extend(exit.map(|exit| (Cow::Borrowed("exitCode"), exit)));
        let title = text(self.state, "title").filter(|title| !self.says(title));
        kept.extend(title.map(|title| (Cow::Borrowed("title"), string(title.to_owned()))));
        (!kept.is_empty()).then_some(Json::Object(kept))
    }

    /// The fields that the call was made with.
    fn input(&self) -> &[(Cow<'_, str>, Json<'_>)] {
        match self.state.get("input") {
            Some(Json::Object(fields)) => fields,
            _ => &[],
        }
    }

    /// Whether the call or the output begins with these words or ends in them.
    fn says(&self, title: &str) -> bool {
        let says = |text: &str| text.starts_with(title) || text.ends_with(title);
        title.is_empty()
            || self.input().iter().any(|(_, value)| value.as_str().is_some_and(says))
            || text(self.state, "output").is_some_and(says)
    }
}

/// Whether a fact is worth a place among the details.
fn is_kept(key: &str, value: &Json<'_>) -> bool {
    let is_empty = match value {
        Json::Null | Json::Bool(false) => true,
        Json::String(text) => text.is_empty(),
        Json::Array(items) => items.is_empty(),
        Json::Object(fields) => fields.is_empty(),
        _ => false,
    };
    let is_small = || match value {
        Json::String(text) => text.len() <= MAX_FACT_BYTES,
        Json::Array(_) | Json::Object(_) => value.compact().len() <= MAX_FACT_BYTES,
        _ => true,
    };
    !is_empty && !SAID_ELSEWHERE.contains(&key) && (key == "diff" || is_small())
}

/// A diff without the lines that name its files a third time: `Index: a.rs` and a row of `=`.
fn without_index(diff: &str) -> String {
    let is_index = |line: &&str| {
        line.starts_with("Index: ")
            || line.starts_with("===") && line.trim_end().bytes().all(|c| c == b'=')
    };
    diff.split_inclusive('\n').filter(|line| !is_index(line)).collect()
}

/// The sub-agent's session that a call started.
// `metadata.sessionId` of the tool `task` (1.17.2, 1.18.33) or `subagent` (2.x).
pub(super) fn started(part: &Json<'_>) -> Option<String> {
    let state = part.get("state")?;
    let metadata = state.get("metadata").or_else(|| part.get("metadata"))?;
    let session = text(metadata, "sessionId").or_else(|| text(metadata, "sessionID"))?;
    (!session.is_empty()).then(|| session.to_owned())
}
