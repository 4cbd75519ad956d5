//! `leafpress branches`: lists every branch with its last message.

use std::io::{self, Write};

use anstyle::Style;
use clap::Args;
use unicode_width::UnicodeWidthStr as _;

use crate::cli::error::Error;
use crate::report::{self, BranchReport, BranchesReport};
use crate::session::text::{count, counted_entries, one_line};

use super::clock::{Clock, ClockArg};
use super::columns::{columns, shortened, wrapped};
use super::printable::printable;
use super::{SessionArg, output};

/// What `leafpress branches` takes.
#[derive(Debug, Args)]
pub(super) struct BranchesArgs {
    #[command(flatten)]
    input: SessionArg,
    #[command(flatten)]
    clock: ClockArg,
    /// Print JSON in a stable format
    #[arg(long)]
    json: bool,
}

impl BranchesArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let session = self.input.read()?;
        let branches = report::branches(&session);
        if self.json {
            return output::json(&branches);
        }
        let clock = self.clock.clock();
        output::to_person(|out| print(&branches, &clock, out))
    }
}

/// Two lines a branch: its leaf with what it ended with, then its size, fork, label and time.
fn print(report: &BranchesReport, clock: &Clock, out: &mut dyn Write) -> io::Result<()> {
    let dim = Style::new().dimmed();
    print_all(&report.branches, "", clock, out)?;
    for sub in &report.sub_sessions {
        let name = sub.agent.as_deref().unwrap_or(&sub.id);
        let name = printable(&one_line(&format!("⊞ {name} ({})", sub.id)));
        writeln!(out, "{}", shortened(&name, columns()))?;
        print_all(&sub.branches, "   ", clock, out)?;
    }
    if !report.branches.iter().any(|branch| branch.current) {
        let leaf = &report.leaf_id;
        writeln!(out, "{dim}the current entry is {leaf}, in the middle of a branch{dim:#}")?;
    }
    let s = if report.total == 1 { "" } else { "es" };
    writeln!(out, "{dim}{} branch{s}, {}{dim:#}", report.total, clock.note())
}

fn print_all(
    branches: &[BranchReport],
    indent: &str,
    clock: &Clock,
    out: &mut dyn Write,
) -> io::Result<()> {
    let room = columns().saturating_sub(indent.len() + 2);
    let (dim, bold) = (Style::new().dimmed(), Style::new().bold());
    for branch in branches {
        let mark = if branch.current { "• " } else { "  " };
        let label = branch.label.as_ref().map(|label| format!("[{}] ", printable(label)));
        let words = if branch.last_message.is_empty() { "(no text)" } else { &branch.last_message };
        let id = shortened(&branch.id, room);
        let said = room.saturating_sub(id.width() + 2);
        write!(out, "{indent}{mark}{dim}{id}{dim:#}")?;
        if said > 0 {
            let label = shortened(&label.unwrap_or_default(), said);
            let words = shortened(&printable(words), said.saturating_sub(label.width()));
            write!(out, "  {bold}{label}{bold:#}{words}")?;
        }
        writeln!(out)?;
        let mut facts = vec![counted_entries(branch.entries)];
        if let Some(fork) = &branch.fork_id {
            facts.push(format!("{} since the fork at {fork}", count(branch.own_entries)));
        }
        facts.extend(branch.time.as_deref().and_then(|iso| clock.minute_of(iso)));
        facts.extend(branch.current.then(|| "current".to_owned()));
        for line in wrapped(&facts, " · ", room) {
            writeln!(out, "{indent}  {dim}{line}{dim:#}")?;
        }
    }
    Ok(())
}
