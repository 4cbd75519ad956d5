//! The head of an entry: who speaks, which model, what it cost, when.

use crate::figures;
use crate::session::entry::Entry;
use crate::session::message::{Assistant, Message};
use crate::session::notice;
use crate::session::text::one_line;
use crate::session::turns::Turn;
use crate::session::usage::Usage;
use crate::session::{Body, Kind, RowStyle};

/// What the head says beside the label, the time and the link.
pub(super) struct Head {
    pub(super) who: String,
    /// A mere event, which head and body tell on one line.
    pub(super) brief: bool,
    /// An answer without text, which asks for tools: it has no head of its own.
    pub(super) calls_only: bool,
    /// The model where it is a new one, the time it took, tokens, cost.
    pub(super) meta: Vec<String>,
    /// All tokens by kind.
    pub(super) tokens: String,
}

impl Head {
    /// `rows` tells which agents have extensions.
    pub(super) fn of(
        entry: &Entry<'_>,
        turn: Option<&Turn>,
        is_update: bool,
        rows: RowStyle,
    ) -> Head {
        let assistant = match &entry.body {
            Body::Message(Message::Assistant(assistant)) => Some(assistant),
            _ => None,
        };
        // A usage entry says itself what it cost.
        let says_it = matches!(entry.body, Body::Usage(_) | Body::Event(_));
        let usage = entry.usage().filter(|_| !says_it);
        let mut meta = assistant.map(|assistant| of_answer(assistant, turn)).unwrap_or_default();
        meta.extend(usage.as_ref().map(of_usage).unwrap_or_default());
        Head {
            who: if is_update { "System prompt update".to_owned() } else { who(entry, rows) },
            brief: is_brief(&entry.body),
            calls_only: assistant.is_some_and(is_calls_only),
            meta,
            tokens: usage.as_ref().map(figures::tokens).unwrap_or_default(),
        }
    }
}

fn of_answer(assistant: &Assistant<'_>, turn: Option<&Turn>) -> Vec<String> {
    let is_new = turn.is_some_and(|turn| turn.is_new_model);
    let model = assistant.model.as_ref().filter(|_| is_new).map(|model| one_line(&model.id));
    let model = model.filter(|id| !id.is_empty());
    model.into_iter().chain(assistant.duration_ms.map(figures::duration)).collect()
}

fn of_usage(usage: &Usage) -> Vec<String> {
    let sent = usage.input + usage.cache_read + usage.cache_write;
    let count =
        |count: f64, name| (count > 0.0).then(|| format!("{} {name}", figures::short(count)));
    let tokens: Vec<String> =
        [count(sent, "in"), count(usage.output, "out")].into_iter().flatten().collect();
    let parts = [tokens.join(", "), figures::cost(usage)];
    parts.into_iter().filter(|part| !part.is_empty()).collect()
}

fn is_calls_only(assistant: &Assistant<'_>) -> bool {
    use crate::session::message::Block;
    let quiet = |block: &Block<'_>| match block {
        Block::ToolCall(_) | Block::Thinking(_) | Block::RedactedThinking => true,
        Block::Text(text) => text.trim().is_empty(),
        _ => false,
    };
    assistant.error_message.is_none()
        && assistant.calls().next().is_some()
        && assistant.content.iter().all(quiet)
}

fn is_of_type(body: &Body<'_>, custom_type: &str) -> bool {
    matches!(body, Body::CustomMessage(custom) if custom.custom_type == custom_type)
}

/// Who speaks in an entry, for its head.
fn who(entry: &Entry<'_>, rows: RowStyle) -> String {
    if let Body::CustomMessage(custom) | Body::Message(Message::Custom(custom)) = &entry.body
        && let Some(name) = custom.of_person()
    {
        return name.to_owned();
    }
    let name = match Kind::of(&entry.body) {
        Kind::CustomMessage if notice::is_row(&entry.body) => "Notice",
        Kind::CustomMessage if is_of_type(&entry.body, notice::MAIL) => "Teammate",
        Kind::CustomMessage if is_of_type(&entry.body, notice::VIEW_IMAGE) => "Image",
        Kind::User => "User",
        Kind::Assistant => "Assistant",
        Kind::ToolResult => "Tool",
        Kind::Bash => "User's command",
        Kind::Program => "User's program",
        Kind::FileMention => "File mention",
        Kind::Developer => "Developer",
        Kind::System => "System prompt",
        // Of other agents the program itself wrote it.
        Kind::CustomRole | Kind::CustomMessage if rows == RowStyle::Cards => "Notice",
        Kind::Custom if rows == RowStyle::Cards => "State",
        Kind::CustomRole | Kind::CustomMessage => "Extension",
        Kind::Custom => "Extension state",
        Kind::Compaction => "Compaction",
        Kind::BranchSummary => "Branch summary",
        Kind::ModelChange => "Model",
        Kind::ThinkingChange => "Thinking level",
        Kind::SessionInfo => "Title",
        Kind::Label => "Label",
        Kind::ContextEdit => "Context edit",
        Kind::Usage => "Usage",
        Kind::ServiceTier => "Service tier",
        Kind::Mode => "Mode",
        Kind::ModelUsage => "Side call",
        Kind::Rules => "Rules",
        Kind::Reset => "Reset",
        Kind::SessionInit => "Sub-agent",
        Kind::Archive => "Archive",
        Kind::CredentialPin => "Account",
        Kind::Omitted => "Not included",
        Kind::Other => match &entry.body {
            Body::Message(message) if message.role().is_empty() => "Message",
            Body::Message(message) => return one_line(message.role()),
            Body::Other { entry_type, .. } => return one_line(entry_type),
            _ => "Entry",
        },
    };
    name.to_owned()
}

/// Whether an entry is a mere event, which head and body tell on one line.
fn is_brief(body: &Body<'_>) -> bool {
    match body {
        Body::Omitted(omitted) => return omitted.quiet,
        Body::CustomMessage(custom) | Body::Message(Message::Custom(custom)) => {
            return custom.is_stop();
        }
        _ => {}
    }
    matches!(
        Kind::of(body),
        Kind::ModelChange
            | Kind::ThinkingChange
            | Kind::SessionInfo
            | Kind::Label
            | Kind::ContextEdit
            | Kind::Usage
            | Kind::ServiceTier
            | Kind::Mode
            | Kind::ModelUsage
            | Kind::Rules
            | Kind::Reset
            | Kind::Archive
            | Kind::CredentialPin
    )
}
