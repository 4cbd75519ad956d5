//! The same work on many pieces at once, its results in the order of the pieces.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Results that wait to be taken, for each worker: enough that nobody waits
/// for the slowest piece of a round for long, few enough to lie in memory.
const ROUND: usize = 16;

/// Several workers that do pieces of one work, each with tools of its own.
#[derive(Debug)]
pub(super) struct Workers<T> {
    tools: Vec<Mutex<T>>,
}

impl<T: Send> Workers<T> {
    /// As many as the machine has cores.
    pub(super) fn new(mut make: impl FnMut() -> T) -> Workers<T> {
        let count = thread::available_parallelism().map_or(1, NonZero::get);
        Workers { tools: (0..count).map(|_| Mutex::new(make())).collect() }
    }

    /// Does the pieces `0..count` and hands over their results in this order.
    /// Of the results, no more than some rounds are there at one time.
    pub(super) fn run<R: Send, E>(
        &self,
        count: usize,
        work: impl Fn(&mut T, usize) -> R + Sync,
        mut take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let round = ROUND * self.tools.len();
        for start in (0..count).step_by(round) {
            for result in self.round(start..count.min(start + round), &work) {
                take(result)?;
            }
        }
        Ok(())
    }

    fn round<R: Send>(
        &self,
        pieces: std::ops::Range<usize>,
        work: &(impl Fn(&mut T, usize) -> R + Sync),
    ) -> Vec<R> {
        let next = AtomicUsize::new(pieces.start);
        let alone = pieces.len() < 2;
        let tools = if alone { &self.tools[..1] } else { &self.tools[..] };
        let does = |tool: &Mutex<T>| {
            // Each worker has its own; nobody else ever holds it.
            let mut tool = tool.lock().unwrap_or_else(PoisonError::into_inner);
            let mut done = Vec::new();
            loop {
                let piece = next.fetch_add(1, Ordering::Relaxed);
                if piece >= pieces.end {
                    return done;
                }
                done.push((piece, work(&mut tool, piece)));
            }
        };
        let mut done = thread::scope(|scope| {
            let others: Vec<_> = tools[1..].iter().map(|tool| scope.spawn(|| does(tool))).collect();
            let mut done = does(&tools[0]);
            for other in others {
                match other.join() {
                    Ok(more) => done.extend(more),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            done
        });
        done.sort_unstable_by_key(|(piece, _)| *piece);
        done.into_iter().map(|(_, result)| result).collect()
    }
}
