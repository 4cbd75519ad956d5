//! What is worth a look: commands and edits that delete files, force a push, use `sudo`, run what they download, write
//! outside the working directory or touch credential files.
//!
//! Only what runs counts. Text in quotes, in a here-document or in a comment is none. Words without verdicts: most of
//! it was asked for.
//!
//! * `table`: the rules, and the lists of names.
//! * `place`: where a path of a script leads, and what it is by that.
//! * `pipe`: what one command hands to the next.

mod pipe;
mod place;
mod table;
#[cfg(test)]
mod tests;

use super::event::Notable;
use crate::session::action::files::NamedFile;
use crate::session::action::patches::{deleted, patched};
use crate::session::action::path::Folder;
use crate::session::action::place::Place as ShellPlace;
use crate::session::action::program::{name, unwrapped};
use crate::session::action::shell::Simple;
use crate::session::action::written::{self, MaybeWritten};

use pipe::Pipe;
pub(super) use place::Place;
use place::is_credential;
use table::{RULES, Rule, When};

/// What was seen, each kind once: with the command or the path that it was seen in first.
#[derive(Debug, Default)]
pub(super) struct Notables(pub(super) Vec<(Notable, String)>);

impl Notables {
    fn has(&self, what: Notable) -> bool {
        self.0.iter().any(|(own, _)| *own == what)
    }

    fn add(&mut self, what: Notable, text: &str) {
        if !self.has(what) {
            self.0.push((what, text.to_owned()));
        }
    }

    /// A file that is read, or written.
    fn add_file(&mut self, path: &str, is_written: bool, place: &Place<'_>) {
        if is_written && place.is_outside(path) {
            self.add(Notable::OutsideWrite, &place.named(path));
        }
        if is_credential(path) {
            self.add(Notable::CredentialFile, path);
        }
    }

    /// A file that an edit changes or deletes.
    fn add_change(&mut self, path: &str, is_deleted: bool, place: &Place<'_>) {
        if is_deleted && !place.is_scratch(path) {
            self.add(Notable::DeletedFiles, path);
        }
        self.add_file(path, !is_deleted, place);
    }

    /// What the table says of words, which stand in `command`.
    fn add_words(&mut self, words: &[&str], command: &str, place: &Place<'_>) {
        let Some((program, rest)) = words.split_first() else { return };
        let program = name(program);
        let rest = if program == "git" { behind_options(rest) } else { rest };
        for rule in RULES.iter().filter(|rule| rule.is_of(program, rest)) {
            let operands = operands(&rest[rule.words.len()..]);
            if let Some(text) = rule.text(&operands, command, place) {
                self.add(rule.what, text);
            }
        }
    }
}

/// Reads the commands of a script one after the other.
#[derive(Debug)]
pub(super) struct Watch<'s> {
    pipe: Pipe<'s>,
}

impl<'s> Watch<'s> {
    pub(super) fn new(script: &'s str) -> Watch<'s> {
        Watch { pipe: Pipe::new(script) }
    }

    /// What is worth a look in the next command, which runs in `place`.
    pub(super) fn next(&mut self, simple: &Simple<'s>, place: &Place<'_>) -> Notables {
        let mut found = Notables::default();
        let all: Vec<&str> = simple.words.iter().map(String::as_str).collect();
        let words = unwrapped(&all);
        add_sudo(&all, words, simple.text, place, &mut found);
        if let Some(text) = self.pipe.downloaded_script(simple, words) {
            found.add(Notable::DownloadedScript, text);
        }
        found.add_words(words, simple.text, place);
        for run in self.pipe.run_by(words) {
            let run: Vec<&str> = run.iter().map(String::as_str).collect();
            let inner = unwrapped(&run);
            add_sudo(&run, inner, simple.text, place, &mut found);
            found.add_words(inner, simple.text, place);
        }
        // What is deleted is not written, too.
        let writes = !found.has(Notable::DeletedFiles);
        for one in written::named(simple, words) {
            if let MaybeWritten::File(path) | MaybeWritten::New(path) | MaybeWritten::Tree(path) =
                &one
            {
                found.add_file(path, writes, place);
            }
        }
        self.pipe.go_on(simple, words);
        found
    }
}

/// What is worth a look in a patch that a command applies.
pub(super) fn of_patch(patch: &str, place: &Place<'_>) -> Notables {
    let mut found = Notables::default();
    let deleted = deleted(patch);
    for path in patched(patch) {
        found.add_change(path, deleted.contains(&path), place);
    }
    found
}

/// What is worth a look in the files that a call names.
pub(super) fn of_files(files: &[NamedFile], folder: &Folder) -> Notables {
    let place = Place::new(folder, ShellPlace::new(""));
    let mut found = Notables::default();
    for file in files {
        if file.changes {
            found.add_change(&file.path, file.deletes, &place);
        } else {
            found.add_file(&file.path, false, &place);
        }
    }
    found
}

/// `sudo` among the words before the program that it runs.
fn add_sudo(all: &[&str], inner: &[&str], command: &str, place: &Place<'_>, found: &mut Notables) {
    if inner.is_empty() {
        return;
    }
    let before = &all[..all.len() - inner.len()];
    if let Some(at) = before.iter().position(|word| name(word) == "sudo") {
        found.add_words(&before[at..], command, place);
    }
}

/// The words of `git` from its own command on.
fn behind_options<'w, 's>(words: &'w [&'s str]) -> &'w [&'s str] {
    let takes_value =
        |word: &str| matches!(word, "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace");
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-')) {
        at += if takes_value(word) { 2 } else { 1 };
    }
    words.get(at..).unwrap_or_default()
}

/// Words without options; behind `--` there are none.
fn operands<'s>(words: &[&'s str]) -> Vec<&'s str> {
    let dashes = words.iter().position(|word| *word == "--").unwrap_or(words.len());
    let (before, behind) = words.split_at(dashes);
    let before = before.iter().filter(|word| !word.starts_with('-'));
    before.chain(behind.iter().skip(1)).copied().collect()
}

impl Rule {
    /// The command, or the file that makes it worth a look; `None` where it is not.
    fn text<'s>(
        &self,
        operands: &[&'s str],
        command: &'s str,
        place: &Place<'_>,
    ) -> Option<&'s str> {
        let all = operands.iter().copied();
        match self.when {
            When::Runs => Some(command),
            When::Deletes => all.clone().any(|path| !place.is_scratch(path)).then_some(command),
            When::ForcesRef => all.clone().any(|word| word.starts_with('+')).then_some(command),
            When::Names => all.clone().find(|path| is_credential(path)),
            When::NamesBehindScript => all.clone().skip(1).find(|path| is_credential(path)),
            When::FeedsShell => None,
        }
    }
}
