//! The lines that successful edits added and removed, of runs of steps and of branches.

use std::collections::HashMap;

use super::Work;
use crate::changes::{Changes, EditedFile, EditedLines};
use crate::session::EntryIndex;

/// What a session did to files.
#[derive(Debug)]
pub(super) struct Edited {
    changes: Changes,
    /// By the first entry of a run of steps.
    runs: HashMap<EntryIndex, EditedLines>,
}

impl Work<'_> {
    fn edited(&self) -> &Edited {
        self.edited.get_or_init(|| {
            let changes = Changes::read(self.session, self.digest);
            let runs = changes.edited_by(
                |edit| {
                    // An edit of a sub-agent is part of the run that started it, too.
                    let entries = self.session.with_starters(edit.entry);
                    let run = |entry| self.digest.story.run_of(entry).map(|run| run.entries[0]);
                    entries.filter_map(run).collect()
                },
                |_| None,
            );
            let sum = |files: Vec<EditedFile>| files.iter().map(|file| file.lines).sum();
            let runs = runs.into_iter().map(|(run, files)| (run, sum(files))).collect();
            Edited { changes, runs }
        })
    }

    /// What the session did to files.
    pub(crate) fn changes(&self) -> &Changes {
        &self.edited().changes
    }

    /// The lines that the edits of a run added and removed.
    pub(crate) fn run_lines(&self, first: EntryIndex) -> EditedLines {
        self.edited().runs.get(&first).copied().unwrap_or_default()
    }
}
