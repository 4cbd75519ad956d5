//! `leafpress stats`: counts tokens, cost and time of a session and its branches.

use std::io::{self, Write};

use anstyle::Style;
use clap::Args;
use unicode_width::UnicodeWidthStr as _;

use crate::cli::error::Error;
use crate::figures::{cost, counted, duration, tokens};
use crate::report::{self, EditedFileReport, Figures, SinceReport, StatsReport, UsageReport};
use crate::session::text::{counted_entries, numbered};

use super::clock::{Clock, ClockArg};
use super::columns::{columns, path_within, shortened, wrapped};
use super::did;
use super::input::{self, PricesArg, set_prices};
use super::printable::printable;
use super::report_lines::{NAME, Page};
use super::{SessionArg, output};

/// What `leafpress stats` takes.
#[derive(Debug, Args)]
pub(super) struct StatsArgs {
    #[command(flatten)]
    input: SessionArg,
    #[command(flatten)]
    prices: PricesArg,
    /// Count only the current branch after this entry
    #[arg(long, value_name = "ENTRY")]
    since: Option<String>,
    #[command(flatten)]
    clock: ClockArg,
    /// Print JSON in a stable format
    #[arg(long)]
    json: bool,
}

impl StatsArgs {
    pub(super) fn run(self) -> Result<(), Error> {
        let prices = self.prices.read()?;
        let mut session = self.input.read()?;
        set_prices(&mut session, prices);
        let stats = match input::entry(&session, "--since", self.since.as_deref())? {
            Some(since) => report::stats_since(&session, since).expect(input::FOUND),
            None => report::stats(&session),
        };
        if self.json {
            return output::json(&stats);
        }
        let page = Page { columns: columns(), clock: self.clock.clock() };
        output::to_person(|out| print(&stats, &page, out))
    }
}

fn print(stats: &StatsReport, page: &Page, out: &mut dyn Write) -> io::Result<()> {
    let columns = page.columns;
    let (dim, bold) = (Style::new().dimmed(), Style::new().bold());
    let place = [&stats.agent_version, &stats.project, &stats.git_branch];
    let day = stats.total.first.as_deref().and_then(|first| page.clock.minute_of(first));
    let day = day.as_deref().and_then(|time| time.split(' ').next());
    let place: Vec<&str> = std::iter::once(stats.agent.as_str())
        .chain(place.into_iter().flatten().map(String::as_str))
        .chain(day)
        .collect();
    writeln!(out, "{bold}{}{bold:#}", shortened(&printable(&stats.title), columns))?;
    writeln!(out, "{}", shortened(&printable(&place.join("  ")), columns))?;
    if let Some(ended) = stats.ended {
        let text = stats.ended_text.as_deref().unwrap_or_default();
        let room = columns.saturating_sub("ended".len() + ended.words().len() + 4);
        let text = shortened(&printable(text), room);
        writeln!(out, "{bold}ended{bold:#}  {}  {dim}{text}{dim:#}", ended.words())?;
    }
    if !stats.continued_in.is_empty() {
        let sessions = printable(&stats.continued_in.join(", "));
        writeln!(
            out,
            "continued in another session: {}",
            shortened(&sessions, columns.saturating_sub(30))
        )?;
    }
    did::print(stats, page, out)?;
    match &stats.since {
        None => writeln!(out, "{bold}total{bold:#}  each entry counted once")?,
        Some(SinceReport { entry_id, on_current_branch: true }) => {
            writeln!(out, "{bold}total{bold:#}  current branch after {entry_id}")?;
        }
        Some(SinceReport { entry_id, .. }) => {
            let what = "is not on the current branch: nothing is counted";
            writeln!(out, "{bold}total{bold:#}  {entry_id} {what}")?;
        }
    }
    print_figures(&stats.total, "  ", page, out)?;
    if let [only] = &stats.branches[..] {
        print_files(&only.files, MOST_FILES, page, out)?;
    } else {
        for branch in &stats.branches {
            let label = branch.label.as_ref().map(|label| format!(" [{}]", printable(label)));
            let current = if branch.current { ", current" } else { "" };
            let shared = match branch.shared_entries {
                0 => "shares no entries with other branches".to_owned(),
                count => shared(count, &branch.shared_usage),
            };
            let label = label.unwrap_or_default();
            let taken = "branch ".len() + branch.id.width() + current.len();
            let label = shortened(&label, columns.saturating_sub(taken));
            let room = columns.saturating_sub(taken + label.width() + 2);
            write!(out, "{bold}branch {}{label}{bold:#}{current}", branch.id)?;
            if shared.width() <= room {
                writeln!(out, "  {shared}")?;
            } else {
                writeln!(out, "\n  {}", shortened(&shared, columns.saturating_sub(2)))?;
            }
            print_figures(&branch.figures, "  ", page, out)?;
            let most = if branch.current { MOST_FILES } else { 0 };
            print_files(&branch.files, most, page, out)?;
        }
    }
    for sub in &stats.sub_sessions {
        let words = match columns {
            0..60 => "sub-agent session",
            _ => "sub-agent session, included in the total",
        };
        let name = printable(sub.agent.as_deref().unwrap_or(&sub.id));
        let name = shortened(&name, columns.saturating_sub(words.len() + 4));
        writeln!(out, "{bold}⊞ {name}{bold:#}  {words}")?;
        print_figures(&sub.figures, "  ", page, out)?;
    }
    let note = [
        page.clock.note().to_owned(),
        "worked: time from each prompt to its last response or tool result".to_owned(),
    ];
    for line in wrapped(&note, "; ", columns) {
        writeln!(out, "{dim}{line}{dim:#}")?;
    }
    Ok(())
}

/// Files of the current branch that have a line of their own.
const MOST_FILES: usize = 12;

/// How many files edits changed, and the first of them.
fn print_files(
    files: &[EditedFileReport],
    most: usize,
    page: &Page,
    out: &mut dyn Write,
) -> io::Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    let sum = |of: fn(&EditedFileReport) -> usize| files.iter().map(of).sum();
    let is_about = files.iter().any(|file| file.is_about);
    let lines = lines_changed(is_about, sum(|file| file.added), sum(|file| file.removed));
    let all = format!("{}{lines}", counted(files.len(), "file"));
    page.items(("  ", "files"), &[all], out)?;
    let indent = " ".repeat(2 + NAME);
    for file in files.iter().take(most) {
        let lines = lines_changed(file.is_about, file.added, file.removed);
        let room = page.columns.saturating_sub(indent.len() + lines.len());
        writeln!(out, "{indent}{}{lines}", path_within(&printable(&file.path), room))?;
    }
    match files.len().checked_sub(most) {
        Some(more) if most > 0 && more > 0 => writeln!(out, "{indent}and {more} more"),
        _ => Ok(()),
    }
}

/// `  +12 -3`, with a `~` where it is about so much; empty for no line.
pub(super) fn lines_changed(is_about: bool, added: usize, removed: usize) -> String {
    let about = if is_about { "~" } else { "" };
    match (added, removed) {
        (0, 0) => String::new(),
        (added, 0) => format!("  {about}+{added}"),
        (0, removed) => format!("  {about}-{removed}"),
        (added, removed) => format!("  {about}+{added} -{removed}"),
    }
}

fn shared(entries: usize, usage: &UsageReport) -> String {
    let cost = cost(&usage.usage());
    let cost = if cost.is_empty() { cost } else { format!(" and {cost}") };
    format!("{}{cost} shared with other branches", counted_entries(entries))
}

/// One line a kind of figure; kinds without any are left out.
pub(super) fn print_figures(
    figures: &Figures,
    indent: &str,
    page: &Page,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (name, items) in lines(figures, &page.clock) {
        page.items((indent, name), &items, out)?;
    }
    Ok(())
}

fn lines(figures: &Figures, clock: &Clock) -> [(&'static str, Vec<String>); 6] {
    let mut parts = vec![
        numbered(figures.entries, "entry", "entries"),
        numbered(figures.prompts, "prompt", "prompts"),
        numbered(figures.turns, "turn", "turns"),
        numbered(figures.tool_calls, "tool call", "tool calls"),
    ];
    for (count, one, many) in [
        (figures.failures, "failure", "failures"),
        (figures.stops, "stop", "stops"),
        (figures.compactions, "compaction", "compactions"),
    ] {
        parts.extend((count > 0).then(|| numbered(count, one, many)));
    }
    let tools = figures.tools.iter().map(|tool| match tool.failures {
        0 => format!("{} {}", tool.name, tool.calls),
        failures => format!("{} {} ({failures} failed)", tool.name, tool.calls),
    });
    let models = figures.models.iter().map(|model| format!("{} {}", model.name(), model.turns));
    [
        ("counts", parts),
        ("tokens", items(&tokens(&figures.usage.usage()))),
        ("cost", items(&cost(&figures.usage.usage()))),
        ("time", items(&times(figures, clock))),
        ("tools", tools.collect()),
        ("models", models.collect()),
    ]
}

/// The parts of a figure; none of an empty one.
fn items(figure: &str) -> Vec<String> {
    figure.split(", ").filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// `2026-11-02 09:00 to 2026-11-02 09:26, 26m 0s; worked 3m 5s`.
fn times(figures: &Figures, clock: &Clock) -> String {
    let minute = |iso: &Option<String>| iso.as_deref().and_then(|iso| clock.minute_of(iso));
    let (Some(first), Some(last)) = (minute(&figures.first), minute(&figures.last)) else {
        return String::new();
    };
    let span = |ms: i64| {
        #[expect(clippy::cast_precision_loss, reason = "shown with two digits")]
        let ms = ms as f64;
        duration(ms)
    };
    let elapsed = figures.elapsed_ms.map(|ms| format!(", {}", span(ms))).unwrap_or_default();
    let worked = match figures.worked_ms {
        0 => String::new(),
        ms => format!("; worked {}", span(ms)),
    };
    format!("{first} to {last}{elapsed}{worked}")
}
