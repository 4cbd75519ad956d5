//! How a branch ended: with a response, a question, a failure, or in the middle of the work.
//!
//! Only what stands on the path to the leaf counts, read from its end. What says nothing of the
//! work, such as a setting, a label, a title, a hook or a compaction, is passed over.

mod before;

pub(crate) use before::Befores;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::session::action::names::Tool;
use crate::session::action::outcome::Outcome;
use crate::session::model::entry::Body;
use crate::session::model::message::{Assistant, Block, CustomMessage, Message, joined_text};
use crate::session::model::notice::RunEnd;
use crate::session::texts::json::Json;
use crate::session::texts::question::is_question;
use crate::session::texts::text::{cut, last_sentence, one_line, trim};
use crate::session::texts::words::Words;
use crate::session::tree::child::SubSession;
use crate::session::tree::index::EntryIndex;
use crate::session::tree::session::Session;

/// How a branch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Ending {
    /// With a response.
    Answered,
    /// With a question: the last sentence of the response, or a tool that asks the user.
    Question,
    /// The user stopped it.
    Stopped,
    /// The last response is an error, or the last row of the run says so.
    Failed,
    /// In the middle: a prompt or a tool result without a response, a call without a result, or a
    /// sub-agent that still works.
    CutOff,
    /// With a response that reached its length limit.
    LengthLimit,
    /// The model, or a filter of its provider, refused to answer.
    Refused,
    /// With a command that the user ran.
    Command,
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
            Ending::LengthLimit => "length-limit",
            Ending::Refused => "refused",
            Ending::Command => "command",
        }
    }

    /// In words, behind "ended".
    pub fn words(self) -> &'static str {
        match self {
            Ending::Answered => "answered",
            Ending::Question => "with a question",
            Ending::Stopped => "stopped",
            Ending::Failed => "failed",
            Ending::CutOff => "cut off",
            Ending::LengthLimit => "cut off at the length limit",
            Ending::Refused => "refused",
            Ending::Command => "with the user's command",
        }
    }

    /// In words, among other facts of a session.
    pub fn fact(self) -> &'static str {
        match self {
            Ending::Question => "ended with a question",
            Ending::Command => "ended with the user's command",
            how => how.words(),
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
    /// The last words of the model, or of what failed; at most 300 UTF-16 units and `…`, and
    /// empty where the branch has none.
    pub text: Words,
}

/// Of the last response, in UTF-16 units.
const TEXT_UNITS: usize = 300;

/// So much of a response, in UTF-16 units, makes these words.
const READ_UNITS: usize = 2000;

/// What the rows at the end of a path say, collected from the leaf up.
#[derive(Default)]
struct Tail {
    /// Ids of the calls that have a result below.
    answered: HashSet<String>,
    /// The last entry that is part of the work, and what it is.
    last: Option<(EntryIndex, Last)>,
    text: Option<String>,
    /// A last response without a word, such as one emoji; `text` is of the one before it.
    sign: Option<String>,
    /// What the last row of the run says of its end, behind all work.
    run: Option<(EntryIndex, Run)>,
    /// Entries were removed that may be how it ended.
    is_removed: bool,
    /// A signal ended the program (omp), behind the work or with the results that this gave.
    by_signal: bool,
    /// Something was said to the model before that, which it was to answer.
    goes_on: bool,
}

/// How a headless run ended, as its stream says.
struct Run {
    end: RunEnd,
    /// What it printed, or why it failed.
    said: Option<String>,
}

/// What the last entry of the work is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Prompt,
    Result,
    Interrupt,
    Command,
    Response(Response),
}

impl Last {
    /// Something was to follow.
    fn is_open(self) -> bool {
        matches!(
            self,
            Last::Prompt | Last::Result | Last::Response(Response::Calls | Response::Unfinished)
        )
    }
}

/// What a response says of the end when it is the last entry, apart from its text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Response {
    Aborted,
    Failed,
    LengthLimit,
    Refused,
    /// It makes a call that no result answers.
    Calls,
    /// The file has only its beginning.
    Unfinished,
    /// The same, and what is called asks the user.
    Asks,
    Done,
    /// It was stopped before it said anything.
    Empty,
}

/// How the branch to `leaf` ended; `None` where nothing on it is part of the work, or where entries
/// were removed that may be how it ended. It parses as many entries as lie behind the last response that has a text.
///
/// ```
/// use leafpress::session::ending::ended;
///
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let ended = ended(&session, session.leaf()).expect("the branch has a response");
/// println!("{:?}: {}", ended.how, ended.text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ended(session: &Session, leaf: EntryIndex) -> Option<Ended> {
    ended_since(session, leaf, None)
}

/// The same by the session's own file: a sub-agent that wrote to another one is taken to have finished.
pub(crate) fn ended_by_own_file(session: &Session, leaf: EntryIndex) -> Option<Ended> {
    ended_by(session, leaf, None, |sub| sub.in_file == 0)
}

/// The same by what follows `since` alone.
pub(crate) fn ended_since(
    session: &Session,
    leaf: EntryIndex,
    since: Option<EntryIndex>,
) -> Option<Ended> {
    ended_by(session, leaf, since, |_| true)
}

/// The same where only some sub-agents can be in the middle of their work.
fn ended_by(
    session: &Session,
    leaf: EntryIndex,
    since: Option<EntryIndex>,
    may_run: impl Fn(&SubSession) -> bool,
) -> Option<Ended> {
    let Tail { last, text, sign, run, is_removed, by_signal, goes_on, .. } =
        Tail::read(session, leaf, since);
    let (index, run) = run.unzip();
    let (end, said) = run.map(|run| (run.end, run.said)).unzip();
    let (entry, last) = match (last.filter(|_| !is_removed), index, end) {
        (Some(last), ..) => last,
        // A run that failed before the model said anything.
        (None, Some(index), Some(RunEnd::Failed | RunEnd::Stopped | RunEnd::CutOff))
            if !is_removed =>
        {
            (index, Last::Prompt)
        }
        _ => return None,
    };
    let said = said.flatten();
    let mut text = text.unwrap_or_default();
    let asks = is_question(sign.as_deref().unwrap_or(&text));
    let how = match (last, end) {
        (_, Some(RunEnd::Stopped)) | (Last::Interrupt | Last::Response(Response::Aborted), _) => {
            Ending::Stopped
        }
        (last, None) if by_signal && (last.is_open() || goes_on) => Ending::Stopped,
        (_, Some(RunEnd::Failed)) => {
            text = said.unwrap_or(text);
            Ending::Failed
        }
        (Last::Response(Response::Failed), _) => Ending::Failed,
        (last, Some(RunEnd::Completed)) => {
            // Its last call was its answer.
            if last.is_open() {
                text = said.unwrap_or(text);
            }
            if is_question(&text) { Ending::Question } else { Ending::Answered }
        }
        (Last::Command, _) => Ending::Command,
        (Last::Response(Response::LengthLimit), _) => Ending::LengthLimit,
        (Last::Response(Response::Refused), _) => Ending::Refused,
        (_, Some(RunEnd::CutOff)) => Ending::CutOff,
        (last, None) if last.is_open() => Ending::CutOff,
        _ if has_running_sub_agent(session, leaf, may_run) => Ending::CutOff,
        (Last::Response(Response::Asks), _) => Ending::Question,
        _ if asks => Ending::Question,
        _ => Ending::Answered,
    };
    let mut words = Words::of_markdown(cut(&text, READ_UNITS));
    if let Some(sign) = sign {
        let start = words.len() - last_sentence(&words).len();
        words = words.part(start..words.len());
        words.text = one_line(&format!("{words} {sign}"));
    }
    Some(Ended { how, entry, text: words.shortened(TEXT_UNITS) })
}

/// Whether a sub-agent that the path started was in the middle of its work when the session ended: its own
/// last entry is, and was written after the call that started it had its result.
fn has_running_sub_agent(
    session: &Session,
    leaf: EntryIndex,
    may_run: impl Fn(&SubSession) -> bool,
) -> bool {
    let tree = session.tree();
    session.sub_sessions().iter().filter(|sub| may_run(sub)).any(|sub| {
        let is_here = sub.is_tied && sub.missing.is_none() && tree.is_on_path(sub.started_by, leaf);
        is_here && is_behind_its_call(session, sub.started_by, sub.leaf) && {
            let Tail { last, .. } = Tail::read(session, sub.leaf, None);
            last.is_some_and(|(_, last)| last.is_open())
        }
    })
}

/// Whether a sub-agent wrote after the results of the response that started it: it worked in the background.
fn is_behind_its_call(session: &Session, started_by: EntryIndex, sub_leaf: EntryIndex) -> bool {
    let is_result = |&entry: &EntryIndex| {
        matches!(session.entry_at(entry).body, Body::Message(Message::ToolResult(_)))
    };
    let mut at = started_by;
    while let Some(next) = session.tree().children(at).find(is_result) {
        at = next;
    }
    session.time(sub_leaf).zip(session.time(at)).is_some_and(|(sub, result)| sub > result)
}

impl Tail {
    /// Walks from the leaf up to the last response that has a text, at most to below `since`.
    fn read(session: &Session, leaf: EntryIndex, since: Option<EntryIndex>) -> Tail {
        let mut tail = Tail::default();
        for entry in session.tree().ancestors(leaf).take_while(|&entry| Some(entry) != since) {
            tail.take(session, entry);
            if tail.text.is_some() || tail.is_removed {
                break;
            }
        }
        tail
    }

    /// Takes the entry above those that were taken before.
    fn take(&mut self, session: &Session, index: EntryIndex) {
        match session.entry_at(index).body {
            Body::Message(Message::User(_)) => self.end(index, Last::Prompt),
            Body::Message(Message::ToolResult(result)) => {
                let by_user = Outcome::of(&result).by_user;
                self.answered.insert(result.call_id.into_owned());
                // OpenCode (1.18.33) ends a turn whose call the user refused.
                self.end(index, if by_user { Last::Interrupt } else { Last::Result });
            }
            Body::Message(Message::Assistant(assistant)) => {
                let response = self.response(session, index, &assistant);
                match (&mut self.last, response) {
                    // Codex (0.169.0) stops a response after the results of its calls: `turn_aborted`.
                    (Some((_, last @ Last::Result)), Response::Aborted) => *last = Last::Interrupt,
                    (None, Response::Empty) => {}
                    _ => self.end(index, Last::Response(response)),
                }
                self.text = last_words(&assistant);
                // What was said before it was another answer.
                if response == Response::Refused && self.last_is(index) {
                    self.text.get_or_insert_default();
                }
                let is_sign =
                    |text: &mut String| !text.is_empty() && !text.contains(char::is_alphanumeric);
                if let Some(sign) = self.text.take_if(is_sign) {
                    self.sign.get_or_insert(sign);
                }
            }
            Body::Message(Message::Bash(_)) => self.end(index, Last::Command),
            Body::CustomMessage(custom)
            | Body::Message(Message::Custom(custom) | Message::Hook(custom)) => {
                if let Some(end) = RunEnd::of(&custom.custom_type) {
                    if self.last.is_none() && self.run.is_none() {
                        self.run = Some((index, Run::of(end, &custom)));
                    }
                } else if custom.is_prompt() {
                    self.end(index, Last::Prompt);
                // Claude Code's `[Request interrupted by user…` (2.1.12 to 2.1.330), as its reader names it.
                } else if custom.custom_type == "interrupted" {
                    self.end(index, Last::Interrupt);
                } else {
                    self.goes_on |= self.by_signal && self.last.is_none();
                }
            }
            // omp 18.2.3: `{kind: "signal"}`.
            Body::Custom { custom_type, data: Some(data) } if custom_type == "session_exit" => {
                let is_signal = data.get("kind").and_then(Json::as_str) == Some("signal");
                let is_behind = matches!(self.last, None | Some((_, Last::Result)));
                self.by_signal |= is_signal && is_behind;
            }
            Body::Omitted(_) => self.is_removed = true,
            _ => {}
        }
    }

    fn last_is(&self, index: EntryIndex) -> bool {
        self.last.is_some_and(|(last, _)| last == index)
    }

    fn end(&mut self, index: EntryIndex, last: Last) {
        self.last.get_or_insert((index, last));
    }

    fn response(
        &self,
        session: &Session,
        index: EntryIndex,
        assistant: &Assistant<'_>,
    ) -> Response {
        let has_error = assistant.error_message.as_ref().is_some_and(|error| !error.is_empty());
        if assistant.stopped_by("aborted") {
            return Response::Aborted;
        }
        if assistant.is_refused() {
            return Response::Refused;
        }
        if assistant.stopped_by("error") || has_error {
            return Response::Failed;
        }
        if assistant.is_unfinished() {
            return Response::Unfinished;
        }
        if assistant.stopped_by("length") {
            return Response::LengthLimit;
        }
        let mut open = assistant
            .calls()
            .filter(|call| call.status.is_none() && !self.answered.contains(call.id.as_ref()));
        match open.next() {
            None if assistant.stop_reason.is_none() && !says_or_calls(assistant) => Response::Empty,
            None => Response::Done,
            Some(_) if !session.format().traits().keeps_results => Response::Done,
            Some(first)
                if session.sub_session_of(index).is_some() && gives_its_result(&first.name) =>
            {
                Response::Done
            }
            Some(first) => {
                let asks = |name: &str| matches!(Tool::of(name), Tool::Ask | Tool::Plan);
                let all_ask = asks(&first.name) && open.all(|call| asks(&call.name));
                if all_ask { Response::Asks } else { Response::Calls }
            }
        }
    }
}

impl Run {
    fn of(end: RunEnd, message: &CustomMessage<'_>) -> Run {
        let stated = message.details.as_ref().and_then(|details| details.get("text")?.as_str());
        let shown = joined_text(&message.content, "\n");
        let why = shown.strip_prefix(end.words()).and_then(|rest| rest.strip_prefix(": "));
        let said = stated.or(why).map(trim).filter(|said| !said.is_empty());
        Run { end, said: said.map(str::to_owned) }
    }
}

fn says_or_calls(assistant: &Assistant<'_>) -> bool {
    assistant.content.iter().any(|block| match block {
        Block::Text(text) => !trim(text).is_empty(),
        Block::ToolCall(_) => true,
        _ => false,
    })
}

/// How sub-agents of oh-my-pi (`yield` in 18.2.3) end: no result of that call need be in their file.
fn gives_its_result(tool: &str) -> bool {
    matches!(tool, "yield" | "submit_result")
}

/// The text of a response, or the message of one that failed.
fn last_words(assistant: &Assistant<'_>) -> Option<String> {
    let text = joined_text(&assistant.content, "\n");
    let text = Some(trim(&text).to_owned()).filter(|text| !text.is_empty());
    let error = || {
        let error = assistant.error_message.as_deref().map(trim);
        error.filter(|error| !error.is_empty()).map(str::to_owned)
    };
    // That it was stopped is no word of its own.
    if assistant.stopped_by("aborted") { text } else { error().or(text) }
}

#[cfg(test)]
mod tests;
