//! What becomes of each entry.

use std::collections::HashMap;
use std::ops::Range;

use crate::session::{Body, EntryIndex, Kind, Session};

use super::selection::{Selection, Why};
use super::{Cut, CutEntry, CutError, titles};

impl Selection {
    pub(super) fn new(session: &Session, cut: &Cut) -> Result<Selection, CutError> {
        let path = Path::new(session, cut)?;
        let sessions = session.sub_sessions().len() + 1;
        let mut selection = Selection {
            gone: vec![None; session.len()],
            leaves: vec![path.leaf; sessions],
            stays: vec![true; sessions],
        };
        selection.place_own(session, cut, &path);
        selection.by_kind(session, cut, 0..session.own_len());
        // Whether each session loses entries, as far as it was asked.
        let mut loses: Vec<Option<bool>> = vec![None; sessions];
        for (number, sub) in (1..).zip(session.sub_sessions()) {
            let range = sub.places();
            let leaf = cut.leaf.filter(|leaf| range.contains(&leaf.get())).unwrap_or(sub.leaf);
            selection.leaves[number] = leaf;
            let parent_loses = || titles::loses(session, &selection, sub.parent);
            // Where nothing says what started it, it may tell of what goes.
            let is_loose = !sub.is_tied && *loses[sub.parent].get_or_insert_with(parent_loses);
            if is_loose || selection.gone[sub.started_by.get()].is_some() {
                selection.stays[number] = false;
                selection.gone[range].fill(Some(Why::Session));
                continue;
            }
            if path.is_cut {
                let on_path = |entry| session.tree().is_on_path(entry, leaf);
                for entry in sub.entries().filter(|&entry| !on_path(entry)) {
                    selection.gone[entry.get()] = Some(Why::Branch);
                }
            }
            if sub.missing.is_none() {
                selection.by_kind(session, cut, range);
            }
        }
        if !cut.keep_summaries {
            titles::drop_made(session, &mut selection);
        }
        selection.with_target(session);
        if session.own_indices().all(|entry| selection.is_gone(entry)) {
            return Err(CutError::NothingLeft);
        }
        Ok(selection)
    }

    fn place_own(&mut self, session: &Session, cut: &Cut, path: &Path) {
        let tree = session.tree();
        let above = |at: Option<EntryIndex>| at.map(|entry| tree.depth(entry));
        let (from, to) = (above(cut.from), above(Some(path.end)));
        for entry in session.own_indices() {
            let depth = tree.depth(entry);
            let is_below = |top| tree.is_on_path(top, entry);
            self.gone[entry.get()] = if cut.subtree.is_some_and(|top| !is_below(top)) {
                Some(Why::Subtree)
            } else if !path.is_cut {
                None
            } else if !tree.is_on_path(entry, path.leaf) {
                // What hangs from the last entry of the path is no branch beside it.
                let is_behind = entry != path.end && is_below(path.end);
                Some(if is_behind { Why::After } else { Why::Branch })
            } else if from.is_some_and(|from| depth < from) {
                Some(Why::Before)
            } else if to.is_some_and(|to| depth > to) {
                Some(Why::After)
            } else {
                None
            };
        }
    }

    fn by_kind(&mut self, session: &Session, cut: &Cut, range: Range<usize>) {
        let Some(kinds) = &cut.only else { return };
        for entry in EntryIndex::range(range) {
            if self.gone[entry.get()].is_none()
                && !kinds.contains(&Kind::of(&session.entry_at(entry).body))
            {
                self.gone[entry.get()] = Some(Why::Kind);
            }
        }
    }

    /// Labels and edits go with the entries that they are about, and with them those about them.
    fn with_target(&mut self, session: &Session) {
        let mut about: HashMap<EntryIndex, Vec<EntryIndex>> = HashMap::new();
        for entry in session.indices() {
            if !matches!(session.entry_type_at(entry), "label" | "context_edit")
                || self.is_gone(entry)
            {
                continue;
            }
            if let Body::Label { target_id, .. } | Body::ContextEdit { target_id, .. } =
                session.entry_at(entry).body
            {
                match session.index_beside(entry, &target_id) {
                    Some(target) => about.entry(target).or_default().push(entry),
                    // Of an entry that nobody knows nobody knows whether it may stay.
                    None => self.gone[entry.get()] = Some(Why::Target),
                }
            }
        }
        let mut gone: Vec<EntryIndex> =
            about.keys().copied().filter(|&target| self.is_gone(target)).collect();
        while let Some(target) = gone.pop() {
            for entry in about.remove(&target).unwrap_or_default() {
                self.remove(entry, Why::Target);
                gone.push(entry);
            }
        }
    }
}

/// The path that a cut goes by.
struct Path {
    leaf: EntryIndex,
    /// Its last entry that stays.
    end: EntryIndex,
    /// Nothing but the path stays, in sub-sessions too.
    is_cut: bool,
}

impl Path {
    fn new(session: &Session, cut: &Cut) -> Result<Path, CutError> {
        let tree = session.tree();
        let named = [
            (CutEntry::Branch, cut.branch),
            (CutEntry::Subtree, cut.subtree),
            (CutEntry::From, cut.from),
            (CutEntry::To, cut.to),
        ];
        for (named, entry) in [(CutEntry::Leaf, cut.leaf)].into_iter().chain(named) {
            if entry.is_some_and(|entry| !tree.has(entry)) {
                return Err(CutError::Unknown(named));
            }
        }
        for (named, entry) in named {
            if let Some(entry) = entry.filter(|&entry| !session.is_own(entry)) {
                return Err(CutError::Within { entry: named, key: session.key_at(entry) });
            }
        }
        let outside = |named, entry, of, other| {
            let (key, other) = (session.key_at(entry), session.key_at(other));
            Err(CutError::Outside { entry: named, key, of, other })
        };
        let shown = cut.leaf.filter(|&leaf| session.is_own(leaf));
        if let (Some(top), Some(branch)) = (cut.subtree, cut.branch)
            && !tree.is_on_path(top, branch)
        {
            return outside(CutEntry::Branch, branch, CutEntry::Subtree, top);
        }
        if let (Some(branch), Some(leaf)) = (cut.branch, shown)
            && !tree.is_on_path(leaf, branch)
        {
            return outside(CutEntry::Leaf, leaf, CutEntry::Branch, branch);
        }
        let newest = |top: EntryIndex| {
            let own = session.leaf();
            if tree.is_on_path(top, own) { own } else { tree.newest_leaf_below(top) }
        };
        let leaf = cut.branch.or(shown).or(cut.subtree.map(newest)).unwrap_or(session.leaf());
        if let Some(top) = cut.subtree.filter(|&top| !tree.is_on_path(top, leaf)) {
            return outside(CutEntry::Leaf, leaf, CutEntry::Subtree, top);
        }
        // What says where the path leads.
        let by = if cut.branch.is_some() { CutEntry::Branch } else { CutEntry::Leaf };
        for (named, entry) in [(CutEntry::From, cut.from), (CutEntry::To, cut.to)] {
            let Some(entry) = entry else { continue };
            if !tree.is_on_path(entry, leaf) {
                return outside(named, entry, by, leaf);
            }
            if let Some(top) = cut.subtree.filter(|&top| !tree.is_on_path(top, entry)) {
                return outside(named, entry, CutEntry::Subtree, top);
            }
        }
        let end = cut.to.unwrap_or(leaf);
        if let Some(from) = cut.from.filter(|&from| tree.depth(from) > tree.depth(end)) {
            return outside(CutEntry::To, end, CutEntry::From, from);
        }
        let is_cut = cut.branch.is_some() || cut.from.is_some() || cut.to.is_some();
        Ok(Path { leaf, end, is_cut: is_cut || cut.active_only })
    }
}
