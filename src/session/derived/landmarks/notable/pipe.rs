//! What commands hand to each other: scripts that are downloaded, and files that are found.

use super::table::{INTERPRETERS, OWN_SCRIPT, RULES, When};
use crate::session::action::program::name;
use crate::session::action::shell::{Join, Simple};

/// So many folders and names of one `find` are read.
const MOST_NAMES: usize = 8;

/// What goes from one command of a script into the next.
#[derive(Debug)]
pub(super) struct Pipe<'s> {
    script: &'s str,
    /// Where in the script the download begins.
    download: Option<usize>,
    /// The files that `find` prints, as far as its words say.
    found: Vec<String>,
}

impl<'s> Pipe<'s> {
    pub(super) fn new(script: &'s str) -> Pipe<'s> {
        Pipe { script, download: None, found: Vec::new() }
    }

    /// Where a command begins in the script.
    fn start(&self, simple: &Simple<'_>) -> usize {
        (simple.text.as_ptr() as usize).saturating_sub(self.script.as_ptr() as usize)
    }

    /// The download and what runs it, where this command does.
    pub(super) fn downloaded_script(
        &mut self,
        simple: &Simple<'s>,
        words: &[&str],
    ) -> Option<&'s str> {
        let (program, rest) = words.split_first()?;
        let program = name(program);
        let is_interpreter = INTERPRETERS.contains(&program);
        // `bash <(curl …)`, `sh -c "$(curl …)"`, `eval "$(curl …)"`
        if (is_interpreter || matches!(program, "eval" | "source" | "."))
            && rest.iter().any(|word| is_substituted_download(word))
        {
            return Some(simple.text);
        }
        let from = self.download.take_if(|_| is_interpreter && reads_script(rest))?;
        self.script.get(from..self.start(simple) + simple.text.len())
    }

    /// The commands that `find` and `xargs` run on files.
    pub(super) fn run_by(&self, words: &[&str]) -> Vec<Vec<String>> {
        match words {
            ["find", rest @ ..] => {
                let found = found_by(rest);
                let deletes = rest.contains(&"-delete").then(|| rm(&found));
                let is_exec = |word: &&str| matches!(*word, "-exec" | "-execdir" | "-ok");
                let runs = rest.split(is_exec).skip(1).map(|words| {
                    let words = words.iter().take_while(|word| !matches!(**word, ";" | "+"));
                    let with = |word: &&str| match *word {
                        "{}" => found.clone(),
                        word => vec![word.to_owned()],
                    };
                    words.flat_map(with).collect()
                });
                deletes.into_iter().chain(runs).collect()
            }
            ["xargs", rest @ ..] => {
                let takes_value = |word: &str| {
                    matches!(word, "-I" | "-n" | "-P" | "-L" | "-d" | "-s" | "-a" | "-E")
                };
                let mut at = 0;
                while let Some(word) = rest.get(at).filter(|word| word.starts_with('-')) {
                    at += if takes_value(word) { 2 } else { 1 };
                }
                let mut run = owned(rest.get(at..).unwrap_or_default());
                // Any file, where nothing says which.
                let files =
                    if self.found.is_empty() { vec!["*".to_owned()] } else { self.found.clone() };
                run.extend(files);
                vec![run]
            }
            _ => Vec::new(),
        }
    }

    /// Notes what goes into the next command.
    pub(super) fn go_on(&mut self, simple: &Simple<'_>, words: &[&str]) {
        if simple.next != Join::Pipe {
            self.download = None;
            self.found.clear();
            return;
        }
        match words {
            ["find", rest @ ..] => self.found = found_by(rest),
            [program, ..] if is_download(program) => {
                self.download = self.download.or(Some(self.start(simple)));
            }
            _ => {}
        }
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn rm(files: &[String]) -> Vec<String> {
    std::iter::once("rm").map(str::to_owned).chain(files.iter().cloned()).collect()
}

/// The files that `find` finds: each of its folders with the name that it looks for.
fn found_by(words: &[&str]) -> Vec<String> {
    let folders = words.iter().take_while(|word| !word.starts_with(['-', '(', '!']));
    let mut folders: Vec<&str> = folders.copied().take(MOST_NAMES).collect();
    if folders.is_empty() {
        folders.push(".");
    }
    let names = words.windows(2).filter(|pair| matches!(pair[0], "-name" | "-iname" | "-path"));
    let names: Vec<&str> = names.map(|pair| pair[1]).take(MOST_NAMES).collect();
    let each = |folder: &&str| -> Vec<String> {
        match &names[..] {
            [] => vec![(*folder).to_owned()],
            names => names.iter().map(|name| format!("{folder}/{name}")).collect(),
        }
    };
    folders.iter().flat_map(each).collect()
}

fn is_download(program: &str) -> bool {
    let mut rules = RULES.iter().filter(|rule| rule.when == When::FeedsShell);
    rules.any(|rule| rule.programs.contains(&name(program)))
}

/// Whether a word is a command that downloads, whose output stands for it.
fn is_substituted_download(word: &str) -> bool {
    let mut words = word.trim_start_matches('$').split_whitespace();
    words.next().is_some_and(is_download) && words.next().is_some()
}

/// Whether an interpreter with these words reads its script from standard input.
fn reads_script(words: &[&str]) -> bool {
    if words.iter().any(|word| OWN_SCRIPT.contains(word)) {
        return false;
    }
    // `bash -s -- --yes`
    words.iter().any(|word| *word == "-s" || *word == "-")
        || words.iter().all(|word| word.starts_with('-'))
}
