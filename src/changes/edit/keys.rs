//! What agents call the arguments of the tools that change files.
//!
//! Where the path of a file and the text of a patch stand is said by
//! [`file_tools`](crate::session::file_tools), which names the files of a call in one line.

use crate::session::json::Json;

/// The text to be replaced.
// `oldText` pi 0.87.1, `old_string` Claude Code 2.1.330, Gemini CLI 0.61.0 and Qwen Code 0.24.4, `old_str` Copilot
// CLI 1.0.102 and Anthropic's editor, `oldString` OpenCode 1.18.33; the others are of no agent that was measured.
pub(crate) const OLD: &[&str] =
    &["oldText", "old_string", "old_str", "oldString", "old_text", "old", "search", "find"];

/// The text put in its place.
// The same agents as for `OLD`.
pub(crate) const NEW: &[&str] =
    &["newText", "new_string", "new_str", "newString", "new_text", "new", "replace", "replacement"];

/// Whether every occurrence is replaced.
// `replace_all` Claude Code (1.0.98 to 2.1.330), which calls it `replaceAll` in its results.
pub(crate) const ALL: &[&str] = &["replace_all", "replaceAll", "all"];

/// Several replacements in one call.
// `edits` pi 0.87.1 and `MultiEdit` of Claude Code (1.0.98, 1.0.108); `changes` `codex exec --json` 0.169.0.
pub(crate) const REPLACEMENTS: &[&str] = &["edits", "changes", "replacements"];

/// The whole text of a file.
// `content` pi, Claude Code and Gemini CLI, `contents` Cursor, `file_text` Copilot CLI 1.0.102 and Anthropic's
// editor.
pub(crate) const CONTENT: &[&str] = &["content", "contents", "file_text", "text"];

/// The text that Anthropic's editor inserts.
// Anthropic's documentation: `new_str` up to `text_editor_20250124`, `insert_text` from `text_editor_20250728` on.
pub(crate) const INSERTED: &[&str] = &["insert_text", "new_str"];

/// The line that it is inserted after.
pub(crate) const INSERT_AFTER: &[&str] = &["insert_line"];

/// The source of a notebook's cell.
// `NotebookEdit` of Claude Code, as its SDK's types name the fields.
pub(crate) const CELL_SOURCE: &[&str] = &["new_source", "newSource"];

/// The text under the first of `keys` that holds one.
pub(crate) fn text<'j>(arguments: &'j Json<'_>, keys: &[&str]) -> Option<&'j str> {
    keys.iter().find_map(|key| arguments.get(key)?.as_str())
}
