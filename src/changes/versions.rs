//! The texts of a file as steps, for a page that can save any of them.

use std::sync::Arc;

use super::Changes;
use super::model::{Change, FileChanges, FileState};
use super::replay::text::Splice;
use crate::session::EntryIndex;

/// What becomes of a file's text.
pub(crate) enum VersionStep<'c> {
    /// It is this one. The entry whose row in the file has it.
    Whole(&'c Arc<str>, EntryIndex),
    /// Bytes of it are replaced, one splice after the other.
    Splices(&'c [Splice]),
    /// There is no file, or its text is not known.
    None,
}

impl Changes {
    /// The steps of a file's text, in time order.
    pub(crate) fn versions<'c>(
        &'c self,
        file: &'c FileChanges,
    ) -> impl Iterator<Item = VersionStep<'c>> {
        file.steps.iter().map(|step| match &step.change {
            Change::Set(FileState::Text(text)) => {
                let shown = self.timeline.order[step.position];
                // What a call wrote whole is in the call; all else is in the result that shows it.
                let entry = step.edit.map_or(shown, |edit| file.edits[edit].call.entry);
                VersionStep::Whole(text, entry)
            }
            Change::Set(_) => VersionStep::None,
            Change::Splices(splices) => VersionStep::Splices(splices),
        })
    }
}

impl FileChanges {
    /// How many steps of its text there are up to an edit.
    pub(crate) fn steps_until_edit(&self, edit: usize) -> usize {
        self.steps.iter().rposition(|step| step.edit == Some(edit)).map_or(0, |at| at + 1)
    }
}
