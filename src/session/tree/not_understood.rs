//! Entries whose meaning is not known, and whether they are so many that it has to be said.
//!
//! A file that was taken for another agent's, or that a newer version wrote, reads without an error:
//! its lines are rows of JSON.

use memchr::memmem;

use crate::session::model::entry::{Body, Entry};
use crate::session::model::known;
use crate::session::model::message::Message;

/// Where one of so many entries is not understood, that is said.
const SHARE: usize = 10;

/// Whether so many entries that were not understood, and lines that were not read at all, are too
/// many of all of them.
pub(super) fn are_many(count: usize, all: usize) -> bool {
    count * SHARE > all
}

/// Whether the meaning of an entry is known, by its type and, of a message, its role.
pub(super) fn is_understood(entry_type: &str, text: &str) -> bool {
    if entry_type != "message" {
        return known::is_type(entry_type);
    }
    // Nearly all writers put the role first. An unescaped quote ends a string, so no text within
    // the message can look like this.
    if let Some(at) = memmem::find(text.as_bytes(), ROLE)
        && let Some((role, _)) = text[at + ROLE.len()..].split_once('"')
        && known::is_role(role)
    {
        return true;
    }
    match Entry::parse(text).body {
        Body::Message(message) => !matches!(message, Message::Other { .. }),
        _ => false,
    }
}

const ROLE: &[u8] = br#""message":{"role":""#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_understood_by_its_type_and_role() {
        for (entry_type, text) in [
            ("compaction", "{}"),
            ("message", r#"{"type":"message","message":{"role":"user"}}"#),
            ("message", r#"{"type":"message","message":{"role" : "toolResult"}}"#),
        ] {
            assert!(is_understood(entry_type, text), "{entry_type} {text}");
        }
        for (entry_type, text) in [
            ("turn/start", "{}"),
            ("message", r#"{"type":"message","message":{"role":"tool","content":""}}"#),
            ("message", r#"{"type":"message","message":{"content":"\"role\":\"user\""}}"#),
            ("message", r#"{"type":"message","message":{"about":{"role":"user"},"role":"odd"}}"#),
            ("message", r#"{"type":"message"}"#),
        ] {
            assert!(!is_understood(entry_type, text), "{entry_type} {text}");
        }
        assert!(are_many(2, 19) && !are_many(2, 20));
    }
}
