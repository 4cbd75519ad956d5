//! The branches of a session.

use crate::session::EntryIndex;
use serde::Serialize;

use crate::outline::LeafBranch;
use crate::session::calls::Calls;
use crate::session::digest::Digest;
use crate::session::{Session, time};

use super::tree::printed_row;

/// All branches, as `leafpress branches --json` prints them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BranchesReport {
    /// The key of the entry where the session stands; it need not be the end of a branch.
    pub leaf_id: String,
    /// How many branches the session itself has.
    pub total: usize,
    /// The current one first, then the newest first.
    pub branches: Vec<BranchReport>,
    /// The branches of the sessions that entries started, outer sessions first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sub_sessions: Vec<BranchesWithin>,
}

/// The branches of a session within the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BranchesWithin {
    /// The beginning of its entries' keys.
    pub id: String,
    /// The kind of agent, where it is known.
    pub agent: Option<String>,
    /// The key of the entry where it stands.
    pub leaf_id: String,
    /// How many branches it has.
    pub total: usize,
    /// The current one first, then the newest first.
    pub branches: Vec<BranchReport>,
}

/// One branch, named by its leaf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct BranchReport {
    /// The leaf's key. [`Session::find`] gives its entry.
    pub id: String,
    /// The last label since the branch parted from the others.
    pub label: Option<String>,
    /// The row of the last entry that says something, at most 200 UTF-16 units.
    pub last_message: String,
    /// How many entries its path has.
    pub entries: usize,
    /// How many of them no other branch has.
    pub own_entries: usize,
    /// The key of the last entry that it shares with another branch.
    pub fork_id: Option<String>,
    /// When the leaf was written, as `2026-11-02T09:00:00.000Z`.
    pub time: Option<String>,
    /// Whether the session stands at this leaf.
    pub current: bool,
}

/// Lists every branch with what it ended with.
///
/// ```
/// use leafpress::report;
///
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// for branch in report::branches(&session).branches {
///     println!("{} {}: {}", branch.id, branch.own_entries, branch.last_message);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn branches(session: &Session) -> BranchesReport {
    let (Digest { calls, .. }, outline) = crate::outline::read(session);
    let mut found = crate::outline::branches(session, &outline, session.leaf()).into_iter();
    let report = |branches: Vec<LeafBranch>, standing| -> Vec<BranchReport> {
        let branch = |branch| branch_report(session, &calls, branch, standing);
        branches.into_iter().map(branch).collect()
    };
    let branches = report(found.next().unwrap_or_default(), session.leaf());
    let within = session.sub_sessions().iter().zip(found).map(|(sub, branches)| BranchesWithin {
        id: sub.key.clone(),
        agent: sub.agent.clone(),
        leaf_id: session.key_at(sub.leaf),
        total: branches.len(),
        branches: report(branches, sub.leaf),
    });
    BranchesReport {
        leaf_id: session.key_at(session.leaf()),
        total: branches.len(),
        branches,
        sub_sessions: within.collect(),
    }
}

fn branch_report(
    session: &Session,
    calls: &Calls,
    branch: LeafBranch,
    standing: EntryIndex,
) -> BranchReport {
    let label = branch.labeled.and_then(|entry| session.label(entry));
    BranchReport {
        id: session.key_at(branch.leaf),
        label: label.map(|label| label.text.clone()),
        last_message: printed_row(session, calls, branch.words),
        entries: branch.entries,
        own_entries: branch.own_entries(session),
        fork_id: branch.fork(session).map(|fork| session.key_at(fork)),
        time: session.time(branch.leaf).map(time::iso),
        current: branch.leaf == standing,
    }
}
