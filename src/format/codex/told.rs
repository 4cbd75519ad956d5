//! Which events say what an item says too: these words are shown once. Events by type: 0.77.0 to 0.146.0; as items:
//! 0.169.0.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};

use crate::format::probe::text;
use crate::session::json::Json;

use super::items::{content, reasoning_texts};

/// A value of the file: its line, and which one on that line.
pub(super) type Key = (u32, u32);

/// Whose words they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Said {
    Prompt,
    Response,
    Thinking,
}

impl Said {
    fn of_event(event: &str) -> Option<Said> {
        match event {
            "user_message" => Some(Said::Prompt),
            "agent_message" => Some(Said::Response),
            "agent_reasoning" | "agent_reasoning_raw_content" => Some(Said::Thinking),
            _ => None,
        }
    }

    /// The words of such an event.
    fn words<'j>(self, payload: &'j Json<'_>) -> &'j str {
        let key = if self == Said::Thinking { "text" } else { "message" };
        text(payload, key).unwrap_or_default()
    }

    /// Whose words an event says, and the words. Newer versions write them as the item that
    /// `item_completed` holds.
    pub(super) fn by_event<'j>(event: &str, payload: &'j Json<'_>) -> Option<(Said, Cow<'j, str>)> {
        if let Some(said) = Said::of_event(event) {
            return Some((said, said.words(payload).into()));
        }
        let item = payload.get("item").filter(|_| event == "item_completed")?;
        let parts = |key: &str| {
            let parts = item.get(key).map(Json::items).unwrap_or_default();
            let texts = parts.iter().filter_map(|part| part.as_str().or(text(part, "text")));
            texts.collect::<Vec<_>>()
        };
        let (said, words) = match text(item, "type")? {
            "UserMessage" => (Said::Prompt, parts("content").concat()),
            "AgentMessage" => (Said::Response, parts("content").concat()),
            "Reasoning" => {
                let raw = parts("raw_content");
                let words = if raw.is_empty() { parts("summary_text") } else { raw };
                (Said::Thinking, words.join("\n\n"))
            }
            _ => return None,
        };
        Some((said, words.into()))
    }
}

struct Event {
    key: Key,
    said: Said,
    words: String,
}

/// An item: all its words, and the parts that events may tell one by one.
struct Item {
    said: Said,
    whole: String,
    parts: Vec<String>,
}

/// Brings events and items together. First those of one exchange, where the
/// same words stand near each other; what is left by its words alone.
#[derive(Default)]
pub(super) struct Told {
    is_prompting: bool,
    events: Vec<Event>,
    items: Vec<Item>,
    /// Events and parts of items without a partner in their exchange, by the hash of their words.
    lone_events: Vec<(Key, u64)>,
    lone_items: HashMap<u64, usize>,
    /// Random for each run, so that no file can bring two texts to collide.
    hasher: RandomState,
    met: HashSet<Key>,
    /// The ids of items, and of the events that tell an item by its id.
    ids: HashSet<String>,
    by_id: Vec<(Key, String)>,
}

impl Told {
    pub(super) fn event(&mut self, key: Key, said: Said, words: &str) {
        let words = words.trim().to_owned();
        self.exchange(said);
        if !words.is_empty() {
            self.events.push(Event { key, said, words });
        }
    }

    /// The event tells the item of this id.
    pub(super) fn names(&mut self, key: Key, item: &str) {
        self.by_id.push((key, item.to_owned()));
    }

    pub(super) fn item(&mut self, item: &str, payload: &Json<'_>) {
        self.ids.extend(text(payload, "id").map(str::to_owned));
        let (said, parts) = match (item, text(payload, "role")) {
            ("message", Some("assistant")) => (Said::Response, block_texts(payload)),
            ("message", Some("user") | None) => (Said::Prompt, block_texts(payload)),
            ("reasoning", _) => (Said::Thinking, reasoning_texts(payload)),
            _ => return,
        };
        self.exchange(said);
        let whole = parts.concat();
        self.items.push(Item { said, whole, parts });
    }

    /// The events that an item tells too; the others are the only place of their words.
    pub(super) fn finish(mut self) -> HashSet<Key> {
        self.close();
        for (key, hash) in self.lone_events {
            if let Some(left) = self.lone_items.get_mut(&hash).filter(|left| **left > 0) {
                *left -= 1;
                self.met.insert(key);
            }
        }
        let by_id = self.by_id.into_iter().filter(|(_, item)| self.ids.contains(item));
        self.met.extend(by_id.map(|(key, _)| key));
        self.met
    }

    /// An exchange ends where the person speaks after the model, or the model after the person.
    fn exchange(&mut self, said: Said) {
        let is_prompting = said == Said::Prompt;
        if is_prompting != self.is_prompting {
            self.close();
            self.is_prompting = is_prompting;
        }
    }

    fn close(&mut self) {
        let mut free: HashMap<(Said, &str), VecDeque<usize>> = HashMap::new();
        for (at, item) in self.items.iter().enumerate() {
            let whole = (item.parts.len() != 1).then_some(item.whole.as_str());
            for words in item.parts.iter().map(String::as_str).chain(whole) {
                free.entry((item.said, words.trim())).or_default().push_back(at);
            }
        }
        let mut is_met = vec![false; self.items.len()];
        let mut lone: Vec<&Event> = Vec::new();
        for event in &self.events {
            let partner = free.get_mut(&(event.said, event.words.as_str()));
            match partner.and_then(VecDeque::pop_front) {
                Some(item) => {
                    is_met[item] = true;
                    self.met.insert(event.key);
                }
                None => lone.push(event),
            }
        }
        // Events leave out tags that only the program reads.
        let mut unmet = self.items.iter().zip(&is_met).filter(|(_, met)| !**met).map(|(i, _)| i);
        for event in lone {
            let next = unmet.next();
            if next.is_some_and(|item| item.said == event.said && item.whole.contains(&event.words))
            {
                self.met.insert(event.key);
            } else {
                let hash = self.hasher.hash_one((event.said, &event.words));
                self.lone_events.push((event.key, hash));
            }
        }
        for ((said, words), left) in free {
            let hash = self.hasher.hash_one((said, words));
            *self.lone_items.entry(hash).or_default() += left.len();
        }
        self.events.clear();
        self.items.clear();
    }
}

fn block_texts(payload: &Json<'_>) -> Vec<String> {
    let blocks = content(payload.get("content"));
    blocks.iter().filter_map(|block| Some(block.get("text")?.as_str()?.to_owned())).collect()
}
