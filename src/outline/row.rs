//! The text of a row, worded as `/tree` of pi 1.5.2 does.
//!
//! One deviation: a type unknown to pi shows as `[its name]` where pi leaves the
//! row blank, since a blank row says nothing of what lies there. omp's
//! rows are worded as its own `/tree` does (`omp.rs`).

use std::borrow::Cow;

use crate::session::about::About;
use crate::session::entry::{Entry, Replacement};
use crate::session::file_tools::Touched;
use crate::session::message::{
    Assistant, Block, CustomMessage, Message, ToolCall, ToolResult, joined_text,
};
use crate::session::text::{counted, cut, one_line, trim};
use crate::session::{Body, Dialect, Kind, RowStyle};

use super::filter::{Filter, Membership};
use super::{omp, words};

/// A row shows this much of its text, in UTF-16 units.
const TEXT_UNITS: usize = 200;

/// The row of a prompt that is pictures alone, whose text would be empty.
fn pictures_of(body: &Body<'_>, text: &str) -> Option<String> {
    let Body::Message(Message::User(content)) = body else { return None };
    let count = content.iter().filter(|block| matches!(block, Block::Image { .. })).count();
    let what = if count == 1 { "image".to_owned() } else { counted(count, "image") };
    (count > 0 && text == "user: ").then(|| format!("{text}[{what}]"))
}

/// What the rows of a session depend on beside their entries.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'s> {
    /// Whose program words them.
    pub dialect: Dialect,
    /// The working directory, which the drawn rows leave out of paths; empty where unknown.
    pub cwd: &'s str,
}

/// One entry in the tree list.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What the entry is.
    pub kind: Kind,
    /// The row without prefix, path mark and label; one line.
    pub text: String,
    /// The text as a narrow column shows it, where that is not the same: paths without the working folder,
    /// shortened from the left.
    pub drawn: Option<String>,
    /// Words that find the entry though they are not in its text, lower case.
    pub words: String,
    /// Which filters show it.
    pub membership: Membership,
    /// A turn that failed or was aborted.
    pub error: bool,
    /// A tool or a command that failed.
    pub failed: bool,
    /// The tools it calls, or the tool it answers for.
    pub tools: Vec<String>,
}

/// What one entry gives to the rows: its own, and what it asks for the rows of others.
#[derive(Debug)]
pub(super) struct EntryRow {
    pub(super) row: Row,
    /// Its calls, for the rows of their results.
    pub(super) calls: Vec<CallRow>,
}

/// A call as the row of its result shows it.
#[derive(Debug, Clone, Default)]
pub(super) struct CallRow {
    tool: String,
    text: String,
    drawn: Option<String>,
    /// What it reads or changes. What shell commands do to files is not known.
    files: Vec<Touched>,
}

impl EntryRow {
    pub(super) fn of(entry: &Entry<'_>, rows: Rows<'_>) -> EntryRow {
        let calls = match &entry.body {
            Body::Message(Message::Assistant(assistant)) => {
                assistant.calls().map(|call| CallRow::of(call, rows)).collect()
            }
            _ => Vec::new(),
        };
        EntryRow { row: Row::of(entry, rows), calls }
    }
}

impl CallRow {
    fn of(call: &ToolCall<'_>, rows: Rows<'_>) -> CallRow {
        let about = call.about();
        let text = cut(&answered(call, &about, rows.dialect), TEXT_UNITS).to_owned();
        let drawn = drawn_of(call, &about, &text, rows);
        CallRow { tool: call.name.to_string(), drawn, text, files: call.files() }
    }
}

impl Row {
    /// The row of an entry by itself.
    pub fn of(entry: &Entry<'_>, rows: Rows<'_>) -> Row {
        let is_omp = rows.dialect.traits().rows == RowStyle::Omp;
        let text = cut(&text_of(&entry.body, rows.dialect), TEXT_UNITS).to_owned();
        Row {
            kind: Kind::of(&entry.body),
            drawn: pictures_of(&entry.body, &text),
            text,
            words: words::key_words(&entry.body),
            membership: membership(&entry.body, is_omp),
            error: is_error(&entry.body),
            failed: is_failure(&entry.body),
            tools: tools(&entry.body),
        }
    }

    /// Makes it the row of the result of a call, by which it is named, and gives the files that the call is about.
    pub(super) fn answer(&mut self, call: CallRow) -> Vec<Touched> {
        self.text = call.text;
        self.drawn = call.drawn;
        self.tools = vec![call.tool];
        call.files
    }

    /// Settings and turns without text say nothing of what a branch ended with.
    pub(crate) fn says_something(&self) -> bool {
        Filter::Default.admits(self.membership, false) && !self.membership.without_text
    }

    /// Makes it the row of an entry that stands for a session that is not there.
    pub(super) fn say_missing(&mut self, reason: &str) {
        cut(&format!("[not shown]: {}", one_line(reason)), TEXT_UNITS).clone_into(&mut self.text);
        self.membership = Membership::default();
    }
}

fn text_of(body: &Body<'_>, dialect: Dialect) -> String {
    let is_omp = dialect.traits().rows == RowStyle::Omp;
    match body {
        Body::Message(Message::ToolResult(result)) => unasked(result, dialect),
        Body::Message(message) => message_text(message, is_omp),
        Body::ModelChange(change) if is_omp => {
            format!("[model: {}]", one_line(&omp::model_name(&change.model)))
        }
        Body::ModelChange(change) => format!("[model: {}]", one_line(&change.model.id)),
        Body::ThinkingLevelChange(level) => format!("[thinking: {}]", one_line(level)),
        Body::Compaction(compaction) => match compaction.tokens_before {
            Some(tokens) => format!("[compaction: {}k tokens]", (tokens / 1000.0 + 0.5).floor()),
            None => "[compaction]".to_owned(),
        },
        Body::BranchSummary(branch) => format!("[branch summary]: {}", one_line(&branch.summary)),
        Body::Custom { custom_type, .. } => format!("[custom: {}]", one_line(custom_type)),
        Body::CustomMessage(custom) => custom_text(custom, is_omp),
        Body::ContextEdit { target_id, replacement } => {
            let what = match replacement {
                Replacement::Omit => "omit",
                Replacement::Content(_) => "replace",
            };
            format!("[context {what}: {}]", one_line(target_id))
        }
        Body::Label { label, .. } => {
            format!(
                "[label: {}]",
                label.as_deref().map_or(Cow::Borrowed("(cleared)"), |l| one_line(l).into())
            )
        }
        Body::SessionInfo(name) if name.is_empty() => "[title: empty]".to_owned(),
        Body::SessionInfo(name) => format!("[title: {}]", one_line(name)),
        Body::Usage(usage) => format!("[usage: {}]", one_line(&usage.kind)),
        Body::Event(event) => omp::event_text(event),
        Body::Omitted(omitted) => one_line(&omitted.sentence()),
        Body::Other { entry_type, .. } if entry_type.is_empty() => {
            "[entry without a type]".to_owned()
        }
        Body::Other { entry_type, .. } => {
            format!("[{}]", one_line(entry_type).replace('_', " "))
        }
    }
}

fn custom_text(custom: &CustomMessage<'_>, is_omp: bool) -> String {
    if is_omp && custom.custom_type == "advisor" {
        return omp::advice(custom)
            .unwrap_or_else(|| format!("advisor: {}", start_of(&custom.content, is_omp)));
    }
    let is_blank = is_omp && custom.malformed;
    let text = if is_blank { String::new() } else { start_of(&custom.content, is_omp) };
    format!("[{}]: {text}", one_line(&custom.custom_type))
}

/// pi and its kin, whose programs word the rows.
fn is_pi(dialect: Dialect) -> bool {
    matches!(dialect.traits().rows, RowStyle::Pi | RowStyle::Omp)
}

/// The row of a call's result with its path or its command written for a narrow column; `None` where that is
/// the same.
fn drawn_of(call: &ToolCall<'_>, about: &About, text: &str, row: Rows<'_>) -> Option<String> {
    let name = one_line(&call.name);
    let drawn = match (is_pi(row.dialect), about) {
        (false, _) => format!("{name} {}", about.row(row.cwd)),
        // pi cuts a command before a narrow column has to.
        (true, About::Command(_)) => format!("[{name}: {}]", about.row(row.cwd)),
        // pi words some calls in its own way: there only the path is the same.
        (true, _) => {
            let (long, short) = about.path_in(row.cwd)?;
            text.replacen(&long, &short, 1)
        }
    };
    let drawn = cut(&drawn, TEXT_UNITS);
    (drawn != text).then(|| drawn.to_owned())
}

/// pi and omp name the tool and the call in brackets; for all others the row says what the card's head says.
fn answered(call: &ToolCall<'_>, about: &About, dialect: Dialect) -> String {
    let name = one_line(&call.name);
    if is_pi(dialect) {
        format!(
            "[{name}: {}]",
            single_line(&call.summary_in(dialect.traits().rows == RowStyle::Omp))
        )
    } else {
        format!("{name} {}", about.text())
    }
}

/// The same where the call is not in the session.
fn unasked(result: &ToolResult<'_>, dialect: Dialect) -> String {
    match &result.name {
        Some(name) if is_pi(dialect) => format!("[{}]", one_line(name)),
        Some(name) => one_line(name),
        None => "[tool]".to_owned(),
    }
}

fn message_text(message: &Message<'_>, is_omp: bool) -> String {
    match message {
        Message::User(content) => format!("user: {}", start_of(content, is_omp)),
        Message::Developer(content) => format!("developer: {}", start_of(content, is_omp)),
        Message::Assistant(assistant) => assistant_text(assistant),
        Message::Bash(bash) => format!("[bash]: {}", one_line(&bash.command)),
        Message::System(_)
        | Message::ToolResult(_)
        | Message::Custom(_)
        | Message::Program(_)
        | Message::FileMention(_)
        | Message::Hook(_) => format!("[{}]", message.role()),
        Message::Other { role, .. } if role.is_empty() => "[message without a role]".to_owned(),
        Message::Other { role, .. } => format!("[{}]", one_line(role)),
    }
}

fn assistant_text(assistant: &Assistant<'_>) -> String {
    /// pi's row shows this much of an error, in UTF-16 units.
    const ERROR_UNITS: usize = 80;
    let text = start_of(&assistant.content, false);
    let rest = if let Some(note) = omp::retry_note(assistant) {
        Cow::Owned(one_line(note))
    } else if !text.is_empty() {
        Cow::Owned(text)
    } else if assistant.stopped_by("aborted") {
        Cow::Borrowed("(aborted)")
    } else if let Some(error) = assistant.error_message.as_deref().filter(|error| !error.is_empty())
    {
        Cow::Owned(cut(&one_line(error), ERROR_UNITS).to_owned())
    } else {
        Cow::Borrowed("(no content)")
    };
    format!("assistant: {rest}")
}

/// The beginning of the text blocks on one line; cut first, as pi does.
fn start_of(content: &[Block<'_>], is_omp: bool) -> String {
    let text = joined_text(content, "");
    let text = if is_omp { omp::unwrapped(&text) } else { Cow::Borrowed(text.as_str()) };
    one_line(cut(&text, TEXT_UNITS))
}

/// Without newlines and tabs, but not trimmed.
fn single_line(text: &str) -> String {
    text.replace(['\n', '\t'], " ")
}

fn membership(body: &Body<'_>, is_omp: bool) -> Membership {
    let other = Membership::default();
    match body {
        Body::Message(Message::User(_)) => Membership { user: true, ..other },
        Body::Message(Message::ToolResult(_)) => Membership { tool_result: true, ..other },
        Body::Message(Message::Assistant(assistant)) => {
            Membership { without_text: merely_called_tools(assistant, is_omp), ..other }
        }
        Body::CustomMessage(custom) if is_omp => Membership { user: custom.is_prompt(), ..other },
        Body::Usage(_) => Membership { never: true, ..other },
        // One that merely stands between what is shown would double the list.
        Body::Omitted(omitted) => Membership { settings: omitted.quiet, ..other },
        Body::Label { .. }
        | Body::Custom { .. }
        | Body::ContextEdit { .. }
        | Body::ModelChange(_)
        | Body::ThinkingLevelChange(_)
        | Body::SessionInfo(_)
        | Body::Event(_) => Membership { settings: true, ..other },
        _ => other,
    }
}

/// A turn that the provider or the person ended.
fn is_error(body: &Body<'_>) -> bool {
    let Body::Message(Message::Assistant(assistant)) = body else { return false };
    assistant.stopped_by("error")
        || assistant.stopped_by("aborted")
        || assistant.error_message.as_ref().is_some_and(|error| !error.is_empty())
}

fn is_failure(body: &Body<'_>) -> bool {
    match body {
        Body::Message(Message::ToolResult(result)) => result.is_error,
        Body::Message(Message::Bash(bash)) => bash.exit_code.is_some_and(|code| code != 0.0),
        Body::Message(Message::Program(program)) => {
            program.exit_code.is_some_and(|code| code != 0.0)
        }
        _ => false,
    }
}

fn tools(body: &Body<'_>) -> Vec<String> {
    match body {
        Body::Message(Message::Assistant(assistant)) => {
            let mut names: Vec<String> =
                assistant.calls().map(|call| call.name.to_string()).collect();
            names.sort_unstable();
            names.dedup();
            names
        }
        Body::Message(Message::ToolResult(result)) => {
            result.name.as_deref().map(str::to_owned).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// No text that shows, and no end that a reader should know of.
fn merely_called_tools(assistant: &Assistant<'_>, is_omp: bool) -> bool {
    let shows = |text: &str| !(trim(text).is_empty() || is_omp && omp::is_mere_dots(text));
    let has_text =
        assistant.content.iter().any(|block| matches!(block, Block::Text(text) if shows(text)));
    !has_text && matches!(assistant.stop_reason.as_deref(), None | Some("stop" | "toolUse"))
}
