//! `leafpress changes`: which files a session changed, and how.

use std::io::{self, IsTerminal as _, Write};

use anstyle::{AnsiColor, Style};
use clap::Args;
use unicode_width::UnicodeWidthStr as _;

use crate::changes::{self, Changes, EditedLines, FileAt, FileState, is_binary};
use crate::cli::error::Error;
use crate::redact::Redacted;
use crate::report;
use crate::session::text::counted;
use crate::session::{EntryIndex, Session};

use super::columns::{known_columns, path_within};
use super::cut::CutArgs;
use super::input::{self, BesideArgs, LimitArg};
use super::output;
use super::printable::printable;
use super::secrets::RedactArgs;
use super::source::SourceArg;

/// The words of the list, below the options.
pub(super) const WORDS: &str = "\
Words in the list:
  ~             some edits are not exact, and the lines of all are added up
  from a patch  only hunks are known, not the whole file
  in part       only the words that were replaced are known, or the file was
                written whole and was not known before
  maybe         a command can have written the file
  undone        the file went back to what it was before the edit";

/// What `leafpress changes` takes.
#[derive(Debug, Args)]
pub(super) struct ChangesArgs {
    #[command(flatten)]
    source: SourceArg,
    /// Print a patch for `git apply`; what is not known exactly is a comment in it
    #[arg(long, conflicts_with_all = ["json", "show"])]
    patch: bool,
    /// Only this file: its path is absolute, or starts at the session's working directory
    #[arg(long = "file", value_name = "FILE")]
    only_file: Option<String>,
    /// Up to the time of this entry [default: the current leaf]
    #[arg(long, value_name = "ID")]
    leaf: Option<String>,
    /// Only what the turn of this prompt changed
    #[arg(long, value_name = "ID")]
    turn: Option<String>,
    /// Print this file as it was after the entry of --at [default: after the current leaf]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "only_file", "turn"])]
    show: Option<String>,
    /// The entry: an edit counts from its result on
    #[arg(long, value_name = "ENTRY", requires = "show")]
    at: Option<String>,
    /// Print JSON in a stable format
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    files: BesideArgs,
    #[command(flatten)]
    limit: LimitArg,
    #[command(flatten)]
    secrets: RedactArgs,
    #[command(flatten)]
    cut: CutArgs,
}

impl ChangesArgs {
    pub(super) fn run(mut self) -> Result<(), Error> {
        let rules = self.secrets.rules()?;
        let asked = rules.as_ref().map(|rules| (rules, None));
        let (session, redacted) = input::read(
            &self.source.address("reading")?,
            self.source.format,
            &self.files,
            asked,
            self.limit,
        )?;
        let cut = std::mem::take(&mut self.cut);
        let session = cut.apply(session, self.leaf.as_deref(), None)?;
        if redacted.is_none() {
            self.secrets.check(&session, None)?;
        }
        let changes = Changes::of(&session);
        if let Some(file) = &self.show {
            let text = self.shown(&session, &changes, file)?;
            return self.print_text(&text, redacted.as_ref());
        }
        let leaf = input::entry(&session, "--leaf", self.leaf.as_deref())?
            .unwrap_or_else(|| session.leaf());
        let files = self.files(&session, &changes, leaf)?;
        if self.json {
            return output::json(&report::changes_of(&session, leaf, &files));
        }
        if files.is_empty() {
            let words = self.no_edits(&changes);
            if self.patch {
                // Standard output is the patch, and an empty one is none.
                eprintln!("{words}");
                return Ok(());
            }
            return output::to_person(|out| writeln!(out, "{}", printable(&words)));
        }
        if self.patch {
            let patch = changes::patch(&session, &files);
            return self.print_text(&patch, redacted.as_ref());
        }
        output::to_person(|out| print(&files, out))
    }

    /// Why there is nothing to print.
    fn no_edits(&self, changes: &Changes) -> String {
        let of = self.only_file.as_ref().map(|path| format!(" of `{path}`")).unwrap_or_default();
        match (&self.turn, &self.leaf) {
            (Some(turn), _) => format!("No edits{of} in the turn of `{turn}`"),
            (None, Some(leaf)) => format!("No edits{of} up to `{leaf}`"),
            (None, None) if changes.files().is_empty() => "No edits in this session".to_owned(),
            (None, None) => format!("No edits{of} up to the current leaf"),
        }
    }

    /// The files that are asked for.
    fn files<'c>(
        &self,
        session: &Session,
        changes: &'c Changes,
        leaf: EntryIndex,
    ) -> Result<Vec<FileAt<'c>>, Error> {
        let mut files = match input::entry(session, "--turn", self.turn.as_deref())? {
            Some(prompt) if changes.prompt_of(prompt) != Some(prompt) => {
                return Err(Error::NotAPrompt {
                    option: "--turn",
                    id: session.key_at(prompt),
                    of: changes.prompt_of(prompt).map(|of| session.key_at(of)),
                });
            }
            Some(prompt) => changes.turn(session, leaf, prompt),
            None => changes.at(session, leaf),
        };
        if let Some(path) = &self.only_file {
            let place = find(changes, "--file", path)?;
            files.retain(|file| file.place == place);
        }
        Ok(files)
    }

    /// A file as it was after an entry.
    fn shown(&self, session: &Session, changes: &Changes, path: &str) -> Result<String, Error> {
        let at = input::entry(session, "--at", self.at.as_deref())?;
        let at = at.unwrap_or_else(|| session.leaf());
        let place = changes.find_at(path, at).map_or_else(|| find(changes, "--show", path), Ok)?;
        let file = &changes.files()[place];
        let not_known = |why: &str, since: Option<EntryIndex>| Error::FileNotKnown {
            path: path.to_owned(),
            entry: session.key_at(at),
            since: since.map(|since| session.key_at(since)),
            why: why.to_owned(),
        };
        match changes.state(file, at) {
            FileState::Text(text) if is_binary(&text) => Err(not_known("it is binary", None)),
            FileState::Text(text) => Ok(text.to_string()),
            FileState::Absent => Err(not_known("there was no such file", None)),
            FileState::Unknown(unknown) => Err(not_known(unknown.why, unknown.since)),
        }
    }

    /// Prints texts of files as they are; a terminal gets nothing that would steer it.
    fn print_text(&self, text: &str, redacted: Option<&Redacted>) -> Result<(), Error> {
        if let Some(redacted) = redacted {
            self.secrets.check_text("patch", text, redacted)?;
            eprintln!("redacted {}", redacted.redactor().report().summary());
        }
        if io::stdout().is_terminal() {
            return output::to_person(|out| {
                for line in text.lines() {
                    let line: Vec<String> = line.split('\t').map(printable).collect();
                    writeln!(out, "{}", line.join("\t"))?;
                }
                Ok(())
            });
        }
        output::raw(text.as_bytes())
    }
}

/// The file of this name, or the three whose names are nearest.
fn find(changes: &Changes, option: &'static str, path: &str) -> Result<usize, Error> {
    /// At most so many names are suggested.
    const NEAREST: usize = 3;
    changes.find(path).ok_or_else(|| {
        let mut names: Vec<(usize, String)> = changes
            .files()
            .iter()
            .map(|file| {
                let name = changes.shown(file).to_owned();
                (distance(path, &name), name)
            })
            .collect();
        names.sort();
        let nearest = names.into_iter().take(NEAREST).map(|(_, name)| printable(&name)).collect();
        Error::UnknownFile { option, path: path.to_owned(), nearest }
    })
}

/// How far a name is from another: the names of the files count more than their folders.
fn distance(asked: &str, name: &str) -> usize {
    /// Of longer names the ends are compared.
    const CHARS: usize = 100;
    let end = |path: &str| {
        let skipped = path.chars().count().saturating_sub(CHARS);
        path.chars().skip(skipped).collect::<String>().to_lowercase()
    };
    let base = |path: &str| end(path.rsplit('/').next().unwrap_or_default());
    4 * strsim::damerau_levenshtein(&base(asked), &base(name))
        + strsim::damerau_levenshtein(&end(asked), &end(name))
}

/// A line a file, as `git diff --stat` has it.
fn print(files: &[FileAt<'_>], out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = files.iter().map(name).collect();
    let facts: Vec<String> = files.iter().map(FileAt::facts).collect();
    let counts: Vec<(String, String)> = files
        .iter()
        .map(|file| {
            file.lines().map_or_else(Default::default, |lines| {
                let sign = if lines.is_about { "~" } else { "" };
                (format!("{sign}+{}", lines.added), format!("-{}", lines.removed))
            })
        })
        .collect();
    let widest = |texts: &mut dyn Iterator<Item = &String>| {
        texts.map(|text| text.width()).max().unwrap_or(0)
    };
    let added = widest(&mut counts.iter().map(|(added, _)| added));
    let removed = widest(&mut counts.iter().map(|(_, removed)| removed));
    let rest = added + removed + 4 + widest(&mut facts.iter());
    let room = known_columns().map(|columns| columns.saturating_sub(rest).max(20));
    let width = widest(&mut names.iter()).min(room.unwrap_or(usize::MAX));
    let (green, red, dim) = (
        Style::new().fg_color(Some(AnsiColor::Green.into())),
        Style::new().fg_color(Some(AnsiColor::Red.into())),
        Style::new().dimmed(),
    );
    for ((name, facts), (more, less)) in names.iter().zip(&facts).zip(&counts) {
        let name = path_within(name, width);
        let pad = width.saturating_sub(name.width());
        let line = format!(
            "{name}{:pad$}  {green}{more:>added$}{green:#} {red}{less:<removed$}{red:#}  {dim}{facts}{dim:#}",
            ""
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    let edits = || files.iter().flat_map(FileAt::each_edit);
    let sum = |count: fn(&FileAt<'_>) -> usize| files.iter().map(count).sum::<usize>();
    let changed = files.iter().filter(|file| file.may_have_changed()).count();
    let mut parts = vec![counted(changed, "file")];
    if let Some(EditedLines { added, removed, is_about }) = FileAt::sum_of_lines(files) {
        let sign = if is_about { "about " } else { "" };
        parts.push(format!("{sign}+{added} -{removed}"));
    }
    let undone = sum(|file| file.undone.iter().filter(|undone| **undone).count());
    let failed = edits().filter(|edit| !edit.ok).count();
    let maybe = files.iter().filter(|file| !file.maybe.is_empty()).count();
    let more = [
        (undone > 0).then(|| format!("{} undone", counted(undone, "edit"))),
        (failed > 0).then(|| format!("{} failed", counted(failed, "edit"))),
        (maybe > 0).then(|| format!("{} maybe changed by commands", counted(maybe, "file"))),
    ];
    parts.extend(more.into_iter().flatten());
    writeln!(out, "{}", parts.join(", "))
}

fn name(file: &FileAt<'_>) -> String {
    match &file.from {
        Some(from) => printable(&format!("{from} → {}", file.path)),
        None => printable(&file.path),
    }
}
