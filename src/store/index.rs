//! The live index: who is whose parent, who carries which label. Each append
//! touches the new record and its parent's, however many there are.
//!
//! Numbers are those of the lines written, and never change. An id names its last record, as in pi. Nothing here
//! reads the file: it is told of each line, and a test counts what it looks at.

use std::collections::HashMap;
use std::sync::Arc;

use crate::session::{Label, Place};

use super::StoreError;

/// An entry's number in the order in which a store wrote it, from 0. A session that is read from the same lines counts
/// in another way ([`EntryIndex`](crate::session::EntryIndex)): it leaves out what it cannot read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct At(u32);

impl At {
    /// The number; there are fewer entries than 2^32.
    #[expect(clippy::cast_possible_truncation, reason = "checked when they are added")]
    pub(super) fn new(number: usize) -> At {
        At(number as u32)
    }

    pub(super) fn get(self) -> usize {
        self.0 as usize
    }
}

/// What is kept of an entry.
#[derive(Debug)]
struct Record {
    id: Arc<str>,
    parent: Option<At>,
    last_child: Option<At>,
    previous_sibling: Option<At>,
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
        &self.records[at.get()]
    }

    fn record_mut(&mut self, at: At) -> &mut Record {
        #[cfg(test)]
        self.touched.set(self.touched.get() + 1);
        &mut self.records[at.get()]
    }

    pub(super) fn id(&self, at: At) -> &str {
        &self.record(at).id
    }

    pub(super) fn place(&self, at: At) -> Place {
        self.record(at).place
    }

    pub(super) fn parent(&self, at: At) -> Option<At> {
        self.record(at).parent
    }

    pub(super) fn roots(&self) -> &[At] {
        &self.roots
    }

    /// The children in the order they were written.
    pub(super) fn children(&self, at: At) -> Vec<At> {
        let mut children: Vec<At> = std::iter::successors(self.record(at).last_child, |&child| {
            self.record(child).previous_sibling
        })
        .collect();
        children.reverse();
        children
    }

    pub(super) fn has_children(&self, at: At) -> bool {
        self.record(at).last_child.is_some()
    }

    pub(super) fn has_several_children(&self, at: At) -> bool {
        self.record(at)
            .last_child
            .is_some_and(|child| self.record(child).previous_sibling.is_some())
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
            parent: None,
            last_child: None,
            previous_sibling: None,
            place,
        });
        Ok(at)
    }

    /// The number of the next entry.
    pub(super) fn check_room(&self) -> Result<At, StoreError> {
        let next = self.records.len();
        (next < u32::MAX as usize).then(|| At::new(next)).ok_or(StoreError::Full)
    }

    /// Hangs an entry from its parent, behind the children that it has.
    pub(super) fn link(&mut self, at: At, parent: Option<At>) {
        let Some(parent) = parent else {
            self.roots.push(at);
            return;
        };
        let before = self.record_mut(parent).last_child.replace(at);
        let record = self.record_mut(at);
        record.parent = Some(parent);
        record.previous_sibling = before;
    }

    /// Takes the last entry out again, which nothing hangs from or names.
    pub(super) fn pop(&mut self) -> Option<Place> {
        let record = self.records.pop()?;
        self.by_id.remove(&record.id);
        match record.parent {
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
