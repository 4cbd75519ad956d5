//! Where a model's reasoning is kept.

use crate::session::json::Json;
use crate::session::omitted::Parts;

use super::fields::{self, get_mut, size, text};

/// Whether a name speaks of reasoning; lower case.
pub(super) fn is_name(name: &str) -> bool {
    name.contains("thinking") || name.contains("reasoning")
}

/// A block of reasoning, open or sealed.
pub(super) fn is_block(block: &Json<'_>) -> bool {
    is_name(&text(block, "type").to_ascii_lowercase())
}

/// Takes reasoning out of every value: blocks, fields that say they are it, the provider's
/// signatures, which may hold it sealed, and what is given to tools made to think with.
pub(super) fn prune(json: &mut Json<'_>, lost: &mut Parts) {
    fields::prune(json, &mut |name, value| {
        if text(value, "type") == "toolCall" {
            think_tool(value, lost);
        }
        if is_block(value) {
            lost.thinking += 1;
            return true;
        }
        let Some(name) = name.map(str::to_ascii_lowercase) else { return false };
        // Levels and counts are settings.
        if matches!(value, Json::Number(_) | Json::Bool(_)) || name == "thinkinglevel" {
            return false;
        }
        let is_reasoning = is_name(&name);
        lost.thinking += usize::from(is_reasoning && size(value) > 0);
        is_reasoning || name.ends_with("signature") || name.starts_with("encrypted")
    });
}

/// `think` and its like: all that they are given is reasoning.
fn think_tool(call: &mut Json<'_>, lost: &mut Parts) {
    let name = text(call, "name").to_ascii_lowercase();
    if !(name.contains("think") || name.contains("reason")) {
        return;
    }
    if let Some(arguments) = get_mut(call, "arguments") {
        lost.thinking += usize::from(size(arguments) > 0);
        *arguments = Json::Object(Vec::new());
    }
}
