//! The key words by which a search finds an entry, beside its label, its row
//! and the text of its fragment.

use crate::session::entry::Replacement;
use crate::session::event::Event;
use crate::session::message::Message;
use crate::session::{Body, notice};

/// Words for what an entry is: role, type, custom type. Lower case.
pub(super) fn key_words(body: &Body<'_>) -> String {
    let words = match body {
        Body::Message(Message::ToolResult(result)) => {
            format!("toolresult {}", result.name.as_deref().unwrap_or_default())
        }
        Body::Message(Message::Custom(custom) | Message::Hook(custom)) => {
            format!("custom {}", notice::name(&custom.custom_type))
        }
        Body::Message(message) => message.role().to_owned(),
        Body::ModelChange(change) => match &change.role {
            Some(role) => format!("model {} {role}", change.model.provider),
            None => format!("model {}", change.model.provider),
        },
        Body::ThinkingLevelChange(_) => "thinking".to_owned(),
        Body::Compaction(_) => "compaction".to_owned(),
        Body::BranchSummary(_) => "branch summary".to_owned(),
        Body::Custom { custom_type, .. } => format!("custom {custom_type}"),
        Body::CustomMessage(custom) => notice::name(&custom.custom_type).to_owned(),
        Body::ContextEdit { replacement: Replacement::Omit, .. } => "context edit omit".to_owned(),
        Body::ContextEdit { .. } => "context edit replace".to_owned(),
        Body::Label { .. } => "label".to_owned(),
        Body::SessionInfo(_) => "title".to_owned(),
        Body::Usage(usage) => format!("usage {}", usage.kind),
        Body::Event(event) => event_words(event),
        Body::Omitted(_) => "omitted".to_owned(),
        Body::Other { entry_type, .. } => entry_type.to_string(),
    };
    words.to_lowercase()
}

/// The type as the file has it, and what its row leaves out.
fn event_words(event: &Event<'_>) -> String {
    match event {
        Event::ServiceTier(_) => "service_tier_change".to_owned(),
        Event::Title { .. } => "title_change".to_owned(),
        Event::Mode { .. } => "mode_change".to_owned(),
        Event::ModelUsage(_) => "model_usage".to_owned(),
        Event::Rules(rules) => format!("ttsr_injection {}", rules.join(" ")),
        Event::Reset { reason: Some(reason), .. } => format!("reset {reason}"),
        Event::Reset { .. } => "reset_boundary".to_owned(),
        Event::Init(init) => format!("session_init {}", init.fact("agent").unwrap_or_default()),
        Event::Archive { .. } => "archive".to_owned(),
        Event::CredentialPin { .. } => "credential_pin".to_owned(),
    }
}
