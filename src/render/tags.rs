//! What an agent puts in for the model between tags of its own, such as `<task-notification>`:
//! the words without the tags, and what is tagged within them as a list.

use std::borrow::Cow;

use super::{markdown, value};
use crate::html::Html;
use crate::session::json::Json;
use crate::session::message::Block;

/// The content, where it is one text between tags and nothing else.
pub(super) fn within(content: &[Block<'_>]) -> Option<Html> {
    let [Block::Text(text)] = content else { return None };
    let [(_, inner)] = elements(text)?[..] else { return None };
    if let Some(fields) = elements(inner) {
        let fields: Vec<_> = fields
            .into_iter()
            .map(|(name, text)| (name, Json::String(Cow::Borrowed(text))))
            .collect();
        return Some(value::fields(fields.iter().map(|(name, text)| (*name, text))));
    }
    if let Ok(json @ Json::Object(_)) = serde_json::from_str(inner) {
        return Some(value::of(&json));
    }
    Some(markdown::block(inner))
}

/// The elements that a text consists of, by name; `None` where anything stands beside them.
fn elements(text: &str) -> Option<Vec<(&str, &str)>> {
    let mut elements = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (name, after) = rest.strip_prefix('<')?.split_once('>')?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if name.is_empty() || !name.chars().all(is_name) {
            return None;
        }
        let end = format!("</{name}>");
        let (inner, after) = after.split_once(&end)?;
        elements.push((name, inner.trim()));
        rest = after.trim_start();
    }
    (!elements.is_empty()).then_some(elements)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str) -> Option<String> {
        Some(within(&[Block::Text(text.into())])?.visible_text())
    }

    #[test]
    fn tags_never_show() {
        assert_eq!(drawn("<a-b>Two *words*</a-b>").as_deref().map(str::trim), Some("Two words"));
        let list = drawn("<note>\n<task-id>7</task-id>\n<status>done</status>\n</note>").unwrap();
        for word in ["task-id", "7", "status", "done"] {
            assert!(list.contains(word), "{list}");
        }
        let json = drawn("<n>{\"path\":\"child\"}</n>").unwrap();
        assert!(json.contains("child") && !json.contains("<n>"), "{json}");
    }

    #[test]
    fn a_text_that_only_has_tags_in_it_is_none_of_these() {
        for text in ["", "words", "<a>x</a> more", "<a>x", "<a href=\"x\">x</a>", "<>x</>"] {
            assert_eq!(drawn(text), None, "{text}");
        }
    }
}
