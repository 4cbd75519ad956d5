//! Branches: the leaves of each session's tree, and what each ended with.

use std::cmp::Reverse;

use crate::session::branches::ends;
use crate::session::{EntryIndex, Kind, Session};

use super::Outline;

/// A leaf and what its path ended with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeafBranch {
    /// The entry without children.
    pub leaf: EntryIndex,
    /// How many entries its path has.
    pub entries: usize,
    /// The first entry that no other branch has; the path's root where nothing parts.
    pub first_own: EntryIndex,
    /// The last entry on its path that says something; the root where none does.
    pub words: EntryIndex,
    /// The first prompt that no other branch has.
    pub prompt: Option<EntryIndex>,
    /// The entry with the last label since the branch went its own way.
    pub labeled: Option<EntryIndex>,
}

/// What is carried down the tree.
#[derive(Clone, Copy)]
struct Above {
    first_own: EntryIndex,
    words: EntryIndex,
    prompt: Option<EntryIndex>,
    labeled: Option<EntryIndex>,
}

/// The leaves of every session, numbered as [`Session::sub_sessions`] counts them with 0 for the
/// session itself: the one where it stands first (`standing` for the session itself), then the newest first, of equally new ones in
/// document order. Linear but for the sorting.
pub fn branches(
    session: &Session,
    outline: &Outline,
    standing: EntryIndex,
) -> Vec<Vec<LeafBranch>> {
    let tree = session.tree();
    let mut above: Vec<Option<Above>> = vec![None; session.len()];
    let mut is_end = vec![false; session.len()];
    for end in ends(session, standing) {
        is_end[end.get()] = true;
    }
    let mut found: Vec<Vec<LeafBranch>> = vec![Vec::new(); session.sub_sessions().len() + 1];
    for entry in tree.order() {
        let parent = tree.parent(entry).and_then(|parent| above[parent.get()]);
        let own_way = parent.is_none() || tree.branch(entry).count > 1;
        let label = session.label(entry).map(|_| entry);
        let prompt = parent.and_then(|parent| parent.prompt).filter(|_| !own_way);
        let is_prompt = outline.row(entry).kind == Kind::User;
        let inherited = parent.and_then(|parent| parent.labeled).filter(|_| !own_way);
        let here = Above {
            first_own: parent.filter(|_| !own_way).map_or(entry, |parent| parent.first_own),
            words: parent
                .filter(|_| !outline.row(entry).says_something())
                .map_or(entry, |parent| parent.words),
            prompt: prompt.or(is_prompt.then_some(entry)),
            labeled: label.or(inherited),
        };
        above[entry.get()] = Some(here);
        if is_end[entry.get()] {
            let Above { first_own, words, prompt, labeled } = here;
            let entries = tree.depth(entry) + 1;
            let branch = LeafBranch { leaf: entry, entries, first_own, words, prompt, labeled };
            found[tree.session_of(entry)].push(branch);
        }
    }
    for (number, branches) in found.iter_mut().enumerate() {
        let leaf = match number.checked_sub(1) {
            Some(nth) => session.sub_sessions()[nth].leaf,
            None => standing,
        };
        branches.sort_by_key(|branch| (branch.leaf != leaf, Reverse(session.time(branch.leaf))));
    }
    found
}

impl LeafBranch {
    /// The entry at which it parted from the others; none where it has a root of its own.
    pub fn fork(&self, session: &Session) -> Option<EntryIndex> {
        session.tree().parent(self.first_own)
    }

    /// How many entries no other branch has.
    pub fn own_entries(&self, session: &Session) -> usize {
        self.entries - session.tree().depth(self.first_own)
    }
}
