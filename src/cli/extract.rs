//! `leafpress extract`: the files that a page was made of, back from the page.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::error::Error;
use crate::extract::{ChildFile, ExtractError, Page};

use super::input::{self, is_stdio};
use super::{output, password};

/// What `leafpress extract PAGE.html` takes.
#[derive(Debug, Args)]
pub(super) struct ExtractArgs {
    /// The page; `-` reads standard input
    #[arg(value_name = "PAGE")]
    page: PathBuf,
    /// The file to write; `-` writes standard output [default: the page's name with `.jsonl`, here, if there is none yet]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Write the files of the sub-sessions too, all into this new or empty folder, each named after its key
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    all: Option<PathBuf>,
    /// The password of a sealed page is in the first line of this file; `-` reads standard input [default: asked for]
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

impl ExtractArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        if is_stdio(&self.page) && self.password_file.as_deref().is_some_and(is_stdio) {
            return Err(Error::StdinTwice);
        }
        let bytes = input::read_bytes(&self.page)?;
        let page = Page::find(&bytes).map_err(|source| self.failed(source))?;
        if !page.is_sealed() {
            return self.extract(&page);
        }
        let password = match &self.password_file {
            Some(file) => password::from_file(file)?,
            None => password::asked()?,
        };
        let opened = page.open(&password).map_err(|source| self.failed(source))?;
        drop(password);
        self.extract(&Page::find(&opened).map_err(|source| self.failed(source))?)
    }

    fn failed(&self, source: ExtractError) -> Error {
        Error::Extract { path: self.page.clone(), source }
    }

    fn extract(&self, page: &Page<'_>) -> Result<(), Error> {
        let session = page.session_file().map_err(|source| self.failed(source))?;
        match &self.all {
            Some(folder) => {
                let children = page.child_files().map_err(|source| self.failed(source))?;
                self.write_all(folder, session, children)
            }
            None => self.write_one(&session),
        }
    }

    fn write_one(&self, session: &[u8]) -> Result<(), Error> {
        let out = self.output.clone().unwrap_or_else(|| format!("{}.jsonl", self.stem()).into());
        // Named by nobody, a file that is there may be the session itself, or more than what is
        // in the page.
        if self.output.is_none() && out.exists() {
            return Err(Error::OutputIsThere(out));
        }
        if !is_stdio(&self.page) && !is_stdio(&out) && output::is_same_file(&self.page, &out) {
            return Err(Error::OutputIsPage(out));
        }
        output::write_file(&out, |file| file.write_all(session))?;
        if !is_stdio(&out) {
            output::to_stdout(|stdout| writeln!(stdout, "{}", out.display()))?;
        }
        Ok(())
    }

    fn write_all(
        &self,
        folder: &Path,
        session: Vec<u8>,
        children: Vec<ChildFile>,
    ) -> Result<(), Error> {
        let failed = |source| Error::Write { path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        if fs::read_dir(folder).map_err(failed)?.next().is_some() {
            return Err(Error::OutputIsThere(folder.to_owned()));
        }
        let mut names = Names::default();
        let own = (self.stem(), session);
        let files = children.into_iter().map(|child| (child.key, child.bytes));
        for (name, bytes) in std::iter::once(own).chain(files) {
            let path = folder.join(names.of(&name));
            output::write_file(&path, |file| file.write_all(&bytes))?;
            output::to_stdout(|stdout| writeln!(stdout, "{}", path.display()))?;
        }
        Ok(())
    }

    fn stem(&self) -> String {
        let stem = self.page.file_stem().filter(|_| !is_stdio(&self.page));
        stem.map_or_else(|| "session".to_owned(), |stem| stem.to_string_lossy().into_owned())
    }
}

/// Names of files, each given once.
#[derive(Debug, Default)]
struct Names {
    /// In small letters, as which some systems see all names.
    given: HashSet<String>,
}

impl Names {
    /// A name for what is called so, with its ending, that leads to no other folder on any system.
    fn of(&mut self, called: &str) -> String {
        let stem = safe(called);
        let numbered = (2..).map(|nth: u64| format!("{stem}-{nth}"));
        let mut names = std::iter::once(stem.clone()).chain(numbered);
        // One of them is free: there are more than files.
        let name = names.find(|name| self.given.insert(name.to_lowercase())).unwrap_or_default();
        format!("{name}.jsonl")
    }
}

/// Letters, digits and `-_.~` as they are, a point for each slash, `_` for all else; never empty, hidden, longer
/// than file systems take, or a device of Windows.
fn safe(called: &str) -> String {
    const MOST_CHARS: usize = 80;
    const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];
    let safe = |letter: char| match letter {
        '/' => '.',
        '-' | '_' | '.' | '~' => letter,
        _ if letter.is_ascii_alphanumeric() => letter,
        _ => '_',
    };
    let name: String = called.chars().take(MOST_CHARS).map(safe).collect();
    let name = name.trim_matches('.');
    let first = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let device = first.trim_end_matches(|letter: char| letter.is_ascii_digit());
    if name.is_empty() || DEVICES.contains(&device) { format!("_{name}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_in_their_folder() {
        let mut names = Names::default();
        for (called, name) in [
            ("Scout", "Scout.jsonl"),
            ("Scout/Helper", "Scout.Helper.jsonl"),
            ("scout", "scout-2.jsonl"),
            ("/etc/passwd", "etc.passwd.jsonl"),
            ("../../etc/passwd", "etc.passwd-2.jsonl"),
            ("..", "_.jsonl"),
            ("C:\\x", "C__x.jsonl"),
            ("a%2Fb\u{0}\n", "a_2Fb__.jsonl"),
            ("NUL", "_NUL.jsonl"),
            ("com1.x", "_com1.x.jsonl"),
            ("", "_-2.jsonl"),
        ] {
            let given = names.of(called);
            assert!(!given.contains(['/', '\\']) && !given.starts_with('.'), "{given}");
            assert_eq!(given, name, "{called}");
        }
        assert_eq!(names.of(&"x".repeat(500)).len(), 86);
    }
}
