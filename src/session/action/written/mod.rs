//! Which files a shell command may have written. Nothing says whether it did: the output of a command does not
//! show a file, so that all of this is a *maybe*.
//!
//! Only what runs counts. Text in quotes, in a here-document or in a comment is none.

mod inline;
mod sure;
mod table;
mod words;

use std::borrow::Cow;

use super::code_mode;
use super::patches::PATCH_BEGIN;
use super::path::is_absolute;
use super::place::Place;
use super::program::{script_of, unwrapped};
use super::shell::{self, Simple};
use super::{Run, Script};

pub(crate) use sure::Sure;

/// A shell in a shell in a shell: deeper ones are not read.
const DEPTH: usize = 3;

/// What a command may have written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum MaybeWritten {
    /// This file, as the command names it, from the folder on that it ran in.
    File(String),
    /// This file, where it is not there yet.
    New(String),
    /// This file or this folder, and what lies in it: moved, copied or deleted.
    Tree(String),
    /// Files whose paths match, with `*` and `?` as the shell reads them.
    Glob(String),
    /// Any file that is known, of these extensions; of any extension where there are none.
    Any(&'static [&'static str]),
}

impl MaybeWritten {
    /// The path of a single file.
    pub(crate) fn path(&self) -> Option<&str> {
        match self {
            MaybeWritten::File(path) | MaybeWritten::New(path) => Some(path),
            MaybeWritten::Tree(_) | MaybeWritten::Glob(_) | MaybeWritten::Any(_) => None,
        }
    }

    /// Whether it depends on the folder that the call ran in.
    pub(crate) fn is_relative(&self) -> bool {
        match self {
            MaybeWritten::File(path)
            | MaybeWritten::New(path)
            | MaybeWritten::Tree(path)
            | MaybeWritten::Glob(path) => !is_absolute(path),
            MaybeWritten::Any(_) => false,
        }
    }
}

impl Run<'_> {
    /// What the call may have written where it ran in `folder`, or in one that it names from there on: each once, in
    /// order.
    pub(crate) fn maybe_written(&self, folder: &str) -> Vec<MaybeWritten> {
        let folder = self.folder_from(folder);
        match &self.script {
            Script::CodeMode(script) => code_mode::commands(script)
                .flat_map(|command| of_script(&command, &folder))
                .collect(),
            _ => self.shell_script().map(|script| of_script(&script, &folder)).unwrap_or_default(),
        }
    }

    /// Whether the call may have written a file, or applies a patch.
    pub(crate) fn may_write(&self) -> bool {
        let text = match &self.script {
            Script::CodeMode(script) => Cow::Borrowed(*script),
            _ => self.command(),
        };
        text.contains(PATCH_BEGIN) || !self.maybe_written("").is_empty()
    }

    /// The folder that the call runs in, from `folder` on.
    fn folder_from(&self, folder: &str) -> String {
        match self.folder {
            "" => folder.to_owned(),
            own => Place::new(folder).path(own).unwrap_or_default(),
        }
    }
}

/// What a script that a person or a model ran in `folder` may have written.
pub(crate) fn of_script(script: &str, folder: &str) -> Vec<MaybeWritten> {
    let mut written = Vec::new();
    collect(script, Place::new(folder), DEPTH, &mut written);
    let mut met = std::collections::HashSet::new();
    written.retain(|one| met.insert(one.clone()));
    written
}

fn collect(script: &str, mut place: Place, depth: usize, written: &mut Vec<MaybeWritten>) {
    for simple in shell::commands(script) {
        place.reach(&simple);
        let words: Vec<&str> = simple.words.iter().map(String::as_str).collect();
        let words = unwrapped(&words);
        if let Some(inner) = script_of(words).filter(|_| depth > 0) {
            collect(inner, place.inner(), depth - 1, written);
        }
        let all = named(&simple, words).into_iter().chain(inline::written(&simple, words));
        written.extend(all.filter_map(|one| placed(one, &place)));
        place.follow(&simple, words);
    }
}

/// What a command may have written, as it names it, by its words from its program on.
pub(crate) fn named(simple: &Simple<'_>, words: &[&str]) -> Vec<MaybeWritten> {
    let mut written = table::written(words);
    written.extend(simple.writes.iter().cloned().map(MaybeWritten::File));
    written
}

/// A file from the folder on that a script went to: any file where that is not known. Names that the shell puts together
/// are not known, and a device is no file.
fn placed(one: MaybeWritten, place: &Place) -> Option<MaybeWritten> {
    let (path, of): (String, fn(String) -> MaybeWritten) = match one {
        MaybeWritten::File(path) => (path, MaybeWritten::File),
        MaybeWritten::New(path) => (path, MaybeWritten::New),
        MaybeWritten::Tree(path) => (path, MaybeWritten::Tree),
        other => return Some(other),
    };
    if path.is_empty() || path.starts_with("/dev/") || path.contains(['$', '`', '\n', '{', '&']) {
        return None;
    }
    let of = if path.contains(['*', '?']) { MaybeWritten::Glob } else { of };
    Some(place.path(&path).map_or(MaybeWritten::Any(&[]), of))
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
