//! Sessions within a session: work given to another agent, kept in a session of its own.

use super::Session;

/// A child session as a dialect hands it over.
#[derive(Debug)]
pub struct Child {
    /// Its name, one part of its entries' public keys: `Scout` in `Scout/a1b2`.
    pub key: String,
    /// The kind of agent, where it is told.
    pub agent: Option<String>,
    /// What it was asked to do, in one line.
    pub task: Option<String>,
    /// The id of the entry that started it, as its parent session has it.
    pub started_by: Option<String>,
    /// The session, or why there is none to show.
    pub session: Result<Box<Session>, String>,
}
