//! Replays what calls did to files, in time order over all branches and sub-agents.
//!
//! A conversation is a tree, the disk is a line: going back in the conversation does not bring a file back. So there
//! is one history for each file, whatever path is shown; the path only says which edits are its own.

mod asked;
mod commands;
mod hunks;
mod outcome;
mod parts;
pub(super) mod text;
mod track;

use std::collections::HashMap;

use memchr::memmem;

use crate::session::action::names::Tool;
use crate::session::action::outcome::{Outcome, could_not_write, never_began};
use crate::session::calls::{CallPlace, CallReader};
use crate::session::digest::Digest;
use crate::session::message::{Bash, Message, ToolCall, ToolResult, joined_text};
use crate::session::path::Folder;
use crate::session::written::{self, MaybeWritten};
use crate::session::{Body, EntryIndex, Format, Session};

use super::edit::{Edit, EditKind, edits_of};
use super::facts::{EditFacts, FactReader, Read};
use super::model::FileChanges;
use super::timeline::Timeline;
use asked::Asked;
use track::Track;

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
        open: Vec::new(),
        era: 0,
        met: std::collections::HashSet::new(),
    };
    for &entry in &timeline.order {
        replay.entry(entry);
    }
    let mut files: Vec<FileChanges> =
        replay.tracks.into_iter().filter_map(Track::into_file).collect();
    let first = |file: &FileChanges| {
        let maybe = file.maybe.first().map(|&entry| timeline.position(entry));
        file.edits.first().map(|edit| edit.position).or(maybe)
    };
    files.sort_by_key(first);
    files
}

/// The result that an entry is.
fn read(session: &Session, entry: EntryIndex) -> Option<ToolResult<'_>> {
    match session.entry_at(entry).body {
        Body::Message(Message::ToolResult(result)) => Some(result),
        _ => None,
    }
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
    /// Files that were edited, or shown, since a command may have written any of their kind: each is noted once, so
    /// that many commands and many files do not multiply.
    open: Vec<usize>,
    /// How many prompts and commands were before: of parts of a file that were read, one behind the other has those of
    /// the same file.
    era: usize,
    /// Calls by their id and the time of their result: sub-agents and forks keep copies of what was before them.
    met: std::collections::HashSet<(String, i64, String)>,
}

impl Replay<'_> {
    fn entry(&mut self, entry: EntryIndex) {
        if self.timeline.prompt(entry) == Some(entry) {
            self.era += 1;
        }
        if let Some(place) = self.digest.calls.call_of(entry) {
            self.result(entry, place);
            return;
        }
        if !self.may_change_files(entry) {
            return;
        }
        match self.session.entry_at(entry).body {
            Body::Message(Message::Assistant(answer))
                if self.session.format() == Format::Cursor =>
            {
                // Cursor (transcripts as of July 2026) keeps no results: what was asked is taken for done.
                for (nth, call) in answer.calls().enumerate() {
                    let place = CallPlace { entry, nth };
                    if self.digest.calls.results_of(place).is_empty() {
                        self.edits(entry, place, call, None);
                        let written = call.action().run().map(|run| run.maybe_written(""));
                        self.commands(entry, &written.unwrap_or_default());
                    }
                }
            }
            Body::Message(Message::Bash(Bash { command, .. })) => {
                self.commands(entry, &written::of_script(&command, ""));
            }
            _ => {}
        }
    }

    /// Whether an entry that is no result may say what happened to files. Of a long session most do not, and need not be
    /// read again.
    fn may_change_files(&self, entry: EntryIndex) -> bool {
        self.session.format() == Format::Cursor
            || memmem::find(self.session.raw_at(entry).as_bytes(), b"bashExecution").is_some()
    }

    fn result(&mut self, entry: EntryIndex, place: CallPlace) {
        let Some(asked) = self.digest.calls.asked(place) else { return };
        let is_command = asked.tool == Tool::Command;
        if !is_command && !asked.tool.is_of_files() {
            return;
        }
        // What most commands print says nothing of files.
        if !asked.may_touch_files && !self.has_copies(entry) {
            self.commands(entry, &[]);
            return;
        }
        let Some(call) = self.calls.read(place).cloned() else { return };
        if self.is_copy(entry, &call) {
            return;
        }
        if is_command {
            self.command(entry, place, &call);
        } else if let Some(result) = read(self.session, entry) {
            self.edits(entry, place, &call, Some(&result));
            self.shown(entry, &call, &result);
        }
    }

    fn command(&mut self, entry: EntryIndex, place: CallPlace, call: &ToolCall<'_>) {
        let action = call.action();
        let Some(run) = action.run() else { return };
        let mut files = run.maybe_written("");
        if files.is_empty() && edits_of(call).is_empty() {
            self.commands(entry, &files);
            return;
        }
        let Some(result) = read(self.session, entry) else { return };
        if never_began(&result) {
            self.commands(entry, &[]);
            return;
        }
        self.edits(entry, place, call, Some(&result));
        let mut folder = String::new();
        if files.iter().any(MaybeWritten::is_relative)
            && let Some(own) = self.facts.folder(place.entry)
        {
            files = run.maybe_written(&own);
            folder = own;
        }
        let sure = if self.facts.has_succeeded(&result) && !files.is_empty() {
            self.known(run.surely_done(&folder))
        } else {
            Vec::new()
        };
        let output = joined_text(&result.content, "\n");
        let has_failed = Outcome::of(&result).is_failure();
        let is_refused = |path: &str| could_not_write(&output, path, has_failed);
        files.retain(|file| !file.path().is_some_and(is_refused));
        self.commands(entry, &files);
        for made in sure {
            let position = self.timeline.position(entry);
            let at = self.track(&made.path);
            self.tracks[at].made(made, entry, position);
        }
    }

    /// What a call read of a file.
    fn shown(&mut self, entry: EntryIndex, call: &ToolCall<'_>, result: &ToolResult<'_>) {
        let Some((path, read)) = self.facts.read(call, entry, result) else { return };
        let position = self.timeline.position(entry);
        let track = self.track(&path);
        match read {
            Read::Whole(text) => self.tracks[track].seen(&text, entry, position),
            Read::Part(part) => self.tracks[track].read(&part, self.era, entry, position),
        }
    }

    /// Claude Code copies the rows before a fork (2.1.12), and sub-agents have those before them.
    fn has_copies(&self, entry: EntryIndex) -> bool {
        self.session.tree().session_of(entry) > 0 || self.session.format() == Format::ClaudeCode
    }

    /// Whether this result is a copy of one that was met before.
    fn is_copy(&mut self, entry: EntryIndex, call: &ToolCall<'_>) -> bool {
        let Some(time) = self.session.time(entry) else { return false };
        if call.id.is_empty() {
            return false;
        }
        let key = (call.id.to_string(), time, call.name.to_string());
        // Within one session ids may be used again and again.
        !self.met.insert(key) && self.has_copies(entry)
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
            let there = self.by_path.insert(to, at);
            if let Some(there) = there.filter(|&there| there != at) {
                self.tracks[there].replaced(&asked);
            }
        }
    }

    /// The file that a path names now. Whoever asks for it changes what is known of it.
    fn track(&mut self, path: &str) -> usize {
        let path = self.folder.absolute(path);
        let at = self.by_path.get(&path).copied().unwrap_or_else(|| {
            self.tracks.push(Track::new(path.clone()));
            self.by_path.insert(path, self.tracks.len() - 1);
            self.tracks.len() - 1
        });
        if !std::mem::replace(&mut self.tracks[at].is_open, true) {
            self.open.push(at);
        }
        at
    }
}
