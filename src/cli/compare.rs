//! `leafpress compare`: compares what two branches did after they forked.

use std::io::{self, Write};

use anstyle::Style;
use clap::Args;
use unicode_width::UnicodeWidthStr as _;

use crate::cli::error::Error;
use crate::report::{self, CompareReport, FileReport, SideReport};
use crate::session::text::counted_entries;

use super::clock::ClockArg;
use super::columns::{columns, shortened};
use super::input::{self, PricesArg, set_prices};
use super::printable::printable;
use super::report_lines::Page;
use super::stats::{lines_changed, print_figures};
use super::{SessionArg, output};

/// What `leafpress compare` takes.
#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    #[command(flatten)]
    input: SessionArg,
    #[command(flatten)]
    prices: PricesArg,
    /// Leaf of the first branch, or any entry on it [default: the current branch]
    #[arg(value_name = "LEAF_A", requires = "b")]
    a: Option<String>,
    /// Leaf of the second branch [default: the newest other branch]
    #[arg(value_name = "LEAF_B")]
    b: Option<String>,
    #[command(flatten)]
    clock: ClockArg,
    /// Print JSON in a stable format
    #[arg(long)]
    json: bool,
}

impl CompareArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let prices = self.prices.read()?;
        let mut session = self.input.read()?;
        set_prices(&mut session, prices);
        let a =
            input::entry(&session, "LEAF_A", self.a.as_deref())?.unwrap_or_else(|| session.leaf());
        let b = match input::entry(&session, "LEAF_B", self.b.as_deref())? {
            Some(b) => b,
            None => report::newest_other(&session).ok_or(Error::OneBranch)?,
        };
        if session.tree().session_of(a) != session.tree().session_of(b) {
            return Err(Error::ComparedWithin { a: session.key_at(a), b: session.key_at(b) });
        }
        let compared = report::compare(&session, a, b).expect(input::FOUND);
        if self.json {
            return output::json(&compared);
        }
        let page = Page { columns: columns(), clock: self.clock.clock() };
        output::to_person(|out| print(&compared, &page, out))
    }
}

fn print(report: &CompareReport, page: &Page, out: &mut dyn Write) -> io::Result<()> {
    match &report.common_ancestor {
        Some(ancestor) => {
            writeln!(out, "{} shared, up to {ancestor}", counted_entries(report.common_entries))?;
        }
        None => writeln!(out, "nothing shared: the branches have different roots")?,
    }
    print_side("A", &report.a, page, out)?;
    print_side("B", &report.b, page, out)?;
    let dim = Style::new().dimmed();
    writeln!(
        out,
        "{dim}counts start after the fork; files changed by shell commands are not listed{dim:#}"
    )
}

fn print_side(name: &str, side: &SideReport, page: &Page, out: &mut dyn Write) -> io::Result<()> {
    let bold = Style::new().bold();
    let label = side.label.as_ref().map(|label| format!("[{}] ", printable(label)));
    let said = format!("{}{}", label.unwrap_or_default(), printable(&side.last_message));
    let room = page.columns.saturating_sub(name.len() + side.leaf_id.width() + 4);
    writeln!(out, "{bold}{name}  {}{bold:#}  {}", side.leaf_id, shortened(&said, room))?;
    if side.is_ancestor {
        return writeln!(out, "   no entries of its own: the other branch continues from here");
    }
    print_figures(&side.figures, "   ", page, out)?;
    let mut line = |name: &str, values: Vec<String>| page.items(("   ", name), &values, out);
    let files = |wanted: fn(&FileReport) -> bool| {
        side.files.iter().filter(|file| wanted(file)).map(|file| file.path.clone()).collect()
    };
    let changed = side.files.iter().filter(|file| file.changes > 0).map(|file| {
        let edited = side.edited.iter().find(|edited| edited.path == file.path);
        let lines =
            edited.map(|edited| lines_changed(edited.is_about, edited.added, edited.removed));
        format!("{}{}", file.path, lines.unwrap_or_default().replacen("  ", " ", 1))
    });
    line("changed", changed.collect())?;
    line("read", files(|file| file.changes == 0 && file.reads > 0))?;
    line("failed", files(|file| file.changes + file.reads == 0))?;
    let only = &side.only;
    let only = [("changed", &only.changed), ("read", &only.read), ("called", &only.tools)]
        .into_iter()
        .chain([("used", &only.models)])
        .filter(|(_, names)| !names.is_empty())
        .map(|(verb, names)| format!("{verb} {}", names.join(", ")));
    let only: Vec<String> = only.collect();
    let only = only.join("; ");
    line("only", only.split(", ").filter(|part| !part.is_empty()).map(str::to_owned).collect())
}
