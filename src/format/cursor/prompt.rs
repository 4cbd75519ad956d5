//! What a person asked, out of the tags that Cursor puts around it: `<user_query>` (probez, agent-sessions), in newer
//! files with `<timestamp>` before it (probez).

use crate::session::json::Json;
use crate::session::time;

const QUERY: (&str, &str) = ("<user_query>", "</user_query>");
const TIME: (&str, &str) = ("<timestamp>", "</timestamp>");

/// A text in the person's place.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Prompt {
    /// What the person typed; empty where nothing of the text is theirs.
    pub(super) query: String,
    /// What Cursor put before and behind it.
    pub(super) added: String,
    pub(super) time: Option<i64>,
}

impl Prompt {
    pub(super) fn read(text: &str) -> Prompt {
        let Some((before, inner)) = text.split_once(QUERY.0) else { return Prompt::bare(text) };
        // What is asked may itself speak of the tag: the last one closes.
        let (query, behind) = inner.rsplit_once(QUERY.1).unwrap_or((inner, ""));
        let (before, time) = without_time(before);
        let parts = [before.as_str(), behind.trim()];
        let added: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        Prompt { query: query.trim().to_owned(), added: added.join("\n\n"), time }
    }

    /// Without the tag all of it is the person's, unless it is one element of another name.
    fn bare(text: &str) -> Prompt {
        let (text, time) = without_time(text);
        if element(&text).is_some() {
            return Prompt { added: text, time, ..Prompt::default() };
        }
        Prompt { query: text, time, ..Prompt::default() }
    }
}

/// The text without the time that stands before all else, where it can be read.
fn without_time(text: &str) -> (String, Option<i64>) {
    let text = text.trim();
    let read = || {
        let (written, rest) = text.strip_prefix(TIME.0)?.split_once(TIME.1)?;
        let time = time::read(&Json::String(written.into()))?;
        Some((rest.trim().to_owned(), Some(time)))
    };
    read().unwrap_or_else(|| (text.to_owned(), None))
}

/// The name of the element that the text is, such as `system_reminder`.
pub(super) fn element(text: &str) -> Option<&str> {
    let (name, _) = text.strip_prefix('<')?.split_once('>')?;
    let is_name = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let is_closed = || {
        let before = text.strip_suffix('>').and_then(|text| text.strip_suffix(name));
        before.is_some_and(|before| before.ends_with("</"))
    };
    (is_name && is_closed()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(query: &str, added: &str, time: Option<i64>) -> Prompt {
        Prompt { query: query.to_owned(), added: added.to_owned(), time }
    }

    #[test]
    fn a_query_is_told_from_what_is_around_it() {
        let cases = [
            ("Build it.", prompt("Build it.", "", None)),
            ("<user_query>\nrun ls\n</user_query>", prompt("run ls", "", None)),
            (
                "<timestamp>1970-01-01T00:00:01Z</timestamp>\n<user_query>go</user_query>",
                prompt("go", "", Some(1000)),
            ),
            (
                "<files>a</files>\n<user_query>go</user_query>\n<note>b</note>",
                prompt("go", "<files>a</files>\n\n<note>b</note>", None),
            ),
            (
                "<timestamp>one morning</timestamp>\n<user_query>go</user_query>",
                prompt("go", "<timestamp>one morning</timestamp>", None),
            ),
            (
                "<user_query>what is </user_query>?</user_query>",
                prompt("what is </user_query>?", "", None),
            ),
            ("<user_query>cut", prompt("cut", "", None)),
            (
                "<system_reminder>x</system_reminder>",
                prompt("", "<system_reminder>x</system_reminder>", None),
            ),
            ("<b>bold</b> words", prompt("<b>bold</b> words", "", None)),
        ];
        for (text, expected) in cases {
            assert_eq!(Prompt::read(text), expected, "{text}");
        }
    }
}
