//! What one step adds to the line that stands for the steps of a turn.

use crate::session::Body;
use crate::session::action::names::{StepKind, Tool};
use crate::session::entry::Entry;
use crate::session::event::Event;
use crate::session::message::{Assistant, Block, Message, ToolResult};
use crate::session::text::{one_line, shortened, trim};

/// A setting is named by so much of its value, in UTF-16 units.
pub(super) const SETTING_UNITS: usize = 40;

/// One entry, as the line of its run counts it.
#[derive(Debug)]
pub(crate) enum Step {
    Answer(AnswerStep),
    Result(ResultStep),
    /// By its name.
    Setting(String),
    Quiet(QuietStep),
    Other,
}

/// An answer of a model.
#[derive(Debug)]
pub(crate) struct AnswerStep {
    /// How many calls it makes; what they ask is in the digest.
    pub(super) calls: usize,
    pub(super) has_text: bool,
}

/// What came of a call.
#[derive(Debug)]
pub(crate) struct ResultStep {
    /// As the result itself names its tool.
    pub(super) kind: StepKind,
    /// That name, where the kind says nothing.
    pub(super) name: Option<Box<str>>,
    pub(super) images: usize,
}

/// State that no person ever saw.
#[derive(Debug)]
pub(crate) enum QuietStep {
    Progress,
    Hook,
    /// By the name that the agent or the extension has for it.
    State(String),
}

impl Step {
    pub(crate) fn of(entry: &Entry<'_>) -> Step {
        match &entry.body {
            Body::Message(Message::Assistant(assistant)) => Step::Answer(answer(assistant)),
            Body::Message(Message::ToolResult(result)) => Step::Result(ResultStep::of(result)),
            Body::Custom { custom_type, .. } => Step::Quiet(QuietStep::of(custom_type)),
            Body::Other { entry_type, .. } => Step::Quiet(QuietStep::of(entry_type)),
            Body::Omitted(_) => Step::Quiet(QuietStep::State("entry not included".to_owned())),
            body => setting(body).map_or(Step::Other, Step::Setting),
        }
    }
}

fn answer(assistant: &Assistant<'_>) -> AnswerStep {
    let says = |block: &Block<'_>| matches!(block, Block::Text(text) if !trim(text).is_empty());
    AnswerStep { calls: assistant.calls().count(), has_text: assistant.content.iter().any(says) }
}

impl ResultStep {
    fn of(result: &ToolResult<'_>) -> ResultStep {
        let name = result.name.as_deref().unwrap_or_default();
        let kind = Tool::of(name).step();
        let name = (kind == StepKind::Other && !name.is_empty()).then(|| named(name).into());
        ResultStep { kind, name, images: result.image_count() }
    }
}

impl QuietStep {
    fn of(custom_type: &str) -> QuietStep {
        if custom_type.contains("hook") {
            QuietStep::Hook
        } else if custom_type.contains("progress") || custom_type == "waiting_for_task" {
            QuietStep::Progress
        } else {
            QuietStep::State(one_line(custom_type).replace(['_', '.'], " "))
        }
    }
}

/// A setting by its name; `None` where the entry is none.
fn setting(body: &Body<'_>) -> Option<String> {
    Some(match body {
        Body::Message(Message::System(_) | Message::Developer(_)) => "system prompt".to_owned(),
        Body::ModelChange(change) => format!("model {}", named(&change.model.id)),
        Body::ThinkingLevelChange(level) => format!("thinking {}", named(level)),
        Body::SessionInfo(name) => format!("title {}", named(name)),
        Body::Event(Event::Title { title, .. }) => format!("title {}", named(title)),
        Body::Event(Event::Mode { mode, .. }) => format!("mode {}", named(mode)),
        Body::Event(Event::ServiceTier(_)) => "service tier".to_owned(),
        Body::Event(Event::ModelUsage(_)) => "side call".to_owned(),
        Body::Usage(_) => "usage".to_owned(),
        Body::Event(Event::Rules(_)) => "rules".to_owned(),
        Body::Event(Event::Archive { .. }) => "archive".to_owned(),
        Body::Event(Event::CredentialPin { .. }) => "account".to_owned(),
        Body::Label { label: Some(label), .. } => format!("label {}", named(label)),
        Body::Label { .. } => "label removed".to_owned(),
        Body::ContextEdit { .. } => "context edit".to_owned(),
        Body::CustomMessage(custom)
        | Body::Message(Message::Custom(custom) | Message::Hook(custom))
            if !custom.display =>
        {
            "hidden message".to_owned()
        }
        _ => return None,
    })
}

fn named(value: &str) -> String {
    shortened(&one_line(value), SETTING_UNITS)
}
