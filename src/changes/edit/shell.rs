//! Patches that a shell command or a script hands to `apply_patch`.

use super::{Edit, EditKind, patch};
use crate::session::action::patches::{PATCH_BEGIN, applied_patches};
use crate::session::action::place::Place;
use crate::session::action::{Run, Script, code_mode};

/// The edits of all patches in a command.
pub(super) fn edits(run: &Run<'_>) -> Vec<Edit<'static>> {
    // Codex (codex-rs/apply-patch): `["apply_patch", "*** Begin Patch…"]`, or
    // `["bash", "-lc", "apply_patch <<'EOF' …"]`.
    if let Script::CodeMode(script) = run.script {
        let texts = code_mode::literals(script).filter(|text| text.contains(PATCH_BEGIN));
        return texts.flat_map(|text| of_command(&text, "", true)).collect();
    }
    let command = run.shell_script();
    command.map(|command| of_command(&command, run.folder, false)).unwrap_or_default()
}

fn of_command(script: &str, folder: &str, is_handed_over: bool) -> Vec<Edit<'static>> {
    let mut edits = Vec::new();
    for (place, text) in applied_patches(script, Place::new(folder), is_handed_over) {
        for mut edit in patch::edits(text) {
            place_in(&place, &mut edit);
            edits.push(edit);
        }
    }
    edits
}

/// Names the files of an edit from where the script was.
fn place_in(place: &Place, edit: &mut Edit<'_>) {
    if let Some(path) = place.path(&edit.path) {
        edit.path = path.into();
    }
    if let EditKind::Move { to } | EditKind::Patch { moved_to: Some(to), .. } = &mut edit.kind
        && let Some(path) = place.path(to)
    {
        *to = path;
    }
}
