//! The context as it is given to a provider.

use std::borrow::Cow;

use serde::Serialize;

use super::{Context, ContextMessage, Facts};
use crate::session::model::convert::{ModelMessage, SentMessage};
use crate::session::model::format::Format;
use crate::session::model::message::{Model, Section, joined_text};
use crate::session::texts::json::Json;
use crate::session::tree::index::EntryIndex;
use crate::session::tree::session::Session;

/// What a provider is given for the next call at a leaf, in the words of the session's agent.
///
/// Nothing is added to make it acceptable to a provider:
///
/// * A call can be without a result, as the last message or before a prompt, where the agent was stopped. Only
///   oh-my-pi's own rules leave such calls out.
/// * Roles need not alternate, and content can be empty.
///
/// As JSON, its messages have the shape of pi's `Message`, without what a provider is not given (times, usage). `model` is
/// `null` where the session names none. [`ModelMessage`] lists the keys of a message.
///
/// ```
/// use leafpress::session::context::ModelContext;
/// use serde_json::json;
///
/// let file = r#"{"type":"session","version":3,"id":"s","cwd":"/work"}
/// {"type":"message","id":"a1","parentId":null,"message":{"role":"user","content":"What is in notes.txt?"}}
/// {"type":"message","id":"a2","parentId":"a1","message":{"role":"assistant","provider":"anthropic",
///     "model":"claude-opus-4-5","content":[{"type":"text","text":"I read it."},
///     {"type":"toolCall","id":"call-1","name":"read","arguments":{"path":"notes.txt"}}]}}
/// {"type":"message","id":"a3","parentId":"a2","message":{"role":"toolResult","toolCallId":"call-1",
///     "toolName":"read","content":[{"type":"text","text":"Water the beds."}],"isError":false}}
/// "#;
/// let session = leafpress::read(file.replace("\n    ", "").into_bytes())?;
/// let context = ModelContext::at(&session, session.leaf()).ok_or("no such entry")?;
/// assert_eq!(
///     serde_json::to_value(&context)?,
///     json!({
///         "thinkingLevel": "off",
///         "model": { "provider": "anthropic", "modelId": "claude-opus-4-5" },
///         "messages": [
///             { "role": "user", "content": [{ "type": "text", "text": "What is in notes.txt?" }] },
///             {
///                 "role": "assistant",
///                 "content": [
///                     { "type": "text", "text": "I read it." },
///                     {
///                         "type": "toolCall",
///                         "id": "call-1",
///                         "name": "read",
///                         "arguments": { "path": "notes.txt" },
///                     },
///                 ],
///             },
///             {
///                 "role": "toolResult",
///                 "toolCallId": "call-1",
///                 "toolName": "read",
///                 "content": [{ "type": "text", "text": "Water the beds." }],
///                 "isError": false,
///             },
///         ],
///     })
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ModelContext<'a> {
    /// The thinking level at the leaf; `off` unless something set it.
    pub thinking_level: Cow<'a, str>,
    /// The model at the leaf, where one is named.
    pub model: Option<Model<'a>>,
    /// The messages, root side first. System prompts and updates of them are among them.
    pub messages: Vec<ModelMessage<'a>>,
}

impl<'a> ModelContext<'a> {
    /// The context at a leaf; `None` where the session has no such entry.
    ///
    /// ```
    /// use leafpress::session::context::ModelContext;
    ///
    /// let session = leafpress::read_file("examples/garden.jsonl")?;
    /// let context = ModelContext::at(&session, session.leaf()).expect("the leaf is of this session");
    /// println!("{}", serde_json::to_string_pretty(&context)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(session: &'a Session, leaf: EntryIndex) -> Option<ModelContext<'a>> {
        if !session.tree().has(leaf) {
            return None;
        }
        let context = Facts::read(session).context(Some(leaf));
        Some(ModelContext::of(context, session.format(), |message| message.read(session)))
    }

    pub(crate) fn of(
        context: Context<'a>,
        format: Format,
        read: impl Fn(&ContextMessage<'a>) -> Option<SentMessage<'a>>,
    ) -> ModelContext<'a> {
        let messages = context.messages.iter().filter_map(read);
        ModelContext {
            messages: messages.flat_map(|message| message.for_model_of(format)).collect(),
            thinking_level: context.thinking_level,
            model: context.model,
        }
    }

    /// The system prompt at the end, all updates made: the text, then the sections in the order in which
    /// they were added. Empty where the session keeps none.
    // pi 1.5.2: `content` replaces the text, `sections` come and go by name.
    pub fn system_prompt(&self) -> String {
        let mut head = String::new();
        let mut sections: Vec<Section<'_>> = Vec::new();
        for message in self.messages.iter().filter(|message| message.role == "system") {
            let text = joined_text(&message.content, "\n");
            if !text.is_empty() {
                head = text;
            }
            for (name, text) in &message.sections {
                match sections.iter_mut().find(|(known, _)| known == name) {
                    Some(known) => known.1.clone_from(text),
                    None => sections.push((name.clone(), text.clone())),
                }
            }
        }
        let sections = sections.iter().filter_map(|(_, text)| text.as_deref());
        let parts = std::iter::once(head.as_str()).chain(sections);
        parts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
    }

    /// The definitions of the tools at the end, `{name, description, parameters}`; none where the session
    /// does not keep them.
    pub fn tools(&self) -> Vec<&Json<'a>> {
        let name = |tool: &Json<'_>| tool.get("name").and_then(Json::as_str).map(str::to_owned);
        let mut tools: Vec<&Json<'a>> = Vec::new();
        for message in self.messages.iter().filter(|message| message.role == "system") {
            let gone = message.tools_removed.iter().chain(&message.tools_added).map(name);
            let gone: Vec<Option<String>> = gone.collect();
            tools.retain(|tool| !gone.contains(&name(tool)));
            tools.extend(&message.tools_added);
        }
        tools
    }
}
