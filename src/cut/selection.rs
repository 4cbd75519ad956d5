//! What becomes of each entry, and why.

use crate::session::EntryIndex;

/// Why an entry goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// It is on another branch.
    Branch,
    /// It is not below the entry chosen.
    Subtree,
    /// It comes before the part.
    Before,
    /// It comes behind the part.
    After,
    /// Its kind is not listed.
    Kind,
    /// It says something of an entry that goes.
    Target,
    /// It is a title that may tell of what goes.
    Title,
    /// Its session goes with the entry that started it.
    Session,
}

impl Why {
    /// In words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Why::Branch => "another branch",
            Why::Subtree => "outside the shared part",
            Why::Before => "before the shared part",
            Why::After => "after the shared part",
            Why::Kind => "another kind of entry",
            Why::Target => "about an entry that is not included",
            Why::Title => "a title made from what is not included",
            Why::Session => "a sub-session of an entry that is not included",
        }
    }

    /// Whether what goes may have been summed up: labels and titles never reach a model.
    pub(super) fn may_be_summed_up(self) -> bool {
        !matches!(self, Why::Target | Why::Title)
    }

    /// Whether it is its place in the tree: what hangs from it goes for the same reason.
    pub(super) fn is_place(self) -> bool {
        matches!(self, Why::Branch | Why::Subtree | Why::Before | Why::After)
    }
}

/// What becomes of each entry, and where each session stands then.
pub(super) struct Selection {
    pub(super) gone: Vec<Option<Why>>,
    /// The leaf of each session; it may be one that goes.
    pub(super) leaves: Vec<EntryIndex>,
    /// Whether each session stays; the first always does.
    pub(super) stays: Vec<bool>,
}

impl Selection {
    pub(super) fn why(&self, entry: EntryIndex) -> Option<Why> {
        self.gone[entry.get()]
    }

    pub(super) fn is_gone(&self, entry: EntryIndex) -> bool {
        self.gone[entry.get()].is_some()
    }

    pub(super) fn remove(&mut self, entry: EntryIndex, why: Why) {
        self.gone[entry.get()].get_or_insert(why);
    }

    /// Where a session stands, 0 for the first.
    pub(super) fn leaf(&self, number: usize) -> EntryIndex {
        self.leaves[number]
    }

    pub(super) fn stays(&self, number: usize) -> bool {
        self.stays[number]
    }
}
