//! The articles of all entries: the plain ones as markup, the others in packs.

use std::ops::Range;

use crate::markdown::pieces::Pieces;
use crate::outline::Outline;
use crate::render::{Html, Placement, Renderer};
use crate::session::context::{Context, State};
use crate::session::{EntryIndex, Session};
use crate::workers::{Threads, Workers};

use super::changes::versions::{TextPieces, WholeTexts};
use super::chunk_layout::ChunkLayout;
use super::markdown_data::EntryMarkdown;
use super::sizes::Parts;
use super::wire::grams::{self, Collected, Grams};
use super::wire::source_lines::PackedLines;
use super::wire::{pack_text, packed};

/// So many chunks of packs are rendered along with the plain articles, one of which may hold a long
/// file: while one worker is still busy with that, the others go on.
const EARLY: usize = 24;

/// Renders every entry where it goes.
pub(super) struct Fragments<'a> {
    session: &'a Session,
    outline: &'a Outline,
    layout: &'a ChunkLayout,
    /// The lines of the session's files that lie beside the articles.
    lines: &'a PackedLines<'a>,
    markdown: &'a Pieces<'a>,
    /// The texts of files that rows of the session have.
    texts: &'a WholeTexts,
    /// The one shown.
    leaf: EntryIndex,
    /// There are enough packs for a search to pass over some.
    has_grams: bool,
    /// By entry; none off the path.
    states: Vec<Option<State>>,
    pub(super) threads: Threads,
    workers: Workers<Renderer<'a>>,
}

impl<'a> Fragments<'a> {
    pub(super) fn new(
        session: &'a Session,
        outline: &'a Outline,
        layout: &'a ChunkLayout,
        (lines, markdown, texts): (&'a PackedLines<'a>, &'a Pieces<'a>, &'a WholeTexts),
        context: &Context<'_>,
        renderer: &Renderer<'a>,
        threads: Threads,
    ) -> Self {
        let mut states = vec![None; session.len()];
        for (&entry, &state) in context.path.iter().zip(&context.states) {
            states[entry.get()] = Some(state);
        }
        Fragments {
            session,
            outline,
            layout,
            lines,
            markdown,
            texts,
            leaf: context.path.last().copied().unwrap_or(EntryIndex::FIRST),
            has_grams: layout.pack_starts().len() >= grams::MIN_PACKS,
            states,
            threads,
            workers: Workers::new(threads, || renderer.twin()),
        }
    }

    fn article(&self, renderer: &mut Renderer<'a>, entry: EntryIndex) -> Html {
        let state = self.states[entry.get()];
        let tree = self.session.tree();
        let leaf = if state.is_some() { self.leaf } else { tree.newest_leaf_below(entry) };
        renderer.article(entry, Placement { state, leaf })
    }

    /// The pieces of a chunk.
    fn chunk(&self, renderer: &mut Renderer<'a>, chunk: &Range<usize>) -> Chunk {
        let grams = self.has_grams.then(Collected::default);
        let mut whole = Chunk { grams, ..Chunk::default() };
        // Of the line before, in this chunk: whose, and its number.
        let mut before = None;
        for entry in self.layout.entries(chunk) {
            let piece = whole.text.len();
            if let Some(line) = self.lines.of(entry) {
                whole.parts.add_source(line.text);
                let follows = before.filter(|(of_child, _)| *of_child == line.of_child);
                let follows = follows.map(|(_, number)| number);
                pack_text::push_numbered(
                    &mut whole.text,
                    line.text,
                    line.of_child,
                    line.number,
                    follows,
                );
                before = Some((line.of_child, line.number));
            }
            let article = self.article(renderer, entry);
            whole.parts.add(&article, self.outline.row(entry).kind);
            let start = whole.text.len();
            pack_text::push_fragment(&mut whole.text, article.as_str());
            if let Some(grams) = &mut whole.grams {
                let mut text = grams.text();
                pack_text::visible_pieces(&whole.text[start..], |piece| text.push(piece));
            }
            let base = &whole.text[piece..];
            whole.markdown.push(EntryMarkdown::new(self.markdown, entry, base));
            whole.texts.extend(self.texts.pieces(entry, base));
            whole.text.push(pack_text::PIECE_END);
        }
        whole
    }

    /// Renders the plain articles in document order, some at a time. Gives the first chunks of packs.
    pub(super) fn articles<E>(
        &self,
        mut write: impl FnMut(PlainChunk) -> Result<(), E>,
    ) -> Result<Vec<Chunk>, E> {
        let plain = self.layout.plain_chunks();
        let packed = self.layout.chunks();
        let rendered = |renderer: &mut Renderer<'a>, at: usize| {
            if let Some(nth) = at.checked_sub(plain.len()) {
                return Err(Box::new(self.chunk(renderer, &packed[nth])));
            }
            let mut all = PlainChunk::default();
            for &entry in plain[at] {
                let article = self.article(renderer, entry);
                all.parts.add(&article, self.outline.row(entry).kind);
                all.html.push_with_bare_quotes(&article);
                all.markdown.push(EntryMarkdown::new(self.markdown, entry, &[]));
                all.texts.extend(self.texts.pieces(entry, &[]));
            }
            Ok(all)
        };
        let mut early = Vec::new();
        self.workers.run(plain.len() + packed.len().min(EARLY), rendered, |piece| match piece {
            Ok(plain) => write(plain),
            Err(chunk) => {
                early.push(*chunk);
                Ok(())
            }
        })?;
        Ok(early)
    }

    /// Renders and compresses the packs in their order; `early` are the chunks that were rendered before. `write` gets
    /// a pack with the last of its chunks.
    pub(super) fn packs<E>(
        &self,
        early: Vec<Chunk>,
        write: impl FnMut(Option<Pack>) -> Result<(), E>,
    ) -> Result<(), E> {
        let chunks = self.layout.chunks();
        self.workers.run_in_groups(
            self.layout.chunks_of_packs(),
            early,
            |renderer, at| self.chunk(renderer, &chunks[at]),
            Pack::of,
            write,
        )
    }
}

/// Some of the plain articles.
#[derive(Default)]
pub(super) struct PlainChunk {
    pub(super) html: Html,
    pub(super) parts: Parts,
    pub(super) markdown: Vec<EntryMarkdown>,
    pub(super) texts: Vec<TextPieces>,
}

/// A part of a pack before it is compressed.
#[derive(Default)]
pub(super) struct Chunk {
    text: Vec<u8>,
    parts: Parts,
    markdown: Vec<EntryMarkdown>,
    texts: Vec<TextPieces>,
    /// `None` where no search asks for them.
    grams: Option<Collected>,
}

/// One pack.
pub(super) struct Pack {
    /// Compressed.
    pub(super) text: String,
    pub(super) parts: Parts,
    pub(super) markdown: Vec<EntryMarkdown>,
    pub(super) texts: Vec<TextPieces>,
    pub(super) grams: Option<Grams>,
}

impl Pack {
    /// Of all its chunks.
    fn of(chunks: Vec<Chunk>) -> Pack {
        let more = chunks.iter().skip(1).map(|chunk| chunk.text.len()).sum();
        let mut chunks = chunks.into_iter();
        let mut whole = chunks.next().unwrap_or_default();
        whole.text.reserve_exact(more);
        for chunk in chunks {
            whole.parts += chunk.parts;
            whole.text.extend_from_slice(&chunk.text);
            whole.markdown.extend(chunk.markdown);
            whole.texts.extend(chunk.texts);
            if let (Some(grams), Some(more)) = (&mut whole.grams, &chunk.grams) {
                grams.merge(more);
            }
        }
        let Chunk { text, parts, markdown, texts, grams } = whole;
        let grams = grams.as_ref().map(Collected::finish);
        Pack { text: packed::encode(&text), parts, markdown, texts, grams }
    }
}
