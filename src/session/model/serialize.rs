//! Messages and blocks as JSON, in the shape in which pi writes them; what pi does not have is written as
//! oh-my-pi does. [`Message::read`] reads them back.
//!
//! What is absent is left out and not written as null, and what is not known (a block, a role) is written as it was
//! read, so that it is not lost.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::block::{Block, Citation, Model, ToolCall};
use super::by_person::{Bash, MentionedFile, Program};
use super::convert::{ModelMessage, SentMessage};
use super::message::{Assistant, CustomMessage, Message, Retry, System, ToolResult};
use super::usage::Usage;
use crate::session::texts::json::Json;

/// Writes fields into an open object, those that are there.
struct Object<M: SerializeMap>(M);

impl<M: SerializeMap> Object<M> {
    fn field(&mut self, key: &str, value: &(impl Serialize + ?Sized)) -> Result<(), M::Error> {
        self.0.serialize_entry(key, value)
    }

    fn option(
        &mut self,
        key: &str,
        value: Option<&(impl Serialize + ?Sized)>,
    ) -> Result<(), M::Error> {
        value.map_or(Ok(()), |value| self.field(key, value))
    }

    /// A flag that is left out where it is not set.
    fn flag(&mut self, key: &str, value: bool) -> Result<(), M::Error> {
        self.option(key, value.then_some(&true))
    }

    fn list(&mut self, key: &str, items: &[impl Serialize]) -> Result<(), M::Error> {
        self.option(key, (!items.is_empty()).then_some(items))
    }

    fn number(&mut self, key: &str, value: Option<f64>) -> Result<(), M::Error> {
        self.option(key, value.map(Number).as_ref())
    }

    fn blocks(&mut self, content: &[Block<'_>]) -> Result<(), M::Error> {
        self.field("content", content)
    }

    fn model(&mut self, id_key: &str, model: Option<&Model<'_>>) -> Result<(), M::Error> {
        let Some(model) = model else { return Ok(()) };
        self.field("provider", &model.provider)?;
        self.field(id_key, &model.id)
    }
}

fn object<S: Serializer>(serializer: S) -> Result<Object<S::SerializeMap>, S::Error> {
    serializer.serialize_map(None).map(Object)
}

/// A number without a fraction where it has none, as JavaScript writes it.
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = serde_json::Number::from_f64(self.0);
        number.map_or(Json::Null, Json::Number).serialize(serializer)
    }
}

impl Serialize for Model<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = object(serializer)?;
        out.model("modelId", Some(self))?;
        out.0.end()
    }
}

impl Serialize for Block<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Block::Other(json) = self {
            return json.serialize(serializer);
        }
        let mut out = object(serializer)?;
        match self {
            Block::Text(text) => {
                out.field("type", "text")?;
                out.field("text", text)?;
            }
            Block::Thinking(text) => {
                out.field("type", "thinking")?;
                out.field("thinking", text)?;
            }
            Block::RedactedThinking => out.field("type", "redactedThinking")?,
            Block::Fallback { from, to } => {
                out.field("type", "fallback")?;
                out.field("from", from)?;
                out.field("to", to)?;
            }
            Block::Citations(citations) => {
                out.field("type", "citations")?;
                out.field("citations", citations)?;
            }
            Block::NotShown(words) => {
                out.field("type", "notShown")?;
                out.field("text", words)?;
            }
            Block::ServerTool(block) => {
                out.field("type", "anthropicServerTool")?;
                out.field("block", block)?;
            }
            Block::Image { data, mime_type } => {
                out.field("type", "image")?;
                out.field("data", data)?;
                out.field("mimeType", mime_type)?;
            }
            Block::ToolCall(ToolCall { id, name, arguments, intent, status }) => {
                out.field("type", "toolCall")?;
                out.field("id", id)?;
                out.field("name", name)?;
                out.field("arguments", arguments)?;
                out.option("intent", intent.as_ref())?;
                out.option("status", status.as_ref())?;
            }
            Block::Other(_) => {}
        }
        out.0.end()
    }
}

impl Serialize for Citation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = object(serializer)?;
        out.option("title", self.title.as_ref())?;
        out.option("address", self.address.as_ref())?;
        out.option("place", self.place.as_ref())?;
        out.field("words", &self.words)?;
        out.0.end()
    }
}

impl Serialize for Usage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// Dollars.
        struct Cost(f64);
        impl Serialize for Cost {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut out = object(serializer)?;
                out.field("total", &Number(self.0))?;
                out.0.end()
            }
        }
        let mut out = object(serializer)?;
        out.field("input", &Number(self.input))?;
        out.field("output", &Number(self.output))?;
        out.field("cacheRead", &Number(self.cache_read))?;
        out.field("cacheWrite", &Number(self.cache_write))?;
        out.field("totalTokens", &Number(self.tokens()))?;
        out.field("cost", &Cost(self.cost))?;
        out.0.end()
    }
}

/// The sections of a system prompt by name; `null` takes one away.
struct Sections<'s, 'a>(&'s [super::message::Section<'a>]);

impl Serialize for Sections<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, text)| (name, text)))
    }
}

impl Serialize for MentionedFile<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = object(serializer)?;
        out.field("path", &self.path)?;
        out.field("content", &self.content)?;
        out.option("skippedReason", self.skipped.as_ref())?;
        out.option("image", self.image.as_ref())?;
        out.0.end()
    }
}

impl Serialize for Retry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = object(serializer)?;
        out.option("status", self.status.as_ref())?;
        out.option("note", self.note.as_ref())?;
        out.0.end()
    }
}

impl System<'_> {
    fn write<M: SerializeMap>(&self, out: &mut Object<M>) -> Result<(), M::Error> {
        out.blocks(&self.content)?;
        out.option("sections", (!self.sections.is_empty()).then_some(&Sections(&self.sections)))?;
        out.list("toolsAdded", &self.tools_added)?;
        out.list("toolsRemoved", &self.tools_removed)
    }
}

impl Assistant<'_> {
    fn write<M: SerializeMap>(&self, out: &mut Object<M>) -> Result<(), M::Error> {
        out.blocks(&self.content)?;
        out.model("model", self.model.as_ref())?;
        out.option("usage", self.usage.as_ref())?;
        out.option("stopReason", self.stop_reason.as_ref())?;
        out.option("errorMessage", self.error_message.as_ref())?;
        out.number("durationMs", self.duration_ms)?;
        out.number("contextWindow", self.context_window)?;
        out.option("retryRecovery", self.retry.as_deref())
    }
}

impl ToolResult<'_> {
    fn write<M: SerializeMap>(&self, out: &mut Object<M>) -> Result<(), M::Error> {
        out.field("toolCallId", &self.call_id)?;
        out.option("toolName", self.name.as_ref())?;
        out.blocks(&self.content)?;
        out.field("isError", &self.is_error)?;
        out.option("details", self.details.as_ref())?;
        out.option("usage", self.usage.as_ref())?;
        out.option("nestedCalls", self.nested_calls.as_ref())?;
        out.number("durationMs", self.duration_ms)?;
        out.number("prunedAt", self.pruned_at)
    }
}

impl CustomMessage<'_> {
    fn write<M: SerializeMap>(&self, out: &mut Object<M>) -> Result<(), M::Error> {
        out.field("customType", &self.custom_type)?;
        out.blocks(&self.content)?;
        out.field("display", &self.display)?;
        out.option("details", self.details.as_ref())?;
        out.option("attribution", self.attribution.as_ref())
    }
}

impl Bash<'_> {
    fn write<M: SerializeMap>(&self, out: &mut Object<M>) -> Result<(), M::Error> {
        out.field("command", &self.command)?;
        out.field("output", &self.output)?;
        out.number("exitCode", self.exit_code)?;
        out.field("cancelled", &self.cancelled)?;
        out.field("truncated", &self.truncated)?;
        out.option("fullOutputPath", self.full_output_path.as_ref())?;
        out.flag("excludeFromContext", self.excluded)?;
        out.list("images", &self.images)
    }
}

impl Program<'_> {
    fn write<M: SerializeMap>(&self, out: &mut Object<M>) -> Result<(), M::Error> {
        out.field("code", &self.code)?;
        out.field("output", &self.output)?;
        out.number("exitCode", self.exit_code)?;
        out.field("cancelled", &self.cancelled)?;
        out.field("truncated", &self.truncated)?;
        out.flag("excludeFromContext", self.excluded)
    }
}

impl Serialize for Message<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = object(serializer)?;
        out.field("role", self.role())?;
        match self {
            Message::System(system) => system.write(&mut out)?,
            Message::User(content) | Message::Developer(content) => out.blocks(content)?,
            Message::Assistant(assistant) => assistant.write(&mut out)?,
            Message::ToolResult(result) => result.write(&mut out)?,
            Message::Bash(bash) => bash.write(&mut out)?,
            Message::Program(program) => program.write(&mut out)?,
            Message::FileMention(files) => out.field("files", files)?,
            Message::Hook(custom) | Message::Custom(custom) => custom.write(&mut out)?,
            Message::Other { fields, .. } => {
                for (key, value) in fields {
                    out.field(key, value)?;
                }
            }
        }
        out.0.end()
    }
}

/// A summary has the role that pi gives it in a context; `omitted` is leafpress's own.
impl Serialize for SentMessage<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (SentMessage::BranchSummary(text)
        | SentMessage::CompactionSummary(text)
        | SentMessage::Omitted(text)) = self
        else {
            let SentMessage::Message(message) = self else { return serializer.serialize_unit() };
            return message.serialize(serializer);
        };
        let mut out = object(serializer)?;
        out.field("role", self.role())?;
        out.field("summary", text)?;
        out.0.end()
    }
}

impl Serialize for ModelMessage<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = object(serializer)?;
        out.field("role", self.role)?;
        out.option("toolCallId", self.call_id.as_ref())?;
        out.option("toolName", self.tool_name.as_ref())?;
        out.blocks(&self.content)?;
        out.option("isError", self.call_id.as_ref().map(|_| &self.is_error))?;
        out.option("sections", (!self.sections.is_empty()).then_some(&Sections(&self.sections)))?;
        out.list("toolsAdded", &self.tools_added)?;
        out.list("toolsRemoved", &self.tools_removed)?;
        out.0.end()
    }
}
