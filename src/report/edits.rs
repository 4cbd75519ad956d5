//! The files that successful edits changed, on a branch or a part of one, with its sub-agents.

use std::collections::HashMap;

use serde::Serialize;

use crate::content::work::{Step, Work};
use crate::outline::{Outline, read_with};
use crate::session::digest::Digest;
use crate::session::{EntryIndex, Session};
use crate::workers::Threads;

/// What edits did to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EditedFileReport {
    /// The path, from the session's working directory on where it lies in there.
    pub path: String,
    /// How many edits succeeded.
    pub edits: usize,
    /// Lines added, summed over the edits.
    pub added: usize,
    /// Lines removed, the same.
    pub removed: usize,
}

/// Edits, added and removed lines of one file.
type Sums = [usize; 3];

/// What each entry of a session changed.
pub(super) struct Edits {
    /// The files by first edit.
    paths: Vec<String>,
    /// By entry, with those of the sub-agents that it started.
    of: HashMap<EntryIndex, Vec<(usize, Sums)>>,
}

/// What edits did to each file, which grows and shrinks as a path does.
#[derive(Clone)]
pub(super) struct EditCounts(Vec<Sums>);

/// Reads each entry of a session once: what reports need of it, and what its edits changed.
pub(super) fn read(session: &Session) -> (Digest<'_>, Outline, Edits) {
    let threads = Threads::available();
    let (digest, outline, steps) = read_with(session, threads, Step::of);
    let edits = Edits::of(session, &Work::new(session, &digest, steps));
    (digest, outline, edits)
}

impl Edits {
    fn of(session: &Session, work: &Work<'_>) -> Edits {
        let mut edits = Edits { paths: Vec::new(), of: HashMap::new() };
        let mut places: HashMap<String, usize> = HashMap::new();
        for entry in session.indices() {
            for file in work.edited_files(&[entry]) {
                let place = *places.entry(file.path.clone()).or_insert_with(|| {
                    edits.paths.push(file.path);
                    edits.paths.len() - 1
                });
                let sums = [file.edits, file.added, file.removed];
                edits.of.entry(entry).or_default().push((place, sums));
            }
        }
        // Those within others come after them, and are part of what those did.
        for sub in session.sub_sessions().iter().rev().filter(|sub| sub.missing.is_none()) {
            let path = session.tree().path(sub.leaf);
            let own = path.iter().filter_map(|entry| edits.of.get(entry)).flatten();
            let own: Vec<(usize, Sums)> = own.copied().collect();
            if !own.is_empty() {
                edits.of.entry(sub.started_by).or_default().extend(own);
            }
        }
        edits
    }

    pub(super) fn counts(&self) -> EditCounts {
        EditCounts(vec![[0; 3]; self.paths.len()])
    }

    /// What these entries changed.
    pub(super) fn over(&self, entries: &[EntryIndex]) -> Vec<EditedFileReport> {
        let mut counts = self.counts();
        for &entry in entries {
            counts.add(self, entry);
        }
        counts.report(self)
    }
}

impl EditCounts {
    /// Adds what an entry changed.
    pub(super) fn add(&mut self, edits: &Edits, entry: EntryIndex) {
        for (place, sums) in edits.of.get(&entry).into_iter().flatten() {
            for (sum, more) in self.0[*place].iter_mut().zip(sums) {
                *sum += more;
            }
        }
    }

    /// Takes away what was added.
    pub(super) fn take(&mut self, edits: &Edits, entry: EntryIndex) {
        for (place, sums) in edits.of.get(&entry).into_iter().flatten() {
            for (sum, less) in self.0[*place].iter_mut().zip(sums) {
                *sum -= less;
            }
        }
    }

    /// The files that were changed, by first edit in the session.
    pub(super) fn report(&self, edits: &Edits) -> Vec<EditedFileReport> {
        let files = edits.paths.iter().zip(&self.0).filter(|(_, [edits, ..])| *edits > 0);
        files
            .map(|(path, &[edits, added, removed])| EditedFileReport {
                path: path.clone(),
                edits,
                added,
                removed,
            })
            .collect()
    }
}
