//! What failed: calls, responses that the provider ended, commands of the user, and runs that say so in their last row
//! alone. What was stopped is no failure (`stops`).
//!
//! The one meaning of both for the head, the keys, the tree, the line of steps, a search and the commands.

mod line;
pub(super) mod of_entry;
mod stops;

use super::calls::Calls;
use super::entry_digest::{EntryDigest, What};
use crate::session::action::names::Tool;
use crate::session::tree::index::EntryIndex;
use crate::session::tree::parents::Tree;

/// Something that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The result, the response, the user's command or the end of the run.
    pub entry: EntryIndex,
    /// The tool; `None` for a response or a run.
    pub tool: Option<String>,
    /// The line of the message that says why; empty where there is none.
    pub text: String,
}

/// A response that was aborted, or a call that was or that the user refused, with all that this stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stop {
    /// The response, the note that the turn was stopped, or the result of the call.
    pub entry: EntryIndex,
    /// The session says that the user stopped it.
    pub by_user: bool,
}

impl Stop {
    /// It, in words.
    #[must_use]
    pub fn words(&self) -> &'static str {
        if self.by_user { "Stopped by the user" } else { "Stopped" }
    }
}

/// All failures of a session, each of another entry, and all stops.
#[derive(Debug, Default)]
pub struct Failures {
    /// By entry.
    list: Vec<Failure>,
    /// By entry.
    stops: Vec<Stop>,
    /// The entries that were stopped, ascending: those of `stops`, and what these stopped.
    stopped: Vec<EntryIndex>,
}

impl Failures {
    /// From what all entries say, by entry.
    pub(super) fn of_all(digests: &[EntryDigest<'_>], calls: &Calls, tree: &Tree) -> Failures {
        let (stops, stopped) = stops::of_all(digests, calls, tree);
        let of = |(entry, digest): (EntryIndex, &EntryDigest<'_>)| {
            let failure = digest.failure.as_ref()?;
            if failure.stopped.is_some() || failure.is_run && is_said_above(entry, digests, tree) {
                return None;
            }
            let call = calls
                .call_of(entry)
                .and_then(|call| digests[call.entry.get()].calls().get(call.nth));
            let tool = match &digest.what {
                What::Result { name, .. } => {
                    Some(call.map(|call| &call.name).or(name.as_ref()).map_or("tool", |name| name))
                }
                _ => failure.tool,
            };
            let is_command = is_command(entry, digest, calls);
            (!failure.only_as_command || is_command).then(|| {
                let of_command = failure.of_command.as_ref().filter(|_| is_command);
                let text = of_command.unwrap_or(&failure.text).clone();
                Failure { entry, tool: tool.map(str::to_owned), text }
            })
        };
        let list = EntryIndex::each(digests).filter_map(of).collect();
        Failures { list, stops, stopped }
    }

    /// What failed at an entry.
    pub fn of(&self, entry: EntryIndex) -> Option<&Failure> {
        let at = self.list.binary_search_by_key(&entry, |failure| failure.entry).ok()?;
        self.list.get(at)
    }

    /// What was stopped at an entry.
    pub fn stop_of(&self, entry: EntryIndex) -> Option<&Stop> {
        let at = self.stops.binary_search_by_key(&entry, |stop| stop.entry).ok()?;
        self.stops.get(at)
    }

    /// Whether an entry was stopped, or is a part of what was.
    pub fn is_stopped(&self, entry: EntryIndex) -> bool {
        self.stopped.binary_search(&entry).is_ok()
    }

    /// What was stopped at these entries, in their order.
    pub fn stops_over<'f>(&'f self, entries: &'f [EntryIndex]) -> impl Iterator<Item = &'f Stop> {
        entries.iter().filter_map(|&entry| self.stop_of(entry))
    }

    /// What failed at these entries, in their order.
    pub fn over<'f>(&'f self, entries: &'f [EntryIndex]) -> impl Iterator<Item = &'f Failure> {
        entries.iter().filter_map(|&entry| self.of(entry))
    }
}

/// Whether an entry is the result of a command.
fn is_command(entry: EntryIndex, digest: &EntryDigest<'_>, calls: &Calls) -> bool {
    match &digest.what {
        What::Result { tool, .. } => calls.tool_of(entry).unwrap_or(*tool) == Tool::Command,
        _ => false,
    }
}

/// Whether the last response above the end of a run failed, which is why the run did.
fn is_said_above(end: EntryIndex, digests: &[EntryDigest<'_>], tree: &Tree) -> bool {
    /// Rows between the two; there are few.
    const ROWS: usize = 200;
    for above in tree.ancestors(end).skip(1).take(ROWS) {
        match &digests[above.get()].what {
            What::Answer(_) => return digests[above.get()].failure.is_some(),
            What::Prompt => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests;
