//! What became of a file between two times, as data.

use std::ops::Range;

use super::diff::LineChange;
use super::model::FileState;

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
    /// The edits that made it, ascending: places in [`FileChanges::edits`](super::FileChanges::edits), counted from 0.
    /// Empty where somebody else changed the file.
    pub edits: Vec<usize>,
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
