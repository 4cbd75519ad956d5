//! Patches that a shell command or a script hands to `apply_patch`.

use super::{Edit, patch};
use crate::session::about::command_of;
use crate::session::arguments::Arguments;
use crate::session::code_mode;
use crate::session::json::Json;

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// The edits of all patches in a command.
pub(super) fn edits(tool: &str, arguments: &Json<'_>) -> Vec<Edit<'static>> {
    let mut given = Arguments::new(arguments);
    // Codex (codex-rs/apply-patch): `["apply_patch", "*** Begin Patch…"]`, or
    // `["bash", "-lc", "apply_patch <<'EOF' …"]`.
    if let Some(script) = code_mode::script(tool, &given) {
        let texts = code_mode::literals(script).filter(|text| text.contains(BEGIN));
        return texts.flat_map(|text| of_command(&text, true)).collect();
    }
    // `workdir` Codex and OpenCode, `dir_path` Gemini CLI, `directory` its older versions and Qwen Code 0.24.4.
    let folder = ["workdir", "cwd", "dir_path", "directory"];
    let folder = folder.iter().find_map(|key| arguments.get(key)?.as_str());
    let mut edits =
        command_of(&mut given).map(|command| of_command(&command, false)).unwrap_or_default();
    if let Some(folder) = folder.filter(|folder| folder.starts_with('/')) {
        for edit in edits.iter_mut().filter(|edit| !edit.path.starts_with(['/', '~'])) {
            edit.path = format!("{}/{}", folder.trim_end_matches('/'), edit.path).into();
        }
    }
    edits
}

/// Patches are read where `apply_patch` gets them: a command that only prints or writes one changes nothing.
fn of_command(command: &str, is_handed_over: bool) -> Vec<Edit<'static>> {
    let mut edits = Vec::new();
    let mut rest = command;
    while let Some(at) = rest.find(BEGIN) {
        let end = rest[at..].find(END).map_or(rest.len(), |end| at + end + END.len());
        let before = rest[..at].trim_end();
        let lines: Vec<&str> = before.lines().rev().take(2).collect();
        let is_applied = |line: &&str| line.contains("apply_patch") || line.contains("applypatch");
        if is_handed_over || lines.iter().any(is_applied) {
            edits.extend(patch::edits(&rest[at..end]));
        }
        rest = &rest[end..];
    }
    edits
}
