//! `leafpress compare`: compares what two branches did after they forked.

use std::io::{self, Write};

use anstyle::Style;
use clap::Args;

use crate::cli::error::Error;
use crate::report::{self, CompareReport, FileReport, SideReport};
use crate::session::text::{counted_entries, shortened};
use crate::session::{EntryIndex, Session};

use super::input::{PricesArg, set_prices};
use super::printable::printable;
use super::stats::print_figures;
use super::{SessionArg, output};

/// What `leafpress compare` takes.
#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    input: SessionArg,
    #[command(flatten)]
    prices: PricesArg,
    /// Leaf of the first branch, or any entry on it
    #[arg(value_name = "LEAF_A")]
    a: String,
    /// Leaf of the second branch
    #[arg(value_name = "LEAF_B")]
    b: String,
    /// Print JSON in a stable format
    #[arg(long)]
    json: bool,
}

impl CompareArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let prices = self.prices.read()?;
        let mut session = self.input.read()?;
        set_prices(&mut session, prices);
        let a = leaf(&session, "LEAF_A", &self.a)?;
        let b = leaf(&session, "LEAF_B", &self.b)?;
        if session.tree().session_of(a) != session.tree().session_of(b) {
            return Err(Error::ComparedWithin { a: session.key(a), b: session.key(b) });
        }
        let compared = report::compare(&session, a, b);
        if self.json {
            return output::json(&compared);
        }
        output::to_person(|out| print(&compared, out))
    }
}

fn leaf(session: &Session, name: &'static str, id: &str) -> Result<EntryIndex, Error> {
    session.find(id).ok_or_else(|| Error::UnknownEntry { option: name, id: id.to_owned() })
}

fn print(report: &CompareReport, out: &mut dyn Write) -> io::Result<()> {
    match &report.common_ancestor {
        Some(ancestor) => {
            writeln!(out, "{} shared, up to {ancestor}", counted_entries(report.common_entries))?;
        }
        None => writeln!(out, "nothing shared: the branches have different roots")?,
    }
    print_side("A", &report.a, out)?;
    print_side("B", &report.b, out)?;
    let dim = Style::new().dimmed();
    writeln!(
        out,
        "{dim}counts start after the fork; files changed by shell commands are not listed{dim:#}"
    )
}

fn print_side(name: &str, side: &SideReport, out: &mut dyn Write) -> io::Result<()> {
    /// Of the last words, in UTF-16 units; `--json` has more.
    const WORDS_UNITS: usize = 100;
    let (dim, bold) = (Style::new().dimmed(), Style::new().bold());
    let label = side.label.as_ref().map(|label| format!("[{}] ", printable(label)));
    writeln!(
        out,
        "{bold}{name}  {}{bold:#}  {}{}",
        side.leaf_id,
        label.unwrap_or_default(),
        printable(&shortened(&side.words, WORDS_UNITS)),
    )?;
    if side.is_ancestor {
        return writeln!(out, "   no entries of its own: the other branch continues from here");
    }
    print_figures(&side.figures, "   ", out)?;
    let mut line = |name: &str, values: Vec<String>| {
        if values.is_empty() {
            return Ok(());
        }
        writeln!(out, "   {dim}{name:9}{dim:#}{}", printable(&values.join(", ")))
    };
    let files = |wanted: fn(&FileReport) -> bool| {
        side.files.iter().filter(|file| wanted(file)).map(|file| file.path.clone()).collect()
    };
    line("changed", files(|file| file.changes > 0))?;
    line("read", files(|file| file.changes == 0 && file.reads > 0))?;
    line("failed", files(|file| file.changes + file.reads == 0))?;
    let only = &side.only;
    let only = [("changed", &only.changed), ("read", &only.read), ("called", &only.tools)]
        .into_iter()
        .chain([("used", &only.models)])
        .filter(|(_, names)| !names.is_empty())
        .map(|(verb, names)| format!("{verb} {}", names.join(", ")));
    let only: Vec<String> = only.collect();
    line("only", if only.is_empty() { only } else { vec![only.join("; ")] })
}
