//! What a session did to the world: commits, pushes, pull requests, test runs, and what is worth a look.
//!
//! Found in calls that ran, by their commands and what these printed; never in what anybody wrote. Another program is
//! another row of `table.rs`, what it says of its tests one of `summary.rs`, and what is worth a look one of
//! `notable/table.rs`.

pub(super) mod command;
mod commit;
pub(super) mod event;
mod lines;
mod notable;
pub(super) mod output;
mod output_filter;
mod summary;
mod table;
mod test_name;

use std::collections::{BTreeMap, HashSet};

use super::calls::Calls;
use super::entry_digest::{EntryDigest, What};
use crate::session::action::outcome::Outcome;
use crate::session::model::entry::Body;
use crate::session::model::message::{Message, ToolResult, joined_text};
use crate::session::tree::index::EntryIndex;
use crate::session::tree::session::Session;
use crate::workers::{self, Threads};

use command::Ran;
use event::Found;
pub use event::{LandmarkEvent, LandmarkKind, LandmarkOutcome, Notable};
#[cfg(feature = "cli")]
pub(crate) use lines::test_runs_that_count;

/// Something that a session did to the world.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Landmark {
    /// The result of the call, or the user's own command.
    pub entry: EntryIndex,
    /// What was done.
    pub event: LandmarkEvent,
    /// What came of it.
    pub outcome: LandmarkOutcome,
}

impl Landmark {
    fn of(entry: EntryIndex, Found { event, outcome }: Found) -> Landmark {
        Landmark { entry, event, outcome }
    }

    /// What is worth a look in it.
    pub fn notable(&self) -> Option<Notable> {
        self.event.kind().notable()
    }

    /// It, in a word or two.
    pub(crate) fn word(&self) -> &'static str {
        match self.event {
            LandmarkEvent::Commit { is_amended: true, .. } => "Commit amended",
            _ => self.event.kind().title(self.outcome),
        }
    }

    /// Whether it is a test run that failed.
    pub(crate) fn are_failed_tests(&self) -> bool {
        self.event.kind() == LandmarkKind::Test && self.outcome == LandmarkOutcome::Failed
    }

    /// Whether it has a line of its own: a test run that may have failed or not has none.
    pub(crate) fn has_line(&self) -> bool {
        self.outcome != LandmarkOutcome::Unknown || self.notable().is_some()
    }
}

/// All landmarks of a session.
#[derive(Debug, Default)]
pub struct Landmarks {
    /// By entry, those of one in their order.
    list: Vec<Landmark>,
}

impl Landmarks {
    /// From what all entries say, by entry. Only results of calls that ran such a command are read
    /// again.
    pub(super) fn of_all(
        session: &Session,
        digests: &[EntryDigest<'_>],
        calls: &Calls,
        threads: Threads,
    ) -> Landmarks {
        let mut list = Vec::new();
        let mut results = Vec::new();
        for (entry, digest) in EntryIndex::each(digests) {
            if let What::Landmarks(found) | What::Command(found) = &digest.what {
                list.extend(found.iter().cloned().map(|found| Landmark::of(entry, found)));
            }
            let call = calls.call_of(entry);
            let call = call.and_then(|call| digests[call.entry.get()].calls().get(call.nth));
            results.extend(call.filter(|call| !call.ran.is_empty()).map(|call| (entry, &call.ran)));
        }
        let found = workers::map(threads, results.len(), |at| {
            let (entry, ran) = results[at];
            match session.entry_at(entry).body {
                Body::Message(Message::ToolResult(result)) => of_result(session, ran, &result),
                _ => Vec::new(),
            }
        });
        for ((entry, _), found) in results.into_iter().zip(found) {
            list.extend(found.into_iter().map(|found| Landmark::of(entry, found)));
        }
        list.extend(from_header(session, &list));
        list.sort_by_key(|landmark| landmark.entry);
        Landmarks { list }
    }

    /// The landmarks of an entry.
    pub fn of(&self, entry: EntryIndex) -> &[Landmark] {
        let from = self.list.partition_point(|landmark| landmark.entry < entry);
        let len = self.list[from..].partition_point(|landmark| landmark.entry == entry);
        &self.list[from..from + len]
    }

    /// What is worth a look in these entries: each kind that occurs, and in how many calls.
    pub fn notable(&self, entries: &[EntryIndex]) -> Vec<(Notable, usize)> {
        let mut counts = BTreeMap::new();
        let all = entries.iter().flat_map(|&entry| self.of(entry));
        for what in all.filter_map(Landmark::notable) {
            *counts.entry(what).or_insert(0) += 1;
        }
        counts.into_iter().collect()
    }
}

fn of_result(session: &Session, ran: &[Ran], result: &ToolResult<'_>) -> Vec<Found> {
    let outcome = Outcome::of(result);
    let exit = outcome.has_status_zero(session.format().traits().tells_failures);
    let printed = joined_text(&result.content, "\n");
    output::found(ran, &printed, exit, (outcome.did_run(), outcome.is_over()))
}

/// Pull requests that lines without an entry name and no call has opened: at the entry before.
fn from_header(session: &Session, found: &[Landmark]) -> Vec<Landmark> {
    let requests = &session.header().pull_requests;
    if requests.is_empty() {
        return Vec::new();
    }
    let known: HashSet<String> = found.iter().map(|landmark| landmark.event.text()).collect();
    let mut lines: Vec<_> =
        session.own_indices().map(|entry| (session.line(entry), entry)).collect();
    lines.sort_unstable();
    let at = |(line, address): &(u32, String)| {
        let event =
            output::pull_request(address, "").filter(|event| !known.contains(&event.text()))?;
        let before = lines.partition_point(|(other, _)| other < line).checked_sub(1)?;
        Some(Landmark { entry: lines[before].1, event, outcome: LandmarkOutcome::Passed })
    };
    requests.iter().filter_map(at).collect()
}

#[cfg(test)]
mod tests;
