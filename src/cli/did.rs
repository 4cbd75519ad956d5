//! What a branch did, what in it is notable and what failed on it, as lists for people.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::Style;

use crate::figures;
use crate::report::StatsReport;
use crate::session::landmarks::{LandmarkOutcome, Notable};
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

/// Lists commits, pushes, pull requests, test runs, notable calls and failures of the current branch.
pub(super) fn print(stats: &StatsReport, page: &Page, out: &mut dyn Write) -> io::Result<()> {
    let columns = page.columns;
    let all = || stats.landmarks.iter();
    let others = all().filter(|landmark| landmark.kind.notable().is_none());
    // Of a test run that may have failed or not, nothing is printed.
    let told = others.filter(|landmark| landmark.outcome != LandmarkOutcome::Unknown);
    let told = told.map(|landmark| {
        let word = landmark.kind.title(landmark.outcome).to_lowercase();
        (word, landmark.text.as_str())
    });
    list(&told.collect::<Vec<_>>(), columns, out)?;
    let mut notable: BTreeMap<Notable, usize> = BTreeMap::new();
    for what in all().filter_map(|landmark| landmark.kind.notable()) {
        *notable.entry(what).or_default() += 1;
    }
    let words = |(what, count): (Notable, usize)| {
        let count = if count > 1 { format!(" ({})", figures::count(count)) } else { String::new() };
        format!("{}{count}", what.title().to_lowercase())
    };
    let notable: Vec<String> = notable.into_iter().map(words).collect();
    if !notable.is_empty() {
        page.items(("", "notable"), &notable, out)?;
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
    list(&failed.collect::<Vec<_>>(), columns, out)?;
    let stops = stats.stop_list.len();
    if stops > 0 {
        let bold = Style::new().bold();
        writeln!(out, "{bold}{}{bold:#}", counted(stops, "stop"))?;
    }
    Ok(())
}

fn list(lines: &[(String, &str)], columns: usize, out: &mut dyn Write) -> io::Result<()> {
    /// The margin, the word and the space behind it.
    const BEFORE: usize = 17;
    let room = columns.saturating_sub(BEFORE).min(TEXT_COLUMNS);
    let dim = Style::new().dimmed();
    for (word, text) in lines.iter().take(LISTED) {
        let word = printable(&shortened(word, WORD_UNITS));
        let text = columns::shortened(&printable(text), room);
        writeln!(out, "  {dim}{word:13}{dim:#}  {text}")?;
    }
    match lines.len().saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(out, "  {dim}… and {more} more{dim:#}"),
    }
}
