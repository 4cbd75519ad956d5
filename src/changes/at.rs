//! Files at a leaf.
//!
//! What became of a file depends on the leaf by its time alone: going back in a conversation restores no file. So `at`
//! takes every edit up to that time, whichever branch made it, and says which are on the path.

use std::collections::HashSet;

use crate::session::text::counted;
use crate::session::{EntryIndex, Session};

use super::model::{Break, BreakKind, EditVerb, FileChanges, FileEdit, FileState, never_seen};
use super::net::Net;
use super::{Changes, EditedLines, FileStatus, Known};

/// A file at a leaf, or in a turn.
///
/// ```
/// use leafpress::changes::Changes;
///
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let changes = Changes::of(&session);
/// for file in changes.at(&session, session.leaf()) {
///     println!("{} {}: {} edits, {:?}", file.status.name(), file.path, file.edits.len(), file.known);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FileAt<'c> {
    /// The whole history.
    pub file: &'c FileChanges,
    /// Its place in [`Changes::files`], counted from 0.
    pub place: usize,
    /// The path: from the session's folder on where the file lies in it, else absolute.
    pub path: String,
    /// The path before, where it was moved.
    pub from: Option<String>,
    /// Whether the file lies in the session's folder.
    pub is_inside: bool,
    /// What became of it.
    pub status: FileStatus,
    /// The worst known of the edits that count.
    pub known: Known,
    /// The edits that count, in time order: places in [`FileChanges::edits`], counted from 0.
    pub edits: Vec<usize>,
    /// Of those, by the same order, which are on the path to the leaf.
    pub on_path: Vec<bool>,
    /// Of those, by the same order, which were taken back later.
    pub undone: Vec<bool>,
    /// Where it is not as its edits lead to.
    pub breaks: Vec<Break>,
    /// Commands that may have written it.
    pub maybe: Vec<EntryIndex>,
    /// What became of its text.
    pub net: Net,
}

impl FileAt<'_> {
    /// The same, with what became of its text up to a leaf. A command may have deleted it after its last edit.
    pub(super) fn with_net(mut self, net: Net) -> Self {
        self.net = with_sums(net, self.file, &self.edits);
        if self.net.after == FileState::Absent && self.each_edit().any(|edit| edit.ok) {
            self.status = FileStatus::Deleted;
        }
        self
    }

    /// The edits that count.
    pub fn each_edit(&self) -> impl Iterator<Item = &FileEdit> {
        self.edits.iter().map(|&edit| &self.file.edits[edit])
    }

    /// Lines added and removed; `None` where no edit succeeded, or where the session does not have their lines.
    pub(crate) fn lines(&self) -> Option<EditedLines> {
        let Net { added, removed, is_exact, .. } = self.net;
        let is_counted = is_exact || added + removed > 0;
        let lines = EditedLines { added, removed, is_about: !is_exact };
        (is_counted && self.each_edit().any(|edit| edit.ok)).then_some(lines)
    }

    /// The lines of files added up; `None` where none has some that are known.
    pub(crate) fn sum_of_lines(files: &[FileAt<'_>]) -> Option<EditedLines> {
        let lines: Vec<EditedLines> = files.iter().filter_map(FileAt::lines).collect();
        // Of a file that only a command may have written nothing was counted.
        let is_edited = |file: &&FileAt<'_>| file.each_edit().any(|edit| edit.ok);
        let is_about = files.iter().filter(is_edited).any(|file| !file.net.is_exact);
        (!lines.is_empty())
            .then(|| EditedLines { is_about, ..lines.into_iter().sum::<EditedLines>() })
    }

    /// Whether an edit succeeded, or a command may have written it.
    pub(crate) fn may_have_changed(&self) -> bool {
        !self.maybe.is_empty() || self.each_edit().any(|edit| edit.ok)
    }

    /// What became of a file, and how well that is known: `5 edits, 1 failed, created, in part`.
    pub(crate) fn facts(&self) -> String {
        let known = match self.known {
            Known::Exact => "",
            Known::Maybe if !self.edits.is_empty() => "failed",
            known => known.phrase(),
        };
        let status = match self.status {
            FileStatus::Unknown | FileStatus::Modified => "",
            status => status.phrase(),
        };
        let done = self.each_edit().filter(|edit| edit.ok).count();
        let failed = self.edits.len() - done;
        let edits = match (done, failed) {
            (0, 0) => String::new(),
            (0, failed) => counted(failed, "edit"),
            (done, 0) => counted(done, "edit"),
            (done, failed) => format!("{}, {failed} failed", counted(done, "edit")),
        };
        let has = |kind| self.breaks.iter().any(|one| one.kind == kind);
        let breaks = |kind: BreakKind| if has(kind) { kind.phrase() } else { "" };
        let commands =
            if self.maybe.is_empty() || self.edits.is_empty() { "" } else { "maybe by a command" };
        let (outside, misfit) = (breaks(BreakKind::Outside), breaks(BreakKind::Misfit));
        let parts = [edits.as_str(), status, known, outside, misfit, commands];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
    }
}

impl Changes {
    /// The files that edits of all branches and sub-agents had changed when `leaf` was written, or that a command may have
    /// written, by first edit.
    #[must_use]
    pub fn at<'c>(&'c self, session: &Session, leaf: EntryIndex) -> Vec<FileAt<'c>> {
        if !session.tree().has(leaf) {
            return Vec::new();
        }
        let until = self.timeline.position(leaf);
        let path: HashSet<EntryIndex> =
            session.with_sub_agents(&session.tree().path(leaf)).into_iter().collect();
        let at = |(place, file): (usize, &'c FileChanges)| self.file_at(place, file, until, &path);
        self.files.iter().enumerate().filter_map(at).collect()
    }

    fn file_at<'c>(
        &'c self,
        place: usize,
        file: &'c FileChanges,
        until: usize,
        path: &HashSet<EntryIndex>,
    ) -> Option<FileAt<'c>> {
        let mut at = self.without_net(place, file, until)?.with_net(file.net_until(until));
        let is_on_path = |&edit: &usize| path.contains(&file.edits[edit].entry);
        at.on_path = at.edits.iter().map(is_on_path).collect();
        Some(at)
    }

    /// The file at a place in the time order; what became of its text, and which edits are on a path, is empty.
    pub(super) fn without_net<'c>(
        &'c self,
        place: usize,
        file: &'c FileChanges,
        until: usize,
    ) -> Option<FileAt<'c>> {
        let count = file.edits.partition_point(|edit| edit.position <= until);
        let within = |entry: EntryIndex| self.timeline.position(entry) <= until;
        let maybe: Vec<EntryIndex> = file.maybe.iter().copied().filter(|&at| within(at)).collect();
        if count == 0 && maybe.is_empty() {
            return None;
        }
        let live = file.live_at(until);
        let edits: Vec<usize> = (0..count).collect();
        Some(FileAt {
            undone: edits.iter().map(|&at| file.edits[at].ok && !live[at]).collect(),
            breaks: file.breaks.iter().copied().filter(|one| one.position <= until).collect(),
            maybe,
            ..self.named(place, file, edits)
        })
    }

    /// The file with its names and its status after some of its edits; the rest is empty.
    pub(super) fn named<'c>(
        &'c self,
        place: usize,
        file: &'c FileChanges,
        edits: Vec<usize>,
    ) -> FileAt<'c> {
        let behind = edits.last().map_or(0, |last| last + 1);
        let first = edits.first().copied().unwrap_or_default();
        let absolute = file.path_after(behind);
        let path = self.folder.shown(absolute).to_owned();
        let from = self.folder.shown(file.path_after(first)).to_owned();
        let from = Some(from).filter(|from| *from != path);
        let done = || edits.iter().map(|&at| &file.edits[at]).filter(|edit| edit.ok);
        let first_done = edits.iter().copied().find(|&at| file.edits[at].ok);
        let onto = first_done.and_then(|at| file.copied_onto(at));
        let verbs = (done().next().map(|edit| edit.verb), done().next_back().map(|edit| edit.verb));
        let status = match verbs {
            (_, Some(EditVerb::Deleted)) => FileStatus::Deleted,
            (None, _) => FileStatus::Unknown,
            _ if first_done.is_some_and(|at| file.is_new_by(at)) => FileStatus::Written,
            (Some(EditVerb::Created), _) => FileStatus::Created,
            _ if onto == Some(&FileState::Absent) => FileStatus::Created,
            _ if from.is_some() => FileStatus::Moved,
            _ => FileStatus::Modified,
        };
        FileAt {
            file,
            place,
            from,
            is_inside: self.folder.has(absolute),
            path,
            status,
            known: done().map(|edit| edit.known).max().unwrap_or(Known::Maybe),
            on_path: Vec::new(),
            undone: Vec::new(),
            breaks: Vec::new(),
            maybe: Vec::new(),
            net: Net::unknown(FileState::Absent),
            edits,
        }
    }

    /// All entries in time order, each with the prompt whose turn it is part of.
    pub(crate) fn in_time_order(
        &self,
    ) -> impl Iterator<Item = (EntryIndex, Option<EntryIndex>)> + '_ {
        self.timeline.order.iter().map(|&entry| (entry, self.timeline.prompt(entry)))
    }

    /// The file as it was after an entry: an edit counts from its result on.
    #[must_use]
    pub fn state(&self, file: &FileChanges, entry: EntryIndex) -> FileState {
        if !self.timeline.has(entry) {
            return never_seen();
        }
        let until = self.timeline.position(entry);
        match file.edits.first().filter(|edit| edit.position > until) {
            // Before the first edit the file is as that one found it.
            Some(first) => file.before_edit(0, first.position),
            None => file.state_at(until),
        }
    }

    /// The last path of a file, as it is shown.
    #[must_use]
    pub fn shown<'c>(&'c self, file: &'c FileChanges) -> &'c str {
        self.folder.shown(file.path_after(file.edits.len()))
    }

    /// The file that a person names by a path, absolute or from the session's folder on: its place in
    /// [`Changes::files`], counted from 0. Of several files that had the path one after the other, it is the last.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<usize> {
        self.found(path, usize::MAX)
    }

    /// The same, of the file that had the path when an entry was written.
    #[must_use]
    pub fn find_at(&self, path: &str, entry: EntryIndex) -> Option<usize> {
        let at = self.timeline.has(entry).then(|| self.timeline.position(entry));
        self.found(path, at.unwrap_or(usize::MAX))
    }

    fn found(&self, path: &str, at: usize) -> Option<usize> {
        let path = self.folder.absolute(path);
        let files = || self.files.iter();
        let then = files().position(|file| file.has_path(&path, at));
        then.or_else(|| files().position(|file| file.has_path(&path, usize::MAX)))
            .or_else(|| files().position(|file| file.paths.iter().any(|(_, own)| *own == path)))
    }
}

/// Where some edit is not exact, the counts of all are added up.
pub(super) fn with_sums(mut net: Net, file: &FileChanges, edits: &[usize]) -> Net {
    let done = || edits.iter().map(|&at| &file.edits[at]).filter(|edit| edit.ok);
    // A file that was written whole counts as a new one.
    let is_followed = net.is_exact;
    let is_new = |at: usize| file.is_new_by(at) && is_followed;
    let is_exact = |at: usize| file.edits[at].known == Known::Exact || is_new(at);
    // Of a file that only a command may have written nothing is known.
    net.is_exact = !edits.is_empty() && edits.iter().all(|&at| !file.edits[at].ok || is_exact(at));
    if !net.is_exact {
        net.added = done().map(|edit| edit.added).sum();
        net.removed = done().map(|edit| edit.removed).sum();
    }
    net
}
