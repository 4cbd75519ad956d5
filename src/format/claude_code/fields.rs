//! Small parts of entries in the core's form.

use crate::format::blocks::{UsageFields, total_cost};
use crate::format::fields::string;
use crate::format::run::number;
use crate::session::json::Json;

/// `/review 12`.
pub(super) fn slash(name: &str, arguments: &str) -> String {
    let mark = if name.starts_with('/') { "" } else { "/" };
    let blank = if arguments.is_empty() { "" } else { " " };
    format!("{mark}{name}{blank}{arguments}")
}

/// Anthropic's reasons in the core's words; unknown ones stay as they are.
// The values of `stop_reason`: documentation of Anthropic's Messages API.
pub(super) fn stop_reason(reason: Option<Json<'_>>, calls: bool) -> Option<Json<'_>> {
    let Some(reason) = reason else { return calls.then(|| string("toolUse")) };
    let known = match reason.as_str() {
        Some("end_turn" | "stop_sequence" | "pause_turn") => "stop",
        Some("max_tokens" | "model_context_window_exceeded") => "length",
        Some("tool_use") => "toolUse",
        _ => return Some(reason),
    };
    Some(string(known))
}

// `usage` of Anthropic's Messages API (1.0.98 to 2.1.330): counts of tokens; input is without what the cache gave.
pub(super) fn tokens<'a>(usage: &Json<'a>, cost: Option<Json<'a>>) -> Option<Json<'a>> {
    let count = |key| usage.get(key).cloned();
    matches!(usage, Json::Object(_)).then(|| {
        UsageFields {
            input: count("input_tokens"),
            output: count("output_tokens"),
            cache_read: count("cache_read_input_tokens"),
            cache_write: count("cache_creation_input_tokens"),
            cost: cost.map(total_cost),
        }
        .json()
    })
}

/// The usage with another number of output tokens, or with none.
pub(super) fn with_output(usage: Json<'_>, output: Option<f64>) -> Json<'_> {
    let Json::Object(mut fields) = usage else { return usage };
    fields.retain(|(key, _)| key != "output_tokens");
    fields.extend(output.map(|output| ("output_tokens".into(), number(output))));
    Json::Object(fields)
}

/// The usage with more output: lines written while a response streams hold a part of it.
// Early lines state a part (toolpath, agentsview). In a stored session of 2.1.330 the last line has the real number.
pub(super) fn larger<'a>(next: Option<Json<'a>>, known: Option<Json<'a>>) -> Option<Json<'a>> {
    let output = |usage: &Json<'_>| usage.get("output_tokens").and_then(Json::as_f64);
    match (next, known) {
        (Some(next), Some(known)) if output(&next) < output(&known) => Some(known),
        (next, known) => next.or(known),
    }
}

/// Each progress of a command repeats all its output so far, which its result
/// holds, and that of an agent its messages in a second form.
// `bash_progress` {fullOutput} in 2.1.12 to 2.1.37, `agent_progress` {normalizedMessages} in 2.1.12.
pub(super) fn drop_repeated(data: &mut Json<'_>) {
    if let Json::Object(fields) = data {
        fields.retain(|(key, _)| !matches!(key.as_ref(), "fullOutput" | "normalizedMessages"));
    }
}
