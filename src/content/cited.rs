//! The sources that a text refers to: each on a line, numbered, the cited words behind it.

use super::{Content, Fold, FoldKind, Line, Part, Role, Span, Style};
use crate::session::message::Citation;

pub(super) fn sources<'s>(citations: &'s [Citation<'s>]) -> impl Iterator<Item = Part<'s>> {
    citations.iter().zip(1..).map(|(citation, number)| one(citation, number))
}

fn one<'s>(citation: &'s Citation<'s>, number: usize) -> Part<'s> {
    let given = |text: &'s Option<std::borrow::Cow<'s, str>>| {
        text.as_deref().filter(|text| !text.trim().is_empty())
    };
    let mut spans = vec![Span::own(format!("[{number}] "))];
    let (title, address) = (given(&citation.title), given(&citation.address));
    spans.extend(title.map(|title| Span::styled(Style::Name, title)));
    if let Some(address) = address {
        spans.extend(title.map(|_| Span::own(" ")));
        spans.push(Span::styled(Style::Link, address));
    }
    if title.is_none() && address.is_none() {
        spans.push(Span::own("source without a name"));
    }
    if let Some(place) = given(&citation.place) {
        spans.extend([Span::own(", "), Span::text(place)]);
    }
    if citation.words.trim().is_empty() {
        return Part::Line(Line::new(Role::Files, spans));
    }
    let content: Content<'s> = Part::Prose(citation.words.as_ref().into()).into();
    Part::Fold(Fold { kind: FoldKind::Citation, title: spans, content })
}
