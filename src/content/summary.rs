//! A compaction: what it replaced, its summary, what is kept in other forms.

use std::fmt::Write as _;

use super::reader::Reader;
use super::{Content, Fold, FoldKind, Group, GroupKind, Line, Part, Role, Span, files};
use crate::figures;
use crate::session::EntryIndex;
use crate::session::entry::Compaction;
use crate::session::json::Json;
use crate::session::message::{Block, Message};
use crate::session::text::counted_entries;

impl<'s> Reader<'s> {
    pub(super) fn compaction(
        &self,
        index: EntryIndex,
        compaction: &'s Compaction<'s>,
    ) -> Content<'s> {
        let is_said = |words: &&'s str| !words.is_empty();
        let mut content = Content::from(Part::Line(self.what_happened(index, compaction)));
        if let Some(short) = compaction.short_summary.as_deref().filter(is_said) {
            content.push(Part::Line(Line::new(Role::Event, [Span::text(short)])));
        }
        if let Some(warning) = compaction.warning.as_deref().filter(is_said) {
            let spans = [Span::own("Warning: "), Span::text(warning)];
            content.push(Part::Line(Line::new(Role::Note, spans)));
        }
        let summary = files::of(&compaction.summary, compaction.details.as_ref());
        let lead = usize::from(compaction.system_message.is_some());
        content.push(folded_summary(summary.prose, lead, compaction));
        if let Some(system) = &compaction.system_message {
            let system = Group::new(GroupKind::Lead(0), self.system(system));
            content.fold("System prompt in force", Part::Group(system).into());
        }
        let retained = compaction.retained_tail.as_deref().unwrap_or_default();
        if !retained.is_empty() {
            let title =
                format!("Messages kept in the compaction ({})", figures::count(retained.len()));
            let messages = retained.iter().zip(lead + 1..);
            content.fold(title, messages.map(|kept| self.retained(kept)).collect());
        }
        content.append(preserved(compaction));
        content.append(summary.files);
        content
    }

    /// What the compaction did, on one line.
    fn what_happened(&self, index: EntryIndex, compaction: &'s Compaction<'s>) -> Line<'s> {
        let mut words = "Compacted".to_owned();
        if compaction.from_extension {
            words.push_str(" by an extension");
        }
        let mut spans = Vec::new();
        if let Some(method) = compaction.method.as_deref().filter(|method| !method.is_empty()) {
            spans.extend([Span::own(format!("{words} (")), Span::text(method)]);
            words.clear();
            words.push(')');
        }
        let after = compaction.tokens_after.map(figures::short);
        match (compaction.tokens_before.map(figures::short), after) {
            (Some(before), Some(after)) => {
                let _ = write!(words, " from {before} to {after} tokens");
            }
            (Some(before), None) => {
                let _ = write!(words, " from {before} tokens");
                if let Some(next) = self.digest.turns.request_after(index).map(figures::short) {
                    let _ = write!(words, ", {next} in the next request");
                }
            }
            (None, Some(after)) => {
                let _ = write!(words, " to {after} tokens");
            }
            (None, None) => {}
        }
        let replaced = self.replaced_entries(index, compaction);
        if replaced > 0 {
            let _ = write!(words, "; this summary replaces {}", counted_entries(replaced));
        }
        spans.push(Span::own(words));
        Line::new(Role::Event, spans)
    }

    /// A message that the compaction keeps in itself, as one of those that the context begins with.
    fn retained(&self, (message, lead): (&'s Message<'s>, usize)) -> Part<'s> {
        Part::Group(Group {
            kind: GroupKind::Retained(lead),
            title: vec![Span::text(message.role())],
            content: self.message(message),
        })
    }

    /// How many messages and summaries the summary stands for: all above the compaction but for what it keeps as it was.
    fn replaced_entries(&self, index: EntryIndex, compaction: &Compaction<'_>) -> usize {
        if compaction.in_place {
            return 0;
        }
        let tree = self.session.tree();
        let on_path = |id: &str| {
            let entry = self.session.index_beside(index, id)?;
            (entry != index && tree.is_on_path(entry, index)).then_some(entry)
        };
        let above = |entry| self.digest.facts.messages_above(entry);
        if let Some(last) = compaction.replay_through_id.as_deref() {
            let last = on_path(last);
            return above(last.unwrap_or(index)) + usize::from(last.is_some());
        }
        let anchor = compaction.first_kept_id.as_deref();
        let anchor = anchor.filter(|_| {
            compaction.retained_tail.is_none() && compaction.remote_provider().is_none()
        });
        above(anchor.and_then(on_path).unwrap_or(index))
    }
}

fn folded_summary<'s>(prose: &'s str, lead: usize, compaction: &'s Compaction<'s>) -> Part<'s> {
    let title = if prose.trim().is_empty() {
        "Empty summary".to_owned()
    } else {
        let words = compaction.summary.split_whitespace().count();
        format!("Summary, {}", figures::counted(words, "word"))
    };
    let mut content = Content::of_prose(prose);
    content.append(archive(compaction));
    let content = Part::Group(Group::new(GroupKind::Lead(lead), content)).into();
    Part::Fold(Fold::own(FoldKind::Summary, title, content))
}

/// The archive that goes to the model with the summary: texts and pictures.
fn archive<'s>(compaction: &'s Compaction<'s>) -> Content<'s> {
    let mut content = Content::new();
    for key in ["textHead", "text", "textTail"] {
        if let Some(text) = compaction.snapcompact(key).and_then(Json::as_str) {
            content.fold("Archived text", Content::of_prose(text));
        }
    }
    let frames = compaction.frames().into_iter().filter_map(|frame| match frame {
        Block::Image { data, mime_type } => Some(Part::Image { data, mime_type }),
        _ => None,
    });
    let frames: Content<'_> = frames.collect();
    if !frames.is_empty() {
        content.fold("The history as images", frames);
    }
    content
}

/// What else the agent or the provider keeps of the history.
fn preserved<'s>(compaction: &'s Compaction<'s>) -> Content<'s> {
    let mut content = Content::new();
    let Some(Json::Object(fields)) = &compaction.preserved else { return content };
    let is_archive = |json: &Json<'_>| {
        ["textHead", "text", "textTail"]
            .iter()
            .all(|key| json.get(key).is_none_or(|text| matches!(text, Json::String(_))))
            && matches!(json.get("frames"), None | Some(Json::Array(_)))
    };
    let rest = fields.iter().filter(|(key, json)| key != "snapcompact" || !is_archive(json));
    let mut kept = Content::new();
    kept.fields(rest.map(|(key, value)| (key.as_ref(), value)));
    if !kept.is_empty() {
        content.fold("Kept by the agent or the provider", kept);
    }
    content
}
