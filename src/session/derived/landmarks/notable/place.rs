//! Where a path leads: which are temporary, built, outside the working directory or of credentials.

use std::collections::HashMap;

use super::table::{BUILT, CREDENTIAL_FILES, PUBLIC_FILES, TEMPORARY};
use crate::session::action::path::{Folder, is_absolute};
use crate::session::action::place::{self, LONGEST_PATH};
use crate::session::action::program::{assignment, unwrapped};
use crate::session::action::shell::Simple;
use crate::session::action::written;

/// A variable that names another one, that names another one: deeper ones are not read.
const DEPTH: usize = 4;

/// Where a script is, and what its variables are.
#[derive(Debug)]
pub(in crate::session) struct Place<'f> {
    folder: &'f Folder,
    shell: place::Place,
    variables: HashMap<String, String>,
}

impl<'f> Place<'f> {
    pub(in crate::session::derived) fn new(folder: &'f Folder, shell: place::Place) -> Place<'f> {
        Place { folder, shell, variables: HashMap::new() }
    }

    /// A path with the folder that the script went to.
    pub(super) fn named(&self, path: &str) -> String {
        let path = self.expanded(path).unwrap_or_else(|| path.to_owned());
        self.shell.path(&path).unwrap_or(path)
    }

    /// Enters and leaves the subshells that stand before a command.
    pub(in crate::session::derived) fn reach(&mut self, simple: &Simple<'_>) {
        self.shell.reach(simple);
    }

    /// Reads the script of a shell that this one starts. It shares the variables: most are exported, and a copy for each
    /// shell would take long.
    pub(in crate::session::derived) fn within(&mut self, read: impl FnOnce(&mut Place<'f>)) {
        let inner = self.shell.inner();
        let outer = std::mem::replace(&mut self.shell, inner);
        read(self);
        self.shell = outer;
    }

    /// Notes the variables that a command sets, and the folder that it goes to.
    pub(in crate::session::derived) fn follow(&mut self, simple: &Simple<'_>) {
        let words: Vec<&str> = simple.words.iter().map(String::as_str).collect();
        self.go(simple, unwrapped(&words));
        let declares =
            |word: &&str| matches!(*word, "export" | "local" | "readonly" | "declare" | "typeset");
        for word in words.into_iter().skip_while(declares) {
            let Some((name, value)) = assignment(word) else { return };
            if value.len() <= LONGEST_PATH {
                self.variables.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    fn go(&mut self, simple: &Simple<'_>, words: &[&str]) {
        // Also into the folder that a variable names.
        let goes = matches!(words.first(), Some(&("cd" | "pushd")));
        let variable = words.iter().position(|word| word.starts_with('$')).filter(|_| goes);
        let Some((at, to)) = variable.and_then(|at| Some((at, self.expanded(words[at])?))) else {
            self.shell.follow(simple, words);
            return;
        };
        let mut words = words.to_vec();
        words[at] = &to;
        self.shell.follow(simple, &words);
    }

    /// A path without the variable that it begins with; `None` where that is not known.
    fn expanded(&self, path: &str) -> Option<String> {
        let mut path = path.to_owned();
        for _ in 0..DEPTH {
            let Some(rest) = path.strip_prefix('$') else { return Some(path) };
            let len = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            let (name, rest) = rest.split_at(len);
            let lower = name.to_ascii_lowercase();
            path = match self.variables.get(name) {
                Some(value) => format!("{value}{rest}"),
                None if name == "HOME" => return Some(path),
                None if name == "PWD" => format!(".{rest}"),
                // Also `$(mktemp -d)`.
                None if lower.contains("tmp") || lower.contains("temp") => {
                    format!("/tmp/{name}{}", rest.split(' ').next().unwrap_or_default())
                }
                None => return None,
            };
        }
        None
    }

    /// The absolute path, where it can be told.
    fn absolute(&self, path: &str) -> Option<String> {
        let absolute = self.folder.absolute(&self.shell.path(&self.expanded(path)?)?);
        (!absolute.starts_with('$')).then_some(absolute)
    }

    /// Whether a path is temporary or built.
    pub(super) fn is_scratch(&self, path: &str) -> bool {
        let Some(absolute) = self.absolute(path) else { return false };
        let shown = self.folder.shown(&absolute);
        // A session may work in a folder below a temporary one.
        if is_absolute(shown) {
            return is_temporary(shown);
        }
        let is_built = |part: &str| BUILT.iter().any(|name| written::matches(name, part));
        shown.split('/').any(is_built)
    }

    /// Whether a path lies outside the working directory, where that is known, and is not temporary.
    pub(super) fn is_outside(&self, path: &str) -> bool {
        let Some(absolute) = self.absolute(path) else { return false };
        let is_device = ["/dev/", "/proc/"].iter().any(|root| absolute.starts_with(root));
        !self.folder.has(&absolute) && !is_temporary(&absolute) && !is_device
    }
}

fn is_temporary(absolute: &str) -> bool {
    TEMPORARY.iter().any(|root| match absolute.find(root) {
        Some(0) => absolute.len() > root.len(),
        // Below the home folder of a person.
        Some(_) => root.starts_with("/AppData"),
        None => false,
    })
}

/// Whether a path is that of a file with credentials.
pub(super) fn is_credential(path: &str) -> bool {
    if path.contains(char::is_whitespace) {
        return false;
    }
    let path = path.replace('\\', "/");
    // `user@host:.env`, `--data=@.env`
    let path = path.rsplit(['@', ':', '=']).next().unwrap_or_default();
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    let in_folder = parts.next().map(|folder| format!("{folder}/{name}"));
    let is = |pattern: &&str| match &in_folder {
        _ if !pattern.contains('/') => written::matches(pattern, name),
        Some(path) => written::matches(pattern, path),
        None => false,
    };
    !name.is_empty() && CREDENTIAL_FILES.iter().any(is) && !PUBLIC_FILES.iter().any(is)
}
