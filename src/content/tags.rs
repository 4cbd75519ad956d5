//! What an agent puts in for the model between tags of its own, such as `<task-notification>`:
//! the words without the tags, and what is tagged within them as a list.

use std::borrow::Cow;

use super::{Content, Part, Value};
use crate::session::json::Json;
use crate::session::message::Block;

/// The content, where it is one text between tags and nothing else.
pub(super) fn within<'s>(content: &'s [Block<'s>]) -> Option<Content<'s>> {
    let [Block::Text(text)] = content else { return None };
    let [(_, inner)] = elements(text)?[..] else { return None };
    if let Some(fields) = elements(inner) {
        let field = |(name, text): (&'s str, &'s str)| {
            (name.into(), Value::Made(Json::String(Cow::Borrowed(text))))
        };
        return Some(Part::Fields(fields.into_iter().map(field).collect()).into());
    }
    if let Ok(json @ Json::Object(_)) = serde_json::from_str(inner) {
        return Some(Part::Value(Value::Made(json)).into());
    }
    Some(Content::of_prose(inner))
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

    fn read(text: &str) -> Option<String> {
        Some(format!("{:?}", within(&[Block::Text(text.into())])?))
    }

    #[test]
    fn tags_never_show() {
        let prose = format!("{:?}", Content::of_prose("Two *words*"));
        assert_eq!(read("<a-b>Two *words*</a-b>"), Some(prose));
        let list = read("<note>\n<task-id>7</task-id>\n<status>done</status>\n</note>").unwrap();
        for word in ["task-id", "7", "status", "done"] {
            assert!(list.contains(word) && !list.contains('<'), "{list}");
        }
        let json = read("<n>{\"path\":\"child\"}</n>").unwrap();
        assert!(json.contains("child") && !json.contains("<n>"), "{json}");
    }

    #[test]
    fn a_text_that_only_has_tags_in_it_is_none_of_these() {
        for text in ["", "words", "<a>x</a> more", "<a>x", "<a href=\"x\">x</a>", "<>x</>"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
