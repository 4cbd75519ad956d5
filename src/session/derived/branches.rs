//! Where the branches of a session end.

use std::collections::HashSet;

use crate::session::model::omitted;
use crate::session::tree::index::EntryIndex;
use crate::session::tree::session::Session;

/// How many branches the session itself has.
pub fn branch_count(session: &Session) -> usize {
    let ends = ends(session, session.leaf());
    ends.into_iter().filter(|&end| session.tree().session_of(end) == 0).count()
}

/// Whether the session, or one that it started, has several branches.
pub(crate) fn has_several(session: &Session) -> bool {
    let mut seen = HashSet::new();
    let ends = ends(session, session.leaf());
    !ends.into_iter().all(|end| seen.insert(session.tree().session_of(end)))
}

/// Where branches end: a leaf for each entry that has nothing below it but what was removed,
/// which is no branch of its own.
pub(crate) fn ends(session: &Session, standing: EntryIndex) -> Vec<EntryIndex> {
    let tree = session.tree();
    let is_here = |entry| session.entry_type_at(entry) != omitted::TYPE;
    // Whether something stands below, or at, each entry.
    let mut holds: Vec<bool> = session.indices().map(is_here).collect();
    let mut is_end = holds.clone();
    let order: Vec<EntryIndex> = tree.order().collect();
    for &entry in order.iter().rev() {
        if let Some(parent) = tree.parent(entry).filter(|_| holds[entry.get()]) {
            holds[parent.get()] = true;
            is_end[parent.get()] = false;
        }
    }
    let leaf = |entry| match tree.session_of(entry).checked_sub(1) {
        Some(nth) => session.sub_sessions()[nth].leaf,
        None => standing,
    };
    let end = |entry| {
        let leaf = leaf(entry);
        let stands_here = tree.children(leaf).len() == 0 && tree.is_on_path(entry, leaf);
        if stands_here { leaf } else { tree.newest_leaf_below(entry) }
    };
    order.into_iter().filter(|&entry| is_end[entry.get()]).map(end).collect()
}
