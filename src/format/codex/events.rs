//! Events: what they say that stands nowhere else.

use crate::format::blocks::{text_block, thinking};
use crate::format::citations;
use crate::format::fields::string;
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::session::json::Json;

use super::reader::{At, CodexReader};
use super::review;
use super::told::Said;
use super::turns::rolled_back;

/// Events of which each says what an item or another line says too.
// task_started: 0.77.0 to 0.169.0. Others: codex-rs, protocol (`EventMsg`) and rollout (policy).
const SAID_ELSEWHERE: [&str; 7] = [
    "context_compacted",
    "agent_reasoning_section_break",
    "exec_command_begin",
    "exec_command_output_delta",
    "task_started",
    "turn_started",
    "item_started",
];

impl CodexReader {
    pub(super) fn event(&mut self, at: At, event: &str, payload: &Json<'_>) {
        if let Some((said, words)) = Said::by_event(event, payload) {
            self.said(at, event, said, &words);
            if let Some(cited) = citations::of_memory(payload) {
                self.answered_aside(at, cited);
            }
            return;
        }
        if self.finished(at, event, payload) {
            return;
        }
        if matches!(event, "task_complete" | "turn_complete" | "turn_aborted") {
            self.finish_scripts(at);
        }
        match event {
            "token_count" => self.count(event),
            "thread_name_updated" => {
                self.title = text(payload, "thread_name").map(str::to_owned);
                self.count(event);
            }
            // `num_turns`: the last so many turns of the user are undone (codex-rs, rollout).
            "thread_rolled_back" => {
                self.flush();
                if let Some(standing) = self.turns.roll_back(rolled_back(payload)) {
                    self.now = standing;
                }
                self.custom(at, event, payload.clone());
            }
            "error" | "stream_error" => {
                self.error = text(payload, "message").map(str::to_owned);
                self.stopped(at, "error", payload.get("message").cloned());
            }
            "task_complete" | "turn_complete" => self.completed(at, event, payload),
            // Else its last response says so, and the event is shown as it is.
            "turn_aborted" if self.first_pass.unanswered.contains(&at.key()) => {
                self.stopped(at, "aborted", payload.get("reason").cloned());
            }
            "entered_review_mode" => self.told(at, "review", review::entered(payload)),
            "exited_review_mode" => self.told(at, "review", review::exited(payload)),
            event if SAID_ELSEWHERE.contains(&event) => self.count(event),
            "item_completed" if self.first_pass.has_items => self.count(event),
            // The end of a call whose output is an item.
            event
                if text(payload, "call_id")
                    .is_some_and(|call| self.first_pass.names.contains_key(call)) =>
            {
                self.count(event);
            }
            event => {
                let name = if event.is_empty() { "event_msg" } else { event };
                self.words_of_event(at, name, payload);
            }
        }
    }

    /// A response that did not come.
    fn stopped(&mut self, at: At, how: &str, why: Option<Json<'_>>) {
        self.message(at, NewMessage::stopped(how, why).json());
    }

    /// The end of a turn. Newer files say only here why one failed, others in an `error` too.
    // `task_complete` {last_agent_message, error {message, codex_error_info}}: 0.169.0.
    fn completed(&mut self, at: At, event: &str, payload: &Json<'_>) {
        let said = self.error.take();
        let error = payload.get("error").filter(|error| error.is_truthy());
        let why = error.map(|error| error.get("message").unwrap_or(error));
        match why {
            Some(why) if why.as_str() != said.as_deref() || said.is_none() => {
                self.stopped(at, "error", Some(string(why.clone().into_text())));
            }
            _ => self.count(event),
        }
    }

    /// Words that an item mostly says too. Lines of theirs may be missing, and very old
    /// files hold nothing but events.
    fn said(&mut self, at: At, event: &str, said: Said, words: &str) {
        let has_always = !self.first_pass.has_items && said != Said::Thinking;
        if !has_always && (self.first_pass.told.contains(&at.key()) || words.trim().is_empty()) {
            return self.count(event);
        }
        match said {
            Said::Prompt => {
                let words = NewMessage::user(vec![text_block(words.to_owned())]);
                self.spoken(at, &words.json());
            }
            Said::Response if has_always => {
                self.answered(at, vec![text_block(words.to_owned())]);
            }
            Said::Response => self.answered_aside(at, text_block(words.to_owned())),
            Said::Thinking => self.answered_aside(at, thinking(words.to_owned())),
        }
    }
}
