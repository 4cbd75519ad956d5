//! Which entries stand in the document as plain articles, and how the others are cut into packs.

use std::ops::Range;

use crate::session::{EntryIndex, Session};

/// The beginning of the default path is plain up to so many bytes of its JSON: what is read
/// before the script has started. Plain articles are neither compressed nor side by side with their
/// lines, so that more of them would make a page of a small session larger by a fifth.
const PLAIN_BYTES: usize = 16 * 1024;

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
    path: Vec<EntryIndex>,
    /// The plain ones in document order.
    plain: Vec<EntryIndex>,
    /// Packs as ranges of the document order. The plain entries within are left out.
    packs: Vec<Range<usize>>,
    /// Packs cut further, one behind the other.
    chunks: Vec<Range<usize>>,
    /// How many chunks each pack has.
    chunks_of_packs: Vec<usize>,
    /// Ranges of `plain`.
    plain_chunks: Vec<Range<usize>>,
}

impl ChunkLayout {
    /// `path` leads to the leaf shown. With `all_plain` there are no packs.
    pub(super) fn new(session: &Session, path: &[EntryIndex], all_plain: bool) -> ChunkLayout {
        let order: Vec<EntryIndex> = session.tree().order().collect();
        let mut is_plain = vec![all_plain; session.len()];
        let mut bytes = 0;
        for &entry in path {
            if bytes >= PLAIN_BYTES {
                break;
            }
            is_plain[entry.get()] = true;
            bytes += session.raw_len(entry);
        }
        let weight = |entry: EntryIndex| session.raw_len(entry).max(1);
        let packed_weight =
            |entry: EntryIndex| if is_plain[entry.get()] { 0 } else { weight(entry) };
        let plain: Vec<EntryIndex> =
            order.iter().copied().filter(|&entry| is_plain[entry.get()]).collect();
        let packs = cut(&order, PACK_BYTES, packed_weight);
        let mut chunks = Vec::new();
        let mut chunks_of_packs = Vec::with_capacity(packs.len());
        for pack in &packs {
            let own = cut(&order[pack.clone()], CHUNK_BYTES, packed_weight);
            chunks_of_packs.push(own.len());
            chunks.extend(own.iter().map(|own| pack.start + own.start..pack.start + own.end));
        }
        let plain_chunks = cut(&plain, CHUNK_BYTES, weight);
        ChunkLayout {
            order,
            is_plain,
            path: path.to_vec(),
            plain,
            packs,
            chunks,
            chunks_of_packs,
            plain_chunks,
        }
    }

    /// The plain entries, some at a time as one worker renders them in one go.
    pub(super) fn plain_chunks(&self) -> Vec<&[EntryIndex]> {
        self.plain_chunks.iter().map(|range| &self.plain[range.clone()]).collect()
    }

    /// How many chunks there are to render, of packs and of plain articles.
    pub(super) fn chunk_count(&self) -> usize {
        self.chunks.len() + self.plain_chunks.len()
    }

    /// Every entry once: the path shown, then the others.
    pub(super) fn reading_order(&self) -> impl Iterator<Item = EntryIndex> {
        let mut is_on_path = vec![false; self.order.len()];
        for &entry in &self.path {
            is_on_path[entry.get()] = true;
        }
        let others = self.order.iter().copied().filter(move |&entry| !is_on_path[entry.get()]);
        self.path.iter().copied().chain(others)
    }

    /// Every entry in document order, and whether it lies in a pack.
    pub(super) fn document_order(&self) -> impl Iterator<Item = (EntryIndex, bool)> {
        self.order.iter().map(|&entry| (entry, !self.is_plain[entry.get()]))
    }

    /// How many entries of the path shown lie in packs.
    pub(super) fn packed_on_path(&self) -> usize {
        self.path.iter().filter(|&&entry| !self.is_plain[entry.get()]).count()
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
