//! Follows a file from edit to edit and notes for each line who made it, so that a hunk of the whole change can name the
//! edits behind it. Lines that an edit wrote again as they were keep their first author: `Lines` knows them.

use std::ops::Range;

use super::diff::{LineChange, whole_lines};
use super::lines::Lines;
use super::model::FileState;
use super::net::{CONTEXT, Net, NetHunk};

/// Who made a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// It was there before, at this place.
    Before(usize),
    /// An edit added it.
    Edit(usize),
    /// Nobody that the session knows.
    Outside,
}

/// Follows a file from edit to edit.
#[derive(Clone)]
pub(super) struct Follower {
    pub(super) before: FileState,
    /// What was there before an edit that wrote the file whole is not known: it is shown as a new file.
    pub(super) is_new: bool,
    /// By line, who made it.
    origins: Vec<Origin>,
    /// By line before, the edit that removed it.
    removed_by: Vec<Option<usize>>,
    pub(super) after: FileState,
    /// How many steps it followed, and the lines of the last one.
    steps: usize,
    lines: Option<Lines>,
    /// The edits between `before` and `after`.
    pub(super) between: Range<usize>,
}

impl Follower {
    /// Begins before the edit at a place.
    pub(super) fn new(before: &FileState, edit: usize) -> Follower {
        let count = before.text().map_or(0, line_count);
        Follower {
            before: before.clone(),
            is_new: false,
            origins: (0..count).map(Origin::Before).collect(),
            removed_by: vec![None; count],
            after: before.clone(),
            steps: 0,
            lines: None,
            between: edit..edit,
        }
    }

    /// Begins with the file as an edit found it.
    pub(super) fn begin(before: &FileState, edit: usize, is_new: bool) -> Follower {
        Follower { is_new: is_new && !before.is_known(), ..Follower::new(before, edit) }
    }

    /// The file is another now; an edit did it, or somebody else. `lines` are those that changed, where they are known.
    pub(super) fn follow(&mut self, after: &FileState, edit: Option<usize>, lines: Option<&Lines>) {
        self.steps += 1;
        let origin = edit.map_or(Origin::Outside, Origin::Edit);
        let (Some(old), Some(new)) = (self.after.text(), after.text()) else {
            self.after = after.clone();
            self.origins = vec![origin; after.text().map_or(0, line_count)];
            return;
        };
        let lines = lines.cloned().unwrap_or_else(|| Lines::between(old, new));
        let first = lines.first;
        let mut origins = vec![origin; lines.new];
        let mut stays = vec![false; lines.old];
        for (from, to) in lines.same() {
            stays[from] = true;
            origins[to] = self.origins[first + from];
        }
        for (at, stays) in stays.iter().enumerate() {
            if let (false, Origin::Before(line)) = (stays, self.origins[first + at]) {
                self.removed_by[line] = edit;
            }
        }
        self.origins.splice(first..first + lines.old, origins);
        self.after = after.clone();
        self.lines = Some(lines);
    }

    pub(super) fn finish(self) -> Net {
        let Follower { before, is_new, origins, removed_by, after, steps, lines, between } = self;
        let old = before.text().or(is_new.then_some(""));
        let (Some(old), Some(new)) = (old, after.text()) else {
            return Net { reached: after.clone(), after, ..Net::unknown(before) };
        };
        let lines = lines.filter(|_| steps == 1);
        let lines = lines.unwrap_or_else(|| Lines::between(old, new));
        let hunks = hunks(old, new, &lines, |change, at| match change {
            LineChange::Added => match origins.get(at) {
                Some(Origin::Edit(edit)) => Some(*edit),
                _ => None,
            },
            _ => removed_by.get(at).copied().flatten(),
        });
        let (added, removed) = lines.counts();
        let reached = after.clone();
        Net { before, reached, after, added, removed, is_exact: true, hunks, between }
    }
}

/// The hunks between two texts. `by` says which edit added a line after, or removed a line before, by its place.
fn hunks(
    old: &str,
    new: &str,
    lines: &Lines,
    by: impl Fn(LineChange, usize) -> Option<usize>,
) -> Vec<NetHunk> {
    // What both texts begin and end with is not looked at, but for the lines around the changes.
    let (old_bytes, new_bytes) = &lines.bytes;
    let start = last_lines(&old[..old_bytes.start], CONTEXT);
    let tail = first_lines(&old[old_bytes.end..], CONTEXT);
    let above = CONTEXT.min(lines.first);
    let skipped = lines.first - above;
    let old_lines = whole_lines(&old[start..old_bytes.end + tail]);
    let new_lines = whole_lines(&new[start..new_bytes.end + tail]);
    let mut rows: Vec<(LineChange, usize)> = Vec::new();
    let mut from = (0, 0);
    let end = (old_lines.len(), new_lines.len());
    let before = (0..above).map(|at| (at, at));
    let within = lines.same().map(|(old, new)| (above + old, above + new));
    let behind = (above + lines.old..end.0).zip(above + lines.new..end.1);
    for pair in before.chain(within).chain(behind).chain([end]) {
        rows.extend((from.0..pair.0).map(|at| (LineChange::Removed, at)));
        rows.extend((from.1..pair.1).map(|at| (LineChange::Added, at)));
        if pair.0 < old_lines.len() {
            rows.push((LineChange::Same, pair.0));
        }
        from = (pair.0 + 1, pair.1 + 1);
    }
    let mut hunks = Vec::new();
    let mut at = 0;
    // Lines passed of both sides.
    let mut passed = (skipped, skipped);
    while at < rows.len() {
        let same = |rows: &[(LineChange, usize)]| {
            rows.iter().take_while(|(change, _)| *change == LineChange::Same).count()
        };
        let quiet = same(&rows[at..]);
        if at + quiet == rows.len() {
            break;
        }
        let begin = at + quiet - quiet.min(CONTEXT);
        passed = (passed.0 + begin - at, passed.1 + begin - at);
        let mut end = at + quiet;
        loop {
            end += rows[end..].iter().take_while(|(change, _)| *change != LineChange::Same).count();
            let quiet = same(&rows[end..]);
            if end + quiet == rows.len() || quiet > 2 * CONTEXT {
                end += quiet.min(CONTEXT);
                break;
            }
            end += quiet;
        }
        let mut hunk = NetHunk {
            old_start: passed.0 + 1,
            old_lines: 0,
            new_start: passed.1 + 1,
            new_lines: 0,
            lines: Vec::with_capacity(end - begin),
            edits: Vec::new(),
        };
        for &(change, line) in &rows[begin..end] {
            let text = if change == LineChange::Added { new_lines[line] } else { old_lines[line] };
            hunk.lines.push((change, text.to_owned()));
            hunk.old_lines += usize::from(change != LineChange::Added);
            hunk.new_lines += usize::from(change != LineChange::Removed);
            if change != LineChange::Same {
                hunk.edits.extend(by(change, skipped + line));
            }
        }
        passed = (passed.0 + hunk.old_lines, passed.1 + hunk.new_lines);
        // As `diff` has it: a side without lines is named by the line before it.
        hunk.old_start -= usize::from(hunk.old_lines == 0);
        hunk.new_start -= usize::from(hunk.new_lines == 0);
        hunk.edits.sort_unstable();
        hunk.edits.dedup();
        hunk.edits.shrink_to_fit();
        hunks.push(hunk);
        at = end;
    }
    hunks
}

fn line_count(text: &str) -> usize {
    let newlines = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    newlines + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// Where the last lines of a text begin, which ends where a line does.
fn last_lines(text: &str, count: usize) -> usize {
    memchr::memrchr_iter(b'\n', text.as_bytes()).nth(count).map_or(0, |at| at + 1)
}

/// How many bytes the first lines of a text have.
fn first_lines(text: &str, count: usize) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).nth(count - 1).map_or(text.len(), |at| at + 1)
}
