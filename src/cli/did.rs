//! What a branch did, what in it is notable and what failed on it, as lists for people.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::Style;

use crate::report::{LandmarkReport, StatsReport};
use crate::session::landmarks::{LandmarkKind, LandmarkOutcome, Notable, test_runs_that_count};
use crate::session::text::{counted, shortened};

use super::columns;
use super::printable::printable;
use super::report_lines::Page;

/// More are counted.
const LISTED: usize = 10;

/// What the first word of a line has room for.
const WORD_UNITS: usize = 12;

/// Of the rest of a line, in columns: what fits a terminal of 80 columns.
const TEXT_COLUMNS: usize = 60;

/// Lists what matters most first: commits, the last test run, pull requests; then risky steps and failures of the current
/// branch.
pub(super) fn print(stats: &StatsReport, page: &Page, out: &mut dyn Write) -> io::Result<()> {
    let all = || stats.landmarks.iter();
    let of = |kind: LandmarkKind| all().filter(move |landmark| landmark.kind == kind);
    let commits: Vec<Told<'_>> = of(LandmarkKind::Commit).map(told).collect();
    let requests: Vec<Told<'_>> = of(LandmarkKind::PullRequest).map(told).collect();
    // Of a test run that may have failed or not, nothing is printed.
    let is_known = |run: &&LandmarkReport| run.outcome != LandmarkOutcome::Unknown;
    let runs: Vec<&LandmarkReport> = of(LandmarkKind::Test).filter(is_known).collect();
    // A push beside what it pushed says nothing new.
    let mut pushes: Vec<Told<'_>> = of(LandmarkKind::Push).map(told).collect();
    if !commits.is_empty() || !requests.is_empty() {
        pushes.clear();
    }
    list(&commits, ("more commit", Latest), page, out)?;
    let failed = |run: &LandmarkReport| run.outcome == LandmarkOutcome::Failed;
    let commands: Vec<_> = runs.iter().map(|run| (run.text.as_str(), failed(run))).collect();
    let (shown, before): (Vec<_>, Vec<_>) =
        runs.iter().zip(test_runs_that_count(&commands)).partition(|(_, counts)| *counts);
    let shown: Vec<Told<'_>> = shown.into_iter().map(|(run, _)| told(run)).collect();
    list(&shown, ("more failed run", Latest), page, out)?;
    if !before.is_empty() {
        let of_them = match before.iter().filter(|(run, _)| failed(run)).count() {
            0 => String::new(),
            failed => format!(", {failed} failed"),
        };
        more(&format!("{}{of_them}", counted(before.len(), "more test run")), out)?;
    }
    list(&pushes, ("more push", Latest), page, out)?;
    list(&requests, ("more pull request", Latest), page, out)?;
    let mut notable: BTreeMap<Notable, usize> = BTreeMap::new();
    for what in all().filter_map(|landmark| landmark.kind.notable()) {
        *notable.entry(what).or_default() += 1;
    }
    let notable: Vec<String> =
        notable.into_iter().map(|(what, count)| what.counted(count)).collect();
    if !notable.is_empty() {
        page.items(("", "risky"), &notable, out)?;
    }
    let failures = &stats.failure_list;
    if !failures.is_empty() {
        let bold = Style::new().bold();
        writeln!(out, "{bold}{}{bold:#}", counted(failures.len(), "failure"))?;
    }
    let failed = failures.iter().map(|failure| {
        let tool = failure.tool.as_deref().unwrap_or("response");
        (tool.to_owned(), failure.text.as_str())
    });
    list(&failed.collect::<Vec<_>>(), ("more failure", First), page, out)?;
    let stops = stats.stop_list.len();
    if stops > 0 {
        let bold = Style::new().bold();
        writeln!(out, "{bold}{}{bold:#}", counted(stops, "stop"))?;
    }
    Ok(())
}

/// A line: its first word, and the rest.
type Told<'s> = (String, &'s str);

fn told(landmark: &LandmarkReport) -> Told<'_> {
    (landmark.kind.title(landmark.outcome).to_lowercase(), &landmark.text)
}

/// Which of many lines are listed.
enum Listed {
    First,
    Latest,
}
use Listed::{First, Latest};

/// At most [`LISTED`] lines; `others` names those that are only counted.
fn list(
    lines: &[Told<'_>],
    (others, which): (&str, Listed),
    page: &Page,
    out: &mut dyn Write,
) -> io::Result<()> {
    /// The margin, the word and the space behind it.
    const BEFORE: usize = 17;
    let room = page.columns.saturating_sub(BEFORE).min(TEXT_COLUMNS);
    let dim = Style::new().dimmed();
    let hidden = lines.len().saturating_sub(LISTED);
    let listed = match which {
        First => &lines[..lines.len() - hidden],
        Latest => &lines[hidden..],
    };
    for (word, text) in listed {
        let word = printable(&shortened(word, WORD_UNITS));
        let text = columns::shortened(&printable(text), room);
        writeln!(out, "  {dim}{word:13}{dim:#}  {text}")?;
    }
    if hidden > 0 { more(&counted(hidden, others), out) } else { Ok(()) }
}

fn more(what: &str, out: &mut dyn Write) -> io::Result<()> {
    let dim = Style::new().dimmed();
    writeln!(out, "  {dim}… and {what}{dim:#}")
}
