//! What `qwen -p --output-format stream-json` prints, and the same rows as one array. They are Claude
//! Code's but for a few things, which are made Claude Code's here: each block of a response is a row
//! with an id of its own, the input counts what came from the cache, and what a run took is summed
//! up over the whole session. Seen in 0.24.4.

use std::collections::HashMap;

use crate::format::claude_code;
use crate::format::fields::{object, string};
use crate::format::probe::text;
use crate::format::read_options::ReadOptions;
use crate::format::run::number;
use crate::format::translation::Translation;
use crate::session::json::Json;
use crate::session::usage::Usage;

use super::{DEGRADED, INCOMPLETE};

/// Whether a row is one of such a stream, and not Claude Code's.
pub(super) fn is_own(row: &Json<'_>) -> bool {
    let usage = row.get("message").unwrap_or(row).get("usage");
    match text(row, "type") {
        Some("system") => row.get("qwen_code_version").is_some(),
        Some("stream_event") => {
            row.get("event").is_some_and(|event| text(event, "type") == Some("goal_state"))
        }
        Some("assistant" | "result") => {
            row.get("session_id").is_some()
                && usage.is_some_and(|usage| usage.get("total_tokens").is_some())
        }
        _ => false,
    }
}

pub(super) fn translate(source: &[u8], options: &ReadOptions) -> Translation {
    let mut rows: Vec<(u32, Json<'static>)> = Vec::new();
    let scan = options.scan_json(source, |value, row| rows.push((value.line, row.owned())));
    let is_degraded = rows.iter().any(|(_, row)| text(row, "subtype") == Some(DEGRADED));
    let mut mapping = Mapping::default();
    // As one array, each row on the line that it has in the file.
    let mut mapped = String::from("[");
    let mut line = 1;
    for at in 0..rows.len() {
        let next =
            rows.get(at + 1).map(|(_, next)| text(next, "subtype") == Some("task_notification"));
        let (number, row) = (rows[at].0, std::mem::replace(&mut rows[at].1, Json::Null));
        if at > 0 {
            mapped.push(',');
        }
        for _ in line..number {
            mapped.push('\n');
        }
        line = line.max(number);
        mapped.push_str(&mapping.row(row, next.unwrap_or_default()).compact());
    }
    mapped.push(']');
    let beside = ReadOptions { session: None, ..options.clone() };
    let mut out = claude_code::translate(mapped.as_bytes(), &beside);
    for damage in scan.damage {
        out.damage(damage.line, damage.kind);
    }
    if is_degraded {
        out.note(INCOMPLETE.to_owned());
    }
    out
}

/// What the rows so far tell of those to come.
#[derive(Default)]
struct Mapping {
    /// The open response of the main agent, and of each call's agent.
    open: HashMap<String, String>,
    /// The prompts of sub-agents by the calls that started them.
    prompts: HashMap<String, String>,
    /// What the responses took since the last run ended.
    counted: Usage,
    /// What each task is said to have taken since then.
    tasks: HashMap<String, f64>,
    /// What the last row that ends a run stated.
    before: Option<Usage>,
}

impl Mapping {
    fn row(&mut self, mut row: Json<'static>, is_noticed: bool) -> Json<'static> {
        match text(&row, "type") {
            Some("assistant") => self.response(&mut row),
            Some("user") => self.user(&mut row, is_noticed),
            Some("system") => self.system(&mut row),
            Some("result") => self.end(&mut row),
            _ => {}
        }
        row
    }

    /// The rows of one response share an id. The last one says what the response took.
    fn response(&mut self, row: &mut Json<'static>) {
        let call = text(row, "parent_tool_use_id").unwrap_or_default().to_owned();
        let Some(message) = get_mut(row, "message") else { return };
        let content = message.get("content").map(Json::items).unwrap_or_default();
        for block in content.iter().filter(|block| text(block, "type") == Some("tool_use")) {
            let input = block.get("input");
            if let (Some(id), Some(prompt)) =
                (text(block, "id"), input.and_then(|input| text(input, "prompt")))
            {
                self.prompts.entry(id.to_owned()).or_insert_with(|| prompt.to_owned());
            }
        }
        let said = content.iter().find_map(|block| text(block, "text"));
        let is_error = said.is_some_and(is_api_error);
        let own = text(message, "id").unwrap_or_default().to_owned();
        let id = self.open.entry(call.clone()).or_insert(own).clone();
        set(message, "id", string(id));
        set(message, "provider", string("qwen"));
        let took = message.get("usage").map(usage_of).unwrap_or_default();
        if took.tokens() > 0.0 {
            self.counted += took;
            self.open.remove(&call);
            set(message, "usage", usage_as_claude(took));
            if text(message, "stop_reason").is_none() {
                set(message, "stop_reason", string("end_turn"));
            }
        } else {
            remove(message, "usage");
            if is_error {
                set(message, "model", string("<synthetic>"));
                set(row, "error", string("api_error"));
            }
        }
    }

    fn user(&mut self, row: &mut Json<'static>, is_noticed: bool) {
        let call = text(row, "parent_tool_use_id").unwrap_or_default().to_owned();
        let content = row.get("message").and_then(|message| message.get("content"));
        let said = content.map(Json::items).unwrap_or_default();
        let is_result = said.iter().any(|block| text(block, "type") == Some("tool_result"));
        if call.is_empty() && is_noticed && !is_result {
            // What the screen said of a task, which nobody typed.
            set(row, "isSynthetic", Json::Bool(true));
        } else if !call.is_empty()
            && let Some(prompt) = said.iter().find_map(|block| text(block, "text"))
        {
            self.prompts.insert(call.clone(), prompt.to_owned());
        }
        self.open.remove(&call);
    }

    /// The facts of an event stand in `data`.
    fn system(&mut self, row: &mut Json<'static>) {
        if let Some(version) = row.get("qwen_code_version").cloned() {
            set(row, "claude_code_version", version);
        }
        let Some(Json::Object(data)) = row.get("data").cloned() else { return };
        remove(row, "data");
        for (key, value) in data {
            set(row, &key, value);
        }
        let call = text(row, "tool_use_id").unwrap_or_default();
        match text(row, "subtype") {
            Some("task_started") => {
                if let Some(prompt) = self.prompts.get(call).filter(|_| row.get("prompt").is_none())
                {
                    let prompt = string(prompt.clone());
                    set(row, "prompt", prompt);
                }
            }
            Some("task_notification") => {
                let task = text(row, "task_id").unwrap_or_default().to_owned();
                let took = row.get("usage").and_then(|usage| usage.get("total_tokens"));
                self.tasks.insert(task, took.and_then(Json::as_f64).unwrap_or(0.0));
            }
            _ => {}
        }
    }

    /// A run's end states what the whole session took. Of this run is what its responses took, and
    /// what its sub-agents did, as far as that explains the rest.
    fn end(&mut self, row: &mut Json<'static>) {
        self.open.clear();
        let stated = row.get("usage").map(usage_of).unwrap_or_default();
        let (counted, tasks) = (std::mem::take(&mut self.counted), std::mem::take(&mut self.tasks));
        let before =
            self.before.replace(stated).filter(|before| before.tokens() <= stated.tokens());
        let since = less(stated, before.unwrap_or_default());
        let rest = since.tokens() - counted.tokens();
        let is_explained = before.is_some() || rest <= tasks.values().sum();
        let own = if is_explained && rest > 0.0 { since } else { counted };
        set(row, "usage", usage_as_claude(own));
        if !is_explained {
            set(row, "session_tokens", number(stated.tokens()));
        }
        let error = row.get("error").and_then(|error| text(error, "message")).map(str::to_owned);
        if let Some(error) = error {
            set(row, "errors", Json::Array(vec![string(error)]));
        }
        if text(row, "result").is_some_and(is_api_error) {
            set(row, "is_error", Json::Bool(true));
        }
    }
}

/// What is printed in place of a response that failed.
// 0.24.4.
fn is_api_error(said: &str) -> bool {
    said.starts_with("[API Error: ")
}

/// The input counts what came from the cache.
fn usage_of(usage: &Json<'_>) -> Usage {
    let count = |key: &str| {
        usage.get(key).and_then(Json::as_f64).filter(|count| *count >= 0.0).unwrap_or(0.0)
    };
    let cached = count("cache_read_input_tokens");
    Usage {
        input: (count("input_tokens") - cached).max(0.0),
        output: count("output_tokens"),
        cache_read: cached,
        ..Usage::default()
    }
}

fn usage_as_claude(usage: Usage) -> Json<'static> {
    object([
        ("input_tokens", Some(number(usage.input))),
        ("output_tokens", Some(number(usage.output))),
        ("cache_read_input_tokens", Some(number(usage.cache_read))),
    ])
}

fn less(all: Usage, before: Usage) -> Usage {
    Usage {
        input: (all.input - before.input).max(0.0),
        output: (all.output - before.output).max(0.0),
        cache_read: (all.cache_read - before.cache_read).max(0.0),
        ..Usage::default()
    }
}

fn get_mut<'j>(json: &'j mut Json<'static>, key: &str) -> Option<&'j mut Json<'static>> {
    let Json::Object(fields) = json else { return None };
    fields.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
}

fn set(json: &mut Json<'static>, key: &str, value: Json<'static>) {
    if let Some(known) = get_mut(json, key) {
        *known = value;
    } else if let Json::Object(fields) = json {
        fields.push((key.to_owned().into(), value));
    }
}

fn remove(json: &mut Json<'static>, key: &str) {
    if let Json::Object(fields) = json {
        fields.retain(|(name, _)| name != key);
    }
}
