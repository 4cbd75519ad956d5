//! What an entry shows, by its kind.
//!
//! This is where a kind of entry meets what it shows.
//! Calls and results are in `tool/`, responses in `response.rs`, the rest in a file a kind.

use std::borrow::Cow;
use std::slice;

use super::reader::{Reader, Source};
use super::{
    Content, Fold, FoldKind, Group, GroupKind, Line, Part, Role, Span, Style, Value, event, files,
    mention, omitted, skill, started, tags, tool,
};
use crate::session::entry::{BranchSummary, Replacement};
use crate::session::event::Event;
use crate::session::json::Json;
use crate::session::message::{Block, CustomMessage, Message, joined_text};
use crate::session::{Body, ContextRules, EntryIndex, context, notice, title};

impl<'s> Reader<'s> {
    /// What the entry says.
    pub(crate) fn body(&self, source: Source<'s>) -> Content<'s> {
        let Source { index, entry, .. } = source;
        let mut content = self.said(source);
        content.append(omitted::parts(&entry.omitted));
        content.append(self.artifacts.of(self.session, index, entry));
        content
    }

    fn said(&self, source: Source<'s>) -> Content<'s> {
        let Source { index, entry, .. } = source;
        if let Some(sub) = started::missing(self.session, index) {
            return started::reason(sub);
        }
        match &entry.body {
            Body::Message(Message::Assistant(assistant)) => self.response(index, assistant),
            Body::Message(Message::ToolResult(result)) => self.result(source, result).into(),
            Body::Message(message) => self.message(message),
            Body::CustomMessage(custom) => self.custom_message(custom),
            Body::Compaction(compaction) => self.compaction(index, compaction),
            Body::BranchSummary(branch) => self.branch_summary(index, branch),
            Body::ContextEdit { target_id, replacement } => {
                self.context_edit(index, target_id, replacement)
            }
            Body::Label { target_id, label } => {
                let verb = if label.is_some() { "for " } else { "cleared from " };
                let mut spans = event::spans([label.as_deref().unwrap_or_default()], verb);
                self.reference(index, target_id, &mut spans);
                event::line(spans)
            }
            Body::ModelChange(change) => event::model_change(change),
            Body::ThinkingLevelChange(level) => event::change(level.as_ref(), ""),
            Body::SessionInfo(name) => {
                event::change(name.as_ref(), if name.is_empty() { "cleared" } else { "" })
            }
            Body::Usage(usage) => event::usage_entry(usage),
            Body::Event(Event::Archive { target_id, archived }) => {
                let mut spans =
                    vec![Span::own(if *archived { "archived: " } else { "restored: " })];
                self.reference(index, target_id, &mut spans);
                event::line(spans)
            }
            Body::Event(happened) => event::of(happened),
            Body::Custom { custom_type, data } => {
                let mut content = event::change(custom_type.as_ref(), "");
                if let Some(notes) = self.notes(&entry.body) {
                    content.push(Part::Group(Group::new(GroupKind::Note, notes)));
                } else if let Some(data) = data {
                    content.fold("State", Part::Json(data.into()).into());
                }
                content
            }
            Body::Omitted(omitted) => omitted::entries(omitted),
            Body::Other { fields, .. } => unknown(fields),
        }
    }

    /// A message whose place in the session does not matter.
    pub(super) fn message(&self, message: &'s Message<'s>) -> Content<'s> {
        match message {
            Message::User(content) => self.prompt(content),
            Message::Developer(content) => self.blocks(content),
            Message::Assistant(assistant) => self.blocks(&assistant.content),
            Message::ToolResult(result) => Content::printed(&result.content, result.is_error),
            Message::System(system) => self.system(system),
            Message::Bash(_) | Message::Program(_) => tool::own(message),
            Message::FileMention(files) => mention::files(files),
            Message::Custom(custom) | Message::Hook(custom) => self.custom_message(custom),
            Message::Other { fields, .. } => unknown(fields),
        }
    }

    /// What a person typed, a skill at its beginning apart.
    fn prompt(&self, blocks: &'s [Block<'s>]) -> Content<'s> {
        let mut content = Content::new();
        for block in blocks {
            match block {
                Block::Text(text) => content.append(skill::typed(text)),
                other => content.append(self.blocks(slice::from_ref(other))),
            }
        }
        content
    }

    fn custom_message(&self, custom: &'s CustomMessage<'s>) -> Content<'s> {
        if custom.is_stop() {
            // The head says it: the text is a notice of the agent to the model.
            return Content::new();
        }
        if let Some(content) = self.renderers.message(custom) {
            return content;
        }
        // Claude Code's mark of what it hides, which the fold says.
        let custom_type: &'s str = custom.custom_type.as_ref();
        let name = if custom_type == "meta" { "" } else { notice::name(custom_type) };
        let mut content = if name.is_empty() { Content::new() } else { event::change(name, "") };
        let notes = event::advice(custom);
        let details = custom.details.as_ref().filter(|_| notes.is_none());
        let tagged = || tags::within(&custom.content).filter(|_| !custom.display);
        let mut said = notes.or_else(tagged).unwrap_or_else(|| self.blocks(&custom.content));
        if let Some(details) = details {
            said.fold("Details", Part::Value(details.into()).into());
        }
        if custom.display {
            content.append(said);
        } else {
            let fold = Fold::own(FoldKind::HiddenMessage, "Hidden by the agent", said);
            content.push(Part::Fold(fold));
        }
        content
    }

    /// What an agent notes for itself, where the model gets it.
    fn notes(&self, body: &Body<'_>) -> Option<Content<'s>> {
        let is_omp = self.session.format().traits().context == ContextRules::Omp;
        let Message::Custom(custom) = context::note(body).filter(|_| is_omp)? else { return None };
        Some(Content::of_prose(joined_text(&custom.content, "\n")))
    }

    fn branch_summary(&self, index: EntryIndex, branch: &'s BranchSummary<'s>) -> Content<'s> {
        let mut content = Content::new();
        if self.session.index_beside(index, &branch.from_id).is_some() {
            let mut spans = vec![Span::own("From ")];
            self.reference(index, &branch.from_id, &mut spans);
            content.append(event::line(spans));
        }
        if branch.summary.is_empty() {
            content.remark("No summary was made");
        }
        let summary = files::of(&branch.summary, branch.details.as_ref());
        content.prose(summary.prose);
        content.append(summary.files);
        content
    }

    fn context_edit(
        &self,
        index: EntryIndex,
        target_id: &'s str,
        replacement: &'s Replacement<'s>,
    ) -> Content<'s> {
        let mut spans = vec![Span::own(match replacement {
            Replacement::Omit => "removed from the model's context: ",
            Replacement::Content(_) => "replaced in the model's context: ",
        })];
        self.reference(index, target_id, &mut spans);
        let mut content = event::line(spans);
        if let Replacement::Content(blocks) = replacement {
            let group = Group::new(GroupKind::Replacement, self.blocks(blocks));
            content.push(Part::Group(group));
        }
        content
    }

    /// An entry of the session, named by its first words, or the last ones before it; the bare id where nobody spoke.
    fn reference(&self, index: EntryIndex, id: &'s str, spans: &mut Vec<Span<'s>>) {
        /// Entries that are passed on the way up to words.
        const PASSED: usize = 16;
        let Some(known) = self.session.index_beside(index, id) else {
            return spans.extend([Span::text(id), Span::own(" (not in this session)")]);
        };
        let style = Style::Entry(known);
        let said = self.session.tree().ancestors(known).take(PASSED);
        let words = said.into_iter().find_map(|entry| title::first_words(self.session, entry));
        spans.push(match words {
            Some(words) => Span::styled(style, format!("“{words}”")),
            None => Span::styled(style, id),
        });
    }
}

/// Something unknown here.
fn unknown<'s>(fields: &[(Cow<'s, str>, Json<'s>)]) -> Content<'s> {
    Part::Json(Value::Made(Json::Object(fields.to_vec()))).into()
}

/// What stands where a message says nothing at all.
pub(crate) fn empty_message() -> Line<'static> {
    Line::own(Role::Note, "Empty message")
}
