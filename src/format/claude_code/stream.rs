//! The rows that `claude -p --output-format stream-json` prints, and the same as one array.
//!
//! They say what the lines of a stored session say, with other names and without parents:
//! [`stored_form`] renames them, once for each reading of a row (2.1.197, 2.1.330). [`Stream`] takes what only such a
//! stream has: partial messages, tasks, the rows that end a run.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::RandomState;

use crate::format::lines::Value;
use crate::session::json::Json;

use super::access::{flag, owned, text, text_mark, type_of};
use super::content::said_by;
use super::stream_totals::Totals;

/// The type of the row that ends a run, which in a stored session is another's.
pub(super) const RUN_END: &str = "run-end";

/// Rows of a stream that say nothing which other rows do not say.
// Seen in 2.1.330; auth_status, rate_limit_event and tool_progress: reference of the Claude Agent SDK, `SDKMessage`.
const NOISE: [&str; 11] = [
    "auth_status",
    "background_tasks_changed",
    "keep_alive",
    "rate_limit_event",
    "status",
    "stream_event",
    "task_progress",
    "task_started",
    "task_updated",
    "thinking_tokens",
    "tool_progress",
];

/// A row as a stored session has it, and whether it is one of a stream.
pub(super) fn stored_form(json: Json<'_>) -> (Json<'_>, bool) {
    let is_streams = json.get("session_id").is_some() && json.get("sessionId").is_none();
    let Json::Object(fields) = json else { return (json, false) };
    if !is_streams {
        return (Json::Object(fields), false);
    }
    // The lines that it names are not in the stream.
    let is_kept = |key: &str| !matches!(key, "logical_parent_uuid" | "parentUuid");
    let mut fields: Vec<_> = fields
        .into_iter()
        .filter(|(key, _)| is_kept(key))
        .map(|(key, value)| {
            let value = if key == "compact_metadata" { renamed(value) } else { value };
            (camel(key), value)
        })
        .collect();
    let is_result =
        fields.iter().any(|(key, value)| key == "type" && value.as_str() == Some("result"));
    for (_, value) in fields.iter_mut().filter(|(key, _)| is_result && key == "type") {
        *value = Json::String(RUN_END.into());
    }
    let mut json = Json::Object(fields);
    let mut more = Vec::new();
    // Rows of a sub-agent (2.1.197, 2.1.330); their prompt is there only of an agent that the main one waits for.
    if text(&json, "parentToolUseId").is_some() {
        more.push("isSidechain");
    }
    // Written by the program: a summary after `/compact` (2.1.197), a second try after a refusal (2.1.330).
    if flag(&json, "isSynthetic") {
        let content = json.get("message").and_then(|message| message.get("content"));
        let is_summary = content.is_some_and(|content| {
            said_by(content).starts_with("This session is being continued from a previous")
        });
        more.push(if is_summary { "isCompactSummary" } else { "isMeta" });
    }
    // An answer that the program made up, and the reason why.
    let is_made_up = json.get("message").and_then(|message| text(message, "model"));
    if is_made_up == Some("<synthetic>") && text(&json, "error").is_some() {
        more.push("isApiErrorMessage");
    }
    if let Json::Object(fields) = &mut json {
        fields.extend(more.into_iter().map(|key| (Cow::Borrowed(key), Json::Bool(true))));
    }
    (json, true)
}

/// The keys of an object and of the objects in it, as a stored session has them.
fn renamed(json: Json<'_>) -> Json<'_> {
    let Json::Object(fields) = json else { return json };
    let inner = |value| match value {
        Json::Object(fields) => {
            Json::Object(fields.into_iter().map(|(key, value)| (camel(key), value)).collect())
        }
        other => other,
    };
    Json::Object(fields.into_iter().map(|(key, value)| (camel(key), inner(value))).collect())
}

/// `tool_use_result` as `toolUseResult`.
fn camel(key: Cow<'_, str>) -> Cow<'_, str> {
    if !key.contains('_') {
        return key;
    }
    let mut out = String::with_capacity(key.len());
    for (nth, word) in key.split('_').filter(|word| !word.is_empty()).enumerate() {
        let mut letters = word.chars();
        match letters.next().filter(|_| nth > 0) {
            Some(first) => out.extend(first.to_uppercase().chain(letters)),
            None => out.push_str(word),
        }
    }
    Cow::Owned(out)
}

/// What a stream has beside rows that a stored session has as well.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// The agents that calls started.
    agents: HashMap<String, String>,
    pub(super) tasks: Vec<Task>,
    /// The first of them that an agent was given.
    of_agent: HashMap<String, usize>,
    /// Tasks that the agent did not wait for: the model gets their notice.
    background: HashSet<String>,
    /// What the end of each partial message says.
    finals: HashMap<String, Final>,
    /// The partial message that is open for the main agent, and for each call that started one.
    open: BTreeMap<String, Open>,
    pub(super) totals: Totals,
    session: String,
    /// What the main agent said, each as [`text_mark`] knows it again.
    said: HashSet<u64>,
    hasher: RandomState,
}

/// Work that another agent was given.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) agent: String,
    pub(super) call: String,
    pub(super) prompt: String,
    pub(super) kind: Option<String>,
    pub(super) description: Option<String>,
    pub(super) line: u32,
    pub(super) id: String,
    /// How many rows stand before it.
    pub(super) at: usize,
}

/// What ends a response that is printed in parts.
#[derive(Debug, Clone)]
pub(super) struct Final {
    pub(super) output: Option<f64>,
    pub(super) stop: Option<String>,
}

/// A response that is printed in parts, as far as no row has it whole.
#[derive(Debug, Default)]
pub(super) struct Open {
    pub(super) id: String,
    pub(super) model: String,
    pub(super) request: Option<String>,
    pub(super) row: String,
    pub(super) line: u32,
    /// Its blocks by their numbers: as begun, and their text so far.
    pub(super) blocks: BTreeMap<u64, (Json<'static>, String)>,
}

impl Stream {
    /// Takes a row, `at` rows being before it. Whether it is taken whole: the row is none of the tree.
    pub(super) fn take(&mut self, value: &Value<'_>, json: &Json<'_>, at: usize) -> bool {
        if self.session.is_empty() {
            self.session = owned(json, "sessionId");
        }
        let call = owned(json, "parentToolUseId");
        if let Some(agent) = text(json, "agentId").filter(|_| !call.is_empty()) {
            self.agents.entry(call.clone()).or_insert_with(|| agent.to_owned());
        }
        match type_of(json) {
            "stream_event" => {
                self.event(value, json, call);
                return true;
            }
            "assistant" => {
                let message = json.get("message").unwrap_or(&Json::Null);
                self.totals.response(message);
                if let Some(content) = message.get("content").filter(|_| call.is_empty()) {
                    self.said.insert(text_mark(&said_by(content), &self.hasher));
                }
                // Each row has the block that was just printed in parts.
                // `--include-partial-messages`: it comes before the block's `content_block_stop` (2.1.197, 2.1.330).
                if let Some(open) = self.open.get_mut(&call)
                    && text(message, "id") == Some(open.id.as_str())
                {
                    open.blocks.pop_first();
                    open.request = text(json, "requestId").map(str::to_owned);
                }
            }
            "user" => self.result(json),
            RUN_END => self.totals.end(value, json),
            _ => {}
        }
        let kind = match type_of(json) {
            "system" => text(json, "subtype").unwrap_or_default(),
            kind => kind,
        };
        match kind {
            "task_started" => self.task(value, json, at),
            "task_notification" => {
                return text(json, "taskId").is_none_or(|task| !self.background.contains(task));
            }
            _ => {}
        }
        NOISE.contains(&kind)
    }

    /// A result may say which agent ran for its call.
    fn result(&mut self, json: &Json<'_>) {
        let agent = json.get("toolUseResult").and_then(|result| text(result, "agentId"));
        let content = json.get("message").and_then(|message| message.get("content"));
        let blocks = content.map_or(&[][..], Json::items);
        let call = blocks.iter().find_map(|block| text(block, "tool_use_id"));
        if let (Some(agent), Some(call)) = (agent, call) {
            self.agents.entry(call.to_owned()).or_insert_with(|| agent.to_owned());
        }
    }

    // `system/task_started` {task_id = the agent's id, tool_use_id, prompt, subagent_type}: 2.1.197, 2.1.330.
    fn task(&mut self, value: &Value<'_>, json: &Json<'_>, at: usize) {
        let (Some(task), Some(call)) = (text(json, "taskId"), text(json, "toolUseId")) else {
            return;
        };
        if flag(json, "isBackgrounded") {
            self.background.insert(task.to_owned());
        }
        let Some(prompt) = text(json, "prompt") else { return };
        self.agents.entry(call.to_owned()).or_insert_with(|| task.to_owned());
        self.of_agent.entry(task.to_owned()).or_insert(self.tasks.len());
        self.tasks.push(Task {
            agent: task.to_owned(),
            call: call.to_owned(),
            prompt: prompt.to_owned(),
            kind: text(json, "subagentType").map(str::to_owned),
            description: text(json, "description").map(str::to_owned),
            line: value.line,
            id: text(json, "uuid").map_or_else(|| value.line_id(), str::to_owned),
            at,
        });
    }

    fn event(&mut self, value: &Value<'_>, json: &Json<'_>, call: String) {
        let Some(event) = json.get("event") else { return };
        let block = event.get("index").and_then(Json::as_f64);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let block = block.map(|block| block as u64);
        match type_of(event) {
            "message_start" => {
                let message = event.get("message").unwrap_or(&Json::Null);
                let open = Open {
                    id: owned(message, "id"),
                    model: owned(message, "model"),
                    row: text(json, "uuid").map_or_else(|| value.line_id(), str::to_owned),
                    line: value.line,
                    ..Open::default()
                };
                self.open.insert(call, open);
            }
            "content_block_start" => {
                let begun = event.get("content_block").cloned().map(Json::owned);
                if let (Some(open), Some(nth), Some(begun)) =
                    (self.open.get_mut(&call), block, begun)
                {
                    let said = ["text", "thinking"].iter().find_map(|key| text(&begun, key));
                    let said = said.unwrap_or_default().to_owned();
                    open.blocks.insert(nth, (begun, said));
                }
            }
            "content_block_delta" => {
                let delta = event.get("delta").unwrap_or(&Json::Null);
                let mut more = ["text", "thinking", "partial_json"].iter();
                let more = more.find_map(|key| delta.get(key)?.as_str());
                let open = self.open.get_mut(&call).zip(block);
                if let Some((_, said)) = open.and_then(|(open, nth)| open.blocks.get_mut(&nth)) {
                    said.push_str(more.unwrap_or_default());
                }
            }
            "content_block_stop" => {
                if let Some((open, nth)) = self.open.get_mut(&call).zip(block) {
                    open.blocks.remove(&nth);
                }
            }
            // The only place in a stream where a response's output tokens stand (2.1.197, 2.1.330).
            "message_delta" => {
                let Some(open) = self.open.get(&call) else { return };
                let output = event.get("usage").and_then(|usage| usage.get("output_tokens"));
                let stop = event.get("delta").and_then(|delta| text(delta, "stop_reason"));
                let last =
                    Final { output: output.and_then(Json::as_f64), stop: stop.map(str::to_owned) };
                if let Some(output) = last.output {
                    self.totals.output(&open.id, output);
                }
                self.finals.insert(open.id.clone(), last);
            }
            _ => {}
        }
    }

    /// What the end of a partial message says, by the message's id.
    pub(super) fn end_of(&self, message: &str) -> Option<&Final> {
        self.finals.get(message)
    }

    /// The agent that a call started, else the call.
    pub(super) fn agent_of<'a>(&'a self, call: &'a str) -> &'a str {
        self.agents.get(call).map_or(call, String::as_str)
    }

    /// The work that an agent was given.
    pub(super) fn task_of(&self, agent: &str) -> Option<&Task> {
        self.tasks.get(*self.of_agent.get(agent)?)
    }

    /// The partial messages that no row has whole, each with the call whose agent says it.
    pub(super) fn unfinished(&mut self) -> Vec<(String, Open)> {
        let open = std::mem::take(&mut self.open).into_iter();
        open.filter(|(_, open)| !open.blocks.is_empty()).collect()
    }

    /// Whether the main agent said these words.
    pub(super) fn has_said(&self, text: &str) -> bool {
        self.said.contains(&text_mark(text, &self.hasher))
    }

    pub(super) fn session(&self) -> &str {
        &self.session
    }
}
