//! The history replaced by a summary, and what is left of it.

use crate::format::blocks::text_block;
use crate::format::entry::{self, NewCompaction};
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::session::json::Json;
use crate::session::notice;

use super::first_pass::Tokens;
use super::items::{content, words_of};
use super::reader::{At, CodexReader};

impl CodexReader {
    /// The history replaced by a summary, or by messages that the line holds.
    pub(super) fn compacted(&mut self, at: At, payload: &Json<'_>) {
        let history = payload.get("replacement_history").map(Json::items).unwrap_or_default();
        let summary = text(payload, "message").unwrap_or_default();
        let system_prompt = self.first_pass.system.words();
        // The summary and the system prompt may stand among them once more.
        let repeats = |item: &Json<'_>| {
            let words = words_of(item);
            text(item, "type") == Some("additional_tools")
                || !summary.is_empty() && words.contains(summary)
                || system_prompt.is_some_and(|prompt| words.trim() == prompt)
        };
        let kept: Vec<&Json<'_>> = history.iter().filter(|item| !repeats(item)).collect();
        let tail = kept.iter().map(|item| {
            let content = content(item.get("content"));
            let message = match text(item, "role") {
                Some("assistant") => NewMessage::assistant(content),
                _ => NewMessage::user(content),
            };
            message.json()
        });
        let tail: Vec<Json<'_>> = tail.collect();
        let prompt =
            system_prompt.map(|prompt| NewMessage::system(prompt.to_owned()).json().owned());
        if !self.turns.has_begun() {
            self.kept_prompts(at, &kept);
        }
        let (written, spent) = self.summary.take().unzip();
        let spent = spent.flatten();
        if let Some(written) = written {
            self.out.alias(written, at.id());
        }
        let compaction = NewCompaction::new(Some(summary))
            .retained(tail)
            .given("systemMessage", prompt)
            .usage(spent.map(Tokens::usage));
        self.push(at, "compaction", compaction.fields());
    }

    /// The prompts that a compaction kept, where no file has them any more.
    fn kept_prompts(&mut self, at: At, kept: &[&Json<'_>]) {
        let is_prompt = |item: &&&Json<'_>| text(item, "role") == Some("user");
        let prompts: Vec<&&Json<'_>> = kept.iter().filter(is_prompt).collect();
        if prompts.is_empty() {
            return;
        }
        let said = "What was before this compaction is not in the file. It kept these prompts";
        let fields = entry::custom_message(notice::HISTORY, vec![text_block(said)], true);
        self.push_setting(format!("{}-history", at.id()), at, "custom_message", fields);
        for (item, number) in prompts.into_iter().zip(1..) {
            self.spoken(at.further(number), item);
        }
    }
}
