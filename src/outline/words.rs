//! The key words by which a search finds an entry, beside its label, its row
//! and the text of its fragment.

use crate::session::Body;
use crate::session::entry::Replacement;
use crate::session::message::Message;

/// Words for what an entry is: role, type, custom type. Lower case.
pub(super) fn key_words(body: &Body<'_>) -> String {
    let words = match body {
        Body::Message(Message::ToolResult(result)) => {
            format!("toolresult {}", result.name.as_deref().unwrap_or_default())
        }
        Body::Message(Message::Custom(custom)) => format!("custom {}", custom.custom_type),
        Body::Message(message) => message.role().to_owned(),
        Body::ModelChange(model) => format!("model {}", model.provider),
        Body::ThinkingLevelChange(_) => "thinking".to_owned(),
        Body::Compaction(_) => "compaction".to_owned(),
        Body::BranchSummary(_) => "branch summary".to_owned(),
        Body::Custom { custom_type, .. } => format!("custom {custom_type}"),
        Body::CustomMessage(custom) => custom.custom_type.to_string(),
        Body::ContextEdit { replacement: Replacement::Omit, .. } => "context edit omit".to_owned(),
        Body::ContextEdit { .. } => "context edit replace".to_owned(),
        Body::Label { .. } => "label".to_owned(),
        Body::SessionInfo(_) => "title".to_owned(),
        Body::Usage(usage) => format!("usage {}", usage.kind),
        Body::Other { entry_type, .. } => entry_type.to_string(),
    };
    words.to_lowercase()
}
