//! Which tools read or change files, recognized by their names, and where their calls name a file. What a call does
//! to files is read by [`changes`](crate::changes).

use super::patches::PATCH_MOVES;
use crate::session::texts::json::Json;

/// What agents call the path of a file.
// `path` pi, Copilot CLI 1.0.102, Anthropic's editor; `file_path` Claude Code 2.1.330, Gemini CLI 0.61.0, Qwen Code
// 0.24.4; `filePath` OpenCode 1.18.33; `absolute_path` and `target_file` older Gemini CLI and Cursor.
pub(crate) const PATH: &[&str] = &[
    "path",
    "file_path",
    "filePath",
    "absolute_path",
    "file",
    "filename",
    "target_file",
    "notebook_path",
];

/// What agents call a patch.
// `input` Codex 0.169.0 (a custom tool's text), `patchText` OpenCode.
pub(crate) const PATCH: &[&str] = &["input", "patch", "diff", "patch_text", "patchText"];

/// A tool on files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileTool {
    /// Gives a file, or a part of it.
    Read,
    /// Writes a file whole.
    Write,
    /// Replaces parts of a file.
    Edit,
    /// Changes a cell of a notebook.
    Notebook,
    /// Anthropic's editor: a command says what it does.
    Editor,
    /// Takes changes to several files in one text.
    Patch,
}

/// Agents spell one tool in many ways (`Bash`, `web_search`, `WebSearch`), so case, `_` and `-`
/// do not count.
pub(crate) fn plain_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect()
}

impl FileTool {
    /// The tool of this name, as [`plain_name`] gives it.
    pub(crate) fn of(plain: &str) -> Option<FileTool> {
        // Of pi `read`, `write`, `edit`; Claude Code `Read`, `Write`, `Edit`, `MultiEdit`, `NotebookEdit`; Codex
        // `apply_patch`, and `file_change` in `--json`; Copilot CLI `view`, `create`, `edit`; Cursor `Read`,
        // `StrReplace`, `write`; Gemini CLI `read_file`, `write_file`, `replace`; Qwen Code `read_file`,
        // `write_file`, `edit`.
        Some(match plain {
            "read" | "readfile" | "view" | "viewfile" | "notebookread" => FileTool::Read,
            "write" | "writefile" | "createfile" | "create" => FileTool::Write,
            "edit" | "editfile" | "multiedit" | "strreplace" | "searchreplace" | "replace" => {
                FileTool::Edit
            }
            "notebookedit" | "editnotebook" => FileTool::Notebook,
            "strreplacebasededittool" | "strreplaceeditor" => FileTool::Editor,
            "applypatch" | "patch" | "applydiff" | "filechange" => FileTool::Patch,
            _ => return None,
        })
    }
}

/// The path that a call, or a part of it, names.
pub(crate) fn path_in<'j>(json: &'j Json<'_>) -> Option<&'j str> {
    let path = PATH.iter().find_map(|key| json.get(key)?.as_str());
    path.filter(|path| !path.is_empty())
}

/// Whether an item of a list of files says that its file is deleted.
pub(crate) fn deletes(part: &Json<'_>) -> bool {
    let verb = part.get("kind").or_else(|| part.get("type"));
    let verb = verb.and_then(|verb| verb.as_str().or_else(|| verb.get("type")?.as_str()));
    matches!(verb, Some("delete" | "remove"))
}

/// The files in a patch as `apply_patch` takes it; else those that `diff -u` names.
pub(crate) fn patched(text: &str) -> Vec<&str> {
    const VERBS: [&str; 3] = ["*** Update File:", "*** Add File:", "*** Delete File:"];
    let named = |line: &'_ str| VERBS.iter().chain(&PATCH_MOVES).any(|mark| line.starts_with(mark));
    let paths = text.lines().filter(|line| named(line));
    let paths: Vec<&str> = paths.filter_map(|line| Some(line.split_once(':')?.1.trim())).collect();
    if !paths.is_empty() {
        return paths;
    }
    let after = text.lines().filter_map(|line| line.strip_prefix("+++ "));
    let path = |name: &'_ str| name.split('\t').next().map(str::trim).map(str::len);
    after
        .filter_map(|name| Some(&name[..path(name)?]))
        .map(|name| name.strip_prefix("b/").unwrap_or(name))
        .filter(|name| *name != "/dev/null")
        .collect()
}

/// The files that a patch as `apply_patch` takes it deletes.
pub(crate) fn deleted(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("*** Delete File:")).map(str::trim).collect()
}
