//! The first pass: what must be known before the first entry is written. It goes over all values once; the second
//! pass (`reader.rs`) writes entries, and asks here for what later lines say: whether an event repeats an item
//! (`told.rs`), what a response took, where a turn was stopped, which call a result that came late belongs to.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use crate::format::blocks::{UsageFields, number};
use crate::format::lines::Value;
use crate::format::probe::text;
use crate::session::json::Json;

use super::ITEMS;
use super::ending::Endings;
use super::fork::Base;
use super::items::{injected, is_call, words_of};
use super::late::Late;
use super::system_prompt::SystemPrompt;
use super::thread::{Facts, FactsReader};
use super::told::{Key, Said, Told};

/// What must be known before the first entry is written.
#[derive(Default)]
pub(super) struct FirstPass {
    /// Whether messages, calls and reasoning stand in the file as items.
    pub(super) has_items: bool,
    /// Tokens by the answer that they were spent on.
    pub(super) tokens: HashMap<Key, Tokens>,
    /// The value that is the last answer.
    answer: Option<Key>,
    /// The last totals, to recognize a repeated count.
    totals: Option<[Option<f64>; 4]>,
    /// The last answer of this turn.
    turn_answer: Option<Key>,
    /// The answers at which a turn was stopped.
    pub(super) aborted: HashSet<Key>,
    /// The events that stopped a turn before it had an answer.
    pub(super) unanswered: HashSet<Key>,
    /// The calls that an event says failed.
    pub(super) endings: Endings,
    /// The tools by the ids of their calls.
    pub(super) names: HashMap<String, String>,
    /// Events whose words an item says too.
    pub(super) told: HashSet<Key>,
    /// Messages of the model that are the summary of a compaction.
    pub(super) summaries: HashSet<Key>,
    /// The last message of the model since the last compaction.
    said: Option<(Key, String)>,
    /// The system prompt of the header.
    pub(super) system: SystemPrompt,
    /// Messages that hold it again.
    pub(super) system_again: HashSet<Key>,
    /// What only an event says of a call.
    pub(super) late: Late,
    /// The threads whose headers are in the file, and those that they go on from.
    threads: HashSet<String>,
    bases: Vec<String>,
    matches: Told,
    /// Of each event that tells a response, the answer before it.
    before_event: BTreeMap<Key, Option<Key>>,
    /// Of those that an item says too, the answer that is no such event.
    moves: HashMap<Key, Option<Key>>,
    thread: FactsReader,
}

impl FirstPass {
    pub(super) fn new(parent_turns: Option<Rc<HashSet<String>>>) -> FirstPass {
        FirstPass { thread: FactsReader::new(parent_turns), ..FirstPass::default() }
    }

    pub(super) fn value(&mut self, value: &Value<'_>, json: &Json<'_>) {
        let (kind, payload) = unwrapped(json);
        self.thread.value(value, kind, payload);
        if kind == "session_meta" {
            self.system.header(payload);
            self.threads.extend(text(payload, "id").map(str::to_owned));
            self.bases.extend(Base::of(payload).map(|base| base.thread));
        }
        match (kind, text(payload, "type").unwrap_or_default()) {
            ("event_msg", "token_count") => self.tokens(payload),
            ("event_msg", "turn_aborted") => match self.turn_answer {
                Some(answer) => drop(self.aborted.insert(answer)),
                None => drop(self.unanswered.insert((value.line, value.nth))),
            },
            ("event_msg", "task_started" | "turn_started") => self.turn_answer = None,
            ("event_msg", event) => self.event((value.line, value.nth), event, payload),
            ("response_item", item) => self.item((value.line, value.nth), item, payload),
            ("token_usage_record", _) => {
                self.spent(payload.get("thread_token_usage"), payload.get("usage"), None);
            }
            ("compacted", _) => self.compacted(payload),
            _ => {}
        }
    }

    fn event(&mut self, key: Key, event: &str, payload: &Json<'_>) {
        self.endings.event(payload);
        self.late.event(key, event, payload);
        let Some((said, words)) = Said::by_event(event, payload) else { return };
        if let Some(item) = payload.get("item").and_then(|item| text(item, "id")) {
            // A question to the user, which its call tells.
            if self.names.contains_key(item) {
                self.told.insert(key);
                return;
            }
            self.matches.names(key, item);
        }
        self.matches.event(key, said, &words);
        if said == Said::Response {
            self.before_event.insert(key, self.answer);
            self.answered(key);
        } else if said == Said::Prompt {
            self.turn_answer = None;
        }
    }

    /// The model wrote the summary as a message, which the line repeats behind words of its own.
    // `compacted` {message = words of the program + the summary, replacement_history}: 0.169.0.
    fn compacted(&mut self, payload: &Json<'_>) {
        let summary = text(payload, "message").unwrap_or_default().trim_end();
        if let Some((key, words)) = self.said.take()
            && !words.is_empty()
            && summary.ends_with(&words)
        {
            self.summaries.insert(key);
        }
    }

    /// At the end of the file.
    pub(super) fn finish(mut self) -> (FirstPass, Facts) {
        self.told.extend(std::mem::take(&mut self.matches).finish());
        self.late.finish();
        // In file order, so that what moves to another such event moves on from there.
        for (event, before) in std::mem::take(&mut self.before_event) {
            if self.told.contains(&event) {
                self.moves.insert(event, self.moved(before));
                self.move_to_item(event);
            }
        }
        let thread = std::mem::take(&mut self.thread);
        (self, thread.finish())
    }

    /// The threads whose rows stand before those of this file, and are not in it.
    pub(super) fn missing_history(&self) -> impl Iterator<Item = &str> {
        let bases = self.bases.iter().filter(|thread| !self.threads.contains(*thread));
        bases.map(String::as_str)
    }

    fn moved(&self, answer: Option<Key>) -> Option<Key> {
        answer.and_then(|key| self.moves.get(&key).copied().unwrap_or(Some(key)))
    }

    /// What was put down for a response that an item says too is that item's.
    fn move_to_item(&mut self, event: Key) {
        let Some(item) = self.moved(Some(event)) else { return };
        if let Some(tokens) = self.tokens.remove(&event) {
            let before = self.tokens.remove(&item).unwrap_or_default();
            self.tokens.insert(item, before.plus(tokens));
        }
        if self.aborted.remove(&event) {
            self.aborted.insert(item);
        }
    }

    fn item(&mut self, key: Key, item: &str, payload: &Json<'_>) {
        self.matches.item(item, payload);
        let is_answer = match item {
            "message" => {
                self.has_items = true;
                let is_answer = text(payload, "role") == Some("assistant");
                if is_answer {
                    self.said = Some((key, words_of(payload).trim().to_owned()));
                } else if self.system.repeats(payload) {
                    self.system_again.insert(key);
                }
                is_answer
            }
            kind => is_call(kind),
        };
        if is_answer {
            self.answered(key);
        } else if item == "message" && is_prompt(payload) || self.thread.is_task(item, payload) {
            self.turn_answer = None;
        }
        if let Some((call, name)) = text(payload, "call_id").zip(text(payload, "name")) {
            self.names.insert(call.to_owned(), name.to_owned());
        }
        self.late.item(item, payload);
        if item == "local_shell_call" {
            let call = text(payload, "call_id").or(text(payload, "id"));
            self.names.extend(call.map(|call| (call.to_owned(), "local_shell".to_owned())));
        }
    }

    fn answered(&mut self, key: Key) {
        self.answer = Some(key);
        self.turn_answer = Some(key);
    }

    fn tokens(&mut self, payload: &Json<'_>) {
        let Some(info) = payload.get("info") else { return };
        let window = info.get("model_context_window").and_then(Json::as_f64);
        let window = window.filter(|window| *window > 0.0);
        self.spent(info.get("total_token_usage"), info.get("last_token_usage"), window);
    }

    /// What an answer took comes after it: in a record of its own, which newer versions write, and
    /// in a count, which may come twice. All say what the thread took until then.
    // `token_usage_record` {usage, thread_token_usage}: 0.169.0; `token_count`: 0.146.0, 0.169.0. Counts of tokens.
    fn spent(&mut self, total: Option<&Json<'_>>, last: Option<&Json<'_>>, window: Option<f64>) {
        let counts = ["input_tokens", "cached_input_tokens", "output_tokens", "total_tokens"];
        let totals = total.map(|total| counts.map(|key| total.get(key).and_then(Json::as_f64)));
        let is_known = totals.is_some() && totals == self.totals;
        self.totals = totals.or(self.totals.take());
        let Some(key) = self.answer.filter(|_| !self.thread.is_inherited()) else { return };
        let last = last.filter(|_| !is_known);
        if last.is_none() && !self.tokens.contains_key(&key) {
            return;
        }
        let tokens = self.tokens.entry(key).or_default();
        last.inspect(|last| tokens.add(last));
        tokens.window = window.or(tokens.window);
    }
}

/// Whether a person wrote a message.
fn is_prompt(message: &Json<'_>) -> bool {
    let blocks = message.get("content").map(Json::items).unwrap_or_default();
    let beginning = blocks.iter().find_map(|block| text(block, "text")).unwrap_or_default();
    text(message, "role") == Some("user") && injected(beginning).is_none()
}

/// What was spent on an answer.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tokens {
    /// Input, output, read from a cache, written to it.
    counts: [f64; 4],
    /// What the model's context can hold.
    window: Option<f64>,
}

impl Tokens {
    fn add(&mut self, told: &Json<'_>) {
        let count = |key: &str| told.get(key).and_then(Json::as_f64).unwrap_or(0.0);
        let cached = count("cached_input_tokens");
        // Their input counts what came from the cache too. And output counts reasoning (0.169.0; codex-rs, protocol:
        // `TokenUsage`).
        let input = (count("input_tokens") - cached).max(0.0);
        let told = [input, count("output_tokens"), cached, count("cache_write_input_tokens")];
        for (sum, count) in self.counts.iter_mut().zip(told) {
            *sum += count;
        }
    }

    /// Both together.
    pub(super) fn plus(self, other: Tokens) -> Tokens {
        let mut sum = self;
        for (sum, count) in sum.counts.iter_mut().zip(other.counts) {
            *sum += count;
        }
        sum.window = other.window.or(sum.window);
        sum
    }

    pub(super) fn window(self) -> Option<Json<'static>> {
        self.window.and_then(number)
    }

    pub(super) fn usage(self) -> Json<'static> {
        let [input, output, cache_read, cache_write] = self.counts.map(number);
        UsageFields { input, output, cache_read, cache_write, cost: None }.json()
    }
}

/// The kind of a line and its payload, whichever generation it is of.
pub(super) fn unwrapped<'j, 'a>(json: &'j Json<'a>) -> (&'j str, &'j Json<'a>) {
    match (text(json, "type"), json.get("payload")) {
        (Some(kind), Some(payload)) => (kind, payload),
        (Some(item), None) if ITEMS.contains(&item) || is_call(item) => ("response_item", json),
        (Some(kind), None) => (kind, json),
        (None, _) if text(json, "record_type").is_some() => ("record", json),
        (None, _) => ("session_meta", json),
    }
}
