//! One line on a terminal that says how far a long command is: what it does, a bar, how much is
//! done, how fast, and how long the rest takes.

use std::fmt::Write;
use std::io::{self, IsTerminal as _, Read};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::progress::{Progress, Step, Steps, Task};

/// A command shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// The line of this process; there is one terminal.
static LINE: OnceLock<Mutex<ProgressLine>> = OnceLock::new();

struct ProgressLine {
    begun: Instant,
    bar: Option<(Task, ProgressBar)>,
    /// Where it is drawn.
    target: fn() -> ProgressDrawTarget,
}

/// Starts the clock. Without a terminal on standard error nothing is ever shown.
pub(super) fn begin() {
    if io::stderr().is_terminal() {
        // Often enough to be read, too seldom to slow down the work.
        let target = || ProgressDrawTarget::stderr_with_hz(10);
        let _ = LINE.set(Mutex::new(ProgressLine { begun: Instant::now(), bar: None, target }));
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

impl ProgressLine {
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
            bar.set_draw_target((self.target)());
        }
        bar.set_position(done as u64);
    }
}

fn bar(task: Task, total: usize) -> ProgressBar {
    let template = if task.is_in_bytes() {
        "{msg} [{wide_bar}] {decimal_bytes} of {decimal_total_bytes}, {decimal_bytes_per_sec}, {eta} left"
    } else {
        "{msg} [{wide_bar}] {human_pos} of {human_len}, {rate}, {eta} left"
    };
    let rate = |state: &ProgressState, out: &mut dyn Write| {
        let _ = write!(out, "{:.0}/s", state.per_sec());
    };
    // A test sees that the template is understood.
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let style = style.with_key("rate", rate).progress_chars("=> ");
    let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::hidden());
    bar.with_style(style).with_message(task.name())
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use indicatif::InMemoryTerm;

    use super::*;

    static TERMINAL: LazyLock<InMemoryTerm> = LazyLock::new(|| InMemoryTerm::new(5, 100));

    fn shown(line: &mut ProgressLine, task: Task, done: usize) -> String {
        line.show(Step { task, done, total: 2000 });
        TERMINAL.contents()
    }

    #[test]
    fn a_long_work_is_one_line_that_is_gone_at_the_end() {
        let target = || {
            let terminal = Box::new(LazyLock::force(&TERMINAL).clone());
            ProgressDrawTarget::term_like_with_hz(terminal, u8::MAX)
        };
        let mut line = ProgressLine { begun: Instant::now(), bar: None, target };
        assert_eq!(shown(&mut line, Task::Parse, 10), "", "it is not long yet");
        line.begun = Instant::now().checked_sub(PATIENCE).unwrap();
        let told = shown(&mut line, Task::Parse, 1500);
        assert!(told.starts_with("parsing [==="), "{told}");
        assert!(told.contains("] 1.50 kB of 2.00 kB, ") && told.ends_with(" left"), "{told}");
        let told = shown(&mut line, Task::Write, 1000);
        assert!(told.starts_with("writing [==="), "{told}");
        assert!(told.contains("] 1,000 of 2,000, ") && told.ends_with(" left"), "{told}");
        assert_eq!(shown(&mut line, Task::Write, 2000), "");
    }
}
