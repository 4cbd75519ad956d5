//! What happens to a session beside the conversation: settings, errors, compactions, its end.
//!
//! A function each, called by `value` of `reader.rs`. An event that stands beside what an entry shows already has no
//! row, or one for what it adds (`beside`).

use crate::format::blocks::text_block;
use crate::format::entry::{self, NewCompaction, custom};
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::session::json::Json;
use crate::session::time;

use super::content::words;
use super::event::{Event, says, says_something};
use super::first_pass::hook_prompt;
use super::reader::CopilotReader;
use super::spending::{self, Record};

impl CopilotReader {
    /// The header; what it says of the repository and the program has a row.
    pub(super) fn start(&mut self, unit: usize, event: &Event<'_>) {
        if unit == 0 && !std::mem::replace(&mut self.has_start, true) {
            let context = event.data().get("context").unwrap_or(&Json::Null);
            let named = |key| event.text(key).map(str::to_owned);
            let header = self.units[0].out.header();
            header.id = named("sessionId").unwrap_or_default();
            header.time = event.data().get("startTime").and_then(time::read).or(event.time);
            text(context, "cwd").unwrap_or_default().clone_into(&mut header.cwd);
            header.agent_version = named("copilotVersion");
            header.git_branch = text(context, "branch").map(str::to_owned);
            // copilot-sdk.
            header.parent_session = named("detachedFromSpawningParentSessionId");
        }
        self.custom(unit, event);
        self.use_model(unit, event, "selectedModel", "model");
    }

    pub(super) fn model(&mut self, unit: usize, event: &Event<'_>) {
        let has_model = event.text("newModel").is_some();
        let effort = event.text("reasoningEffort");
        if !has_model {
            return self.custom(unit, event);
        }
        let fields = entry::model_change(None, event.data().get("newModel").cloned());
        self.units[unit].push(event, "model_change", fields);
        self.units[unit].model = event.text("newModel").map(str::to_owned);
        if let Some(effort) = effort {
            let fields = entry::thinking_level(Some(effort));
            self.units[unit].push_beside(event, "effort", "thinking_level_change", fields);
        }
    }

    /// A model that the event names beside all else.
    pub(super) fn use_model(&mut self, unit: usize, event: &Event<'_>, key: &str, name: &str) {
        let Some(model) = event.text(key) else { return };
        let fields = entry::model_change(None, Some(model));
        let unit = &mut self.units[unit];
        unit.push_beside(event, name, "model_change", fields);
        unit.model = Some(model.to_owned());
    }

    pub(super) fn agent_started(&mut self, unit: usize, event: &Event<'_>) {
        self.units[unit].agent = event.text("agentName").map(str::to_owned);
        self.custom(unit, event);
        self.use_model(unit, event, "model", "model");
    }

    /// Something went wrong outside any call.
    pub(super) fn failed(&mut self, unit: usize, event: &Event<'_>, key: &str) {
        let data = event.data();
        let Some(mut message) = words(data, key).map(std::borrow::Cow::into_owned) else {
            return self.custom(unit, event);
        };
        let facts = ["errorType", "statusCode"].iter().filter_map(|key| words(data, key));
        let facts: Vec<_> = facts.collect();
        if !facts.is_empty() {
            message = format!("{message} ({})", facts.join(", "));
        }
        self.stopped(unit, event, "error", Some(message));
    }

    pub(super) fn aborted(&mut self, unit: usize, event: &Event<'_>) {
        let reason = words(event.data(), "reason").map(std::borrow::Cow::into_owned);
        self.stopped(unit, event, "aborted", reason);
    }

    /// A response that did not come.
    pub(super) fn stopped(
        &mut self,
        unit: usize,
        event: &Event<'_>,
        how: &str,
        why: Option<String>,
    ) {
        self.flush(unit);
        self.units[unit].message(event, NewMessage::stopped(how, why).json());
    }

    /// What stands above stays in the file. Which messages were kept, the event does not say.
    // {summaryContent, preCompactionTokens, postCompactionTokens (counts of tokens), compactionTokensUsed}: 1.0.68,
    // 1.0.102.
    pub(super) fn compaction(&mut self, unit: usize, event: &Event<'_>) {
        let data = event.data();
        let has_failed = data.get("success") == Some(&Json::Bool(false));
        let summary = data.get("summaryContent").filter(|summary| summary.is_truthy());
        let Some(summary) = summary.filter(|_| !has_failed) else {
            return self.custom(unit, event);
        };
        self.flush(unit);
        let compaction = NewCompaction::new(Some(summary.clone()))
            .tokens_before(data.get("preCompactionTokens").cloned())
            .tokens_after(data.get("postCompactionTokens").cloned())
            .usage(spending::of_compaction(data))
            .given("warning", words(data, "error"));
        self.units[unit].push(event, "compaction", compaction.fields());
        self.beside(unit, event, data, &["customInstructions"]);
        self.units[unit].system = None;
    }

    pub(super) fn shutdown(&mut self, unit: usize, event: &Event<'_>) {
        let counts = self.known.shutdowns.iter_mut().find(|(key, _)| *key == event.key);
        if let Some((_, told)) = counts {
            let told = std::mem::take(told);
            for (nth, (model, usage)) in
                spending::of_shutdown(event.data(), told).into_iter().enumerate()
            {
                let name = format!("usage-{}", nth + 1);
                let fields = entry::usage("session.shutdown", model, usage);
                self.units[unit].push_beside(event, &name, "usage", fields);
            }
        }
        self.custom(unit, event);
    }

    /// What a request took; its response tells it, where there is one.
    // One `session.usage_record` for each call of a model: 1.0.102.
    pub(super) fn request(&mut self, unit: usize, event: &Event<'_>) {
        let read = Record::read(event.data());
        let lone = read.filter(|(id, _)| !self.known.responded.contains_key(id));
        let Some((id, record)) = lone else { return self.count(event.kind()) };
        if self.known.records.remove(&id).is_some() {
            let usage = record.usage();
            let fields = entry::usage("session.usage_record", Some(record.model), usage);
            self.units[unit].push(event, "usage", fields);
        }
    }

    /// What the person, a rule or a hook was asked for. The words of the question mostly repeat it.
    pub(super) fn asked(&mut self, unit: usize, event: &Event<'_>) {
        let mut data = event.whole().clone();
        if let Json::Object(fields) = &mut data {
            let request = fields.iter().find(|(name, _)| name == "permissionRequest");
            let request = request.map_or(Json::Null, |(_, request)| request.clone());
            let repeats = |question: &Json<'_>| match question {
                Json::Object(said) => {
                    said.iter().all(|(key, value)| request.get(key) == Some(value))
                }
                _ => false,
            };
            fields.retain(|(name, value)| name != "promptRequest" || !repeats(value));
        }
        self.units[unit].push(event, "custom", custom("permission.requested", data));
    }

    /// What an event says of its entry beyond what that shows, each in a row of its own.
    pub(super) fn beside(
        &mut self,
        unit: usize,
        event: &Event<'_>,
        data: &Json<'_>,
        keys: &[&str],
    ) {
        for key in keys {
            let says = data.get(key).filter(|value| says_something(value));
            if let Some(value) = says {
                let fields = custom((*key).to_owned(), value.clone());
                self.units[unit].push_beside(event, key, "custom", fields);
            }
        }
    }

    /// Shown where it is named.
    pub(super) fn asset(&mut self, unit: usize, event: &Event<'_>) {
        if event.text("assetId").is_some_and(|id| self.known.named_assets.contains(id)) {
            return self.count(event.kind());
        }
        self.custom(unit, event);
    }

    /// The system prompt, which is written again before many prompts.
    // Some 28 KB, whole before later prompts too: 1.0.68 (toolpath).
    pub(super) fn system(&mut self, unit: usize, event: &Event<'_>) {
        let prompt = words(event.data(), "content").unwrap_or_default().into_owned();
        if self.units[unit].system.as_ref() == Some(&prompt) {
            return self.count(event.kind());
        }
        self.flush(unit);
        let message = NewMessage::system(vec![text_block(prompt.as_str())]);
        self.units[unit].message(event, message.json());
        self.units[unit].system = Some(prompt);
    }

    /// What the program tells the model in mid-session.
    pub(super) fn notification(&mut self, unit: usize, event: &Event<'_>) {
        let content = words(event.data(), "content").map(text_block);
        let content: Vec<_> = content.into_iter().collect();
        let kind = event.data().get("kind").cloned();
        let fields = entry::custom_message_with("system.notification", content, false, kind);
        self.units[unit].push(event, "custom_message", fields);
    }

    /// A hook on a prompt tells the prompt again; of some sessions it is the only place.
    // `hook.start` userPromptSubmitted: letta trajectory.
    pub(super) fn hook(&mut self, unit: usize, event: &Event<'_>) {
        match hook_prompt(event).filter(|_| self.known.lone_prompts.contains(&event.key)) {
            None if !says(event, "input") || hook_prompt(event).is_some() => {
                self.count(event.kind());
            }
            None => self.custom(unit, event),
            Some(prompt) => {
                self.flush(unit);
                let message = NewMessage::user(vec![text_block(prompt.to_owned())]);
                self.units[unit].message(event, message.json());
            }
        }
    }
}
