//! How far an export is, for whoever waits for it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Is told how far an export is: what is being written, how many steps are
/// done and how many there are. It is called on the thread that exports.
#[derive(Clone)]
pub struct Progress(Arc<Tell>);

type Tell = dyn Fn(&'static str, usize, usize) + Send + Sync;

impl Progress {
    /// Calls `tell` after each step.
    pub fn new(tell: impl Fn(&'static str, usize, usize) + Send + Sync + 'static) -> Progress {
        Progress(Arc::new(tell))
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}

/// The steps of one export.
#[derive(Debug)]
pub(super) struct Steps {
    progress: Option<Progress>,
    done: AtomicUsize,
    count: usize,
}

impl Steps {
    pub(super) fn new(progress: Option<Progress>, count: usize) -> Steps {
        Steps { progress, done: AtomicUsize::new(0), count }
    }

    /// One more is done.
    pub(super) fn step(&self, what: &'static str) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(Progress(tell)) = &self.progress {
            tell(what, done, self.count);
        }
    }
}
