//! What one call asked to be changed in files, as data, whatever the agent calls its tools.

mod patch;
mod read;
mod shell;

use std::borrow::Cow;

pub(crate) use patch::hunks;
pub use patch::{Hunk, HunkLine};

pub use read::edits_of;

/// What a call asked to be done to one file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Edit<'t> {
    /// The path as the call has it: absolute, or relative to the session's folder. A relative one of a command begins
    /// where its script was.
    pub path: Cow<'t, str>,
    /// What was asked.
    pub kind: EditKind<'t>,
}

/// What was asked to be done to a file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum EditKind<'t> {
    /// A file that was not there before, with this text.
    Create(Cow<'t, str>),
    /// The file has this text now, whether or not it was there before.
    Write(Cow<'t, str>),
    /// Texts are replaced by others, one after the other.
    Replace(Vec<Replacement<'t>>),
    /// A text is inserted after this many lines.
    Insert {
        /// How many lines stand before it; 0 for the beginning of the file.
        after: usize,
        /// The text.
        text: Cow<'t, str>,
    },
    /// Hunks of a patch are applied; the file may have another name afterwards.
    Patch {
        /// The hunks, in the order of the patch.
        hunks: Vec<Hunk>,
        /// The path that the file has afterwards, where the patch moves it.
        moved_to: Option<String>,
    },
    /// The file is deleted.
    Delete,
    /// The file gets another path, its text stays.
    Move {
        /// The path afterwards.
        to: String,
    },
    /// A cell of a notebook is replaced, inserted or deleted.
    Cell(Cell<'t>),
    /// The call names the file and says nothing that could be applied to its text.
    Unknown,
}

/// A text and what is put in its place.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Replacement<'t> {
    /// The text to be replaced. Empty for a file that is to be created.
    pub old: Cow<'t, str>,
    /// What is put in its place.
    pub new: Cow<'t, str>,
    /// Every occurrence is replaced.
    pub all: bool,
}

/// What a call asked of a notebook's cell.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Cell<'t> {
    /// The cell's id, or its place counted from 0, as written.
    pub cell: Option<Cow<'t, str>>,
    /// `replace`, `insert` or `delete`.
    pub mode: Cow<'t, str>,
    /// The cell's new source.
    pub source: Cow<'t, str>,
}

#[cfg(test)]
mod tests;
