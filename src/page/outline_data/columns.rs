//! Entries and values as small numbers, and columns of them.

use std::collections::HashMap;

use serde::{Serialize, Serializer};

use crate::session::invisible::marked;
use crate::session::{EntryIndex, Session};

/// Stands for "none" in columns of entry numbers.
pub(super) type Number = i64;

/// Entries by their place in the document.
pub(super) struct Numbers<'a> {
    pub(super) session: &'a Session,
}

impl Numbers<'_> {
    pub(super) fn of(&self, entry: EntryIndex) -> Number {
        number(self.session.tree().position_at(entry))
    }

    pub(super) fn or_none(&self, entry: Option<EntryIndex>) -> Number {
        entry.map_or(-1, |entry| self.of(entry))
    }
}

pub(super) fn number(at: usize) -> Number {
    Number::try_from(at).unwrap_or(-1)
}

/// One value for each entry, computed while the column is written: of a long session all columns together would
/// take more memory than their JSON.
pub(super) struct Column<'a, T> {
    order: &'a [EntryIndex],
    value: Box<dyn Fn(EntryIndex) -> T + 'a>,
}

impl<'a, T> Column<'a, T> {
    /// Over the entries in this order.
    pub(super) fn new(
        order: &'a [EntryIndex],
        value: impl Fn(EntryIndex) -> T + 'a,
    ) -> Column<'a, T> {
        Column { order, value: Box::new(value) }
    }
}

impl<T: Serialize> Serialize for Column<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.order.iter().map(|&entry| (self.value)(entry)))
    }
}

/// The present values with the numbers of their entries.
pub(super) fn numbered<T>(values: impl Iterator<Item = Option<T>>) -> Vec<(Number, T)> {
    values.zip(0..).filter_map(|(value, at)| Some((at, value?))).collect()
}

/// A name that the script draws and does nothing else with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Drawn<'a>(pub(super) &'a str);

impl Serialize for Drawn<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&marked(self.0))
    }
}

/// Distinct values, each with a small number.
pub(super) struct Table<T> {
    pub(super) values: Vec<T>,
    numbers: HashMap<T, usize>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { values: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Table<T> {
    pub(super) fn number(&mut self, value: T) -> usize {
        *self.numbers.entry(value.clone()).or_insert_with(|| {
            self.values.push(value);
            self.values.len() - 1
        })
    }
}
