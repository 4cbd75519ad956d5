//! Steps that fail when a test says so, and never elsewhere.

use std::io;
#[cfg(test)]
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Debug, Default)]
pub(crate) struct Faults {
    #[cfg(test)]
    done: AtomicUsize,
    /// From 1; 0 for none.
    #[cfg(test)]
    fails_at: AtomicUsize,
}

#[cfg(not(test))]
impl Faults {
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "a test lets it fail")]
    pub(crate) fn step(&self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
impl Faults {
    pub(crate) fn fail_at(&self, step: usize) {
        self.fails_at.store(step, Ordering::Relaxed);
    }

    pub(crate) fn steps(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    pub(crate) fn step(&self) -> io::Result<()> {
        let step = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if step == self.fails_at.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    }
}
