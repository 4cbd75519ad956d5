//! Files that a prompt mentions: each a fold with its content or its picture.

use super::{Content, Fold, FoldKind, Line, Part, Role, Span, Style};
use crate::figures;
use crate::language;
use crate::session::message::MentionedFile;

pub(super) fn files<'s>(files: &'s [MentionedFile<'s>]) -> Content<'s> {
    if files.is_empty() {
        return Part::Line(Line::own(Role::Note, "No files")).into();
    }
    files.iter().map(one).collect()
}

fn one<'s>(file: &'s MentionedFile<'s>) -> Part<'s> {
    let fact = |words: String| Span { is_own: true, ..Span::styled(Style::Fact, words) };
    let mut spans = vec![Span::styled(Style::Code, file.path.as_ref())];
    if let Some(reason) = &file.skipped {
        spans.extend([fact(" not included: ".to_owned()), Span::text(reason.as_ref())]);
    }
    if file.content.is_empty() && file.image.is_none() {
        spans.extend(file.skipped.is_none().then(|| fact(" empty".to_owned())));
        return Part::Line(Line::new(Role::Files, spans));
    }
    let mut content = Content::new();
    if !file.content.is_empty() {
        let lines = figures::counted(file.content.lines().count(), "line");
        spans.push(fact(format!(" {lines}, {}", figures::bytes(file.content.len()))));
        content.push(Part::File {
            text: file.content.as_ref().into(),
            language: language::of_path(&file.path).into(),
            first_line: Some(1),
        });
    }
    if let Some(image) = &file.image {
        content.picture(image);
    }
    Part::Fold(Fold { kind: FoldKind::Mention, title: spans, content })
}
