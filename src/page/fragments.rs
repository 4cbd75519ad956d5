//! The articles of all entries: the plain ones as markup, the others in packs.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::outline::Outline;
use crate::render::{Html, Placement, Renderer};
use crate::session::context::{Context, State};
use crate::session::{EntryIndex, Session};
use crate::workers::Workers;

use super::chunk_layout::{Chunk, ChunkLayout};
use super::grams::{self, Collected, Grams};
use super::pack_text;
use super::packed;
use super::sizes::{Parts, Tally};
use super::source_lines::PackedLines;
use crate::progress::Steps;

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
    /// What was written so far.
    pub(super) tally: Tally,
    /// Chunks of packs by number that were rendered along with the plain articles.
    early: Mutex<HashMap<usize, Rendered>>,
    /// The one on show.
    leaf: EntryIndex,
    /// There are enough packs for a search to pass over some.
    has_grams: bool,
    /// Of the packs written so far.
    grams: Mutex<Vec<Grams>>,
    /// By entry; none off the path.
    states: Vec<Option<State>>,
    workers: Workers<Renderer<'a>>,
}

impl<'a> Fragments<'a> {
    pub(super) fn new(
        session: &'a Session,
        outline: &'a Outline,
        layout: &'a ChunkLayout,
        lines: &'a PackedLines<'a>,
        context: &Context<'_>,
        renderer: &Renderer<'a>,
        workers: usize,
    ) -> Self {
        let mut states = vec![None; session.len()];
        for (&entry, &state) in context.path.iter().zip(&context.states) {
            states[entry] = Some(state);
        }
        let workers = Workers::new(workers, || renderer.twin());
        Fragments {
            session,
            outline,
            layout,
            lines,
            tally: Tally::default(),
            early: Mutex::default(),
            leaf: context.path.last().copied().unwrap_or_default(),
            has_grams: layout.chunk_counts().len() >= grams::MIN_PACKS,
            grams: Mutex::default(),
            states,
            workers,
        }
    }

    fn article(&self, renderer: &mut Renderer<'a>, entry: EntryIndex) -> Html {
        let state = self.states[entry];
        let tree = self.session.tree();
        let leaf = if state.is_some() { self.leaf } else { tree.newest_leaf_below(entry) };
        renderer.article(entry, Placement { state, leaf })
    }

    /// The pieces of a chunk.
    fn chunk(&self, renderer: &mut Renderer<'a>, chunk: &Chunk) -> Rendered {
        let mut whole =
            Rendered { grams: self.has_grams.then(Collected::default), ..Rendered::default() };
        // Of the line before, in this chunk: whose, and its number.
        let mut before = None;
        for entry in self.layout.entries(chunk) {
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
            whole.text.push(pack_text::PIECE_END);
        }
        whole
    }

    /// The chunks of packs that were rendered early, to be added to or taken from.
    fn early(&self) -> MutexGuard<'_, HashMap<usize, Rendered>> {
        self.early.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One pack of all its chunks.
    fn packed(&self, chunks: Vec<Rendered>) -> (String, Option<Grams>) {
        let more = chunks.iter().skip(1).map(|chunk| chunk.text.len()).sum();
        let mut chunks = chunks.into_iter();
        let mut whole = chunks.next().unwrap_or_default();
        whole.text.reserve_exact(more);
        for chunk in chunks {
            whole.parts += chunk.parts;
            whole.text.extend_from_slice(&chunk.text);
            if let (Some(grams), Some(more)) = (&mut whole.grams, &chunk.grams) {
                grams.merge(more);
            }
        }
        let pack = packed::encode_at(self.layout.level(), &whole.text);
        self.tally.add_packed(whole.parts, pack.len());
        (pack, whole.grams.as_ref().map(Collected::finish))
    }

    /// What a search may look for in each pack, once all are written.
    fn grams(&self) -> MutexGuard<'_, Vec<Grams>> {
        self.grams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A part of a pack before it is compressed.
#[derive(Default)]
struct Rendered {
    text: Vec<u8>,
    parts: Parts,
    /// `None` where no search asks for them.
    grams: Option<Collected>,
}

/// A pack of which chunks are still being rendered.
struct Unfinished {
    chunks: Vec<Option<Rendered>>,
    missing: usize,
}

impl Unfinished {
    fn new(count: usize) -> Mutex<Unfinished> {
        let chunks = std::iter::repeat_with(|| None).take(count).collect();
        Mutex::new(Unfinished { chunks, missing: count })
    }

    /// Takes a chunk in, and gives all of them with the last one.
    fn put(&mut self, nth: usize, chunk: Rendered) -> Option<Vec<Rendered>> {
        self.chunks[nth] = Some(chunk);
        self.missing -= 1;
        (self.missing == 0).then(|| self.chunks.drain(..).flatten().collect())
    }
}

/// The plain articles in document order.
pub(super) struct Articles<'p, 'a> {
    pub(super) fragments: &'p Fragments<'a>,
    pub(super) steps: &'p Steps,
}

impl<'a> fmt::Display for Articles<'_, 'a> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Articles { fragments, steps } = self;
        let chunks = fragments.layout.plain_chunks();
        let early = fragments.layout.chunks();
        let early = &early[..early.len().min(EARLY)];
        let rendered = |renderer: &mut Renderer<'a>, chunk: usize| {
            if let Some(nth) = chunk.checked_sub(chunks.len()) {
                let rendered = fragments.chunk(renderer, &early[nth]);
                fragments.early().insert(nth, rendered);
                return None;
            }
            let (mut all, mut parts) = (Html::new(), Parts::default());
            for &entry in chunks[chunk] {
                let article = fragments.article(renderer, entry);
                parts.add(&article, fragments.outline.row(entry).kind);
                all.push_with_bare_quotes(&article);
            }
            fragments.tally.add_plain(parts);
            Some(all)
        };
        fragments.workers.run(chunks.len() + early.len(), rendered, |html| match html {
            Some(html) => {
                steps.add(1);
                html.fmt(f)
            }
            None => Ok(()),
        })
    }
}

impl askama::filters::HtmlSafe for Articles<'_, '_> {}

/// The packs, each an element of its own, so that one can be opened before the page has arrived whole.
pub(super) struct Packs<'p, 'a> {
    pub(super) fragments: &'p Fragments<'a>,
    pub(super) steps: &'p Steps,
}

impl<'a> fmt::Display for Packs<'_, 'a> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Packs { fragments, steps } = self;
        let chunks = fragments.layout.chunks();
        let packs: Vec<_> =
            fragments.layout.chunk_counts().into_iter().map(Unfinished::new).collect();
        let rendered = |renderer: &mut Renderer<'a>, at: usize| {
            let chunk = &chunks[at];
            let early = fragments.early().remove(&at);
            let rendered = early.unwrap_or_else(|| fragments.chunk(renderer, chunk));
            let mut pack = packs[chunk.pack].lock().unwrap_or_else(PoisonError::into_inner);
            let all = pack.put(chunk.nth, rendered);
            drop(pack);
            // Whoever renders the last chunk compresses, so packs come in their order too.
            all.map(|all| (chunk.pack, fragments.packed(all)))
        };
        fragments.workers.run(chunks.len(), rendered, |pack| {
            steps.add(1);
            match pack {
                Some((nth, (pack, grams))) => {
                    fragments.grams().extend(grams);
                    writeln!(f, "<script type=\"text/plain\" id=\"pack-{nth}\">{pack}</script>")
                }
                None => Ok(()),
            }
        })
    }
}

impl askama::filters::HtmlSafe for Packs<'_, '_> {}

/// What a search may look for in each pack; to be written behind them.
pub(super) struct PackGrams<'p, 'a>(pub(super) &'p Fragments<'a>);

impl fmt::Display for PackGrams<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.has_grams {
            return Ok(());
        }
        let bits = grams::packed(&self.0.grams(), self.0.layout.level());
        writeln!(f, "<script type=\"text/plain\" id=\"grams\">{bits}</script>")
    }
}

impl askama::filters::HtmlSafe for PackGrams<'_, '_> {}
