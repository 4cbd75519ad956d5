//! Patches: the files that one names, and those that a script hands to `apply_patch`.

use super::place::Place;
use super::shell;

/// How a patch begins.
pub(crate) const PATCH_BEGIN: &str = "*** Begin Patch";
const PATCH_END: &str = "*** End Patch";

/// What stands before the new path of a file.
// Codex; OpenAI's own `apply_patch.py`.
pub(crate) const PATCH_MOVES: [&str; 2] = ["*** Move to:", "*** Move File To:"];

/// The patches that a script applies, from `place` on, each with where the script is then. A command that only prints
/// or writes a patch changes nothing; one that is handed over is no script.
pub(crate) fn applied_patches(
    script: &str,
    mut place: Place,
    is_handed_over: bool,
) -> impl Iterator<Item = (Place, &str)> {
    let is_script = !is_handed_over && script.contains(PATCH_BEGIN);
    let commands = if is_script { shell::commands(script) } else { Vec::new() };
    let mut commands = commands.into_iter().peekable();
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let at = from + script[from..].find(PATCH_BEGIN)?;
            let end = script[at..].find(PATCH_END);
            let end = end.map_or(script.len(), |end| at + end + PATCH_END.len());
            while let Some(simple) = commands.next_if(|simple| simple.start < at) {
                place.reach(&simple);
                let words: Vec<&str> = simple.words.iter().map(String::as_str).collect();
                place.follow(&simple, &words);
            }
            let mut before = script[from..at].trim_end().lines().rev().take(2);
            let is_applied =
                |line: &str| line.contains("apply_patch") || line.contains("applypatch");
            from = end;
            if is_handed_over || before.any(is_applied) {
                return Some((place.inner(), &script[at..end]));
            }
        }
    })
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
