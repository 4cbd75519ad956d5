//! What became of a file between two times: hunks, each with the edits that made it.
//!
//! Read `Follower` first. It goes from edit to edit and notes for each line who made it, so that a hunk of the whole
//! change can name the edits behind it. Lines that an edit wrote again as they were keep their first author: `Lines`
//! knows them.

use std::collections::HashMap;
use std::ops::Range;

use super::diff::{LineChange, whole_lines};
use super::lines::Lines;
use super::model::{FileChanges, FileState, Step, never_seen};
use crate::session::EntryIndex;

/// How many lines that stay stand beside a change.
pub(crate) const CONTEXT: usize = 3;

/// What became of a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Net {
    /// The file before.
    pub before: FileState,
    /// The file after.
    pub after: FileState,
    /// The last known state of the file: the one after, or the one before a command may have written it, or before an
    /// edit that is not exact.
    pub reached: FileState,
    /// Lines added, from `before` to `reached`. Where some edit is not exact, those of all edits added up.
    pub added: usize,
    /// Lines removed, the same.
    pub removed: usize,
    /// There are edits and every one is exact, so that the counts are those of the file before against the file after.
    pub is_exact: bool,
    /// The changes from `before` to `reached`; none where these are the same or not known. Where only the file before is
    /// not known, because it was written whole, they make the file from nothing.
    pub hunks: Vec<NetHunk>,
    /// The edits between `before` and `reached`, exact or not: places in [`FileChanges::edits`].
    pub(super) between: Range<usize>,
}

/// Lines that changed, with some of those around them.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct NetHunk {
    /// The first of its lines in the file before, from 1; 0 where it has none of that side.
    pub old_start: usize,
    /// How many lines it has of the file before.
    pub old_lines: usize,
    /// The first of its lines in the file after, from 1; 0 where it has none of that side.
    pub new_start: usize,
    /// How many lines it has of the file after.
    pub new_lines: usize,
    /// Its lines in order, each with its newline where it has one.
    pub lines: Vec<(LineChange, String)>,
    /// The edits that made it, ascending: places in [`FileChanges::edits`], counted from 0. Empty where somebody else
    /// changed the file.
    pub edits: Vec<usize>,
}

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
struct Follower {
    before: FileState,
    /// What was there before an edit that wrote the file whole is not known: it is shown as a new file.
    is_new: bool,
    /// By line, who made it.
    origins: Vec<Origin>,
    /// By line before, the edit that removed it.
    removed_by: Vec<Option<usize>>,
    after: FileState,
    /// How many steps it followed, and the lines of the last one.
    steps: usize,
    lines: Option<Lines>,
    /// The edits between `before` and `after`.
    between: Range<usize>,
}

impl Follower {
    /// Begins before the edit at a place.
    fn new(before: &FileState, edit: usize) -> Follower {
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
    fn begin(before: &FileState, edit: usize, is_new: bool) -> Follower {
        Follower { is_new: is_new && !before.is_known(), ..Follower::new(before, edit) }
    }

    /// The file is another now; an edit did it, or somebody else. `lines` are those that changed, where they are known.
    fn follow(&mut self, after: &FileState, edit: Option<usize>, lines: Option<&Lines>) {
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

    fn finish(self) -> Net {
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

impl FileChanges {
    /// What became of the file from its first known state to a place in the time order.
    pub(super) fn net_until(&self, until: usize) -> Net {
        let nets = self.nets_until(&[until]);
        nets.into_iter().next().unwrap_or_else(|| Net::unknown(never_seen()))
    }

    /// The same for several places, in ascending order. The states are made once for all of them.
    pub(super) fn nets_until(&self, places: &[usize]) -> Vec<Net> {
        let mut follower: Option<Follower> = None;
        let mut passed = 0;
        let mut state = never_seen();
        let mut steps = self.steps.iter().peekable();
        let mut nets = Vec::with_capacity(places.len());
        for &until in places {
            while let Some(step) = steps.next_if(|step| step.position <= until) {
                let after = step.change.of(&state);
                passed = step.edit.map_or(passed, |edit| edit + 1);
                match &mut follower {
                    // A gap in what is known is passed over: the text after it is compared with the one before.
                    Some(follower) if after.is_known() => {
                        follower.follow(&after, step.edit, step.lines.as_ref());
                        follower.between.end = passed;
                    }
                    Some(_) => {}
                    None => follower = self.first(step, &state, &after),
                }
                state = after;
            }
            let net = follower.as_ref().map(|follower| follower.clone().finish());
            let net = net.unwrap_or_else(|| Net::unknown(state.clone()));
            nets.push(Net { after: state.clone(), ..net });
        }
        nets
    }

    /// Begins with the first edit before or after which the file is known.
    fn first(&self, step: &Step, before: &FileState, after: &FileState) -> Option<Follower> {
        let edit = step.edit?;
        let begun = self.begin(edit, before);
        let mut follower = if begun.before.is_known() || begun.is_new {
            begun
        } else {
            Some(Follower::new(after, edit + 1)).filter(|_| after.is_known())?
        };
        if after.is_known() {
            follower.follow(after, Some(edit), step.lines.as_ref());
            follower.between.end = edit + 1;
        }
        Some(follower)
    }

    /// Begins with the file as an edit found it; where that is a copy that a command put there, with what was there
    /// before.
    fn begin(&self, edit: usize, found: &FileState) -> Follower {
        let is_new = self.is_new_by(edit);
        let Some(before) = self.copied_onto(edit) else {
            return Follower::begin(found, edit, is_new);
        };
        let mut follower = Follower::begin(before, edit, is_new);
        follower.follow(found, None, None);
        follower
    }

    /// What became of the file in each turn that edited it, by prompt, in the order of the last edits. The states are
    /// made once for all turns.
    pub(super) fn net_by_turn(&self) -> Vec<(Option<EntryIndex>, Net)> {
        let mut last_of: HashMap<Option<EntryIndex>, usize> = HashMap::new();
        for (at, edit) in self.edits.iter().enumerate().filter(|(_, edit)| edit.ok) {
            last_of.insert(edit.prompt, at);
        }
        let mut open: HashMap<Option<EntryIndex>, Follower> = HashMap::new();
        let mut turns = Vec::new();
        self.each_state(usize::MAX, |step, before, after| {
            let Some(edit) = step.edit else { return };
            let prompt = self.edits[edit].prompt;
            let follower = open.entry(prompt).or_insert_with(|| self.begin(edit, before));
            // What others did in between, or somebody else.
            if before.is_known() {
                if follower.after != *before {
                    follower.follow(before, None, None);
                }
                follower.between.end = edit;
            }
            if after.is_known() {
                follower.follow(after, Some(edit), step.lines.as_ref());
                follower.between.end = edit + 1;
            }
            if last_of.get(&prompt) == Some(&edit)
                && let Some(follower) = open.remove(&prompt)
            {
                turns.push((prompt, Net { after: after.clone(), ..follower.finish() }));
            }
        });
        turns
    }
}

impl Net {
    /// Nothing is known but that the file is as it is.
    pub(super) fn unknown(state: FileState) -> Net {
        Net {
            before: state.clone(),
            reached: state.clone(),
            after: state,
            added: 0,
            removed: 0,
            is_exact: false,
            hunks: Vec::new(),
            between: 0..0,
        }
    }

    /// Whether all that is known is that the file is as it was.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.before.is_known() && self.before == self.reached
    }
}
