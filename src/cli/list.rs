//! `leafpress list`: the newest sessions of every agent on this machine.

use std::io::{self, Write};
use std::path::PathBuf;

use anstyle::Style;
use clap::Args;
use serde::Serialize;

use crate::cli::error::Error;
use crate::find::{self, Env, Finds, FoundSession, Wanted};
use crate::progress::{Steps, Task};
use crate::session::text::{cut, short_path};
use crate::session::{Dialect, time};

use super::printable::printable;
use super::{dialect, input, message, output, progress};

/// What `leafpress list` takes.
#[derive(Debug, Args)]
pub(super) struct ListArgs {
    /// List only sessions of this agent
    #[arg(long, value_name = "NAME", value_parser = dialect(&find::agents()))]
    agent: Option<Dialect>,
    /// List only sessions with this working directory
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// List at most this many sessions; 0 lists all
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 20)]
    limit: usize,
    /// Print JSON in a stable format
    #[arg(long)]
    json: bool,
}

impl ListArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let env = Env::of_process();
        let progress = progress::reporter();
        let wanted = Wanted { agent: self.agent, cwd: self.cwd, progress: progress.clone() };
        let mut finds = find(&env, &wanted);
        let total = finds.sessions.len();
        if self.limit > 0 {
            finds.sessions.truncate(self.limit);
        }
        // Only what is shown is worth reading whole.
        let steps = Steps::new(progress, Task::List, finds.sessions.len());
        for session in &mut finds.sessions {
            session.count();
            steps.add(1);
        }
        if self.json {
            return output::json(&Report::new(&finds, total));
        }
        if total == 0 {
            message::warning(&Error::no_session(&env, wanted).to_string(), None);
        }
        output::to_person(|out| print(&finds, total, out))
    }
}

/// Looks for sessions, and warns of databases of which not all was read.
pub(super) fn find(env: &Env, wanted: &Wanted) -> Finds {
    let finds = find::find(env, wanted);
    for (path, problem) in &finds.problems {
        input::warn(path, problem);
    }
    finds
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
    size: u64,
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
            size: found.size,
        }
    }
}

/// Three lines a session: what it is, what is in it, where it lies.
fn print(finds: &Finds, total: usize, out: &mut dyn Write) -> io::Result<()> {
    /// Of a title or a prompt, in UTF-16 units.
    const TITLE_UNITS: usize = 100;
    let (dim, bold) = (Style::new().dimmed(), Style::new().bold());
    for found in &finds.sessions {
        let title = found.title.as_deref().or(found.prompt.as_deref()).unwrap_or("(no messages)");
        let folder = found.cwd.as_deref().filter(|cwd| !cwd.is_empty()).map(short_path);
        writeln!(
            out,
            "{}  {:11}  {bold}{}{bold:#}",
            found.time.map(time::plain).unwrap_or_default(),
            found.agent.name(),
            printable(cut(title, TITLE_UNITS)),
        )?;
        writeln!(
            out,
            "                  {}{}, {}",
            counts(found),
            if found.size > 0 { format!(", {}", size(found.size)) } else { String::new() },
            printable(folder.as_deref().unwrap_or("unknown working directory")),
        )?;
        writeln!(
            out,
            "                  {dim}{}{dim:#}",
            printable(&found.address().display().to_string())
        )?;
    }
    let unreadable = match finds.unreadable {
        0 => String::new(),
        1 => "; 1 other file is not a readable session".to_owned(),
        count => format!("; {count} other files are not readable sessions"),
    };
    let s = if total == 1 { "" } else { "s" };
    writeln!(
        out,
        "{dim}{} of {total} session{s}, times in UTC{unreadable}{dim:#}",
        finds.sessions.len()
    )
}

fn counts(found: &FoundSession) -> String {
    let Some(counts) = found.counts else { return "not counted".to_owned() };
    let number = |count: usize, one: &str, many: &str| {
        format!("{count} {}", if count == 1 { one } else { many })
    };
    format!(
        "{}, {}",
        number(counts.entries, "entry", "entries"),
        number(counts.branches, "branch", "branches")
    )
}

fn size(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let bytes_f = bytes as f64;
    match bytes {
        0..1000 => format!("{bytes} bytes"),
        1000..1_000_000 => format!("{:.0} kB", bytes_f / 1e3),
        _ => format!("{:.1} MB", bytes_f / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_the_unit_that_fits() {
        assert_eq!([999, 1000, 1_500_000].map(size), ["999 bytes", "1 kB", "1.5 MB"]);
    }
}
