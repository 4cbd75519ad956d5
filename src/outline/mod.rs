//! What the tree list shows: one row an entry, which filters show it, what a
//! search finds it by, and how the rows lie.

mod advice;
mod branches;
mod event;
mod filter;
mod layout;
mod omp;
mod query;
mod read;
mod row;
mod said;
mod text_lines;
mod words;

pub use advice::advice;
#[doc(hidden)]
pub use branches::{LeafBranch, branches};
pub(crate) use event::RowEvent;
pub use filter::Filter;
#[doc(hidden)]
pub use filter::Membership;
#[doc(hidden)]
pub use layout::LaidOut;
pub(crate) use layout::{lay_out_all, visible_parents};
#[cfg(feature = "catalog")]
pub(crate) use query::{OwnTerm, normalised, take_own};
#[doc(hidden)]
pub use query::{Query, Subject};
#[doc(hidden)]
pub use read::read;
pub(crate) use read::read_with;
pub(crate) use row::{NOT_SHOWN, TEXT_UNITS};
#[doc(hidden)]
pub use row::{Row, Rows};
pub(crate) use said::{Form, Said};

use std::collections::HashMap;

use row::CallRow;

use crate::session::digest::Digest;
use crate::session::{EntryIndex, NamedFile, Session};

/// The rows of a session, by entry.
#[doc(hidden)]
#[derive(Debug)]
pub struct Outline {
    rows: Vec<Row>,
    touched: Vec<Vec<NamedFile>>,
    events: HashMap<EntryIndex, RowEvent>,
}

impl Outline {
    /// Gives the rows of results the words of the calls they answer; `asked` has the calls of each entry.
    fn of(
        session: &Session,
        mut rows: Vec<Row>,
        mut asked: Vec<Vec<CallRow>>,
        digest: &Digest<'_>,
    ) -> Outline {
        let calls = &digest.calls;
        let events = event::of_all(session, digest);
        let mut touched = vec![Vec::new(); rows.len()];
        for (index, row) in session.indices().zip(&mut rows) {
            row.failed = digest.failures.of(index).is_some();
            row.stopped = digest.failures.stop_of(index).is_some();
            let landmarks = digest.landmarks.of(index);
            row.landmarks.extend(landmarks.iter().map(|landmark| landmark.event.kind()));
            row.is_landmark = events.get(&index).is_some_and(|event| event.is_landmark);
            let place = calls.call_of(index);
            let asked = place.and_then(|call| asked[call.entry.get()].get_mut(call.nth));
            if let (Some(place), Some(asked)) = (place, asked) {
                // Nearly all have one result, which takes their words.
                let is_only = calls.results_of(place).len() == 1;
                let call = if is_only { std::mem::take(asked) } else { asked.clone() };
                let files = row.answer(call);
                if !row.failed && !digest.failures.is_stopped(index) {
                    touched[index.get()] = files;
                }
            }
            // The one entry of a session that is not there; its form is that of a settings entry.
            let sub = session.sub_session_of(index);
            if let Some(reason) = sub.and_then(|sub| sub.missing.as_deref()) {
                row.say_missing(reason);
            }
        }
        Outline { rows, touched, events }
    }

    /// What the row of an entry says of what it did to the world, beside steps that are collapsed.
    pub(crate) fn event(&self, index: EntryIndex) -> Option<&RowEvent> {
        self.events.get(&index)
    }

    /// The files that an entry's call has read or changed.
    pub(crate) fn touched(&self, index: EntryIndex) -> &[NamedFile] {
        &self.touched[index.get()]
    }

    /// The row of one entry.
    pub fn row(&self, index: EntryIndex) -> &Row {
        &self.rows[index.get()]
    }

    /// Whether a filter shows each entry while `leaf` is the current one; none of another session.
    pub fn visible(&self, session: &Session, filter: Filter, leaf: EntryIndex) -> Vec<bool> {
        let mut visible = vec![false; self.rows.len()];
        for index in session.entries_beside(leaf) {
            visible[index.get()] = self.shows(session, filter, index, index == leaf);
        }
        visible
    }

    /// Whether a filter shows each entry of every session while these are the current leaves.
    pub fn visible_all(
        &self,
        session: &Session,
        filter: Filter,
        leaves: &[EntryIndex],
    ) -> Vec<bool> {
        let mut visible: Vec<bool> =
            session.indices().map(|index| self.shows(session, filter, index, false)).collect();
        for &leaf in leaves {
            visible[leaf.get()] = self.shows(session, filter, leaf, true);
        }
        visible
    }

    fn shows(&self, session: &Session, filter: Filter, index: EntryIndex, is_leaf: bool) -> bool {
        filter.shows(self.rows[index.get()].membership, session.label(index).is_some(), is_leaf)
    }
}
