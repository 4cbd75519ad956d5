//! A line on a terminal that says how far a long work is.

use std::io::{self, IsTerminal as _, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::page::Progress;

/// A work shorter than this says nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Between two lines, so that the terminal is no brake.
const PAUSE: Duration = Duration::from_millis(100);

/// Tells on standard error, where that is a terminal, from `begun` on.
pub(super) fn on_terminal(begun: Instant) -> Option<Progress> {
    io::stderr().is_terminal().then(|| {
        let line = Mutex::new(Line { out: io::stderr(), told: None });
        Progress::new(move |what, done, count| {
            if let Ok(mut line) = line.lock() {
                // What the page calls an article is an entry to its reader.
                let what = if what == "articles" { "entries" } else { what };
                line.tell(begun.elapsed(), what, done, count);
            }
        })
    })
}

/// One line, written in place and erased in the end.
struct Line<W: Write> {
    out: W,
    /// When it was written last.
    told: Option<Duration>,
}

impl<W: Write> Line<W> {
    fn tell(&mut self, elapsed: Duration, what: &str, done: usize, count: usize) {
        let is_due = self.told.map_or(PATIENCE, |told| told + PAUSE) <= elapsed;
        if is_due && done < count {
            // A terminal that is gone is no reason to fail.
            let _ = write!(self.out, "\r\x1b[Kwriting {what}: {}%", done * 100 / count);
            let _ = self.out.flush();
            self.told = Some(elapsed);
        }
    }
}

impl<W: Write> Drop for Line<W> {
    fn drop(&mut self) {
        if self.told.is_some() {
            let _ = write!(self.out, "\r\x1b[K");
            let _ = self.out.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_work_is_told_now_and_then_and_the_line_erased() {
        let mut out = Vec::new();
        let mut line = Line { out: &mut out, told: None };
        for (ms, done) in [(500, 1), (1000, 25), (1050, 30), (1100, 50), (1300, 100)] {
            line.tell(Duration::from_millis(ms), "articles", done, 100);
        }
        drop(line);
        let told = String::from_utf8(out).unwrap();
        assert_eq!(told, "\r\x1b[Kwriting articles: 25%\r\x1b[Kwriting articles: 50%\r\x1b[K");
    }

    #[test]
    fn a_short_work_is_not() {
        let mut out = Vec::new();
        let mut line = Line { out: &mut out, told: None };
        line.tell(Duration::from_millis(999), "articles", 1, 2);
        drop(line);
        assert!(out.is_empty());
    }
}
