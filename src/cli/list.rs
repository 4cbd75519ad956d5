//! `leafpress list`: the newest sessions of every agent on this machine.

use std::cell::LazyCell;
use std::io::{self, Write};
use std::path::PathBuf;

use anstyle::Style;
use clap::Args;
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::catalog::Listings;
use crate::cli::error::Error;
use crate::find::{self, Env, Finds, FoundSession, Kept, Wanted};
use crate::progress::{Steps, Task};
use crate::session::ending::Ending;
use crate::session::text::{bytes, count, counted, numbered};
use crate::session::{Format, time};
use crate::short_ids::ShortIds;

use super::clock::{Clock, ClockArg};
use super::columns::{columns, path_within, shortened, wrapped};
use super::families::Shown;
use super::place::Place;
use super::printable::{from_home, printable, working_directory};
use super::{format, input, message, output, place, progress};

/// Of the id of a session whose copy alone is left, at least so many characters.
const SHORTEST_ID: usize = 8;

/// What `leafpress list` takes.
#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// List only sessions of this agent
    #[arg(long, value_name = "NAME", value_parser = format(&find::agents()))]
    agent: Option<Format>,
    /// List only sessions with this working directory
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// List sessions as trees: those that continue or fork another one stand below it
    #[arg(long)]
    families: bool,
    /// List at most this many sessions, or families; 0 lists all
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    clock: ClockArg,
    /// Print JSON in a stable format
    #[arg(long)]
    json: bool,
}

impl ListArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let limit = if self.limit > 0 { self.limit } else { usize::MAX };
        if self.families {
            let wanted = Wanted { agent: self.agent, cwd: self.cwd, progress: None };
            return Shown { wanted, limit, clock: self.clock.clock(), json: self.json }.run();
        }
        let env = place::env();
        let progress = progress::reporter();
        let wanted = Wanted { agent: self.agent, cwd: self.cwd, progress: progress.clone() };
        let (mut finds, known) = find(&env, &wanted);
        // Only what is shown is worth reading whole.
        let steps = Steps::new(progress, Task::List, finds.sessions.len().min(limit));
        let total = finds.counted_with(&known, limit, || steps.add(1));
        if self.json {
            return output::json(&Report::new(&finds, total));
        }
        if total == 0 {
            message::warning(&Error::no_session(&env, wanted).to_string(), None);
            if finds.unreadable == 0 {
                return Ok(());
            }
        }
        let clock = self.clock.clock();
        output::to_person(|out| print(&finds, total, &clock, out))
    }
}

/// Looks for sessions, with the help of a catalog where one is there, and warns of databases of which not all was read.
pub(super) fn find(env: &Env, wanted: &Wanted) -> (Finds, Listings) {
    let known = || Place::Data.folder().map(|data| Listings::read(&data)).unwrap_or_default();
    let (finds, known) = find::find_with(env, wanted, known);
    for (path, problem) in &finds.problems {
        input::warn(path, problem);
    }
    (finds, known)
}

/// The folders that are looked in, for the help.
pub(super) fn folders() -> String {
    let places = find::places(&place::env()).into_iter();
    let lines = places.map(|place| {
        format!("\n  {:11}  {}", place.agent.name(), printable(&from_home(&place.folder)))
    });
    format!("Folders:{}", lines.collect::<String>())
}

/// The JSON of `list --json`.
#[derive(Debug, Serialize)]
struct Report<'a> {
    total: usize,
    unreadable: usize,
    sessions: Vec<SessionReport<'a>>,
}

#[derive(Debug, Serialize)]
struct SessionReport<'a> {
    agent: &'static str,
    path: String,
    id: &'a str,
    time: Option<String>,
    cwd: Option<&'a str>,
    title: Option<&'a str>,
    prompt: Option<&'a str>,
    entries: Option<usize>,
    branches: Option<usize>,
    ended: Option<Ending>,
    #[serde(rename = "endedText")]
    ended_text: Option<&'a str>,
    size: u64,
    kept: bool,
    deleted: bool,
}

impl Report<'_> {
    fn new(finds: &Finds, total: usize) -> Report<'_> {
        let sessions = finds.sessions.iter().map(SessionReport::new).collect();
        Report { total, unreadable: finds.unreadable, sessions }
    }
}

impl SessionReport<'_> {
    fn new(found: &FoundSession) -> SessionReport<'_> {
        SessionReport {
            agent: found.agent.name(),
            path: found.address().display().to_string(),
            id: &found.id,
            time: found.time.map(time::iso),
            cwd: found.cwd.as_deref(),
            title: found.title.as_deref(),
            prompt: found.prompt.as_deref(),
            entries: found.counts.map(|counts| counts.entries),
            branches: found.counts.map(|counts| counts.branches),
            ended: found.ended.as_ref().map(|ended| ended.how),
            ended_text: found
                .ended
                .as_ref()
                .map(|ended| &*ended.text)
                .filter(|text| !text.is_empty()),
            size: found.size,
            kept: found.kept != Kept::No,
            deleted: found.kept == Kept::Only,
        }
    }
}

/// Three lines a session: what it is, what is in it, where it lies.
fn print(finds: &Finds, total: usize, clock: &Clock, out: &mut dyn Write) -> io::Result<()> {
    let (dim, bold) = (Style::new().dimmed(), Style::new().bold());
    let columns = columns();
    let digits = finds.sessions.len().to_string().len();
    let indent = " ".repeat(digits + 2);
    let room = columns.saturating_sub(indent.len());
    let ids = LazyCell::new(|| {
        ShortIds::of_names(finds.sessions.iter().map(|own| own.id.clone()).collect())
    });
    for (nth, found) in (1..).zip(&finds.sessions) {
        let time = found.time.and_then(|ms| clock.minute(ms)).unwrap_or_default();
        let start = format!("{nth:digits$}  {time:16}  {:11}  ", found.agent.name());
        let title = shortened(&printable(title(found)), columns.saturating_sub(start.len()));
        writeln!(out, "{start}{bold}{title}{bold:#}")?;
        let mut facts = vec![counts(found)];
        facts.extend((found.size > 0).then(|| bytes(usize::try_from(found.size).unwrap_or(0))));
        facts.extend(found.ended.as_ref().map(|ended| ended.how.fact().to_owned()));
        match found.kept {
            Kept::No => {}
            Kept::Copy => facts.push("kept".to_owned()),
            Kept::Only => facts.push("deleted by its agent, kept".to_owned()),
        }
        let facts = format!("{}, ", facts.join(", "));
        let folder = working_directory(found.cwd.as_deref());
        let folder = path_within(&folder, room.saturating_sub(facts.width()));
        writeln!(out, "{indent}{}", shortened(&format!("{facts}{folder}"), room))?;
        // Nobody types the path of a copy.
        let id = match found.kept {
            Kept::Only => printable(ids.beginning(&found.id, SHORTEST_ID)) + "  ",
            _ => String::new(),
        };
        let path = printable(&from_home(&found.address()));
        let path = path_within(&path, room.saturating_sub(id.width()));
        writeln!(out, "{indent}{dim}{id}{path}{dim:#}")?;
    }
    let unreadable = (finds.unreadable > 0).then(|| {
        let one = "other file is not a readable session";
        numbered(finds.unreadable, one, "other files are not readable sessions")
    });
    let note = clock.note();
    let shown = count(finds.sessions.len());
    let shown = format!("{shown} of {}, {note}", counted(total, "session"));
    let shown: Vec<String> = std::iter::once(shown).chain(unreadable).collect();
    for line in wrapped(&shown, "; ", columns) {
        writeln!(out, "{dim}{line}{dim:#}")?;
    }
    if !finds.sessions.is_empty() {
        writeln!(out, "{dim}`leafpress N` exports session N of this list{dim:#}")?;
    }
    Ok(())
}

/// What its page would be called. One that was not counted gives its title or its first prompt.
fn title(found: &FoundSession) -> &str {
    let title = found.called.as_deref().or(found.title.as_deref()).or(found.prompt.as_deref());
    title.unwrap_or("(no messages)")
}

fn counts(found: &FoundSession) -> String {
    let Some(counts) = found.counts else { return "not counted".to_owned() };
    format!(
        "{}, {}",
        numbered(counts.entries, "entry", "entries"),
        numbered(counts.branches, "branch", "branches")
    )
}
