//! What was stopped: one thing, however many entries say it.
//!
//! An agent that is stopped while it answers marks the response. One that is stopped while a command runs marks its
//! result and every call that had not begun, and then often writes a response without words, or a note. All of these are
//! one stop. The response or the note stands for it where there is one, else the first of the results.

use std::collections::HashMap;

use super::of_entry::Stopped;
use super::{Stop, is_command};
use crate::session::derived::calls::Calls;
use crate::session::derived::entry_digest::{EntryDigest, What};
use crate::session::tree::index::EntryIndex;
use crate::session::tree::parents::Tree;

/// The stops, and all entries that are a part of one; both by entry.
pub(super) fn of_all(
    digests: &[EntryDigest<'_>],
    calls: &Calls,
    tree: &Tree,
) -> (Vec<Stop>, Vec<EntryIndex>) {
    let stopped_at = |entry: EntryIndex| {
        let digest = &digests[entry.get()];
        let failure = digest.failure.as_ref()?;
        let counts = !failure.only_as_command || is_command(entry, digest, calls);
        failure.stopped.filter(|_| counts)
    };
    let stopped: Vec<(EntryIndex, Stopped)> = EntryIndex::each(digests)
        .filter_map(|(entry, _)| Some((entry, stopped_at(entry)?)))
        .collect();
    let mut groups = Groups::default();
    // By response, the first of its calls that was stopped.
    let mut firsts = HashMap::new();
    for &(entry, stop) in &stopped {
        let by = match calls.call_of(entry).filter(|_| stop.is_call) {
            Some(call) if stopped_at(call.entry).is_some() => call.entry,
            Some(call) => {
                let first = *firsts.entry(call.entry).or_insert(entry);
                if tree.is_on_path(first, entry) { first } else { entry }
            }
            None => entry,
        };
        groups.stands_for.insert(entry, by);
    }
    for &(entry, _) in stopped.iter().filter(|(_, stop)| !stop.is_call) {
        let is_result =
            |entry: EntryIndex| matches!(digests[entry.get()].what, What::Result { .. });
        // Such as what Claude Code (2.1.330) notes for itself.
        let is_between = |entry: EntryIndex| {
            let what = &digests[entry.get()].what;
            matches!(what, What::Result { .. } | What::Progress(_) | What::Other)
        };
        groups.join(entry, tree, is_result, is_between);
    }
    let mut by_user: HashMap<EntryIndex, bool> = HashMap::new();
    for &(entry, stop) in &stopped {
        *by_user.entry(groups.of(entry)).or_default() |= stop.by_user;
    }
    let stops = by_user.into_iter().map(|(entry, by_user)| Stop { entry, by_user });
    let mut stops: Vec<Stop> = stops.collect();
    stops.sort_unstable_by_key(|stop| stop.entry);
    (stops, stopped.into_iter().map(|(entry, _)| entry).collect())
}

/// Entries that are one stop.
#[derive(Default)]
struct Groups {
    /// The entry that stands for another one, or for itself.
    stands_for: HashMap<EntryIndex, EntryIndex>,
}

impl Groups {
    /// The entry that stands for all of a group.
    fn of(&self, mut entry: EntryIndex) -> EntryIndex {
        while let Some(&next) = self.stands_for.get(&entry).filter(|&&next| next != entry) {
            entry = next;
        }
        entry
    }

    /// Joins a response or a note with the stop right above it: it stands for calls that were stopped, and says no more
    /// than another response or note.
    fn join(
        &mut self,
        entry: EntryIndex,
        tree: &Tree,
        is_result: impl Fn(EntryIndex) -> bool,
        is_between: impl Fn(EntryIndex) -> bool,
    ) {
        /// Results and notes between the two; there are few.
        const ROWS: usize = 200;
        for above in tree.ancestors(entry).skip(1).take(ROWS) {
            if self.stands_for.contains_key(&above) {
                let group = self.of(above);
                // What stands for it on another branch says nothing on this one.
                if !tree.is_on_path(group, entry) {
                    return;
                }
                let (joined, by) = if is_result(group) { (group, entry) } else { (entry, group) };
                self.stands_for.insert(joined, by);
                return;
            }
            if !is_between(above) {
                return;
            }
        }
    }
}
