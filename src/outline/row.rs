//! The rows of the tree as the page draws them and search reads them: who or which tool, and what was said.
//!
//! What an entry says (`Said`) is worded here for everybody; the forms that the agents' own programs give it on
//! a terminal are made in `report/tree`.

use crate::session::action::Action;
use crate::session::entry::{Entry, Replacement};
use crate::session::invisible::marked;
use crate::session::landmarks::LandmarkKind;
use crate::session::message::{Assistant, Block, CustomMessage, Message, ToolCall, joined_text};
use crate::session::text::{counted, cut, one_line, trim};
use crate::session::words::Words;
use crate::session::{Body, Format, Kind, NamedFile, RowStyle, notice};

use super::filter::{Filter, Membership};
use super::said::{Form, Said};
use super::text_lines::text_lines;
use super::{omp, words};

/// A row shows this much of its text, in UTF-16 units.
pub(crate) const TEXT_UNITS: usize = 200;

/// What the rows of a session depend on beside their entries.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'s> {
    /// Whose program wrote the session.
    pub format: Format,
    /// The working directory, which the rows leave out of paths; empty where unknown.
    pub cwd: &'s str,
}

/// One entry in the tree list.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What the entry is.
    pub kind: Kind,
    /// What was said or done, without who or which tool; one line, with marks for invisible characters. Of
    /// an event all of it.
    pub text: String,
    /// Words that find the entry though they are not in its text, lower case.
    pub words: String,
    /// Which filters show it.
    pub membership: Membership,
    /// A call, a response or a command that failed.
    pub failed: bool,
    /// A response that was aborted, or a call that was or that the user refused.
    pub stopped: bool,
    /// The kinds of landmarks that it is.
    pub landmarks: Vec<LandmarkKind>,
    /// One of them has a line of its own in the story.
    pub is_landmark: bool,
    /// The tools it calls, or the tool it answers for; with marks for invisible characters.
    pub tools: Vec<String>,
    /// About how many lines its text takes, see `text_lines`.
    pub lines: [usize; 2],
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
    /// What it reads or changes. What shell commands do to files is not known.
    files: Vec<NamedFile>,
}

impl EntryRow {
    /// `actions` are what the calls of the entry ask.
    pub(super) fn of(entry: &Entry<'_>, actions: &[Action<'_>], rows: Rows<'_>) -> EntryRow {
        let calls = match &entry.body {
            Body::Message(Message::Assistant(assistant)) => {
                let calls = assistant.calls().zip(actions);
                calls.map(|(call, action)| CallRow::of(call, action, rows)).collect()
            }
            _ => Vec::new(),
        };
        EntryRow { row: Row::of(entry, rows), calls }
    }
}

impl CallRow {
    fn of(call: &ToolCall<'_>, action: &Action<'_>, rows: Rows<'_>) -> CallRow {
        let text = drawn(&action.heading().row(rows.cwd));
        CallRow { tool: tool_name(&call.name), text, files: action.files() }
    }
}

impl Row {
    /// The row of an entry by itself.
    pub fn of(entry: &Entry<'_>, rows: Rows<'_>) -> Row {
        let is_omp = rows.format.traits().rows == RowStyle::Omp;
        let kind = Kind::of(&entry.body);
        let text = row_text(kind, &entry.body, rows.format);
        Row {
            kind,
            text: drawn(&text),
            words: words::key_words(&entry.body),
            membership: membership(&entry.body, is_omp),
            failed: false,
            stopped: false,
            landmarks: Vec::new(),
            is_landmark: false,
            tools: tools(&entry.body),
            lines: text_lines(&entry.body),
        }
    }

    /// Who speaks, or the tool that was called; empty for an event.
    pub fn who(&self) -> &str {
        match self.kind {
            Kind::ToolResult => self.tools.first().map_or("tool", String::as_str),
            Kind::User | Kind::Assistant | Kind::Bash => self.kind.name(),
            _ => "",
        }
    }

    /// The whole row in one line, as it is read aloud, copied and searched: `read: src/tides.rs`.
    pub fn line(&self) -> String {
        with_who(self.who(), &self.text)
    }

    /// Makes it the row of the result of a call, by which it is named, and gives the files that the call is about.
    pub(super) fn answer(&mut self, call: CallRow) -> Vec<NamedFile> {
        self.text = call.text;
        self.tools = vec![call.tool];
        call.files
    }

    /// Settings and turns without text say nothing of what a branch ended with.
    pub(crate) fn says_something(&self) -> bool {
        Filter::Default.admits(self.membership, false) && !self.membership.without_text
    }

    /// Makes it the row of an entry that stands for a session that is not there.
    pub(super) fn say_missing(&mut self, reason: &str) {
        self.text = drawn(&with_who(NOT_SHOWN, &one_line(reason)));
        self.membership = Membership::default();
    }
}

/// What stands before the reason why a session is not there.
pub(crate) const NOT_SHOWN: &str = "not shown";

fn with_who(who: &str, text: &str) -> String {
    match (who, text) {
        ("", text) => text.to_owned(),
        (who, "") => who.to_owned(),
        (who, text) => format!("{who}: {text}"),
    }
}

fn row_text(kind: Kind, body: &Body<'_>, format: Format) -> String {
    if let Some(stop) = stopped(body) {
        return stop.to_owned();
    }
    let Said { who, text, .. } = Said::of(body, format);
    let text = text.unwrap_or_default();
    match kind {
        Kind::User if text.is_empty() => pictures_of(body),
        Kind::User | Kind::Assistant => without_markdown(text),
        Kind::Bash | Kind::ToolResult => text,
        _ => with_who(&who, &text),
    }
}

/// What a note of an agent's program that the user stopped a turn says.
fn stopped(body: &Body<'_>) -> Option<&'static str> {
    match body {
        Body::CustomMessage(custom) | Body::Message(Message::Custom(custom)) => {
            custom.of_person().filter(|_| custom.is_stop())
        }
        _ => None,
    }
}

/// The row of a prompt that is pictures alone, whose text would be empty.
fn pictures_of(body: &Body<'_>) -> String {
    let Body::Message(Message::User(content)) = body else { return String::new() };
    match content.iter().filter(|block| matches!(block, Block::Image { .. })).count() {
        0 => String::new(),
        1 => "[image]".to_owned(),
        count => format!("[{}]", counted(count, "image")),
    }
}

/// What a person or the model wrote as plain text.
fn without_markdown(text: String) -> String {
    // Most have none, and to look for it costs more than all else of a row.
    if text.contains(['`', '*', '_', '#', '[', '<', '>', '&', '\\', '~', '|', '-']) {
        Words::of_markdown(&text).text
    } else {
        text
    }
}

impl Said {
    pub(crate) fn of(body: &Body<'_>, format: Format) -> Said {
        let rows = format.traits().rows;
        let is_omp = rows == RowStyle::Omp;
        match body {
            Body::Message(message) => of_message(message, is_omp),
            Body::ModelChange(change) if is_omp => {
                Said::fact("model", &omp::model_name(&change.model))
            }
            Body::ModelChange(change) => Said::fact("model", &change.model.id),
            Body::ThinkingLevelChange(level) => Said::fact("thinking", level),
            Body::Compaction(compaction) => match compaction.tokens_before {
                Some(tokens) => {
                    let thousands = (tokens / 1000.0 + 0.5).floor();
                    // `0k` in a row of pi or omp.
                    let is_little = thousands < 1.0 && rows == RowStyle::Cards;
                    let number =
                        if is_little { tokens.to_string() } else { format!("{thousands}k") };
                    Said::fact("compaction", &format!("{number} tokens"))
                }
                None => Said::bare("compaction"),
            },
            Body::BranchSummary(branch) => Said::note("branch summary", one_line(&branch.summary)),
            Body::Custom { custom_type, .. } => Said::fact("custom", custom_type),
            Body::CustomMessage(custom) => of_custom(custom, is_omp),
            Body::ContextEdit { target_id, replacement: Replacement::Omit } => {
                Said::fact("context omit", target_id)
            }
            Body::ContextEdit { target_id, .. } => Said::fact("context replace", target_id),
            Body::Label { label, .. } => {
                Said::fact("label", label.as_deref().unwrap_or("(cleared)"))
            }
            Body::SessionInfo(name) if name.is_empty() => Said::fact("title", "empty"),
            Body::SessionInfo(name) => Said::fact("title", name),
            Body::Usage(usage) => Said::fact("usage", &usage.kind),
            Body::Event(event) => omp::of_event(event),
            Body::Omitted(omitted) => Said {
                form: Form::Plain,
                who: String::new(),
                text: Some(one_line(&omitted.sentence())),
            },
            Body::Other { entry_type, .. } if entry_type.is_empty() => {
                Said::bare("entry without a type")
            }
            Body::Other { entry_type, .. } => Said::bare(&one_line(entry_type).replace('_', " ")),
        }
    }
}

fn of_custom(custom: &CustomMessage<'_>, is_omp: bool) -> Said {
    if is_omp && custom.custom_type == "advisor" {
        return omp::advice(custom)
            .unwrap_or_else(|| Said::speech("advisor", start_of(&custom.content, is_omp)));
    }
    let is_blank = is_omp && custom.malformed;
    let text = if is_blank { String::new() } else { start_of(&custom.content, is_omp) };
    Said::note(notice::name(&custom.custom_type), text)
}

fn of_message(message: &Message<'_>, is_omp: bool) -> Said {
    match message {
        Message::User(content) => Said::speech("user", start_of(content, is_omp)),
        Message::Developer(content) => Said::speech("developer", start_of(content, is_omp)),
        Message::Assistant(assistant) => Said::speech("assistant", of_assistant(assistant)),
        Message::Bash(bash) => Said::note("bash", one_line(&bash.command)),
        Message::ToolResult(result) => {
            Said::bare(&result.name.as_deref().map_or_else(|| "tool".to_owned(), one_line))
        }
        Message::System(_)
        | Message::Custom(_)
        | Message::Program(_)
        | Message::FileMention(_)
        | Message::Hook(_) => Said::bare(message.role()),
        Message::Other { role, .. } if role.is_empty() => Said::bare("message without a role"),
        Message::Other { role, .. } => Said::bare(&one_line(role)),
    }
}

fn of_assistant(assistant: &Assistant<'_>) -> String {
    /// A row shows this much of an error, in UTF-16 units.
    const ERROR_UNITS: usize = 80;
    let text = start_of(&assistant.content, false);
    if let Some(note) = omp::retry_note(assistant) {
        one_line(note)
    } else if !text.is_empty() {
        text
    } else if assistant.stopped_by("aborted") {
        "(aborted)".to_owned()
    } else if let Some(error) = assistant.error_message.as_deref().filter(|error| !error.is_empty())
    {
        cut(&one_line(error), ERROR_UNITS).to_owned()
    } else {
        "(no content)".to_owned()
    }
}

/// The beginning of the text blocks on one line; cut first, as pi does.
fn start_of(content: &[Block<'_>], is_omp: bool) -> String {
    let text = joined_text(content, "");
    let text = if is_omp { omp::unwrapped(&text) } else { text.as_str().into() };
    one_line(cut(&text, TEXT_UNITS))
}

/// A text as far as a row shows it, with marks for invisible characters.
fn drawn(text: &str) -> String {
    marked(cut(text, TEXT_UNITS)).into_owned()
}

/// The name of a tool as rows have it.
fn tool_name(name: &str) -> String {
    marked(&one_line(name)).into_owned()
}

/// Names each kind of entry, so that a new one does not compile until it has its place in the filters.
fn membership(body: &Body<'_>, is_omp: bool) -> Membership {
    let other = Membership::default();
    match body {
        Body::Message(Message::User(_)) => Membership { user: true, ..other },
        Body::Message(Message::ToolResult(_)) => Membership { tool_result: true, ..other },
        Body::Message(Message::Assistant(assistant)) => {
            Membership { without_text: merely_called_tools(assistant, is_omp), ..other }
        }
        Body::CustomMessage(custom) => Membership { user: is_omp && custom.is_prompt(), ..other },
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
        Body::Message(
            Message::System(_)
            | Message::Developer(_)
            | Message::Bash(_)
            | Message::Program(_)
            | Message::FileMention(_)
            | Message::Hook(_)
            | Message::Custom(_)
            | Message::Other { .. },
        )
        | Body::Compaction(_)
        | Body::BranchSummary(_)
        | Body::Other { .. } => other,
    }
}

fn tools(body: &Body<'_>) -> Vec<String> {
    match body {
        Body::Message(Message::Assistant(assistant)) => {
            let mut names: Vec<String> =
                assistant.calls().map(|call| tool_name(&call.name)).collect();
            names.sort_unstable();
            names.dedup();
            names
        }
        Body::Message(Message::ToolResult(result)) => {
            result.name.as_deref().map(tool_name).into_iter().collect()
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
