//! Parts of a file replaced by others.

use std::borrow::Cow;

use super::file::{Left, as_asked, left_diff, new_text, said};
use super::{Arguments, ToolCard, ToolRun};
use crate::changes::diff::Diff;
use crate::content::{Content, Group, GroupKind, Part};
use crate::session::action::Replacement;
use crate::session::json::Json;

/// Bytes looked through to find what was asked in the diff that was left; where
/// many edits met a long diff, all are shown as asked.
const MAX_SEARCHED: usize = 16 * 1024 * 1024;

pub(super) fn read<'r>(
    run: &ToolRun<'r>,
    path: &str,
    all: Vec<Replacement<'r>>,
    unreadable: &[&'r Json<'r>],
    sketch: Option<Cow<'r, str>>,
) -> ToolCard<'r> {
    let mut card = ToolCard::default();
    if all.len() > 1 {
        card.facts.push(format!("{} edits", all.len()));
    }
    if all.iter().any(|one| one.every) {
        card.facts.push("every occurrence".to_owned());
    }
    card.body = run.arguments.rest();
    if let Some(text) = sketch {
        card.body.push(new_text(text, crate::language::of_path(path)));
    }
    for &edit in unreadable {
        let edit = Part::Value(edit.into()).into();
        card.body.push(Part::Group(Group::new(GroupKind::OddEdit, edit)));
    }
    changed(run, all, &mut card);
    card.body.append(said(run));
    card
}

/// The last edit of Anthropic's editor, taken back.
pub(super) fn undo<'r>(run: &ToolRun<'r>) -> ToolCard<'r> {
    read(run, "", Vec::new(), &[], None)
}

/// The diff: as the tool left it, else computed.
fn changed<'r>(run: &ToolRun<'r>, changes: Vec<Replacement<'r>>, card: &mut ToolCard<'r>) {
    match left_diff(run) {
        Left::Diff(left) => {
            card.facts.extend(left.facts());
            let (old, new) = left.sides();
            let is_cheap = changes.len().saturating_mul(old.len() + new.len()) <= MAX_SEARCHED;
            let mut asked = Content::new();
            for change in changes {
                let diff = Diff::lines_between(change.old, change.new);
                if !is_cheap || !change.rest().is_empty() || !diff.is_within(&old, &new) {
                    change.add(diff.marked(), &mut asked);
                }
            }
            card.body.push(Part::Diff(left));
            card.body.extend(as_asked(asked));
        }
        left => {
            let (mut added, mut removed) = (0, 0);
            let is_any = !changes.is_empty();
            for change in changes {
                let diff = Diff::between(change.old, change.new);
                let counts = diff.counts();
                (added, removed) = (added + counts.0, removed + counts.1);
                change.add(diff, &mut card.body);
            }
            if is_any && !run.is_error() {
                card.facts.push(format!("+{added} \u{2212}{removed}"));
            }
            if let Left::Text(text) = left {
                card.body.push(Part::Plain(text.into()));
            }
        }
    }
}

impl<'r> Replacement<'r> {
    fn rest(&self) -> Content<'r> {
        self.rest.as_ref().map_or_else(Content::new, Arguments::rest)
    }

    fn add(&self, diff: Diff<'r>, content: &mut Content<'r>) {
        content.append(self.rest());
        content.push(Part::Diff(diff));
    }
}

/// A cell of a notebook, replaced, inserted or deleted.
pub(super) fn cell<'r>(
    run: &ToolRun<'r>,
    source: Option<Cow<'r, str>>,
    kind: Option<&str>,
) -> ToolCard<'r> {
    let mut card = ToolCard::of(run.arguments.rest());
    if let Some(source) = source {
        card.body.push(new_text(source, if kind == Some("markdown") { "md" } else { "python" }));
    }
    card.body.append(said(run));
    card
}

/// A text inserted by Anthropic's editor.
pub(super) fn insert<'r>(
    run: &ToolRun<'r>,
    after: Option<usize>,
    text: Option<&'r str>,
) -> ToolCard<'r> {
    let mut card = ToolCard::of(run.arguments.rest());
    card.facts.extend(after.map(|line| format!("after line {line}")));
    if let Some(text) = text {
        card.body.push(Part::Diff(Diff::between("", text)));
    }
    card.body.append(said(run));
    card
}
