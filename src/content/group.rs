//! Content that belongs together within an entry.

use super::{Content, Span};

/// Content that belongs together.
#[derive(Debug, Clone, PartialEq)]
pub struct Group<'s> {
    /// What it is.
    pub kind: GroupKind,
    /// Whose it is, or about what; empty where the kind says it.
    pub title: Vec<Span<'s>>,
    /// What belongs together.
    pub content: Content<'s>,
}

/// What the content of a group is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum GroupKind {
    /// What an advisor noted.
    Advice,
    /// What the model gets in place of another entry.
    Replacement,
    /// What an agent notes for the model.
    Note,
    /// A question to the person, which is its title, with the options given.
    Question,
    /// An edit of a call that says nothing of what it is to change.
    OddEdit,
    /// A system prompt with its sections and tools.
    System,
    /// One of the messages that a context begins with after a compaction, from 0.
    Lead(usize),
    /// The same of a message that the compaction keeps, from 0.
    Retained(usize),
}

impl<'s> Group<'s> {
    /// A group that needs no title.
    pub(super) fn new(kind: GroupKind, content: Content<'s>) -> Self {
        Group { kind, title: Vec::new(), content }
    }
}
