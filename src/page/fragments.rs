//! The articles of all entries: the plain ones as markup, the others in packs.

use std::fmt;

use crate::outline::Outline;
use crate::render::{Html, Placement, Renderer};
use crate::session::context::{Context, State};
use crate::session::{EntryIndex, Session};
use crate::workers::Workers;

use super::packed;
use super::plan::Plan;
use super::progress::Steps;
use super::sizes::{Parts, Tally};

/// Ends each fragment of a pack (`FRAGMENT_END` in static/js/packs.js). No fragment
/// holds it: escaping replaces it.
const SEPARATOR: u8 = 0;

/// Renders every entry where it goes.
pub(super) struct Fragments<'a> {
    session: &'a Session,
    outline: &'a Outline,
    plan: &'a Plan,
    /// What was written so far.
    pub(super) tally: Tally,
    leaf: EntryIndex,
    /// By entry; none off the path.
    states: Vec<Option<State>>,
    workers: Workers<Renderer<'a>>,
}

impl<'a> Fragments<'a> {
    pub(super) fn new(
        session: &'a Session,
        outline: &'a Outline,
        plan: &'a Plan,
        context: &Context<'_>,
        leaf: EntryIndex,
        renderer: &Renderer<'a>,
        workers: usize,
    ) -> Self {
        let mut states = vec![None; session.len()];
        for (&entry, &state) in context.path.iter().zip(&context.states) {
            states[entry] = Some(state);
        }
        let workers = Workers::new(workers, || renderer.twin());
        Fragments { session, outline, plan, tally: Tally::default(), leaf, states, workers }
    }

    fn article(&self, renderer: &mut Renderer<'a>, entry: EntryIndex) -> Html {
        let state = self.states[entry];
        let tree = self.session.tree();
        let leaf = if state.is_some() { self.leaf } else { tree.newest_leaf_below(entry) };
        renderer.article(entry, Placement { state, leaf })
    }

    /// One pack, packed: fragments, each ended by the separator.
    fn pack(&self, renderer: &mut Renderer<'a>, nth: usize) -> String {
        let mut markup = Vec::new();
        let mut parts = Parts::default();
        for entry in self.plan.pack(nth) {
            let article = self.article(renderer, entry);
            parts.add(&article, self.outline.row(entry).kind);
            markup.extend_from_slice(article.as_str().as_bytes());
            markup.push(SEPARATOR);
        }
        let pack = packed::encode_at(self.plan.level(), &markup);
        self.tally.add_packed(parts, pack.len());
        pack
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
        let pieces = fragments.plan.plain_pieces();
        let rendered = |renderer: &mut Renderer<'a>, piece: usize| {
            let (mut all, mut parts) = (Html::new(), Parts::default());
            for &entry in pieces[piece] {
                let article = fragments.article(renderer, entry);
                parts.add(&article, fragments.outline.row(entry).kind);
                all.push(&article);
            }
            fragments.tally.add_plain(parts);
            all
        };
        fragments.workers.run(pieces.len(), rendered, |html| {
            steps.step("articles");
            html.fmt(f)
        })
    }
}

impl askama::filters::HtmlSafe for Articles<'_, '_> {}

/// The packs, each an element of its own, so that one can be opened before the page has arrived whole.
pub(super) struct Packs<'p, 'a> {
    pub(super) fragments: &'p Fragments<'a>,
    pub(super) steps: &'p Steps,
}

impl fmt::Display for Packs<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Packs { fragments, steps } = self;
        let mut nth = 0;
        fragments.workers.run(
            fragments.plan.pack_count(),
            |renderer, nth| fragments.pack(renderer, nth),
            |pack| {
                steps.step("articles");
                writeln!(f, "<script type=\"text/plain\" id=\"pack-{nth}\">{pack}</script>")?;
                nth += 1;
                Ok(())
            },
        )
    }
}

impl askama::filters::HtmlSafe for Packs<'_, '_> {}
