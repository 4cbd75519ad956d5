//! Calls of tools: what was asked and what came back.

use std::borrow::Cow;

use super::{Content, Span};
use crate::session::EntryIndex;
use crate::session::calls::CallPlace;

/// A call in a response whose results have cards of their own: every branch shows its own result.
#[derive(Debug, Clone, PartialEq)]
pub struct Call<'s> {
    /// The tool's name.
    pub name: Cow<'s, str>,
    /// The call's own id.
    pub id: Cow<'s, str>,
    /// What the call is about.
    pub summary: Vec<Span<'s>>,
    /// The entries of the results.
    pub results: Vec<EntryIndex>,
}

/// A run of a tool, or of a command of the person's own, with what it printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Card<'s> {
    /// The tool's name, or the sign of what the person ran (`$`).
    pub name: Cow<'s, str>,
    /// Who ran it.
    pub caller: Caller<'s>,
    /// How it ended.
    pub state: RunState,
    /// What it was about: a path, a command, a pattern.
    pub summary: Vec<Span<'s>>,
    /// Short facts beside it, in leafpress's own words: `exit 1`, `12 lines`.
    pub facts: Vec<String>,
    /// All else.
    pub body: Content<'s>,
}

/// Who ran what a card shows.
#[derive(Debug, Clone, PartialEq)]
pub enum Caller<'s> {
    /// The person.
    Person {
        /// How it ended, in words; empty where it ended well.
        words: String,
    },
    /// The provider of the model, which says no more of it.
    Provider,
    /// The model.
    Model {
        /// The call's own id.
        id: Cow<'s, str>,
        /// Where the call stands; `None` where it is not in the session, or in this very entry.
        place: Option<CallPlace>,
        /// The call is in the session.
        has_call: bool,
        /// The result's own name for the tool, where it is another than the call's.
        answered_as: Option<Cow<'s, str>>,
        /// `212 progress updates`; empty without any.
        progress: String,
        /// The call started a session of its own.
        is_sub_agent: bool,
    },
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    /// Well, or at least nothing says otherwise.
    Ok,
    /// With an error.
    Failed,
    /// The turn was aborted before a result came.
    Aborted,
    /// There is no result.
    NoResult,
}
