//! Whole outputs that an agent keeps in files beside the session and names in
//! its texts (`artifact://3`): each stands once, in the first entry that names it.

use std::collections::HashMap;

use super::output;
use crate::figures;
use crate::html::Html;
use crate::session::attachments::Attachments;
use crate::session::message::Message;
use crate::session::{Body, Entry, EntryIndex, Session};

/// So much of one output stands in the page, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// Where each output stands.
#[derive(Debug, Default)]
pub(super) struct ArtifactPlaces {
    /// By session and number: each session counts its own.
    first: HashMap<(usize, String), EntryIndex>,
}

impl ArtifactPlaces {
    /// Which entry names an output first, in document order.
    pub(super) fn read(session: &Session) -> ArtifactPlaces {
        let mut places = ArtifactPlaces::default();
        if !session.dialect().traits().has_addresses {
            return places;
        }
        for index in session.tree().order() {
            // Most entries name none and need not be parsed for this.
            if session.raw(index).contains("artifact") {
                let nth = session.tree().session_of(index);
                for number in named(&session.entry(index)) {
                    places.first.entry((nth, number)).or_insert(index);
                }
            }
        }
        places
    }

    /// The outputs that an entry names, for the end of its body.
    pub(super) fn of(&self, session: &Session, index: EntryIndex, entry: &Entry<'_>) -> Html {
        let mut html = Html::new();
        if self.first.is_empty() || !entry.raw.contains("artifact") {
            return html;
        }
        let nth = session.tree().session_of(index);
        for number in named(entry) {
            let place = (nth, number);
            match self.first.get(&place) {
                Some(&first) if first == index => html.push(&whole(session, index, &place.1)),
                Some(&first) => html.push(&elsewhere(&place.1, &session.key(first))),
                None => {}
            }
        }
        html
    }
}

/// The numbers of the outputs that an answer of a tool names, or an output of
/// the person's own: nobody else tells where an output is kept.
fn named(entry: &Entry<'_>) -> Vec<String> {
    let mut numbers = Vec::new();
    let mut add = |number: &str| {
        let is_number =
            (1..10).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
        if is_number && !numbers.iter().any(|known| known == number) {
            numbers.push(number.to_owned());
        }
    };
    match &entry.body {
        Body::Message(Message::ToolResult(result)) => {
            if let Some(details) = &result.details {
                let meta = details.get("meta").and_then(|meta| meta.get("truncation"));
                let ids = [Some(details), meta].into_iter().flatten();
                for id in ids.filter_map(|facts| facts.get("artifactId")) {
                    add(&id.clone().into_text());
                }
            }
        }
        Body::Message(Message::Bash(_) | Message::Program(_)) | Body::CustomMessage(_) => {}
        _ => return numbers,
    }
    Attachments::artifacts_named(entry.raw).into_iter().for_each(add);
    numbers
}

fn whole(session: &Session, entry: EntryIndex, number: &str) -> Html {
    let mut html = Html::new();
    let artifact = match session.attachments_of(entry).artifact(number) {
        Ok(artifact) => artifact,
        Err(reason) => {
            html.push_markup(
                "<p class=\"note\"><span data-ui>The whole output </span><code>artifact://",
            );
            html.push_text(number);
            html.push_markup("</code><span data-ui> is not here: ");
            html.push_text(reason);
            html.push_markup("</span></p>\n");
            return html;
        }
    };
    let mut end = artifact.text.len().min(MAX_BYTES);
    while !artifact.text.is_char_boundary(end) {
        end -= 1;
    }
    html.push_markup(
        "<details class=\"fold artifact\"><summary><span data-ui>Whole output </span><code>",
    );
    html.push_text(&artifact.name);
    html.push_markup("</code><span class=\"fact\" data-ui> ");
    html.push_text(&figures::bytes(artifact.text.len()));
    html.push_markup("</span></summary>\n");
    html.push(&output::printed(&artifact.text[..end]));
    if end < artifact.text.len() {
        html.push_markup("<p class=\"note\" data-ui>Only the first ");
        html.push_text(&figures::bytes(end));
        html.push_markup(" are in this page</p>\n");
    }
    html.push_markup("</details>\n");
    html
}

fn elsewhere(number: &str, key: &str) -> Html {
    let mut html = Html::new();
    html.push_markup("<p class=\"note\"><span data-ui>The whole output </span><code>artifact://");
    html.push_text(number);
    html.push_markup("</code><span data-ui> is in <a href=\"#entry-");
    html.push_text(key);
    html.push_markup("\">");
    html.push_text(key);
    html.push_markup("</a></span></p>\n");
    html
}
