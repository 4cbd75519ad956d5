//! The tree list.

use std::cell::LazyCell;

use serde::Serialize;

use crate::outline::{Filter, LaidOut, Outline, Query, Subject, lay_out};
use crate::render::Renderer;
use crate::session::calls::Calls;
use crate::session::context::Facts;
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
/// of these, with `search`, the ones that meet all its conditions.
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
        let facts = Facts::read(session);
        let mut renderer = Renderer::new(session, &calls);
        for (index, visible) in visible.iter_mut().enumerate().filter(|(_, visible)| **visible) {
            *visible = query.matches(&Subject {
                row: outline.row(index),
                role: facts.of(index).message.as_ref().map(|message| message.role.as_ref()),
                label: session.label(index).map(|label| label.text.as_str()),
                time: session.time(index),
                body: LazyCell::new(Box::new(|| renderer.text(index))),
            });
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
