//! All that the readers of a whole session need of its entries, from one parse of each.
//!
//! A `Gist` holds what an entry says by itself. What depends on other entries is
//! put together from the gists afterwards, without a second look at the file.

use super::calls::Calls;
use super::context::{Fact, Facts};
use super::entry::Entry;
use super::gist::Gist;
use super::story::Story;
use super::totals::Totals;
use super::turns::Turns;
use super::{EntryIndex, Session};
use crate::workers::{both, cores};

/// What can be said of a session after each of its entries was parsed once.
#[derive(Debug)]
#[non_exhaustive]
pub struct Digest<'a> {
    /// Which tool result answers which call.
    pub calls: Calls,
    /// What each entry means to the context.
    pub facts: Facts<'a>,
    /// What each answer cost, alone and with those before it.
    pub turns: Turns,
    /// What each entry is to its turn.
    pub story: Story,
    /// What each entry adds to counts.
    pub(crate) totals: Totals,
}

/// What one entry gives to a digest.
#[derive(Debug)]
pub(crate) struct Digested<'a> {
    gist: Gist,
    fact: Fact<'a>,
}

impl<'a> Digested<'a> {
    pub(crate) fn of(session: &'a Session, index: EntryIndex, entry: Entry<'a>) -> Digested<'a> {
        let gist = Gist::of(session, &entry);
        Digested { gist, fact: Fact::of(session, index, entry.body) }
    }
}

impl<'a> Digest<'a> {
    /// Parses each entry of the session once, in linear time.
    pub fn read(session: &'a Session) -> Digest<'a> {
        let entries = 0..session.len();
        Digest::of(session, entries.map(|index| Digested::of(session, index, session.entry(index))))
    }

    /// Puts together what all entries gave, in the order of their indices.
    pub(crate) fn of(
        session: &'a Session,
        entries: impl IntoIterator<Item = Digested<'a>>,
    ) -> Digest<'a> {
        let (gists, facts): (Vec<_>, Vec<_>) =
            entries.into_iter().map(|Digested { gist, fact }| (gist, fact)).unzip();
        let ((facts, turns), (calls, story, totals)) = both(
            cores(),
            || (Facts::of_all(session, facts), Turns::of_all(session, &gists)),
            || {
                let calls = Calls::of(session, &gists);
                let story = Story::of(session, &gists, &calls);
                let totals = Totals::of_all(session, &gists, &calls);
                (calls, story, totals)
            },
        );
        Digest { calls, facts, turns, story, totals }
    }
}
