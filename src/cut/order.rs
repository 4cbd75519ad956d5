//! In which order lines are written, so that entries without a time keep their places.
//!
//! Children go by time, and one without a time counts as old as the sibling before it in the file. A
//! stub has lost its time, so its line goes behind that of the sibling before it in time.

use std::collections::{HashMap, HashSet};

use crate::session::{EntryIndex, Session, omitted};

use super::stubs::Stubs;

/// Whether an entry is written without its time: a stub of this cut or of an earlier one. The time
/// would be that of an entry which is gone.
pub(super) fn lacks_time(session: &Session, stubs: &Stubs, entry: EntryIndex) -> bool {
    stubs.of(entry).is_some()
        || session.entry_type_at(entry) == omitted::TYPE
        || session.time(entry).is_none()
}

/// These entries, which are written in the order of the file, in the order in which to write them.
pub(super) fn ordered(
    session: &Session,
    stubs: &Stubs,
    entries: Vec<EntryIndex>,
) -> Vec<EntryIndex> {
    let moves = Moves::new(session, stubs, &entries);
    if moves.moved.is_empty() {
        return entries;
    }
    let mut ordered = Vec::with_capacity(entries.len());
    for entry in entries {
        let lead = moves.before.get(&entry).copied();
        let own = (!moves.moved.contains(&entry)).then_some(entry);
        for first in lead.into_iter().chain(own) {
            let mut next = Some(first);
            while let Some(entry) = next {
                ordered.push(entry);
                next = moves.behind.get(&entry).copied();
            }
        }
    }
    ordered
}

/// Which entries are written elsewhere than they stood.
#[derive(Default)]
struct Moves {
    moved: HashSet<EntryIndex>,
    /// By the sibling that they follow.
    behind: HashMap<EntryIndex, EntryIndex>,
    /// Those older than all their siblings, by the first of these in the file.
    before: HashMap<EntryIndex, EntryIndex>,
}

impl Moves {
    fn new(session: &Session, stubs: &Stubs, entries: &[EntryIndex]) -> Moves {
        let written_at = |entry| stubs.of(entry).map_or(entry, |stub| stub.first);
        let mut siblings: HashMap<EntryIndex, Vec<EntryIndex>> = HashMap::new();
        // Roots stand in the order of the file, whatever their times.
        for &entry in entries {
            if let Some(parent) = session.tree().parent(entry) {
                siblings.entry(written_at(parent)).or_default().push(entry);
            }
        }
        let mut moves = Moves::default();
        let lacks_time = |entry| lacks_time(session, stubs, entry);
        for siblings in siblings.values().filter(|siblings| siblings.len() > 1) {
            let by_time = by_time(siblings, |entry| session.time(entry));
            let own_time = |entry| session.time(entry).filter(|_| !lacks_time(entry));
            if by_time != self::by_time(siblings, own_time) {
                moves.place(siblings[0], &by_time, lacks_time);
            }
        }
        moves
    }

    fn place(
        &mut self,
        first: EntryIndex,
        by_time: &[EntryIndex],
        lacks_time: impl Fn(EntryIndex) -> bool,
    ) {
        let mut previous = None;
        for &entry in by_time {
            if lacks_time(entry) {
                self.moved.insert(entry);
                match previous {
                    Some(previous) => self.behind.insert(previous, entry),
                    None => self.before.insert(first, entry),
                };
            }
            previous = Some(entry);
        }
    }
}

/// Siblings, given in the order of the file, as the tree orders them.
fn by_time(siblings: &[EntryIndex], time: impl Fn(EntryIndex) -> Option<i64>) -> Vec<EntryIndex> {
    let mut last = i64::MIN;
    let timed = siblings.iter().map(|&entry| {
        last = time(entry).unwrap_or(last);
        (last, entry)
    });
    let mut timed: Vec<(i64, EntryIndex)> = timed.collect();
    timed.sort_by_key(|(time, _)| *time);
    timed.into_iter().map(|(_, entry)| entry).collect()
}
