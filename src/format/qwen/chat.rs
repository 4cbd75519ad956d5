//! The lines of a stored session as entries.
//!
//! A line names its parent, as in Claude Code's files. One that gets no row hands its parent on to what hangs from it
//! (`stands_for`), so the tree has no gaps. Lines of one response are collected, and written when the next line is of
//! something else. Lines, parts and `system` subtypes: 0.24.4; subtypes that no run wrote: qwen-code.

use std::collections::{BTreeMap, HashMap};

use crate::format::blocks::{text_block, usage};
use crate::format::entry::{self, NewCompaction, custom};
use crate::format::fields::ObjectFields;
use crate::format::gemini::parts::Content;
use crate::format::gemini::results::response_as;
use crate::format::lines::{Value, scan_json};
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::format::translation::{Spot, Translation};
use crate::session::json::Json;
use crate::session::{DamageKind, Format, time};

use super::response::{Response, error, is_agents};
use super::{DEGRADED, INCOMPLETE};

/// Events that repeat what other lines say, or that say nothing of the conversation.
const ASIDE: [&str; 9] = [
    "ui_telemetry",
    "attribution_snapshot",
    "file_history_snapshot",
    "session_artifact_event",
    "session_artifact_snapshot",
    "session_sources_snapshot",
    "branch_checkpoint",
    "custom_title",
    "rewind",
];

/// What a person typed while tools ran. The text for the model has words of the program before it.
// `systemPayload` {displayText, mediaReferences}: qwen-code.
fn typed<'a>(mut blocks: Vec<Json<'a>>, json: &Json<'a>) -> Vec<Json<'a>> {
    let payload = json.get("systemPayload");
    if let Some(words) = payload.and_then(|payload| text(payload, "displayText")) {
        blocks.retain(|block| text(block, "text").is_none());
        blocks.insert(0, text_block(words.to_owned()));
    }
    blocks
}

/// Events that have rows of their own.
const EVENTS: [&str; 22] = [
    "slash_command",
    "at_command",
    "session_notes",
    "parent_session",
    "session_source",
    "session_execution_engine",
    "omni_recall",
    "session_model",
    "session_approval_mode",
    "agent_bootstrap",
    "agent_launch_prompt",
    "agent_retry",
    "agent_session_ready",
    "user_text_elements",
    "goal_state",
    "goal_runtime",
    "goal_turn_end",
    "turn_result",
    "notification",
    "background_task_completed",
    "cron",
    "realtime_message",
];

/// What a session says of those that it started.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    pub(super) session: String,
    /// The agent that the file itself is of.
    pub(super) agent: Option<String>,
    /// By the id of a call what it started.
    pub(super) calls: HashMap<String, Started>,
}

/// A sub-agent that a call started.
#[derive(Debug, Clone)]
pub(super) struct Started {
    /// The entry that says so.
    pub(super) entry: String,
    pub(super) agent: Option<String>,
    pub(super) task: Option<String>,
    /// Its session was written to a file.
    pub(super) is_ready: bool,
}

/// The session alone, and what it says of sub-agents.
pub(super) fn translate(source: &[u8]) -> (Translation, Wanted) {
    let mut reader = ChatReader {
        out: Translation::new(Format::Qwen),
        wanted: Wanted::default(),
        stands_for: HashMap::new(),
        last: None,
        open: None,
        aside: BTreeMap::new(),
    };
    let scan = scan_json(source, |value, json| reader.line(&value, &json));
    reader.flush();
    let ChatReader { mut out, wanted, aside, .. } = reader;
    out.scanned(scan);
    out.not_shown(&aside);
    (out, wanted)
}

struct ChatReader {
    out: Translation,
    wanted: Wanted,
    /// By the id of a line the last entry that it is, or that it stands behind.
    stands_for: HashMap<String, Option<String>>,
    /// The last entry of the file so far.
    last: Option<String>,
    open: Option<Response>,
    /// Lines without rows, by kind.
    aside: BTreeMap<String, usize>,
}

impl ChatReader {
    fn line(&mut self, value: &Value<'_>, json: &Json<'_>) {
        if !matches!(json, Json::Object(_)) {
            return self.out.damage(value.line, DamageKind::NotAnObject);
        }
        self.session_facts(json);
        let given = text(json, "uuid").filter(|id| !id.is_empty());
        let id = given.map_or_else(|| value.line_id(), str::to_owned);
        let parent = match json.get("parentUuid") {
            Some(Json::String(parent)) => match self.stands_for.get(parent.as_ref()) {
                Some(entry) => entry.clone(),
                None => Some(parent.to_string()),
            },
            // Lines of other programs have no ids: each stands behind the one before.
            None if given.is_none() => self.last.clone(),
            _ => None,
        };
        let time = json.get("timestamp").and_then(time::read);
        let spot = Spot { line: value.line, id: Some(id.clone()), parent_id: parent, time };
        match text(json, "type") {
            Some("assistant") => self.response(spot, id, json),
            Some("user") => self.user(spot, &id, json),
            Some("tool_result") => self.results(spot, &id, json),
            Some("system") => self.system(spot, id, json),
            kind => {
                self.unknown(spot, &id, kind.unwrap_or("line"), json);
            }
        }
    }

    fn session_facts(&mut self, json: &Json<'_>) {
        let words = |key: &str| text(json, key).filter(|words| !words.is_empty());
        let header = self.out.header();
        if header.id.is_empty() {
            header.version = 1;
            words("sessionId").unwrap_or_default().clone_into(&mut header.id);
            self.wanted.session.clone_from(&header.id);
        }
        if header.cwd.is_empty() {
            words("cwd").unwrap_or_default().clone_into(&mut header.cwd);
        }
        if header.time.is_none() {
            header.time = json.get("timestamp").and_then(time::read);
        }
        if header.agent_version.is_none() {
            header.agent_version = words("version").map(str::to_owned);
        }
        if let Some(branch) = words("gitBranch") {
            header.git_branch = Some(branch.to_owned());
        }
        if let Some(agent) = words("agentId") {
            self.wanted.agent = Some(agent.to_owned());
        }
        if let Some(from) = json.get("forkedFrom").and_then(|from| text(from, "sessionId")) {
            self.out.header().parent_session = Some(from.to_owned());
        }
    }

    /// Writes an entry that stands for a line.
    fn push(&mut self, spot: Spot, id: &str, entry_type: &str, fields: ObjectFields<'_>) {
        self.flush();
        let entry = spot.id.clone();
        self.out.push(spot, entry_type, fields);
        self.stands_for.insert(id.to_owned(), entry.clone());
        self.last = entry;
    }

    fn message(&mut self, spot: Spot, id: &str, message: Json<'_>) {
        self.push(spot, id, "message", entry::message(message));
    }

    /// A line of a kind that only another version writes.
    fn unknown(&mut self, spot: Spot, id: &str, kind: &str, json: &Json<'_>) {
        let (entry_type, fields) = entry::unknown(kind, json.clone());
        self.push(spot, id, entry_type, fields);
        self.out.last_is_not_understood();
    }

    /// Writes the response that is open.
    fn flush(&mut self) {
        let Some(mut open) = self.open.take() else { return };
        for call in open.calls.iter().filter(|call| is_agents(call)) {
            let arguments = call.get("arguments");
            let of = |key: &str| text(arguments?, key).map(str::to_owned);
            self.wanted.calls.insert(
                text(call, "id").unwrap_or_default().to_owned(),
                Started {
                    entry: open.id.clone(),
                    agent: of("subagent_type"),
                    task: of("description"),
                    is_ready: false,
                },
            );
        }
        for alias in std::mem::take(&mut open.aliases) {
            self.out.alias(alias, open.id.clone());
        }
        let spot = std::mem::take(&mut open.spot);
        self.out.push(spot, "message", entry::message(open.message()));
    }

    /// A line that only says more of the response before it belongs to that.
    fn response(&mut self, spot: Spot, id: String, json: &Json<'_>) {
        let has_usage = json.get("usageMetadata").is_some_and(Json::is_truthy);
        let goes_on = |open: &Response| !has_usage && spot.parent_id.as_ref() == Some(&open.id);
        if let Some(open) = self.open.as_mut().filter(|open| goes_on(open)) {
            open.add(json);
            self.stands_for.insert(id.clone(), Some(open.id.clone()));
            open.aliases.push(id);
            return;
        }
        self.flush();
        self.stands_for.insert(id.clone(), Some(id.clone()));
        self.last = Some(id.clone());
        let mut open = Response::new(spot, id, text(json, "model").map(str::to_owned));
        open.add(json);
        self.open = Some(open);
    }

    /// A prompt, what the program put in under the user's name, or results.
    fn user(&mut self, mut spot: Spot, id: &str, json: &Json<'_>) {
        let message = json.get("message").unwrap_or(&Json::Null);
        let content = Content::of(message, id);
        if !content.responses.is_empty() {
            return self.results(spot, id, json);
        }
        let is_injected = |block: &Json<'_>| {
            let words = text(block, "text").unwrap_or_default().trim_start();
            ["<system-reminder>", "<session_context>", "<hook_context>"]
                .into_iter()
                .any(|tag| words.starts_with(tag))
        };
        let subtype = text(json, "subtype");
        if subtype == Some("mid_turn_user_message") {
            return self.message(spot, id, NewMessage::user(typed(content.blocks, json)).json());
        }
        let provenance = text(json, "provenance");
        let is_agents =
            matches!(subtype, Some("notification" | "background_task_completed" | "cron"))
                || matches!(provenance, Some("system" | "goal_control" | "goal_runtime"));
        if is_agents {
            let name = subtype.or(provenance).unwrap_or("system").to_owned();
            return self.push(
                spot,
                id,
                "custom_message",
                entry::custom_message(name, content.blocks, false),
            );
        }
        let (own, prompt): (Vec<_>, Vec<_>) = content.blocks.into_iter().partition(is_injected);
        let has_prompt = !prompt.is_empty() || own.is_empty();
        if !own.is_empty() {
            let own_id = if has_prompt { format!("{id}-reminder") } else { id.to_owned() };
            let before = Spot { id: Some(own_id.clone()), ..spot.clone() };
            self.push(
                before,
                id,
                "custom_message",
                entry::custom_message("system-reminder", own, false),
            );
            spot.parent_id = Some(own_id);
        }
        if has_prompt {
            self.message(spot, id, NewMessage::user(prompt).json());
        }
    }

    fn results(&mut self, mut spot: Spot, id: &str, json: &Json<'_>) {
        let message = json.get("message").unwrap_or(&Json::Null);
        let content = Content::of(message, id);
        let told = json.get("toolCallResult");
        let status = told.and_then(|told| text(told, "status")).unwrap_or_default();
        let display = told.and_then(|told| told.get("resultDisplay"));
        let display = display.filter(|display| **display != Json::Null);
        for (nth, response) in content.responses.iter().enumerate() {
            let entry = if nth == 0 { id.to_owned() } else { format!("{id}-{nth}") };
            if let Some(call) = text(response, "id")
                && let Some(started) = self.wanted.calls.get_mut(call)
            {
                started.entry.clone_from(&entry);
                let is_ready = display.and_then(|display| display.get("subagentSessionReady"));
                started.is_ready = is_ready.is_some_and(Json::is_truthy);
            }
            let at = Spot { id: Some(entry.clone()), ..spot.clone() };
            self.message(at, id, response_as(response, status, display));
            spot.parent_id = Some(entry);
        }
        if content.responses.is_empty() {
            self.unknown(spot, id, "tool_result", json);
        } else if !content.blocks.is_empty() {
            let at = Spot { id: Some(format!("{id}-content")), ..spot };
            self.push(
                at,
                id,
                "custom_message",
                entry::custom_message("tool_result", content.blocks, false),
            );
        }
    }

    fn system(&mut self, spot: Spot, id: String, json: &Json<'_>) {
        let payload = json.get("systemPayload").unwrap_or(&Json::Null);
        let kind = text(json, "subtype").unwrap_or("system").to_owned();
        let event = payload.get("uiEvent");
        let named = |key: &str| text(event?, key);
        match kind.as_str() {
            "ui_telemetry" if named("event.name") == Some("qwen-code.api_error") => {
                let message = named("error_message").unwrap_or("API error");
                self.message(spot, &id, error(message));
            }
            // A request that is not part of the conversation, such as that of a compression.
            "ui_telemetry" if self.is_aside(named("prompt_id")) => {
                self.push(spot.clone(), &id, "custom", custom("api_response", json.clone()));
                if let Some(fields) = event.and_then(taken_aside) {
                    let own = format!("{id}-usage");
                    let at = Spot { id: Some(own), parent_id: Some(id.clone()), ..spot };
                    self.push(at, &id, "usage", fields);
                }
            }
            DEGRADED => {
                self.out.note(INCOMPLETE.to_owned());
                let (entry_type, fields) = entry::unknown(DEGRADED, json.clone());
                self.push(spot, &id, entry_type, fields);
            }
            "chat_compression" => self.compression(spot, &id, payload),
            aside if ASIDE.contains(&aside) => {
                if let Some(title) = text(payload, "customTitle") {
                    self.out.header().title = Some(title.to_owned());
                }
                *self.aside.entry(kind).or_default() += 1;
                self.stands_for.insert(id, spot.parent_id);
            }
            known if EVENTS.contains(&known) => {
                self.push(spot, &id, "custom", custom(kind, json.clone()));
            }
            _ => self.unknown(spot, &id, &kind, json),
        }
    }

    /// Whether the id of a prompt is not of the session's own.
    // `prompt_id` begins with the session's id (0.24.4).
    fn is_aside(&self, prompt: Option<&str>) -> bool {
        prompt.is_some_and(|prompt| {
            !self.wanted.session.is_empty() && !prompt.starts_with(&self.wanted.session)
        })
    }

    /// The history as it went on: first the summary, then what was kept.
    // `chat_compression` {compressedHistory, info {originalTokenCount}}: qwen-code.
    fn compression(&mut self, spot: Spot, id: &str, payload: &Json<'_>) {
        let history = payload.get("compressedHistory").map(Json::items).unwrap_or_default();
        let texts = |message: &Json<'_>| {
            let blocks = Content::of(message, "").blocks;
            let texts = blocks.iter().filter_map(|block| text(block, "text").map(str::to_owned));
            texts.collect::<Vec<_>>().join("\n\n")
        };
        let kept: Vec<Json<'_>> = history
            .iter()
            .skip(1)
            .filter(|message| !Content::of(message, "").blocks.is_empty())
            .map(|message| {
                let content = Content::of(message, "").blocks;
                let message = match text(message, "role") {
                    Some("model") => NewMessage::assistant(content),
                    _ => NewMessage::user(content),
                };
                message.json()
            })
            .collect();
        let before = payload.get("info").and_then(|info| info.get("originalTokenCount"));
        let compaction = NewCompaction::new(Some(history.first().map(texts).unwrap_or_default()))
            .tokens_before(before.cloned())
            .retained(kept);
        self.push(spot, id, "compaction", compaction.fields());
    }
}

/// What a request took that no response of the conversation tells.
fn taken_aside<'a>(event: &Json<'a>) -> Option<Vec<(std::borrow::Cow<'a, str>, Json<'a>)>> {
    event.get("input_token_count")?;
    let count = |key: &str| event.get(key).and_then(Json::as_f64).unwrap_or(0.0);
    let cached = count("cached_content_token_count");
    let input = (count("input_token_count") - cached).max(0.0);
    let is_compression =
        text(event, "prompt_id").is_some_and(|prompt| prompt.starts_with("compress"));
    let kind = if is_compression { "compaction" } else { "request outside the conversation" };
    let usage = usage(input, count("output_token_count"), cached, None);
    Some(entry::usage(kind, event.get("model").cloned(), usage))
}
