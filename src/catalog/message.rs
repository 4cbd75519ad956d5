//! The messages of a session as the index has them: what was said, and what a query may ask of it.

use std::cell::LazyCell;

use serde::{Deserialize, Serialize};

use super::row_number::Role;
use super::words::add_words;
use crate::content::artifact::ArtifactPlaces;
use crate::content::work::Work;
use crate::content::{Reader, Renderers, Source};
use crate::outline::{Membership, Outline, Row, Subject};
use crate::session::action::names::Tool;
use crate::session::calls::CallReader;
use crate::session::digest::Digest;
use crate::session::landmarks::{LandmarkKind, Notable};
use crate::session::notice::HISTORY;
use crate::session::{Body, EntryIndex, Kind, Session};

/// One entry that says something. The names are short because each stands in the catalog as often as there are messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Message {
    /// The entry's key.
    #[serde(rename = "k")]
    pub(crate) key: String,
    #[serde(rename = "i")]
    pub(crate) kind: Kind,
    /// The role of its message in a context.
    #[serde(rename = "r", default, skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    /// When it was written, in milliseconds since 1970.
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    pub(crate) time: Option<i64>,
    /// The text of its row.
    #[serde(rename = "l", default, skip_serializing_if = "String::is_empty")]
    line: String,
    /// The row's key words.
    #[serde(rename = "w", default, skip_serializing_if = "String::is_empty")]
    words: String,
    #[serde(rename = "o", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) tools: Vec<String>,
    #[serde(rename = "f", default, skip_serializing_if = "is_false")]
    pub(crate) failed: bool,
    #[serde(rename = "s", default, skip_serializing_if = "is_false")]
    pub(crate) stopped: bool,
    /// Landmarks, by their names.
    #[serde(rename = "m", default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) landmarks: Vec<String>,
    #[serde(rename = "b", default, skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<String>,
    /// What was said: the text of a prompt or a response, the heading of a call with its command.
    #[serde(rename = "x", default, skip_serializing_if = "String::is_empty")]
    pub(crate) said: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(is: &bool) -> bool {
    !is
}

impl Message {
    /// What a search shows of it: what was said, else its row.
    pub(crate) fn shown(&self) -> &str {
        if self.said.is_empty() { &self.line } else { &self.said }
    }

    /// The texts by which it is found.
    #[cfg(feature = "cli")]
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        [&*self.said].into_iter().chain(self.label.as_deref())
    }

    /// Who says it, as a search names it.
    #[cfg(feature = "cli")]
    pub(crate) fn role_name(&self) -> &'static str {
        role_name(self.kind)
    }

    /// Makes messages as small as the search of an archive needs them: the text of a row goes where it is part of what was
    /// said, and times are seconds since the message before.
    #[cfg(feature = "cli")]
    pub(crate) fn shrink(messages: &mut [Message]) {
        let mut before = 0;
        for message in messages {
            if message.says_its_line() {
                message.line.clear();
            }
            if let Some(time) = &mut message.time {
                let seconds = time.div_euclid(1000);
                *time = seconds - std::mem::replace(&mut before, seconds);
            }
        }
    }

    /// Whether what was said has the text of the row, whatever blanks are between the words: to a search they are alike.
    #[cfg(feature = "cli")]
    fn says_its_line(&self) -> bool {
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.said.contains(&self.line) || plain(&self.said).contains(&plain(&self.line))
    }

    /// How much it counts in a search. A label was given by hand.
    pub(super) fn role(&self) -> Role {
        match self.kind {
            _ if self.label.is_some() => Role::Titled,
            Kind::User | Kind::CustomMessage | Kind::CustomRole => Role::Prompt,
            Kind::Assistant => Role::Response,
            _ => Role::Call,
        }
    }

    /// Its words for the index.
    pub(super) fn index_words(&self) -> String {
        let mut words = String::new();
        add_words(&self.said, &mut words);
        add_words(self.label.as_deref().unwrap_or_default(), &mut words);
        words
    }

    /// Holds it against a query.
    pub(super) fn with_subject<T>(&self, with: impl FnOnce(&Subject<'_>) -> T) -> T {
        let row = Row {
            kind: self.kind,
            text: self.line.clone(),
            words: self.words.clone(),
            membership: Membership::default(),
            failed: self.failed,
            stopped: self.stopped,
            landmarks: self.landmarks.iter().filter_map(|name| landmark(name)).collect(),
            is_landmark: false,
            tools: self.tools.clone(),
            lines: [0; 2],
        };
        with(&Subject {
            row: &row,
            role: self.role.as_deref(),
            label: self.label.as_deref(),
            time: self.time,
            body: LazyCell::new(Box::new(|| self.said.clone())),
        })
    }
}

/// Who says what an entry of this kind says: `prompt`, `response`, `call`, `command`, or the kind's name.
#[cfg(feature = "cli")]
pub(crate) fn role_name(kind: Kind) -> &'static str {
    match kind {
        Kind::User => "prompt",
        Kind::Assistant => "response",
        Kind::ToolResult => "call",
        Kind::Bash | Kind::Program => "command",
        kind => kind.name(),
    }
}

fn landmark(name: &str) -> Option<LandmarkKind> {
    let notable = Notable::ALL.iter().map(|&what| LandmarkKind::Notable(what));
    LandmarkKind::ALL.iter().copied().chain(notable).find(|kind| kind.name() == name)
}

/// The messages of a session, of all its branches and sub-agents, in the order of its entries; with what all tools gave
/// back, or only commands.
pub(crate) fn of(
    session: &Session,
    digest: &Digest<'_>,
    outline: &Outline,
    work: &Work<'_>,
    with_output: bool,
) -> Vec<Message> {
    let artifacts = ArtifactPlaces::read(session);
    let renderers = Renderers::new();
    let reader = Reader { session, digest, artifacts: &artifacts, work, renderers: &renderers };
    let mut calls = CallReader::new(session);
    let mut messages = Vec::new();
    for index in session.indices() {
        let row = outline.row(index);
        let entry = session.entry_at(index);
        let label = session.label(index).map(|label| label.text.clone());
        let is_asked_for =
            row.failed || row.stopped || label.is_some() || !row.landmarks.is_empty();
        let is_output = with_output && row.kind == Kind::ToolResult;
        let said = if is_output || is_said(row, index, &entry.body, digest) {
            let call = digest.calls.call_of(index).and_then(|place| calls.read(place).cloned());
            let source = Source { index, entry: &entry, call: call.as_ref() };
            let text = if is_output { reader.text(source) } else { reader.said_text(source) };
            text.trim().to_owned()
        } else if row.kind == Kind::ToolResult {
            row.line()
        } else {
            String::new()
        };
        calls.keep(index, entry);
        if said.is_empty() && !is_asked_for {
            continue;
        }
        messages.push(Message {
            key: session.key_at(index),
            kind: row.kind,
            role: digest.facts.of(index).message.as_ref().map(|message| message.role.to_string()),
            time: session.time(index),
            line: row.text.clone(),
            words: row.words.clone(),
            tools: row.tools.clone(),
            failed: row.failed,
            stopped: row.stopped,
            landmarks: row.landmarks.iter().map(|kind| kind.name().to_owned()).collect(),
            label,
            said,
        });
    }
    messages
}

/// Whether an entry says more than its row: a prompt, a response, a command, a summary, or what an agent or an extension
/// showed to the person, such as the findings of a review.
fn is_said(row: &Row, index: EntryIndex, body: &Body<'_>, digest: &Digest<'_>) -> bool {
    match row.kind {
        Kind::User
        | Kind::Assistant
        | Kind::Bash
        | Kind::Program
        | Kind::Compaction
        | Kind::BranchSummary => true,
        Kind::CustomMessage | Kind::CustomRole => match body {
            // The messages of a history are the session's own once more.
            Body::CustomMessage(custom)
            | Body::Message(crate::session::message::Message::Custom(custom)) => {
                custom.display && custom.custom_type != HISTORY || row.membership.user
            }
            _ => row.membership.user,
        },
        Kind::ToolResult => {
            matches!(digest.calls.tool_of(index), Some(Tool::Command | Tool::Program))
        }
        _ => false,
    }
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;

    #[test]
    fn a_small_message_is_found_as_before() {
        let message = |time, line: &str, said: &str| Message {
            key: "a".to_owned(),
            kind: Kind::User,
            role: None,
            time,
            line: line.to_owned(),
            words: String::new(),
            tools: Vec::new(),
            failed: false,
            stopped: false,
            landmarks: Vec::new(),
            label: None,
            said: said.to_owned(),
        };
        let mut messages = [
            message(Some(1_999), "the tide  rises", "At noon:\n\nthe tide\nrises"),
            message(None, "ls ~/src", "Bash ls /home/a/src"),
            message(Some(61_000), "", ""),
            message(Some(-1), "tides", "tide"),
        ];
        Message::shrink(&mut messages);
        let times = messages.each_ref().map(|message| message.time);
        assert_eq!(times, [Some(1), None, Some(60), Some(-62)]);
        assert_eq!(messages.each_ref().map(|one| &*one.line), ["", "ls ~/src", "", "tides"]);
    }
}
