//! What a file says happened, in order: which messages are current, and which were rewound or
//! replaced and are branches of their own. A line is read first, then each message finds its place: a new one behind
//! the last, one of a known id in place of the earlier one. `$rewindTo` and `$set.messages` change which are current.
//! At the end every message gets its parent. Order and meaning of the lines: gemini-cli, 0.61.0.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::format::document::Document;
use crate::format::lines::{Value, scan_json};
use crate::format::probe::text;
use crate::format::spans::{items, members};
use crate::session::json::Json;
use crate::session::{Damage, DamageKind, Place};

use super::history::History;
use super::parts::{self, is_silent};

/// Every version of every message of a file.
#[derive(Default)]
pub(super) struct Log<'s> {
    pub(super) nodes: Vec<Node<'s>>,
    /// What the file says of the session, the later word last.
    pub(super) about: Vec<(String, Json<'static>)>,
    /// The places in `about` by name.
    about_by_name: HashMap<String, usize>,
    pub(super) damage: Vec<Damage>,
    pub(super) counts: Counts,
    /// The current messages, as places among the nodes.
    current: Vec<usize>,
    /// Their places in `current` by id.
    by_id: HashMap<String, usize>,
    /// How many of the current messages up to each one a history lists.
    listed: Vec<usize>,
    history: History,
    /// The nodes that say what their messages cost.
    with_tokens: Vec<usize>,
    /// What a history says again in other words, until the next message is there to stand before.
    again: Vec<(u32, String, Cow<'s, str>)>,
}

/// Lines without rows of their own.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) updates: usize,
    pub(super) rewinds: usize,
    /// Versions of messages that a later one contains.
    pub(super) earlier: usize,
    /// Messages that a history lists again.
    pub(super) copies: usize,
}

/// A version of a message.
pub(super) struct Node<'s> {
    pub(super) line: u32,
    pub(super) id: String,
    pub(super) text: Cow<'s, str>,
    /// The entry before it, as a place among the nodes.
    pub(super) parent: Option<usize>,
    /// The first version of its message, in whose place it stands.
    slot: usize,
    /// It is among the current messages.
    pub(super) is_current: bool,
    /// The later version that contains it.
    contained_in: Option<usize>,
    /// Its message has no later version.
    pub(super) is_last: bool,
    /// No other version of its message is to be counted.
    pub(super) is_counted: bool,
}

impl<'s> Log<'s> {
    pub(super) fn read(source: &'s [u8]) -> Log<'s> {
        let mut log = Log::default();
        if is_object(source) {
            log.document(source);
        } else {
            let scan = scan_json(source, |value, json| log.line(source, &value, json));
            log.damage.extend(scan.damage);
        }
        log.finish();
        log
    }

    /// One object with all messages.
    fn document(&mut self, source: &'s [u8]) {
        let Document { text, damage } = Document::new(source);
        self.damage = damage;
        for (key, span) in members(&text) {
            if key == "messages" && text[span.start..].starts_with('[') {
                for item in items(&text, span) {
                    let Some(json) = Document::read(&text, item, &mut self.damage) else {
                        continue;
                    };
                    let text = match (&text, matches!(json, Json::Object(_))) {
                        (_, false) => {
                            self.odd(item.line);
                            continue;
                        }
                        // Borrowed from the file, unless it had to be repaired.
                        (Cow::Borrowed(whole), _) if is_valid(&whole[item.start..item.end]) => {
                            Cow::Borrowed(&whole[item.start..item.end])
                        }
                        _ => Cow::Owned(json.compact()),
                    };
                    let id =
                        id_of(&json).unwrap_or_else(|| format!("message-{}", self.nodes.len() + 1));
                    self.append(item.line, id, text, &json);
                }
            } else if let Some(json) = Document::read(&text, span, &mut self.damage) {
                self.set(key, json.owned());
            }
        }
    }

    /// Asked in the order in which Gemini CLI asks.
    fn line(&mut self, source: &'s [u8], value: &Value<'_>, json: Json<'_>) {
        if !matches!(json, Json::Object(_)) {
            return self.odd(value.line);
        }
        let text_of = || match value.place {
            Place::Source { start, len } => match str::from_utf8(&source[start..start + len]) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => Cow::Owned(value.text.to_owned()),
            },
            Place::Repaired(_) => Cow::Owned(value.text.to_owned()),
        };
        if let Some(to) = json.get("$rewindTo") {
            self.counts.rewinds += 1;
            // An id that is not there takes all back.
            let at = to.as_str().and_then(|id| self.by_id.get(id).copied());
            self.truncate(at.unwrap_or(0));
        } else if let Some(id) = id_of(&json) {
            match self.by_id.get(&id).copied() {
                Some(at) => self.replace(at, value.line, id, text_of(), &json),
                None => self.append(value.line, id, text_of(), &json),
            }
        } else if let Some(Json::Object(fields)) = json.get("$set") {
            self.counts.updates += 1;
            for (key, value_of) in fields {
                match (key.as_ref(), value_of) {
                    ("messages", Json::Array(messages)) => self.set_messages(value.line, messages),
                    (key, other) => self.set(key, other.clone().owned()),
                }
            }
        } else if text(&json, "sessionId").is_some() {
            if let Json::Object(fields) = json {
                for (key, value) in fields {
                    self.set(&key, value.owned());
                }
            }
        } else {
            self.append(value.line, value.line_id(), text_of(), &json);
        }
    }

    fn odd(&mut self, line: u32) {
        self.damage.push(Damage { line, kind: DamageKind::NotAnObject });
    }

    fn set(&mut self, key: &str, value: Json<'static>) {
        let at = self.about_by_name.get(key).copied();
        if let Some((_, known)) = at.and_then(|at| self.about.get_mut(at)) {
            // A resumed session writes its header again. 0.61.0.
            if key != "startTime" {
                *known = value;
            }
        } else {
            self.about_by_name.insert(key.to_owned(), self.about.len());
            self.about.push((key.to_owned(), value));
        }
    }

    fn append(&mut self, line: u32, id: String, text: Cow<'s, str>, json: &Json<'_>) {
        self.write_again();
        self.put(line, id, text, json);
    }

    fn put(&mut self, line: u32, id: String, text: Cow<'s, str>, json: &Json<'_>) {
        let slot = self.nodes.len();
        self.by_id.insert(id.clone(), self.current.len());
        self.current.push(slot);
        self.listed.push(self.listed_before(self.listed.len()) + usize::from(!is_silent(json)));
        self.add(line, id, text, slot, json);
    }

    /// How many of the current messages before this place a history lists.
    fn listed_before(&self, place: usize) -> usize {
        place.checked_sub(1).and_then(|at| self.listed.get(at)).copied().unwrap_or_default()
    }

    /// Puts what was said again behind what is there so far. Histories do not list it there.
    fn write_again(&mut self) {
        for (line, id, text) in std::mem::take(&mut self.again) {
            let json: Json<'_> = serde_json::from_str(&text).unwrap_or(Json::Null);
            let json = json.owned();
            self.put(line, format!("{id}~line-{line}"), text, &json);
            if let Some(last) = self.listed.len().checked_sub(1) {
                self.listed[last] = self.listed_before(last);
            }
        }
    }

    fn add(&mut self, line: u32, id: String, text: Cow<'s, str>, slot: usize, json: &Json<'_>) {
        if json.get("tokens").is_some_and(Json::is_truthy) {
            self.with_tokens.push(self.nodes.len());
        }
        self.nodes.push(Node {
            line,
            id,
            text,
            parent: None,
            slot,
            is_current: false,
            contained_in: None,
            is_last: false,
            is_counted: false,
        });
    }

    /// Another version of a current message. Mostly the same with more to it, written as it grew.
    fn replace(&mut self, at: usize, line: u32, id: String, text: Cow<'s, str>, json: &Json<'_>) {
        let old = self.current[at];
        let new = self.nodes.len();
        let before: Json<'_> = serde_json::from_str(&self.nodes[old].text).unwrap_or(Json::Null);
        let is_contained = contains(json, &before);
        let parent = at.checked_sub(1).map(|above| self.current[above]);
        let slot = self.nodes[old].slot;
        if is_contained {
            self.nodes[old].contained_in = Some(new);
            self.counts.earlier += 1;
        } else {
            self.nodes[old].parent = parent;
        }
        self.current[at] = new;
        self.add(line, id, text, slot, json);
        if at + 1 == self.listed.len() {
            // A message grows while it is the last one.
            self.listed[at] = self.listed_before(at) + usize::from(!is_silent(json));
        }
    }

    /// Drops the messages from there on, which stay as a branch.
    fn truncate(&mut self, at: usize) {
        self.hang(at);
        self.listed.truncate(at);
        for node in self.current.drain(at.min(self.current.len())..) {
            let id = &self.nodes[node].id;
            if self.by_id.get(id).is_some_and(|&place| place >= at) {
                self.by_id.remove(id);
            }
        }
    }

    /// Hangs the current messages from there on, each from the one before.
    fn hang(&mut self, from: usize) {
        for at in from..self.current.len() {
            self.nodes[self.current[at]].parent =
                at.checked_sub(1).map(|above| self.current[above]);
        }
    }

    /// All messages at once: after a compression, from a checkpoint, or in a session that goes on.
    /// Those that are there already are the same ones, even where they are listed without their
    /// tokens and results. What a history does not list (errors, commands) stays where it is.
    // gemini-cli: `$set` {messages} replaces all. 0.61.0 writes it on `--resume`, with parts and extra
    // `<id>_response` rows.
    fn set_messages(&mut self, line: u32, messages: &[Json<'_>]) {
        if !self.current.is_empty() {
            self.history.learn(self.nodes.iter().map(|node| node.text.as_ref()));
        }
        let (mut at, mut is_same) = (0, true);
        for (nth, json) in messages.iter().enumerate() {
            if !matches!(json, Json::Object(_)) {
                self.odd(line);
                continue;
            }
            let id = id_of(json).unwrap_or_else(|| format!("line-{line}-message-{}", nth + 1));
            let known = self.by_id.get(&id).copied().filter(|&place| {
                place >= at && self.listed_before(place) == self.listed_before(at)
            });
            if let Some(place) = known {
                at = place + 1;
                if self.history.says(self.current[place], json) {
                    self.counts.copies += 1;
                } else if parts::is_session_context(json) {
                    self.say_again(line, id, json);
                } else {
                    self.replace(place, line, id, Cow::Owned(json.compact()), json);
                    self.history.learn(self.nodes.iter().map(|node| node.text.as_ref()));
                }
            } else if is_same && self.history.has_results(json) {
                self.say_again(line, id, json);
            } else {
                is_same = false;
                self.truncate(at);
                self.append(line, id, Cow::Owned(json.compact()), json);
                at = self.current.len();
            }
        }
        // A session that goes on begins with its context alone, and lists its history behind it.
        let begins = !messages.is_empty() && messages.iter().all(parts::is_session_context);
        if !begins && self.listed_before(at) != self.listed_before(self.current.len()) {
            self.truncate(at);
        }
    }

    /// A message that is there already, which says something else now.
    fn say_again(&mut self, line: u32, id: String, json: &Json<'_>) {
        if self.history.is_new(&id, json) {
            self.again.push((line, id, Cow::Owned(json.compact())));
        } else {
            self.counts.copies += 1;
        }
    }

    fn finish(&mut self) {
        self.write_again();
        self.hang(0);
        for &at in &self.current {
            self.nodes[at].is_current = true;
        }
        for at in self.standing(0..self.nodes.len()) {
            self.nodes[at].is_last = true;
        }
        for at in self.standing(self.with_tokens.iter().copied()) {
            self.nodes[at].is_counted = true;
        }
        // Later versions come later, so that one step leads to the last.
        let mut stands_for: Vec<usize> = (0..self.nodes.len()).collect();
        for at in (0..self.nodes.len()).rev() {
            if let Some(later) = self.nodes[at].contained_in {
                stands_for[at] = stands_for[later];
            }
        }
        for node in &mut self.nodes {
            node.parent = node.parent.map(|parent| stands_for[parent]);
        }
    }

    /// The versions that stand for the messages, of those: the current one, else the last.
    fn standing(&self, of: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut last: HashMap<&str, usize> = HashMap::new();
        for (at, node) in of.map(|at| (at, &self.nodes[at])) {
            let known = last.get(node.id.as_str());
            if known.is_none_or(|&known| node.is_current || !self.nodes[known].is_current) {
                last.insert(&node.id, at);
            }
        }
        last.into_values().collect()
    }

    /// The messages to be shown, parents first.
    pub(super) fn order(&self) -> Vec<usize> {
        let shown = |at: &usize| self.nodes[*at].contained_in.is_none();
        let mut order: Vec<usize> = (0..self.nodes.len()).filter(shown).collect();
        order.sort_by_key(|&at| (self.nodes[at].slot, at));
        order
    }

    /// The last of the current messages.
    pub(super) fn leaf(&self) -> Option<usize> {
        self.current.last().copied()
    }
}

/// Whether the file is one object with messages, not lines.
fn is_object(source: &[u8]) -> bool {
    /// All that comes before the messages is small.
    const HEAD_BYTES: usize = 64 << 10;
    let source = source.strip_prefix(b"\xef\xbb\xbf").unwrap_or(source).trim_ascii_start();
    let head = &source[..source.len().min(HEAD_BYTES)];
    let first_line = memchr::memchr(b'\n', head).map_or(head, |end| &head[..end]);
    let is_line = serde_json::from_slice::<serde::de::IgnoredAny>(first_line).is_ok();
    let head = String::from_utf8_lossy(head);
    let members = members(&head);
    let has_messages = members.iter().any(|(key, _)| *key == "messages");
    has_messages || !is_line && head.starts_with('{') && first_line.trim_ascii() == b"{"
}

fn is_valid(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn id_of(json: &Json<'_>) -> Option<String> {
    text(json, "id").filter(|id| !id.is_empty()).map(str::to_owned)
}

/// Whether a version of a message says all that an earlier one says.
fn contains(new: &Json<'_>, old: &Json<'_>) -> bool {
    if text(new, "type") != text(old, "type") {
        return false;
    }
    let list =
        |json: &Json<'_>, key: &str| json.get(key).map(Json::items).unwrap_or_default().len();
    let ids = |json: &Json<'_>| -> Vec<String> {
        let calls = json.get("toolCalls").map(Json::items).unwrap_or_default();
        calls.iter().map(|call| text(call, "id").unwrap_or_default().to_owned()).collect()
    };
    let known: std::collections::HashSet<String> = ids(new).into_iter().collect();
    list(old, "thoughts") <= list(new, "thoughts")
        && ids(old).iter().all(|id| known.contains(id))
        && parts::plain(new).starts_with(parts::plain(old).trim_end())
}
