//! The live index: who is whose parent, who carries which label. Each append
//! touches the new record and its parent's, however many there are.

use std::collections::HashMap;
use std::sync::Arc;

use crate::session::{Label, Place};

use super::StoreError;

/// An entry's number in the order it was written.
pub(super) type At = u32;

const NONE: u32 = u32::MAX;

/// What is kept of an entry.
#[derive(Debug)]
struct Record {
    id: Arc<str>,
    parent: u32,
    last_child: u32,
    previous_sibling: u32,
    place: Place,
}

/// A label in force.
#[derive(Debug)]
struct Given {
    /// Labels keep the order in which they were first set since they were last cleared.
    order: u64,
    label: Label,
}

/// The entries of a store by number and by id.
#[derive(Debug, Default)]
pub(super) struct Index {
    records: Vec<Record>,
    by_id: HashMap<Arc<str>, At>,
    roots: Vec<At>,
    labels: HashMap<At, Given>,
    labels_given: u64,
    /// Records looked at, for tests that count work.
    #[cfg(test)]
    pub(super) touched: std::cell::Cell<u64>,
}

fn some(at: u32) -> Option<At> {
    (at != NONE).then_some(at)
}

impl Index {
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    pub(super) fn find(&self, id: &str) -> Option<At> {
        self.by_id.get(id).copied()
    }

    fn record(&self, at: At) -> &Record {
        #[cfg(test)]
        self.touched.set(self.touched.get() + 1);
        &self.records[at as usize]
    }

    fn record_mut(&mut self, at: At) -> &mut Record {
        #[cfg(test)]
        self.touched.set(self.touched.get() + 1);
        &mut self.records[at as usize]
    }

    pub(super) fn id(&self, at: At) -> &str {
        &self.record(at).id
    }

    pub(super) fn place(&self, at: At) -> Place {
        self.record(at).place
    }

    pub(super) fn parent(&self, at: At) -> Option<At> {
        some(self.record(at).parent)
    }

    pub(super) fn roots(&self) -> &[At] {
        &self.roots
    }

    /// The children in the order they were written.
    pub(super) fn children(&self, at: At) -> Vec<At> {
        let mut children: Vec<At> =
            std::iter::successors(some(self.record(at).last_child), |&child| {
                some(self.record(child).previous_sibling)
            })
            .collect();
        children.reverse();
        children
    }

    pub(super) fn has_children(&self, at: At) -> bool {
        some(self.record(at).last_child).is_some()
    }

    pub(super) fn has_several_children(&self, at: At) -> bool {
        some(self.record(at).last_child)
            .is_some_and(|child| some(self.record(child).previous_sibling).is_some())
    }

    /// The entry itself, its parent, and so on up to its root.
    pub(super) fn ancestors(&self, at: At) -> impl Iterator<Item = At> + '_ {
        std::iter::successors(Some(at), |&at| self.parent(at))
    }

    /// From the root to the entry.
    pub(super) fn path(&self, at: At) -> Vec<At> {
        let mut path: Vec<At> = self.ancestors(at).collect();
        path.reverse();
        path
    }

    /// The next entry, below a parent that is there.
    pub(super) fn push(
        &mut self,
        id: &str,
        parent: Option<At>,
        place: Place,
    ) -> Result<At, StoreError> {
        let at = self.push_unlinked(id, place)?;
        self.link(at, parent);
        Ok(at)
    }

    /// The next entry, whose parent [`Index::link`] tells once all are there.
    pub(super) fn push_unlinked(&mut self, id: &str, place: Place) -> Result<At, StoreError> {
        let at = self.check_room()?;
        let id: Arc<str> = id.into();
        self.by_id.insert(id.clone(), at);
        self.records.push(Record {
            id,
            parent: NONE,
            last_child: NONE,
            previous_sibling: NONE,
            place,
        });
        Ok(at)
    }

    /// The number of the next entry.
    pub(super) fn check_room(&self) -> Result<At, StoreError> {
        let next = u32::try_from(self.records.len()).ok();
        next.filter(|&at| at < NONE).ok_or(StoreError::Full)
    }

    /// Hangs an entry from its parent, behind the children that it has.
    pub(super) fn link(&mut self, at: At, parent: Option<At>) {
        let Some(parent) = parent else {
            self.roots.push(at);
            return;
        };
        let before = std::mem::replace(&mut self.record_mut(parent).last_child, at);
        let record = self.record_mut(at);
        record.parent = parent;
        record.previous_sibling = before;
    }

    /// Takes the last entry out again, which nothing hangs from or names.
    pub(super) fn pop(&mut self) -> Option<Place> {
        let record = self.records.pop()?;
        self.by_id.remove(&record.id);
        match some(record.parent) {
            Some(parent) => self.record_mut(parent).last_child = record.previous_sibling,
            None => drop(self.roots.pop()),
        }
        Some(record.place)
    }

    pub(super) fn label(&self, at: At) -> Option<&Label> {
        self.labels.get(&at).map(|given| &given.label)
    }

    pub(super) fn set_label(&mut self, at: At, label: Option<Label>) {
        let Some(label) = label else {
            self.labels.remove(&at);
            return;
        };
        self.labels_given += 1;
        let order = self.labels_given;
        self.labels
            .entry(at)
            .and_modify(|given| given.label = label.clone())
            .or_insert(Given { order, label });
    }

    /// The labels in force, in the order in which they were given.
    pub(super) fn labels(&self) -> Vec<(At, &Label)> {
        let mut labels: Vec<(u64, At, &Label)> =
            self.labels.iter().map(|(&at, given)| (given.order, at, &given.label)).collect();
        labels.sort_unstable_by_key(|&(order, _, _)| order);
        labels.into_iter().map(|(_, at, label)| (at, label)).collect()
    }
}
