//! What the tree list shows: one row an entry, which filters show it, what a
//! search finds it by, and how the rows lie.

mod advice;
mod branches;
mod filter;
mod layout;
mod omp;
mod query;
mod row;
mod words;

pub use advice::advice;
pub use branches::{LeafBranch, branch_count, branches};
pub use filter::{Filter, Membership};
pub use layout::{LaidOut, lay_out, lay_out_all, visible_parents};
pub use query::{Query, Subject};
pub use row::{Row, Rows};

use std::convert::Infallible;

use row::EntryRow;

use crate::session::calls::Calls;
use crate::session::digest::{Digest, Digested};
use crate::session::entry::Entry;
use crate::session::file_tools::Touched;
use crate::session::{EntryIndex, Session};
use crate::workers::{Workers, cores};

/// The rows of a session, by entry.
#[derive(Debug)]
pub struct Outline {
    rows: Vec<Row>,
    touched: Vec<Vec<Touched>>,
}

/// Parses each entry of the session once: its rows, and all else that is to be known of it as a whole.
pub fn read(session: &Session) -> (Digest<'_>, Outline) {
    let (digest, outline, _) = read_with(session, cores(), |_| ());
    (digest, outline)
}

/// The same with so many workers, and with what the caller needs of each parsed entry, by entry.
pub(crate) fn read_with<'a, T: Send>(
    session: &'a Session,
    workers: usize,
    also: impl Fn(&Entry<'a>) -> T + Sync,
) -> (Digest<'a>, Outline, Vec<T>) {
    /// So many entries are one piece of work.
    const PIECE: usize = 64;
    let rows = Rows { dialect: session.dialect(), cwd: &session.header().cwd };
    let read = |index| {
        let entry = session.entry(index);
        let (row, other) = (EntryRow::of(&entry, rows), also(&entry));
        (Digested::of(session, index, entry), row, other)
    };
    let piece = |(): &mut (), nth: usize| {
        let end = session.len().min((nth + 1) * PIECE);
        (nth * PIECE..end).map(read).collect::<Vec<_>>()
    };
    let mut entries = Vec::with_capacity(session.len());
    let mut own_rows = Vec::with_capacity(session.len());
    let mut others = Vec::with_capacity(session.len());
    let take = |piece: Vec<_>| {
        for (entry, row, other) in piece {
            entries.push(entry);
            own_rows.push(row);
            others.push(other);
        }
        Ok::<(), Infallible>(())
    };
    let pieces = session.len().div_ceil(PIECE);
    let Ok(()) = Workers::new(workers, || ()).run(pieces, piece, take);
    let digest = Digest::of(session, entries);
    let outline = Outline::of(session, own_rows, &digest.calls);
    (digest, outline, others)
}

impl Outline {
    /// Gives the rows of results the words of the calls they answer.
    fn of(session: &Session, entries: Vec<EntryRow>, calls: &Calls) -> Outline {
        let mut touched = vec![Vec::new(); entries.len()];
        let (mut rows, asked): (Vec<Row>, Vec<_>) =
            entries.into_iter().map(|entry| (entry.row, entry.calls)).unzip();
        for (index, row) in rows.iter_mut().enumerate() {
            let call = calls.call_of(index).and_then(|call| asked[call.entry].get(call.nth));
            if let Some(call) = call {
                row.answer(call);
                if !row.failed {
                    touched[index].clone_from(&call.files);
                }
            }
            // The one entry of a session that is not there; its form is that of a settings entry.
            let sub = session.sub_session_of(index);
            if let Some(reason) = sub.and_then(|sub| sub.missing.as_deref()) {
                row.say_missing(reason);
            }
        }
        Outline { rows, touched }
    }

    /// The files that an entry's call has read or changed.
    pub(crate) fn touched(&self, index: EntryIndex) -> &[Touched] {
        &self.touched[index]
    }

    /// The row of one entry.
    pub fn row(&self, index: EntryIndex) -> &Row {
        &self.rows[index]
    }

    /// Whether a filter shows each entry while `leaf` is the current one; none of another session.
    pub fn visible(&self, session: &Session, filter: Filter, leaf: EntryIndex) -> Vec<bool> {
        let mut visible = vec![false; self.rows.len()];
        for index in session.entries_beside(leaf) {
            visible[index] = self.shows(session, filter, index, index == leaf);
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
            (0..self.rows.len()).map(|index| self.shows(session, filter, index, false)).collect();
        for &leaf in leaves {
            visible[leaf] = self.shows(session, filter, leaf, true);
        }
        visible
    }

    fn shows(&self, session: &Session, filter: Filter, index: EntryIndex, is_leaf: bool) -> bool {
        filter.shows(self.rows[index].membership, session.label(index).is_some(), is_leaf)
    }
}
