//! What messages say, for telling which of a listed history are there already. A session that goes on
//! lists its history as the model got it: with the same ids, but as parts, without tokens, and with
//! the results of calls once more as messages of their own. Seen in 0.61.0 with `--resume`.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use crate::format::probe::text;
use crate::session::json::Json;

use super::parts::{Content, plain};

/// What is known of all versions of all messages so far.
#[derive(Default)]
pub(super) struct History {
    /// Of each node.
    said: Vec<Said>,
    /// The calls that have results.
    answered: HashSet<String>,
    /// The results, by the ids of their calls and by hashes of their words.
    results: HashSet<(String, u64)>,
    /// By id what a message said last that was said again.
    again: HashMap<String, u64>,
    /// Random for each run, so that no file can bring two texts to collide.
    hasher: RandomState,
}

/// What a message says.
#[derive(Default)]
struct Said {
    is_user: bool,
    words: u64,
    calls: HashSet<String>,
    results: HashSet<(String, u64)>,
    thoughts: usize,
}

impl History {
    /// Takes in the nodes that are not known yet, of the texts of all.
    pub(super) fn learn<'t>(&mut self, texts: impl Iterator<Item = &'t str>) {
        for text in texts.skip(self.said.len()) {
            let json: Json<'_> = serde_json::from_str(text).unwrap_or(Json::Null);
            let said = self.said(&json);
            for call in json.get("toolCalls").map(Json::items).unwrap_or_default() {
                self.answers(call.get("result").unwrap_or(&Json::Null));
            }
            for (call, _) in &said.results {
                self.answered.insert(call.clone());
            }
            self.results.extend(said.results.iter().cloned());
            self.said.push(said);
        }
    }

    fn answers(&mut self, result: &Json<'_>) {
        for response in Content::of_result(result).responses {
            let result = self.result(&response);
            self.answered.insert(result.0.clone());
            self.results.insert(result);
        }
    }

    /// The id of a result's call, and a hash of what it says.
    fn result(&self, response: &Json<'_>) -> (String, u64) {
        let call = text(response, "id").or_else(|| text(response, "name")).unwrap_or_default();
        let words = response.get("response").map(Json::compact).unwrap_or_default();
        (call.to_owned(), self.hasher.hash_one(words))
    }

    fn said(&self, json: &Json<'_>) -> Said {
        let content = Content::of(json, "");
        let list = |key: &str| json.get(key).map(Json::items).unwrap_or_default();
        let mut calls: HashSet<String> =
            content.calls.iter().filter_map(|(id, _)| id.clone()).collect();
        calls.extend(
            list("toolCalls").iter().filter_map(|call| text(call, "id")).map(str::to_owned),
        );
        Said {
            is_user: text(json, "type") == Some("user"),
            words: self.hasher.hash_one(plain(json).trim()),
            calls,
            results: content.responses.iter().map(|response| self.result(response)).collect(),
            thoughts: content.thoughts.len() + list("thoughts").len(),
        }
    }

    /// Whether a node says all that a listed message says.
    pub(super) fn says(&self, node: usize, listed: &Json<'_>) -> bool {
        let (Some(known), listed) = (self.said.get(node), self.said(listed)) else { return false };
        known.is_user == listed.is_user
            && known.words == listed.words
            && listed.thoughts <= known.thoughts
            && listed.calls.is_subset(&known.calls)
            && listed.results.is_subset(&known.results)
    }

    /// Whether a listed message is nothing but results of calls that have results.
    pub(super) fn has_results(&self, listed: &Json<'_>) -> bool {
        let content = Content::of(listed, "");
        content.blocks.is_empty()
            && content.calls.is_empty()
            && !content.responses.is_empty()
            && content.responses.iter().all(|one| self.answered.contains(&self.result(one).0))
    }

    /// Whether a listed message says what none said so far: neither the session nor its last repetition.
    pub(super) fn is_new(&mut self, id: &str, listed: &Json<'_>) -> bool {
        let said = self.said(listed);
        if !said.results.is_empty() {
            let is_known = said.results.is_subset(&self.results);
            self.results.extend(said.results);
            return !is_known;
        }
        self.again.insert(id.to_owned(), said.words) != Some(said.words)
    }
}
