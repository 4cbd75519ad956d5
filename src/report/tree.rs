//! The tree list.
//!
//! The rows are those of the page's tree, by the same filter and the same order (`outline`); here they become text
//! and JSON. Keys of entries are the ids that other commands take.

mod printed;

use std::cell::LazyCell;

use serde::Serialize;

use crate::content::Renderers;
use crate::content::work::{Step, Work};
use crate::outline::{
    Filter, LaidOut, Outline, Query, Subject, lay_out_all, read_with, visible_parents,
};
use crate::render::Renderer;
use crate::session::digest::Digest;
use crate::session::entry::Entry;
use crate::session::{EntryIndex, Kind, Session};
use crate::workers::Threads;

use printed::Printed;
pub(super) use printed::row as printed_row;

/// The rows that a filter and a search leave, as `leafpress tree --json` prints them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TreeReport {
    /// The key of the leaf whose path is marked.
    pub leaf_id: String,
    /// How many rows there are.
    pub shown: usize,
    /// How many entries the tree has.
    pub total: usize,
    /// The rows in display order.
    pub rows: Vec<RowReport>,
    /// The sessions that entries started, however deep, outer ones first; without the one whose rows these are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sub_sessions: Vec<SubSessionReport>,
}

/// A session within the session, with rows of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SubSessionReport {
    /// The beginning of its entries' keys.
    pub id: String,
    /// The kind of agent, where it is known.
    pub agent: Option<String>,
    /// What it was asked to do, where it is known.
    pub task: Option<String>,
    /// How its last answer ended.
    pub state: &'static str,
    /// Why nothing of it is there.
    pub missing: Option<String>,
    /// The key of the entry that started it.
    pub started_by: String,
    /// The row below which it stands: the starter's, or the nearest above it that is shown.
    #[serde(skip)]
    pub below: Option<String>,
    /// Whether it is listed among the rows of what started it.
    #[serde(skip)]
    pub has_row: bool,
    /// The key of its leaf, whose path is marked.
    pub leaf_id: String,
    /// How many rows there are.
    pub shown: usize,
    /// How many entries it has.
    pub total: usize,
    /// The rows in display order.
    pub rows: Vec<RowReport>,
}

/// One row of the tree list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
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
    /// A failed call, or a response that failed or was aborted; a terminal marks it.
    #[serde(skip)]
    pub failed: bool,
    /// What it is: a terminal shows prompts in bold, and results of tools and commands less prominently.
    #[serde(skip)]
    pub kind: Kind,
}

/// Lists the entries that `filter` shows while `leaf` is the current one, and
/// of these, with `search`, the ones that meet all its conditions. `None` where the session has no such entry.
///
/// ```
/// use leafpress::{Filter, report};
///
/// let session = leafpress::read(std::fs::read("examples/garden.jsonl")?)?;
/// let tree = report::tree(&session, session.leaf(), Filter::UserOnly, Some("is:prompt"));
/// for row in tree.iter().flat_map(|tree| &tree.rows) {
///     println!("{} {}", row.id, row.text);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tree(
    session: &Session,
    leaf: EntryIndex,
    filter: Filter,
    search: Option<&str>,
) -> Option<TreeReport> {
    if !session.tree().has(leaf) {
        return None;
    }
    let format = session.format();
    let read = |entry: &Entry<'_>| (Step::of(entry), Printed::of(entry, format));
    let threads = Threads::available();
    let (digest, outline, read) = read_with(session, threads, read);
    let (steps, printed): (Vec<Step>, Vec<Printed>) = read.into_iter().unzip();
    let printed = printed::rows(session, &digest.calls, printed);
    let leaves = leaves(session, leaf);
    let mut visible = outline.visible_all(session, filter, &leaves);
    let query = search.map(Query::new).filter(|query| !query.is_empty());
    if let Some(query) = &query {
        let work = Work::new(session, &digest, steps);
        let mut renderer = Renderer::with_work(session, &digest, work, Renderers::new(), threads);
        keep_matches((session, &digest, &outline), query, &mut renderer, &mut visible);
    }
    let laid_out = lay_out_all(session.tree(), &leaves, &visible);
    let above = visible_parents(session.tree(), &visible);
    let listed = shown_within(session, &laid_out);
    let mut lists = laid_out.into_iter().zip(&leaves).map(|(rows, &leaf)| {
        let of = (&outline, printed.as_slice());
        let rows = rows.into_iter().map(|row| row_report(session, of, leaf, row));
        rows.collect::<Vec<_>>()
    });
    let mut main = lists.next().unwrap_or_default();
    let mut subs = Vec::new();
    for (nth, (sub, rows)) in (1..).zip(session.sub_sessions().iter().zip(lists)) {
        if nth == session.tree().session_of(leaf) {
            main = rows;
            continue;
        }
        let starter = sub.started_by;
        let below = if visible[starter.get()] { Some(starter) } else { above[starter.get()] };
        subs.push(SubSessionReport {
            id: sub.key.clone(),
            agent: sub.agent.clone(),
            task: sub.task.clone(),
            state: sub.state(session),
            missing: sub.missing.clone(),
            started_by: session.key_at(starter),
            below: below.map(|entry| session.key_at(entry)),
            has_row: match filter {
                _ if query.is_some() => listed[nth] > 0,
                Filter::LabeledOnly => listed[nth] > 0,
                // What a sub-session was asked is no prompt of the reader's own.
                Filter::UserOnly => false,
                _ => true,
            },
            leaf_id: session.key_at(leaves[nth]),
            shown: rows.len(),
            total: sub.len,
            rows,
        });
    }
    Some(TreeReport {
        leaf_id: session.key_at(leaf),
        shown: main.len(),
        total: session.entries_beside(leaf).len(),
        rows: main,
        sub_sessions: subs,
    })
}

/// Of the entries that are visible, those that meet a query stay so.
fn keep_matches(
    (session, digest, outline): (&Session, &Digest<'_>, &Outline),
    query: &Query,
    renderer: &mut Renderer<'_>,
    visible: &mut [bool],
) {
    let shown = session.indices().zip(visible).filter(|(_, visible)| **visible);
    for (index, visible) in shown {
        let message = digest.facts.of(index).message.as_ref();
        *visible = query.matches(&Subject {
            row: outline.row(index),
            role: message.map(|message| message.role.as_ref()),
            label: session.label(index).map(|label| label.text.as_str()),
            time: session.time(index),
            body: LazyCell::new(Box::new(|| renderer.text(index))),
        });
    }
}

/// The entries of a session and its sub-agents that meet a query, whatever a filter hides; of the first `texts` of them
/// the text, too.
#[cfg(feature = "catalog")]
pub(crate) fn matches(
    session: &Session,
    query: &Query,
    texts: usize,
) -> Vec<(EntryIndex, Kind, Option<String>)> {
    let threads = Threads::available();
    let (digest, outline, steps) = read_with(session, threads, Step::of);
    let mut visible = outline.visible_all(session, Filter::All, &leaves(session, session.leaf()));
    let work = Work::new(session, &digest, steps);
    let mut renderer = Renderer::with_work(session, &digest, work, Renderers::new(), threads);
    keep_matches((session, &digest, &outline), query, &mut renderer, &mut visible);
    let found =
        session.indices().zip(visible).filter_map(|(index, visible)| visible.then_some(index));
    let found: Vec<EntryIndex> = found.collect();
    let with_text = |(nth, index): (usize, EntryIndex)| {
        let row = outline.row(index);
        let text =
            (nth < texts).then(|| format!("{}\n{}", renderer.text(index).trim(), row.line()));
        (index, row.kind, text)
    };
    found.into_iter().enumerate().map(with_text).collect()
}

/// How many rows each session has, with those of all sessions within it.
fn shown_within(session: &Session, rows: &[Vec<LaidOut>]) -> Vec<usize> {
    let mut counts: Vec<usize> = rows.iter().map(Vec::len).collect();
    // Outer sessions have the smaller numbers.
    for (number, sub) in (1..counts.len()).zip(session.sub_sessions()).rev() {
        counts[sub.parent] += counts[number];
    }
    counts
}

/// The leaf of each session: the one asked for, and where the others stand.
fn leaves(session: &Session, leaf: EntryIndex) -> Vec<EntryIndex> {
    let own =
        std::iter::once(session.leaf()).chain(session.sub_sessions().iter().map(|sub| sub.leaf));
    let mut leaves: Vec<EntryIndex> = own.collect();
    leaves[session.tree().session_of(leaf)] = leaf;
    leaves
}

fn row_report(
    session: &Session,
    (outline, printed): (&Outline, &[String]),
    leaf: EntryIndex,
    row: LaidOut,
) -> RowReport {
    let about = outline.row(row.entry);
    RowReport {
        id: session.key_at(row.entry),
        prefix: row.prefix,
        failed: about.failed,
        kind: about.kind,
        text: printed[row.entry.get()].clone(),
        label: session.label(row.entry).map(|label| label.text.clone()),
        on_path: session.tree().is_on_path(row.entry, leaf),
        depth: row.depth,
    }
}
