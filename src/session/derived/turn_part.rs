//! What one entry is to its turn, as far as it tells without others.

use crate::session::model::entry::Body;
use crate::session::model::event::Event;
use crate::session::model::message::{Assistant, Block, CustomMessage, Message};
use crate::session::texts::text::trim;

/// What an entry is by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Prompt,
    Divider,
    /// A divider that does not end what the model was doing.
    Compaction,
    /// A step that is always visible.
    InStory,
    /// A setting, such as the model or the system prompt, or a message for the model alone.
    Setting,
    /// State that a person never saw: progress, hooks, an extension's notes.
    Quiet,
    Step,
    Answer {
        has_text: bool,
        failed: bool,
        /// It asks the person, and no result of that is in the session.
        asks: bool,
    },
}

fn answer(assistant: &Assistant<'_>) -> Part {
    if assistant.is_filler() {
        return Part::Setting;
    }
    let says = |block: &Block<'_>| matches!(block, Block::Text(text) if !trim(text).is_empty());
    let has_text = assistant.content.iter().any(says);
    let failed = assistant.has_failed() || assistant.stopped_by("refusal");
    Part::Answer { has_text, failed, asks: false }
}

impl Part {
    /// As far as an entry tells without others.
    pub(super) fn of(body: &Body<'_>) -> Part {
        match body {
            Body::Message(message) => match message {
                Message::Assistant(assistant) => answer(assistant),
                Message::User(_) => Part::Prompt,
                Message::Bash(_) | Message::Program(_) => Part::InStory,
                Message::System(_) | Message::Developer(_) => Part::Setting,
                Message::Custom(custom) | Message::Hook(custom) => custom_message(custom),
                _ => Part::Step,
            },
            Body::CustomMessage(custom) => custom_message(custom),
            Body::Compaction(_) => Part::Compaction,
            Body::BranchSummary(_) | Body::Event(Event::Reset { .. }) => Part::Divider,
            Body::Omitted(omitted) if !omitted.quiet => Part::InStory,
            Body::Event(Event::Init(_)) => Part::InStory,
            Body::Custom { .. } | Body::Omitted(_) | Body::Other { .. } => Part::Quiet,
            Body::ModelChange(_)
            | Body::ThinkingLevelChange(_)
            | Body::ContextEdit { .. }
            | Body::Label { .. }
            | Body::SessionInfo(_)
            | Body::Usage(_)
            | Body::Event(_) => Part::Setting,
        }
    }
}

fn custom_message(custom: &CustomMessage<'_>) -> Part {
    if custom.is_prompt() {
        Part::Prompt
    } else if custom.of_person().is_some() {
        Part::InStory
    } else if custom.display {
        Part::Step
    } else {
        Part::Setting
    }
}
