//! Which edits the arguments of a call ask for.

use std::borrow::Cow;

use super::keys::{self, text};
use super::{Cell, Edit, EditKind, Replacement, patch, shell};
use crate::session::about::as_line_number;
use crate::session::file_tools::{FileTool, PATCH, deletes, path_in, plain_name};
use crate::session::json::Json;
use crate::session::message::ToolCall;
use crate::session::tool_kind::ToolKind;

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
    let arguments = &call.arguments;
    match ToolKind::of(&call.name) {
        ToolKind::File(FileTool::Write) => written(arguments),
        ToolKind::File(FileTool::Edit) => replaced(arguments),
        ToolKind::File(FileTool::Notebook) => cell(arguments),
        ToolKind::File(FileTool::Editor) => editor(arguments),
        ToolKind::File(FileTool::Patch) => patched(arguments),
        ToolKind::Command => shell::edits(&plain_name(&call.name), arguments),
        _ => Vec::new(),
    }
}

fn named<'c>(arguments: &'c Json<'_>, kind: EditKind<'c>) -> Vec<Edit<'c>> {
    let path = path_in(arguments).map(Cow::Borrowed);
    path.map(|path| Edit { path, kind }).into_iter().collect()
}

fn written<'c>(arguments: &'c Json<'_>) -> Vec<Edit<'c>> {
    let kind = match text(arguments, keys::CONTENT) {
        Some(content) => EditKind::Write(content.into()),
        None => EditKind::Unknown,
    };
    named(arguments, kind)
}

/// The text to be replaced and the one put in its place, where arguments or a part of them hold both.
fn replacement<'j>(arguments: &'j Json<'_>) -> Option<(&'j str, &'j str)> {
    Some((text(arguments, keys::OLD)?, text(arguments, keys::NEW)?))
}

/// The parts of a call that each hold a replacement, then the call itself.
fn replacing<'j, 'a>(arguments: &'j Json<'a>) -> impl Iterator<Item = &'j Json<'a>> {
    let list = keys::REPLACEMENTS.iter().find_map(|key| arguments.get(key));
    list.map(Json::items).unwrap_or_default().iter().chain([arguments])
}

/// Replacements of one file or of several: each part may name its own.
fn replaced<'c>(arguments: &'c Json<'_>) -> Vec<Edit<'c>> {
    let own = path_in(arguments);
    let mut edits: Vec<Edit<'c>> = Vec::new();
    let all_of = |part: &Json<'_>| {
        let flag = |json: &Json<'_>| {
            keys::ALL.iter().find_map(|key| match json.get(key) {
                Some(Json::Bool(flag)) => Some(*flag),
                _ => None,
            })
        };
        flag(part).or_else(|| flag(arguments)).unwrap_or_default()
    };
    for part in replacing(arguments) {
        let Some((old, new)) = replacement(part) else { continue };
        let Some(path) = path_in(part).or(own) else { continue };
        let one = Replacement { old: old.into(), new: new.into(), all: all_of(part) };
        match edits.last_mut() {
            Some(Edit { path: last, kind: EditKind::Replace(all) }) if last == path => {
                all.push(one);
            }
            _ => edits.push(Edit { path: path.into(), kind: EditKind::Replace(vec![one]) }),
        }
    }
    if edits.is_empty() {
        edits = patched(arguments);
    }
    edits
}

fn patched<'c>(arguments: &'c Json<'_>) -> Vec<Edit<'c>> {
    let own = path_in(arguments);
    let patch = arguments.as_str().or_else(|| text(arguments, PATCH));
    let mut edits = patch.map(patch::edits).unwrap_or_default();
    if let (Some(own), true) = (own, edits.is_empty())
        && let Some(hunks) = patch.map(patch::hunks_of).filter(|hunks| !hunks.is_empty())
    {
        let kind = EditKind::Patch { hunks, moved_to: None };
        edits = vec![Edit { path: own.to_owned().into(), kind }];
    }
    if !edits.is_empty() {
        return edits;
    }
    // Only the names: `changes: [{path, kind}]`, the item `file_change` of `codex exec --json` 0.169.0.
    let listed = || keys::REPLACEMENTS.iter().filter_map(|key| arguments.get(key));
    let parts = listed().flat_map(Json::items);
    let mut edits: Vec<Edit<'c>> = parts.filter_map(only_named).collect();
    if edits.is_empty() {
        edits = named(arguments, EditKind::Unknown);
    }
    edits
}

/// A file that a list names with no more than what was done to it.
fn only_named<'c>(part: &'c Json<'_>) -> Option<Edit<'c>> {
    let kind = if deletes(part) { EditKind::Delete } else { EditKind::Unknown };
    Some(Edit { path: path_in(part)?.into(), kind })
}

/// Anthropic's editor: its `command` says what it does (Anthropic's documentation, `text_editor_20241022` and later).
fn editor<'c>(arguments: &'c Json<'_>) -> Vec<Edit<'c>> {
    match text(arguments, &["command"]) {
        Some("view" | "undo_edit") => Vec::new(),
        Some("create") => written(arguments),
        Some("insert") => {
            let after =
                keys::INSERT_AFTER.iter().find_map(|key| as_line_number(arguments.get(key)?));
            let kind = match after.zip(text(arguments, keys::INSERTED)) {
                Some((after, text)) => EditKind::Insert { after, text: text.into() },
                None => EditKind::Unknown,
            };
            named(arguments, kind)
        }
        _ => replaced(arguments),
    }
}

fn cell<'c>(arguments: &'c Json<'_>) -> Vec<Edit<'c>> {
    // `NotebookEdit` of Claude Code; `cell_number` in its older versions. Without a mode a cell is replaced.
    let place = ["cell_id", "cellId", "cell_number", "cellNumber"]
        .iter()
        .find_map(|key| arguments.get(key))
        .filter(|place| matches!(place, Json::String(_) | Json::Number(_)))
        .map(|place| place.clone().into_text());
    let kind = EditKind::Cell(Cell {
        cell: place.map(|place| place.into_owned().into()),
        mode: text(arguments, &["edit_mode", "editMode"]).unwrap_or("replace").into(),
        source: text(arguments, keys::CELL_SOURCE).unwrap_or_default().into(),
    });
    named(arguments, kind)
}
