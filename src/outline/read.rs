//! The one pass over a session's entries, on all cores: each is parsed once, for its row and for
//! all who need to know something of each entry.

use crate::session::EntryIndex;
use std::convert::Infallible;

use super::Outline;
use super::row::{EntryRow, Rows};
use crate::session::Session;
use crate::session::digest::{AllDigested, Digest, Digested};
use crate::session::entry::Entry;
use crate::workers::{Threads, Workers};

/// Parses each entry of the session once: its rows, and all else that is to be known of it as a whole.
pub fn read(session: &Session) -> (Digest<'_>, Outline) {
    let (digest, outline, _) = read_with(session, Threads::available(), |_| ());
    (digest, outline)
}

/// The same on so many threads, and with what the caller needs of each parsed entry, by entry.
pub(crate) fn read_with<'a, T: Send>(
    session: &'a Session,
    threads: Threads,
    also: impl Fn(&Entry<'a>) -> T + Sync,
) -> (Digest<'a>, Outline, Vec<T>) {
    /// So many entries are one piece of work.
    const PIECE: usize = 64;
    let rows = Rows { format: session.format(), cwd: &session.header().cwd };
    let read = |index| {
        Digested::with(session, index, |entry, actions| {
            (EntryRow::of(entry, actions, rows), also(entry))
        })
    };
    let piece = |(): &mut (), nth: usize| {
        let end = session.len().min((nth + 1) * PIECE);
        EntryIndex::range(nth * PIECE..end).map(read).collect::<Vec<_>>()
    };
    let mut entries = AllDigested::new(session);
    let mut own_rows = Vec::with_capacity(session.len());
    let mut asked = Vec::with_capacity(session.len());
    let mut others = Vec::with_capacity(session.len());
    let take = |piece: Vec<_>| {
        for (entry, (EntryRow { row, calls }, other)) in piece {
            entries.push(entry);
            own_rows.push(row);
            asked.push(calls);
            others.push(other);
        }
        Ok::<(), Infallible>(())
    };
    let pieces = session.len().div_ceil(PIECE);
    let Ok(()) = Workers::new(threads, || ()).run(pieces, piece, take);
    let digest = Digest::of(session, entries, threads);
    let outline = Outline::of(session, own_rows, asked, &digest);
    (digest, outline, others)
}
