//! Which files a shell command may have written. Nothing says whether it did: the output of a command does not
//! show a file, so that all of this is a *maybe*.
//!
//! Only what runs counts. Text in quotes, in a here-document or in a comment is none.

mod table;

use crate::session::about::command_of;
use crate::session::arguments::Arguments;
use crate::session::code_mode;
use crate::session::message::ToolCall;
use crate::session::shell;
use crate::session::tool_kind::ToolKind;

/// A shell in a shell in a shell: deeper ones are not read.
const DEPTH: usize = 3;

/// What a command may have written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum MaybeWritten {
    /// This file, as the command names it, from the folder on that it ran in.
    File(String),
    /// This file or this folder, and what lies in it: moved, copied or deleted.
    Tree(String),
    /// Files whose paths match, with `*` and `?` as the shell reads them.
    Glob(String),
    /// Any file that is known, of these extensions; of any extension where there are none.
    Any(&'static [&'static str]),
}

/// What a call may have written, each once, in order.
pub(crate) fn maybe_written(call: &ToolCall<'_>) -> Vec<MaybeWritten> {
    if ToolKind::of(&call.name) != ToolKind::Command {
        return Vec::new();
    }
    let mut given = Arguments::new(&call.arguments);
    let folder = ["workdir", "cwd", "dir_path", "directory"];
    let folder = folder.iter().find_map(|key| call.arguments.get(key)?.as_str());
    let folder = folder.unwrap_or_default();
    match code_mode::script(&call.name, &given) {
        Some(script) => {
            code_mode::commands(script).flat_map(|command| of_script(&command, folder)).collect()
        }
        None => command_of(&mut given).map(|script| of_script(&script, folder)).unwrap_or_default(),
    }
}

/// What a script that a person or a model ran in `folder` may have written.
pub(crate) fn of_script(script: &str, folder: &str) -> Vec<MaybeWritten> {
    let mut written = Vec::new();
    collect(script, folder, DEPTH, &mut written);
    let mut met = std::collections::HashSet::new();
    written.retain(|one| met.insert(one.clone()));
    written
}

fn collect(script: &str, folder: &str, depth: usize, written: &mut Vec<MaybeWritten>) {
    let mut folder = folder.to_owned();
    for simple in shell::commands(script) {
        let words: Vec<&str> = simple.words.iter().map(String::as_str).collect();
        let words = table::command(&words);
        match words {
            ["cd" | "pushd", to, ..] => folder = within(&folder, to),
            [shell, flag, script, ..]
                if table::is_shell(shell) && flag.starts_with('-') && flag.ends_with('c') =>
            {
                if depth > 0 {
                    collect(script, &folder, depth - 1, written);
                }
            }
            words => {
                let named = table::written(words).into_iter();
                written.extend(named.filter_map(|one| placed(one, &folder)));
            }
        }
        let targets = simple.writes.into_iter().map(MaybeWritten::File);
        written.extend(targets.filter_map(|one| placed(one, &folder)));
    }
}

/// A file from the folder on that a script went to. Names that the shell puts together are not known, and a device
/// is no file.
fn placed(one: MaybeWritten, folder: &str) -> Option<MaybeWritten> {
    let (path, of): (String, fn(String) -> MaybeWritten) = match one {
        MaybeWritten::File(path) => (path, MaybeWritten::File),
        MaybeWritten::Tree(path) => (path, MaybeWritten::Tree),
        other => return Some(other),
    };
    if path.is_empty() || path.starts_with("/dev/") || path.contains(['$', '`', '\n', '{', '&']) {
        return None;
    }
    let of = if path.contains(['*', '?']) { MaybeWritten::Glob } else { of };
    Some(of(within(folder, &path)))
}

fn within(folder: &str, path: &str) -> String {
    if folder.is_empty() || path.starts_with(['/', '~']) {
        return path.to_owned();
    }
    format!("{}/{path}", folder.trim_end_matches('/'))
}

/// Whether a path matches a pattern in which `*` and `?` stand for what is no slash; in linear time for each star.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let (mut pattern, mut path) = (pattern.chars(), path.chars());
    let mut star: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
    loop {
        let (own, here) = (pattern.clone().next(), path.clone().next());
        match (own, here) {
            (None, None) => return true,
            (Some('*'), _) => {
                pattern.next();
                star = Some((pattern.clone(), path.clone()));
            }
            (Some(own), Some(here)) if own == here || own == '?' && here != '/' => {
                pattern.next();
                path.next();
            }
            _ => {
                let Some((behind, mut from)) = star.take() else { return false };
                match from.next() {
                    None | Some('/') => return false,
                    Some(_) => {}
                }
                (pattern, path) = (behind.clone(), from.clone());
                star = Some((behind, from));
            }
        }
    }
}

#[cfg(test)]
mod tests;
