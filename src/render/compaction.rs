//! A compaction: what it replaced, its summary, what is kept in other forms.

use askama::Template;

use super::event::fold;
use super::{Renderer, files, fill, markdown, output, value};
use crate::figures;
use crate::html::Html;
use crate::session::EntryIndex;
use crate::session::entry::Compaction;
use crate::session::json::Json;

#[derive(Template)]
#[template(path = "compaction.html")]
struct CompactionTemplate<'a> {
    by: &'static str,
    tokens_before: Option<String>,
    tokens_after: Option<String>,
    /// Tokens sent with the first answer below, where the size after is not stated.
    next_request: Option<String>,
    /// How many entries above the first kept one the summary stands for.
    replaced: usize,
    /// Where the summary stands among the messages that a context begins with.
    lead_of_summary: usize,
    summary: Html,
    /// The summary's length.
    size: String,
    system: Option<Html>,
    retained: Vec<Retained>,
    files: Html,
    method: Option<&'a str>,
    short: Option<&'a str>,
    warning: Option<&'a str>,
    archive: Html,
    preserved: Html,
}

/// A message that a compaction keeps in itself.
struct Retained {
    lead: usize,
    role: String,
    body: Html,
}

impl Renderer<'_> {
    pub(super) fn compaction(&mut self, index: EntryIndex, compaction: &Compaction<'_>) -> Html {
        let lead_of_summary = usize::from(compaction.system_message.is_some());
        let retained = compaction.retained_tail.iter().flatten().zip(lead_of_summary + 1..);
        let summary = files::of(&compaction.summary, compaction.details.as_ref());
        fill(&CompactionTemplate {
            by: if compaction.from_extension { "an extension" } else { "the agent" },
            tokens_before: compaction.tokens_before.map(figures::grouped),
            tokens_after: compaction.tokens_after.map(figures::grouped),
            next_request: self
                .digest
                .turns
                .request_after(index)
                .filter(|_| compaction.tokens_after.is_none())
                .map(figures::grouped),
            replaced: self.replaced_entries(index, compaction),
            lead_of_summary,
            size: figures::counted(compaction.summary.split_whitespace().count(), "word"),
            summary: markdown::block(summary.prose),
            system: compaction.system_message.as_ref().map(|system| self.system(index, system)),
            retained: retained
                .map(|(message, lead)| Retained {
                    lead,
                    role: message.role().to_owned(),
                    body: self.message(index, message),
                })
                .collect(),
            files: summary.files,
            method: compaction.method.as_deref().filter(|method| !method.is_empty()),
            short: compaction.short_summary.as_deref().filter(|short| !short.is_empty()),
            warning: compaction.warning.as_deref().filter(|warning| !warning.is_empty()),
            archive: self.archive(index, compaction),
            preserved: Self::preserved(compaction),
        })
    }

    /// The archive that goes to the model with the summary: texts and pictures.
    fn archive(&self, index: EntryIndex, compaction: &Compaction<'_>) -> Html {
        let mut html = Html::new();
        for key in ["textHead", "text", "textTail"] {
            if let Some(text) = compaction.snapcompact(key).and_then(Json::as_str) {
                html.push(&fold("Archived text", &markdown::block(text)));
            }
        }
        let frames = compaction.frames();
        if !frames.is_empty() {
            let pictures = output::content(&frames, false, self.pictures.seen_from(index));
            html.push(&fold("The history as images", &pictures));
        }
        html
    }

    /// What else the agent or the provider keeps of the history.
    fn preserved(compaction: &Compaction<'_>) -> Html {
        let mut html = Html::new();
        let Some(Json::Object(fields)) = &compaction.preserved else {
            return html;
        };
        let is_archive = |json: &Json<'_>| {
            ["textHead", "text", "textTail"]
                .iter()
                .all(|key| json.get(key).is_none_or(|text| matches!(text, Json::String(_))))
                && matches!(json.get("frames"), None | Some(Json::Array(_)))
        };
        let rest = fields.iter().filter(|(key, json)| key != "snapcompact" || !is_archive(json));
        let rest = value::fields(rest.map(|(key, value)| (key.as_ref(), value)));
        if !rest.is_empty() {
            html.push(&fold("Kept by the agent or the provider", &rest));
        }
        html
    }

    /// Everything above the compaction but for what it keeps as it was.
    fn replaced_entries(&self, index: EntryIndex, compaction: &Compaction<'_>) -> usize {
        if compaction.in_place {
            return 0;
        }
        let tree = self.session.tree();
        let on_path = |id: &str| {
            let entry = self.session.index_beside(index, id)?;
            (entry != index && tree.is_on_path(entry, index)).then_some(entry)
        };
        if let Some(last) = compaction.replay_through_id.as_deref() {
            return tree.depth(on_path(last).unwrap_or(index))
                + usize::from(on_path(last).is_some());
        }
        let anchor = compaction.first_kept_id.as_deref();
        let anchor = anchor.filter(|_| {
            compaction.retained_tail.is_none() && compaction.remote_provider().is_none()
        });
        tree.depth(anchor.and_then(on_path).unwrap_or(index))
    }
}
