//! What a session is called: by its name, or by what was asked first.

use crate::session::model::entry::Body;
use crate::session::model::message::{Block, Message, joined_text};
use crate::session::texts::skill::Skill;
use crate::session::texts::text::{cut, one_line, shortened, trim};
use crate::session::texts::words::Words;
use crate::session::tree::index::EntryIndex;
use crate::session::tree::session::Session;

/// Of a prompt, in UTF-16 units: two lines of a heading show the most of it, "Asked" all of it.
const PROMPT_UNITS: usize = 160;

/// Of a name that somebody gave, in UTF-16 units.
const NAME_UNITS: usize = 200;

/// Of a prompt's beginning, in UTF-16 units: enough to make a title and three lines of.
const READ_UNITS: usize = 2000;

/// What the first prompt that was answered says, in the words of its Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Asked {
    /// The prompt.
    pub entry: EntryIndex,
    /// The heading that it begins with, else its beginning; one line, at most 160 UTF-16 units.
    pub title: String,
    /// What it says beside a heading; all of it where the title is its beginning.
    pub rest: Words,
    /// All that its beginning says.
    pub all: Words,
    /// Whether no prompt stands before it.
    pub(crate) is_first: bool,
}

impl Asked {
    /// What was asked beside a title: all of it where the title is not the prompt's own. `None` where the title and the
    /// prompt, which the page begins with, say as much.
    pub(crate) fn said_beside(self, title: &str) -> Option<Words> {
        if self.title != title {
            return Some(self.all);
        }
        (!self.is_first || self.rest != self.all).then_some(self.rest)
    }
}

/// What a session is called: the name given last, else the title that its format keeps, else the
/// beginning of the first prompt that was answered, else of the first response, else its id. Never empty.
pub fn title(session: &Session) -> String {
    words_for(session).unwrap_or_else(|| id(session))
}

/// The same; `None` where nobody named it, asked anything or answered.
pub(crate) fn words_for(session: &Session) -> Option<String> {
    let asked = || asked(session, &session.tree().path(session.leaf())).map(|asked| asked.title);
    name(session).or_else(asked).or_else(|| answered(session))
}

/// The beginning of the first response of the branch shown: a headless run may have no prompt.
fn answered(session: &Session) -> Option<String> {
    let path = session.tree().path(session.leaf());
    path.iter().find_map(|&index| {
        let Body::Message(Message::Assistant(assistant)) = session.entry_at(index).body else {
            return None;
        };
        let text = joined_text(&assistant.content, "\n");
        let words = Words::of_markdown(cut(&text, READ_UNITS));
        (!words.is_empty()).then(|| shortened(&words, PROMPT_UNITS))
    })
}

/// The name or title that somebody gave, in one line.
pub(crate) fn name(session: &Session) -> Option<String> {
    session.title().map(given)
}

/// A title that somebody gave, in one line.
pub(crate) fn given(title: &str) -> String {
    shortened(&one_line(title), NAME_UNITS)
}

/// What a session without any words is called.
pub(crate) fn id(session: &Session) -> String {
    let id = Some(session.header().id.clone()).filter(|id| !id.is_empty());
    id.unwrap_or_else(|| "Session".to_owned())
}

/// The first prompt of a path that a response with words follows. Where there is none, the first
/// that is no command alone, else the first.
pub fn asked(session: &Session, path: &[EntryIndex]) -> Option<Asked> {
    let (mut first, mut first_words, mut open) = (None, None, None);
    // What is typed in the meantime takes nothing of the prompt before it.
    let mut is_at_work = false;
    for &index in path {
        let body = session.entry_at(index).body;
        is_at_work = match &body {
            Body::Message(Message::Assistant(assistant)) => !assistant.has_failed(),
            Body::CustomMessage(custom) => is_at_work && !custom.is_stop(),
            _ => is_at_work,
        };
        if let Some(text) = prompt_text(&body) {
            if is_at_work && open.is_some() {
                continue;
            }
            is_at_work = false;
            let asked = of_prompt(index, &text, first.is_none());
            let says_more = asked.as_ref().filter(|asked| !is_command(&asked.title));
            first_words = first_words.or_else(|| says_more.cloned());
            open = says_more.cloned();
            first = first.or(asked);
        } else if open.is_some() && is_response(&body) {
            return open;
        }
    }
    first_words.or(first)
}

/// A command alone, such as `/mode`, says less than what was asked afterwards.
fn is_command(words: &str) -> bool {
    words.starts_with('/') && !words.contains(' ')
}

fn prompt_text(body: &Body<'_>) -> Option<String> {
    let content = match body {
        Body::Message(Message::User(content)) => content,
        Body::CustomMessage(custom) | Body::Message(Message::Custom(custom))
            if custom.is_prompt() =>
        {
            &custom.content
        }
        _ => return None,
    };
    let text = joined_text(content, "\n");
    // What a person typed stands behind a skill's text.
    let skill = Skill::read(&text).map(|skill| skill.title());
    Some(cut(&skill.unwrap_or(text), READ_UNITS).to_owned())
}

/// The first words of a message, by which a link names it; `None` where it says nothing.
pub(crate) fn first_words(session: &Session, entry: EntryIndex) -> Option<String> {
    excerpt(session, entry, 60)
}

/// The beginning of a message in the words of its Markdown, with `…` where it is cut; `None` where it says nothing. At
/// most so many UTF-16 units.
pub(crate) fn excerpt(session: &Session, entry: EntryIndex, units: usize) -> Option<String> {
    let body = session.entry_at(entry).body;
    let text = match &body {
        Body::Message(Message::Assistant(assistant)) => {
            cut(&joined_text(&assistant.content, "\n"), READ_UNITS).to_owned()
        }
        body => prompt_text(body)?,
    };
    Some(shortened(&Words::of_markdown(&text), units)).filter(|words| !words.is_empty())
}

/// Words of a model, of a response that was neither stopped nor failed.
fn is_response(body: &Body<'_>) -> bool {
    let Body::Message(Message::Assistant(assistant)) = body else { return false };
    let has_words =
        |block: &Block<'_>| matches!(block, Block::Text(text) if !trim(text).is_empty());
    assistant.content.iter().any(has_words)
        && !assistant.stopped_by("aborted")
        && !assistant.stopped_by("error")
}

fn of_prompt(entry: EntryIndex, text: &str, is_first: bool) -> Option<Asked> {
    let all = Words::of_markdown(text);
    // What a title cuts is said whole: the rest alone would be torn out of its sentence.
    let (title, rest) =
        heading(text).unwrap_or_else(|| (shortened(&all, PROMPT_UNITS), Words::default()));
    let rest = if rest.is_empty() { all.clone() } else { rest };
    (!title.is_empty()).then_some(Asked { entry, title, rest, all, is_first })
}

/// The heading that a text begins with, also behind one line that ends with a colon, and the words beside it.
fn heading(text: &str) -> Option<(String, Words)> {
    let mut lines = text.lines().filter(|line| !trim(line).is_empty());
    let first = lines.next()?;
    let is_heading = |line: &str| line.starts_with("# ") || line.starts_with("## ");
    let (before, line) = if is_heading(first) {
        ("", first)
    } else {
        let next = lines.next().filter(|line| trim(first).ends_with(':') && is_heading(line))?;
        (first, next)
    };
    let title = shortened(&Words::of_markdown(line), PROMPT_UNITS);
    let after = text.split_once(line).map_or("", |(_, after)| after);
    Some((title, Words::of_markdown(&format!("{before}\n{after}"))))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn of(messages: &[&str]) -> Session {
        let mut file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
        for (nth, message) in messages.iter().enumerate() {
            let parent = if nth == 0 { "null".to_owned() } else { format!("\"{}\"", nth - 1) };
            let _ = writeln!(
                file,
                "{{\"type\":\"message\",\"id\":\"{nth}\",\"parentId\":{parent},\"message\":{message}}}"
            );
        }
        crate::read(file.into_bytes()).unwrap()
    }

    fn user(text: &str) -> String {
        format!(r#"{{"role":"user","content":{}}}"#, serde_json::to_string(text).unwrap())
    }

    const RESPONSE: &str = r#"{"role":"assistant","content":[{"type":"text","text":"Yes."}]}"#;
    const ABORTED: &str =
        r#"{"role":"assistant","content":[{"type":"text","text":"Ye"}],"stopReason":"aborted"}"#;

    #[test]
    fn the_first_answered_prompt_names_a_session() {
        for (messages, expected) in [
            (vec![user("count"), RESPONSE.to_owned()], "count"),
            (
                vec![user("/model"), RESPONSE.to_owned(), user("count"), RESPONSE.to_owned()],
                "count",
            ),
            (
                vec![user("no, wait"), ABORTED.to_owned(), user("count"), RESPONSE.to_owned()],
                "count",
            ),
            (
                vec![
                    user(&format!(
                        "<skill name=\"bake\" location=\"/s\">\n{}\n</skill>\n\nNow *rye*.",
                        "Mix. ".repeat(900)
                    )),
                    RESPONSE.to_owned(),
                ],
                "bake: Now rye.",
            ),
            (vec![user("never answered")], "never answered"),
            (vec![user("/model"), user("never answered")], "never answered"),
            (vec![user("/model")], "/model"),
            (vec![user("do **this** with `x`"), RESPONSE.to_owned()], "do this with x"),
            (vec![RESPONSE.to_owned()], "Yes."),
            (vec![r#"{"role":"assistant","content":[]}"#.to_owned()], "s"),
        ] {
            let messages: Vec<&str> = messages.iter().map(String::as_str).collect();
            assert_eq!(title(&of(&messages)), expected, "{messages:?}");
        }
    }

    #[test]
    fn a_heading_is_the_title_and_the_rest_is_asked() {
        for (text, title, rest) in [
            (
                "Implement this plan:\n\n# Count tides\n\nDaily.",
                "Count tides",
                "Implement this plan: Daily.",
            ),
            ("# Count tides\nDaily.", "Count tides", "Daily."),
            ("# Count tides", "Count tides", "Count tides"),
            ("Count: all\n# of them", "Count: all of them", "Count: all of them"),
        ] {
            let asked = of_prompt(EntryIndex::new(0), text, true).unwrap();
            assert_eq!((asked.title.as_str(), &*asked.rest), (title, rest), "{text}");
        }
        let long = "tide ".repeat(60);
        let asked = of_prompt(EntryIndex::new(0), &long, true).unwrap();
        assert!(asked.title.ends_with("tide…") && asked.title.len() < 170, "{asked:?}");
        assert_eq!(
            asked.rest, asked.all,
            "whole, since two lines may show less than the title has"
        );
    }
}
