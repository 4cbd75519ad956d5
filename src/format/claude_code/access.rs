//! What is asked of many lines of Claude Code's JSON.

use std::hash::{BuildHasher, RandomState};

use crate::session::json::Json;

/// The text of a field, unless it is empty.
pub(super) fn text<'j>(json: &'j Json<'_>, key: &str) -> Option<&'j str> {
    json.get(key)?.as_str().filter(|text| !text.is_empty())
}

pub(super) fn flag(json: &Json<'_>, key: &str) -> bool {
    json.get(key).is_some_and(Json::is_truthy)
}

/// The type; where it was left out, what the message's role says.
pub(super) fn type_of<'j>(json: &'j Json<'_>) -> &'j str {
    let role =
        || text(json.get("message")?, "role").filter(|role| matches!(*role, "user" | "assistant"));
    text(json, "type").or_else(role).unwrap_or_default()
}

/// What a person typed while the agent was at work.
// Attachment `queued_command` {prompt, commandMode}: toolpath, agentsview, for 2.1.x.
pub(super) fn is_queued_prompt(json: &Json<'_>) -> bool {
    let Some(attachment) = json.get("attachment") else { return false };
    text(attachment, "type") == Some("queued_command")
        && text(attachment, "commandMode") != Some("task-notification")
        && attachment.get("prompt").is_some()
}

/// The agent that a line of the session tells the progress of.
// `progress` lines with data {type: agent_progress, agentId, message}: 2.1.12.
pub(super) fn progress_of<'j>(json: &'j Json<'_>) -> Option<&'j str> {
    let data = json.get("data").filter(|_| text(json, "type") == Some("progress"))?;
    let is_message = is_message(data.get("message")?);
    let agent = text(data, "agentId")?;
    (is_message && text(data, "type") == Some("agent_progress")).then_some(agent)
}

pub(super) fn is_message(json: &Json<'_>) -> bool {
    matches!(text(json, "type"), Some("user" | "assistant"))
        && matches!(json.get("message"), Some(Json::Object(_)))
}

pub(super) fn is_result(block: &Json<'_>) -> bool {
    text(block, "type") == Some("tool_result")
}

pub(super) fn owned(json: &Json<'_>, key: &str) -> String {
    text(json, key).unwrap_or_default().to_owned()
}

/// Tells equal texts, blanks around them apart.
pub(super) fn text_mark(text: &str, hasher: &RandomState) -> u64 {
    hasher.hash_one(text.trim())
}
