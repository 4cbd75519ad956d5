//! `leafpress tree`: the tree list in the terminal.

use std::io::{self, Write};

use anstyle::Style;
use clap::Args;
use serde::Serialize;

use crate::error::Error;
use crate::outline::search::Query;
use crate::outline::{Filter, LaidOut, Outline, lay_out};
use crate::render::Renderer;
use crate::session::calls::Calls;
use crate::session::{EntryIndex, Session};

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
    /// Show only entries that hold all these words
    #[arg(long, value_name = "WORDS")]
    search: Option<String>,
    /// Print JSON, whose shape is stable
    #[arg(long)]
    json: bool,
}

/// The stable JSON of `leafpress tree --json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TreeJson {
    leaf_id: String,
    shown: usize,
    total: usize,
    rows: Vec<RowJson>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RowJson {
    id: String,
    prefix: String,
    text: String,
    label: Option<String>,
    on_path: bool,
    depth: usize,
}

impl TreeArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let session = input::read(&self.input.session)?;
        let leaf = input::entry(&session, "--leaf", self.leaf.as_deref())?.unwrap_or_else(|| session.leaf());
        let tree = tree(&session, leaf, self.filter, self.search.as_deref());
        if self.json {
            return output::to_stdout(|out| {
                serde_json::to_writer(&mut *out, &tree)?;
                writeln!(out)
            });
        }
        output::to_person(|out| print(&tree, out))
    }
}

fn tree(session: &Session, leaf: EntryIndex, filter: Filter, search: Option<&str>) -> TreeJson {
    let calls = Calls::read(session);
    let outline = Outline::read(session, &calls);
    let mut visible = outline.visible(session, filter, leaf);
    if let Some(query) = search.map(Query::new) {
        let mut renderer = Renderer::new(session, &calls);
        for (index, visible) in visible.iter_mut().enumerate().filter(|(_, visible)| **visible) {
            *visible = is_hit(session, &outline, &mut renderer, &query, index);
        }
    }
    let rows = lay_out(session.tree(), leaf, &visible);
    TreeJson {
        leaf_id: session.key(leaf),
        shown: rows.len(),
        total: session.len(),
        rows: rows.into_iter().map(|row| row_json(session, &outline, leaf, row)).collect(),
    }
}

fn is_hit(session: &Session, outline: &Outline, renderer: &mut Renderer<'_>, query: &Query, index: EntryIndex) -> bool {
    let row = outline.row(index);
    let label = session.label(index).map_or("", |label| label.text.as_str());
    let outside = [row.words.as_str(), label, row.text.as_str()];
    query.matches(&outside) || {
        let text = renderer.text(index);
        query.matches(&[outside[0], outside[1], outside[2], &text])
    }
}

fn row_json(session: &Session, outline: &Outline, leaf: EntryIndex, row: LaidOut) -> RowJson {
    RowJson {
        id: session.key(row.entry),
        prefix: row.prefix,
        text: outline.row(row.entry).text.clone(),
        label: session.label(row.entry).map(|label| label.text.clone()),
        on_path: session.tree().is_on_path(row.entry, leaf),
        depth: row.depth,
    }
}

/// One line a row: its id, then the row as `/tree` draws it.
fn print(tree: &TreeJson, out: &mut dyn Write) -> io::Result<()> {
    /// Longer ids, such as uuids, stand unpadded rather than push all rows aside.
    const WIDEST_ID: usize = 12;
    let width = tree.rows.iter().map(|row| row.id.len()).filter(|&len| len <= WIDEST_ID).max().unwrap_or(0);
    let (dim, bold) = (Style::new().dimmed(), Style::new().bold());
    for row in &tree.rows {
        let mark = if row.on_path { "• " } else { "" };
        let label = row.label.as_ref().map(|label| format!("[{}] ", printable(label))).unwrap_or_default();
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
    let steers = |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if steers(c) { '\u{fffd}' } else { c }).collect()
}
