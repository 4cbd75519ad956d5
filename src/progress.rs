//! How far a long work is, for whoever waits for it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Is called with how far a work is. It may be called on any thread.
#[derive(Clone)]
pub struct Progress(Arc<dyn Fn(Step) + Send + Sync>);

/// How far a work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// What is being done.
    pub task: Task,
    /// How much of it is done, in the unit of the task; at the end as much as there is.
    pub done: usize,
    /// How much there is, in the same unit.
    pub total: usize,
}

/// What is being done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Task {
    /// Reading a file, in bytes.
    Read,
    /// Taking the entries out of it, in bytes.
    Parse,
    /// Finding and replacing secrets, in bytes.
    Redact,
    /// Looking for secrets, in parts of the session or of the page.
    Search,
    /// Writing a page, in parts of it.
    Write,
    /// Looking through the sessions of agents, in files.
    List,
    /// Reading the sessions of agents for a search, in files.
    Index,
    /// Searching through sessions one by one, in sessions.
    Find,
    /// Copying sessions into the vault, in files.
    Keep,
    /// Comparing copies with their checksums, in copies.
    Verify,
}

impl Task {
    /// In words, as `reading`.
    pub fn name(self) -> &'static str {
        match self {
            Task::Read => "reading",
            Task::Parse => "parsing",
            Task::Redact => "redacting",
            Task::Search => "looking for secrets",
            Task::Write => "writing",
            Task::List => "listing",
            Task::Index => "indexing",
            Task::Find => "searching",
            Task::Keep => "keeping",
            Task::Verify => "verifying",
        }
    }

    /// Whether it counts bytes.
    pub fn is_in_bytes(self) -> bool {
        matches!(self, Task::Read | Task::Parse | Task::Redact)
    }
}

impl Progress {
    /// Calls `tell` after each step.
    pub fn new(tell: impl Fn(Step) + Send + Sync + 'static) -> Progress {
        Progress(Arc::new(tell))
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}

/// A work that tells how far it is, where somebody wants to know.
#[derive(Debug)]
pub(crate) struct Steps {
    progress: Option<Progress>,
    task: Task,
    done: AtomicUsize,
    total: usize,
}

impl Steps {
    pub(crate) fn new(progress: Option<Progress>, task: Task, total: usize) -> Steps {
        Steps { progress, task, done: AtomicUsize::new(0), total }
    }

    /// So much more is done.
    pub(crate) fn add(&self, more: usize) {
        if let Some(Progress(tell)) = &self.progress {
            let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
            tell(Step { task: self.task, done, total: self.total });
        }
    }
}
