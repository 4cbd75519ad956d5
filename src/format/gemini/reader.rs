//! Messages as entries.
//!
//! Types user, gemini, info, warning and error, and `toolCalls` with results in them: gemini-cli, 0.61.0. Fixtures of
//! other readers also have model and assistant.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use crate::format::blocks::{text_block, thinking, usage};
use crate::format::document::Document;
use crate::format::entry::{self, custom};
use crate::format::fields::{ObjectFields, object};
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::format::translation::{Spot, Translation};
use crate::session::json::Json;
use crate::session::text::{count, counted};
use crate::session::{Format, time};

use super::agents::Wanted;
use super::log::{Log, Node};
use super::parts::{self, Content, injected};
use super::results::{Call, response};

pub(super) struct GeminiReader<'s> {
    out: Translation,
    log: Log<'s>,
    wanted: Wanted,
    /// The results so far, by a hash of their words and by the id of their call.
    answered: HashSet<(String, u64)>,
    /// Random for each run, so that no file can bring two results to collide.
    hasher: RandomState,
    /// Results that stand in a call and again in a message.
    repeated: usize,
    /// The last entry of each node so far.
    tails: Vec<Option<String>>,
    /// The row of what the file says of the session.
    root: Option<String>,
}

/// Where the next entry goes.
struct Chain {
    line: u32,
    id: String,
    last: Option<String>,
    time: Option<i64>,
    /// How many entries hang below the first.
    further: usize,
}

impl<'s> GeminiReader<'s> {
    pub(super) fn new(log: Log<'s>) -> GeminiReader<'s> {
        let tails = log.nodes.iter().map(|_| None).collect();
        GeminiReader {
            out: Translation::new(Format::Gemini),
            log,
            wanted: Wanted::default(),
            answered: HashSet::new(),
            hasher: RandomState::new(),
            repeated: 0,
            tails,
            root: None,
        }
    }

    pub(super) fn finish(mut self) -> (Translation, Wanted) {
        self.about();
        for at in self.log.order() {
            self.node(at);
        }
        if let Some(leaf) = self.log.leaf().and_then(|at| self.tails[at].clone()) {
            self.out.leaf(leaf);
        } else if let Some(root) = self.root.take() {
            self.out.leaf(root);
        }
        let counts = &self.log.counts;
        let told = [
            (counts.updates, "update of metadata", "updates of metadata"),
            (counts.rewinds, "rewind", "rewinds"),
            (counts.earlier, "earlier version of a message", "earlier versions of messages"),
            (counts.copies, "copy of a message", "copies of messages"),
            (self.repeated, "copy of a result", "copies of results"),
        ];
        let told: Vec<String> = told
            .iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(number, one, many)| {
                format!("{} {}", count(*number), if *number == 1 { one } else { many })
            })
            .collect();
        if !told.is_empty() {
            self.out.note(format!("Not shown: {}", told.join(", ")));
        }
        let branches = self.log.nodes.iter().filter(|node| !node.is_current);
        let left = branches.count() - self.log.counts.earlier.min(self.log.nodes.len());
        if left > 0 {
            let messages = counted(left, "message");
            self.out.note(format!("{messages} rewound or replaced, shown on other branches"));
        }
        let damage = std::mem::take(&mut self.log.damage);
        Document::told(damage, &mut self.out);
        (self.out, self.wanted)
    }

    /// Header, title, and a row that holds all that the file says of the session.
    fn about(&mut self) {
        let about = std::mem::take(&mut self.log.about);
        let find = |name: &str| about.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        let words = |name: &str| find(name).and_then(Json::as_str).map(str::to_owned);
        let header = self.out.header();
        header.version = 1;
        header.id = words("sessionId").unwrap_or_default();
        header.time = find("startTime").and_then(time::read);
        header.title = words("summary");
        self.wanted.session.clone_from(&header.id);
        if about.is_empty() || self.log.nodes.is_empty() {
            return;
        }
        let id = "session".to_owned();
        self.root = Some(id.clone());
        let spot = Spot { line: 1, id: Some(id), parent_id: None, time: None };
        let data = about.into_iter().map(|(key, value)| (key.into(), value)).collect();
        self.out.push(spot, "custom", custom("session", Json::Object(data)));
    }

    fn node(&mut self, at: usize) {
        let Some(Node { line, id, text: source, parent, is_last, is_counted, .. }) =
            self.log.nodes.get(at)
        else {
            return;
        };
        let (line, is_last, is_counted) = (*line, *is_last, *is_counted);
        let source = source.clone();
        let json: Json<'_> = serde_json::from_str(&source).unwrap_or(Json::Null);
        let id = if is_last { id.clone() } else { format!("{id}~{}", at + 1) };
        let last = parent.and_then(|parent| self.tails[parent].clone());
        let mut chain = Chain {
            line,
            id,
            last: last.or_else(|| self.root.clone()),
            time: json.get("timestamp").and_then(time::read),
            further: 0,
        };
        match text(&json, "type") {
            Some("user") => self.user(&mut chain, &json),
            Some("gemini" | "model" | "assistant") => {
                self.response(&mut chain, &json, is_counted);
            }
            Some("error") => {
                let message = NewMessage::stopped("error", Some(parts::plain(&json)));
                self.message(&mut chain, None, message.json());
            }
            Some(known @ ("info" | "warning")) => {
                self.push(&mut chain, None, "custom", custom(known.to_owned(), json.clone()));
            }
            kind => {
                let (entry_type, fields) = entry::unknown(kind.unwrap_or("unknown"), json.clone());
                self.push(&mut chain, None, entry_type, fields);
                self.out.last_is_not_understood();
            }
        }
        self.tails[at] = chain.last;
    }

    /// The first entry of a message has its id, those behind it a number too.
    fn push(
        &mut self,
        chain: &mut Chain,
        time: Option<i64>,
        entry_type: &str,
        fields: ObjectFields<'_>,
    ) -> String {
        let id = match chain.further {
            0 => chain.id.clone(),
            further => format!("{}-{further}", chain.id),
        };
        chain.further += 1;
        let spot = Spot {
            line: chain.line,
            id: Some(id.clone()),
            parent_id: chain.last.replace(id.clone()),
            time: time.or(chain.time),
        };
        self.out.push(spot, entry_type, fields);
        id
    }

    fn message(&mut self, chain: &mut Chain, time: Option<i64>, message: Json<'_>) -> String {
        self.push(chain, time, "message", entry::message(message))
    }

    /// A prompt, what the program put in under the user's name, or results.
    fn user(&mut self, chain: &mut Chain, json: &Json<'_>) {
        let content = Content::of(json, &chain.id);
        let has_words = !content.blocks.is_empty();
        if has_words || content.responses.is_empty() {
            let words = |block: &Json<'_>| injected(text(block, "text").unwrap_or_default().trim());
            let first = content.blocks.first().and_then(words);
            // What the program put in stands before the prompt, in parts of its own.
            let own = content.blocks.iter().take_while(|&block| words(block) == first).count();
            let mut blocks = content.blocks;
            let prompt = blocks.split_off(if first.is_some() { own } else { 0 });
            match first {
                // Gemini CLI answers a command itself: no model gets it.
                Some("command") => {
                    let given = json.get("content").cloned().unwrap_or(Json::Null);
                    self.push(chain, None, "custom", custom("command", given));
                }
                Some(name) => {
                    let fields = entry::custom_message(name, blocks, false);
                    self.push(chain, None, "custom_message", fields);
                }
                None => {}
            }
            let is_prompt = first.is_none() || first != Some("command") && !prompt.is_empty();
            if is_prompt {
                self.message(chain, None, NewMessage::user(prompt).json());
            }
        }
        for given in &content.responses {
            let id = text(given, "id").unwrap_or_default();
            let result = response(given);
            // The call itself may hold the same result.
            if self.is_new(id, &result) {
                self.message(chain, None, result);
            } else {
                self.repeated += 1;
            }
        }
        self.displayed(chain, json);
    }

    /// Whether a call has no result so far that says the same.
    fn is_new(&mut self, call: &str, result: &Json<'_>) -> bool {
        let words = result.get("content").map(Json::compact).unwrap_or_default();
        call.is_empty() || self.answered.insert((call.to_owned(), self.hasher.hash_one(words)))
    }

    /// What stood on the screen, where the model got something else.
    fn displayed(&mut self, chain: &mut Chain, json: &Json<'_>) {
        let shown = json.get("displayContent").filter(|shown| shown.is_truthy());
        let Some(shown) = shown else { return };
        let as_message = object([("content", Some(shown.clone()))]);
        if chain.further == 0 || !parts::plain(json).contains(&parts::plain(&as_message)) {
            self.push(chain, None, "custom", custom("displayContent", shown.clone()));
        }
    }

    fn response(&mut self, chain: &mut Chain, json: &Json<'_>, is_counted: bool) {
        let content = Content::of(json, &chain.id);
        let thoughts = json.get("thoughts").map(Json::items).unwrap_or_default();
        let mut blocks: Vec<Json<'_>> = match thoughts {
            [] => content.thoughts,
            thoughts => thoughts.iter().map(thought).collect(),
        };
        blocks.extend(content.blocks);
        let given = json.get("toolCalls").map(Json::items).unwrap_or_default();
        let calls: Vec<Call<'_, '_>> =
            given.iter().enumerate().map(|(nth, call)| Call::new(call, &chain.id, nth)).collect();
        // The same calls may stand in the content too.
        let known: HashSet<&str> = calls.iter().map(|call| call.id.as_str()).collect();
        let only_there = content.calls.into_iter().filter(|(id, _)| match id {
            Some(id) => !known.contains(id.as_str()),
            None => given.is_empty(),
        });
        blocks.extend(only_there.map(|(_, call)| call));
        blocks.extend(calls.iter().map(Call::block));
        let has_calls = blocks.iter().any(|block| text(block, "type") == Some("toolCall"));
        let model = text(json, "model").map(str::to_owned);
        let tokens = json.get("tokens").filter(|_| is_counted);
        let message = NewMessage::assistant(blocks)
            .provider(model.as_ref().map(|_| "google"))
            .model(model)
            .usage(tokens.map(tokens_of))
            .ended(has_calls);
        let own = self.message(chain, None, message.json());
        for given in &content.responses {
            self.message(chain, None, response(given));
        }
        for call in &calls {
            let mut entry = own.clone();
            if let Some(result) = call.result() {
                self.is_new(&call.id, &result);
                entry = self.message(chain, call.time(), result);
            }
            if let Some(mut started) = call.agent() {
                started.entry = entry;
                self.wanted.started.push(started);
            }
        }
        self.displayed(chain, json);
    }
}

fn thought<'a>(thought: &Json<'a>) -> Json<'a> {
    let words = match (text(thought, "subject"), text(thought, "description")) {
        (Some(subject), Some(description)) if !subject.is_empty() => {
            format!("**{subject}**\n\n{description}")
        }
        (Some(words), None) | (_, Some(words)) => words.to_owned(),
        (None, None) => return text_or_whole(thought),
    };
    thinking(words)
}

fn text_or_whole<'a>(thought: &Json<'a>) -> Json<'a> {
    match thought {
        Json::Null => text_block(""),
        other => thinking(other.clone().into_text()),
    }
}

/// Input counts what came from the cache too. Thoughts and what tools put into the prompt are apart.
// `tokens` {input, output, cached, thoughts, tool, total}, counts: gemini-cli, 0.61.0.
fn tokens_of(tokens: &Json<'_>) -> Json<'static> {
    let count = |key: &str| {
        tokens.get(key).and_then(Json::as_f64).filter(|count| *count >= 0.0).unwrap_or(0.0)
    };
    let cached = count("cached");
    let input = (count("input") - cached).max(0.0) + count("tool");
    usage(input, count("output") + count("thoughts"), cached, None)
}
