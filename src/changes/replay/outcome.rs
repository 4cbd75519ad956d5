//! What one edit does to a file: exactly, where the text before is known and the edit applies to it; else as far as the
//! call and its result say.
//!
//! `of` comes first and gives the exact outcome, checked against the diff that the tool left, which is what happened.
//! Where it gives none, `without_text` takes what the call or that diff shows, and says why it is not more. Nothing
//! is applied to a text that does not have what is to be replaced.

use crate::changes::Known;
use crate::changes::diff::{Diff, Row};
use crate::changes::edit::{EditKind, Hunk, HunkLine, Replacement};
use crate::changes::facts::EditFacts;
use crate::changes::model::{Change, FileState};

use super::asked::Asked;
use super::hunks;
use super::text::{self, Rules, Splice};

/// Why a file is not known.
pub(super) const MISFIT: &str = "the edit does not fit the ones before it";
pub(super) const COMMAND: &str = "a command may have changed the file";
pub(super) const OTHER: &str = "a read shows other lines";
const WORDS: &str = "only the words that it replaced are known";
const HUNKS: &str = "only the hunks of its patch are known";
const OVERWRITTEN: &str = "the file was created or overwritten, what was there before is not known";
const NAMED: &str = "the call names the file, and not what it changed";
const DELETED: &str = "the text of the deleted file is not known";
const CELL: &str = "only the source of a notebook's cell is known";
const FAILED: &str = "it failed";

/// What an edit does to the text.
pub(super) struct Outcome {
    pub(super) change: Change,
    pub(super) known: Known,
    pub(super) why: Option<&'static str>,
    pub(super) hunks: Vec<Hunk>,
}

impl Outcome {
    /// The lines that its hunks add and remove.
    pub(super) fn counts(&self) -> (usize, usize) {
        let counts = self.hunks.iter().map(Hunk::counts);
        counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }
}

/// An edit that failed: what was asked.
pub(super) fn failed(kind: &EditKind<'_>) -> Outcome {
    Outcome {
        change: Change::Splices(Vec::new()),
        known: known_without_text(kind).0,
        why: Some(FAILED),
        hunks: hunks_of(kind),
    }
}

/// What an edit does to the text as it should be. `None` where it does not apply to that.
pub(super) fn of(
    before: &FileState,
    asked: &Asked<'_>,
    kind: &EditKind<'_>,
    facts: &EditFacts,
) -> Option<Outcome> {
    let exact =
        |change| Some(Outcome { change, known: Known::Exact, why: None, hunks: Vec::new() });
    let text = match before {
        FileState::Unknown(_) => return None,
        FileState::Absent => "",
        FileState::Text(text) => text,
    };
    if let Some(after) = &facts.after {
        return exact(Change::Set(FileState::Text(after.as_str().into())));
    }
    let is_absent = matches!(before, FileState::Absent);
    let splices = match kind {
        EditKind::Write(new) | EditKind::Create(new) => {
            // What the tool says of the text before may be of another one.
            let is_other = !is_absent
                && !facts.hunks.is_empty()
                && !agrees(text, new, facts)
                && facts.before.is_none();
            if is_other {
                return None;
            }
            return exact(Change::Set(FileState::Text(new.as_ref().into())));
        }
        EditKind::Delete | EditKind::Move { .. } if is_absent => return None,
        EditKind::Delete => return exact(Change::Set(FileState::Absent)),
        EditKind::Move { .. } => Vec::new(),
        EditKind::Replace(all) => {
            let all: &[Replacement<'_>] = facts.replaced.as_deref().unwrap_or(all);
            if is_absent && !all.first().is_some_and(|first| first.old.is_empty()) {
                return None;
            }
            let splices = text::replace(text, all, asked.rules());
            checked(text, splices, facts)?
        }
        _ if is_absent => return None,
        EditKind::Insert { after, text: new } => {
            checked(text, text::insert(text, *after, new), facts)?
        }
        EditKind::Patch { hunks, .. } => {
            let numbered = hunks.iter().all(|hunk| hunk.old_start.is_some());
            let rules = Rules { is_loose: !numbered, ..asked.rules() };
            let splices = hunks::patch(text, hunks, rules);
            checked(text, splices, facts)?
        }
        EditKind::Cell(_) | EditKind::Unknown => checked(text, None, facts)?,
    };
    exact(Change::Splices(splices))
}

/// Holds what was asked to the diff that the tool left: that one is what happened.
fn checked(text: &str, splices: Option<Vec<Splice>>, facts: &EditFacts) -> Option<Vec<Splice>> {
    if facts.hunks.is_empty() || facts.hunks.iter().any(|hunk| hunk.old_start.is_none()) {
        return splices;
    }
    if let Some(splices) = &splices {
        let mut after = text.to_owned();
        text::apply(&mut after, splices);
        if agrees(text, &after, facts) {
            return Some(splices.clone());
        }
    }
    if facts.tabs_are_spaces {
        return None;
    }
    hunks::patch(text, &facts.hunks, Rules::default()).or_else(|| {
        let unnumbered = facts.hunks.iter().cloned();
        let hunks: Vec<Hunk> = unnumbered.map(|hunk| Hunk { old_start: None, ..hunk }).collect();
        hunks::patch(text, &hunks, Rules::default())
    })
}

/// What an edit does where the text before is not known.
pub(super) fn without_text(before: &FileState, kind: &EditKind<'_>, facts: &EditFacts) -> Outcome {
    let (known, why) = known_without_text(kind);
    if let EditKind::Write(text) | EditKind::Create(text) = kind {
        let change = Change::Set(FileState::Text(text.as_ref().into()));
        return Outcome { change, known, why: Some(why), hunks: Vec::new() };
    }
    if let EditKind::Delete = kind {
        let change = Change::Set(FileState::Absent);
        return Outcome { change, known, why: Some(why), hunks: Vec::new() };
    }
    if let Some(after) = &facts.after {
        let change = Change::Set(FileState::Text(after.as_str().into()));
        return Outcome { change, known: Known::Part, why: Some(why), hunks: hunks_of(kind) };
    }
    let change = Change::Set(before.clone());
    if !facts.hunks.is_empty() && !facts.tabs_are_spaces {
        let hunks = facts.hunks.clone();
        return Outcome { change, known: Known::Patch, why: Some(HUNKS), hunks };
    }
    Outcome { change, known, why: Some(why), hunks: hunks_of(kind) }
}

/// How well an edit is known where the text before is not.
fn known_without_text(kind: &EditKind<'_>) -> (Known, &'static str) {
    match kind {
        EditKind::Patch { .. } | EditKind::Move { .. } => (Known::Patch, HUNKS),
        EditKind::Write(_) | EditKind::Create(_) => (Known::Part, OVERWRITTEN),
        EditKind::Delete => (Known::Part, DELETED),
        EditKind::Cell(_) => (Known::Part, CELL),
        EditKind::Replace(_) | EditKind::Insert { .. } => (Known::Part, WORDS),
        EditKind::Unknown => (Known::Part, NAMED),
    }
}

/// Whether the diff that the tool left makes the text after of the text before.
fn agrees(before: &str, after: &str, facts: &EditFacts) -> bool {
    let rules = Rules::default();
    if facts.tabs_are_spaces {
        let (before, after) = (before.replace('\t', "  "), after.replace('\t', "  "));
        return is_made(&before, &after, &facts.hunks, rules);
    }
    is_made(before, after, &facts.hunks, rules) || are_within(before, after, &facts.hunks)
}

fn is_made(before: &str, after: &str, hunks: &[Hunk], rules: Rules) -> bool {
    let Some(splices) = hunks::patch(before, hunks, rules) else { return false };
    let mut made = before.to_owned();
    text::apply(&mut made, &splices);
    // Diffs for viewers do not say whether there is a newline at the end.
    made.trim_end_matches('\n') == after.trim_end_matches('\n') || have_same_lines(&made, after)
}

/// Whether the lines of each hunk stand in both texts. Some diffs count their lines wrongly.
fn are_within(before: &str, after: &str, hunks: &[Hunk]) -> bool {
    hunks.iter().all(|hunk| {
        let stands = |text: &str, lines: &[&str]| text.contains(&lines.join("\n"));
        stands(before, &hunk.side(false)) && stands(after, &hunk.side(true))
    })
}

/// Whether two texts have the same lines but for the ends of these.
pub(super) fn have_same_lines(a: &str, b: &str) -> bool {
    let lines = |text: &'_ str| text.strip_suffix('\n').unwrap_or(text).len();
    let (a, b) = (&a[..lines(a)], &b[..lines(b)]);
    let bare = |line: &'_ str| line.strip_suffix('\r').map_or(line.len(), str::len);
    let mut ours = a.split('\n').map(|line| &line[..bare(line)]);
    let mut theirs = b.split('\n').map(|line| &line[..bare(line)]);
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return true,
            (ours, theirs) if ours == theirs => {}
            _ => return false,
        }
    }
}

/// What a call shows of a change without the file.
fn hunks_of(kind: &EditKind<'_>) -> Vec<Hunk> {
    match kind {
        EditKind::Patch { hunks, .. } => hunks.clone(),
        EditKind::Replace(all) => all.iter().map(|one| between(&one.old, &one.new)).collect(),
        EditKind::Insert { text, .. } | EditKind::Write(text) | EditKind::Create(text) => {
            vec![between("", text)]
        }
        EditKind::Cell(cell) => vec![between("", &cell.source)],
        EditKind::Delete | EditKind::Move { .. } | EditKind::Unknown => Vec::new(),
    }
}

fn between(old: &str, new: &str) -> Hunk {
    let diff = Diff::lines_between(old, new);
    let rows = diff.files.iter().flat_map(|file| &file.rows);
    let line = |row: &Row<'_>| HunkLine { change: row.kind, text: row.text.to_owned() };
    Hunk { lines: rows.map(line).collect(), ..Hunk::default() }
}
