//! The place of an entry in its session.

/// An entry's place in its session, in file order; those of sub-sessions follow the session's own.
///
/// There are three ways to name an entry. Its *id* is what the agent wrote, one within its own file only.
/// Its *key* ([`Session::key`](super::session::Session::key)) is one in the whole session, sub-sessions included,
/// and is what links and commands take. Its *index* is what this crate takes and gives: small, and found at once. It
/// holds for the session that gave it; where another session has no such entry, functions give `None`, an
/// error, or nothing, as each says.
///
/// ```
/// use leafpress::session::EntryIndex;
///
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let index = session.find("86dc1522").expect("an entry has this id");
/// assert_eq!(session.id(index), Some("86dc1522"));
/// assert!(session.entry(EntryIndex::new(1_000)).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryIndex(u32);

impl EntryIndex {
    /// The first entry.
    pub(crate) const FIRST: EntryIndex = EntryIndex(0);

    /// The entry at a place in file order, counted from 0. Whether a session has one there, its functions say.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a session holds fewer than 2^32 entries")]
    pub const fn new(place: usize) -> EntryIndex {
        // None of a session is so large.
        if place > u32::MAX as usize { EntryIndex(u32::MAX) } else { EntryIndex(place as u32) }
    }

    /// The place in file order, counted from 0.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// The entry of a merged session, counted within itself, counted in the whole: its first entry is `first` there.
    pub(crate) const fn behind(self, first: EntryIndex) -> EntryIndex {
        EntryIndex(self.0 + first.0)
    }

    /// The entries of a table by entry, with what it has for each.
    pub(crate) fn each<T>(table: &[T]) -> impl Iterator<Item = (EntryIndex, &T)> {
        EntryIndex::range(0..table.len()).zip(table)
    }

    /// Those of a part of a session.
    pub(crate) fn range(
        places: std::ops::Range<usize>,
    ) -> impl DoubleEndedIterator<Item = EntryIndex> + ExactSizeIterator + Clone + 'static {
        places.map(EntryIndex::new)
    }
}
