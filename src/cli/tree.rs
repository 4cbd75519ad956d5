//! `leafpress tree`: the tree list in the terminal.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use anstyle::Style;
use clap::Args;

use crate::error::Error;
use crate::outline::Filter;
use crate::report::{self, SubSessionReport, TreeReport};
use crate::session::invisible::marked;
use crate::session::text::one_line;

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
            return output::json(&tree);
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
    let below = places(tree);
    print_below(&below, "", 0, out)?;
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
        print_below(&below, &row.id, width + 2 + row.prefix.chars().count(), out)?;
    }
    writeln!(out, "{dim}{} of {} entries{dim:#}", tree.shown, tree.total)
}

/// Sub-sessions by the row or the other sub-session below which they stand; by nothing where
/// neither is shown.
fn places(tree: &TreeReport) -> HashMap<&str, Vec<&SubSessionReport>> {
    let shown = tree.rows.iter().map(|row| &row.id).chain(tree.sub_sessions.iter().map(|s| &s.id));
    let shown: HashSet<&str> = shown.map(String::as_str).collect();
    let mut places: HashMap<&str, Vec<&SubSessionReport>> = HashMap::new();
    for sub in tree.sub_sessions.iter().filter(|sub| sub.has_row) {
        let within = sub.id.rsplit_once('/').map(|(outer, _)| outer);
        let place = [sub.below.as_deref(), within].into_iter().flatten();
        let place = place.into_iter().find(|place| shown.contains(place)).unwrap_or_default();
        places.entry(place).or_default().push(sub);
    }
    places
}

/// The sub-sessions below a row, each with its own below it.
fn print_below(
    below: &HashMap<&str, Vec<&SubSessionReport>>,
    place: &str,
    indent: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    /// Deeper ones stand no further in.
    const WIDEST: usize = 64;
    let started = |place: &str| below.get(place).into_iter().flatten().rev();
    let mut stack: Vec<_> = started(place).map(|sub| (*sub, indent)).collect();
    while let Some((sub, indent)) = stack.pop() {
        print_sub_session(sub, &" ".repeat(indent), out)?;
        stack.extend(started(&sub.id).map(|sub| (*sub, (indent + 3).min(WIDEST))));
    }
    Ok(())
}

/// `⊞ Scout: task · done · 12 entries`, and what to ask for to see them.
fn print_sub_session(sub: &SubSessionReport, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    let dim = Style::new().dimmed();
    let name = sub.agent.as_deref().unwrap_or(&sub.id);
    let task = sub.task.as_ref().map(|task| format!(": {task}")).unwrap_or_default();
    let entries = match (&sub.missing, sub.total) {
        (Some(reason), _) => format!(": {reason}"),
        (None, 1) => " · 1 entry".to_owned(),
        (None, total) => format!(" · {total} entries"),
    };
    let text = printable(&one_line(&format!("⊞ {name}{task} · {}{entries}", sub.state)));
    writeln!(out, "{indent}{text}  {dim}{}{dim:#}", sub.leaf_id)
}

/// With marks for what would steer the terminal, reorder the line, or not be seen.
pub(super) fn printable(text: &str) -> String {
    let text = marked(text);
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
