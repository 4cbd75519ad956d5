//! `leafpress extract`: the files that a page was made of, back from the page.

use std::collections::HashSet;
use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::error::Error;
use crate::extract::{ChildFile, ExtractError, Page};
use crate::session::json::Json;

use super::input::{self, LimitArg, is_stdio};
use super::output::{Existing, Target};
use super::{output, page, password};

/// What `leafpress extract PAGE.html` takes.
#[derive(Debug, Args)]
pub(super) struct ExtractArgs {
    /// Page; `-` reads standard input
    #[arg(value_name = "PAGE")]
    page: PathBuf,
    /// File to write; `-` writes to standard output [default: the page's name with `.jsonl`, or `.json` or `.txt` where the session is that]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, conflicts_with = "all")]
    force: bool,
    /// Extract the session and its sub-agent sessions into this new or empty directory
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    all: Option<PathBuf>,
    /// Read the password from the first line of this file; `-` reads standard input [default: leafpress asks]
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    #[command(flatten)]
    limit: LimitArg,
}

impl ExtractArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        if is_stdio(&self.page) && self.password_file.as_deref().is_some_and(is_stdio) {
            return Err(Error::StdinTwice);
        }
        let bytes = input::read_page(&self.page, self.limit)?;
        let mut most = output::mode_of(&self.page);
        let password = || {
            most = Some(OWNERS);
            self.password_file.as_deref().map_or_else(password::asked, password::from_file)
        };
        let bytes = page::opened(bytes, |source| self.failed(source), password)?;
        let page = Page::find(&bytes).map_err(|source| self.failed(source))?;
        self.extract(&page, most)
    }

    fn failed(&self, source: ExtractError) -> Error {
        Error::Extract { path: self.page.clone(), source }
    }

    /// `most` are the permission bits that what is written has at most.
    fn extract(&self, page: &Page<'_>, most: Option<u32>) -> Result<(), Error> {
        let session = page.session_file().map_err(|source| self.failed(source))?;
        match &self.all {
            Some(folder) => {
                let children = page.child_files().map_err(|source| self.failed(source))?;
                self.write_all(folder, session, children, most)
            }
            None => self.write_one(&session, most),
        }
    }

    fn write_one(&self, session: &[u8], most: Option<u32>) -> Result<(), Error> {
        let out = self
            .output
            .clone()
            .unwrap_or_else(|| format!("{}.{}", self.stem(), ending(session)).into());
        // Named by nobody, a file that is there may be the session itself, or more than what is
        // in the page.
        let is_named = self.output.is_some() || self.force;
        let existing = if is_named { Existing::Replace } else { Existing::Keep };
        if !is_stdio(&self.page) && !is_stdio(&out) && output::is_same_file(&self.page, &out) {
            return Err(Error::OutputIsPage(out));
        }
        let target = Target { path: &out, existing, most };
        output::write_file(&target, |file| file.write_all(session))?;
        if !is_stdio(&out) {
            output::path(&out)?;
        }
        Ok(())
    }

    fn write_all(
        &self,
        folder: &Path,
        session: Vec<u8>,
        children: Vec<ChildFile>,
        most: Option<u32>,
    ) -> Result<(), Error> {
        let failed = |source| Error::Write { path: folder.to_owned(), source };
        create_folder(folder, most).map_err(failed)?;
        if fs::read_dir(folder).map_err(failed)?.next().is_some() {
            return Err(Error::FolderIsNotEmpty(folder.to_owned()));
        }
        let mut names = Names::default();
        let own = (self.stem(), session);
        let files = children.into_iter().map(|child| (child.key, child.bytes));
        for (name, bytes) in std::iter::once(own).chain(files) {
            let path = folder.join(names.of(&name, ending(&bytes)));
            let target = Target { path: &path, existing: Existing::Replace, most };
            output::write_file(&target, |file| file.write_all(&bytes))?;
            output::path(&path)?;
        }
        Ok(())
    }

    fn stem(&self) -> String {
        let stem = self.page.file_stem().filter(|_| !is_stdio(&self.page));
        stem.map_or_else(|| "session".to_owned(), |stem| stem.to_string_lossy().into_owned())
    }
}

/// What a locked page opens to is for whoever has the password, even where everybody has the page.
const OWNERS: u32 = 0o600;

/// Makes a folder that is no more open than what goes into it.
fn create_folder(folder: &Path, most: Option<u32>) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    if let Some(most) = most {
        // Who may read a file may enter its folder.
        let mode = OWNERS | most | ((OWNERS | most) & 0o444) >> 2;
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, mode);
    }
    #[cfg(not(unix))]
    let _ = most;
    builder.create(folder)
}

/// What the name of such a file ends with: one JSON value, lines of them, or text without any.
fn ending(file: &[u8]) -> &'static str {
    let text = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file).trim_ascii();
    let is_value = |text: &[u8]| matches!(text.first(), Some(b'{' | b'['));
    if !is_value(text) {
        let has_values = text.split(|byte| *byte == b'\n').any(|line| is_value(line.trim_ascii()));
        return if has_values || text.is_empty() { "jsonl" } else { "txt" };
    }
    // A row alone is a line of what the others would be.
    let is_row = || {
        !text.contains(&b'\n')
            && serde_json::from_slice(text).is_ok_and(|row: Json<'_>| row.get("type").is_some())
    };
    let is_whole = serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok();
    if is_whole && !is_row() { "json" } else { "jsonl" }
}

/// Names of files, each given once.
#[derive(Debug, Default)]
struct Names {
    /// In small letters, as which some systems see all names.
    given: HashSet<String>,
}

impl Names {
    /// A name for what is called so, with its ending, that leads to no other folder on any system.
    fn of(&mut self, called: &str, ending: &str) -> String {
        let stem = safe(called);
        let numbered = (2..).map(|nth: u64| format!("{stem}-{nth}"));
        let mut names = std::iter::once(stem.clone()).chain(numbered);
        // One of them is free: there are more than files.
        let name = names.find(|name| self.given.insert(name.to_lowercase())).unwrap_or_default();
        format!("{name}.{ending}")
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
            let given = names.of(called, "jsonl");
            assert!(!given.contains(['/', '\\']) && !given.starts_with('.'), "{given}");
            assert_eq!(given, name, "{called}");
        }
        assert_eq!(names.of(&"x".repeat(500), "jsonl").len(), 86);
    }

    #[test]
    fn a_file_is_named_by_what_it_is() {
        for (file, expected) in [
            ("{\"type\":\"session\"}\n{\"a\":1}\n", "jsonl"),
            ("{\"type\":\"error\"}\n", "jsonl"),
            ("\u{feff}{\n  \"info\": {}\n}\n", "json"),
            ("{\"info\":{}}", "json"),
            ("[{\"type\":\"x\"},\n{}]", "json"),
            ("{\"info\": {", "jsonl"),
            ("garbage\n{\"a\":1}", "jsonl"),
            ("user:\nhello {x}\n", "txt"),
            ("", "jsonl"),
        ] {
            assert_eq!(ending(file.as_bytes()), expected, "{file}");
        }
    }
}
