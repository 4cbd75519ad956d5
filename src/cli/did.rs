//! What a branch did and what failed on it, as lists for people.

use std::io::{self, Write};

use anstyle::Style;

use crate::report::StatsReport;
use crate::session::landmarks::Outcome;
use crate::session::text::{counted, shortened};

use super::printable::printable;

/// More are counted.
const LISTED: usize = 10;

/// Of a line, in UTF-16 units: what fits a terminal of 80 columns behind its first word.
const TEXT_UNITS: usize = 60;

/// Lists commits, pushes, pull requests, test runs and failures of the current branch.
pub(super) fn print(stats: &StatsReport, out: &mut dyn Write) -> io::Result<()> {
    // Of a test run that may have failed or not nothing is told.
    let did = stats.landmarks.iter().filter(|landmark| landmark.outcome != Outcome::Unknown);
    let did = did.map(|landmark| (landmark.kind.words(landmark.outcome), landmark.text.as_str()));
    list(did.collect(), out)?;
    let failures = &stats.failure_list;
    if !failures.is_empty() {
        let bold = Style::new().bold();
        writeln!(out, "{bold}{}{bold:#}", counted(failures.len(), "failure"))?;
    }
    let failed = failures
        .iter()
        .map(|failure| (failure.tool.as_deref().unwrap_or("response"), failure.text.as_str()));
    list(failed.collect(), out)
}

fn list(lines: Vec<(&str, &str)>, out: &mut dyn Write) -> io::Result<()> {
    /// What the first word has room for.
    const WIDTH: usize = 13;
    let dim = Style::new().dimmed();
    for (word, text) in lines.iter().take(LISTED) {
        let word = printable(&shortened(word, WIDTH - 1));
        let text = printable(&shortened(text, TEXT_UNITS));
        writeln!(out, "  {dim}{word:WIDTH$}{dim:#}  {text}")?;
    }
    match lines.len().saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(out, "  {dim}… and {more} more{dim:#}"),
    }
}
