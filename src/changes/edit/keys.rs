//! What agents call the arguments of the tools that change files.
//!
//! Where the path of a file and the text of a patch stand is said by
//! [`file_tools`](crate::session::file_tools), which names the files of a call in one line.

use crate::session::json::Json;

/// The text to be replaced.
pub(crate) const OLD: &[&str] =
    &["oldText", "old_string", "old_str", "oldString", "old_text", "old", "search", "find"];

/// The text put in its place.
pub(crate) const NEW: &[&str] =
    &["newText", "new_string", "new_str", "newString", "new_text", "new", "replace", "replacement"];

/// Whether every occurrence is replaced.
pub(crate) const ALL: &[&str] = &["replace_all", "replaceAll", "all"];

/// Several replacements in one call.
pub(crate) const REPLACEMENTS: &[&str] = &["edits", "changes", "replacements"];

/// The whole text of a file.
pub(crate) const CONTENT: &[&str] = &["content", "contents", "file_text", "text"];

/// A text that a second model merges into the file: nothing says where it goes.
pub(crate) const SKETCH: &[&str] = &["code_edit", "content"];

/// The text that Anthropic's editor inserts.
pub(crate) const INSERTED: &[&str] = &["insert_text", "new_str"];

/// The line that it is inserted after.
pub(crate) const INSERT_AFTER: &[&str] = &["insert_line"];

/// The source of a notebook's cell.
pub(crate) const CELL_SOURCE: &[&str] = &["new_source", "newSource"];

/// The text under the first of `keys` that holds one.
pub(crate) fn text<'j>(arguments: &'j Json<'_>, keys: &[&str]) -> Option<&'j str> {
    keys.iter().find_map(|key| arguments.get(key)?.as_str())
}
