//! How many lines a call added and removed, as its card says it.

use super::edit;
use crate::render::diff::Diff;
use crate::session::file_tools::{FileTool, PATCH};
use crate::session::json::Json;
use crate::session::message::{ToolCall, ToolResult};
use crate::session::tool_kind::ToolKind;

/// Lines added and removed: those of the diff that the tool left, else of what was asked.
/// A file written whole counts as added. `None` where nothing tells.
pub(in crate::render) fn changed_lines(
    call: Option<&ToolCall<'_>>,
    result: &ToolResult<'_>,
) -> Option<(usize, usize)> {
    let left = result.details.as_ref().and_then(|details| details.get("diff")?.as_str());
    if let Some(counts) = left.and_then(Diff::count_written) {
        return Some(counts);
    }
    let call = call?;
    let arguments = &call.arguments;
    let keyed = || PATCH.iter().find_map(|key| arguments.get(key)?.as_str());
    let patch = arguments.as_str().or_else(keyed);
    if let Some(counts) = patch.and_then(Diff::count_written) {
        return Some(counts);
    }
    if ToolKind::of(&call.name) == ToolKind::File(FileTool::Write) {
        let keys = ["content", "contents", "file_text", "text"];
        let content = keys.iter().find_map(|key| arguments.get(key)?.as_str())?;
        return Some((content.lines().count(), 0));
    }
    let list = ["edits", "changes", "replacements"].iter().find_map(|key| arguments.get(key));
    let edits = list.map(Json::items).unwrap_or_default().iter().chain([arguments]);
    let counts =
        edits.filter_map(edit::old_and_new).map(|(old, new)| Diff::count_between(old, new));
    counts.reduce(|sum, counts| (sum.0 + counts.0, sum.1 + counts.1))
}
