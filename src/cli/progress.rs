//! One line on a terminal that says how far a long command is: what it does, a bar, how much is
//! done, how fast, and how long the rest takes.

use std::io::{self, IsTerminal as _, Read};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::progress::{Progress, Step, Steps, Task};

/// A command shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// The line of this process; there is one terminal.
static LINE: OnceLock<Mutex<Line>> = OnceLock::new();

struct Line {
    begun: Instant,
    bar: Option<(Task, ProgressBar)>,
}

/// Starts the clock. Without a terminal on standard error nothing is ever shown.
pub(super) fn begin() {
    if io::stderr().is_terminal() {
        let _ = LINE.set(Mutex::new(Line { begun: Instant::now(), bar: None }));
    }
}

/// What the library tells; `None` where nobody would see it.
pub(super) fn reporter() -> Option<Progress> {
    let line = LINE.get()?;
    Some(Progress::new(|step| line.lock().unwrap_or_else(PoisonError::into_inner).show(step)))
}

/// Erases the line, so that other text can be printed.
pub(super) fn clear() {
    // At a signal, the line may be held by the thread that draws it, which ends with the process.
    if let Some(Ok(mut line)) = LINE.get().map(Mutex::try_lock) {
        line.bar = None;
    }
}

/// The same reader, which tells how many of its bytes are read.
pub(super) fn counted(from: impl Read + 'static, size: Option<u64>) -> Box<dyn Read> {
    let size = size.and_then(|size| usize::try_from(size).ok());
    match (reporter(), size) {
        (Some(progress), Some(size)) => {
            Box::new(Counted { from, steps: Steps::new(Some(progress), Task::Read, size) })
        }
        _ => Box::new(from),
    }
}

struct Counted<R> {
    from: R,
    steps: Steps,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.steps.add(read);
        Ok(read)
    }
}

impl Line {
    fn show(&mut self, Step { task, done, total }: Step) {
        if self.bar.as_ref().is_some_and(|(of, _)| *of != task) || done >= total {
            self.bar = None;
        }
        if done >= total {
            return;
        }
        // Hidden at first, it knows the rate from the beginning.
        let (_, bar) = self.bar.get_or_insert_with(|| (task, bar(task, total)));
        if bar.is_hidden() && self.begun.elapsed() >= PATIENCE {
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
        }
        bar.set_position(done as u64);
    }
}

fn bar(task: Task, total: usize) -> ProgressBar {
    let template = if task.is_in_bytes() {
        "{msg} {wide_bar} {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left"
    } else {
        "{msg} {wide_bar} {human_pos} of {human_len}, {per_sec:.0}, {eta} left"
    };
    // A template that indicatif refuses would fail a test; its own would do, too.
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> ");
    let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::hidden());
    bar.with_style(style).with_message(task.name())
}
