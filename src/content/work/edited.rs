//! The files that successful edits changed, with the lines that they added and removed.

use std::collections::HashMap;

use super::Work;
use super::step::{CallStep, ResultStep, Step};
use crate::changes::count_asked;
use crate::session::EntryIndex;
use crate::session::calls::CallReader;
use crate::session::message::ToolCall;
use crate::session::text::path_within;
use crate::session::tool_kind::StepKind;

/// What the edits of some entries did to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EditedFile {
    /// The path as the calls have it, without the session's working directory.
    pub(crate) path: String,
    /// The result of the first edit.
    pub(crate) first: EntryIndex,
    /// How many edits there were.
    pub(crate) edits: usize,
    /// Lines added, summed over the edits.
    pub(crate) added: usize,
    /// Lines removed, the same.
    pub(crate) removed: usize,
}

impl Work<'_> {
    /// The files that the tool results among these entries changed, in the order of the first edits.
    /// What shell commands did to files is in none of them.
    pub(crate) fn edited_files(&self, entries: &[EntryIndex]) -> Vec<EditedFile> {
        let mut files: Vec<EditedFile> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut reader = CallReader::new(self.session);
        for &entry in entries {
            let Step::Result(result) = &self.steps[entry.get()] else { continue };
            let Some((added, removed)) = self.lines_changed(&mut reader, entry, result) else {
                continue;
            };
            let call = self.digest.calls.call_of(entry).and_then(|place| reader.read(place));
            let touched = call.map(ToolCall::files);
            let changed = touched.into_iter().flatten().filter(|file| file.changes);
            for (nth, file) in changed.enumerate() {
                let path = path_within(&file.path, &self.session.header().cwd).to_owned();
                let place = *places.entry(path.clone()).or_insert_with(|| {
                    files.push(EditedFile { path, first: entry, edits: 0, added: 0, removed: 0 });
                    files.len() - 1
                });
                files[place].edits += 1;
                // A patch of several files says its lines once.
                if nth == 0 {
                    files[place].added += added;
                    files[place].removed += removed;
                }
            }
        }
        files
    }

    /// What `Renderer::lines_changed` is of each of these entries.
    pub(crate) fn lines_changed_by(&self, entries: &[EntryIndex]) -> Vec<Option<(usize, usize)>> {
        let mut reader = CallReader::new(self.session);
        let mut changed = |&entry: &EntryIndex| match &self.steps[entry.get()] {
            Step::Result(result) => self.lines_changed(&mut reader, entry, result),
            _ => None,
        };
        entries.iter().map(&mut changed).collect()
    }

    /// Lines that the edit of a tool result added and removed, as far as it or its call says;
    /// `None` for what is no successful edit.
    pub(super) fn lines_changed(
        &self,
        reader: &mut CallReader<'_>,
        index: EntryIndex,
        result: &ResultStep,
    ) -> Option<(usize, usize)> {
        let place = self.digest.calls.call_of(index);
        let CallStep { kind } =
            place.and_then(|place| self.call_step(place)).unwrap_or(result.call);
        if kind != StepKind::Edit || result.is_error {
            return None;
        }
        let asked = || place.and_then(|place| reader.read(place)).and_then(count_asked);
        Some(result.changed.or_else(asked).unwrap_or_default())
    }
}
