//! The second pass: what happened, as a chain of entries.
//!
//! The first pass knows what calls, threads and turns there are (`first_pass.rs`); here each row is taken in file
//! order (`value`), since a rollout is a log and the order is all that ties its rows. Parts of an answer stand in
//! rows of their own and are put together (`Answering`) until something else happens. What rows only repeat is
//! counted and not shown.

use std::collections::BTreeMap;

use crate::format::blocks::text_block;
use crate::format::entry;
use crate::format::fields::{ObjectFields, object};
use crate::format::lines::{Value, line_id};
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::format::translation::{Spot, Translation};
use crate::session::json::Json;
use crate::session::notice;
use crate::session::text::{one_line, shortened};
use crate::session::{Damage, DamageKind, Format, time};

use super::ending::Ending;
use super::first_pass::{FirstPass, Tokens, unwrapped};
use super::items::{Answer, NOTIFICATION, call, content, injected, is_call, picture, reasoning};
use super::scripts::{Scripts, ending_of, nested_calls};
use super::thread::{agent_path, parent_of};
use super::told::Key;
use super::turns::{Standing, Turns};

/// Of a thread's id, in UTF-16 units.
const THREAD_UNITS: usize = 80;

/// Above what the person typed in an editor.
// Files of 2026-03 in public repositories; agentsview.
pub(super) const REQUEST: &str = "## My request for Codex:";

pub(super) struct CodexReader {
    pub(super) out: Translation,
    pub(super) first_pass: FirstPass,
    /// The answer that is being put together.
    answer: Answering,
    pub(super) now: Standing,
    pub(super) turns: Turns,
    has_meta: bool,
    provider: String,
    pub(super) title: Option<String>,
    /// What an event said last of why the turn failed.
    pub(super) error: Option<String>,
    /// Lines without rows, counted by kind.
    aside: BTreeMap<String, usize>,
    pub(super) scripts: Scripts,
    /// The value read last.
    last: Option<At>,
    /// A picture was called for, which stands in a row of the user's behind the result.
    views_image: bool,
    /// Where the thread stands among the agents, such as `/root/review`.
    pub(super) path: Option<String>,
    /// The summary of a compaction, as the model wrote it, and what it took.
    pub(super) summary: Option<(String, Option<Tokens>)>,
}

/// Where a value stands.
#[derive(Clone, Copy)]
pub(super) struct At {
    line: u32,
    /// Which one of its line.
    nth: u32,
    time: Option<i64>,
}

impl At {
    pub(super) fn id(self) -> String {
        line_id(self.line, self.nth)
    }

    pub(super) fn key(self) -> Key {
        (self.line, self.nth)
    }

    /// The place of one of several entries that come of this value.
    pub(super) fn further(self, number: u32) -> At {
        At { nth: self.nth + number, ..self }
    }
}

/// The parts of an answer that follow each other.
#[derive(Default)]
struct Answering {
    content: Vec<Json<'static>>,
    /// Where they stand, and whether that is an event.
    places: Vec<(At, bool)>,
}

impl CodexReader {
    pub(super) fn new(first_pass: FirstPass) -> CodexReader {
        CodexReader {
            out: Translation::new(Format::Codex),
            first_pass,
            answer: Answering::default(),
            now: Standing::default(),
            turns: Turns::default(),
            has_meta: false,
            provider: "openai".to_owned(),
            title: None,
            error: None,
            aside: BTreeMap::new(),
            scripts: Scripts::default(),
            last: None,
            views_image: false,
            path: None,
            summary: None,
        }
    }

    pub(super) fn value(&mut self, value: &Value<'_>, json: &Json<'_>) {
        if !matches!(json, Json::Object(_)) {
            return self.out.damage(value.line, DamageKind::NotAnObject);
        }
        let time = json.get("timestamp").and_then(time::read);
        let at = At { line: value.line, nth: value.nth, time };
        self.last = Some(at);
        let (kind, payload) = unwrapped(json);
        let item = text(payload, "type").unwrap_or_default();
        match kind {
            "session_meta" => self.meta(at, payload),
            "turn_context" => self.turn(at, payload),
            "response_item" => self.item(at, item, payload),
            "compacted" => self.compacted(at, payload),
            "event_msg" => self.event(at, item, payload),
            "realtime_item" => self.spoken_aloud(at, payload),
            // The last three: strings of 0.171.0.
            "record"
            | "token_usage_record"
            | "inter_agent_communication_metadata"
            | "dynamic_tools_updated"
            | "id_allocation"
            | "security_risk_score" => {
                self.count(kind);
            }
            // 0.146.0, 0.169.0; codex-rs, rollout (policy).
            "world_state" | "inter_agent_communication" => self.custom(at, kind, payload.clone()),
            _ => self.unknown(at, kind, json),
        }
    }

    pub(super) fn damage(&mut self, damage: &Damage) {
        self.out.damage(damage.line, damage.kind);
    }

    /// So many lines behind the first are of the rollouts that a fork goes on from.
    pub(super) fn history(&mut self, lines: u32) {
        self.out.history(lines);
        let last = lines + 1;
        self.out.note(format!(
            "Lines 2 to {last} of the file in this page are from the session that this one was forked from"
        ));
    }

    pub(super) fn count(&mut self, kind: &str) {
        *self.aside.entry(kind.to_owned()).or_default() += 1;
    }

    pub(super) fn push(&mut self, at: At, entry_type: &str, fields: ObjectFields<'_>) {
        self.flush();
        self.turns.step();
        self.push_as(at.id(), at, entry_type, fields);
    }

    /// A setting, or a message that the program put in.
    pub(super) fn push_setting(
        &mut self,
        id: String,
        at: At,
        entry_type: &str,
        fields: ObjectFields<'_>,
    ) {
        self.flush();
        self.turns.setting(&self.now);
        self.push_as(id, at, entry_type, fields);
    }

    pub(super) fn push_as(
        &mut self,
        id: String,
        at: At,
        entry_type: &str,
        fields: ObjectFields<'_>,
    ) {
        let spot = Spot {
            line: at.line,
            id: Some(id.clone()),
            parent_id: self.now.last.replace(id),
            time: at.time,
        };
        self.out.push(spot, entry_type, fields);
    }

    pub(super) fn message(&mut self, at: At, message: Json<'_>) {
        self.push(at, "message", entry::message(message));
    }

    pub(super) fn custom(&mut self, at: At, name: &str, data: Json<'_>) {
        self.push(at, "custom", entry::custom(name, data));
    }

    /// What the program says to the person.
    pub(super) fn told(&mut self, at: At, name: &str, words: String) {
        let fields = entry::custom_message(name, vec![text_block(words)], true);
        self.push(at, "custom_message", fields);
    }

    /// An event without a row of its own: its words, where it holds some.
    pub(super) fn words_of_event(&mut self, at: At, name: &str, data: &Json<'_>) {
        let (entry_type, fields) = entry::unknown(name, data.clone());
        self.push(at, entry_type, fields);
    }

    /// The same of a kind that only a later version writes.
    fn unknown(&mut self, at: At, name: &str, data: &Json<'_>) {
        self.words_of_event(at, name, data);
        self.out.last_is_not_understood();
    }

    /// The header; a fork's file repeats that of the session it came from.
    // {id, forked_from_id, cwd, cli_version, git {branch}, model_provider, source}: 0.77.0 to 0.169.0. `session_id`
    // is that of the root thread, `id` the thread's own (0.169.0).
    fn meta(&mut self, at: At, payload: &Json<'_>) {
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
        header.agent_version = named("cli_version");
        header.git_branch =
            payload.get("git").and_then(|git| text(git, "branch")).map(str::to_owned);
        header.parent_session =
            named("forked_from_id").or_else(|| parent_of(payload).map(str::to_owned));
        self.path = agent_path(payload).map(str::to_owned);
        let parent = parent_of(payload);
        let missing = self.first_pass.missing_history().map(|thread| {
            let id = shortened(&one_line(thread), THREAD_UNITS);
            if parent == Some(thread) {
                return format!("This agent began with what was in the session {id} until then");
            }
            format!(
                "This session is a fork. What was before it is in the session {id}, which leafpress did not find. \
                 Put `rollout-*-{id}.jsonl` next to this file and export it again"
            )
        });
        let missing: Vec<String> = missing.collect();
        for (nth, said) in missing.into_iter().enumerate() {
            let fields = entry::custom_message(notice::HISTORY, vec![text_block(said)], true);
            self.push_setting(format!("{}-fork-{nth}", at.id()), at, "custom_message", fields);
        }
        if let Some(words) = self.first_pass.system.words() {
            let message = entry::message(NewMessage::system(words.to_owned()).json());
            self.push_setting(at.id(), at, "message", message);
        }
    }

    /// A turn's settings, written anew for every request.
    // `turn_context` {model, effort}: 0.77.0 to 0.169.0.
    fn turn(&mut self, at: At, payload: &Json<'_>) {
        let before = self.now.last.clone();
        let model = text(payload, "model").map(str::to_owned);
        if model.is_some() && model != self.now.model {
            let change = entry::model_change(Some(self.provider.clone().into()), model.clone());
            self.push_setting(at.id(), at, "model_change", change);
            self.now.model = model;
        }
        let effort = text(payload, "effort").or_else(|| text(payload, "reasoning_effort"));
        let effort = effort.map(str::to_owned);
        if effort.is_some() && effort != self.now.effort {
            let change = entry::thinking_level(effort.clone());
            // A line may change both.
            let id = format!("{}-effort", at.id());
            self.push_setting(id, at, "thinking_level_change", change);
            self.now.effort = effort;
        }
        if self.now.last == before {
            self.count("turn_context");
        }
    }

    fn item(&mut self, at: At, item: &str, payload: &Json<'_>) {
        match item {
            "message" => self.spoken(at, payload),
            "reasoning" => {
                self.answered(at, vec![reasoning(payload).owned()]);
            }
            kind if is_call(kind) => {
                self.views_image = text(payload, "name") == Some(notice::VIEW_IMAGE);
                self.scripts.call(payload);
                let call = call(kind, payload, at.id()).owned();
                self.answered(at, std::iter::once(call).chain(picture(kind, payload)).collect());
            }
            "agent_message" => self.agent_message(at, payload),
            // Code mode: 0.169.0 with gpt-6 models.
            // The others: strings of 0.169.0 and 0.171.0.
            "additional_tools"
            | "compaction"
            | "compaction_trigger"
            | "configuration_update"
            | "context_compaction" => self.custom(at, item, payload.clone()),
            "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
                self.result(at, payload);
            }
            kind => {
                let name = if kind.is_empty() { "response_item" } else { kind };
                self.unknown(at, name, payload);
            }
        }
    }

    pub(super) fn spoken(&mut self, at: At, payload: &Json<'_>) {
        let content = content(payload.get("content"));
        let role = text(payload, "role").unwrap_or("user");
        let content = if role == "user" { self.without_ide_context(at, content) } else { content };
        let beginning = content.iter().find_map(|block| block.get("text")?.as_str());
        let beginning = beginning.unwrap_or_default();
        if self.first_pass.summaries.contains(&at.key()) {
            let tokens = self.first_pass.tokens.remove(&at.key());
            self.summary = Some((at.id(), tokens));
            return self.count("summary");
        }
        if self.first_pass.system_again.contains(&at.key()) {
            return self.count("base_instructions");
        }
        let views_image = std::mem::take(&mut self.views_image);
        if role == "assistant" && !beginning.trim_start().starts_with(NOTIFICATION) {
            // 0.171.0: a comment on the work, and the answer, are two messages.
            let has_words = self.answer.content.iter().any(|block| text(block, "text").is_some());
            if payload.get("phase").is_some() && has_words {
                self.flush();
            }
            return self.answered(at, content.into_iter().map(Json::owned).collect());
        }
        let injected = injected(beginning);
        let is_picture = |block: &Json<'_>| text(block, "type") == Some("image");
        match (role, injected) {
            ("user", None)
                if views_image && !content.is_empty() && content.iter().all(is_picture) =>
            {
                let fields = entry::custom_message(notice::VIEW_IMAGE, content, true);
                self.push_setting(at.id(), at, "custom_message", fields);
            }
            ("user", None) => {
                let message = NewMessage::user(content);
                self.flush();
                self.turns.prompt(&self.now);
                self.message(at, message.json());
            }
            (role, injected) => {
                let name = injected.unwrap_or(role);
                let fields = entry::custom_message(name, content, false);
                self.push_setting(at.id(), at, "custom_message", fields);
            }
        }
    }

    /// What was said and heard: its words are a prompt and an answer like others.
    // `realtime_item` {role, content [{transcript}]}: strings of 0.171.0, and OpenAI's documentation of realtime items.
    fn spoken_aloud(&mut self, at: At, payload: &Json<'_>) {
        let item = payload.get("item").unwrap_or(payload);
        let blocks = item.get("content").map_or(&[][..], Json::items);
        let words =
            blocks.iter().filter_map(|block| text(block, "transcript").or(text(block, "text")));
        let words: Vec<Json<'static>> = words.map(|words| text_block(words.to_owned())).collect();
        match text(item, "role") {
            Some("user" | "assistant") if !words.is_empty() => {
                let content = Some(Json::Array(words));
                let role = item.get("role").cloned();
                self.spoken(at, &object([("role", role), ("content", content)]));
            }
            _ => self.unknown(at, "realtime_item", payload),
        }
    }

    /// Extensions for editors put what is open there ahead of the prompt, under this heading.
    fn without_ide_context<'a>(&mut self, at: At, mut content: Vec<Json<'a>>) -> Vec<Json<'a>> {
        let written = content.iter().position(|block| {
            block.get("text").and_then(Json::as_str).is_some_and(|text| text.contains(REQUEST))
        });
        let Some(nth) = written else { return content };
        let block = content[nth].get("text").and_then(Json::as_str).unwrap_or_default().to_owned();
        let Some((before, request)) = block.split_once(REQUEST) else { return content };
        content[nth] = text_block(request.trim().to_owned());
        if !before.trim().is_empty() {
            let fields = entry::custom_message(
                "ide_context",
                vec![text_block(before.trim().to_owned())],
                false,
            );
            self.push_setting(format!("{}-context", at.id()), at, "custom_message", fields);
        }
        content
    }

    /// A part of an answer; the parts that follow each other are one entry.
    pub(super) fn answered(&mut self, at: At, content: Vec<Json<'static>>) {
        self.answer.content.extend(content);
        self.answer.places.push((at, false));
    }

    /// A part that only an event tells. It gives the answer no id: that is its items'.
    pub(super) fn answered_aside(&mut self, at: At, content: Json<'static>) {
        self.answer.content.push(content);
        self.answer.places.push((at, true));
    }

    /// Writes the answer that was put together.
    pub(super) fn flush(&mut self) {
        let Answering { content, places } = std::mem::take(&mut self.answer);
        let own = places.iter().find(|(_, is_event)| !is_event).or(places.first());
        let Some(&(at, _)) = own else { return };
        let calls = content.iter().any(|block| text(block, "type") == Some("toolCall"));
        let aborted = places.iter().any(|(at, _)| self.first_pass.aborted.contains(&at.key()));
        let stop = match (aborted, calls) {
            (true, _) => "aborted",
            (false, true) => "toolUse",
            (false, false) => "stop",
        };
        let told = places.iter().filter_map(|(at, _)| self.first_pass.tokens.remove(&at.key()));
        let tokens = told.reduce(Tokens::plus);
        let id = at.id();
        for (part, _) in places.iter().filter(|(part, _)| part.key() != at.key()) {
            self.out.alias(part.id(), id.clone());
        }
        self.turns.step();
        let message = NewMessage::assistant(content)
            .provider(self.now.model.as_ref().map(|_| self.provider.clone()))
            .model(self.now.model.clone())
            .usage(tokens.map(Tokens::usage))
            .given("contextWindow", tokens.and_then(Tokens::window))
            .stop_reason(Some(stop));
        self.push_as(id, at, "message", entry::message(message.json()));
    }

    fn result(&mut self, at: At, payload: &Json<'_>) {
        let call = text(payload, "call_id").unwrap_or_default();
        let tool = self.first_pass.names.get(call).cloned();
        let answer = Answer::read(payload, tool.as_deref());
        let ran = self.scripts.result(call, payload);
        // How a command that went on ended is shown where that is known.
        let told = if self.first_pass.late.went_on(call) {
            Ending::default()
        } else {
            self.first_pass.endings.of(call)
        };
        let told = told.or(ending_of(&ran));
        let texts = answer.content.iter().filter_map(|block| text(block, "text"));
        let shown = texts.collect::<Vec<_>>().join("\n");
        let message = NewMessage::tool_result(call)
            .tool_name(tool)
            .content(answer.content)
            .failed(answer.ending.has_failed || told.has_failed)
            .details(answer.details.or_else(|| told.details()))
            .given("nestedCalls", nested_calls(&ran, &shown));
        self.message(at, message.json());
    }

    pub(super) fn finish(mut self) -> Translation {
        self.flush();
        if let Some(last) = self.last {
            self.finish_scripts(last);
        }
        self.out.header().title = self.title;
        self.out.not_shown(&self.aside);
        self.out
    }
}
