//! The files that successful edits changed, on a branch or a part of one, with its sub-agents.

use std::collections::HashMap;

use serde::Serialize;

use crate::changes::{Changes, EditedFile, EditedLines};
use crate::outline::Outline;
use crate::session::digest::Digest;
use crate::session::{EntryIndex, Session};

/// What edits did to one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct EditedFileReport {
    /// The path, from the session's working directory on where it lies in there.
    pub path: String,
    /// How many edits succeeded.
    pub edits: usize,
    /// Lines that the file has after the last of these edits and did not have before the first. Where `is_about`, the
    /// lines that each edit added, added up.
    pub added: usize,
    /// Lines that it had before and no longer has, the same.
    pub removed: usize,
    /// Some of the edits are not exact.
    pub is_about: bool,
}

/// What the edits of a session did to files.
pub(crate) struct Edits {
    changes: Changes,
}

/// What reports need of each entry of a session, and what its edits changed.
pub(super) fn read(session: &Session) -> (Digest<'_>, Outline, Edits) {
    let (digest, outline) = crate::outline::read(session);
    let edits = Edits::of(session, &digest);
    (digest, outline, edits)
}

impl Edits {
    pub(crate) fn of(session: &Session, digest: &Digest<'_>) -> Edits {
        Edits { changes: Changes::read(session, digest) }
    }

    /// What these entries and the sub-agents that they started changed.
    pub(crate) fn over(&self, session: &Session, entries: &[EntryIndex]) -> Vec<EditedFileReport> {
        self.report(&self.changes.edited_among(&session.with_sub_agents(entries)))
    }

    /// What was changed on the path to each leaf of the session itself.
    pub(super) fn by_leaf(&self, session: &Session) -> HashMap<EntryIndex, Vec<EditedFileReport>> {
        let tree = session.tree();
        let leaves: Vec<EntryIndex> =
            tree.leaves().filter(|&leaf| tree.session_of(leaf) == 0).collect();
        let edited = self.changes.edited_by_leaf(|edit| {
            let own = session.with_starters(edit.entry).last();
            let is_on_path = |&leaf: &EntryIndex| own.is_some_and(|own| tree.is_on_path(own, leaf));
            leaves.iter().copied().filter(is_on_path).collect()
        });
        edited.into_iter().map(|(leaf, files)| (leaf, self.report(&files))).collect()
    }

    /// By first edit in the session.
    fn report(&self, files: &[EditedFile]) -> Vec<EditedFileReport> {
        let report = |file: &EditedFile| {
            let EditedLines { added, removed, is_about } = file.lines;
            let path = self.changes.shown(&self.changes.files()[file.file]).to_owned();
            EditedFileReport { path, edits: file.edits, added, removed, is_about }
        };
        files.iter().map(report).collect()
    }
}
