//! The kinds of entries that a reader tells apart.

use super::entry::Body;
use super::message::Message;

/// What an entry is, across types and roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A prompt.
    User,
    /// A model's turn.
    Assistant,
    /// A tool's answer.
    ToolResult,
    /// A command that the person ran.
    Bash,
    /// A system prompt or an update of it.
    System,
    /// A message of role `custom`, from before `custom_message` entries.
    CustomRole,
    /// An extension's state.
    Custom,
    /// An extension's message.
    CustomMessage,
    /// A compaction.
    Compaction,
    /// A branch summary.
    BranchSummary,
    /// A change of model.
    ModelChange,
    /// A change of the thinking level.
    ThinkingChange,
    /// The session's name.
    SessionInfo,
    /// A label for another entry.
    Label,
    /// A change to what the model gets.
    ContextEdit,
    /// Money spent outside any message.
    Usage,
    /// A role or a type unknown here.
    Other,
}

impl Kind {
    /// The kind of a parsed entry.
    pub fn of(body: &Body<'_>) -> Kind {
        match body {
            Body::Message(Message::User(_)) => Kind::User,
            Body::Message(Message::Assistant(_)) => Kind::Assistant,
            Body::Message(Message::ToolResult(_)) => Kind::ToolResult,
            Body::Message(Message::Bash(_)) => Kind::Bash,
            Body::Message(Message::System(_)) => Kind::System,
            Body::Message(Message::Custom(_)) => Kind::CustomRole,
            Body::Message(Message::Other { .. }) | Body::Other { .. } => Kind::Other,
            Body::Custom { .. } => Kind::Custom,
            Body::CustomMessage(_) => Kind::CustomMessage,
            Body::Compaction(_) => Kind::Compaction,
            Body::BranchSummary(_) => Kind::BranchSummary,
            Body::ModelChange(_) => Kind::ModelChange,
            Body::ThinkingLevelChange(_) => Kind::ThinkingChange,
            Body::SessionInfo(_) => Kind::SessionInfo,
            Body::Label { .. } => Kind::Label,
            Body::ContextEdit { .. } => Kind::ContextEdit,
            Body::Usage(_) => Kind::Usage,
        }
    }

    /// The word for it in the page's `data-kind`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::User => "user",
            Kind::Assistant => "assistant",
            Kind::ToolResult => "tool-result",
            Kind::Bash => "bash",
            Kind::System => "system",
            Kind::CustomRole => "custom-role",
            Kind::Custom => "custom",
            Kind::CustomMessage => "custom-message",
            Kind::Compaction => "compaction",
            Kind::BranchSummary => "branch-summary",
            Kind::ModelChange => "model-change",
            Kind::ThinkingChange => "thinking-change",
            Kind::SessionInfo => "session-info",
            Kind::Label => "label",
            Kind::ContextEdit => "context-edit",
            Kind::Usage => "usage",
            Kind::Other => "other",
        }
    }
}
