//! How each program says it. Spaces before a line are left only where the program writes them.

use super::Said::{self, Failed, Passed, Ran, Well};

/// Numbers with what they count, such as `1 failed, 4 passed`.
#[derive(Debug, Default)]
struct Counts {
    all: u64,
    passed: u64,
    failed: u64,
    /// Of `all`, those that did not run.
    idle: u64,
    says_failed: bool,
}

impl Counts {
    /// `None` if it is anything else.
    fn read(list: &str, separator: &str) -> Option<Counts> {
        let mut counts = Counts::default();
        for part in list.split(separator) {
            let (count, word) = number(part)?;
            match word {
                "passed" | "passing" => counts.passed += count,
                "failed"
                | "failing"
                | "failure"
                | "failures"
                | "error"
                | "errors"
                | "subtests failed"
                | "error occurred outside of examples"
                | "errors occurred outside of examples" => {
                    counts.failed += count;
                    counts.says_failed = true;
                }
                "test" | "tests" | "doctest" | "doctests" | "property" | "properties" | "run"
                | "runs" | "example" | "examples" => counts.all += count,
                "skipped" | "skips" | "excluded" | "pending" | "pendings" | "omissions" => {
                    counts.idle += count;
                }
                "deselected" | "xfailed" | "xpassed" | "warning" | "warnings" | "rerun"
                | "subtests passed" | "todo" | "total" | "expected fail" | "assertions"
                | "invalid" | "notifications" => {}
                // `2 of 3 total`
                _ if word.starts_with("of ") && word.ends_with(" total") => {}
                _ => return None,
            }
        }
        Some(counts)
    }

    /// Of a list with what passed in it.
    fn said(&self, passed: Said) -> Option<Said> {
        match self {
            Counts { failed: 1.., .. } => Some(Failed),
            Counts { passed: 1.., .. } => Some(passed),
            _ => None,
        }
    }

    /// Of a list with all tests and those that failed.
    fn of_all(&self) -> Option<Said> {
        let Counts { all, failed, idle, says_failed, .. } = *self;
        match failed {
            1.. => Some(Failed),
            0 => says_failed.then_some(if all > idle { Passed } else { Well }),
        }
    }
}

/// The number that a text begins with, and what follows a space behind it.
fn number(text: &str) -> Option<(u64, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    Some((number.parse().ok()?, rest.strip_prefix(' ').unwrap_or(rest)))
}

/// What a number of tests says that passed.
fn passed(count: u64) -> Said {
    if count > 0 { Passed } else { Well }
}

/// What a number of tests says that failed.
fn failed(count: u64) -> Said {
    if count > 0 { Failed } else { Well }
}

pub(super) fn libtest(line: &str) -> Option<Said> {
    if let Some(error) = line.strip_prefix("error: ") {
        let is_targets = || number(error).is_some_and(|(_, what)| what.starts_with("target"));
        let is_failed = error.starts_with("test failed, to rerun") || error.ends_with(" failed:");
        return (is_failed && (error.starts_with("test") || is_targets())).then_some(Failed);
    }
    let (verdict, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    match verdict {
        "FAILED" => Some(Failed),
        "ok" => Some(passed(number(counts)?.0)),
        _ => None,
    }
}

pub(super) fn nextest(line: &str) -> Option<Said> {
    let (_, counts) = line.trim_start().strip_prefix("Summary [")?.split_once("] ")?;
    let (run, counts) = counts.split_once(" run: ")?;
    let is_failure = |words| counts.contains(words);
    if [" failed", " timed out"].into_iter().any(is_failure) {
        return Some(Failed);
    }
    // `2/12 tests run` where it was stopped.
    let (count, _) = number(counts)?;
    (!run.contains('/') && count > 0).then_some(Passed)
}

pub(super) fn pytest(line: &str) -> Option<Said> {
    let line = line.trim_matches('=').trim();
    let (counts, time) = line.split_once(" in ")?;
    // `0.12s`, `65.01s (0:01:05)`
    let time = time.split(" (").next().unwrap_or(time).strip_suffix('s')?;
    let is_time = time.contains('.') && time.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    Counts::read(counts, ", ").filter(|_| is_time)?.said(Passed)
}

pub(super) fn unittest(line: &str) -> Option<Said> {
    if let Some(ran) = line.strip_prefix("Ran ") {
        let (count, rest) = number(ran)?;
        let is_end = rest.starts_with("tests in ") || rest.starts_with("test in ");
        return (is_end && count > 0).then_some(Ran);
    }
    let starts = |words: &[&str]| words.iter().any(|start| line.starts_with(start));
    if starts(&["FAILED (failures=", "FAILED (errors=", "FAILED (unexpected successes="]) {
        Some(Failed)
    } else if line == "OK" || starts(&["OK (skipped=", "OK (expected failures="]) {
        Some(Well)
    } else {
        None
    }
}

pub(super) fn go(line: &str) -> Option<Said> {
    if line == "FAIL" || line.starts_with("FAIL\t") {
        Some(Failed)
    } else if line.starts_with("ok  \t") {
        Some(if line.ends_with("[no tests to run]") { Well } else { Passed })
    } else if line == "PASS" {
        Some(Well)
    } else {
        let rest = line.trim_start().strip_prefix("--- ")?;
        let failed = rest.starts_with("FAIL: ").then_some(Failed);
        failed.or_else(|| rest.starts_with("PASS: ").then_some(Ran))
    }
}

pub(super) fn jest(line: &str) -> Option<Said> {
    if let Some(suites) = line.strip_prefix("Test Suites: ") {
        return Counts::read(suites, ", ")?.said(Well);
    }
    let tests = line.strip_prefix("Tests:  ")?.trim_start();
    Counts::read(tests, ", ").filter(|_| tests.ends_with(" total"))?.said(Ran)
}

pub(super) fn vitest(line: &str) -> Option<Said> {
    let line = line.trim_start();
    let of = |title: &str| {
        let (counts, all) = line.strip_prefix(title)?.split_once(" (")?;
        let is_count = all.strip_suffix(')').is_some_and(|all| all.parse::<u32>().is_ok());
        Counts::read(counts, " | ").filter(|_| is_count)
    };
    if let Some(errors) = line.strip_prefix("Errors  ") {
        return Counts::read(errors, ", ")?.said(Well);
    }
    let files = of("Test Files  ").and_then(|counts| counts.said(Well));
    files.or_else(|| of("Tests  ")?.said(Ran))
}

pub(super) fn mocha(line: &str) -> Option<Said> {
    let (count, word) = number(line.trim_start())?;
    match word {
        "failing" => Some(failed(count)),
        _ if word.starts_with("passing (") => Some(passed(count)),
        _ => None,
    }
}

pub(super) fn node(line: &str) -> Option<Said> {
    let line = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ "))?;
    let (word, count) = line.split_once(' ')?;
    let count: u64 = count.parse().ok()?;
    match word {
        "pass" => (count > 0).then_some(Ran),
        "fail" => Some(failed(count)),
        "cancelled" => (count > 0).then_some(Failed),
        _ => None,
    }
}

pub(super) fn bun(line: &str) -> Option<Said> {
    let (count, word) = number(line.trim_start())?;
    match word {
        "pass" => (count > 0).then_some(Ran),
        "fail" => Some(failed(count)),
        _ => None,
    }
}

pub(super) fn deno(line: &str) -> Option<Said> {
    let (verdict, counts) = line.split_once(" | ")?;
    let (count, word) = number(counts)?;
    match verdict {
        "ok" if word.starts_with("passed") => Some(passed(count)),
        "FAILED" if word.starts_with("passed") => Some(Failed),
        _ => None,
    }
}

pub(super) fn rspec(line: &str) -> Option<Said> {
    let (_, word) = number(line)?;
    word.starts_with("example").then(|| Counts::read(line, ", ")?.of_all()).flatten()
}

pub(super) fn mix(line: &str) -> Option<Said> {
    let (_, word) = number(line)?;
    let is_total = ["test", "doctest", "propert", "run"].iter().any(|kind| word.starts_with(kind));
    is_total.then(|| Counts::read(line, ", ")?.of_all()).flatten()
}

pub(super) fn phpunit(line: &str) -> Option<Said> {
    if matches!(line, "FAILURES!" | "ERRORS!") {
        return Some(Failed);
    }
    if line.starts_with("OK, but ") {
        return Some(Well);
    }
    if let Some(ran) = line.strip_prefix("OK (") {
        let (count, word) = number(ran)?;
        return (word.starts_with("test") && count > 0).then_some(Passed);
    }
    // `Tests: 5, Assertions: 9, Failures: 1.`
    let (tests, rest) = line.strip_prefix("Tests: ")?.split_once(", Assertions: ")?;
    let is_failure = |part: &str| part.starts_with("Failures: ") || part.starts_with("Errors: ");
    if rest.split(", ").any(is_failure) {
        return Some(Failed);
    }
    (tests.parse::<u64>().ok()? > 0).then_some(Ran)
}

pub(super) fn surefire(line: &str) -> Option<Said> {
    let line = ["[INFO] ", "[ERROR] ", "[WARNING] "]
        .iter()
        .find_map(|level| line.strip_prefix(level))
        .unwrap_or(line);
    let mut parts = line.strip_prefix("Tests run: ")?.split(',').map(str::trim);
    let all: u64 = parts.next()?.parse().ok()?;
    let mut count = |name: &str| -> Option<u64> {
        parts.next().and_then(|part| part.strip_prefix(name)?.split(' ').next()?.parse().ok())
    };
    let failures = count("Failures: ")?;
    // JUnit 4 has no errors.
    let errors = count("Errors: ").unwrap_or(0);
    let skipped = count("Skipped: ").unwrap_or(0);
    Some(if failures + errors > 0 { Failed } else { passed(all.saturating_sub(skipped)) })
}

pub(super) fn gradle(line: &str) -> Option<Said> {
    if line.starts_with("BUILD FAILED in ") || line.starts_with("There were failing tests.") {
        return Some(Failed);
    }
    line.starts_with("BUILD SUCCESSFUL in ").then_some(Passed)
}

pub(super) fn dotnet(line: &str) -> Option<Said> {
    let line = line.trim_start();
    let of = |counts: &str, name: &str| -> Option<u64> {
        counts.split(", ").find_map(|part| part.trim().strip_prefix(name)?.trim().parse().ok())
    };
    if let Some(counts) = line.strip_prefix("Test summary: ") {
        let failures = of(counts, "failed:")?;
        return Some(if failures > 0 { Failed } else { passed(of(counts, "succeeded:")?) });
    }
    if line.starts_with("Failed!  - Failed:") {
        return Some(Failed);
    }
    Some(passed(of(line.strip_prefix("Passed!  - ")?, "Passed:")?))
}

pub(super) fn swift(line: &str) -> Option<Said> {
    if let Some(rest) = line.trim_start().strip_prefix("Executed ") {
        let (count, rest) = number(rest)?;
        let mut words = rest.split(' ');
        let mut last = "";
        let failures = words.find_map(|word| {
            let before = std::mem::replace(&mut last, word);
            word.starts_with("failure").then(|| before.parse::<u64>().ok()).flatten()
        })?;
        return Some(if failures > 0 { Failed } else { passed(count) });
    }
    // `✔ Test run with 5 tests in 2 suites passed after 0.1 seconds.`
    let (_, rest) = line.split_once(" Test run with ")?;
    let (count, rest) = number(rest)?;
    if rest.contains(" failed after ") {
        Some(Failed)
    } else {
        rest.contains(" passed after ").then(|| passed(count))
    }
}

pub(super) fn ctest(line: &str) -> Option<Said> {
    let (percent, rest) = line.split_once("% tests passed, ")?;
    let (failures, rest) = number(rest)?;
    let all: u64 = rest.rsplit_once(" out of ")?.1.parse().ok()?;
    percent.parse::<u32>().ok()?;
    Some(if failures > 0 { Failed } else { passed(all) })
}

pub(super) fn prove(line: &str) -> Option<Said> {
    match line {
        "Result: PASS" => Some(Well),
        "Result: FAIL" => Some(Failed),
        _ => {
            let (_, tests) = line.strip_prefix("Files=")?.split_once(", Tests=")?;
            (number(tests)?.0 > 0).then_some(Ran)
        }
    }
}
