//! The second pass: what happened, as a chain of entries.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::format::lines::Value;
use crate::format::probe::text;
use crate::format::translation::{Spot, Translation, fields_of, object, string};
use crate::session::json::Json;
use crate::session::{Damage, DamageKind, Dialect, time};

use super::heard::{Heard, Tokens, unwrapped};
use super::items::{Answer, call, content, is_call, owned, reasoning, text_block};

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

pub(super) struct Reader {
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
    pub(super) fn new(heard: Heard) -> Reader {
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

    pub(super) fn value(&mut self, value: &Value<'_>) {
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

    pub(super) fn damage(&mut self, damage: &Damage) {
        self.out.damage(damage.line, damage.kind);
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
        let told = lines.iter().filter_map(|line| self.heard.tokens.remove(line));
        let tokens = told.reduce(Tokens::plus);
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

    pub(super) fn finish(mut self) -> Translation {
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
