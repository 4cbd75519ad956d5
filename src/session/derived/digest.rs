//! All that the readers of a whole session need of its entries, from one parse of each.
//!
//! A `EntryDigest` holds what an entry says by itself. What depends on other entries is
//! put together from these afterwards, without a second look at the file.

use super::calls::Calls;
use super::ending::Befores;
use super::entry_digest::{EntryDigest, What};
use super::failure::Failures;
use super::landmarks::Landmarks;
use super::story::Story;
use super::totals::Totals;
use super::turns::Turns;
use crate::session::action::Action;
use crate::session::context::{Fact, FactList, Facts};
use crate::session::model::entry::Entry;
use crate::session::tree::index::EntryIndex;
use crate::session::tree::session::Session;
use crate::workers::{Threads, both};

/// What can be said of a session after each of its entries was parsed once.
#[derive(Debug)]
#[non_exhaustive]
pub struct Digest<'a> {
    /// Which tool result answers which call.
    pub calls: Calls,
    /// What each entry means to the context.
    pub facts: Facts<'a>,
    /// What failed.
    pub failures: Failures,
    /// Commits, pushes, pull requests, test runs and notable calls.
    pub landmarks: Landmarks,
    /// What each answer cost, alone and with those before it.
    pub turns: Turns,
    /// What each entry is to its turn.
    pub story: Story,
    /// What came right before the end of each branch.
    pub(crate) befores: Befores,
    /// What each entry adds to counts.
    pub(crate) totals: Totals,
}

/// What one entry gives to a digest.
#[derive(Debug)]
pub(crate) struct Digested<'a> {
    digest: EntryDigest<'a>,
    fact: Fact<'a>,
}

impl<'a> Digested<'a> {
    /// `also` gets the parsed entry and what its calls ask, and gives what else is to be known of it.
    pub(crate) fn with<T>(
        session: &'a Session,
        index: EntryIndex,
        also: impl FnOnce(&Entry<'a>, &[Action<'_>]) -> T,
    ) -> (Digested<'a>, T) {
        let entry = session.entry_at(index);
        let actions = Action::all_of(&entry.body);
        let digest = EntryDigest::of(session, &entry, &actions);
        let other = also(&entry, &actions);
        drop(actions);
        (Digested { digest, fact: Fact::of(session, index, entry.body) }, other)
    }
}

/// What all entries gave, in the order of their indices.
#[derive(Debug)]
pub(crate) struct AllDigested<'a> {
    digests: Vec<EntryDigest<'a>>,
    facts: FactList<'a>,
}

impl<'a> AllDigested<'a> {
    /// Nothing yet, with room for the entries of a session.
    pub(crate) fn new(session: &Session) -> AllDigested<'a> {
        let entries = session.len();
        AllDigested {
            digests: Vec::with_capacity(entries),
            facts: FactList::with_capacity(entries),
        }
    }

    /// Adds what the next entry gave.
    pub(crate) fn push(&mut self, Digested { digest, fact }: Digested<'a>) {
        self.digests.push(digest);
        self.facts.push(fact);
    }
}

impl<'a> Digest<'a> {
    /// Parses each entry of the session once, in linear time.
    pub fn read(session: &'a Session) -> Digest<'a> {
        let mut all = AllDigested::new(session);
        for index in session.indices() {
            all.push(Digested::with(session, index, |_, _| ()).0);
        }
        Digest::of(session, all, Threads::available())
    }

    /// Puts together what all entries gave.
    pub(crate) fn of(session: &'a Session, all: AllDigested<'a>, threads: Threads) -> Digest<'a> {
        let AllDigested { digests, facts } = all;
        let ((facts, turns), (calls, story, failures, landmarks, befores, totals)) = both(
            threads,
            || (Facts::of_all(session, facts), Turns::of_all(session, &digests)),
            || {
                let calls = Calls::of(session, &digests);
                let story = Story::of(session, &digests, &calls);
                let failures = Failures::of_all(&digests, &calls, session.tree());
                let totals = Totals::of_all(session, &digests, &failures);
                let landmarks = Landmarks::of_all(session, &digests, &calls, threads);
                let is_result =
                    |entry: EntryIndex| matches!(digests[entry.get()].what, What::Result { .. });
                let befores = Befores::of_all(session, (&failures, &landmarks, &story), is_result);
                (calls, story, failures, landmarks, befores, totals)
            },
        );
        Digest { calls, facts, failures, landmarks, turns, story, befores, totals }
    }
}
