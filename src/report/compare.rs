//! Two branches from where they part.
//!
//! Each side is the path from the common ancestor to its leaf, without what both share, and is read by itself
//! (`side`). Only then is told what the other has not (`only`). The page's script compares in the same way.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::outline::Outline;
use crate::session::calls::{CallPlace, CallReader, Calls};
use crate::session::digest::Digest;
use crate::session::message::Message;
use crate::session::text::path_within;
use crate::session::totals::Totals;
use crate::session::{Body, EntryIndex, Session};

use super::edits::{self, EditedFileReport, Edits};
use super::stats::Figures;
use super::tree::printed_row;

/// Two branches side by side, as `leafpress compare --json` prints them.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CompareReport {
    /// The key of the last entry on both paths; none where they have different roots.
    pub common_ancestor: Option<String>,
    /// How many entries both paths have.
    pub common_entries: usize,
    /// The first leaf's side.
    pub a: SideReport,
    /// The second leaf's side.
    pub b: SideReport,
}

/// What one side did since the common ancestor.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SideReport {
    /// The leaf's key.
    pub leaf_id: String,
    /// The last label of the side.
    pub label: Option<String>,
    /// The row of the side's last entry that says something; empty where none does.
    pub last_message: String,
    /// The leaf is the common ancestor, so the side is empty.
    pub is_ancestor: bool,
    /// Figures of the side alone.
    #[serde(flatten)]
    pub figures: Figures,
    /// The files that its tools read or changed, by path.
    pub files: Vec<FileReport>,
    /// The files that its edits changed, and those of its sub-agents.
    pub edited: Vec<EditedFileReport>,
    /// What the other side has not.
    pub only: OnlyReport,
}

/// A file and how often tools were at it. What shell commands did to it is not known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FileReport {
    /// The path, from the session's folder on where it lies in there.
    pub path: String,
    /// How many calls read it.
    pub reads: usize,
    /// How many calls changed it; without any it was only read.
    pub changes: usize,
    /// How many of these calls failed or got no result.
    pub failures: usize,
}

/// What only one of two sides has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct OnlyReport {
    /// Files that it changed and the other side did not.
    pub changed: Vec<String>,
    /// Files that it read and the other side neither read nor changed.
    pub read: Vec<String>,
    /// Tools that it called.
    pub tools: Vec<String>,
    /// Models that answered.
    pub models: Vec<String>,
}

/// Compares two leaves, of one session, from their common ancestor on. `None` where the session does not have both.
///
/// ```
/// use leafpress::report;
///
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let other = report::newest_other(&session).expect("there are two branches");
/// let compared = report::compare(&session, session.leaf(), other).expect("both are of this session");
/// println!("{} entries in common", compared.common_entries);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compare(session: &Session, a: EntryIndex, b: EntryIndex) -> Option<CompareReport> {
    if ![a, b].iter().all(|&leaf| session.tree().has(leaf)) {
        return None;
    }
    let (Digest { calls, totals, .. }, outline, edits) = edits::read(session);
    let read = Read { session, calls, totals, outline, edits };
    let ancestor = session.tree().common_ancestor(a, b);
    let (mut side_a, mut side_b) = (read.side(a, ancestor), read.side(b, ancestor));
    side_a.only = only(&side_a, &side_b);
    side_b.only = only(&side_b, &side_a);
    Some(CompareReport {
        common_ancestor: ancestor.map(|entry| session.key_at(entry)),
        common_entries: ancestor.map_or(0, |entry| session.tree().depth(entry) + 1),
        a: side_a,
        b: side_b,
    })
}

/// The branch to compare the current one with: the newest that it is no part of, else the newest other.
pub fn newest_other(session: &Session) -> Option<EntryIndex> {
    let (_, outline) = crate::outline::read(session);
    let branches = crate::outline::branches(session, &outline, session.leaf());
    let leaves = branches.first().into_iter().flatten().map(|branch| branch.leaf);
    let others = leaves.filter(|&leaf| leaf != session.leaf());
    let is_apart = |&leaf: &EntryIndex| !session.tree().is_on_path(session.leaf(), leaf);
    others.clone().find(is_apart).or_else(|| others.clone().next())
}

/// All that is read of a session to tell of its sides.
struct Read<'s> {
    session: &'s Session,
    calls: Calls,
    totals: Totals,
    outline: Outline,
    edits: Edits,
}

impl Read<'_> {
    fn side(&self, leaf: EntryIndex, ancestor: Option<EntryIndex>) -> SideReport {
        let session = self.session;
        let entries = session.path_since(leaf, ancestor);
        let (sums, counts) = self.totals.over(entries.iter().copied());
        let label = entries.iter().rev().find_map(|&entry| session.label(entry));
        let mut from_end = entries.iter().rev();
        let words = from_end.find(|&&entry| self.outline.row(entry).says_something());
        SideReport {
            leaf_id: session.key_at(leaf),
            label: label.map(|label| label.text.clone()),
            last_message: words
                .map(|&entry| printed_row(session, &self.calls, entry))
                .unwrap_or_default(),
            is_ancestor: Some(leaf) == ancestor,
            figures: Figures::of(&self.totals, &sums, &counts),
            files: self.files(&entries, leaf),
            edited: self.edits.over(self.session, &entries),
            only: OnlyReport::default(),
        }
    }

    /// A call counts where its result stands: what the common part asked for, a side may have done.
    fn files(&self, entries: &[EntryIndex], leaf: EntryIndex) -> Vec<FileReport> {
        let mut reader = CallReader::new(self.session);
        let mut files = Files { cwd: &self.session.header().cwd, by_path: BTreeMap::new() };
        for &entry in entries {
            match &self.session.entry_at(entry).body {
                Body::Message(Message::ToolResult(result)) => {
                    let place = self.calls.call_of(entry);
                    if let Some(call) = place.and_then(|place| reader.read(place)) {
                        files.add(call, !result.is_error);
                    }
                }
                Body::Message(Message::Assistant(turn)) => {
                    for (nth, call) in turn.calls().enumerate() {
                        let mut results = self.calls.results_of(CallPlace { entry, nth }).iter();
                        if !results.any(|&result| self.session.tree().is_on_path(result, leaf)) {
                            files.add(call, false);
                        }
                    }
                }
                _ => {}
            }
        }
        files.by_path.into_values().collect()
    }
}

struct Files<'s> {
    cwd: &'s str,
    by_path: BTreeMap<String, FileReport>,
}

impl Files<'_> {
    fn add(&mut self, call: &crate::session::message::ToolCall<'_>, succeeded: bool) {
        for named in call.action().files() {
            let path = path_within(&named.path, self.cwd).to_owned();
            let file = self.by_path.entry(path.clone()).or_insert(FileReport {
                path,
                reads: 0,
                changes: 0,
                failures: 0,
            });
            match (succeeded, named.changes) {
                (false, _) => file.failures += 1,
                (true, true) => file.changes += 1,
                (true, false) => file.reads += 1,
            }
        }
    }
}

fn only(side: &SideReport, other: &SideReport) -> OnlyReport {
    let paths = |side: &SideReport, wanted: fn(&FileReport) -> bool| -> BTreeSet<String> {
        let files = side.files.iter().filter(|file| wanted(file));
        files.map(|file| file.path.clone()).collect()
    };
    let changed = |file: &FileReport| file.changes > 0;
    let only_read = |file: &FileReport| file.changes == 0 && file.reads > 0;
    let touched = |file: &FileReport| file.changes + file.reads > 0;
    let without = |mine: BTreeSet<String>, theirs: &BTreeSet<String>| -> Vec<String> {
        mine.difference(theirs).cloned().collect()
    };
    let tools = |side: &SideReport| -> BTreeSet<String> {
        side.figures.tools.iter().map(|tool| tool.name.clone()).collect()
    };
    let models = |side: &SideReport| -> BTreeSet<String> {
        side.figures.models.iter().map(super::ModelFigures::name).collect()
    };
    OnlyReport {
        changed: without(paths(side, changed), &paths(other, changed)),
        read: without(paths(side, only_read), &paths(other, touched)),
        tools: without(tools(side), &tools(other)),
        models: without(models(side), &models(other)),
    }
}
