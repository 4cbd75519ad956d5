//! The words for how well a change is known, and for what became of a file. The script has them from here.

/// How well a change is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Known {
    /// The whole text of the file before and after.
    Exact,
    /// Hunks; the rest of the file is unknown.
    Patch,
    /// Only old or new words.
    Part,
    /// A command can have written the file.
    Maybe,
}

impl Known {
    /// All of them, the best known first.
    pub const ALL: &'static [Known] = &[Known::Exact, Known::Patch, Known::Part, Known::Maybe];

    /// The word for it, in JSON and in the page.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Known::Exact => "exact",
            Known::Patch => "patch",
            Known::Part => "part",
            Known::Maybe => "maybe",
        }
    }

    /// The words for it in a sentence.
    #[must_use]
    pub fn phrase(self) -> &'static str {
        match self {
            Known::Exact => "exact",
            Known::Patch => "from a patch",
            Known::Part => "in part",
            Known::Maybe => "maybe",
        }
    }

    /// What the word means.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Known::Exact => "The whole file before and after is known",
            Known::Patch => "The lines that changed are known, the rest of the file is not",
            Known::Part => "Only old or new words are known",
            Known::Maybe => "A command may have changed the file",
        }
    }
}

/// What became of a file as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileStatus {
    /// It was not there before.
    Created,
    /// It was written whole, and nothing was known of it before.
    Written,
    /// It changed.
    Modified,
    /// It is no longer there.
    Deleted,
    /// It has another path.
    Moved,
    /// Only a command may have written it, or all edits failed.
    Unknown,
}

impl FileStatus {
    /// All of them.
    pub const ALL: &'static [FileStatus] = &[
        FileStatus::Created,
        FileStatus::Written,
        FileStatus::Modified,
        FileStatus::Deleted,
        FileStatus::Moved,
        FileStatus::Unknown,
    ];

    /// The word for it, in JSON and in the page.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FileStatus::Created => "created",
            FileStatus::Written => "written",
            FileStatus::Modified => "modified",
            FileStatus::Deleted => "deleted",
            FileStatus::Moved => "moved",
            FileStatus::Unknown => "unknown",
        }
    }

    /// The words for it in a sentence.
    #[must_use]
    pub fn phrase(self) -> &'static str {
        match self {
            FileStatus::Written => "created or overwritten",
            FileStatus::Unknown => "not known to have changed",
            status => status.name(),
        }
    }

    /// The letter for it, as `git status` has it.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            FileStatus::Created | FileStatus::Written => 'A',
            FileStatus::Modified => 'M',
            FileStatus::Deleted => 'D',
            FileStatus::Moved => 'R',
            FileStatus::Unknown => '?',
        }
    }
}
