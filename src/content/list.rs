//! Lists whose items have a state: things to do, options of a question, calls that a tool made itself.

use super::{Content, Span};

/// A list whose items have a state.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct List<'s> {
    /// What its items are.
    pub kind: ListKind,
    /// The items in order.
    pub items: Vec<Item<'s>>,
    /// There were more of them, which the agent did not keep.
    pub is_incomplete: bool,
}

/// What the items of a list are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListKind {
    /// Things to do.
    ToDo,
    /// Options of a question; those that were chosen are done.
    Options,
    /// Calls that a tool made itself.
    Calls,
}

/// An item of a list.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Item<'s> {
    /// How it stands.
    pub state: ItemState,
    /// Its words, on one line.
    pub words: Vec<Span<'s>>,
    /// What else belongs to it.
    pub content: Content<'s>,
}

/// How an item of a list stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ItemState {
    /// Not yet done, not chosen, or unfinished.
    Open,
    /// Begun.
    Doing,
    /// Done, chosen, or ended well.
    Done,
    /// No longer wanted.
    Dropped,
    /// Ended with an error.
    Failed,
}

impl ItemState {
    /// The sign before an item of a list of this kind, and the word for its state.
    pub(crate) fn sign(self, kind: ListKind) -> (&'static str, &'static str) {
        match (kind, self) {
            (ListKind::ToDo, ItemState::Done) => ("☑", "done"),
            (ListKind::ToDo, ItemState::Doing) => ("▶", "doing"),
            (ListKind::ToDo, ItemState::Dropped | ItemState::Failed) => ("☒", "dropped"),
            (ListKind::ToDo, ItemState::Open) => ("☐", "open"),
            (ListKind::Options, ItemState::Done) => ("●", "chosen"),
            (ListKind::Options, _) => ("○", "open"),
            (ListKind::Calls, ItemState::Done) => ("✓", "ok"),
            (ListKind::Calls, ItemState::Failed) => ("✗", "failed"),
            (ListKind::Calls, _) => ("…", "unfinished"),
        }
    }
}
