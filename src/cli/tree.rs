//! `leafpress tree`: the tree list in the terminal.

use std::io::{self, Write};

use anstyle::Style;
use clap::Args;

use crate::error::Error;
use crate::outline::Filter;
use crate::report::{self, TreeReport};

use super::{SessionArg, input, output};

/// What `leafpress tree` takes.
#[derive(Debug, Args)]
pub(super) struct TreeArgs {
    #[command(flatten)]
    input: SessionArg,
    /// Mark the path to this leaf [default: the session's last entry]
    #[arg(long, value_name = "ID")]
    leaf: Option<String>,
    /// Show the rows of this filter
    #[arg(long, value_enum, default_value_t)]
    filter: Filter,
    /// Show only entries that meet this search: words, "phrases", role: tool: is: label: before: after:
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    search: Option<String>,
    /// Print JSON, whose shape is stable
    #[arg(long)]
    json: bool,
}

impl TreeArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let session = self.input.read()?;
        let leaf = input::entry(&session, "--leaf", self.leaf.as_deref())?
            .unwrap_or_else(|| session.leaf());
        let tree = report::tree(&session, leaf, self.filter, self.search.as_deref());
        if self.json {
            return output::to_stdout(|out| {
                serde_json::to_writer(&mut *out, &tree)?;
                writeln!(out)
            });
        }
        output::to_person(|out| print(&tree, out))
    }
}

/// One line a row: its id, then the row as `/tree` draws it.
fn print(tree: &TreeReport, out: &mut dyn Write) -> io::Result<()> {
    /// Longer ids, such as uuids, stand unpadded rather than push all rows aside.
    const WIDEST_ID: usize = 12;
    let width =
        tree.rows.iter().map(|row| row.id.len()).filter(|&len| len <= WIDEST_ID).max().unwrap_or(0);
    let (dim, bold) = (Style::new().dimmed(), Style::new().bold());
    for row in &tree.rows {
        let mark = if row.on_path { "• " } else { "" };
        let label =
            row.label.as_ref().map(|label| format!("[{}] ", printable(label))).unwrap_or_default();
        let style = if row.id == tree.leaf_id { bold } else { Style::new() };
        writeln!(
            out,
            "{dim}{:width$}{dim:#}  {dim}{}{dim:#}{mark}{bold}{label}{bold:#}{style}{}{style:#}",
            row.id,
            row.prefix,
            printable(&row.text),
        )?;
    }
    writeln!(out, "{dim}{} of {} entries{dim:#}", tree.shown, tree.total)
}

/// Without what would steer the terminal or reorder the line.
pub(super) fn printable(text: &str) -> String {
    let steers =
        |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if steers(c) { '\u{fffd}' } else { c }).collect()
}
