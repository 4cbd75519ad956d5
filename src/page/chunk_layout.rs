//! Which entries stand in the document as plain articles, and how the others are cut into packs.

use std::ops::Range;

use crate::session::{EntryIndex, Session};

use super::packed;

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

/// In a session of more bytes compression would take half of the time of an export.
const LARGE_BYTES: usize = 8_000_000;

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
    /// Packs cut further.
    chunks: Vec<Chunk>,
    /// Ranges of `plain`.
    plain_chunks: Vec<Range<usize>>,
    level: i32,
}

/// A part of a pack.
#[derive(Debug)]
pub(super) struct Chunk {
    /// The number of its pack.
    pub(super) pack: usize,
    /// Its place among the chunks of its pack.
    pub(super) nth: usize,
    range: Range<usize>,
}

impl ChunkLayout {
    /// `path` leads to the leaf on show. With `all_plain` there are no packs.
    pub(super) fn new(session: &Session, path: &[EntryIndex], all_plain: bool) -> ChunkLayout {
        let order: Vec<EntryIndex> = session.tree().order().collect();
        let mut is_plain = vec![all_plain; session.len()];
        let mut bytes = 0;
        for &entry in path {
            if bytes >= PLAIN_BYTES {
                break;
            }
            is_plain[entry] = true;
            bytes += session.raw_len(entry);
        }
        let weight = |entry: EntryIndex| session.raw_len(entry).max(1);
        let packed_weight = |entry: EntryIndex| if is_plain[entry] { 0 } else { weight(entry) };
        let plain: Vec<EntryIndex> =
            order.iter().copied().filter(|&entry| is_plain[entry]).collect();
        let packs = cut(&order, PACK_BYTES, packed_weight);
        let chunks = packs.iter().enumerate().flat_map(|(pack, range)| {
            let ranges =
                cut(&order[range.clone()], CHUNK_BYTES, packed_weight).into_iter().enumerate();
            let start = range.start;
            let chunk = move |(nth, chunk): (usize, Range<usize>)| Chunk {
                pack,
                nth,
                range: start + chunk.start..start + chunk.end,
            };
            ranges.map(chunk)
        });
        let chunks = chunks.collect();
        let plain_chunks = cut(&plain, CHUNK_BYTES, weight);
        let bytes: usize = order.iter().map(|&entry| session.raw_len(entry)).sum();
        let level = if bytes > LARGE_BYTES { packed::FAST_LEVEL } else { packed::LEVEL };
        ChunkLayout {
            level,
            order,
            is_plain,
            path: path.to_vec(),
            plain,
            packs,
            chunks,
            plain_chunks,
        }
    }

    /// The level at which all of the page is compressed.
    pub(super) fn level(&self) -> i32 {
        self.level
    }

    /// The plain entries, some at a time as one worker renders them in one go.
    pub(super) fn plain_chunks(&self) -> Vec<&[EntryIndex]> {
        self.plain_chunks.iter().map(|range| &self.plain[range.clone()]).collect()
    }

    /// How many chunks there are to render, of packs and of plain articles.
    pub(super) fn chunk_count(&self) -> usize {
        self.chunks.len() + self.plain_chunks.len()
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

    /// Every entry in document order, and whether it lies in a pack.
    pub(super) fn document_order(&self) -> impl Iterator<Item = (EntryIndex, bool)> {
        self.order.iter().map(|&entry| (entry, !self.is_plain[entry]))
    }

    /// How many entries of the path on show lie in packs.
    pub(super) fn packed_on_path(&self) -> usize {
        self.path.iter().filter(|&&entry| !self.is_plain[entry]).count()
    }

    /// The chunks of all packs, pack by pack in document order.
    pub(super) fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// How many chunks each pack has.
    pub(super) fn chunk_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.packs.len()];
        for chunk in &self.chunks {
            counts[chunk.pack] += 1;
        }
        counts
    }

    /// The place in document order at which each pack begins.
    pub(super) fn pack_starts(&self) -> impl Iterator<Item = usize> {
        self.packs.iter().map(|pack| pack.start)
    }

    /// The entries of a chunk in document order.
    pub(super) fn entries(&self, chunk: &Chunk) -> impl Iterator<Item = EntryIndex> {
        self.order[chunk.range.clone()].iter().copied().filter(|&entry| !self.is_plain[entry])
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
