//! What test programs say of their outcome, for runs whose exit status is not known: one table, a row for each program.
//!
//! It is meant to miss rather than to claim. A failure counts wherever it is seen. A success counts if the call ended
//! by itself, nothing speaks against it, and a failure would have been seen.

use std::borrow::Cow;

use super::event::LandmarkOutcome;
use super::output_filter::OutputFilter;
use crate::session::action::program::name;
use tap::Tap;

mod programs;
mod tap;

/// What a line says of the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Said {
    Failed,
    /// Some ran, and none failed.
    Passed,
    /// Some ran.
    Ran,
    /// None failed.
    Well,
}

/// One row.
struct Row {
    says: fn(&str) -> Option<Said>,
    /// What it prints if a test fails.
    failing: &'static str,
    /// It can say so of several parts, one after the other, and goes on behind one that failed: the end alone does not tell.
    has_parts: bool,
    /// Only of these programs: the words are those of many.
    only: &'static [&'static str],
}

const fn row(says: fn(&str) -> Option<Said>, failing: &'static str) -> Row {
    Row { says, failing, has_parts: false, only: &[] }
}

impl Row {
    const fn in_parts(mut self) -> Row {
        self.has_parts = true;
        self
    }

    const fn only(mut self, programs: &'static [&'static str]) -> Row {
        self.only = programs;
        self
    }
}

/// The one table. Each row names where its words are from.
#[rustfmt::skip]
const ROWS: [Row; 20] = [
    // Rust 1.89, library/test/src/formatters/pretty.rs; Cargo, src/cargo/ops/cargo_test.rs.
    row(programs::libtest, "test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out"),
    // cargo-nextest 0.9, nextest-runner/src/reporter/displayer.
    row(programs::nextest, "     Summary [   0.005s] 2 tests run: 1 passed, 1 failed, 0 skipped"),
    // pytest 8.4, src/_pytest/terminal.py, `build_summary_stats_line`.
    row(programs::pytest, "=== 1 failed in 0.12s ==="),
    // Python 3.13, Lib/unittest/runner.py.
    row(programs::unittest, "FAILED (failures=1)"),
    // Go 1.24, cmd/go/internal/test/test.go and testing/testing.go.
    row(programs::go, "FAIL\texample.com/quay\t0.012s"),
    // Jest 29, packages/jest-reporters/src/getSummary.ts.
    row(programs::jest, "Test Suites: 1 failed, 1 total"),
    // Vitest 3, packages/vitest/src/node/reporters/base.ts.
    row(programs::vitest, " Test Files  1 failed (1)"),
    // Mocha 11, lib/reporters/base.js, `epilogue`.
    row(programs::mocha, "  1 failing"),
    // Node.js 22, lib/internal/test_runner/reporter/tap.js and spec.js.
    row(programs::node, "# fail 1"),
    // Bun 1.2, src/cli/test_command.zig.
    row(programs::bun, " 1 fail"),
    // Deno 2, cli/tools/test/reporters/common.rs.
    row(programs::deno, "FAILED | 0 passed | 1 failed (4ms)"),
    // RSpec 3.13, rspec-core/lib/rspec/core/notifications.rb, `totals_line`.
    row(programs::rspec, "1 example, 1 failure"),
    // PHPUnit 12, src/TextUI/Output/SummaryPrinter.php.
    row(programs::phpunit, "FAILURES!"),
    // Maven Surefire 3.5, DefaultReporterFactory.java; JUnit 4, TextListener.java.
    row(programs::surefire, "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0").in_parts(),
    // Gradle 8, https://docs.gradle.org/current/userguide/java_testing.html
    row(programs::gradle, "BUILD FAILED in 3s").only(&["gradle", "gradlew"]),
    // .NET SDK 8 (VSTest's console logger) and 9 (terminal logger), https://learn.microsoft.com/dotnet/core/tools/dotnet-test
    row(programs::dotnet, "Failed!  - Failed:     1, Passed:     1, Skipped:     0, Total:     2").in_parts(),
    // swift-corelibs-xctest, PrintObserver.swift; Swift 6, Testing/Events/Recorder.
    row(programs::swift, "\t Executed 1 test, with 1 failure (0 unexpected) in 0.1 (0.1) seconds").in_parts(),
    // Elixir 1.18, lib/ex_unit/lib/ex_unit/cli_formatter.ex; Minitest 5, lib/minitest.rb; Bats 1.11, pretty formatter.
    row(programs::mix, "1 test, 1 failure").in_parts(),
    // CMake 3.31, Source/CTest/cmCTestTestHandler.cxx.
    row(programs::ctest, "50% tests passed, 1 tests failed out of 2"),
    // Perl 5.40, Test::Harness, TAP/Formatter/Base.pm, `summary`.
    row(programs::prove, "Result: FAIL"),
];

/// What a line begins with that says that something else went wrong, such as a build or a run for another package.
const DOUBTS: [&str; 16] = [
    "npm error",
    "npm ERR!",
    "error: could not compile",
    "error: Recipe `",
    "error: script \"",
    "error Command failed with exit code",
    "make: *** ",
    "make[",
    "gmake: *** ",
    "[INFO] BUILD FAILURE",
    " ERROR  run failed",
    "Jest: \"",
    "FAIL Required test coverage",
    "ERROR: Coverage for",
    "!!!!",
    "Segmentation fault",
];

/// How an agent says that it left out a part.
const CUTS: [&str; 3] = ["truncated", "omitted", "Showing lines"];

/// How an agent says that it stopped a command, in results that are no errors.
// No version is named: the words are taken for a doubt only.
const STOPPED: [&str; 3] = ["timed out after", "exceeding timeout", "exceeded the timeout"];

/// A longer line is no summary.
const LINE_BYTES: usize = 400;

/// How the tests of a command ended, by what it printed. `is_over` says whether it ended by itself, and not in failure.
pub(super) fn outcome(
    command: &str,
    filter: &OutputFilter,
    output: &str,
    is_over: bool,
) -> LandmarkOutcome {
    let is_of = |row: &Row| {
        row.only.is_empty() || command.split(' ').any(|word| row.only.contains(&name(word)))
    };
    let rows: Vec<&Row> = ROWS.iter().filter(|row| is_of(row)).collect();
    let mut said = vec![(false, false); rows.len()];
    let mut tap = Tap::default();
    let (mut is_doubtful, mut is_cut) = (!is_over, filter.is_end);
    // Summaries are at the end, so a failure is found soon.
    for line in output.lines().rev().filter(|line| line.len() <= LINE_BYTES) {
        let line = bare(line);
        let line = line.strip_prefix("Output: ").unwrap_or(&line);
        for (row, (has_ran, is_well)) in rows.iter().zip(&mut said) {
            let Some(said) = (row.says)(line) else { continue };
            if said == Said::Failed {
                return LandmarkOutcome::Failed;
            }
            *has_ran |= said != Said::Well;
            *is_well |= said != Said::Ran;
        }
        if tap.read(line) {
            return LandmarkOutcome::Failed;
        }
        is_doubtful |= is_doubt(line);
        is_cut |= CUTS.iter().any(|words| line.contains(words));
    }
    let goes_on = command.contains("no-fail-fast") || command.contains("keep-going");
    let is_seen = |row: &Row| !(is_cut && (row.has_parts || goes_on)) && filter.shows(row.failing);
    let has_passed = rows.iter().zip(said).any(|(row, said)| said == (true, true) && is_seen(row))
        || tap.is_complete() && filter.shows("not ok 1 - a");
    if has_passed && !is_doubtful { LandmarkOutcome::Passed } else { LandmarkOutcome::Unknown }
}

fn is_doubt(line: &str) -> bool {
    // Bun's for errors between tests.
    let is_error = || {
        let number = line.trim_start().trim_end_matches('s').strip_suffix(" error");
        number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    DOUBTS.iter().any(|start| line.starts_with(start))
        || line.contains("ELIFECYCLE")
        || STOPPED.iter().any(|words| line.contains(words))
        // mise
        || line.ends_with("ERROR task failed")
        || is_error()
}

/// A line as a terminal shows it in the end: without colors, and what was written last.
fn bare(line: &str) -> Cow<'_, str> {
    let line = line.trim_end();
    let line = line.rsplit('\r').next().unwrap_or(line);
    if !line.contains('\u{1b}') {
        return Cow::Borrowed(line);
    }
    let mut bare = String::with_capacity(line.len());
    let mut parts = line.split('\u{1b}');
    bare.extend(parts.next());
    for part in parts {
        let end = part.strip_prefix('[').and_then(|rest| {
            let end = rest.find(|c: char| ('\u{40}'..='\u{7e}').contains(&c))?;
            Some(&rest[end + 1..])
        });
        bare.push_str(end.unwrap_or_default());
    }
    Cow::Owned(bare.trim_end().to_owned())
}

#[cfg(test)]
mod tests;
