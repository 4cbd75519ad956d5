//! Where the output of tools and commands is kept.

use crate::session::json::Json;
use crate::session::omitted::Parts;

use super::fields::{get_mut, remove, retain, size, text};

/// Whether a name of a message's kind speaks of output; lower case. An observation is what a
/// trajectory in ATIF got back without saying for which call.
pub(super) fn is_name(name: &str) -> bool {
    ["output", "result", "observation"].iter().any(|word| name.contains(word))
}

/// A block that tells what a tool at the provider's gave back.
pub(super) fn is_result(block: &Json<'_>) -> bool {
    let inner = block.get("block").map(|inner| text(inner, "type")).unwrap_or_default();
    is_name(&text(block, "type").to_ascii_lowercase()) || is_name(&inner.to_ascii_lowercase())
}

/// Takes the output out of a message, by its role.
pub(super) fn message(message: &mut Json<'_>, role: &str, lost: &mut Parts) {
    let bytes = match role {
        "toolResult" => {
            let bytes = emptied(message, "content");
            let further = ["details", "nestedCalls"];
            bytes + further.map(|key| taken(message, key)).iter().sum::<usize>()
        }
        "bashExecution" | "pythonExecution" | "jsExecution" => {
            let further = ["output", "fullOutputPath", "images"];
            further.map(|key| taken(message, key)).iter().sum()
        }
        "fileMention" => files(message),
        "assistant" => calls(message),
        _ => 0,
    };
    lost.output += bytes;
}

/// What was in files as they were mentioned.
fn files(message: &mut Json<'_>) -> usize {
    const ABOUT: [&str; 2] = ["path", "skippedReason"];
    match get_mut(message, "files") {
        Some(Json::Array(files)) => files
            .iter_mut()
            .map(|file| {
                if let Some(Json::String(_)) = file.get("path") {
                    return retain(file, |name| ABOUT.contains(&name));
                }
                let bytes = size(file);
                *file = Json::Object(Vec::new());
                bytes
            })
            .sum(),
        _ => taken(message, "files"),
    }
}

/// What some agents keep within the calls.
fn calls(message: &mut Json<'_>) -> usize {
    const ABOUT: [&str; 7] =
        ["type", "id", "name", "arguments", "intent", "status", "thoughtSignature"];
    let Some(Json::Array(blocks)) = get_mut(message, "content") else { return 0 };
    let calls = blocks.iter_mut().filter(|block| text(block, "type") == "toolCall");
    calls.map(|call| retain(call, |name| ABOUT.contains(&name))).sum()
}

fn emptied(message: &mut Json<'_>, key: &str) -> usize {
    let Some(value) = get_mut(message, key) else { return 0 };
    let bytes = size(value);
    *value = Json::Array(Vec::new());
    bytes
}

fn taken(message: &mut Json<'_>, key: &str) -> usize {
    let bytes = message.get(key).map_or(0, size);
    remove(message, key);
    bytes
}
