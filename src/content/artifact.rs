//! Whole outputs that an agent keeps in files beside the session and names in
//! its texts (`artifact://3`): each stands once, in the first entry that names it.

use std::collections::HashMap;

use super::{Content, Fold, FoldKind, Line, Part, Role, Span, Style};
use crate::figures;
use crate::session::attachments::Attachments;
use crate::session::message::Message;
use crate::session::{Body, Entry, EntryIndex, Session};

/// So much of one output stands in the page, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// Where each output stands.
#[derive(Debug, Default)]
pub(crate) struct ArtifactPlaces {
    /// By session and number: each session counts its own.
    first: HashMap<(usize, String), EntryIndex>,
}

impl ArtifactPlaces {
    /// Which entry names an output first, in document order.
    pub(crate) fn read(session: &Session) -> ArtifactPlaces {
        let mut places = ArtifactPlaces::default();
        if !session.format().traits().has_addresses {
            return places;
        }
        for index in session.tree().order() {
            // Most entries name none and need not be parsed for this.
            if session.raw_at(index).contains("artifact") {
                let nth = session.tree().session_of(index);
                for number in named(&session.entry_at(index)) {
                    places.first.entry((nth, number)).or_insert(index);
                }
            }
        }
        places
    }

    /// The outputs that an entry names, for the end of its body.
    pub(super) fn of<'s>(
        &self,
        session: &'s Session,
        index: EntryIndex,
        entry: &Entry<'_>,
    ) -> Content<'s> {
        let mut content = Content::new();
        if self.first.is_empty() || !entry.raw.contains("artifact") {
            return content;
        }
        let nth = session.tree().session_of(index);
        for number in named(entry) {
            let place = (nth, number);
            match self.first.get(&place) {
                Some(&first) if first == index => content.push(whole(session, index, &place.1)),
                Some(&first) => {
                    let style = Style::BeforeKey(first);
                    let became = Span { style, ..Span::own(" is in ") };
                    content.push(elsewhere(&place.1, became));
                }
                None => {}
            }
        }
        content
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

fn whole<'s>(session: &'s Session, entry: EntryIndex, number: &str) -> Part<'s> {
    let artifact = match session.attachments_of(entry).artifact(number) {
        Ok(artifact) => artifact,
        Err(reason) => return elsewhere(number, Span::own(format!(" is not here: {reason}"))),
    };
    let mut end = artifact.text.len().min(MAX_BYTES);
    while !artifact.text.is_char_boundary(end) {
        end -= 1;
    }
    let mut content = Content::new();
    content.output(&artifact.text[..end]);
    if end < artifact.text.len() {
        content.remark(format!("Only the first {} are in this page", figures::bytes(end)));
    }
    let size = format!(" {}", figures::bytes(artifact.text.len()));
    let title = vec![
        Span::own("Whole output "),
        Span::styled(Style::Code, artifact.name.as_str()),
        Span { is_own: true, ..Span::styled(Style::Fact, size) },
    ];
    Part::Fold(Fold { kind: FoldKind::Artifact, title, content })
}

/// What became of an output that does not stand here.
fn elsewhere<'s>(number: &str, became: Span<'s>) -> Part<'s> {
    let name = Span::styled(Style::Code, format!("artifact://{number}"));
    Part::Line(Line::new(Role::Note, [Span::own("The whole output "), name, became]))
}
