//! Hunks, each once, and the packs in which they lie.

use std::collections::HashMap;
use std::convert::Infallible;
use std::hash::{BuildHasher as _, RandomState};

use serde::Serialize;

use crate::changes::NetHunk;
use crate::changes::diff::LineChange;
use crate::changes::edit::Hunk;
use crate::page::wire::{pack_text, packed};
use crate::render::{self, Highlight};
use crate::session::invisible::marked;
use crate::session::text::shortened;
use crate::workers::{self, Threads, Workers};

/// A pack holds about so many bytes before it is compressed: little enough that a hunk far away opens at once.
const PACK_BYTES: usize = 64 * 1024;

/// A longer hunk is drawn in parts, so that none of them takes a browser long. In lines.
const PART_LINES: usize = 400;

/// The heading of a hunk is shown up to this length, in UTF-16 units.
const HEADING_UNITS: usize = 100;

/// Hunks are drawn once their lines have so many bytes, so that their texts are not all in memory at the same time.
const BATCH_BYTES: usize = 4 * PACK_BYTES;

/// A hunk, or a part of a long one.
#[derive(Debug, Hash)]
struct Part {
    /// The number of its first line before and after, from 1; 0 where it is not known.
    old: usize,
    new: usize,
    heading: String,
    language: String,
    /// Each with its newline where it has one.
    lines: Vec<(LineChange, String)>,
}

/// All hunks of a page.
pub(super) struct Hunks {
    highlight: Highlight,
    threads: Threads,
    index: HunkIndex,
    /// By a part's hash, its place. Two hashes with random keys: texts that are gone cannot be compared.
    places: HashMap<(u64, u64), usize>,
    hashers: (RandomState, RandomState),
    /// The last parts, which are not drawn yet.
    batch: Vec<Part>,
    batch_bytes: usize,
    /// How many parts are drawn.
    drawn: usize,
    /// The last pack, which may not be full.
    pack: Vec<u8>,
    /// Those before it, compressed.
    packs: Vec<String>,
}

/// Of each hunk what the page knows before it opens it.
#[derive(Default, Serialize)]
pub(super) struct HunkIndex {
    old: Vec<usize>,
    new: Vec<usize>,
    /// How many lines it shows.
    rows: Vec<usize>,
    headings: Vec<(usize, String)>,
    /// The first hunk of each pack.
    packs: Vec<usize>,
}

/// Where a hunk is: the place of its first part, how many parts it has, and the edits that made it.
#[derive(Serialize)]
pub(super) struct HunkPlace(pub(super) usize, pub(super) usize, pub(super) Vec<usize>);

impl Hunks {
    pub(super) fn new(highlight: Highlight, threads: Threads) -> Hunks {
        Hunks {
            highlight,
            threads,
            index: HunkIndex::default(),
            places: HashMap::new(),
            hashers: (RandomState::new(), RandomState::new()),
            batch: Vec::new(),
            batch_bytes: 0,
            drawn: 0,
            pack: Vec::new(),
            packs: Vec::new(),
        }
    }

    /// The hunks of a file. `before` is its text before, which has their headings.
    pub(super) fn add_all(
        &mut self,
        hunks: Vec<NetHunk>,
        before: Option<&str>,
        language: &str,
    ) -> Vec<HunkPlace> {
        let mut headings = Headings::new(before.unwrap_or_default());
        let place = |NetHunk { old_start, new_start, lines, edits, .. }| {
            let heading = headings.above(old_start);
            let (first, parts) = self.add((old_start, new_start), heading, language, lines);
            HunkPlace(first, parts, edits)
        };
        hunks.into_iter().map(place).collect()
    }

    /// The hunks that an edit asked for, with the numbers of lines that they say.
    pub(super) fn add_asked(
        &mut self,
        asked: &[Hunk],
        edit: usize,
        language: &str,
    ) -> Vec<HunkPlace> {
        // Lines that the hunks before added, less those that they removed.
        let mut shift = 0;
        let place = |hunk: &Hunk| {
            let old = hunk.old_start.unwrap_or(0);
            let new = if old > 0 { old.saturating_add_signed(shift) } else { 0 };
            let (added, removed) = hunk.counts();
            shift += added.cast_signed() - removed.cast_signed();
            self.add_one_asked(hunk, (old, new), edit, language)
        };
        asked.iter().map(place).collect()
    }

    fn add_one_asked(
        &mut self,
        hunk: &Hunk,
        numbers: (usize, usize),
        edit: usize,
        language: &str,
    ) -> HunkPlace {
        let heading = hunk.below.as_deref().unwrap_or_default();
        let mut lines: Vec<(LineChange, String)> =
            hunk.lines.iter().map(|line| (line.change, format!("{}\n", line.text))).collect();
        let mut end_without = |other, is_without: bool| {
            let last = lines.iter_mut().rev().find(|(change, _)| is_without && *change != other);
            if let Some((_, text)) = last {
                text.truncate(text.len() - 1);
            }
        };
        end_without(LineChange::Added, hunk.old_without_newline);
        end_without(LineChange::Removed, hunk.new_without_newline);
        let (first, parts) = self.add(numbers, heading, language, lines);
        HunkPlace(first, parts, vec![edit])
    }

    fn add(
        &mut self,
        (mut old, mut new): (usize, usize),
        heading: &str,
        language: &str,
        lines: Vec<(LineChange, String)>,
    ) -> (usize, usize) {
        let parts = lines.len().div_ceil(PART_LINES).max(1);
        let mut first = None;
        let mut lines = lines.into_iter();
        let mut heading =
            marked(&shortened(heading.trim_end_matches(['{', ' ']).trim(), HEADING_UNITS))
                .into_owned();
        for _ in 0..parts {
            let lines: Vec<(LineChange, String)> = lines.by_ref().take(PART_LINES).collect();
            let count = |other| lines.iter().filter(|(change, _)| *change != other).count();
            let next = (old + count(LineChange::Added), new + count(LineChange::Removed));
            let part = Part {
                old,
                new,
                heading: std::mem::take(&mut heading),
                language: language.to_owned(),
                lines,
            };
            (old, new) = (if old > 0 { next.0 } else { 0 }, if new > 0 { next.1 } else { 0 });
            let place = self.place(part);
            first = first.or(Some(place));
        }
        (first.unwrap_or_default(), parts)
    }

    /// The place of a part, which may be there already.
    fn place(&mut self, part: Part) -> usize {
        let new = self.index.rows.len();
        let hash = (self.hashers.0.hash_one(&part), self.hashers.1.hash_one(&part));
        let place = *self.places.entry(hash).or_insert(new);
        if place < new {
            return place;
        }
        self.index.old.push(part.old);
        self.index.new.push(part.new);
        self.index.rows.push(part.lines.len());
        if !part.heading.is_empty() {
            self.index.headings.push((new, part.heading.clone()));
        }
        self.batch_bytes += part.lines.iter().map(|(_, line)| line.len()).sum::<usize>();
        self.batch.push(part);
        if self.batch_bytes >= BATCH_BYTES {
            self.draw();
        }
        new
    }

    /// Draws the parts that wait for it, and compresses the packs that are full.
    fn draw(&mut self) {
        let parts = std::mem::take(&mut self.batch);
        self.batch_bytes = 0;
        let highlight = self.highlight;
        let drawn = workers::map(self.threads, parts.len(), |at| parts[at].drawn(highlight));
        let mut full = Vec::new();
        for text in drawn {
            if self.pack.len() >= PACK_BYTES {
                full.push(std::mem::take(&mut self.pack));
            }
            if self.pack.is_empty() {
                self.index.packs.push(self.drawn);
            }
            self.pack.extend(text);
            self.drawn += 1;
        }
        self.compress(&full);
    }

    fn compress(&mut self, packs: &[Vec<u8>]) {
        let workers = Workers::new(self.threads, || ());
        let take = |pack| {
            self.packs.push(pack);
            Ok::<(), Infallible>(())
        };
        let Ok(()) = workers.run(packs.len(), |(), at| packed::encode(&packs[at]), take);
    }

    /// What the index says of them, and the packs.
    pub(super) fn packed(mut self) -> (HunkIndex, Vec<String>) {
        self.draw();
        let last = std::mem::take(&mut self.pack);
        if !last.is_empty() {
            self.compress(&[last]);
        }
        (self.index, self.packs)
    }
}

impl Part {
    /// As it lies in a pack.
    fn drawn(&self, highlight: Highlight) -> Vec<u8> {
        let lines: Vec<(LineChange, &str)> =
            self.lines.iter().map(|(change, line)| (*change, line.as_str())).collect();
        let html = render::hunk(highlight, &self.language, &lines);
        let mut text = Vec::new();
        pack_text::push_fragment(&mut text, html.within("<code>", "</code>").as_str());
        text.push(pack_text::PIECE_END);
        text
    }
}

/// The lines that name what follows them, as `git diff` shows them behind the numbers of a hunk.
struct Headings<'t> {
    lines: std::iter::Enumerate<std::str::Lines<'t>>,
    last: &'t str,
}

impl<'t> Headings<'t> {
    fn new(text: &'t str) -> Headings<'t> {
        Headings { lines: text.lines().enumerate(), last: "" }
    }

    /// The last such line before a line, counted from 1. Asked for in ascending order.
    fn above(&mut self, line: usize) -> &'t str {
        // git's default: a line that begins with a letter, `_` or `$` (xdiff, `def_ff`).
        let names =
            |text: &str| text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'));
        while let Some((at, text)) = self.lines.clone().next()
            && at + 1 < line
        {
            self.lines.next();
            if names(text) {
                self.last = text;
            }
        }
        self.last
    }
}
