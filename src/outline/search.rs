//! What a search looks through, and how.
//!
//! An entry's text is its key words, its label, its row, and the text of its
//! fragment in the page. A hit holds every word of the query, case ignored.
//! The page's script searches the same strings by the same rule.

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

/// The words of a query, all of which a hit must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    words: Vec<String>,
}

impl Query {
    /// Splits at blanks, lower case.
    pub fn new(query: &str) -> Query {
        Query { words: query.to_lowercase().split_whitespace().map(str::to_owned).collect() }
    }

    /// Whether `parts`, put together with blanks, hold every word.
    pub fn matches(&self, parts: &[&str]) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let parts: Vec<String> = parts.iter().map(|part| part.to_lowercase()).collect();
        self.words.iter().all(|word| parts.iter().any(|part| part.contains(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::Query;

    #[test]
    fn every_word_must_occur_somewhere() {
        assert!(Query::new("User  CHRONO").matches(&["user", "", "use the chrono crate"]));
        assert!(!Query::new("user zig").matches(&["user", "", "use the chrono crate"]));
        assert!(Query::new("  ").matches(&[""]));
    }
}
