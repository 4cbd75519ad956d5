//! Parts of a file replaced by others.

use super::file::{Left, as_asked, left_diff, line_number, new_text, path, said};
use super::{Arguments, ToolCard, ToolRun, patch, read as read_tool, write};
use crate::changes::diff::Diff;
use crate::changes::edit::keys::{self, ALL, NEW, OLD};
use crate::content::{Content, Group, GroupKind, Part};
use crate::session::json::Json;

/// Bytes looked through to find what was asked in the diff that was left; where
/// many edits met a long diff, all are shown as asked.
const MAX_SEARCHED: usize = 16 * 1024 * 1024;

/// A text that a second model merges into the file: nothing says where it goes.
const SKETCH: &[&str] = &["code_edit", "content"];

/// A text and what is put in its place.
struct Change<'r> {
    old: &'r str,
    new: &'r str,
    /// What else was said of it.
    rest: Content<'r>,
}

pub(super) fn read<'r>(run: &mut ToolRun<'r>) -> ToolCard<'r> {
    let arguments = &mut run.arguments;
    let path = path(arguments);
    let asked = Asked::take(arguments);
    if asked.changes.is_empty() && asked.odd.is_empty() && patch::has_patch(arguments) {
        return patch::read(run);
    }
    let mut card = ToolCard::default();
    if asked.changes.len() > 1 {
        card.facts.push(format!("{} edits", asked.changes.len()));
    }
    if asked.all {
        card.facts.push("every occurrence".to_owned());
    }
    let text = asked.changes.is_empty().then(|| arguments.text(SKETCH)).flatten();
    card.body = arguments.rest();
    if let Some(text) = text {
        card.body.push(new_text(text, crate::language::of_path(&path)));
    }
    card.body.append(asked.odd);
    changed(run, asked.changes, &mut card);
    card.body.append(said(run));
    card
}

/// All that a call asks to be changed.
#[derive(Default)]
struct Asked<'r> {
    changes: Vec<Change<'r>>,
    all: bool,
    /// Edits that are none.
    odd: Content<'r>,
}

impl<'r> Asked<'r> {
    fn take(arguments: &mut Arguments<'r>) -> Asked<'r> {
        let mut asked = Asked::default();
        for edit in arguments.array(keys::REPLACEMENTS).unwrap_or_default() {
            let mut parts = Arguments::new(edit);
            if let Some(change) = asked.change(&mut parts) {
                asked.changes.push(change);
            } else {
                let edit = Part::Value(edit.into()).into();
                asked.odd.push(Part::Group(Group::new(GroupKind::OddEdit, edit)));
            }
        }
        let own = asked.change(arguments).map(|change| Change { rest: Content::new(), ..change });
        asked.changes.extend(own);
        asked
    }

    /// The change that the arguments hold; nothing is taken where half of it is missing.
    fn change(&mut self, parts: &mut Arguments<'r>) -> Option<Change<'r>> {
        let has = |keys: &[&str]| {
            keys.iter().any(|key| parts.json().get(key).is_some_and(|v| v.as_str().is_some()))
        };
        if !has(OLD) || !has(NEW) {
            return None;
        }
        let (old, new) = (parts.take(OLD, Json::as_str)?, parts.take(NEW, Json::as_str)?);
        self.all |= parts.flag(ALL).unwrap_or_default();
        Some(Change { old, new, rest: parts.rest() })
    }
}

/// The diff: as the tool left it, else computed.
fn changed<'r>(run: &ToolRun<'r>, changes: Vec<Change<'r>>, card: &mut ToolCard<'r>) {
    match left_diff(run) {
        Left::Diff(left) => {
            card.facts.extend(left.facts());
            let (old, new) = left.sides();
            let is_cheap = changes.len().saturating_mul(old.len() + new.len()) <= MAX_SEARCHED;
            let mut asked = Content::new();
            for change in changes {
                let diff = Diff::lines_between(change.old, change.new);
                if !is_cheap || !change.rest.is_empty() || !diff.is_within(&old, &new) {
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

impl<'r> Change<'r> {
    fn add(self, diff: Diff<'r>, content: &mut Content<'r>) {
        content.append(self.rest);
        content.push(Part::Diff(diff));
    }
}

/// A cell of a notebook, replaced, inserted or deleted.
pub(super) fn notebook<'r>(run: &mut ToolRun<'r>) -> ToolCard<'r> {
    let arguments = &mut run.arguments;
    let mut card = ToolCard::default();
    let source = arguments.text(keys::CELL_SOURCE);
    let kind = arguments.json().get("cell_type").and_then(Json::as_str);
    card.body = arguments.rest();
    if let Some(source) = source {
        card.body.push(new_text(source, if kind == Some("markdown") { "md" } else { "python" }));
    }
    card.body.append(said(run));
    card
}

/// Anthropic's editor: one tool, its `command` says what it does.
pub(super) fn editor<'r>(run: &mut ToolRun<'r>) -> ToolCard<'r> {
    let command = run.arguments.text(&["command"]).unwrap_or_default();
    match command.as_ref() {
        "view" => read_tool::read(run),
        "create" => write::read(run),
        "insert" => insert(run),
        _ => read(run),
    }
}

fn insert<'r>(run: &mut ToolRun<'r>) -> ToolCard<'r> {
    let arguments = &mut run.arguments;
    let mut card = ToolCard::default();
    if let Some(line) = line_number(arguments, keys::INSERT_AFTER) {
        card.facts.push(format!("after line {line}"));
    }
    let text = arguments.take(keys::INSERTED, Json::as_str);
    card.body = arguments.rest();
    if let Some(text) = text {
        card.body.push(Part::Diff(Diff::between("", text)));
    }
    card.body.append(said(run));
    card
}
