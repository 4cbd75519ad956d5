//! Rows, messages and blocks of a kind that nobody here knows: what a person would want to read of them.
//!
//! A newer version of an agent writes rows that are unknown here. One that holds words is a notice with these words,
//! under the name of its kind; its JSON stands beside them.

use std::borrow::Cow;
use std::collections::HashSet;

use super::block::Block;
use super::message::CustomMessage;
use super::notice;
use crate::session::texts::cjk;
use crate::session::texts::json::Json;

type Field<'a> = (Cow<'a, str>, Json<'a>);

/// The keys under which agents keep words.
const KEYS: [&str; 8] =
    ["text", "content", "message", "summary", "prompt", "reason", "title", "description"];

/// A text of fewer words is a state, a name or an id.
const WORDS: usize = 3;
/// The same in letters of Chinese, Japanese and Korean.
const LETTERS: usize = 6;

/// All such texts in their order, a blank line between; `None` where there are none.
pub(crate) fn words_within(json: &Json<'_>) -> Option<String> {
    words_below(vec![(json, false)])
}

/// The same of what is still to be looked at, the next at the end, each with whether a key of words led there.
fn words_below(mut open: Vec<(&Json<'_>, bool)>) -> Option<String> {
    let mut found: Vec<&str> = Vec::new();
    let mut seen = HashSet::new();
    while let Some((value, is_named)) = open.pop() {
        match value {
            Json::String(text) if is_named && is_said(text) && seen.insert(text.trim()) => {
                found.push(text.trim());
            }
            Json::Array(items) => open.extend(items.iter().rev().map(|item| (item, is_named))),
            Json::Object(fields) => open.extend(named(fields)),
            _ => {}
        }
    }
    (!found.is_empty()).then(|| found.join("\n\n"))
}

/// The values of an object, the last first, each with whether its key is one of words.
fn named<'j, 'a>(fields: &'j [Field<'a>]) -> impl Iterator<Item = (&'j Json<'a>, bool)> {
    fields.iter().rev().map(|(key, value)| (value, KEYS.contains(&key.as_ref())))
}

/// Whether a text is more than a name. Scripts without blanks are counted by their letters.
fn is_said(text: &str) -> bool {
    text.split_whitespace().nth(WORDS - 1).is_some()
        || text.chars().filter(|&c| cjk::is_of_these_scripts(c)).nth(LETTERS - 1).is_some()
}

/// The custom type of the notice that shows the words of a row of this kind.
pub(crate) fn notice_of(kind: &str) -> String {
    format!("{}{kind}", notice::ROW)
}

/// The fields of a row or a message as such a notice, where they hold words; else the fields again.
pub(super) fn told<'a>(
    kind: &str,
    fields: Vec<Field<'a>>,
) -> Result<CustomMessage<'a>, Vec<Field<'a>>> {
    let Some(words) = words_below(named(&fields).collect()) else { return Err(fields) };
    Ok(CustomMessage {
        custom_type: notice_of(kind).into(),
        content: vec![Block::Text(words.into())],
        display: true,
        details: Some(Json::Object(fields)),
        attribution: None,
        malformed: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_three_words_under_their_keys_are_found() {
        let words = |json: &str| words_within(&serde_json::from_str(json).unwrap());
        let mail = r#"{"messages":[{"from":"the old miller","text":"Stop at noon."},{"text":"The stones are worn"}]}"#;
        assert_eq!(words(mail).as_deref(), Some("Stop at noon.\n\nThe stones are worn"));
        let nested =
            r#"{"content":["one two three",{"text":"four five six"}],"text":"one two three"}"#;
        assert_eq!(words(nested).as_deref(), Some("one two three\n\nfour five six"));
        let chinese = r#"{"text":"请修复这个函数。","title":"潮位"}"#;
        assert_eq!(words(chinese).as_deref(), Some("请修复这个函数。"));
        for none in [r#"{"text":"two words"}"#, r#"{"id":"a b c d"}"#, r#""a b c""#, "7"] {
            assert_eq!(words(none), None, "{none}");
        }
        let deep = "[".repeat(100) + r#"{"text":"a b c"}"# + &"]".repeat(100);
        assert_eq!(words(&deep).as_deref(), Some("a b c"));
    }
}
