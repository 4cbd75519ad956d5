//! What changed as a patch that `git apply` takes (git's manual, "Generating patch text with -p").
//!
//! Only what is known exactly is in it. The rest stands in comments, lines that begin with `#`, which `git apply` passes
//! over. It names paths within the session's folder only.

use crate::session::EntryIndex;
use std::fmt::Write as _;

use crate::session::Session;
use crate::session::text::counted;

use super::at::FileAt;
use super::diff::LineChange;
use super::model::{BreakKind, FileEdit, FileState};
use super::net::NetHunk;
use super::{FileStatus, Known};

/// The patch of files from their first known state to where they are, or of one turn.
///
/// It is in git's format and meant for `git apply` in the session's working directory. Lines that begin with `#` are
/// comments, which `git apply` passes over. A comment stands in place of the diff where
///
/// * the whole file is not known: the session shows only parts of it, or a command may have written it,
/// * the file is outside of the session's working directory, or a patch cannot name its path (`.git/config`),
/// * it is binary, which is a text with a zero byte,
/// * all edits failed, or later edits took them back.
///
/// Where the text is known up to some edit, the diff goes that far, and a comment names the edits behind it. For an edit
/// without a diff, [`FileEdit::hunks`] has what is known of it.
///
/// ```
/// use leafpress::changes::{Changes, patch};
///
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let changes = Changes::of(&session);
/// for file in changes.at(&session, session.leaf()) {
///     // The patch of this file alone. Those of all files are one patch, too.
///     print!("{}", patch(&session, std::slice::from_ref(&file)));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn patch(session: &Session, files: &[FileAt<'_>]) -> String {
    let mut patch = String::new();
    // A file makes room for the one that was moved to its path: `git apply` goes by the order.
    let makes_room =
        |file: &&FileAt<'_>| file.status == FileStatus::Deleted && file.file.replaced.is_some();
    let rest = files.iter().filter(|file| !makes_room(file));
    for file in files.iter().filter(makes_room).chain(rest) {
        Writer { session, file, patch: &mut patch }.file();
    }
    patch
}

struct Writer<'w> {
    session: &'w Session,
    file: &'w FileAt<'w>,
    patch: &'w mut String,
}

impl Writer<'_> {
    fn file(&mut self) {
        let file = self.file;
        if let Some(why) = self.why_not() {
            self.comment(&why);
            self.remarks();
            self.edits();
        } else {
            self.remarks();
            self.hunks();
            self.rest();
        }
        if !file.maybe.is_empty() && file.each_edit().any(|edit| edit.ok) {
            let entries = self.keys(file.maybe.iter().copied());
            self.comment(&format!("a command may have changed the file too: {entries}"));
        }
    }

    /// Why the file is not in the patch.
    fn why_not(&self) -> Option<String> {
        let file = self.file;
        let net = &file.net;
        let names = || std::iter::once(&file.path).chain(&file.from);
        if !file.is_inside {
            return Some("outside of the session's folder".to_owned());
        }
        if let Some(name) = names().find(|name| !is_applicable(name)) {
            let is_from = Some(name) == file.from.as_ref();
            let which = if is_from { "its path before" } else { "its path" };
            return Some(format!("{which} is none that a patch can name"));
        }
        if file.each_edit().all(|edit| !edit.ok) {
            return Some(match file.edits.len() {
                0 => format!(
                    "a command may have changed the file: {}",
                    self.keys(file.maybe.iter().copied())
                ),
                failed => format!("{} failed", counted(failed, "edit")),
            });
        }
        if [&net.before, &net.reached].iter().any(|state| state.text().is_some_and(is_binary)) {
            return Some("binary".to_owned());
        }
        if !net.reached.is_known() || !net.before.is_known() && net.hunks.is_empty() {
            return Some(match self.inexact().next().and_then(|at| file.file.edits[at].why) {
                Some(why) => format!("not known: {why}"),
                None if net.reached == FileState::Absent => {
                    "created or overwritten, and deleted".to_owned()
                }
                None => "not known".to_owned(),
            });
        }
        let is_absent = net.before == FileState::Absent;
        let is_same = net.is_nothing() && (file.from.is_none() || is_absent);
        is_same.then(|| {
            let words = if is_absent { "created and deleted" } else { "changed and changed back" };
            words.to_owned()
        })
    }

    /// What the hunks do not show.
    fn remarks(&mut self) {
        let file = self.file;
        if !file.net.before.is_known() && !file.net.hunks.is_empty() {
            self.comment(
                "created or overwritten: what was there before is not known, so that it is given as a new file",
            );
        }
        for kind in [BreakKind::Outside, BreakKind::Misfit] {
            let breaks = file.breaks.iter().filter(|one| one.kind == kind);
            let entries = self.keys(breaks.map(|one| one.entry));
            if !entries.is_empty() {
                self.comment(&format!("{}, as {entries} shows", kind.phrase()));
            }
        }
    }

    /// The edits that are not exact. What an edit that wrote the file whole overwrote is said by itself.
    fn inexact(&self) -> impl Iterator<Item = usize> {
        let file = self.file.file;
        let is_known = |at: usize| file.edits[at].known == Known::Exact || file.is_new_by(at);
        let done = self.file.edits.iter().copied().filter(|&at| file.edits[at].ok);
        done.filter(move |&at| !is_known(at))
    }

    /// What is not in the patch of a file. An edit that is not exact is in it all the same if a later one, or a read,
    /// shows the whole file.
    fn rest(&mut self) {
        let left_out = self.inexact().filter(|at| !self.file.net.between.contains(at));
        let lines: Vec<String> = left_out
            .map(|at| &self.file.file.edits[at])
            .map(|edit| format!("{}: {}", self.edit(edit), edit.why.unwrap_or_default()))
            .collect();
        if !lines.is_empty() {
            self.comment(&format!("{} not in this patch", counted(lines.len(), "edit")));
        }
        for line in lines {
            let _ = writeln!(self.patch, "#   {}", plain(&line));
        }
        if let FileState::Unknown(unknown) = &self.file.net.after
            && let Some(since) = unknown.since
        {
            let since = self.session.key_at(since);
            self.comment(&format!("not known since {since}: {}", unknown.why));
        }
    }

    /// The edits of a file that is not in the patch.
    fn edits(&mut self) {
        let file = self.file;
        let lines: Vec<String> =
            file.each_edit().filter(|edit| edit.ok).map(|e| self.edit(e)).collect();
        for line in lines {
            let _ = writeln!(self.patch, "#   {}", plain(&line));
        }
    }

    fn edit(&self, edit: &FileEdit) -> String {
        let known = edit.known.phrase();
        let key = self.session.key_at(edit.entry);
        format!("{key} {} +{} -{}, {known}", edit.tool, edit.added, edit.removed)
    }

    fn keys(&self, entries: impl Iterator<Item = EntryIndex>) -> String {
        entries.map(|entry| self.session.key_at(entry)).collect::<Vec<_>>().join(", ")
    }

    fn comment(&mut self, words: &str) {
        let _ = writeln!(self.patch, "# {}: {}", plain(&self.file.path), plain(words));
    }

    fn hunks(&mut self) {
        let file = self.file;
        let net = &file.net;
        let old = file.from.as_ref().unwrap_or(&file.path);
        let is_created = !matches!(net.before, FileState::Text(_));
        let is_deleted = net.reached == FileState::Absent;
        let (a, b) =
            (quoted("a/", if is_created { &file.path } else { old }), quoted("b/", &file.path));
        let out = &mut *self.patch;
        let _ = writeln!(out, "diff --git {a} {b}");
        if is_created {
            let _ = writeln!(out, "new file mode 100644");
        } else if is_deleted {
            let _ = writeln!(out, "deleted file mode 100644");
        } else if old != &file.path {
            let _ = writeln!(out, "rename from {}", quoted("", old));
            let _ = writeln!(out, "rename to {}", quoted("", &file.path));
        }
        if net.hunks.is_empty() {
            return;
        }
        let none = "/dev/null";
        let _ = writeln!(out, "--- {}", if is_created { none } else { &a });
        let _ = writeln!(out, "+++ {}", if is_deleted { none } else { &b });
        for hunk in &net.hunks {
            write_hunk(hunk, out);
        }
    }
}

fn write_hunk(hunk: &NetHunk, out: &mut String) {
    let range = |start: usize, lines: usize| match lines {
        1 => start.to_string(),
        lines => format!("{start},{lines}"),
    };
    let (old, new) = (range(hunk.old_start, hunk.old_lines), range(hunk.new_start, hunk.new_lines));
    let _ = writeln!(out, "@@ -{old} +{new} @@");
    for (change, line) in &hunk.lines {
        out.push(match change {
            LineChange::Added => '+',
            LineChange::Removed => '-',
            LineChange::Same | LineChange::Skipped => ' ',
        });
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

/// Whether a patch can name the path: one within the folder, and none of git's own.
fn is_applicable(path: &str) -> bool {
    let is_part =
        |part: &str| !matches!(part, "" | "." | "..") && !part.eq_ignore_ascii_case(".git");
    !path.contains('\0') && !path.starts_with(['~', '$']) && path.split('/').all(is_part)
}

/// Whether a text is no text that a line can show.
pub(crate) fn is_binary(text: &str) -> bool {
    text.contains('\0')
}

/// A path as git writes it: in quotes where it has signs that would end it.
fn quoted(prefix: &str, path: &str) -> String {
    let is_odd = |c: char| c.is_control() || matches!(c, '"' | '\\' | '\u{2028}' | '\u{2029}');
    if !path.contains(is_odd) && !path.ends_with(' ') && !path.starts_with(' ') {
        return format!("{prefix}{path}");
    }
    let mut out = format!("\"{prefix}");
    for byte in path.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b' '..=b'~' => out.push(char::from(byte)),
            byte => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
    }
    out.push('"');
    out
}

/// Words on one line of a comment.
fn plain(words: &str) -> String {
    let sign =
        |c: char| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c };
    words.chars().map(sign).collect()
}
