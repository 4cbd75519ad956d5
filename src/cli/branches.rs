//! `leafpress branches`: lists every branch with its last message.

use std::io::{self, Write};

use anstyle::Style;
use clap::Args;

use crate::cli::error::Error;
use crate::report::{self, BranchReport, BranchesReport};
use crate::session::text::{counted_entries, one_line, shortened};

use super::printable::printable;
use super::{SessionArg, output};

/// What `leafpress branches` takes.
#[derive(Debug, Args)]
pub(super) struct BranchesArgs {
    #[command(flatten)]
    input: SessionArg,
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
        output::to_person(|out| print(&branches, out))
    }
}

/// Two lines a branch: its leaf with what it ended with, then its size, fork, label and time.
fn print(report: &BranchesReport, out: &mut dyn Write) -> io::Result<()> {
    let dim = Style::new().dimmed();
    print_all(&report.branches, "", out)?;
    for sub in &report.sub_sessions {
        let name = sub.agent.as_deref().unwrap_or(&sub.id);
        writeln!(out, "{}", printable(&one_line(&format!("⊞ {name} ({})", sub.id))))?;
        print_all(&sub.branches, "   ", out)?;
    }
    if !report.branches.iter().any(|branch| branch.current) {
        let leaf = &report.leaf_id;
        writeln!(out, "{dim}the current entry is {leaf}, in the middle of a branch{dim:#}")?;
    }
    let s = if report.total == 1 { "" } else { "es" };
    writeln!(out, "{dim}{} branch{s}, times in UTC{dim:#}", report.total)
}

fn print_all(branches: &[BranchReport], indent: &str, out: &mut dyn Write) -> io::Result<()> {
    /// Of the last words, in UTF-16 units; `--json` has more.
    const WORDS_UNITS: usize = 100;
    let (dim, bold) = (Style::new().dimmed(), Style::new().bold());
    for branch in branches {
        let mark = if branch.current { "• " } else { "  " };
        let label = branch.label.as_ref().map(|label| format!("[{}] ", printable(label)));
        let words = if branch.words.is_empty() { "(no text)" } else { &branch.words };
        writeln!(
            out,
            "{indent}{mark}{dim}{}{dim:#}  {bold}{}{bold:#}{}",
            branch.id,
            label.unwrap_or_default(),
            printable(&shortened(words, WORDS_UNITS)),
        )?;
        let mut facts = vec![counted_entries(branch.entries)];
        if let Some(fork) = &branch.fork_id {
            facts.push(format!("{} since the fork at {fork}", branch.own_entries));
        }
        facts.extend(branch.time.as_deref().and_then(to_the_minute));
        facts.extend(branch.current.then(|| "current".to_owned()));
        writeln!(out, "{indent}  {dim}{}{dim:#}", facts.join(" · "))?;
    }
    Ok(())
}

/// `2026-11-02 09:00`, of `2026-11-02T09:00:00.000Z`.
pub(super) fn to_the_minute(iso: &str) -> Option<String> {
    const MINUTE: usize = ":00.000Z".len();
    Some(iso.get(..iso.len().checked_sub(MINUTE)?)?.replacen('T', " ", 1))
}
