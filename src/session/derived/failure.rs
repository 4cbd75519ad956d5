//! What failed: calls, responses that the provider or the user ended, commands of the user, and runs that
//! say so in their last row alone.
//!
//! The one meaning of it for the head, the keys, the tree, the line of steps, a search and the commands.

mod line;
pub(super) mod of_entry;

use super::calls::{CallPlace, Calls};
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

/// All failures of a session, each of another entry.
#[derive(Debug, Default)]
pub struct Failures {
    /// By entry.
    list: Vec<Failure>,
}

impl Failures {
    /// From what all entries say, by entry.
    pub(super) fn of_all(digests: &[EntryDigest<'_>], calls: &Calls, tree: &Tree) -> Failures {
        let is_abort =
            |digest: &EntryDigest<'_>| digest.failure.as_ref().is_some_and(|of| of.is_abort);
        // The response that asked for it was stopped by the same.
        let stopped_with = |entry: EntryIndex| {
            (0..digests[entry.get()].calls().len()).any(|nth| {
                let results = calls.results_of(CallPlace { entry, nth });
                results.iter().any(|&result| is_abort(&digests[result.get()]))
            })
        };
        let of = |(entry, digest): (EntryIndex, &EntryDigest<'_>)| {
            let failure = digest.failure.as_ref()?;
            if failure.is_abort && stopped_with(entry)
                || failure.is_run && is_said_above(entry, digests, tree)
            {
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
            let is_command = match &digest.what {
                What::Result { tool, .. } => calls.tool_of(entry).unwrap_or(*tool) == Tool::Command,
                _ => false,
            };
            (!failure.only_as_command || is_command).then(|| {
                let of_command = failure.of_command.as_ref().filter(|_| is_command);
                let text = of_command.unwrap_or(&failure.text).clone();
                Failure { entry, tool: tool.map(str::to_owned), text }
            })
        };
        Failures { list: EntryIndex::each(digests).filter_map(of).collect() }
    }

    /// What failed at an entry.
    pub fn of(&self, entry: EntryIndex) -> Option<&Failure> {
        let at = self.list.binary_search_by_key(&entry, |failure| failure.entry).ok()?;
        self.list.get(at)
    }

    /// What failed at these entries, in their order.
    pub fn over<'f>(&'f self, entries: &'f [EntryIndex]) -> impl Iterator<Item = &'f Failure> {
        entries.iter().filter_map(|&entry| self.of(entry))
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
