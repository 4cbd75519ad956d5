//! How many lines a call added and removed, as its card says it.

use super::edit;
use crate::changes::diff::Diff;
use crate::session::file_tools::{FileTool, PATCH};
use crate::session::json::Json;
use crate::session::message::{ToolCall, ToolResult};
use crate::session::tool_kind::ToolKind;

/// Lines added and removed by the diff that the tool left; `None` where it left none.
pub(crate) fn count_written(result: &ToolResult<'_>) -> Option<(usize, usize)> {
    Diff::count_written(result.details.as_ref()?.get("diff")?.as_str()?)
}

/// Lines added and removed by what was asked, where the result does not say. A file written
/// whole counts as added. `None` where nothing tells.
pub(crate) fn count_asked(call: &ToolCall<'_>) -> Option<(usize, usize)> {
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
