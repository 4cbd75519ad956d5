//! Where commands run: the folder that `cd` goes to, from that on in which a script begins.

use super::path::is_absolute;
use super::shell::{Join, Simple};

/// No system has longer paths.
pub(crate) const LONGEST_PATH: usize = 4096;

/// Subshells, and folders that `pushd` keeps, are followed so far. Behind that a folder is not known.
const DEEPEST: usize = 32;

/// The folder that a shell is in while a script runs. `None` is one that the script does not say.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    at: Option<String>,
    /// Where `cd -` goes.
    last: Option<String>,
    /// Where `popd` goes.
    pushed: Vec<Option<String>>,
    /// The shells around this one.
    outer: Vec<Place>,
    is_piped: bool,
}

impl Place {
    pub(crate) fn new(folder: &str) -> Place {
        Place {
            at: Some(folder.to_owned()),
            last: None,
            pushed: Vec::new(),
            outer: Vec::new(),
            is_piped: false,
        }
    }

    /// A shell that this one starts.
    pub(crate) fn inner(&self) -> Place {
        Place { at: self.at.clone(), last: self.last.clone(), ..Place::new("") }
    }

    /// The path that a command here means by `path`; `None` where that is not known.
    pub(crate) fn path(&self, path: &str) -> Option<String> {
        if is_absolute(path) {
            return Some(path.to_owned());
        }
        Some(match self.at.as_deref()? {
            "" => path.to_owned(),
            folder => format!("{}/{path}", folder.trim_end_matches('/')),
        })
    }

    /// Enters and leaves the subshells that stand before a command.
    pub(crate) fn reach(&mut self, simple: &Simple<'_>) {
        for _ in 0..simple.left {
            if let Some(outer) = self.outer.pop() {
                let rest = std::mem::take(&mut self.outer);
                *self = Place { outer: rest, ..outer };
            }
        }
        for _ in 0..simple.entered {
            if self.outer.len() == DEEPEST {
                self.at = None;
                continue;
            }
            let own = Place { outer: Vec::new(), ..self.clone() };
            self.outer.push(own);
        }
    }

    /// Goes where a command goes, by its words from its program on. Says whether it is one that only goes.
    pub(crate) fn follow(&mut self, simple: &Simple<'_>, words: &[&str]) -> bool {
        // What is piped runs in a shell of its own, as does what nobody waits for.
        let is_beside = self.is_piped || simple.next == Join::Pipe || simple.in_background;
        self.is_piped = simple.next == Join::Pipe;
        let [program @ ("cd" | "pushd" | "popd"), rest @ ..] = words else { return false };
        if is_beside {
            return true;
        }
        // `cd -P x`, `cd -- x`.
        let options = rest
            .iter()
            .take_while(|word| word.len() > 1 && word.starts_with('-') && **word != "--")
            .count();
        let rest = &rest[options..];
        let to = rest.strip_prefix(&["--"]).unwrap_or(rest).first().copied();
        let from = self.at.clone();
        self.at = match (*program, to) {
            ("popd", None) => match self.pushed.pop() {
                Some(to) => to,
                None => return true,
            },
            ("cd", None) => Some("~".to_owned()),
            ("cd", Some("-")) => self.last.clone(),
            (_, Some(to)) if is_plain(to) => self.path(to).filter(|path| path.len() < LONGEST_PATH),
            _ => None,
        };
        if *program == "pushd" {
            self.pushed.push(from.clone());
            self.pushed.truncate(DEEPEST);
        }
        self.last = from;
        true
    }
}

/// Whether a path is as written, and not put together by the shell.
fn is_plain(path: &str) -> bool {
    let rest = path.strip_prefix("$HOME").or_else(|| path.strip_prefix("${HOME}")).unwrap_or(path);
    !rest.contains(['$', '`', '*', '?', '\n', '+', '{'])
}
