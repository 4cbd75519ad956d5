//! The system prompt, which the header of a rollout holds.

use crate::format::probe::text;
use crate::session::json::Json;

use super::items::words_of;

/// `base_instructions`, or `instructions` in older headers, where these may be the user's own.
// `instructions`: 0.77.0; `base_instructions` {text}: 0.146.0, 0.169.0.
#[derive(Debug, Default)]
pub(super) struct SystemPrompt {
    has_header: bool,
    words: Option<String>,
    /// Some models get the base instructions as a message, which a rollout has too.
    is_base: bool,
}

impl SystemPrompt {
    /// Takes that of the first header; a fork's file has those of other threads behind it.
    pub(super) fn header(&mut self, header: &Json<'_>) {
        if std::mem::replace(&mut self.has_header, true) {
            return;
        }
        let base = header.get("base_instructions");
        let base = base.and_then(|base| base.as_str().or(text(base, "text")));
        self.is_base = base.is_some();
        let words = base.or(text(header, "instructions")).map(str::trim);
        self.words = words.filter(|words| !words.is_empty()).map(str::to_owned);
    }

    /// Whether a message says the same. What is within a message of the program is shown there.
    pub(super) fn repeats(&mut self, message: &Json<'_>) -> bool {
        let Some(words) = &self.words else { return false };
        let said = words_of(message);
        if self.is_base {
            return text(message, "role") == Some("developer") && said.trim() == words;
        }
        if said.len() > words.len() && said.contains(words.as_str()) {
            self.words = None;
        }
        false
    }

    pub(super) fn words(&self) -> Option<&str> {
        self.words.as_deref()
    }
}
