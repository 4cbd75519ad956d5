//! `toolUseResult` of Claude Code (1.0.98 to 2.1.330): what its tools leave for its own screen.
//!
//! `structuredPatch` has two spaces for each tab, so that no text is taken from it.

use crate::changes::edit::Replacement;
use crate::session::action::names;
use crate::session::json::Json;

use super::part::{Part, usize_of};
use super::{Before, EditFacts};

/// What the row of a result says of its edit.
pub(super) fn edit(row: &Json<'_>, call: &str, facts: &mut EditFacts) {
    let Some(left) = left(row, call) else { return };
    let text = |json: &Json<'_>, keys: &[&str]| {
        keys.iter().find_map(|key| json.get(key)?.as_str()).map(str::to_owned)
    };
    let pair = |json: &Json<'_>| {
        let all = ["replaceAll", "replace_all"].iter().find_map(|key| json.get(key));
        Some(Replacement {
            old: text(json, names::OLD)?.into(),
            new: text(json, names::NEW)?.into(),
            all: all.is_some_and(Json::is_truthy),
        })
    };
    // `MultiEdit` (1.0.98, 1.0.108).
    let several = left.get("edits").map(Json::items).unwrap_or_default();
    let replaced: Option<Vec<_>> = match several {
        [] => pair(left).map(|one| vec![one]),
        several => several.iter().map(pair).collect(),
    };
    // Some of these texts were cut: it is the file before only where the text to be replaced is in it.
    // `originalFile` from 1.0.98 on; `originalFileContents` is that of `MultiEdit`.
    let original = text(left, &["originalFile", "originalFileContents", "original_file"]);
    // Of a notebook.
    facts.after = text(left, &["updated_file"]);
    let is_whole = |original: &String| match replaced.as_deref().and_then(<[_]>::first) {
        Some(first) => original.contains(first.old.as_ref()),
        None => true,
    };
    let kind = left.get("type").and_then(Json::as_str);
    facts.before = match original {
        Some(original) => Some(Before::Text(original)).filter(|before| match before {
            Before::Text(original) => is_whole(original),
            Before::Absent => true,
        }),
        // `Write` of a file that was not there: `type` is `create`, else `update`.
        None if kind == Some("create") => Some(Before::Absent),
        None => None,
    };
    facts.replaced = replaced;
}

/// What was read of a file.
pub(super) fn read(row: &Json<'_>, call: &str) -> Option<Part> {
    let file = left(row, call)?.get("file")?;
    let number = |key| file.get(key).and_then(Json::as_f64).and_then(usize_of);
    let (start, total) = (number("startLine")?, number("totalLines")?);
    let is_truncated = file.get("truncated").is_some_and(Json::is_truthy);
    let content = file.get("content")?.as_str()?;
    // A text that somebody cut has fewer lines than it says.
    let lines = memchr::memchr_iter(b'\n', content.as_bytes()).count() + 1;
    let is_complete = number("numLines") == Some(lines);
    (start > 0 && !is_truncated && is_complete).then(|| Part {
        start,
        total,
        text: content.to_owned(),
    })
}

/// What the tool left, where the row is that of this call's result alone.
fn left<'j>(row: &'j Json<'_>, call: &str) -> Option<&'j Json<'j>> {
    let left = row.get("toolUseResult").or_else(|| row.get("tool_use_result"))?;
    let blocks = row.get("message")?.get("content")?.items();
    let mut ids = blocks.iter().filter_map(|block| block.get("tool_use_id")?.as_str());
    (ids.next() == Some(call) && ids.next().is_none()).then_some(left)
}
