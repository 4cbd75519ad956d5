//! Messages and the blocks they are made of, as pi 1.5.2 and omp 18.3.4 write them.

use std::borrow::Cow;

use super::json::{Fields, Json, Odd};
use super::usage::Usage;

/// One part of a message's content.
#[derive(Debug, Clone, PartialEq)]
pub enum Block<'a> {
    /// Prose, Markdown by convention.
    Text(Cow<'a, str>),
    /// The model's reasoning.
    Thinking(Cow<'a, str>),
    /// Reasoning that the provider keeps to itself (omp).
    RedactedThinking,
    /// Another model took over within the answer (omp).
    Fallback {
        /// The model that began.
        from: Cow<'a, str>,
        /// The model that went on.
        to: Cow<'a, str>,
    },
    /// A tool that the provider ran itself, or its result (omp).
    ServerTool(Json<'a>),
    /// A picture; `data` is base64, in omp also the name of a blob or an address.
    Image {
        /// The base64 text.
        data: Cow<'a, str>,
        /// The MIME type as stated by the author of the file.
        mime_type: Cow<'a, str>,
    },
    /// The model asks for a tool.
    ToolCall(ToolCall<'a>),
    /// A block of a kind unknown here, whole.
    Other(Json<'a>),
}

/// A model's request to run a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall<'a> {
    /// The provider's id, opaque; results name it.
    pub id: Cow<'a, str>,
    /// The tool's name.
    pub name: Cow<'a, str>,
    /// The arguments, an object by convention.
    pub arguments: Json<'a>,
    /// What the model says it is for (omp).
    pub intent: Option<Cow<'a, str>>,
}

/// A provider and one of its models.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Model<'a> {
    /// Who serves the model.
    pub provider: Cow<'a, str>,
    /// The model's id there.
    pub id: Cow<'a, str>,
}

/// A message by role.
#[derive(Debug, Clone, PartialEq)]
pub enum Message<'a> {
    /// The system prompt, whole or as an update.
    System(System<'a>),
    /// What a person typed.
    User(Vec<Block<'a>>),
    /// What the agent told the model in its own name (omp).
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

/// A system prompt: text, named sections, tool definitions.
#[derive(Debug, Clone, PartialEq)]
pub struct System<'a> {
    /// The text.
    pub content: Vec<Block<'a>>,
    /// Sections by name; `None` takes the section away.
    pub sections: Vec<(Cow<'a, str>, Option<Cow<'a, str>>)>,
    /// Tool definitions `{name, description, parameters}` added.
    pub tools_added: Vec<Json<'a>>,
    /// Tools `{name}` removed.
    pub tools_removed: Vec<Json<'a>>,
}

/// An assistant's turn.
#[derive(Debug, Clone, PartialEq)]
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
    /// How long the answer took, in milliseconds.
    pub duration_ms: Option<f64>,
    /// The answer failed and was asked for again (omp).
    pub retry: Option<Retry<'a>>,
}

/// What became of an answer that failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Retry<'a> {
    /// `recovered` or `superseded`.
    pub status: Option<Cow<'a, str>>,
    /// In a person's words.
    pub note: Option<Cow<'a, str>>,
}

/// A tool's answer.
#[derive(Debug, Clone, PartialEq)]
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
    /// How long the tool ran, in milliseconds.
    pub duration_ms: Option<f64>,
    /// Its content was later taken out to save room, in milliseconds since 1970 (omp).
    pub pruned_at: Option<f64>,
}

/// A command that the person ran, and its output.
#[derive(Debug, Clone, PartialEq)]
pub struct Bash<'a> {
    /// The command line.
    pub command: Cow<'a, str>,
    /// What it printed.
    pub output: Cow<'a, str>,
    /// The exit status; absent when it was killed.
    pub exit_code: Option<f64>,
    /// Stopped by the person.
    pub cancelled: bool,
    /// The output here is not all of it.
    pub truncated: bool,
    /// Where all of it was kept.
    pub full_output_path: Option<Cow<'a, str>>,
    /// Run with `!!`: never sent to the model.
    pub excluded: bool,
    /// Pictures that it printed (omp).
    pub images: Vec<Block<'a>>,
}

/// A program that the person ran, and its output.
#[derive(Debug, Clone, PartialEq)]
pub struct Program<'a> {
    /// The language, `python` or `js`.
    pub language: &'static str,
    /// The program.
    pub code: Cow<'a, str>,
    /// What it printed.
    pub output: Cow<'a, str>,
    /// The exit status.
    pub exit_code: Option<f64>,
    /// Stopped by the person.
    pub cancelled: bool,
    /// The output here is not all of it.
    pub truncated: bool,
    /// Never sent to the model.
    pub excluded: bool,
}

/// A file that a prompt mentions.
#[derive(Debug, Clone, PartialEq)]
pub struct MentionedFile<'a> {
    /// Its path.
    pub path: Cow<'a, str>,
    /// What it held.
    pub content: Cow<'a, str>,
    /// Why its content is left out.
    pub skipped: Option<Cow<'a, str>>,
    /// The picture, where it is one.
    pub image: Option<Block<'a>>,
}

/// A message of an extension.
#[derive(Debug, Clone, PartialEq)]
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
    pub fn read(json: Option<Json<'a>>, odd: &mut Vec<Odd<'a>>) -> Message<'a> {
        let json = match json {
            Some(value) if !matches!(value, Json::Object(_)) => {
                odd.push(Odd { field: "message", value });
                Json::Null
            }
            json => json.unwrap_or(Json::Null),
        };
        let mut fields = Fields::new(json);
        let role = fields.text("role").unwrap_or_default();
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
                odd.append(&mut fields.odd);
                return Message::Other { role, fields: fields.rest() };
            }
        };
        odd.append(&mut fields.odd);
        message
    }

    /// The role as written in the file.
    pub fn role(&self) -> &str {
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
            Message::Other { role, .. } => role,
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
                fields.odd.push(Odd { field: "sections", value });
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

impl<'a> Assistant<'a> {
    fn read(fields: &mut Fields<'a>) -> Assistant<'a> {
        Assistant {
            content: read_content(fields.take("content")),
            model: read_model(fields, "model"),
            usage: fields.object("usage").map(Usage::read),
            stop_reason: fields.text("stopReason"),
            error_message: fields.text("errorMessage"),
            duration_ms: fields.number("durationMs").or_else(|| fields.number("duration")),
            retry: fields
                .object("retryRecovery")
                .map(|mut retry| Retry { status: retry.text("status"), note: retry.text("note") }),
        }
    }

    /// Stopped by `reason`?
    pub fn stopped_by(&self, reason: &str) -> bool {
        self.stop_reason.as_deref() == Some(reason)
    }

    /// The tool calls with their place in the content.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall<'a>> {
        self.content.iter().filter_map(|block| match block {
            Block::ToolCall(call) => Some(call),
            _ => None,
        })
    }
}

impl<'a> ToolResult<'a> {
    fn read(fields: &mut Fields<'a>) -> ToolResult<'a> {
        ToolResult {
            call_id: fields.text("toolCallId").unwrap_or_default(),
            name: fields.text("toolName"),
            content: read_content(fields.take("content")),
            is_error: fields.flag("isError"),
            details: fields.take("details"),
            usage: fields.object("usage").map(Usage::read),
            nested_calls: fields.take("nestedCalls"),
            duration_ms: fields.number("durationMs"),
            pruned_at: fields.number("prunedAt"),
        }
    }
}

impl<'a> Program<'a> {
    fn read(language: &'static str, fields: &mut Fields<'a>) -> Program<'a> {
        Program {
            language,
            code: fields.text("code").unwrap_or_default(),
            output: fields.text("output").unwrap_or_default(),
            exit_code: fields.number("exitCode"),
            cancelled: fields.flag("cancelled"),
            truncated: fields.flag("truncated"),
            excluded: fields.flag("excludeFromContext"),
        }
    }
}

impl<'a> Bash<'a> {
    fn read(fields: &mut Fields<'a>) -> Bash<'a> {
        Bash {
            command: fields.text("command").unwrap_or_default(),
            output: fields.text("output").unwrap_or_default(),
            exit_code: fields.number("exitCode"),
            cancelled: fields.flag("cancelled"),
            truncated: fields.flag("truncated"),
            full_output_path: fields.text("fullOutputPath"),
            excluded: fields.flag("excludeFromContext"),
            images: fields.array("images").into_iter().map(read_block).collect(),
        }
    }
}

impl<'a> CustomMessage<'a> {
    /// Reads `{customType, content, display, details}`.
    pub fn read(fields: &mut Fields<'a>) -> CustomMessage<'a> {
        let custom_type = fields.text("customType").unwrap_or_default();
        let content = fields.take("content");
        CustomMessage {
            custom_type,
            malformed: !matches!(content, Some(Json::String(_) | Json::Array(_))),
            content: read_content(content),
            // Only an explicit `false` hides: old files leave the key out.
            display: !fields.has("display") || fields.flag("display"),
            details: fields.take("details"),
            attribution: fields.text("attribution"),
        }
    }
}

impl CustomMessage<'_> {
    /// A skill that a person called, or what another person said in a shared session (omp).
    pub fn is_prompt(&self) -> bool {
        let by_person = self.attribution.as_deref() == Some("user");
        match self.custom_type.as_ref() {
            "skill-prompt" => by_person,
            "collab prompt" | "collab-prompt" => self.attribution.as_deref() != Some("agent"),
            _ => false,
        }
    }
}

/// Provider and model as two fields; absent when neither is there.
pub(super) fn read_model<'a>(fields: &mut Fields<'a>, id_key: &str) -> Option<Model<'a>> {
    let provider = fields.text("provider");
    let id = fields.text(id_key);
    (provider.is_some() || id.is_some())
        .then(|| Model { provider: provider.unwrap_or_default(), id: id.unwrap_or_default() })
}

/// Content is a string, a list of blocks, or absent; anything else shows as JSON.
pub fn read_content(content: Option<Json<'_>>) -> Vec<Block<'_>> {
    match content {
        None => Vec::new(),
        Some(Json::Array(items)) => items.into_iter().map(read_block).collect(),
        Some(other) => vec![Block::Text(other.into_text())],
    }
}

fn read_block(json: Json<'_>) -> Block<'_> {
    let kind = json.get("type").and_then(Json::as_str).unwrap_or_default().to_owned();
    // A picture that keeps its data in another way shows as what it is.
    let has_no_data = kind == "image" && ["data", "url"].iter().all(|key| json.get(key).is_none());
    match (kind.as_str(), json.get("block")) {
        ("image", _) if has_no_data => return Block::Other(json),
        ("text" | "thinking" | "image" | "toolCall" | "redactedThinking" | "fallback", _) => {}
        ("anthropicServerTool", Some(block)) => return Block::ServerTool(block.clone()),
        _ => return Block::Other(json),
    }
    let mut fields = Fields::new(json);
    match kind.as_str() {
        "text" => Block::Text(fields.text("text").unwrap_or_default()),
        "thinking" => Block::Thinking(fields.text("thinking").unwrap_or_default()),
        "image" => Block::Image {
            data: fields.text("data").or_else(|| fields.text("url")).unwrap_or_default(),
            mime_type: fields.text("mimeType").unwrap_or_default(),
        },
        "redactedThinking" => Block::RedactedThinking,
        "fallback" => {
            let mut model = |key| fields.take(key).map(model_name).unwrap_or_default();
            Block::Fallback { from: model("from"), to: model("to") }
        }
        _ => Block::ToolCall(ToolCall {
            id: fields.text("id").unwrap_or_default(),
            name: fields.text("name").unwrap_or_default(),
            arguments: fields.take("arguments").unwrap_or(Json::Null),
            intent: fields.text("intent"),
        }),
    }
}

/// A model by its name, or an object that holds it.
fn model_name(json: Json<'_>) -> Cow<'_, str> {
    let mut fields = match json {
        Json::Object(_) if json.get("model").is_some() => Fields::new(json),
        other => return other.into_text(),
    };
    let id = fields.text("model").unwrap_or_default();
    match fields.text("provider") {
        Some(provider) => format!("{provider}/{id}").into(),
        None => id,
    }
}

fn read_files<'a>(fields: &mut Fields<'a>) -> Vec<MentionedFile<'a>> {
    let file = |json| {
        let path = matches!(json, Json::String(_)).then(|| Json::clone(&json).into_text());
        let mut fields = Fields::new(json);
        MentionedFile {
            path: path.or_else(|| fields.text("path")).unwrap_or_default(),
            content: fields.text("content").unwrap_or_default(),
            skipped: fields.text("skippedReason"),
            image: fields.take("image").map(read_block),
        }
    };
    fields.array("files").into_iter().map(file).collect()
}

/// The text blocks, put together with `separator`.
pub fn joined_text(content: &[Block<'_>], separator: &str) -> String {
    let texts = content.iter().filter_map(|block| match block {
        Block::Text(text) => Some(text.as_ref()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(separator)
}
