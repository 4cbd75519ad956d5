//! What `gemini -p --output-format stream-json` prints: rows without ids, in the order in which things
//! happened. A response is printed in parts: its text, then its calls; their results end it. Seen in 0.61.0.
//!
//! `row` takes each in order. A response is open until its results are there; then it is written with them. Rows have
//! no ids, so an entry is named by its line. The last row tells what the run took, sub-agents included.

use std::collections::HashMap;

use crate::format::blocks::{arguments, text_block, tool_call};
use crate::format::entry;
use crate::format::fields::{ObjectFields, object, string};
use crate::format::lines::{Value, scan_json};
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::format::run::{Ended, NO_PROMPT_ID, RunEnd};
use crate::format::translation::{Spot, Translation};
use crate::session::json::Json;
use crate::session::usage::Usage;
use crate::session::{DamageKind, Format, time};

use super::results::response_as;

/// Whether a row is one of such a stream.
pub(super) fn is_own(row: &Json<'_>) -> bool {
    let is_text = |key: &str| text(row, key).is_some();
    match text(row, "type") {
        Some("init") => is_text("session_id") && is_text("model"),
        Some("tool_use") => is_text("tool_id") && is_text("tool_name"),
        Some("tool_result") => is_text("tool_id") && is_text("status"),
        Some("message") => row.get("delta").is_some() && is_text("role"),
        Some("result") => is_text("status") && row.get("stats").is_some(),
        _ => false,
    }
}

/// The session that a stream tells of.
pub(super) fn translate(source: &[u8]) -> Translation {
    let mut reader = StreamReader {
        out: Translation::new(Format::Gemini),
        model: None,
        last: None,
        open: None,
        last_line: 1,
        names: HashMap::new(),
        has_spoken: false,
        has_ended: false,
        failure: None,
    };
    let scan = scan_json(source, |value, json| reader.row(&value, json));
    reader.finish();
    let mut out = reader.out;
    out.scanned(scan);
    out.note(
        "What `gemini --output-format stream-json` prints does not include thoughts, the exit status of commands, the output of some tools, the working directory and the work of sub-agents"
            .to_owned(),
    );
    out
}

struct StreamReader {
    out: Translation,
    model: Option<String>,
    /// The last entry so far.
    last: Option<String>,
    open: Option<Response>,
    last_line: u32,
    /// The tools that calls are of.
    names: HashMap<String, String>,
    /// Something was said, by whomever.
    has_spoken: bool,
    has_ended: bool,
    /// The last error of the run.
    failure: Option<String>,
}

/// A response whose rows are not all read yet.
struct Response {
    line: u32,
    id: String,
    aliases: Vec<String>,
    time: Option<i64>,
    blocks: Vec<Json<'static>>,
    /// The text that is still being printed.
    text: String,
    calls: usize,
}

impl Response {
    fn end_text(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() {
            self.blocks.push(text_block(text));
        }
    }
}

impl StreamReader {
    fn row(&mut self, value: &Value<'_>, json: Json<'_>) {
        if !matches!(json, Json::Object(_)) {
            return self.out.damage(value.line, DamageKind::NotAnObject);
        }
        self.last_line = value.line;
        let time = json.get("timestamp").and_then(time::read);
        let (line, id) = (value.line, value.line_id());
        match text(&json, "type") {
            Some("init") => self.init(&json, time),
            Some("message") => match text(&json, "role") {
                Some("assistant" | "model" | "gemini") => self.part(line, id, time, &json),
                Some("user") => {
                    let said = said(&json);
                    let message = NewMessage::user(vec![text_block(said)]);
                    self.flush();
                    self.has_spoken = true;
                    self.message(line, id, time, message.json());
                }
                _ => self.unknown(line, id, time, json),
            },
            Some("tool_use") => self.call(line, id, time, &json),
            Some("tool_result") => self.result(line, id, time, &json),
            Some("error") => self.error(line, id, time, &json),
            Some("result") => self.end(line, &id, time, &json),
            _ => self.unknown(line, id, time, json),
        }
    }

    fn init(&mut self, json: &Json<'_>, time: Option<i64>) {
        self.flush();
        self.model = text(json, "model").map(str::to_owned).or(self.model.take());
        let header = self.out.header();
        if header.id.is_empty() {
            header.version = 1;
            text(json, "session_id").unwrap_or_default().clone_into(&mut header.id);
            header.time = time;
        }
        self.has_ended = false;
    }

    /// The response that is open, or a new one.
    fn open(&mut self, line: u32, id: String, time: Option<i64>) -> &mut Response {
        self.has_ended = false;
        let is_new = self.open.is_none();
        let open = self.open.get_or_insert_with(|| Response {
            line,
            id: id.clone(),
            aliases: Vec::new(),
            time,
            blocks: Vec::new(),
            text: String::new(),
            calls: 0,
        });
        if !is_new {
            open.aliases.push(id);
        }
        open
    }

    fn part(&mut self, line: u32, id: String, time: Option<i64>, json: &Json<'_>) {
        let is_delta = json.get("delta").is_some_and(Json::is_truthy);
        // Words behind calls are those of the next response.
        if self.open.as_ref().is_some_and(|open| open.calls > 0) {
            self.flush();
        }
        let open = self.open(line, id, time);
        if !is_delta {
            open.end_text();
        }
        open.text.push_str(&said(json));
    }

    fn call(&mut self, line: u32, id: String, time: Option<i64>, json: &Json<'_>) {
        let call = text(json, "tool_id").unwrap_or(&id).to_owned();
        let name = text(json, "tool_name").unwrap_or_default().to_owned();
        let block =
            tool_call(call.clone(), name.clone(), arguments(json.get("parameters")).owned());
        self.names.insert(call, name);
        let open = self.open(line, id, time);
        open.end_text();
        open.blocks.push(block);
        open.calls += 1;
    }

    fn result(&mut self, line: u32, id: String, time: Option<i64>, json: &Json<'_>) {
        self.flush();
        let status = text(json, "status").unwrap_or_default();
        let call = text(json, "tool_id").unwrap_or_default();
        let output = json.get("output").filter(|output| output.is_truthy());
        let why = json.get("error").and_then(|error| error.get("message").or(Some(error)));
        let why = why.filter(|why| why.is_truthy());
        // The output of a call that failed mostly begins as the error does, and is shorter.
        // 0.61.0.
        let is_new = |output: &&Json<'_>| {
            let why = why.and_then(Json::as_str).unwrap_or_default();
            let said = output.as_str().unwrap_or_default();
            let said = said.strip_prefix("Error: ").unwrap_or(said).trim_end_matches('.');
            said.is_empty() || !why.starts_with(said)
        };
        let response =
            object([("output", output.filter(is_new).cloned()), ("error", why.cloned())]);
        let name = self.names.get(call).cloned();
        let given = object([
            ("id", Some(string(call.to_owned()))),
            ("name", name.map(string)),
            ("response", Some(response).filter(|response| *response != Json::Object(Vec::new()))),
        ]);
        let message = response_as(&given, status, None).owned();
        self.message(line, id, time, message);
    }

    /// An error or a warning. One that ends the run is named by the last row, sometimes without words.
    fn error(&mut self, line: u32, id: String, time: Option<i64>, json: &Json<'_>) {
        self.flush();
        self.no_prompt(line);
        let said = text(json, "message").unwrap_or("error without a message").to_owned();
        if text(json, "severity") != Some("warning") {
            self.failure = Some(said.clone());
        }
        let spot = Spot { line, id: Some(id.clone()), parent_id: self.last.replace(id), time };
        self.out.run_error(spot, said, json.clone());
    }

    /// What the run took, with its sub-agents, and how it ended.
    // `stats` {models, input_tokens, output_tokens, cached, duration_ms}: 0.61.0. Counts of tokens, milliseconds.
    fn end(&mut self, line: u32, id: &str, time: Option<i64>, json: &Json<'_>) {
        self.flush();
        self.no_prompt(line);
        self.has_ended = true;
        let stats = json.get("stats").unwrap_or(&Json::Null);
        let models = match stats.get("models") {
            Some(Json::Object(models)) => models.as_slice(),
            _ => &[],
        };
        let models: Vec<(&str, Usage)> =
            models.iter().map(|(model, stats)| (model.as_ref(), usage_of(stats))).collect();
        let models = if models.is_empty() { vec![("", usage_of(stats))] } else { models };
        for (nth, (model, stated)) in models.into_iter().enumerate() {
            let number = if nth == 0 { String::new() } else { (nth + 1).to_string() };
            let spot = Spot {
                line,
                id: Some(format!("{id}#usage{number}")),
                parent_id: self.last.clone(),
                time,
            };
            let model = Some(model).filter(|model| !model.is_empty());
            if let Some(entry) = self.out.stated(spot, model, stated, Usage::default()) {
                self.last = Some(entry);
            }
        }
        let failed = text(json, "status") != Some("success");
        let why = json.get("error").and_then(|error| text(error, "message")).map(str::to_owned);
        let failure = self.failure.take().filter(|_| failed);
        let end = RunEnd {
            ended: if failed { Ended::Failed } else { Ended::Completed },
            text: why.or(failure),
            lines: Vec::new(),
            facts: ["duration_ms", "tool_calls", "total_tokens"]
                .into_iter()
                .map(|key| (name_of(key), stats.get(key).cloned()))
                .collect(),
        };
        self.run_end(line, id.to_owned(), time, end);
    }

    fn run_end(&mut self, line: u32, id: String, time: Option<i64>, end: RunEnd<'_>) {
        let spot = Spot { line, id: Some(id.clone()), parent_id: self.last.replace(id), time };
        self.out.run_end(spot, end);
    }

    fn finish(&mut self) {
        self.flush();
        if !self.has_ended {
            self.no_prompt(self.last_line);
            let end =
                RunEnd { ended: Ended::CutOff, text: None, lines: Vec::new(), facts: Vec::new() };
            self.run_end(self.last_line, "run-end".to_owned(), None, end);
        }
        if let Some(last) = &self.last {
            self.out.leaf(last.clone());
        }
    }

    /// Says before the first word that no prompt stands before it.
    fn no_prompt(&mut self, line: u32) {
        if !self.has_spoken {
            self.has_spoken = true;
            if self.last.is_none() {
                self.out.no_prompt(line);
                self.last = Some(NO_PROMPT_ID.to_owned());
            }
        }
    }

    fn unknown(&mut self, line: u32, id: String, time: Option<i64>, json: Json<'_>) {
        self.flush();
        let kind = text(&json, "type").unwrap_or("line").to_owned();
        let (entry_type, fields) = entry::unknown(&kind, json);
        self.push(line, id, time, entry_type, fields);
        self.out.last_is_not_understood();
    }

    fn message(&mut self, line: u32, id: String, time: Option<i64>, message: Json<'_>) {
        self.push(line, id, time, "message", entry::message(message));
    }

    fn push(
        &mut self,
        line: u32,
        id: String,
        time: Option<i64>,
        entry_type: &str,
        fields: ObjectFields<'_>,
    ) {
        let spot = Spot { line, id: Some(id.clone()), parent_id: self.last.replace(id), time };
        self.out.push(spot, entry_type, fields);
    }

    fn flush(&mut self) {
        let Some(mut open) = self.open.take() else { return };
        open.end_text();
        self.no_prompt(open.line);
        for alias in open.aliases {
            self.out.alias(alias, open.id.clone());
        }
        let message = NewMessage::assistant(open.blocks)
            .provider(self.model.as_ref().map(|_| "google"))
            .model(self.model.clone())
            .ended(open.calls > 0);
        self.message(open.line, open.id, open.time, message.json());
    }
}

/// The text of a message; some writers put a list of parts there.
fn said(json: &Json<'_>) -> String {
    match json.get("content") {
        Some(Json::String(said)) => said.to_string(),
        Some(Json::Null) | None => String::new(),
        Some(_) => super::parts::plain(json),
    }
}

/// The input counts what came from the cache.
fn usage_of(stats: &Json<'_>) -> Usage {
    let count = |key: &str| {
        stats.get(key).and_then(Json::as_f64).filter(|count| *count >= 0.0).unwrap_or(0.0)
    };
    let (input, cached) = (count("input_tokens"), count("cached"));
    let output = count("output_tokens");
    Usage { input: (input - cached).max(0.0), output, cache_read: cached, ..Usage::default() }
}

fn name_of(key: &str) -> &'static str {
    match key {
        "duration_ms" => "durationMs",
        "tool_calls" => "toolCalls",
        _ => "totalTokens",
    }
}
