//! How many lines a call added and removed, by that call and its result alone.
//!
//! The outline says it of each call without a replay, which would be needed for the net change of a file.

use super::diff::Diff;
use super::edit::keys::{self, text};
use super::edit::{replacement, replacing};
use crate::session::file_tools::{FileTool, PATCH};
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
    let patch = arguments.as_str().or_else(|| text(arguments, PATCH));
    if let Some(counts) = patch.and_then(Diff::count_written) {
        return Some(counts);
    }
    if ToolKind::of(&call.name) == ToolKind::File(FileTool::Write) {
        return Some((text(arguments, keys::CONTENT)?.lines().count(), 0));
    }
    let counts = replacing(arguments).filter_map(replacement);
    let counts = counts.map(|(old, new)| Diff::count_between(old, new));
    counts.reduce(|sum, counts| (sum.0 + counts.0, sum.1 + counts.1))
}
