//! The first pass: what must be known before the first entry is written. It goes over all events once; the second
//! pass (`reader.rs`) writes entries, and asks here who asked for a call and whose it is, which reasoning and which
//! prompt stand in two events, what each request took, and which shutdowns count.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use crate::format::probe::text;
use crate::session::action::names::Tool;
use crate::session::json::Json;
use crate::session::text::one_line;

use super::event::{Event, Key};
use super::partial::Partials;
use super::spending::{self, Record, Told};

/// Who asked for a call, recognized by the event that speaks of it first of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) enum AskedBy {
    /// Only a result speaks of it.
    #[default]
    Nobody,
    /// Its start alone: the response that asked for it is not in the file.
    Start,
    /// A response.
    Response,
    /// The person.
    Person,
}

/// What the events say of one call.
#[derive(Debug, Default)]
pub(super) struct CallFacts {
    pub(super) asked_by: AskedBy,
    pub(super) name: Option<String>,
    /// What its start says it was asked for: some responses leave it out.
    pub(super) started_with: Option<Json<'static>>,
    /// The sub-agent that made it, as its events name it.
    agent: Option<String>,
    /// When it could run: its start, or later the person's permission.
    pub(super) runs_from: Option<i64>,
    pub(super) has_result: bool,
    /// What a sub-agent was asked to do, and the kind of agent.
    pub(super) task: Option<String>,
    pub(super) agent_type: Option<String>,
}

/// An image or another file that several events share.
#[derive(Debug)]
pub(super) struct Asset {
    pub(super) mime_type: String,
    pub(super) data: String,
}

/// What must be known before the first entry is written.
#[derive(Default)]
pub(super) struct FirstPass {
    pub(super) calls: HashMap<String, CallFacts>,
    /// The calls that started sub-agents, by the sub-agents' own ids.
    calls_of_agents: HashMap<String, String>,
    pub(super) assets: HashMap<String, Asset>,
    /// The assets that messages and results name.
    pub(super) named_assets: HashSet<String>,
    /// What each request took, by its id, and the requests that a response names.
    pub(super) records: HashMap<String, Record>,
    pub(super) recorded: HashSet<String>,
    pub(super) responded: HashMap<String, f64>,
    /// Responses that only parts tell.
    pub(super) partials: Partials,
    told: Told,
    /// What the last shutdown counted, and before the counts began anew.
    told_at_shutdown: Told,
    told_before: Told,
    /// The shutdowns that count, each with what entries tell of its counts: the last one counts all of the
    /// session. Where one counts less than the one before, both count.
    pub(super) shutdowns: Vec<(Key, Told)>,
    counted: f64,
    /// The last one counts less than responses wrote.
    pub(super) counts_less: bool,
    /// Events of reasoning that a response tells too.
    reasoning: HashSet<u64>,
    /// How often each prompt stands in a message of the person's.
    prompts: HashMap<u64, usize>,
    hook_prompts: Vec<(Key, u64)>,
    /// Prompts that only a hook tells.
    pub(super) lone_prompts: HashSet<Key>,
    /// Random for each run, so that no file can bring two texts to collide.
    hasher: RandomState,
}

impl FirstPass {
    pub(super) fn event(&mut self, event: &Event<'_>) {
        // An agent that starts another may be named beside the other's call.
        let is_others = |agent: &str, call: &str| {
            self.calls.get(call).is_some_and(|facts| facts.agent.as_deref() == Some(agent))
        };
        let named = event.agent_and_call();
        if let Some((agent, call)) = named.filter(|(agent, call)| !is_others(agent, call)) {
            self.calls_of_agents.entry(agent.to_owned()).or_insert_with(|| call.to_owned());
        }
        self.partials.event(event);
        match event.kind() {
            "assistant.message" => self.response(event),
            "tool.execution_start" => {
                self.call(event, AskedBy::Start);
            }
            "tool.user_requested" => {
                self.call(event, AskedBy::Person);
            }
            "tool.execution_complete" => self.result(event),
            "permission.completed" => {
                let call = event.call_id().and_then(|id| self.calls.get_mut(id));
                if let Some(call) = call.filter(|call| call.runs_from.is_some()) {
                    call.runs_from = call.runs_from.max(event.time);
                }
            }
            "user.message" => {
                let prompt = self.mark(event.text("content").unwrap_or_default());
                *self.prompts.entry(prompt).or_default() += 1;
                let attached = event.data().get("attachments").map(Json::items);
                self.name_assets(attached.unwrap_or_default());
            }
            "hook.start" => {
                if let Some(prompt) = hook_prompt(event) {
                    self.hook_prompts.push((event.key, self.mark(prompt)));
                }
            }
            "session.binary_asset" => self.asset(event),
            "session.usage_record" => self.request(event),
            // Counters go on over resumes, so the last shutdown has all (agentsview).
            "session.shutdown" => {
                let total = spending::total(event.data());
                if total < self.counted {
                    self.told_before = self.told_at_shutdown.clone();
                } else {
                    self.shutdowns.pop();
                }
                self.counted = total;
                self.told_at_shutdown = self.told.clone();
                let told = self.told.since(&self.told_before);
                self.counts_less = spending::is_less(event.data(), &told);
                self.shutdowns.push((event.key, told));
            }
            _ => {}
        }
    }

    /// At the end of the file.
    pub(super) fn finish(mut self) -> FirstPass {
        self.partials.finish();
        for (key, prompt) in std::mem::take(&mut self.hook_prompts) {
            match self.prompts.get_mut(&prompt).filter(|left| **left > 0) {
                Some(left) => *left -= 1,
                None => {
                    self.lone_prompts.insert(key);
                }
            }
        }
        self
    }

    /// Whether a response tells this reasoning too.
    pub(super) fn is_told(&self, reasoning: &str) -> bool {
        self.reasoning.contains(&self.mark(reasoning))
    }

    /// The call that started the sub-agent whose event it is; none for the main agent's.
    pub(super) fn agent_of<'s>(&'s self, event: &'s Event<'_>) -> Option<&'s str> {
        let of_call = || self.calls.get(event.call_id()?)?.agent.as_deref();
        let named = match event.kind() {
            kind if kind.starts_with("subagent.") => event.call_id().or(event.agent()),
            _ => event.agent().map(|agent| self.call_of(agent)).or_else(of_call),
        };
        named.map(|agent| self.call_of(agent))
    }

    /// The sub-agent that made a call.
    pub(super) fn agent_of_call(&self, call: &str) -> Option<&str> {
        Some(self.call_of(self.calls.get(call)?.agent.as_deref()?))
    }

    /// A sub-agent is named by the call that started it, or by an id of its own.
    fn call_of<'s>(&'s self, agent: &'s str) -> &'s str {
        if self.calls.contains_key(agent) {
            return agent;
        }
        self.calls_of_agents.get(agent).map_or(agent, String::as_str)
    }

    fn response(&mut self, event: &Event<'_>) {
        let data = event.data();
        if let Some(words) = event.text("reasoningText") {
            self.reasoning.insert(self.mark(words));
        }
        let output = data.get("outputTokens").and_then(Json::as_f64).unwrap_or(0.0).max(0.0);
        let request = event.text("apiCallId").filter(|id| !id.is_empty());
        let is_recorded = request.is_some_and(|id| self.records.contains_key(id));
        if !is_recorded {
            self.told.add_output(event.text("model"), output);
        }
        if let Some(id) = request {
            *self.responded.entry(id.to_owned()).or_default() +=
                if is_recorded { 0.0 } else { output };
        }
        for request in data.get("toolRequests").map(Json::items).unwrap_or_default() {
            let Some(id) = text(request, "toolCallId").filter(|id| !id.is_empty()) else {
                continue;
            };
            let call = self.calls.entry(id.to_owned()).or_default();
            call.asked_by = call.asked_by.max(AskedBy::Response);
            call.agent = call.agent.take().or_else(|| event.agent().map(str::to_owned));
            call.named(text(request, "name"), request.get("arguments"));
        }
    }

    /// What a request took counts for the output that its response counted.
    fn request(&mut self, event: &Event<'_>) {
        let Some((id, record)) = Record::read(event.data()) else { return };
        if self.records.contains_key(&id) {
            return;
        }
        self.told.add(&record.model, record.tokens);
        if let Some(output) = self.responded.get_mut(&id) {
            self.told.add_output(Some(&record.model), -std::mem::take(output));
        }
        self.recorded.insert(id.clone());
        self.records.insert(id, record);
    }

    fn call(&mut self, event: &Event<'_>, asked_by: AskedBy) {
        let Some(id) = event.call_id() else { return };
        let arguments = event.data().get("arguments");
        let call = self.calls.entry(id.to_owned()).or_default();
        call.asked_by = call.asked_by.max(asked_by);
        call.agent = call.agent.take().or_else(|| event.agent().map(str::to_owned));
        call.named(event.text("toolName"), arguments);
        call.runs_from = call.runs_from.or(event.time);
        call.started_with = arguments.map(|arguments| arguments.clone().owned());
    }

    fn result(&mut self, event: &Event<'_>) {
        if let Some(id) = event.call_id() {
            let call = self.calls.entry(id.to_owned()).or_default();
            call.has_result = true;
            call.agent = call.agent.take().or_else(|| event.agent().map(str::to_owned));
            call.named(event.text("toolName"), None);
        }
        if let Some(result) = event.data().get("result") {
            for list in ["contents", "binaryResultsForLlm"] {
                self.name_assets(result.get(list).map(Json::items).unwrap_or_default());
            }
        }
    }

    fn asset(&mut self, event: &Event<'_>) {
        let named = |key| event.text(key).map(str::to_owned);
        if let (Some(id), Some(data)) = (named("assetId"), named("data")) {
            let mime_type = named("mimeType").unwrap_or_default();
            self.assets.entry(id).or_insert(Asset { mime_type, data });
        }
    }

    fn name_assets(&mut self, blocks: &[Json<'_>]) {
        let named = blocks.iter().filter_map(|block| text(block, "assetId"));
        self.named_assets.extend(named.map(str::to_owned));
    }

    fn mark(&self, words: &str) -> u64 {
        self.hasher.hash_one(words.trim())
    }
}

impl CallFacts {
    fn named(&mut self, name: Option<&str>, arguments: Option<&Json<'_>>) {
        if self.name.is_none() {
            self.name = name.map(str::to_owned);
        }
        let is_task = self.name.as_deref().is_some_and(|name| Tool::of(name) == Tool::Task);
        let Some(arguments) = arguments.filter(|_| is_task) else { return };
        let told = |keys: &[&str]| keys.iter().find_map(|key| text(arguments, key)).map(one_line);
        self.task = self.task.take().or_else(|| told(&["description", "prompt"]));
        self.agent_type = self.agent_type.take().or_else(|| told(&["agent_type"]));
    }
}

/// The prompt that a hook was given.
// It mostly repeats a `user.message` (letta trajectory).
pub(super) fn hook_prompt<'e>(event: &'e Event<'_>) -> Option<&'e str> {
    let is_prompts = event.text("hookType") == Some("userPromptSubmitted");
    let prompt = text(event.data().get("input").filter(|_| is_prompts)?, "prompt")?;
    (!prompt.trim().is_empty()).then_some(prompt)
}
