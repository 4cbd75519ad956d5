//! What stands beside the items: the ends of what ran, and what agents say to each other.

use crate::format::blocks::text_block;
use crate::format::entry;
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::session::json::Json;

use super::finished::Finished;
use super::reader::{At, CodexReader};
use super::scripts::{ending_of, nested_calls};
use super::thread::is_task;

impl CodexReader {
    /// The end of something that ran. Mostly an item says the same of its call.
    pub(super) fn finished(&mut self, at: At, event: &str, payload: &Json<'_>) -> bool {
        if let Some(finished) = self.first_pass.late.take(at.key()) {
            let tool = self.first_pass.names.get(&finished.id).cloned();
            let message = NewMessage::tool_result(finished.id)
                .tool_name(tool)
                .content(vec![text_block(finished.output)])
                .failed(finished.ending.has_failed)
                .details(finished.ending.details());
            self.message(at, message.json());
            return true;
        }
        let Some(finished) = Finished::of_event(event, payload) else { return false };
        if self.first_pass.names.contains_key(&finished.id) {
            return false;
        }
        let is_taken = self.scripts.ran(finished).is_none();
        if is_taken {
            self.count(event);
        }
        is_taken
    }

    /// What scripts ran that had no further result when the turn ended.
    pub(super) fn finish_scripts(&mut self, at: At) {
        for (nth, (call, ran)) in self.scripts.rest().into_iter().enumerate() {
            let ending = ending_of(&ran);
            let message = NewMessage::tool_result(call)
                .tool_name(Some("exec"))
                .content(Vec::new())
                .failed(ending.has_failed)
                .details(ending.details())
                .given("nestedCalls", nested_calls(&ran, ""));
            self.flush();
            self.turns.step();
            let fields = entry::message(message.json());
            self.push_as(format!("{}-ran-{nth}", at.id()), at, "message", fields);
        }
    }

    /// What one agent says to another: the task of this one is its prompt.
    // `agent_message` {author, recipient, content} with "Payload:" above the task: 0.169.0.
    pub(super) fn agent_message(&mut self, at: At, payload: &Json<'_>) {
        let blocks = payload.get("content").map(Json::items).unwrap_or_default();
        let parts: Vec<&str> = blocks.iter().filter_map(agent_words).collect();
        let words = parts.concat();
        if !is_task(self.path.as_deref(), payload) {
            return self.told(at, "agent_message", words);
        }
        let (head, task) = match words.split_once("Payload:\n") {
            Some((head, task)) => (head, task),
            None => ("", words.as_str()),
        };
        if !head.is_empty() {
            let fields = entry::custom_message(
                "agent_message",
                vec![text_block(head.trim_end().to_owned())],
                false,
            );
            self.push_setting(format!("{}-head", at.id()), at, "custom_message", fields);
        }
        let message = NewMessage::user(vec![text_block(task.to_owned())]);
        self.flush();
        self.turns.prompt(&self.now);
        self.message(at, message.json());
    }
}

/// A part of what an agent says; Codex encrypts some of it.
// `encrypted_content` holds a Fernet token, which begins with gAAAA, or plain words: 0.169.0.
fn agent_words<'j>(block: &'j Json<'_>) -> Option<&'j str> {
    if text(block, "type") != Some("encrypted_content") {
        return text(block, "text");
    }
    let words = text(block, "encrypted_content")?;
    let is_encrypted = words.starts_with("gAAAA") || !words.contains(char::is_whitespace);
    Some(if is_encrypted && words.len() > 40 { "(encrypted)" } else { words })
}
