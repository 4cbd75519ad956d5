//! The tree list.

use serde::Serialize;

use crate::outline::search::Query;
use crate::outline::{Filter, LaidOut, Outline, lay_out};
use crate::render::Renderer;
use crate::session::calls::Calls;
use crate::session::{EntryIndex, Session};

/// The rows that a filter and a search leave, as `leafpress tree --json` prints them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TreeReport {
    /// The key of the leaf whose path is marked.
    pub leaf_id: String,
    /// How many rows there are.
    pub shown: usize,
    /// How many entries the tree has.
    pub total: usize,
    /// The rows in display order.
    pub rows: Vec<RowReport>,
}

/// One row of the tree list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RowReport {
    /// The entry's key.
    pub id: String,
    /// Indentation and connectors, exact to 64 levels, then shortened with `…`.
    pub prefix: String,
    /// The row's text, at most 200 UTF-16 units.
    pub text: String,
    /// The entry's label.
    pub label: Option<String>,
    /// Whether the entry is on the path to the leaf.
    pub on_path: bool,
    /// Levels of indentation.
    pub depth: usize,
}

/// Lists the entries that `filter` shows while `leaf` is the current one, and
/// of these, with `search`, the ones that hold all its words.
pub fn tree(
    session: &Session,
    leaf: EntryIndex,
    filter: Filter,
    search: Option<&str>,
) -> TreeReport {
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
    TreeReport {
        leaf_id: session.key(leaf),
        shown: rows.len(),
        total: session.len(),
        rows: rows.into_iter().map(|row| row_report(session, &outline, leaf, row)).collect(),
    }
}

/// Renders the entry only when its key words, label and row do not decide.
fn is_hit(
    session: &Session,
    outline: &Outline,
    renderer: &mut Renderer<'_>,
    query: &Query,
    index: EntryIndex,
) -> bool {
    let row = outline.row(index);
    let label = session.label(index).map_or("", |label| label.text.as_str());
    let (words, text) = (row.words.as_str(), row.text.as_str());
    query.matches(&[words, label, text])
        || query.matches(&[words, label, text, &renderer.text(index)])
}

fn row_report(session: &Session, outline: &Outline, leaf: EntryIndex, row: LaidOut) -> RowReport {
    RowReport {
        id: session.key(row.entry),
        prefix: row.prefix,
        text: outline.row(row.entry).text.clone(),
        label: session.label(row.entry).map(|label| label.text.clone()),
        on_path: session.tree().is_on_path(row.entry, leaf),
        depth: row.depth,
    }
}
