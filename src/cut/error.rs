//! Why a cut cannot be made.

use std::fmt;

/// The field of [`Cut`](super::Cut) that names an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CutEntry {
    /// [`Cut::leaf`](super::Cut::leaf)
    Leaf,
    /// [`Cut::branch`](super::Cut::branch)
    Branch,
    /// [`Cut::subtree`](super::Cut::subtree)
    Subtree,
    /// [`Cut::from`](super::Cut::from)
    From,
    /// [`Cut::to`](super::Cut::to)
    To,
}

impl fmt::Display for CutEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CutEntry::Leaf => "leaf",
            CutEntry::Branch => "branch",
            CutEntry::Subtree => "subtree",
            CutEntry::From => "from",
            CutEntry::To => "to",
        })
    }
}

/// Why a cut cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CutError {
    /// An entry lies outside what another one leaves: off the path to a leaf, or not below a subtree's top.
    #[error("{}", outside(*entry, key, *of, other))]
    Outside {
        /// What names the entry.
        entry: CutEntry,
        /// The entry's key.
        key: String,
        /// What names the other entry.
        of: CutEntry,
        /// The other entry's key.
        other: String,
    },
    /// An entry of a sub-session, where only one of the session itself can be named.
    #[error("`{entry}` entry `{key}` belongs to a sub-agent session")]
    Within {
        /// What names the entry.
        entry: CutEntry,
        /// The entry's key.
        key: String,
    },
    /// An entry that the session does not have.
    #[error("the session has no such `{0}` entry")]
    Unknown(CutEntry),
    /// No entry would stay.
    #[error("the cut removes every entry")]
    NothingLeft,
}

fn outside(entry: CutEntry, key: &str, of: CutEntry, other: &str) -> String {
    match of {
        CutEntry::Leaf => format!("`{entry}` entry `{key}` is not on the path to `{other}`"),
        of => format!("`{entry}` entry `{key}` is outside `{of}` entry `{other}`"),
    }
}
