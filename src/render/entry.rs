//! The body of an entry.

use super::draw::Drawer;
use super::highlight::Colors;
use super::{Renderer, output};
use crate::content::{Reader, Source, started};
use crate::html::Html;
use crate::session::entry::Entry;
use crate::session::{Body, EntryIndex};

impl Renderer<'_> {
    /// What the entry says, without its head.
    pub(super) fn body(&self, source: Source<'_>, leaf: EntryIndex, colors: &mut Colors) -> Html {
        let Source { index, entry, .. } = source;
        let content = self.content().body(source);
        let mut html = self.drawer(index, leaf, colors).content(&content);
        if let Body::Compaction(_) = entry.body {
            html.push_markup("\n");
        }
        if entry.omitted.output > 0 {
            // There was some: a remark says what became of it.
            html = html.without_markup(output::NONE);
        }
        self.agents.link(self.session, index, html)
    }

    /// The same without calls and what stands there on demand: of a compaction one line.
    pub(super) fn words_alone(
        &self,
        source: Source<'_>,
        leaf: EntryIndex,
        colors: &mut Colors,
    ) -> Html {
        let content = self.content().body(source).words_alone();
        self.drawer(source.index, leaf, colors).content(&content)
    }

    /// The sessions that the entry started.
    pub(super) fn started(
        &self,
        index: EntryIndex,
        entry: &Entry<'_>,
        colors: &mut Colors,
    ) -> Html {
        self.drawer(index, index, colors).content(&started::sub_sessions(
            self.session,
            index,
            entry,
        ))
    }

    /// The words of the entry that a search looks through.
    pub(super) fn words(&self, source: Source<'_>) -> String {
        self.content().text(source)
    }

    fn content(&self) -> Reader<'_> {
        Reader {
            session: self.session,
            digest: self.digest,
            artifacts: &self.artifacts,
            work: &self.work,
            renderers: &self.renderers,
        }
    }

    /// Draws what an entry shows on the path to a leaf.
    pub(super) fn drawer<'d>(
        &'d self,
        index: EntryIndex,
        leaf: EntryIndex,
        colors: &'d mut Colors,
    ) -> Drawer<'d> {
        Drawer {
            session: self.session,
            work: &self.work,
            pictures: self.pictures.seen_from(index),
            leaf,
            colors,
        }
    }
}
