//! Which entries stand in the document as plain articles, and how the others are cut into packs.

use std::ops::Range;

use crate::session::{EntryIndex, Session};

/// One worker renders at least so many bytes of JSON in one go: little enough that all have work to
/// the end, also where most of the code to be colored lies in one pack.
const CHUNK_BYTES: usize = 16 * 1024;

/// A pack holds at least so many bytes of JSON unless it is the last. Small
/// enough that an entry far away opens at once, large enough to compress.
const PACK_BYTES: usize = 256 * 1024;

/// Where the article of each entry goes. Cut by the bytes of the source, so it
/// is known before anything is rendered.
#[derive(Debug)]
pub(super) struct ChunkLayout {
    /// Entries in document order.
    order: Vec<EntryIndex>,
    is_plain: Vec<bool>,
    /// Packs as ranges of the document order. The plain entries within are left out.
    packs: Vec<Range<usize>>,
    /// Packs cut further, one behind the other.
    chunks: Vec<Range<usize>>,
    /// How many chunks each pack has.
    chunks_of_packs: Vec<usize>,
}

impl ChunkLayout {
    /// `is_plain` says by entry whether its whole article stands in the document.
    pub(super) fn new(session: &Session, is_plain: Vec<bool>) -> ChunkLayout {
        let order: Vec<EntryIndex> = session.tree().order().collect();
        let weight = |entry: EntryIndex| session.raw_len(entry).max(1);
        let packed_weight =
            |entry: EntryIndex| if is_plain[entry.get()] { 0 } else { weight(entry) };
        let packs = cut(&order, PACK_BYTES, packed_weight);
        let mut chunks = Vec::new();
        let mut chunks_of_packs = Vec::with_capacity(packs.len());
        for pack in &packs {
            let own = cut(&order[pack.clone()], CHUNK_BYTES, packed_weight);
            chunks_of_packs.push(own.len());
            chunks.extend(own.iter().map(|own| pack.start + own.start..pack.start + own.end));
        }
        ChunkLayout { order, is_plain, packs, chunks, chunks_of_packs }
    }

    /// Whether the whole article of an entry stands in the document.
    pub(super) fn is_plain(&self, entry: EntryIndex) -> bool {
        self.is_plain[entry.get()]
    }

    /// Every entry in document order, and whether it lies in a pack.
    pub(super) fn document_order(&self) -> impl Iterator<Item = (EntryIndex, bool)> {
        self.order.iter().map(|&entry| (entry, !self.is_plain[entry.get()]))
    }

    /// The chunks of all packs, pack by pack in document order.
    pub(super) fn chunks(&self) -> &[Range<usize>] {
        &self.chunks
    }

    /// How many chunks each pack has.
    pub(super) fn chunks_of_packs(&self) -> &[usize] {
        &self.chunks_of_packs
    }

    /// The place in document order at which each pack begins.
    pub(super) fn pack_starts(&self) -> impl ExactSizeIterator<Item = usize> {
        self.packs.iter().map(|pack| pack.start)
    }

    /// The entries of a chunk in document order.
    pub(super) fn entries(&self, chunk: &Range<usize>) -> impl Iterator<Item = EntryIndex> {
        self.order[chunk.clone()].iter().copied().filter(|&entry| !self.is_plain[entry.get()])
    }
}

/// Some entries at a time, as one worker renders their articles in one go.
pub(super) fn cut_for_workers(session: &Session, entries: &[EntryIndex]) -> Vec<Range<usize>> {
    cut(entries, CHUNK_BYTES, |entry| session.raw_len(entry).max(1))
}

/// Ranges of enough weight each; what weighs nothing is no range of its own.
fn cut(
    order: &[EntryIndex],
    enough: usize,
    weight: impl Fn(EntryIndex) -> usize,
) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (place, &entry) in order.iter().enumerate() {
        bytes += weight(entry);
        if bytes >= enough {
            ranges.push(start..place + 1);
            (start, bytes) = (place + 1, 0);
        }
    }
    if bytes > 0 {
        ranges.push(start..order.len());
    }
    ranges
}
