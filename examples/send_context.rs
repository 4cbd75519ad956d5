//! Prints the body of a request to Anthropic's Messages API that goes on from the leaf of a session.
//!
//! `cargo run --example send_context [SESSION [PROMPT]]`
//!
//! The API is strict: each `tool_use` is answered by a `tool_result` in the next message, roles alternate, and
//! texts are not empty. What cannot be sent is an error here, and not a body that the API refuses.

use leafpress::session::context::ModelContext;
use leafpress::session::convert::ModelMessage;
use leafpress::session::json::Json;
use leafpress::session::message::{Block, ToolCall};
use serde_json::{Value, json};

/// The most tokens that the response may have.
const MAX_TOKENS: u32 = 4096;

/// Why a context cannot be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SendError {
    /// A tool was called, and no result follows.
    DanglingCall {
        /// The id of the call.
        id: String,
        /// The name of the tool.
        tool: String,
    },
    /// A result answers no call of the response before it.
    DanglingResult {
        /// The id of the call that it names.
        id: String,
    },
    /// A picture is stored elsewhere, and not in the session.
    NoPicture,
    /// There is nothing to respond to.
    NoPrompt,
}

impl std::fmt::Display for SendError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SendError::DanglingCall { id, tool } => {
                write!(f, "the call {id} of {tool} has no result")
            }
            SendError::DanglingResult { id } => {
                write!(f, "a result answers {id}, which nobody called")
            }
            SendError::NoPicture => f.write_str("a picture is not in the session file"),
            SendError::NoPrompt => {
                f.write_str("the context does not end with a prompt or a tool result")
            }
        }
    }
}

impl std::error::Error for SendError {}

/// The body of a request with a context, and a prompt behind it if there is one.
///
/// # Errors
/// For a context that the API refuses.
pub(crate) fn body(context: &ModelContext<'_>, prompt: Option<&str>) -> Result<Value, SendError> {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    // The calls of the response before that have no result yet.
    let mut open: Vec<&ToolCall<'_>> = Vec::new();
    for message in context.messages.iter().filter(|message| message.role != "system") {
        let role = if message.role == "assistant" { "assistant" } else { "user" };
        if message.role == "toolResult" {
            let id = message.call_id.as_deref().unwrap_or_default();
            let at = open.iter().position(|call| call.id == id);
            open.remove(at.ok_or_else(|| SendError::DanglingResult { id: id.to_owned() })?);
        } else if let Some(call) = open.first() {
            return Err(dangling(call));
        }
        let blocks = content(message)?;
        if role == "assistant" {
            open.extend(message.content.iter().filter_map(|block| match block {
                Block::ToolCall(call) => Some(call),
                _ => None,
            }));
        }
        push(&mut messages, role, blocks);
    }
    if let Some(call) = open.first() {
        return Err(dangling(call));
    }
    if let Some(prompt) = prompt {
        push(&mut messages, "user", vec![json!({"type": "text", "text": prompt})]);
    }
    if messages.last().is_none_or(|(role, _)| *role != "user") {
        return Err(SendError::NoPrompt);
    }
    let messages: Vec<Value> = messages
        .into_iter()
        .map(|(role, content)| json!({"role": role, "content": content}))
        .collect();
    let mut body = json!({"max_tokens": MAX_TOKENS, "messages": messages});
    if let Some(model) = &context.model {
        body["model"] = json!(model.id);
    }
    let system = context.system_prompt();
    if !system.is_empty() {
        body["system"] = json!(system);
    }
    let tools = tools(context);
    if !tools.is_empty() {
        body["tools"] = json!(tools);
    }
    Ok(body)
}

/// Adds blocks to the last message if it is of the same role, else as a message.
fn push(messages: &mut Vec<(&str, Vec<Value>)>, role: &'static str, blocks: Vec<Value>) {
    match messages.last_mut() {
        Some((last, content)) if *last == role => content.extend(blocks),
        _ if blocks.is_empty() => {}
        _ => messages.push((role, blocks)),
    }
}

fn dangling(call: &ToolCall<'_>) -> SendError {
    SendError::DanglingCall { id: call.id.to_string(), tool: call.name.to_string() }
}

/// The blocks of a message. Thinking is not sent: a session does not keep the signature that the API asks for.
fn content(message: &ModelMessage<'_>) -> Result<Vec<Value>, SendError> {
    let mut blocks = Vec::new();
    for block in &message.content {
        match block {
            Block::Text(text) if text.trim().is_empty() => {}
            Block::Text(text) => blocks.push(json!({"type": "text", "text": text})),
            Block::Image { data, mime_type } => blocks.push(picture(data, mime_type)?),
            Block::ToolCall(call) => blocks.push(json!({
                "type": "tool_use", "id": call.id, "name": call.name, "input": arguments(call),
            })),
            _ => {}
        }
    }
    let Some(id) = &message.call_id else { return Ok(blocks) };
    let mut result = json!({"type": "tool_result", "tool_use_id": id, "content": blocks});
    if message.is_error {
        result["is_error"] = json!(true);
    }
    Ok(vec![result])
}

fn picture(data: &str, mime_type: &str) -> Result<Value, SendError> {
    // oh-my-pi moves large pictures out of the session and keeps their name.
    if data.contains(':') {
        return Err(SendError::NoPicture);
    }
    let source = json!({"type": "base64", "media_type": mime_type, "data": data});
    Ok(json!({"type": "image", "source": source}))
}

/// The API takes objects only.
fn arguments(call: &ToolCall<'_>) -> Value {
    match &call.arguments {
        arguments @ Json::Object(_) => json!(arguments),
        _ => json!({}),
    }
}

/// The tools that the session defines, else those that it called, with any arguments.
fn tools(context: &ModelContext<'_>) -> Vec<Value> {
    let defined = context.tools();
    if !defined.is_empty() {
        let tool = |tool: &&Json<'_>| {
            json!({
                "name": tool.get("name"), "description": tool.get("description"),
                "input_schema": tool.get("parameters"),
            })
        };
        return defined.iter().map(tool).collect();
    }
    let mut names: Vec<&str> = Vec::new();
    for block in context.messages.iter().flat_map(|message| &message.content) {
        if let Block::ToolCall(call) = block
            && !names.contains(&call.name.as_ref())
        {
            names.push(&call.name);
        }
    }
    let tool = |name| json!({"name": name, "input_schema": {"type": "object"}});
    names.into_iter().map(tool).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or_else(|| "examples/garden.jsonl".to_owned());
    let prompt = args.next().unwrap_or_else(|| "Which beds are free in June?".to_owned());
    let session = leafpress::read_file(path)?;
    let context = ModelContext::at(&session, session.leaf()).ok_or("no such entry")?;
    println!("{}", serde_json::to_string_pretty(&body(&context, Some(&prompt))?)?);
    Ok(())
}
