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
    pub(super) fn body(&self, source: Source<'_>) -> Html {
        self.pictures.begin();
        let Source { index, entry, .. } = source;
        let content = self.content().body(source);
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

    pub(super) fn content(&self) -> Reader<'_> {
        Reader {
            session: self.session,
            digest: self.digest,
            artifacts: &self.artifacts,
            runs: self,
        }
    }

    pub(super) fn drawer(&self, index: EntryIndex) -> Drawer<'_> {
        Drawer {
            session: self.session,
            story: &self.digest.story,
            pictures: self.pictures.seen_from(index),
        }
    }
}

impl Runs for Renderer<'_> {
    fn call(
        &self,
        entry: EntryIndex,
        place: Option<CallPlace>,
        aborted: bool,
        call: &ToolCall<'_>,
    ) -> Html {
        self.draw_call(entry, place, aborted, call)
    }

    fn result(&self, source: Source<'_>, result: &ToolResult<'_>) -> Html {
        let sub = started::in_card(self.session, source.index, source.entry);
        self.tool_card(source, result, sub)
    }

    fn own(&self, entry: EntryIndex, message: &Message<'_>) -> Html {
        match message {
            Message::Bash(bash) => tool::own_command(bash, self.pictures.seen_from(entry)),
            Message::Program(program) => tool::own_program(program),
            _ => Html::new(),
        }
    }

    fn message(&self, custom: &CustomMessage<'_>) -> Option<Html> {
        self.renderers.message(&custom.custom_type)?.render(custom)
    }
}
