//! Replays what calls did to files, in time order over all branches and sub-agents.
//!
//! A conversation is a tree, the disk is a line: going back in the conversation does not bring a file back. So there
//! is one history for each file, whatever path is shown; the path only says which edits are its own.

pub(super) mod text;
mod track;

use std::collections::HashMap;

use crate::session::calls::{CallPlace, CallReader};
use crate::session::digest::Digest;
use crate::session::message::{Bash, Message, ToolCall, ToolResult};
use crate::session::tool_kind::ToolKind;
use crate::session::{Body, EntryIndex, Format, Session};

use super::commands::{self, MaybeWritten};
use super::edit::{Edit, EditKind, edits_of};
use super::facts::{EditFacts, FactReader};
use super::model::FileChanges;
use super::path::Folder;
use super::timeline::Timeline;
use track::{Asked, Track};

/// The files of a session and what it did to them, by first edit.
pub(super) fn replay(
    session: &Session,
    digest: &Digest<'_>,
    timeline: &Timeline,
    folder: &Folder,
) -> Vec<FileChanges> {
    let mut replay = Replay {
        session,
        digest,
        timeline,
        folder,
        facts: FactReader::new(session),
        calls: CallReader::new(session),
        tracks: Vec::new(),
        by_path: HashMap::new(),
        edited: Vec::new(),
        met: std::collections::HashSet::new(),
    };
    for &entry in &timeline.order {
        replay.entry(entry);
    }
    let mut files: Vec<FileChanges> =
        replay.tracks.into_iter().map(Track::into_file).filter(is_shown).collect();
    let first = |file: &FileChanges| {
        let maybe = file.maybe.first().map(|&entry| timeline.position(entry));
        file.edits.first().map(|edit| edit.position).or(maybe)
    };
    files.sort_by_key(first);
    files
}

/// A file that was only read has no changes.
fn is_shown(file: &FileChanges) -> bool {
    !file.edits.is_empty() || !file.maybe.is_empty()
}

struct Replay<'s> {
    session: &'s Session,
    digest: &'s Digest<'s>,
    timeline: &'s Timeline,
    folder: &'s Folder,
    facts: FactReader<'s>,
    calls: CallReader<'s>,
    tracks: Vec<Track>,
    /// By absolute path, the file that has it now.
    by_path: HashMap<String, usize>,
    /// Files that were edited since a command may have written any of their kind: each is noted once for each edit, so
    /// that many commands and many files do not multiply.
    edited: Vec<usize>,
    /// Calls by their id and the time of their result: sub-agents and forks keep copies of what was before them.
    met: std::collections::HashSet<(String, i64, String)>,
}

impl Replay<'_> {
    fn entry(&mut self, entry: EntryIndex) {
        match self.session.entry(entry).body {
            Body::Message(Message::ToolResult(result)) => {
                let Some(place) = self.digest.calls.call_of(entry) else { return };
                let Some(call) = self.calls.read(place).cloned() else { return };
                self.result(entry, place, &call, &result);
            }
            Body::Message(Message::Assistant(answer))
                if self.session.format() == Format::Cursor =>
            {
                // Cursor keeps no results: what was asked is taken for done.
                for (nth, call) in answer.calls().enumerate() {
                    let place = CallPlace { entry, nth };
                    if self.digest.calls.results_of(place).is_empty() {
                        self.edits(entry, place, call, None);
                        self.commands(entry, &commands::maybe_written(call));
                    }
                }
            }
            Body::Message(Message::Bash(Bash { command, .. })) => {
                self.commands(entry, &commands::of_script(&command, ""));
            }
            _ => {}
        }
    }

    fn result(
        &mut self,
        entry: EntryIndex,
        place: CallPlace,
        call: &ToolCall<'_>,
        result: &ToolResult<'_>,
    ) {
        if self.is_copy(entry, call) {
            return;
        }
        self.edits(entry, place, call, Some(result));
        if ToolKind::of(&call.name) == ToolKind::Command {
            self.commands(entry, &commands::maybe_written(call));
        } else if let Some((path, text)) = self.facts.read(call, entry, result) {
            let position = self.timeline.position(entry);
            let track = self.track(&path);
            self.tracks[track].seen(&text, entry, position);
        }
    }

    /// Whether this result is a copy of one that was met before.
    fn is_copy(&mut self, entry: EntryIndex, call: &ToolCall<'_>) -> bool {
        let Some(time) = self.session.time(entry) else { return false };
        if call.id.is_empty() {
            return false;
        }
        let session = self.session.tree().session_of(entry);
        let key = (call.id.to_string(), time, call.name.to_string());
        // Within one session ids may be used again and again.
        let is_known = self.met.contains(&key);
        let has_copies = session > 0 || self.session.format() == Format::ClaudeCode;
        self.met.insert(key);
        is_known && has_copies
    }

    fn edits(
        &mut self,
        entry: EntryIndex,
        place: CallPlace,
        call: &ToolCall<'_>,
        result: Option<&ToolResult<'_>>,
    ) {
        let ok = result.is_none_or(|result| !result.is_error);
        let asked = edits_of(call);
        if asked.is_empty() {
            return;
        }
        let made = if ok { self.facts.made(call) } else { None };
        let edits: Vec<Edit<'_>> = made.unwrap_or(asked);
        let is_only = edits.len() == 1;
        for edit in &edits {
            let facts = match result.filter(|_| ok) {
                Some(result) => self.facts.edit(call, edit, is_only, entry, result),
                None => EditFacts::default(),
            };
            self.edit(entry, place, call, edit, &facts, ok);
        }
    }

    fn edit(
        &mut self,
        entry: EntryIndex,
        place: CallPlace,
        call: &ToolCall<'_>,
        edit: &Edit<'_>,
        facts: &EditFacts,
        ok: bool,
    ) {
        let at = self.track(&edit.path);
        let asked = Asked {
            entry,
            call: place,
            position: self.timeline.position(entry),
            prompt: self.timeline.prompt(entry),
            tool: &call.name,
            ok,
            format: self.session.format(),
        };
        self.tracks[at].edit(&asked, &edit.kind, facts);
        if !ok {
            return;
        }
        self.edited.push(at);
        let to = match &edit.kind {
            EditKind::Move { to } => Some(to),
            EditKind::Patch { moved_to, .. } => moved_to.as_ref(),
            _ => None,
        };
        if let Some(to) = to {
            let to = self.folder.absolute(to);
            let from = self.folder.absolute(&edit.path);
            self.by_path.remove(&from);
            self.tracks[at].moved(to.clone());
            self.by_path.insert(to, at);
        }
    }

    /// The file that a path names now.
    fn track(&mut self, path: &str) -> usize {
        let path = self.folder.absolute(path);
        if let Some(&at) = self.by_path.get(&path) {
            return at;
        }
        self.tracks.push(Track::new(path.clone()));
        self.by_path.insert(path, self.tracks.len() - 1);
        self.tracks.len() - 1
    }

    /// What commands may have written, by their result's entry.
    fn commands(&mut self, entry: EntryIndex, written: &[MaybeWritten]) {
        let position = self.timeline.position(entry);
        for one in written {
            match one {
                MaybeWritten::File(path) => {
                    let at = self.track(path);
                    self.tracks[at].maybe(entry, position);
                }
                MaybeWritten::Any(extensions) => {
                    let tracks = &mut self.tracks;
                    self.edited.retain(|&at| {
                        let is_of = extensions.is_empty() || tracks[at].has_extension(extensions);
                        if is_of {
                            tracks[at].maybe(entry, position);
                        }
                        !is_of
                    });
                }
            }
        }
    }
}
