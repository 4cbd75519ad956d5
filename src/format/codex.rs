//! Codex rollouts: JSON lines, one thing that happened a line, in a row.
//!
//! Newer files wrap each line as `{timestamp, type, payload}`; the oldest hold
//! bare response items below a first line `{id, timestamp, instructions}`. What
//! the model got and gave stands in `response_item`; `event_msg` says the same
//! for viewers, and is read only for what stands nowhere else. Lines have no
//! ids, so entries are addressed by their line.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use crate::error::Error;
use crate::session::json::Json;
use crate::session::{DamageKind, Dialect, Session, time};

use super::beside::Beside;
use super::lines::{Value, scan};
use super::probe::{Probe, text};
use super::translation::{Spot, Translation, fields_of, object, string};

/// Kinds of wrapped lines.
const ENVELOPES: [&str; 6] =
    ["session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"];

/// Kinds of response items, bare in the oldest files.
const ITEMS: [&str; 8] = [
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "local_shell_call",
    "custom_tool_call",
    "custom_tool_call_output",
    "web_search_call",
];

/// What the program puts in under the user's name, by how it begins.
const INJECTED: [(&str, &str); 7] = [
    ("<environment_context>", "environment_context"),
    ("<user_instructions>", "user_instructions"),
    ("# AGENTS.md instructions", "user_instructions"),
    ("<permissions instructions>", "permissions"),
    ("<turn_aborted>", "turn_aborted"),
    ("<user_shell_command>", "user_shell_command"),
    ("<skill>", "skill"),
];

/// Events of which each says what an item or another line says too.
const SAID_ELSEWHERE: [&str; 13] = [
    "context_compacted",
    "user_message",
    "agent_message",
    "agent_reasoning",
    "agent_reasoning_raw_content",
    "agent_reasoning_section_break",
    "exec_command_begin",
    "exec_command_output_delta",
    "task_started",
    "turn_started",
    "task_complete",
    "turn_complete",
    "item_started",
];

pub(super) fn recognises(probe: &Probe<'_>) -> bool {
    let first = probe.whole.as_ref().or(probe.lines.first());
    let is_wrapped = |line: &Json<'_>| {
        line.get("payload").is_some() && text(line, "type").is_some_and(|t| ENVELOPES.contains(&t))
    };
    let is_oldest = |first: &Json<'_>| {
        first.get("type").is_none()
            && text(first, "id").is_some()
            && first.get("timestamp").is_some()
            && (first.get("instructions").is_some() || first.get("git").is_some())
    };
    probe.any(is_wrapped)
        || first.is_some_and(is_wrapped)
        || first.is_some_and(|first| is_oldest(first) && first.get("kind").is_none())
        || probe.any(|line| text(line, "record_type") == Some("state"))
}

/// Reads a rollout: a chain, in file order.
pub(super) fn read(source: Vec<u8>, _beside: &Beside) -> Result<Session, Error> {
    // Responses known by their items must not be told again by events.
    let mut heard = Heard::default();
    scan(&source, |value| heard.value(&value));
    let mut reader = Reader::new(heard);
    let scan = scan(&source, |value| reader.value(&value));
    for damage in scan.damage {
        reader.out.damage(damage.line, damage.kind);
    }
    reader.finish().finish(source)
}

/// What must be known before the first entry is written.
#[derive(Default)]
struct Heard {
    /// Whether messages, calls and reasoning stand in the file as items.
    has_items: bool,
    /// Tokens by the line of the answer that they were spent on.
    tokens: HashMap<u32, Tokens>,
    /// The line of the last answer.
    answer: Option<u32>,
    /// The totals told last, to tell a repeated count.
    totals: Option<String>,
    /// The answers at which a turn was stopped.
    aborted: HashSet<u32>,
    /// The tools by the ids of their calls.
    names: HashMap<String, String>,
}

impl Heard {
    fn value(&mut self, value: &Value<'_>) {
        let json: Json<'_> = serde_json::from_str(value.text).unwrap_or(Json::Null);
        let (kind, payload) = unwrapped(&json);
        match (kind, text(payload, "type").unwrap_or_default()) {
            ("event_msg", "token_count") => self.tokens(payload),
            ("event_msg", "turn_aborted") => {
                self.aborted.extend(self.answer);
            }
            ("response_item", item) => self.item(value.line, item, payload),
            _ => {}
        }
    }

    fn item(&mut self, line: u32, item: &str, payload: &Json<'_>) {
        let is_answer = match item {
            "message" => {
                self.has_items = true;
                text(payload, "role") == Some("assistant")
            }
            kind => is_call(kind),
        };
        if is_answer {
            self.answer = Some(line);
        }
        if let Some((call, name)) = text(payload, "call_id").zip(text(payload, "name")) {
            self.names.insert(call.to_owned(), name.to_owned());
        }
        if item == "local_shell_call" {
            let call = text(payload, "call_id").or(text(payload, "id"));
            self.names.extend(call.map(|call| (call.to_owned(), "local_shell".to_owned())));
        }
    }

    /// Counts come after the answer, some of them twice.
    fn tokens(&mut self, payload: &Json<'_>) {
        let Some(info) = payload.get("info") else { return };
        let totals = info.get("total_token_usage").map(Json::compact);
        if totals.is_some() && totals == self.totals {
            return;
        }
        self.totals = totals;
        let (Some(line), Some(last)) = (self.answer, info.get("last_token_usage")) else { return };
        self.tokens.entry(line).or_default().add(last);
    }
}

/// Input, output, read from a cache, written to it.
#[derive(Debug, Clone, Copy, Default)]
struct Tokens([f64; 4]);

impl Tokens {
    fn add(&mut self, told: &Json<'_>) {
        let count = |key: &str| told.get(key).and_then(Json::as_f64).unwrap_or(0.0);
        let cached = count("cached_input_tokens");
        // Their input counts what came from the cache too.
        let input = (count("input_tokens") - cached).max(0.0);
        let told = [input, count("output_tokens"), cached, count("cache_write_input_tokens")];
        for (sum, count) in self.0.iter_mut().zip(told) {
            *sum += count;
        }
    }

    fn usage(self) -> Json<'static> {
        let [input, output, cache_read, cache_write] = self.0.map(number);
        object([
            ("input", input),
            ("output", output),
            ("cacheRead", cache_read),
            ("cacheWrite", cache_write),
        ])
    }
}

fn number(value: f64) -> Option<Json<'static>> {
    serde_json::Number::from_f64(value).map(Json::Number)
}

/// Whether an item is the model's request for a tool.
fn is_call(item: &str) -> bool {
    matches!(
        item,
        "function_call"
            | "custom_tool_call"
            | "local_shell_call"
            | "web_search_call"
            | "tool_search_call"
            | "image_generation_call"
    )
}

/// The kind of a line and its payload, whichever generation it is of.
fn unwrapped<'j, 'a>(json: &'j Json<'a>) -> (&'j str, &'j Json<'a>) {
    match (text(json, "type"), json.get("payload")) {
        (Some(kind), Some(payload)) => (kind, payload),
        (Some(item), None) if ITEMS.contains(&item) || is_call(item) => ("response_item", json),
        (Some(kind), None) => (kind, json),
        (None, _) if text(json, "record_type").is_some() => ("record", json),
        (None, _) => ("session_meta", json),
    }
}

struct Reader {
    out: Translation,
    heard: Heard,
    /// The answer that is being put together: its first line, its content, all its lines.
    answer: Option<(At, Vec<Json<'static>>, Vec<u32>)>,
    /// The entry that the next one hangs from.
    last: Option<String>,
    has_meta: bool,
    provider: String,
    model: Option<String>,
    effort: Option<String>,
    title: Option<String>,
    /// Lines without rows, counted by kind.
    aside: BTreeMap<String, usize>,
}

/// Where a line stands.
#[derive(Clone, Copy)]
struct At {
    line: u32,
    time: Option<i64>,
}

type Made<'a> = Vec<(Cow<'a, str>, Json<'a>)>;

impl Reader {
    fn new(heard: Heard) -> Reader {
        Reader {
            out: Translation::new(Dialect::Codex),
            heard,
            answer: None,
            last: None,
            has_meta: false,
            provider: "openai".to_owned(),
            model: None,
            effort: None,
            title: None,
            aside: BTreeMap::new(),
        }
    }

    fn value(&mut self, value: &Value<'_>) {
        let json: Json<'_> = serde_json::from_str(value.text).unwrap_or(Json::Null);
        if !matches!(json, Json::Object(_)) {
            return self.out.damage(value.line, DamageKind::NotAnObject);
        }
        let at = At { line: value.line, time: json.get("timestamp").and_then(time::read) };
        let (kind, payload) = unwrapped(&json);
        let item = text(payload, "type").unwrap_or_default();
        match kind {
            "session_meta" => self.meta(payload),
            "turn_context" => self.turn(at, payload),
            "response_item" => self.item(at, item, payload),
            "compacted" => self.compacted(at, payload),
            "event_msg" => self.event(at, item, payload),
            "record" | "world_state" => self.count(kind),
            _ => self.custom(at, kind, json.clone()),
        }
    }

    fn count(&mut self, kind: &str) {
        *self.aside.entry(kind.to_owned()).or_default() += 1;
    }

    fn push(&mut self, at: At, entry_type: &str, fields: Made<'_>) {
        self.flush();
        self.push_as(format!("line-{}", at.line), at, entry_type, fields);
    }

    fn push_as(&mut self, id: String, at: At, entry_type: &str, fields: Made<'_>) {
        let spot = Spot {
            line: at.line,
            id: Some(id.clone()),
            parent_id: self.last.replace(id),
            time: at.time,
        };
        self.out.push(spot, entry_type, fields);
    }

    fn message(&mut self, at: At, message: Json<'_>) {
        self.push(at, "message", fields_of([("message", Some(message))]));
    }

    fn custom(&mut self, at: At, name: &str, data: Json<'_>) {
        let fields = fields_of([("customType", Some(string(name))), ("data", Some(data))]);
        self.push(at, "custom", fields);
    }

    /// The header; a fork's file repeats that of the session it came from.
    fn meta(&mut self, payload: &Json<'_>) {
        if self.has_meta {
            return self.count("session_meta");
        }
        self.has_meta = true;
        let named = |key| text(payload, key).map(str::to_owned);
        if let Some(provider) = named("model_provider") {
            self.provider = provider;
        }
        let header = self.out.header();
        header.id = named("id").or_else(|| named("session_id")).unwrap_or_default();
        header.version = 1;
        header.time = payload.get("timestamp").and_then(time::read);
        header.cwd = named("cwd").unwrap_or_default();
        header.parent_session = named("forked_from_id").or_else(|| named("parent_thread_id"));
    }

    /// A turn's settings, written anew for every request.
    fn turn(&mut self, at: At, payload: &Json<'_>) {
        let before = self.last.clone();
        let model = text(payload, "model").map(str::to_owned);
        if model.is_some() && model != self.model {
            let change = fields_of([
                ("provider", Some(string(self.provider.clone()))),
                ("modelId", model.clone().map(string)),
            ]);
            self.push(at, "model_change", change);
            self.model = model;
        }
        let effort = text(payload, "effort").or_else(|| text(payload, "reasoning_effort"));
        let effort = effort.map(str::to_owned);
        if effort.is_some() && effort != self.effort {
            let change = fields_of([("thinkingLevel", effort.clone().map(string))]);
            self.flush();
            // A line may change both.
            self.push_as(format!("line-{}-effort", at.line), at, "thinking_level_change", change);
            self.effort = effort;
        }
        if self.last == before {
            self.count("turn_context");
        }
    }

    fn item(&mut self, at: At, item: &str, payload: &Json<'_>) {
        match item {
            "message" => self.spoken(at, payload),
            "reasoning" => {
                self.answered(at, vec![owned(reasoning(payload))]);
            }
            kind if is_call(kind) => {
                self.answered(at, vec![owned(call(kind, payload, at.line))]);
            }
            "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
                self.result(at, payload);
            }
            kind => {
                let name = if kind.is_empty() { "response_item" } else { kind };
                self.custom(at, name, payload.clone());
            }
        }
    }

    fn spoken(&mut self, at: At, payload: &Json<'_>) {
        let content = content(payload.get("content"));
        let role = text(payload, "role").unwrap_or("user");
        if role == "assistant" {
            return self.answered(at, content.into_iter().map(owned).collect());
        }
        let beginning = content.iter().find_map(|block| block.get("text")?.as_str());
        let beginning = beginning.unwrap_or_default().trim_start();
        let injected = INJECTED.iter().find(|(start, _)| beginning.starts_with(start));
        match (role, injected) {
            ("user", None) => {
                let message = object([
                    ("role", Some(string("user"))),
                    ("content", Some(Json::Array(content))),
                ]);
                self.message(at, message);
            }
            (role, injected) => {
                let name = injected.map_or(role, |(_, name)| name);
                let fields = fields_of([
                    ("customType", Some(string(name))),
                    ("content", Some(Json::Array(content))),
                    ("display", Some(Json::Bool(false))),
                ]);
                self.push(at, "custom_message", fields);
            }
        }
    }

    /// A part of an answer; the parts that follow each other are one entry.
    fn answered(&mut self, at: At, content: Vec<Json<'static>>) {
        let (_, parts, lines) = self.answer.get_or_insert_with(|| (at, Vec::new(), Vec::new()));
        parts.extend(content);
        lines.push(at.line);
    }

    /// Writes the answer that was put together.
    fn flush(&mut self) {
        let Some((at, content, lines)) = self.answer.take() else { return };
        let calls = content.iter().any(|block| text(block, "type") == Some("toolCall"));
        let aborted = lines.iter().any(|line| self.heard.aborted.contains(line));
        let stop = match (aborted, calls) {
            (true, _) => "aborted",
            (false, true) => "toolUse",
            (false, false) => "stop",
        };
        let mut tokens: Option<Tokens> = None;
        for told in lines.iter().filter_map(|line| self.heard.tokens.remove(line)) {
            let sum = tokens.get_or_insert_default();
            for (sum, told) in sum.0.iter_mut().zip(told.0) {
                *sum += told;
            }
        }
        let id = format!("line-{}", at.line);
        for line in &lines[1..] {
            self.out.alias(format!("line-{line}"), id.clone());
        }
        let message = object([
            ("role", Some(string("assistant"))),
            ("content", Some(Json::Array(content))),
            ("provider", self.model.as_ref().map(|_| string(self.provider.clone()))),
            ("model", self.model.clone().map(string)),
            ("usage", tokens.map(Tokens::usage)),
            ("stopReason", Some(string(stop))),
        ]);
        self.push_as(id, at, "message", fields_of([("message", Some(message))]));
    }

    fn result(&mut self, at: At, payload: &Json<'_>) {
        let call = text(payload, "call_id").unwrap_or_default();
        let mut answer = Answer::read(payload);
        let success = payload.get("output").and_then(|output| output.get("success"));
        answer.is_error |= success == Some(&Json::Bool(false));
        let message = object([
            ("role", Some(string("toolResult"))),
            ("toolCallId", Some(string(call))),
            ("toolName", self.heard.names.get(call).cloned().map(string)),
            ("content", Some(Json::Array(answer.content))),
            ("isError", Some(Json::Bool(answer.is_error))),
            ("details", answer.details),
        ]);
        self.message(at, message);
    }

    /// The history replaced by a summary, or by messages that the line holds.
    fn compacted(&mut self, at: At, payload: &Json<'_>) {
        let history = payload.get("replacement_history").map(Json::items).unwrap_or_default();
        let summary = text(payload, "message").unwrap_or_default();
        let words = |item: &Json<'_>| {
            let blocks = content(item.get("content"));
            blocks
                .iter()
                .filter_map(|b| Some(b.get("text")?.as_str()?.to_owned()))
                .collect::<String>()
        };
        // The summary may stand among them once more.
        let repeats = |item: &Json<'_>| !summary.is_empty() && words(item).contains(summary);
        let tail = history.iter().filter(|item| !repeats(item)).map(|item| {
            let role = match text(item, "role") {
                Some("assistant") => "assistant",
                _ => "user",
            };
            object([
                ("role", Some(string(role))),
                ("content", Some(Json::Array(content(item.get("content"))))),
            ])
        });
        let tail: Vec<Json<'_>> = tail.collect();
        let fields = fields_of([
            ("summary", Some(string(summary))),
            ("retainedTail", (!tail.is_empty()).then_some(Json::Array(tail))),
        ]);
        self.push(at, "compaction", fields);
    }

    fn event(&mut self, at: At, event: &str, payload: &Json<'_>) {
        match event {
            "token_count" => self.count(event),
            "thread_name_updated" => {
                self.title = text(payload, "thread_name").map(str::to_owned);
                self.count(event);
            }
            // Very old or cut files may hold nothing but events.
            "user_message" | "agent_message" if !self.heard.has_items => {
                let said = text(payload, "message").unwrap_or_default().to_owned();
                let words = vec![text_block(said)];
                if event == "agent_message" {
                    return self.answered(at, words);
                }
                let role = ("role", Some(string("user")));
                self.message(at, object([role, ("content", Some(Json::Array(words)))]));
            }
            "error" | "stream_error" => {
                let message = object([
                    ("role", Some(string("assistant"))),
                    ("content", Some(Json::Array(Vec::new()))),
                    ("stopReason", Some(string("error"))),
                    ("errorMessage", payload.get("message").cloned()),
                ]);
                self.message(at, message);
            }
            event if SAID_ELSEWHERE.contains(&event) => self.count(event),
            "item_completed" if self.heard.has_items => self.count(event),
            // The end of a call whose output is an item.
            event
                if text(payload, "call_id")
                    .is_some_and(|call| self.heard.names.contains_key(call)) =>
            {
                self.count(event);
            }
            event => {
                let name = if event.is_empty() { "event_msg" } else { event };
                self.custom(at, name, payload.clone());
            }
        }
    }

    fn finish(mut self) -> Translation {
        self.flush();
        self.out.header().title = self.title;
        if !self.aside.is_empty() {
            let counts = self.aside.iter().map(|(kind, count)| format!("{count} {kind}"));
            let counts = counts.collect::<Vec<_>>().join(", ");
            self.out.note(format!("Lines without rows of their own: {counts}"));
        }
        self.out
    }
}

/// What a tool gave back.
struct Answer<'a> {
    content: Vec<Json<'a>>,
    is_error: bool,
    details: Option<Json<'a>>,
}

impl<'a> Answer<'a> {
    /// The output is a text, a list of blocks, or a text that is JSON again:
    /// `{output, metadata: {exit_code, duration_seconds}}`.
    fn read(payload: &Json<'a>) -> Answer<'a> {
        let output = payload.get("output").or_else(|| payload.get("tools"));
        let said = match output {
            Some(Json::String(said)) => Some(said),
            Some(Json::Object(_)) => match output.and_then(|output| output.get("content")) {
                Some(Json::String(said)) => Some(said),
                _ => None,
            },
            _ => None,
        };
        if let Some(packed) = said.and_then(|said| Answer::unpacked(said)) {
            return packed;
        }
        let content = match (said, output) {
            (Some(said), _) => vec![text_block(said.clone())],
            (None, Some(output @ Json::Object(_))) => {
                content(Some(&Json::Array(vec![output.clone()])))
            }
            (None, output) => content(output),
        };
        Answer { content, is_error: false, details: None }
    }

    fn unpacked(said: &str) -> Option<Answer<'a>> {
        let is_packed = said.starts_with('{') && said.contains("\"metadata\"");
        let json: Json<'_> = is_packed.then(|| serde_json::from_str(said).ok()).flatten()?;
        let output = json.get("output")?.as_str()?.to_owned();
        let about = json.get("metadata")?;
        let told = |key: &str| about.get(key).and_then(Json::as_f64);
        let code = told("exit_code");
        let ms = told("duration_seconds").map(|seconds| seconds * 1000.0);
        let details =
            object([("exitCode", code.and_then(number)), ("durationMs", ms.and_then(number))]);
        Some(Answer {
            content: vec![text_block(output)],
            is_error: code.is_some_and(|code| code != 0.0),
            details: Some(details),
        })
    }
}

fn text_block<'a>(words: impl Into<Cow<'a, str>>) -> Json<'a> {
    object([("type", Some(string("text"))), ("text", Some(string(words)))])
}

/// Blocks in the core's form; unknown ones stay as they are.
fn content<'a>(content: Option<&Json<'a>>) -> Vec<Json<'a>> {
    match content {
        None | Some(Json::Null) => Vec::new(),
        Some(Json::Array(items)) => items.iter().filter_map(block).collect(),
        Some(other) => vec![text_block(other.clone().into_text())],
    }
}

fn block<'a>(block: &Json<'a>) -> Option<Json<'a>> {
    match text(block, "type") {
        Some("input_text" | "output_text" | "text" | "summary_text" | "reasoning_text") => {
            let words = block.get("text").cloned().unwrap_or(Json::Null);
            Some(text_block(words.into_text()))
        }
        Some("input_image") => match block.get("image_url") {
            // Left out by Codex itself.
            None | Some(Json::Null) => None,
            Some(url) => Some(url.as_str().and_then(image).unwrap_or_else(|| block.clone())),
        },
        _ => Some(block.clone()),
    }
}

/// A picture from a data URL.
fn image(url: &str) -> Option<Json<'static>> {
    let (mime_type, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
    Some(object([
        ("type", Some(string("image"))),
        ("data", Some(string(data.to_owned()))),
        ("mimeType", Some(string(mime_type.to_owned()))),
    ]))
}

/// Reasoning: its raw text where there is one, else its summary; without both it was withheld.
fn reasoning<'j>(payload: &'j Json<'j>) -> Json<'j> {
    let texts = |key: &str| {
        let blocks = payload.get(key).map(Json::items).unwrap_or_default();
        let texts = blocks.iter().filter_map(|block| block.get("text")?.as_str());
        texts.collect::<Vec<_>>().join("\n\n")
    };
    let raw = texts("content");
    let thinking = if raw.is_empty() { texts("summary") } else { raw };
    object([("type", Some(string("thinking"))), ("thinking", Some(string(thinking)))])
}

/// A request for a tool; arguments are JSON within a text.
fn call<'j>(kind: &str, payload: &'j Json<'j>, line: u32) -> Json<'j> {
    let named = |key: &str| text(payload, key).map(str::to_owned);
    let id = named("call_id").or_else(|| named("id"));
    let name = match kind {
        "local_shell_call" => "local_shell",
        "web_search_call" => "web_search",
        "tool_search_call" => "tool_search",
        "image_generation_call" => "image_generation",
        _ => "",
    };
    let name = named("name").unwrap_or_else(|| name.to_owned());
    let given = ["arguments", "input", "action"].into_iter().find_map(|key| payload.get(key));
    let arguments = match given {
        Some(Json::String(written)) => match serde_json::from_str::<Json<'_>>(written) {
            Ok(arguments @ Json::Object(_)) => arguments,
            // `apply_patch` and other free-form tools take a bare text.
            _ => object([("input", Some(Json::String(written.clone())))]),
        },
        Some(Json::Null) | None => Json::Object(Vec::new()),
        Some(other) => other.clone(),
    };
    object([
        ("type", Some(string("toolCall"))),
        ("id", Some(string(id.unwrap_or_else(|| format!("line-{line}"))))),
        ("name", Some(string(name))),
        ("arguments", Some(arguments)),
    ])
}

/// The same JSON without its line. The parser bounds the depth.
fn owned(json: Json<'_>) -> Json<'static> {
    match json {
        Json::Null => Json::Null,
        Json::Bool(value) => Json::Bool(value),
        Json::Number(number) => Json::Number(number),
        Json::String(text) => Json::String(Cow::Owned(text.into_owned())),
        Json::Array(items) => Json::Array(items.into_iter().map(owned).collect()),
        Json::Object(fields) => {
            let own =
                |(key, value): (Cow<'_, str>, Json<'_>)| (key.into_owned().into(), owned(value));
            Json::Object(fields.into_iter().map(own).collect())
        }
    }
}
