//! The kinds of entries that a reader tells apart.

use serde::{Deserialize, Serialize};

use super::entry::Body;
use super::event::Event;
use super::message::Message;

/// What an entry is, across types and roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Kind {
    /// A prompt.
    User,
    /// A model's turn.
    Assistant,
    /// A tool's answer.
    ToolResult,
    /// A command that the person ran.
    Bash,
    /// A program that the person ran.
    Program,
    /// Files that a prompt mentions.
    FileMention,
    /// What the agent said to the model in its own name.
    Developer,
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
    /// A change of the service tier.
    ServiceTier,
    /// A change of the agent's mode.
    Mode,
    /// Money spent on a side call.
    ModelUsage,
    /// Rules put before the model in mid-answer.
    Rules,
    /// The model's view begins anew.
    Reset,
    /// How a sub-agent was started.
    SessionInit,
    /// Entries put away, or taken out again.
    Archive,
    /// Which account is used.
    CredentialPin,
    /// Entries that were left out.
    Omitted,
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
            Body::Message(Message::Developer(_)) => Kind::Developer,
            Body::Message(Message::Program(_)) => Kind::Program,
            Body::Message(Message::FileMention(_)) => Kind::FileMention,
            Body::Message(Message::Custom(_) | Message::Hook(_)) => Kind::CustomRole,
            Body::Message(Message::Other { .. }) | Body::Other { .. } => Kind::Other,
            Body::Omitted(_) => Kind::Omitted,
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
            Body::Event(event) => match event {
                Event::ServiceTier(_) => Kind::ServiceTier,
                Event::Title { .. } => Kind::SessionInfo,
                Event::Mode { .. } => Kind::Mode,
                Event::ModelUsage(_) => Kind::ModelUsage,
                Event::Rules(_) => Kind::Rules,
                Event::Reset { .. } => Kind::Reset,
                Event::Init(_) => Kind::SessionInit,
                Event::Archive { .. } => Kind::Archive,
                Event::CredentialPin { .. } => Kind::CredentialPin,
            },
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
            Kind::Program => "program",
            Kind::FileMention => "file-mention",
            Kind::Developer => "developer",
            Kind::ServiceTier => "service-tier",
            Kind::Mode => "mode",
            Kind::ModelUsage => "model-usage",
            Kind::Rules => "rules",
            Kind::Reset => "reset",
            Kind::SessionInit => "session-init",
            Kind::Archive => "archive",
            Kind::CredentialPin => "credential-pin",
            Kind::Omitted => "omitted",
            Kind::Other => "other",
        }
    }
}
