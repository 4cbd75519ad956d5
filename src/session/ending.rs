//! How a branch ended: with a response, a question, a failure, or in the middle of the work.
//!
//! Only what stands on the path to the leaf counts, read from its end. What says nothing of the
//! work, such as a setting, a label, a title, a hook or a compaction, is passed over.

use std::collections::HashSet;

use serde::Serialize;

use super::message::{Assistant, Block, Message};
use super::text::{cut, one_line, trim};
use super::tool_kind::ToolKind;
use super::{Body, EntryIndex, Session, omitted};

/// How a branch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Ending {
    /// With a response.
    Answered,
    /// With a question: the last sentence of the response, or a tool that asks the user.
    Question,
    /// The user stopped it.
    Stopped,
    /// The last response is an error.
    Failed,
    /// In the middle: a prompt or a tool result without a response, or a call without a result.
    CutOff,
}

impl Ending {
    /// The word for it in the page's `data-ended` and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Answered => "answered",
            Ending::Question => "question",
            Ending::Stopped => "stopped",
            Ending::Failed => "failed",
            Ending::CutOff => "cut-off",
        }
    }

    /// In words, behind "ended".
    pub fn words(self) -> &'static str {
        match self {
            Ending::Answered => "answered",
            Ending::Question => "with a question",
            Ending::Stopped => "stopped by the user",
            Ending::Failed => "failed",
            Ending::CutOff => "cut off",
        }
    }
}

/// The end of a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ended {
    /// How it ended.
    pub how: Ending,
    /// The last entry that is part of the work.
    pub entry: EntryIndex,
    /// The last words of the model, or of what failed; at most 300 UTF-16 units in one line, and
    /// empty where the branch has none.
    pub text: String,
}

/// Of the last response, in UTF-16 units.
const TEXT_UNITS: usize = 300;

/// What the rows at the end of a path say, collected from the leaf up.
#[derive(Default)]
struct Tail {
    /// Ids of the calls that have a result below.
    answered: HashSet<String>,
    /// The last entry that is part of the work, and what it is.
    last: Option<(EntryIndex, Last)>,
    text: Option<String>,
}

/// What the last entry of the work is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Prompt,
    Result,
    Interrupt,
    Response(Response),
}

/// What a response says of the end when it is the last entry, apart from its text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Response {
    Aborted,
    Failed,
    /// It makes a call that no result answers.
    Calls,
    /// The same, and what is called asks the user.
    Asks,
    Done,
}

/// How the branch to `leaf` ended; `None` where nothing on it is part of the work, or where entries
/// were removed that may be how it ended. It parses as many
/// entries as lie behind the last response that has a text.
pub fn ended(session: &Session, leaf: EntryIndex) -> Option<Ended> {
    let mut tail = Tail::default();
    let mut at = Some(leaf);
    while let Some(entry) = at {
        if session.entry_type(entry) == omitted::TYPE {
            return None;
        }
        tail.take(session, entry);
        if tail.text.is_some() {
            break;
        }
        at = session.tree().parent(entry);
    }
    let (entry, last) = tail.last?;
    let text = tail.text.unwrap_or_default();
    let how = match last {
        Last::Interrupt | Last::Response(Response::Aborted) => Ending::Stopped,
        Last::Response(Response::Failed) => Ending::Failed,
        Last::Prompt | Last::Result | Last::Response(Response::Calls) => Ending::CutOff,
        Last::Response(Response::Asks) => Ending::Question,
        Last::Response(Response::Done) if is_question(&text) => Ending::Question,
        Last::Response(Response::Done) => Ending::Answered,
    };
    Some(Ended { how, entry, text: cut(&one_line(&text), TEXT_UNITS).to_owned() })
}

impl Tail {
    /// Takes the entry above those that were taken before.
    fn take(&mut self, session: &Session, index: EntryIndex) {
        match session.entry(index).body {
            Body::Message(Message::User(_)) => self.end(index, Last::Prompt),
            Body::Message(Message::ToolResult(result)) => {
                self.answered.insert(result.call_id.into_owned());
                self.end(index, Last::Result);
            }
            Body::Message(Message::Assistant(assistant)) => {
                let response = self.response(&assistant);
                self.end(index, Last::Response(response));
                self.text = last_words(&assistant);
            }
            Body::CustomMessage(custom)
            | Body::Message(Message::Custom(custom) | Message::Hook(custom)) => {
                if custom.is_prompt() {
                    self.end(index, Last::Prompt);
                } else if custom.custom_type == "interrupted" {
                    self.end(index, Last::Interrupt);
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, index: EntryIndex, last: Last) {
        self.last.get_or_insert((index, last));
    }

    fn response(&self, assistant: &Assistant<'_>) -> Response {
        let has_error = assistant.error_message.as_ref().is_some_and(|error| !error.is_empty());
        if assistant.stopped_by("aborted") {
            return Response::Aborted;
        }
        if assistant.stopped_by("error") || has_error {
            return Response::Failed;
        }
        let mut open = assistant.calls().filter(|call| !self.answered.contains(call.id.as_ref()));
        match open.next() {
            None => Response::Done,
            Some(first) => {
                let asks =
                    |name: &str| matches!(ToolKind::of(name), ToolKind::Ask | ToolKind::Plan);
                let all_ask = asks(&first.name) && open.all(|call| asks(&call.name));
                if all_ask { Response::Asks } else { Response::Calls }
            }
        }
    }
}

/// The text of a response, or the message of one that failed.
fn last_words(assistant: &Assistant<'_>) -> Option<String> {
    let text = assistant.content.iter().rev().find_map(|block| match block {
        Block::Text(text) if !trim(text).is_empty() => Some(trim(text).to_owned()),
        _ => None,
    });
    let error = || {
        let error = assistant.error_message.as_deref().map(trim);
        error.filter(|error| !error.is_empty()).map(str::to_owned)
    };
    error().or(text)
}

/// Whether the last sentence outside of code is a question. Marks behind it, such as a closing
/// quote or emphasis, belong to it.
fn is_question(text: &str) -> bool {
    let mut fence: Option<&str> = None;
    let mut last = "";
    for line in text.lines() {
        let line = trim(line);
        let mark = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) if !line.is_empty() => last = line,
            _ => {}
        }
    }
    let end = last.trim_end_matches(|c: char| {
        matches!(c, '*' | '_' | '"' | '\'' | ')' | '”' | '’' | '」' | '）') || c.is_whitespace()
    });
    end.ends_with(['?', '？'])
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn of(rows: &[&str]) -> (Ending, String) {
        let mut file = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
        for (nth, row) in rows.iter().enumerate() {
            let parent = if nth == 0 { "null".to_owned() } else { format!("\"{}\"", nth - 1) };
            let _ = writeln!(
                file,
                "{{\"type\":\"message\",\"id\":\"{nth}\",\"parentId\":{parent},\"message\":{row}}}"
            );
        }
        let session = crate::read(file.into_bytes()).unwrap();
        let ended = ended(&session, session.leaf()).unwrap();
        (ended.how, ended.text)
    }

    const PROMPT: &str = r#"{"role":"user","content":"do it"}"#;
    const CALL: &str = r#"{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{}}]}"#;
    const RESULT: &str = r#"{"role":"toolResult","toolCallId":"c","content":"x"}"#;

    fn answer(text: &str) -> String {
        format!(r#"{{"role":"assistant","content":[{{"type":"text","text":"{text}"}}]}}"#)
    }

    #[test]
    fn each_ending_is_told_by_the_last_rows() {
        let done = answer("Done.");
        let asks = r#"{"role":"assistant","content":[{"type":"toolCall","id":"q","name":"AskUserQuestion","arguments":{}}]}"#;
        let failed =
            r#"{"role":"assistant","content":[],"stopReason":"error","errorMessage":"Not Found"}"#;
        let aborted = r#"{"role":"assistant","content":[],"stopReason":"aborted"}"#;
        for (rows, how, text) in [
            (&[PROMPT, CALL, RESULT, &done][..], Ending::Answered, "Done."),
            (&[PROMPT, &answer("Which one?")], Ending::Question, "Which one?"),
            (&[PROMPT, asks], Ending::Question, ""),
            (&[PROMPT, failed], Ending::Failed, "Not Found"),
            (&[PROMPT, &done, PROMPT, aborted], Ending::Stopped, "Done."),
            (&[PROMPT, CALL], Ending::CutOff, ""),
            (&[PROMPT, &done, PROMPT, CALL, RESULT], Ending::CutOff, "Done."),
            (&[PROMPT, &done, PROMPT], Ending::CutOff, "Done."),
        ] {
            assert_eq!(of(rows), (how, text.to_owned()), "{rows:?}");
        }
    }

    #[test]
    fn a_question_ends_the_text_outside_of_code() {
        for (text, expected) in [
            ("Shall I?", true),
            ("**Shall I?**", true),
            ("要继续吗？", true),
            ("Shall I?\n\n```\nlet x = 1;\n```", true),
            ("Why? Because.", false),
            ("Run:\n```\nis it?\n```", false),
            ("", false),
        ] {
            assert_eq!(is_question(text), expected, "{text}");
        }
    }
}
