//! Which edits a call asks for.

use super::{Cell, Edit, EditKind, Replacement, patch, shell};
use crate::session::action::files::{deletes, path_in};
use crate::session::action::{self, FileAction, FileRequest, Request};
use crate::session::json::Json;
use crate::session::message::ToolCall;

/// What a call asked to be done to files, in the order that it names them. A shell command is read for an
/// `apply_patch` in it alone; what else commands may do to files is not known.
///
/// ```
/// use leafpress::changes::edit::{EditKind, edits_of};
/// use leafpress::session::{Body, message::Message};
///
/// let session = leafpress::read_file("examples/first-steps.jsonl")?;
/// for entry in session.indices().filter_map(|index| session.entry(index)) {
///     let Body::Message(Message::Assistant(answer)) = entry.body else { continue };
///     for edit in answer.calls().flat_map(|call| edits_of(call)) {
///         let is_whole = matches!(edit.kind, EditKind::Write(_) | EditKind::Create(_));
///         println!("{}: {}", edit.path, if is_whole { "whole" } else { "in part" });
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn edits_of<'c>(call: &'c ToolCall<'_>) -> Vec<Edit<'c>> {
    match call.action().request {
        Request::File(request) => of_files(request),
        Request::Run(run) => shell::edits(&run),
        _ => Vec::new(),
    }
}

fn of_files(request: FileRequest<'_>) -> Vec<Edit<'_>> {
    let FileRequest { path, patch, parts, does, .. } = request;
    let kind = match does {
        FileAction::Read { .. } | FileAction::Undo => return Vec::new(),
        FileAction::Write { text, .. } => text.map_or(EditKind::Unknown, EditKind::Write),
        FileAction::Insert { after, text } => match after.zip(text) {
            Some((after, text)) => EditKind::Insert { after, text: text.into() },
            None => EditKind::Unknown,
        },
        FileAction::Cell { cell, mode, source, .. } => {
            EditKind::Cell(Cell { cell, mode: mode.into(), source: source.unwrap_or_default() })
        }
        FileAction::Replace { all, .. } => {
            let edits = replaced(path, all);
            return if edits.is_empty() { patched(path, patch, &parts) } else { edits };
        }
        FileAction::Patch => return patched(path, patch, &parts),
    };
    named(path, kind)
}

fn named<'c>(path: &'c str, kind: EditKind<'c>) -> Vec<Edit<'c>> {
    if path.is_empty() { Vec::new() } else { vec![Edit { path: path.into(), kind }] }
}

/// Replacements of one file or of several: each may name its own.
fn replaced<'c>(own: &'c str, all: Vec<action::Replacement<'c>>) -> Vec<Edit<'c>> {
    let mut edits: Vec<Edit<'c>> = Vec::new();
    for one in all {
        let path = one.path.unwrap_or(own);
        if path.is_empty() {
            continue;
        }
        let one = Replacement { old: one.old.into(), new: one.new.into(), all: one.every };
        match edits.last_mut() {
            Some(Edit { path: last, kind: EditKind::Replace(all) }) if *last == path => {
                all.push(one);
            }
            _ => edits.push(Edit { path: path.into(), kind: EditKind::Replace(vec![one]) }),
        }
    }
    edits
}

fn patched<'c>(own: &'c str, patch: Option<&'c str>, parts: &[&'c Json<'c>]) -> Vec<Edit<'c>> {
    let mut edits = patch.map(patch::edits).unwrap_or_default();
    if !own.is_empty()
        && edits.is_empty()
        && let Some(hunks) = patch.map(patch::hunks_of).filter(|hunks| !hunks.is_empty())
    {
        let kind = EditKind::Patch { hunks, moved_to: None };
        edits = vec![Edit { path: own.into(), kind }];
    }
    if !edits.is_empty() {
        return edits;
    }
    // Only the names: `changes: [{path, kind}]`, the item `file_change` of `codex exec --json` 0.169.0.
    let edits: Vec<Edit<'c>> = parts.iter().copied().filter_map(only_named).collect();
    if edits.is_empty() { named(own, EditKind::Unknown) } else { edits }
}

/// A file that a list names with no more than what was done to it.
fn only_named<'c>(part: &'c Json<'_>) -> Option<Edit<'c>> {
    let kind = if deletes(part) { EditKind::Delete } else { EditKind::Unknown };
    Some(Edit { path: path_in(part)?.into(), kind })
}
