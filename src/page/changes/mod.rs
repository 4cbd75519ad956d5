//! The data of the view "Changes": what became of files in each turn, and up to the end of each branch.
//!
//! The index says which hunks each of these has, and the hunks lie in packs of their own, drawn, so that the page opens
//! what a reader comes near. A hunk that a turn and a file as a whole share is there once. static/js/changes/data.js
//! reads all of it.

mod cautions;
mod checks;
mod file;
mod hunks;
pub(super) mod versions;

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use crate::changes::{Changes, EditedFile, EditedLines, TurnChanges};
use crate::content::work::Work;
use crate::render::Highlight;
use crate::session::digest::Digest;
use crate::session::invisible::marked;
use crate::session::landmarks::Notable;
use crate::session::{EntryIndex, Session};
use crate::workers::Threads;

use super::wire::packed;
use cautions::{Cautions, cautions};
use checks::{Check, Checks, Earlier};
use file::{FileData, Shown};
use hunks::{HunkIndex, Hunks};
use versions::{TextPieces, VersionData, Versions};

/// The page has the files at the end of so many branches: of the branch shown, then of the newest ones. Beyond these the
/// page says that it has no others.
const LEAVES: usize = 100;

/// An entry's place in document order; -1 for none.
type Number = i64;

/// The view's data.
pub(super) struct ChangesData {
    index: Index,
    /// Compressed.
    pub(super) hunks: Vec<String>,
}

impl ChangesData {
    /// The index with the texts of files, compressed.
    pub(super) fn index(
        &self,
        session: &Session,
        versions: Versions<'_>,
        texts: Vec<TextPieces>,
    ) -> String {
        let versions = versions.with_texts(session, texts);
        let data = Data { index: &self.index, versions };
        // In one piece: the compressor takes small ones slowly.
        packed::encode(&serde_json::to_vec(&data).unwrap_or_default())
    }
}

#[derive(Serialize)]
struct Data<'d> {
    #[serde(flatten)]
    index: &'d Index,
    versions: VersionData<'d>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Index {
    files: Vec<FileData>,
    turns: Vec<Turn>,
    /// The ends of branches, each with the place of its state among those of each file, -1 where the file has none;
    /// what is worth a look on the branch, with the entries; and the lines of [`own_lines`].
    leaves: Vec<Leaf>,
    /// The branches that the session has.
    leaf_count: usize,
    hunks: HunkIndex,
    /// Why an edit is not exact, each reason once.
    reasons: Vec<&'static str>,
}

/// The end of a branch.
type Leaf = (Number, Vec<Number>, Vec<(String, Vec<Number>)>, Vec<OwnLines>);

/// A file, and its lines.
type OwnLines = (usize, Lines);

/// Lines as the script draws them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Lines {
    added: usize,
    removed: usize,
    is_about: bool,
}

/// What a turn did.
#[derive(Serialize)]
struct Turn {
    prompt: Number,
    files: Vec<Shown>,
    /// The edits of files that it did not change, which failed: paths and entries.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<(String, Number)>,
    /// The commands that ran after its last edit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    checks: Vec<Check>,
    #[serde(skip_serializing_if = "Option::is_none")]
    earlier: Option<Earlier>,
    #[serde(flatten)]
    cautions: Cautions,
}

/// What a session did to files.
pub(super) fn changes_data(
    session: &Session,
    changes: &Changes,
    (digest, work): (&Digest<'_>, &Work<'_>),
    leaf: EntryIndex,
    highlight: Highlight,
    threads: Threads,
) -> ChangesData {
    let mut hunks = Hunks::new(highlight, threads);
    let leaves = leaves(session, leaf);
    let leaf_count = leaves.len();
    let shown = &leaves[..leaf_count.min(LEAVES)];
    let number = |entry: EntryIndex| number(session.tree().position_at(entry));
    let mut reasons = Reasons::default();
    // By file, which state each leaf has.
    let mut of_leaves: Vec<Vec<Option<usize>>> = Vec::new();
    let files = changes.at_each(shown).map(|(file, over_time)| {
        of_leaves.push(over_time.of_leaf);
        FileData::new(session, file, over_time.states, &mut hunks, &mut reasons)
    });
    let files: Vec<FileData> = files.collect();
    let places = shown.iter().enumerate().map(|(nth, &leaf)| {
        let state = |place: Option<usize>| place.map_or(-1, self::number);
        let path = session.with_sub_agents(&session.tree().path(leaf));
        let mut notable: BTreeMap<Notable, Vec<Number>> = BTreeMap::new();
        for landmark in path.iter().flat_map(|&entry| digest.landmarks.of(entry)) {
            if let Some(what) = landmark.notable() {
                notable.entry(what).or_default().push(number(landmark.entry));
            }
        }
        let notable =
            notable.into_iter().map(|(what, calls)| (what.counted(calls.len()), calls)).collect();
        // The head of the page counts on the branch that it opens at.
        let has_others = nth == 0 && leaf_count > 1;
        let own = if has_others { own_lines(changes, &path) } else { Vec::new() };
        (number(leaf), of_leaves.iter().map(|leaves| state(leaves[nth])).collect(), notable, own)
    });
    let leaves = places.collect();
    let turns = changes.turns();
    let checks = Checks::new(session, (digest, work), changes, &turns);
    let mut cautions = cautions(session, changes);
    let mut failed = failed_by_turn(changes);
    let turn = |turn: TurnChanges| {
        let mut failed = failed.remove(&turn.prompt).unwrap_or_default();
        let files = turn.files.into_iter().map(|file| {
            let own = failed.remove(&file.file).into_iter().flatten().map(number).collect();
            Shown::of_turn(session, changes, file, own, &mut hunks)
        });
        let files = files.collect();
        let alone = failed.into_iter().flat_map(|(file, entries)| {
            let path = marked(changes.shown(&changes.files()[file])).into_owned();
            entries.into_iter().map(move |entry| (path.clone(), number(entry)))
        });
        Turn {
            prompt: turn.prompt.map_or(-1, number),
            cautions: cautions.remove(&turn.prompt).unwrap_or_default(),
            checks: checks.of(turn.prompt),
            earlier: checks.earlier(turn.prompt),
            files,
            failed: alone.collect(),
        }
    };
    let turns = turns.into_iter().map(turn).collect();
    let (hunk_index, packs) = hunks.packed();
    let index =
        Index { files, turns, leaves, leaf_count, hunks: hunk_index, reasons: reasons.list };
    ChangesData { index, hunks: packs }
}

/// What the edits among these entries did to each file that other entries edited, too: the file on the disk has both.
fn own_lines(changes: &Changes, entries: &[EntryIndex]) -> Vec<OwnLines> {
    let own: HashSet<EntryIndex> = entries.iter().copied().collect();
    let is_shared = |file: usize| {
        changes.files()[file].edits.iter().any(|edit| edit.ok && !own.contains(&edit.entry))
    };
    let edited = changes.edited_among(entries).into_iter();
    edited
        .filter(|edited| is_shared(edited.file))
        .map(|EditedFile { file, lines: EditedLines { added, removed, is_about }, .. }| {
            (file, Lines { added, removed, is_about })
        })
        .collect()
}

/// The entries of the edits that failed, by prompt and by file.
fn failed_by_turn(
    changes: &Changes,
) -> HashMap<Option<EntryIndex>, BTreeMap<usize, Vec<EntryIndex>>> {
    let mut failed: HashMap<_, BTreeMap<_, Vec<_>>> = HashMap::new();
    for (file, edits) in changes.files().iter().map(|file| &file.edits).enumerate() {
        for edit in edits.iter().filter(|edit| !edit.ok) {
            failed.entry(edit.prompt).or_default().entry(file).or_default().push(edit.entry);
        }
    }
    failed
}

/// The ends of the session's branches: `leaf` first, then the newest ones.
fn leaves(session: &Session, leaf: EntryIndex) -> Vec<EntryIndex> {
    let tree = session.tree();
    let is_other = |&other: &EntryIndex| other != leaf && tree.session_of(other) == 0;
    let mut leaves: Vec<EntryIndex> = tree.leaves().filter(is_other).collect();
    leaves.sort_by_key(|&leaf| std::cmp::Reverse((session.time(leaf), leaf)));
    leaves.insert(0, leaf);
    leaves
}

fn number(at: usize) -> Number {
    Number::try_from(at).unwrap_or(-1)
}

/// Why edits are not exact.
#[derive(Default)]
struct Reasons {
    list: Vec<&'static str>,
    places: HashMap<&'static str, usize>,
}

impl Reasons {
    fn place(&mut self, reason: &'static str) -> usize {
        *self.places.entry(reason).or_insert_with(|| {
            self.list.push(reason);
            self.list.len() - 1
        })
    }
}
