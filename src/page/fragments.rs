//! The articles of all entries: the plain ones as markup, the others in packs.

use std::ops::Range;

use crate::markdown::pieces::Pieces;
use crate::outline::Outline;
use crate::render::{Html, Renderer};
use crate::session::{EntryIndex, Session};
use crate::workers::{Threads, Workers};

use super::changes::versions::{TextPieces, WholeTexts};
use super::chunk_layout::{ChunkLayout, cut_for_workers};
use super::markdown_data::EntryMarkdown;
use super::sizes::Parts;
use super::story::{Placing, PlainStory};
use super::wire::grams::{self, Collected, Grams};
use super::wire::source_lines::PackedLines;
use super::wire::{pack_text, packed};

/// So many chunks of packs are rendered along with the plain articles, one of which may hold a long
/// file: while one worker is still busy with that, the others go on.
const EARLY: usize = 24;

/// What stands in the document itself.
enum Plain {
    /// The story, which is drawn.
    Story(PlainStory),
    /// Every entry in document order, and ranges of them that one worker renders in one go.
    All(Vec<EntryIndex>, Vec<Range<usize>>),
}

/// Renders every entry where it goes.
pub(super) struct Fragments<'a> {
    outline: &'a Outline,
    layout: &'a ChunkLayout,
    /// The lines of the session's files that lie beside the articles.
    lines: &'a PackedLines<'a>,
    markdown: &'a Pieces<'a>,
    /// The texts of files that rows of the session have.
    texts: &'a WholeTexts,
    placing: &'a Placing<'a>,
    plain: Plain,
    /// There are enough packs for a search to pass over some.
    has_grams: bool,
    pub(super) threads: Threads,
    workers: Workers<Renderer<'a>>,
}

impl<'a> Fragments<'a> {
    pub(super) fn new(
        session: &'a Session,
        outline: &'a Outline,
        layout: &'a ChunkLayout,
        (lines, markdown, texts): (&'a PackedLines<'a>, &'a Pieces<'a>, &'a WholeTexts),
        (placing, story): (&'a Placing<'a>, Option<PlainStory>),
        renderer: &Renderer<'a>,
        threads: Threads,
    ) -> Self {
        let plain = story.map_or_else(
            || {
                let entries: Vec<EntryIndex> = session.tree().order().collect();
                let chunks = cut_for_workers(session, &entries);
                Plain::All(entries, chunks)
            },
            Plain::Story,
        );
        Fragments {
            outline,
            layout,
            lines,
            markdown,
            texts,
            placing,
            plain,
            has_grams: layout.pack_starts().len() >= grams::MIN_PACKS,
            threads,
            workers: Workers::new(threads, || renderer.twin()),
        }
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
            let article = self.placing.article(renderer, entry);
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

    /// How many chunks there are, of plain articles and of packs.
    pub(super) fn chunk_count(&self) -> usize {
        let plain = match &self.plain {
            Plain::Story(_) => 1,
            Plain::All(_, chunks) => chunks.len(),
        };
        plain + self.layout.chunks().len()
    }

    /// The plain articles in document order, some at a time. Gives the first chunks of packs.
    pub(super) fn articles<E>(
        &self,
        mut write: impl FnMut(PlainChunk) -> Result<(), E>,
    ) -> Result<Vec<Chunk>, E> {
        let (entries, plain) = match &self.plain {
            Plain::Story(story) => {
                write(self.told(story))?;
                (&[][..], &[][..])
            }
            Plain::All(entries, chunks) => (&entries[..], &chunks[..]),
        };
        let packed = self.layout.chunks();
        let rendered = |renderer: &mut Renderer<'a>, at: usize| {
            if let Some(nth) = at.checked_sub(plain.len()) {
                return Err(Box::new(self.chunk(renderer, &packed[nth])));
            }
            let mut all = PlainChunk::default();
            for &entry in &entries[plain[at].clone()] {
                self.add_plain(&mut all, entry, &self.placing.article(renderer, entry));
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

    /// The story, with lines that say what is left out.
    fn told(&self, story: &PlainStory) -> PlainChunk {
        let mut all = PlainChunk::default();
        for (left_out, piece) in &story.pieces {
            all.html.push(&left_out.html());
            if piece.is_whole {
                self.add_plain(&mut all, piece.entry, &piece.html);
            } else {
                all.html.push_with_bare_quotes(&piece.html);
            }
        }
        all.html.push(&story.left_out.html());
        all
    }

    fn add_plain(&self, all: &mut PlainChunk, entry: EntryIndex, article: &Html) {
        all.parts.add(article, self.outline.row(entry).kind);
        all.html.push_with_bare_quotes(article);
        all.markdown.push(EntryMarkdown::new(self.markdown, entry, &[]));
        all.texts.extend(self.texts.pieces(entry, &[]));
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
