//! The body of an entry.

use super::draw::Drawer;
use super::{Renderer, output, tool};
use crate::content::{Reader, Runs, Source, started};
use crate::html::Html;
use crate::session::calls::CallPlace;
use crate::session::entry::Entry;
use crate::session::message::{CustomMessage, Message, ToolCall, ToolResult};
use crate::session::{Body, EntryIndex};

impl Renderer<'_> {
    /// What the entry says, without its head.
    pub(super) fn body(&self, source: Source<'_>, leaf: EntryIndex) -> Html {
        self.pictures.begin();
        let Source { index, entry, .. } = source;
        let runs = DrawnRuns { renderer: self, leaf };
        let content = self.content(&runs).body(source);
        let mut html = self.drawer(index).content(&content);
        if let Body::Compaction(_) = entry.body {
            html.push_markup("\n");
        }
        if entry.omitted.output > 0 {
            // There was some: a remark says what became of it.
            html = html.without_markup(output::NONE);
        }
        self.agents.link(self.session, index, html)
    }

    /// The sessions that the entry started.
    pub(super) fn started(&self, index: EntryIndex, entry: &Entry<'_>) -> Html {
        self.drawer(index).content(&started::sub_sessions(self.session, index, entry))
    }

    /// The words of the entry that a search looks through.
    pub(super) fn words(&self, source: Source<'_>) -> String {
        let runs = DrawnRuns { renderer: self, leaf: source.index };
        self.content(&runs).text(source)
    }

    fn content<'r>(&'r self, runs: &'r DrawnRuns<'r, '_>) -> Reader<'r> {
        Reader { session: self.session, digest: self.digest, artifacts: &self.artifacts, runs }
    }

    pub(super) fn drawer(&self, index: EntryIndex) -> Drawer<'_> {
        Drawer {
            session: self.session,
            story: &self.digest.story,
            pictures: self.pictures.seen_from(index),
        }
    }
}

/// Runs as they are drawn on the path to a leaf.
#[derive(Debug)]
struct DrawnRuns<'r, 'a> {
    renderer: &'r Renderer<'a>,
    leaf: EntryIndex,
}

impl Runs for DrawnRuns<'_, '_> {
    fn call(
        &self,
        entry: EntryIndex,
        place: Option<CallPlace>,
        aborted: bool,
        call: &ToolCall<'_>,
    ) -> Html {
        self.renderer.draw_call((entry, self.leaf), place, aborted, call)
    }

    fn result(&self, source: Source<'_>, result: &ToolResult<'_>) -> Html {
        let sub = started::in_card(self.renderer.session, source.index, source.entry);
        self.renderer.tool_card(source, result, sub)
    }

    fn own(&self, entry: EntryIndex, message: &Message<'_>) -> Html {
        match message {
            Message::Bash(bash) => tool::own_command(bash, self.renderer.pictures.seen_from(entry)),
            Message::Program(program) => tool::own_program(program),
            _ => Html::new(),
        }
    }

    fn message(&self, custom: &CustomMessage<'_>) -> Option<Html> {
        self.renderer.renderers.message(&custom.custom_type)?.render(custom)
    }
}
