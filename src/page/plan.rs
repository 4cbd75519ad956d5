//! Which entries stand in the document as plain articles, and how the others are cut into packs.

use std::ops::Range;

use crate::session::{EntryIndex, Session};

use super::packed;

/// The beginning of the default path is plain up to so many bytes of its JSON:
/// several screens to read, search and print without a script, and little
/// enough to be parsed at once.
const PLAIN_BYTES: usize = 128 * 1024;

/// Plain articles that one worker renders in one go.
const PLAIN_PIECE: usize = 16;

/// A pack holds at least so many bytes of JSON unless it is the last. Small
/// enough that an entry far away opens at once, large enough to compress.
const PACK_BYTES: usize = 256 * 1024;

/// In a session of more bytes compression would take half of the time of an export.
const LARGE_BYTES: usize = 8_000_000;

/// Where the article of each entry goes. Cut by the bytes of the source, so it
/// is known before anything is rendered.
#[derive(Debug)]
pub(super) struct Plan {
    /// Entries in document order.
    order: Vec<EntryIndex>,
    is_plain: Vec<bool>,
    path: Vec<EntryIndex>,
    /// The plain ones in document order.
    plain: Vec<EntryIndex>,
    /// Packs as ranges of the document order. The plain entries within are left out.
    packs: Vec<Range<usize>>,
    level: i32,
}

impl Plan {
    /// `path` leads to the leaf on show. With `all_plain` there are no packs.
    pub(super) fn new(session: &Session, path: &[EntryIndex], all_plain: bool) -> Plan {
        let order: Vec<EntryIndex> = session.tree().order().collect();
        let mut is_plain = vec![all_plain; session.len()];
        let mut bytes = 0;
        for &entry in path {
            if bytes >= PLAIN_BYTES {
                break;
            }
            is_plain[entry] = true;
            bytes += session.raw(entry).len();
        }
        let plain = order.iter().copied().filter(|&entry| is_plain[entry]).collect();
        let packs =
            cut(&order, |entry| if is_plain[entry] { 0 } else { session.raw(entry).len().max(1) });
        let bytes: usize = order.iter().map(|&entry| session.raw(entry).len()).sum();
        let level = if bytes > LARGE_BYTES { packed::FAST_LEVEL } else { packed::LEVEL };
        Plan { level, order, is_plain, path: path.to_vec(), plain, packs }
    }

    /// The level at which all of the page is compressed.
    pub(super) fn level(&self) -> i32 {
        self.level
    }

    /// The plain entries, some at a time as one worker renders them in one go.
    pub(super) fn plain_pieces(&self) -> Vec<&[EntryIndex]> {
        self.plain.chunks(PLAIN_PIECE).collect()
    }

    /// How many packs and pieces of plain articles there are to render.
    pub(super) fn piece_count(&self) -> usize {
        self.packs.len() + self.plain.len().div_ceil(PLAIN_PIECE)
    }

    /// Every entry once: the path on show, then the others.
    pub(super) fn reading_order(&self) -> impl Iterator<Item = EntryIndex> {
        let mut is_on_path = vec![false; self.order.len()];
        for &entry in &self.path {
            is_on_path[entry] = true;
        }
        let others = self.order.iter().copied().filter(move |&entry| !is_on_path[entry]);
        self.path.iter().copied().chain(others)
    }

    /// How many entries of the path on show lie in packs.
    pub(super) fn packed_on_path(&self) -> usize {
        self.path.iter().filter(|&&entry| !self.is_plain[entry]).count()
    }

    pub(super) fn pack_count(&self) -> usize {
        self.packs.len()
    }

    /// The place in document order at which each pack begins.
    pub(super) fn pack_starts(&self) -> impl Iterator<Item = usize> {
        self.packs.iter().map(|pack| pack.start)
    }

    /// The entries of a pack in document order.
    pub(super) fn pack(&self, nth: usize) -> impl Iterator<Item = EntryIndex> {
        let range = self.packs[nth].clone();
        self.order[range].iter().copied().filter(|&entry| !self.is_plain[entry])
    }
}

/// Ranges of enough weight each; what weighs nothing is no range of its own.
fn cut(order: &[EntryIndex], weight: impl Fn(EntryIndex) -> usize) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (place, &entry) in order.iter().enumerate() {
        bytes += weight(entry);
        if bytes >= PACK_BYTES {
            ranges.push(start..place + 1);
            (start, bytes) = (place + 1, 0);
        }
    }
    if bytes > 0 {
        ranges.push(start..order.len());
    }
    ranges
}
