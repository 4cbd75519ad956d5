//! What each turn did to files. It depends on no leaf and is found once; only [`Changes::turn`] says which of the edits
//! are on a path.

use std::collections::{HashMap, HashSet};

use crate::session::{EntryIndex, Session};

use super::at::with_sums;
use super::{Changes, FileAt, Net};

/// What a turn did to files.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TurnChanges {
    /// The prompt; `None` for what was done before the first one.
    pub prompt: Option<EntryIndex>,
    /// The files, by first edit.
    pub files: Vec<TurnFile>,
    /// The entry of its last edit.
    pub last: EntryIndex,
}

/// What a turn did to a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TurnFile {
    /// The file's place in [`Changes::files`], counted from 0.
    pub file: usize,
    /// Its edits in the turn: places in [`FileChanges::edits`](super::FileChanges::edits), counted from 0.
    pub edits: Vec<usize>,
    /// The file before and after.
    pub net: Net,
}

impl Changes {
    /// The turns that changed files, by first edit. They depend on no leaf.
    #[must_use]
    pub fn turns(&self) -> Vec<TurnChanges> {
        let mut turns: Vec<TurnChanges> = Vec::new();
        let mut places: HashMap<Option<EntryIndex>, usize> = HashMap::new();
        let mut firsts: Vec<usize> = Vec::new();
        for (at, file) in self.files.iter().enumerate() {
            let mut of: HashMap<Option<EntryIndex>, Vec<usize>> = HashMap::new();
            for (nth, edit) in file.edits.iter().enumerate().filter(|(_, edit)| edit.ok) {
                of.entry(edit.prompt).or_default().push(nth);
            }
            for (prompt, net) in file.net_by_turn() {
                let Some(edits) = of.remove(&prompt) else { continue };
                let first = file.edits[edits[0]].position;
                let last = file.edits[edits[edits.len() - 1]].entry;
                let place = *places.entry(prompt).or_insert_with(|| {
                    turns.push(TurnChanges { prompt, files: Vec::new(), last });
                    firsts.push(first);
                    turns.len() - 1
                });
                firsts[place] = firsts[place].min(first);
                let turn = &mut turns[place];
                if self.timeline.position(last) > self.timeline.position(turn.last) {
                    turn.last = last;
                }
                turn.files.push(TurnFile { file: at, net: with_sums(net, file, &edits), edits });
            }
        }
        let mut order: Vec<(usize, TurnChanges)> = firsts.into_iter().zip(turns).collect();
        order.sort_by_key(|(first, _)| *first);
        order.into_iter().map(|(_, turn)| turn).collect()
    }

    /// A file of a turn with its names and its status; what depends on a leaf is empty.
    pub(crate) fn turn_file(&self, TurnFile { file, edits, net }: TurnFile) -> FileAt<'_> {
        FileAt { net, ..self.named(file, &self.files[file], edits) }
    }

    /// The files that one turn changed, as [`at`](Self::at) has them.
    #[must_use]
    pub fn turn<'c>(
        &'c self,
        session: &Session,
        leaf: EntryIndex,
        prompt: EntryIndex,
    ) -> Vec<FileAt<'c>> {
        let turn = self.turns().into_iter().find(|turn| turn.prompt == Some(prompt));
        let Some(turn) = turn.filter(|_| session.tree().has(leaf)) else { return Vec::new() };
        let path: HashSet<EntryIndex> =
            session.with_sub_agents(&session.tree().path(leaf)).into_iter().collect();
        let until = self.timeline.position(leaf);
        let mut files = Vec::new();
        for TurnFile { file: place, edits, net } in turn.files {
            let file = &self.files[place];
            let live = file.live_at(until);
            let span = |position: usize| {
                let ends = (edits.first(), edits.last());
                matches!(ends, (Some(&first), Some(&last))
                    if (file.edits[first].position..=file.edits[last].position).contains(&position))
            };
            let within = |&entry: &EntryIndex| span(self.timeline.position(entry));
            files.push(FileAt {
                on_path: edits.iter().map(|&at| path.contains(&file.edits[at].entry)).collect(),
                undone: edits.iter().map(|&at| file.edits[at].ok && !live[at]).collect(),
                breaks: file.breaks.iter().copied().filter(|one| span(one.position)).collect(),
                maybe: file.maybe.iter().copied().filter(within).collect(),
                net,
                ..self.named(place, file, edits)
            });
        }
        files
    }
}
