//! What the tree list shows: one row an entry, which filters show it, what a
//! search finds it by, and how the rows lie.

mod filter;
mod layout;
mod omp;
mod query;
mod row;
mod words;

pub use filter::{Filter, Membership};
pub use layout::{LaidOut, lay_out};
pub use query::{Query, Subject};
pub use row::Row;

use crate::session::calls::{CallReader, Calls};
use crate::session::{EntryIndex, Session};

/// The rows of a session, by entry.
#[derive(Debug)]
pub struct Outline {
    rows: Vec<Row>,
}

impl Outline {
    /// Reads every entry once.
    pub fn read(session: &Session, calls: &Calls) -> Outline {
        let mut reader = CallReader::new(session);
        let rows = (0..session.len()).map(|index| {
            let call = calls.call_of(index).and_then(|place| reader.read(place));
            Row::of(&session.entry(index), call, session.dialect())
        });
        Outline { rows: rows.collect() }
    }

    /// The row of one entry.
    pub fn row(&self, index: EntryIndex) -> &Row {
        &self.rows[index]
    }

    /// Whether a filter shows each entry while `leaf` is the current one.
    pub fn visible(&self, session: &Session, filter: Filter, leaf: EntryIndex) -> Vec<bool> {
        let is_labelled = |index| session.label(index).is_some();
        let shows = |index: EntryIndex| {
            filter.shows(self.rows[index].membership, is_labelled(index), index == leaf)
        };
        (0..self.rows.len()).map(shows).collect()
    }
}
