//! Messages and the blocks they are made of, as pi 1.5.2 writes them.

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
    /// A picture; `data` is base64 without a data-URL prefix.
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
    /// What the model answered.
    Assistant(Assistant<'a>),
    /// What a tool gave back.
    ToolResult(ToolResult<'a>),
    /// A command that the person ran (`!cmd`).
    Bash(Bash<'a>),
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
            "assistant" => Message::Assistant(Assistant::read(&mut fields)),
            "toolResult" => Message::ToolResult(ToolResult::read(&mut fields)),
            "bashExecution" => Message::Bash(Bash::read(&mut fields)),
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
            Message::Assistant(_) => "assistant",
            Message::ToolResult(_) => "toolResult",
            Message::Bash(_) => "bashExecution",
            Message::Custom(_) => "custom",
            Message::Other { role, .. } => role,
        }
    }

    /// The content blocks; none for a command or an unknown role.
    pub fn content(&self) -> &[Block<'a>] {
        match self {
            Message::System(system) => &system.content,
            Message::User(content) => content,
            Message::Assistant(assistant) => &assistant.content,
            Message::ToolResult(result) => &result.content,
            Message::Custom(custom) => &custom.content,
            Message::Bash(_) | Message::Other { .. } => &[],
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
            duration_ms: fields.number("durationMs"),
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
        }
    }
}

impl<'a> CustomMessage<'a> {
    /// Reads `{customType, content, display, details}`.
    pub fn read(fields: &mut Fields<'a>) -> CustomMessage<'a> {
        CustomMessage {
            custom_type: fields.text("customType").unwrap_or_default(),
            content: read_content(fields.take("content")),
            // Only an explicit `false` hides: old files leave the key out.
            display: !fields.has("display") || fields.flag("display"),
            details: fields.take("details"),
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
    let has_no_data = kind == "image" && json.get("data").is_none();
    if !matches!(kind.as_str(), "text" | "thinking" | "image" | "toolCall") || has_no_data {
        return Block::Other(json);
    }
    let mut fields = Fields::new(json);
    match kind.as_str() {
        "text" => Block::Text(fields.text("text").unwrap_or_default()),
        "thinking" => Block::Thinking(fields.text("thinking").unwrap_or_default()),
        "image" => Block::Image {
            data: fields.text("data").unwrap_or_default(),
            mime_type: fields.text("mimeType").unwrap_or_default(),
        },
        _ => Block::ToolCall(ToolCall {
            id: fields.text("id").unwrap_or_default(),
            name: fields.text("name").unwrap_or_default(),
            arguments: fields.take("arguments").unwrap_or(Json::Null),
        }),
    }
}

/// The text blocks, put together with `separator`.
pub fn joined_text(content: &[Block<'_>], separator: &str) -> String {
    let texts = content.iter().filter_map(|block| match block {
        Block::Text(text) => Some(text.as_ref()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join(separator)
}
