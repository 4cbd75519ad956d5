//! Messages and the blocks they are made of, as pi 1.5.2 and omp 18.3.4 write them.
//!
//! The one shape of what is said, whatever the agent: readers of other formats write their messages in it. Reading is
//! forgiving. A field of another type is noted and shown as it stands, a role that is not known is
//! kept whole, and nothing makes an entry unreadable.

use std::borrow::Cow;

use super::by_person::read_files;
use super::notice::{self, RunEnd};
use super::usage::Usage;
use crate::session::texts::json::{Fields, Json, TypeMismatch};
use crate::session::texts::text::printed;

pub(super) use super::block::read_model;
pub use super::block::{Block, Citation, Model, ToolCall, joined_text, read_content};
pub use super::by_person::{Bash, MentionedFile, Program};

/// A message by role.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Message<'a> {
    /// The system prompt, whole or as an update.
    System(System<'a>),
    /// What a person typed.
    User(Vec<Block<'a>>),
    /// What the agent said to the model in its own name (omp).
    Developer(Vec<Block<'a>>),
    /// What the model answered.
    Assistant(Assistant<'a>),
    /// What a tool gave back.
    ToolResult(ToolResult<'a>),
    /// A command that the person ran (`!cmd`).
    Bash(Bash<'a>),
    /// A program that the person ran (omp).
    Program(Program<'a>),
    /// Files that a prompt mentions (omp).
    FileMention(Vec<MentionedFile<'a>>),
    /// A message of an extension, as omp files of before 2026 still call it.
    Hook(CustomMessage<'a>),
    /// A message of an extension, in files before `custom_message` entries.
    Custom(CustomMessage<'a>),
    /// A role unknown here.
    Other {
        /// The role as written.
        role: Cow<'a, str>,
        /// Everything else, as written.
        fields: Vec<(Cow<'a, str>, Json<'a>)>,
    },
}

/// A section of a system prompt by its name; `None` takes it away.
pub type Section<'a> = (Cow<'a, str>, Option<Cow<'a, str>>);

/// A system prompt: text, named sections, tool definitions.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct System<'a> {
    /// The text.
    pub content: Vec<Block<'a>>,
    /// Sections by name; `None` takes the section away.
    pub sections: Vec<Section<'a>>,
    /// Tool definitions `{name, description, parameters}` added.
    pub tools_added: Vec<Json<'a>>,
    /// Tools `{name}` removed.
    pub tools_removed: Vec<Json<'a>>,
}

/// An assistant's turn.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Assistant<'a> {
    /// Text, thinking and tool calls in order.
    pub content: Vec<Block<'a>>,
    /// Who answered.
    pub model: Option<Model<'a>>,
    /// What the answer cost.
    pub usage: Option<Usage>,
    /// `stop`, `length`, `toolUse`, `error`, `aborted`, `deferred` or anything newer.
    pub stop_reason: Option<Cow<'a, str>>,
    /// The provider's words when it failed.
    pub error_message: Option<Cow<'a, str>>,
    /// How long the answer took, in milliseconds, 0 or more.
    pub duration_ms: Option<f64>,
    /// The tokens that the model's context can hold, more than 0.
    pub context_window: Option<f64>,
    /// The answer failed and was asked for again (omp).
    pub retry: Option<Box<Retry<'a>>>,
    /// A later entry has the rest of it: a tool that the provider ran stands within (Claude Code).
    pub goes_on: bool,
    /// What the agent left out of the request, because the provider would not take it (pi).
    pub not_sent: Vec<NotSent>,
}

/// Parts that were left out of a request for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotSent {
    /// What kind of parts: `reasoning`.
    pub what: String,
    /// Why, in a word of the agent's: `prefix_mismatch`.
    pub reason: String,
    /// How many.
    pub count: usize,
}

impl NotSent {
    // pi 1.6: `diagnostics` [{type: "openai_input_transformations" or "anthropic_input_transformations",
    // details: {transformations: [{type, reason}]}}].
    fn read(diagnostics: &[Json<'_>]) -> Vec<NotSent> {
        let mut all: Vec<NotSent> = Vec::new();
        let word = |json: &Json<'_>, key| {
            json.get(key).and_then(Json::as_str).unwrap_or_default().to_owned()
        };
        let is_of_input = |one: &&Json<'_>| word(one, "type").ends_with("_input_transformations");
        let changes = diagnostics.iter().filter(is_of_input);
        let changes = changes.filter_map(|one| one.get("details")?.get("transformations"));
        for change in changes.flat_map(Json::items) {
            let (what, reason) = (word(change, "type"), word(change, "reason"));
            match all.iter_mut().find(|one| one.what == what && one.reason == reason) {
                Some(one) => one.count += 1,
                None => all.push(NotSent { what, reason, count: 1 }),
            }
        }
        all
    }
}

/// What became of an answer that failed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Retry<'a> {
    /// `recovered` or `superseded`.
    pub status: Option<Cow<'a, str>>,
    /// In a person's words.
    pub note: Option<Cow<'a, str>>,
}

/// A tool's answer.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ToolResult<'a> {
    /// The id of the call it answers.
    pub call_id: Cow<'a, str>,
    /// The tool's name, where it was written.
    pub name: Option<Cow<'a, str>>,
    /// Text and images.
    pub content: Vec<Block<'a>>,
    /// Whether the tool failed.
    pub is_error: bool,
    /// Facts for viewers, of the tool's own making; the model never sees them.
    pub details: Option<Json<'a>>,
    /// What the tool spent on models of its own.
    pub usage: Option<Usage>,
    /// Calls that the tool made itself, `{complete, calls}`.
    pub nested_calls: Option<Json<'a>>,
    /// How long the tool ran, in milliseconds, 0 or more.
    pub duration_ms: Option<f64>,
    /// Its content was later taken out to save room, in milliseconds since 1970 (omp).
    pub pruned_at: Option<f64>,
}

/// A message of an extension.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CustomMessage<'a> {
    /// Which extension's kind of message.
    pub custom_type: Cow<'a, str>,
    /// Text and images.
    pub content: Vec<Block<'a>>,
    /// Whether the agent's terminal shows it.
    pub display: bool,
    /// Facts for viewers; the model never sees them.
    pub details: Option<Json<'a>>,
    /// Whose doing it is, `user` or `agent` (omp).
    pub attribution: Option<Cow<'a, str>>,
    /// Its content is neither text nor a list.
    pub malformed: bool,
}

impl<'a> Message<'a> {
    /// Reads the object under an entry's `message`.
    pub fn read(json: Option<Json<'a>>, mismatches: &mut Vec<TypeMismatch<'a>>) -> Message<'a> {
        let json = match json {
            Some(value) if !matches!(value, Json::Object(_)) => {
                mismatches.push(TypeMismatch { field: "message", value });
                Json::Null
            }
            json => json.unwrap_or(Json::Null),
        };
        let mut fields = Fields::new(json);
        let role = fields.text("role").unwrap_or_default();
        // Of pi 1.5.2, hookMessage of its version 2; of omp 18.3.4: developer, pythonExecution, fileMention, and
        // jsExecution in old files.
        let message = match role.as_ref() {
            "system" => Message::System(System::read(&mut fields)),
            "user" => Message::User(read_content(fields.take("content"))),
            "developer" => Message::Developer(read_content(fields.take("content"))),
            "assistant" => Message::Assistant(Assistant::read(&mut fields)),
            "toolResult" => Message::ToolResult(ToolResult::read(&mut fields)),
            "bashExecution" => Message::Bash(Bash::read(&mut fields)),
            "pythonExecution" => Message::Program(Program::read("python", &mut fields)),
            "jsExecution" => Message::Program(Program::read("js", &mut fields)),
            "fileMention" => Message::FileMention(read_files(&mut fields)),
            "hookMessage" => Message::Hook(CustomMessage::read(&mut fields)),
            "custom" => Message::Custom(CustomMessage::read(&mut fields)),
            _ => {
                mismatches.append(&mut fields.mismatches);
                return Message::Other { role, fields: fields.rest() };
            }
        };
        mismatches.append(&mut fields.mismatches);
        message
    }

    /// The role as written in the file.
    pub fn role(&self) -> &str {
        match self {
            Message::Other { role, .. } => role,
            message => message.known_role(),
        }
    }

    /// The same; empty for one that is not known here.
    pub(crate) fn known_role(&self) -> &'static str {
        match self {
            Message::System(_) => "system",
            Message::User(_) => "user",
            Message::Developer(_) => "developer",
            Message::Assistant(_) => "assistant",
            Message::ToolResult(_) => "toolResult",
            Message::Bash(_) => "bashExecution",
            Message::Program(program) if program.language == "js" => "jsExecution",
            Message::Program(_) => "pythonExecution",
            Message::FileMention(_) => "fileMention",
            Message::Hook(_) => "hookMessage",
            Message::Custom(_) => "custom",
            Message::Other { .. } => "",
        }
    }

    /// The content blocks; none for a command or an unknown role.
    pub fn content(&self) -> &[Block<'a>] {
        match self {
            Message::System(system) => &system.content,
            Message::User(content) | Message::Developer(content) => content,
            Message::Assistant(assistant) => &assistant.content,
            Message::ToolResult(result) => &result.content,
            Message::Custom(custom) | Message::Hook(custom) => &custom.content,
            Message::Bash(_)
            | Message::Program(_)
            | Message::FileMention(_)
            | Message::Other { .. } => &[],
        }
    }
}

impl<'a> System<'a> {
    fn read(fields: &mut Fields<'a>) -> System<'a> {
        let sections = match fields.take("sections") {
            Some(Json::Object(sections)) => sections
                .into_iter()
                .map(|(name, text)| match text {
                    Json::Null => (name, None),
                    text => (name, Some(text.into_text())),
                })
                .collect(),
            Some(value) => {
                fields.mismatches.push(TypeMismatch { field: "sections", value });
                Vec::new()
            }
            None => Vec::new(),
        };
        System {
            content: read_content(fields.take("content")),
            sections,
            tools_added: fields.array("toolsAdded"),
            tools_removed: fields.array("toolsRemoved"),
        }
    }

    /// Reads a complete system message, such as a compaction's `systemMessage`.
    pub fn read_json(json: Json<'a>) -> System<'a> {
        System::read(&mut Fields::new(json))
    }
}

/// The `stopReason` of a response that was being written; pi keeps none such.
pub(crate) const UNFINISHED: &str = "pending";

impl<'a> Assistant<'a> {
    fn read(fields: &mut Fields<'a>) -> Assistant<'a> {
        Assistant {
            content: read_content(fields.take("content")),
            model: read_model(fields, "model"),
            usage: Usage::take(fields),
            stop_reason: fields.text("stopReason"),
            error_message: fields.text("errorMessage"),
            goes_on: fields.flag("goesOn"),
            not_sent: NotSent::read(&fields.array("diagnostics")),
            duration_ms: fields.amount("durationMs").or_else(|| fields.amount("duration")),
            context_window: fields.amount("contextWindow").filter(|tokens| *tokens > 0.0),
            retry: fields
                .object("retryRecovery")
                .map(|mut retry| Retry { status: retry.text("status"), note: retry.text("note") })
                .map(Box::new),
        }
    }

    /// Stopped by `reason`?
    pub fn stopped_by(&self, reason: &str) -> bool {
        self.stop_reason.as_deref() == Some(reason)
    }

    /// Whether the provider or the user ended it.
    pub(in crate::session) fn has_failed(&self) -> bool {
        self.stopped_by("error")
            || self.stopped_by("aborted")
            || self.error_message.as_ref().is_some_and(|error| !error.is_empty())
    }

    /// Whether it is what Claude Code (2.1.12 to 2.1.330) itself writes after a command that no model answers, and when a
    /// session is opened again.
    pub(in crate::session) fn is_filler(&self) -> bool {
        let is_filler = |block: &Block<'_>| matches!(block, Block::Text(text) if text == "No response requested.");
        self.model.is_none() && matches!(&self.content[..], [only] if is_filler(only))
    }

    /// Whether the model, or a filter of the provider's, refused to answer.
    pub(crate) fn is_refused(&self) -> bool {
        // `refusal`: Anthropic, which the readers keep. The others: OpenAI's `content_filter` and the finish reasons of
        // Gemini's API, in the spelling of AI SDKs too. pi 0.87.1 and omp 18.2.3 write them into the error:
        // `Provider finish_reason: content_filter`.
        const FILTERS: [&str; 8] = [
            "refusal",
            "content_filter",
            "safety",
            "prohibited_content",
            "blocklist",
            "recitation",
            "spii",
            "image_safety",
        ];
        let is_filter = |word: &str| {
            FILTERS.iter().any(|filter| filter.eq_ignore_ascii_case(&word.replace('-', "_")))
        };
        let is_error_of_one = |error: &str| {
            let (said, last) = error.trim_end_matches('.').rsplit_once(' ').unwrap_or_default();
            let said = said.to_ascii_lowercase();
            is_filter(last) && (said.contains("finish_reason") || said.contains("finish reason"))
        };
        self.stop_reason.as_deref().is_some_and(is_filter)
            || self.error_message.as_deref().is_some_and(is_error_of_one)
    }

    /// The file has only its beginning, and no word of an end.
    pub fn is_unfinished(&self) -> bool {
        self.stopped_by(UNFINISHED)
    }

    /// The tool calls alone, in their order.
    pub(crate) fn into_calls(self) -> impl Iterator<Item = ToolCall<'a>> {
        self.content.into_iter().filter_map(|block| match block {
            Block::ToolCall(call) => Some(call),
            _ => None,
        })
    }

    /// The tool calls with their place in the content.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall<'a>> {
        self.content.iter().filter_map(|block| match block {
            Block::ToolCall(call) => Some(call),
            _ => None,
        })
    }
}

/// Blocks of what a tool printed.
fn printed_content(content: Option<Json<'_>>) -> Vec<Block<'_>> {
    let mut blocks = read_content(content);
    for block in &mut blocks {
        if let Block::Text(text) = block {
            *text = printed(std::mem::take(text));
        }
    }
    blocks
}

impl<'a> ToolResult<'a> {
    /// Its text, when it is one block of text and nothing else.
    pub fn only_text(&self) -> Option<&str> {
        match self.content.as_slice() {
            [Block::Text(text)] => Some(text),
            _ => None,
        }
    }

    fn read(fields: &mut Fields<'a>) -> ToolResult<'a> {
        ToolResult {
            call_id: fields.text("toolCallId").unwrap_or_default(),
            name: fields.text("toolName"),
            content: printed_content(fields.take("content")),
            is_error: fields.flag("isError"),
            details: fields.take("details"),
            usage: Usage::take(fields),
            nested_calls: fields.take("nestedCalls"),
            duration_ms: fields.amount("durationMs"),
            pruned_at: fields.number("prunedAt"),
        }
    }
}

impl<'a> CustomMessage<'a> {
    /// Reads `{customType, content, display, details}`.
    pub(crate) fn read(fields: &mut Fields<'a>) -> CustomMessage<'a> {
        let custom_type = fields.text("customType").unwrap_or_default();
        let content = fields.take("content");
        CustomMessage {
            custom_type,
            malformed: !matches!(content, Some(Json::String(_) | Json::Array(_))),
            content: read_content(content),
            // Only an explicit `false` hides: old files leave the key out. pi 1.5.2 and omp 18.3.4 write it always.
            display: !fields.has("display") || fields.flag("display"),
            details: fields.take("details"),
            attribution: fields.text("attribution"),
        }
    }
}

impl CustomMessage<'_> {
    /// What is said beside the conversation, as a title: the end of a turn that a person stopped,
    /// what a command of theirs printed (Claude Code), and how a headless run began and ended.
    pub fn of_person(&self) -> Option<&'static str> {
        match self.custom_type.as_ref() {
            "interrupted" => Some("Stopped by the user"),
            "command-output" => Some("Command output"),
            notice::NO_PROMPT => Some("Prompt"),
            notice::RUN_ERROR => Some("Error"),
            other => RunEnd::of(other).map(|_| "End of the run"),
        }
    }

    /// Whether it only notes that a person stopped the turn.
    pub fn is_stop(&self) -> bool {
        self.custom_type == "interrupted"
    }

    /// A skill that a person called, or what another person said in a shared session (omp).
    pub fn is_prompt(&self) -> bool {
        let by_person = self.attribution.as_deref() == Some("user");
        match self.custom_type.as_ref() {
            // omp 18.3.4.
            "skill-prompt" => by_person,
            "collab prompt" | "collab-prompt" => self.attribution.as_deref() != Some("agent"),
            _ => false,
        }
    }
}
