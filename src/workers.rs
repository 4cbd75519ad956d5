//! Work on several cores: the same on many pieces, its results in the order of the pieces
//! ([`Workers`], [`map`]), two works side by side ([`both`]), and one that is needed only later ([`Later`]).
//! Whoever begins a work asks for its [`Threads`] and hands them down.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::num::NonZero;
use std::ops::Deref;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How far ahead of the result taken last the workers may be, for each of
/// them: enough that nobody waits for one slow piece for long, few enough to
/// lie in memory.
const AHEAD: usize = 16;

/// Several workers that do pieces of one work, each with tools of its own.
#[derive(Debug)]
pub(crate) struct Workers<T> {
    tools: Vec<Mutex<T>>,
}

/// What the workers of one run share. It knows the numbers of pieces and not their results, so that there is one of it in
/// the program and not one a use.
struct Run<'r> {
    count: usize,
    ahead: usize,
    /// Does a piece, the second, with the tools of a worker, the first, and puts its result aside.
    work: &'r (dyn Fn(usize, usize) + Sync),
    queue: Mutex<Queue>,
    /// A result is there, or one was taken.
    changed: Condvar,
}

/// Which pieces are begun, done and taken.
#[derive(Default)]
struct Queue {
    /// The piece to begin next.
    next: usize,
    /// How many results were taken.
    taken: usize,
    /// Whose results wait.
    done: BTreeSet<usize>,
    /// Somebody failed: the others stop.
    stopped: bool,
}

/// How many threads a work may use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Threads(NonZero<usize>);

impl Threads {
    pub(crate) const ONE: Threads = Threads(NonZero::<usize>::MIN);

    /// As many as the machine has cores.
    pub(crate) fn available() -> Threads {
        Threads(thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN))
    }

    /// So many, and one at least.
    #[cfg(test)]
    pub(crate) fn of(count: usize) -> Threads {
        Threads(NonZero::new(count).unwrap_or(NonZero::<usize>::MIN))
    }

    fn are_several(self) -> bool {
        self.0.get() > 1
    }
}

/// A result that somebody else works on until it is asked for.
pub(crate) struct Later<'s, R>(LazyCell<R, Box<dyn FnOnce() -> R + 's>>);

impl<'s, R: Send + 's> Later<'s, R> {
    /// Begins the work beside the caller's own; one thread alone does it when it is asked for.
    pub(crate) fn begin(
        scope: &'s thread::Scope<'s, '_>,
        threads: Threads,
        work: impl FnOnce() -> R + Send + 's,
    ) -> Later<'s, R> {
        if !threads.are_several() {
            return Later(LazyCell::new(Box::new(work)));
        }
        let running = scope.spawn(work);
        Later(LazyCell::new(Box::new(move || joined(running))))
    }
}

impl<R> Deref for Later<'_, R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.0
    }
}

/// What a thread gives; its panic is the caller's.
fn joined<R>(running: thread::ScopedJoinHandle<'_, R>) -> R {
    running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Two works side by side, where there are threads for both.
pub(crate) fn both<A: Send, B>(
    threads: Threads,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B,
) -> (A, B) {
    if !threads.are_several() {
        return (one(), other());
    }
    thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        (joined(one), other)
    })
}

/// What `of` gives for each of `0..count`: a look at each entry of a session, say, which is too
/// little for a piece of work.
pub(crate) fn map<R: Send>(
    threads: Threads,
    count: usize,
    of: impl Fn(usize) -> R + Sync,
) -> Vec<R> {
    /// So many make a piece.
    const PIECE: usize = 128;
    let mut all = Vec::with_capacity(count);
    let piece = |(): &mut (), nth: usize| {
        (nth * PIECE..count.min((nth + 1) * PIECE)).map(&of).collect::<Vec<_>>()
    };
    let take = |mut piece: Vec<R>| {
        all.append(&mut piece);
        Ok::<(), Infallible>(())
    };
    let Ok(()) = Workers::new(threads, || ()).run(count.div_ceil(PIECE), piece, take);
    all
}

impl<T: Send> Workers<T> {
    /// One for each thread.
    pub(crate) fn new(threads: Threads, make: impl FnMut() -> T) -> Workers<T> {
        let tools = std::iter::repeat_with(make).take(threads.0.get());
        Workers { tools: tools.map(Mutex::new).collect() }
    }

    /// Does the pieces `0..count` and hands over their results in this order.
    /// Of the results, no more than some for each worker are there at one time. Neither `work` nor
    /// `take` may run the same workers again: each is busy.
    pub(crate) fn run<R: Send, E>(
        &self,
        count: usize,
        work: impl Fn(&mut T, usize) -> R + Sync,
        mut take: impl FnMut(R) -> Result<(), E>,
    ) -> Result<(), E> {
        let workers = self.tools.len().min(count);
        let ahead = AHEAD * workers;
        // One more than can be begun before the oldest is taken.
        let results: Vec<Mutex<Option<R>>> =
            (0..count.min(ahead + 1)).map(|_| Mutex::new(None)).collect();
        let place = |nth: usize| lock(&results[nth % results.len()]);
        let work = |worker: usize, nth: usize| {
            let result = work(&mut lock(&self.tools[worker]), nth);
            *place(nth) = Some(result);
        };
        let mut ended = Ok(());
        let run =
            Run { count, ahead, work: &work, queue: Mutex::default(), changed: Condvar::new() };
        run.by(workers, &mut |nth| {
            let result = place(nth).take();
            ended = result.map_or(Ok(()), &mut take);
            ended.is_ok()
        });
        ended
    }
}

impl<T: Send> Workers<T> {
    /// Does pieces of which some make a whole each, in turn so many of them as `sizes` says. Whoever does the last
    /// piece of a whole makes it, beside the others. `done` are the first pieces, which were done before. Hands
    /// over, piece by piece, the wholes in their order.
    pub(crate) fn run_in_groups<R: Send, S: Send, E>(
        &self,
        sizes: &[usize],
        done: Vec<R>,
        piece: impl Fn(&mut T, usize) -> R + Sync,
        whole: impl Fn(Vec<R>) -> S + Sync,
        take: impl FnMut(Option<S>) -> Result<(), E>,
    ) -> Result<(), E> {
        let begun = done.len();
        let mut done = done.into_iter();
        let groups: Vec<_> = sizes.iter().map(|&size| Group::new(size, &mut done)).collect();
        let places: Vec<_> = (sizes.iter().enumerate())
            .flat_map(|(group, &size)| (0..size).map(move |nth| (group, nth)))
            .collect();
        let work = |tool: &mut T, at: usize| {
            let (group, nth) = places[at];
            let new = (at >= begun).then(|| piece(tool, at));
            let all = lock(&groups[group]).put(nth, new);
            all.map(&whole)
        };
        self.run(places.len(), work, take)
    }
}

/// Pieces that make a whole, some of them still missing.
struct Group<R> {
    pieces: Vec<Option<R>>,
    /// How many were not come by yet.
    left: usize,
}

impl<R> Group<R> {
    fn new(size: usize, done: &mut impl Iterator<Item = R>) -> Mutex<Group<R>> {
        Mutex::new(Group { pieces: (0..size).map(|_| done.next()).collect(), left: size })
    }

    /// Takes a piece in, unless it was done before, and gives all of them with the last one.
    fn put(&mut self, nth: usize, new: Option<R>) -> Option<Vec<R>> {
        self.pieces[nth] = new.or(self.pieces[nth].take());
        self.left -= 1;
        (self.left == 0).then(|| self.pieces.drain(..).flatten().collect())
    }
}

impl Run<'_> {
    /// Does all pieces with so many workers, the caller among them, who takes the results in their order until it has
    /// enough.
    fn by(&self, workers: usize, take: &mut dyn FnMut(usize) -> bool) {
        thread::scope(|scope| {
            let _stop = Stop { run: self, only_on_panic: false };
            for worker in 1..workers {
                scope.spawn(move || self.help(worker));
            }
            self.lead(take);
        });
    }

    /// Works until no piece is left to begin.
    fn help(&self, worker: usize) {
        let _stop = Stop { run: self, only_on_panic: true };
        let mut queue = lock(&self.queue);
        while !queue.stopped && queue.next < self.count {
            if queue.next >= queue.taken + self.ahead {
                queue = self.wait(queue);
                continue;
            }
            queue = self.piece(worker, queue);
        }
    }

    /// Takes the results in their order, and works while the next is not there.
    fn lead(&self, take: &mut dyn FnMut(usize) -> bool) {
        let mut queue = lock(&self.queue);
        while queue.taken < self.count && !queue.stopped {
            let turn = queue.taken;
            if queue.done.remove(&turn) {
                queue.taken += 1;
                drop(queue);
                self.changed.notify_all();
                if !take(turn) {
                    return;
                }
                queue = lock(&self.queue);
            } else if queue.next < self.count && queue.next < turn + self.ahead {
                queue = self.piece(0, queue);
            } else {
                queue = self.wait(queue);
            }
        }
    }

    fn piece<'p>(
        &'p self,
        worker: usize,
        mut queue: MutexGuard<'p, Queue>,
    ) -> MutexGuard<'p, Queue> {
        let piece = queue.next;
        queue.next += 1;
        drop(queue);
        (self.work)(worker, piece);
        let mut queue = lock(&self.queue);
        queue.done.insert(piece);
        self.changed.notify_all();
        queue
    }

    fn wait<'p>(&self, queue: MutexGuard<'p, Queue>) -> MutexGuard<'p, Queue> {
        self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) {
        lock(&self.queue).stopped = true;
        self.changed.notify_all();
    }
}

/// Stops the run when it is dropped, so that nobody waits for a result that will not come.
struct Stop<'s, 'r> {
    run: &'s Run<'r>,
    /// A worker that finds nothing left to begin ends while others still work.
    only_on_panic: bool,
}

impl Drop for Stop<'_, '_> {
    fn drop(&mut self) {
        if thread::panicking() || !self.only_on_panic {
            self.run.stop();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What a panic left behind is not looked at: the run ends with it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_each_once() {
        for workers in [1, 2, 5] {
            for count in [0, 1, 3, 500] {
                let workers = Workers::new(Threads::of(workers), || 0);
                let mut got = Vec::new();
                let work = |done: &mut usize, piece| {
                    *done += 1;
                    piece
                };
                let take = |piece: usize| {
                    got.push(piece);
                    Ok::<(), ()>(())
                };
                workers.run(count, work, take).unwrap();
                assert_eq!(got, (0..count).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn wholes_come_in_order_with_all_their_pieces() {
        let sizes = [3, 1, 40, 2];
        for workers in [1, 3] {
            for done in [0, 2, 4, 46] {
                let workers = Workers::new(Threads::of(workers), || ());
                let done: Vec<usize> = (0..done).collect();
                let begun = done.len();
                let mut got = Vec::new();
                let piece = |(): &mut (), nth| {
                    assert!(nth >= begun, "piece {nth} was done");
                    nth
                };
                let take = |whole: Option<Vec<usize>>| {
                    got.extend(whole);
                    Ok::<(), ()>(())
                };
                workers.run_in_groups(&sizes, done, piece, |all| all, take).unwrap();
                assert_eq!(got.iter().map(Vec::len).collect::<Vec<_>>(), sizes);
                assert_eq!(got.concat(), (0..46).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn each_is_mapped_in_its_place() {
        for count in [0, 1, 128, 1000] {
            assert_eq!(
                map(Threads::of(3), count, |nth| nth * 2),
                (0..count).map(|nth| nth * 2).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn a_later_result_is_there_when_it_is_asked_for() {
        for workers in [1, 2] {
            let sum = thread::scope(|scope| {
                let later = Later::begin(scope, Threads::of(workers), || (1..=4).sum::<u32>());
                *later + *later
            });
            assert_eq!(sum, 20);
        }
    }

    #[test]
    fn who_takes_may_end_it() {
        let workers = Workers::new(Threads::of(3), || ());
        let mut taken = 0;
        let ended = workers.run(
            1000,
            |(), piece| piece,
            |_| {
                taken += 1;
                if taken < 7 { Ok(()) } else { Err("enough") }
            },
        );
        assert_eq!((ended, taken), (Err("enough"), 7));
    }

    #[test]
    fn a_panic_of_a_worker_ends_the_run() {
        let workers = Workers::new(Threads::of(2), || ());
        let run = || {
            let fails = |(): &mut (), piece| assert!(piece != 40, "piece 40");
            workers.run(200, fails, |()| Ok::<(), ()>(()))
        };
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
    }
}
