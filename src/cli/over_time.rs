//! `leafpress context --over-time`: how full the context was at each call, as a bar a call.

use std::io::{self, Write};

use anstyle::Style;
use unicode_width::UnicodeWidthStr as _;

use crate::figures::short;
use crate::report::{CallReport, OverTimeReport};
use crate::session::text::counted;

use super::clock::Clock;
use super::columns::{columns, shortened};
use super::printable::printable;

/// No bar is wider, however wide the terminal is.
const WIDEST_BAR: usize = 60;

/// A line a call, with lines for what changed before it: the model, a compaction.
pub(super) fn print(report: &OverTimeReport, clock: &Clock, out: &mut dyn Write) -> io::Result<()> {
    let dim = Style::new().dimmed();
    let Some(first) = report.calls.first() else {
        return writeln!(out, "no call on this branch reports the tokens that were sent");
    };
    let columns = columns();
    let id = report.calls.iter().map(|call| call.entry_id.width()).max().unwrap_or(0);
    let id = id.min(columns / 2);
    let time = if first.time.is_some() { "2026-11-02 09:00".len() } else { 0 };
    // The id, the time and `1.2k`, each with two blanks behind it.
    let taken = id + 2 + if time > 0 { time + 2 } else { 0 } + FIGURE + 2;
    let bar = columns.saturating_sub(taken).min(WIDEST_BAR);
    let most = report.calls.iter().map(|call| call.sent().max(call.window.unwrap_or(0.0)));
    let most = most.fold(0.0, f64::max);
    let mut before: Option<&CallReport> = None;
    for call in &report.calls {
        for change in changes(call, before) {
            writeln!(out, "{dim}{}{dim:#}", shortened(&printable(&change), columns))?;
        }
        let at = call.time.as_deref().and_then(|time| clock.minute_of(time)).unwrap_or_default();
        let at = if time > 0 { format!("{at:time$}  ") } else { String::new() };
        let key = shortened(&call.entry_id, id);
        let line = format!("{:>FIGURE$}  {}", short(call.sent()), filled(call.sent() / most, bar));
        writeln!(out, "{dim}{key:id$}  {at}{dim:#}{}", line.trim_end())?;
        before = Some(call);
    }
    let calls = counted(report.calls.len(), "call");
    writeln!(out, "{dim}{calls}, tokens sent with each; {}{dim:#}", clock.note())
}

/// Columns of a figure such as `999k` or `12.3M`.
const FIGURE: usize = 5;

/// What is different from the call before.
fn changes(call: &CallReport, before: Option<&CallReport>) -> Vec<String> {
    let mut changes = Vec::new();
    if let Some(compaction) = &call.compaction {
        changes.push(format!("compaction {compaction}"));
    }
    let is_same = |before: &CallReport| before.model == call.model && before.window == call.window;
    if !before.is_some_and(is_same) {
        let window = call.window.map(|window| format!("context window {}", short(window)));
        let model = call.model.as_ref().map(|model| format!("model {model}"));
        let model: Vec<String> = model.into_iter().chain(window).collect();
        changes.extend((!model.is_empty()).then(|| model.join(", ")));
    }
    changes
}

/// A bar that fills a part of so many columns; anything fills some of one.
fn filled(part: f64, columns: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a few hundred"
    )]
    let eighths = (part * columns as f64 * 8.0).round().max(1.0) as usize;
    let eighths = eighths.min(columns * 8);
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_fills_its_part() {
        assert_eq!(filled(1.0, 3), "███");
        assert_eq!(filled(0.5, 3), "█▌");
        assert_eq!(filled(0.0, 3), "▏");
        assert_eq!(filled(1.0, 0), "");
    }
}
