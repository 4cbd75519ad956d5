//! Patches that a shell command or a script hands to `apply_patch`.

use super::{Edit, EditKind, patch};
use crate::session::arguments::Arguments;
use crate::session::code_mode;
use crate::session::json::Json;
use crate::session::place::{self, Place};
use crate::session::shell;

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// The edits of all patches in a command.
pub(super) fn edits(tool: &str, arguments: &Json<'_>) -> Vec<Edit<'static>> {
    // Codex (codex-rs/apply-patch): `["apply_patch", "*** Begin Patch…"]`, or
    // `["bash", "-lc", "apply_patch <<'EOF' …"]`.
    if let Some(script) = code_mode::script(tool, &Arguments::new(arguments)) {
        let texts = code_mode::literals(script).filter(|text| text.contains(BEGIN));
        return texts.flat_map(|text| of_command(&text, "", true)).collect();
    }
    let command = place::script_of(arguments).filter(|command| command.contains(BEGIN));
    let folder = place::folder_of(arguments);
    command.map(|command| of_command(&command, folder, false)).unwrap_or_default()
}

/// Patches are read where `apply_patch` gets them: a command that only prints or writes one changes nothing.
fn of_command(script: &str, folder: &str, is_handed_over: bool) -> Vec<Edit<'static>> {
    let mut place = Place::new(folder);
    // A patch that is handed over is no script.
    let commands = if is_handed_over { Vec::new() } else { shell::commands(script) };
    let mut commands = commands.into_iter().peekable();
    let mut edits = Vec::new();
    let mut from = 0;
    while let Some(at) = script[from..].find(BEGIN).map(|at| from + at) {
        let end = script[at..].find(END).map_or(script.len(), |end| at + end + END.len());
        while let Some(simple) = commands.next_if(|simple| simple.start < at) {
            place.reach(&simple);
            let words: Vec<&str> = simple.words.iter().map(String::as_str).collect();
            place.follow(&simple, &words);
        }
        let before = script[from..at].trim_end();
        let is_applied = |line: &str| line.contains("apply_patch") || line.contains("applypatch");
        if is_handed_over || before.lines().rev().take(2).any(is_applied) {
            for mut edit in patch::edits(&script[at..end]) {
                place_in(&place, &mut edit);
                edits.push(edit);
            }
        }
        from = end;
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
