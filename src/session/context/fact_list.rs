//! The facts of all entries. Most entries say what others said before, so such facts are kept once.

use super::Fact;
use crate::session::tree::index::EntryIndex;

/// So many facts are compared with a new one: a session has a handful of roles and models at a time.
const COMPARED: usize = 16;

/// Facts by entry.
#[derive(Debug, Clone, Default)]
pub(crate) struct FactList<'a> {
    distinct: Vec<Fact<'a>>,
    /// The place of each entry's fact among the distinct ones.
    places: Vec<u32>,
    /// The places of those added last that other entries may share.
    shareable: Vec<u32>,
}

impl<'a> FactList<'a> {
    pub(crate) fn with_capacity(entries: usize) -> FactList<'a> {
        FactList { places: Vec::with_capacity(entries), ..FactList::default() }
    }

    /// How many entries there are.
    #[cfg(feature = "store")]
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Adds the fact of the next entry.
    pub(crate) fn push(&mut self, fact: Fact<'a>) {
        let is_same = |&place: &u32| self.distinct[place as usize] == fact;
        let is_shareable = is_shareable(&fact);
        let known = self.shareable.iter().copied().rfind(is_same).filter(|_| is_shareable);
        let place = known.unwrap_or_else(|| self.add(fact, is_shareable));
        self.places.push(place);
    }

    #[expect(clippy::cast_possible_truncation, reason = "a session holds fewer than 2^32 entries")]
    fn add(&mut self, fact: Fact<'a>, is_shareable: bool) -> u32 {
        let place = self.distinct.len() as u32;
        self.distinct.push(fact);
        if is_shareable {
            if self.shareable.len() == COMPARED {
                self.shareable.remove(0);
            }
            self.shareable.push(place);
        }
        place
    }

    /// Takes out the facts of the entries from the one with this index on.
    #[cfg(feature = "store")]
    pub(crate) fn truncate(&mut self, entries: usize) {
        self.places.truncate(entries);
        let used = self.places.iter().max().map_or(0, |&last| last as usize + 1);
        self.distinct.truncate(used);
        self.shareable.retain(|&place| (place as usize) < used);
    }

    /// The fact of an entry.
    pub(super) fn of(&self, index: EntryIndex) -> &Fact<'a> {
        &self.distinct[self.places[index.get()] as usize]
    }
}

/// Whether other entries may have the same fact: it names no call, and no other entry.
fn is_shareable(fact: &Fact<'_>) -> bool {
    let names_call =
        |message: &super::EntryEffect<'_>| !message.calls.is_empty() || message.answers.is_some();
    fact.boundary.is_none() && fact.edit.is_none() && !fact.message.as_ref().is_some_and(names_call)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thinking(level: usize) -> Fact<'static> {
        Fact { thinking: Some(level.to_string().into()), ..Fact::default() }
    }

    #[test]
    fn alike_facts_are_kept_once_and_each_entry_has_its_own() {
        let mut list = FactList::default();
        let levels = || (0..1000).map(|entry| entry % 7).chain(0..100);
        levels().for_each(|level| list.push(thinking(level)));
        for (entry, level) in levels().enumerate() {
            assert_eq!(*list.of(EntryIndex::new(entry)), thinking(level));
        }
        assert_eq!(list.distinct.len(), 100);
    }

    #[test]
    #[cfg(feature = "store")]
    fn what_is_taken_out_is_forgotten() {
        let mut list = FactList::default();
        for level in [0, 1, 0, 2] {
            list.push(thinking(level));
        }
        list.truncate(3);
        list.push(thinking(2));
        list.push(thinking(1));
        let levels = [0, 1, 0, 2, 1].map(thinking);
        assert_eq!(
            (0..list.len())
                .map(|entry| list.of(EntryIndex::new(entry)).clone())
                .collect::<Vec<_>>(),
            levels
        );
        assert_eq!(list.distinct.len(), 3);
    }
}
