use super::*;
use crate::session::action::shell::commands;

/// A command, what it prints if all is well, if a test fails, and what does not say.
type Fixture =
    (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

/// One for each row, in its order.
const FIXTURES: [Fixture; ROWS.len()] = [
    (
        "cargo test",
        &[
            "running 3 tests\ntest a ... ok\n\ntest result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; \
             finished in 0.00s\n\n   Doc-tests quay\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 \
             filtered out; finished in 0.00s\n",
        ],
        &[
            "test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\ntest \
             result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "error: test failed, to rerun pass `--lib`",
            "error: 2 targets failed:\n    `--lib`",
        ],
        &[
            "test result: ok. 0 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        ],
    ),
    (
        "cargo nextest run",
        &["     Summary [   0.005s] 12 tests run: 12 passed (1 slow), 3 skipped"],
        &[
            "     Summary [   0.005s] 12 tests run: 11 passed, 1 failed, 0 skipped",
            "     Summary [   9.005s] 2/12 tests run: 1 passed, 1 timed out, 0 skipped",
        ],
        &[
            "     Summary [   0.005s] 2/12 tests run: 2 passed, 0 skipped",
            "Summary [ 0.0s] 0 tests run: 0 passed",
        ],
    ),
    (
        "pytest",
        &[
            "============================== 5 passed in 0.12s ===============================",
            "5 passed, 1 skipped, 2 warnings in 65.01s (0:01:05)",
        ],
        &[
            "========================= 1 failed, 4 passed in 0.12s ==========================",
            "=== 1 error in 0.05s ===",
            "4 passed, 2 errors in 0.05s",
        ],
        &["=== no tests ran in 0.01s ===", "=== 3 skipped in 0.01s ===", "4 passed in total"],
    ),
    (
        "python -m unittest",
        &["..\n------\nRan 2 tests in 0.001s\n\nOK\n", "Ran 1 test in 0.001s\n\nOK (skipped=1)"],
        &["Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1)", "FAILED (errors=1)"],
        &["Ran 0 tests in 0.000s\n\nOK", "OK", "Ran 5 tests in 0.001s", "Ran 5 tests\nOK then"],
    ),
    (
        "go test ./...",
        &[
            "?   \tquay/cmd\t[no test files]\nok  \tquay/tide\t0.012s\nok  \tquay/log\t(cached)",
            "=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS",
        ],
        &[
            "ok  \tquay/tide\t0.012s\nFAIL\tquay/log\t0.012s\nFAIL",
            "--- FAIL: TestA (0.00s)",
            "    --- FAIL: TestA/b (0.00s)",
            "FAIL\tquay/log [build failed]",
        ],
        &["ok  \tquay/tide\t0.012s [no tests to run]", "PASS", "--- PASS: TestA (0.00s)"],
    ),
    (
        "npx jest",
        &[
            "Test Suites: 2 passed, 2 total\nTests:       1 skipped, 5 passed, 6 total\nSnapshots:   0 total\nTime:        1 s",
            "Test Suites: 1 skipped, 1 passed, 1 of 2 total\nTests:       5 passed, 5 total",
        ],
        &[
            "Test Suites: 1 failed, 1 passed, 2 total\nTests:       4 passed, 4 total",
            "Tests:       1 failed, 4 passed, 5 total",
        ],
        &[
            "Tests:       5 passed, 5 total",
            "Test Suites: 1 skipped, 0 of 1 total\nTests:       2 todo, 2 total",
        ],
    ),
    (
        "npx vitest run",
        &[
            " Test Files  2 passed (2)\n      Tests  5 passed | 1 skipped (6)\n   Start at  10:00:00\n   Duration  300ms",
        ],
        &[
            " Test Files  1 failed | 1 passed (2)\n      Tests  4 passed (4)",
            "      Tests  1 failed | 4 passed (5)",
            " Test Files  1 passed (1)\n      Tests  5 passed (5)\n     Errors  1 error",
        ],
        &["      Tests  5 passed (5)", " Test Files  1 skipped (1)\n      Tests  2 skipped (2)"],
    ),
    (
        "npx mocha",
        &["\n  5 passing (12ms)\n  1 pending\n"],
        &["\n  5 passing (12ms)\n  1 failing\n\n  1) a"],
        &["  0 passing (1ms)", "5 passing ships", "  0 failing"],
    ),
    (
        "node --test",
        &[
            "# tests 5\n# suites 0\n# pass 5\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0",
            "ℹ tests 5\nℹ pass 5\nℹ fail 0\nℹ cancelled 0",
        ],
        &["# pass 4\n# fail 1", "ℹ pass 4\nℹ fail 1", "# pass 4\n# fail 0\n# cancelled 1"],
        &["# pass 0\n# fail 0", "# pass 5", "# fail 0", "# pass over 5"],
    ),
    (
        "bun test",
        &[" 5 pass\n 0 fail\n 9 expect() calls\nRan 5 tests across 1 file. [12.00ms]"],
        &[" 4 pass\n 1 fail\nRan 5 tests across 1 file. [12.00ms]"],
        &[" 5 pass", " 0 pass\n 0 fail", " 5 pass\n 0 fail\n 1 error", "5 pass, 0 fail"],
    ),
    (
        "deno test",
        &["ok | 5 passed (2 steps) | 0 failed | 1 ignored (12ms)"],
        &["FAILED | 4 passed | 1 failed (12ms)"],
        &["ok | 0 passed | 0 failed (1ms)", "ok | yes"],
    ),
    (
        "rspec",
        &["5 examples, 0 failures", "1 example, 0 failures", "5 examples, 0 failures, 1 pending"],
        &["5 examples, 1 failure", "0 examples, 0 failures, 1 error occurred outside of examples"],
        &["0 examples, 0 failures", "2 examples, 0 failures, 2 pending", "5 examples"],
    ),
    (
        "vendor/bin/phpunit",
        &[
            "OK (5 tests, 9 assertions)",
            "OK (1 test, 1 assertion)",
            "OK, but some tests were skipped!\nTests: 5, Assertions: 9, Skipped: 1.",
        ],
        &[
            "FAILURES!\nTests: 5, Assertions: 9, Failures: 1.",
            "ERRORS!",
            "Tests: 5, Assertions: 9, Errors: 1.",
        ],
        &[
            "No tests executed!",
            "OK, but there were issues!",
            "Tests: 5, Assertions: 9, Skipped: 1.",
        ],
    ),
    (
        "mvn test",
        &[
            "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.04 s -- in quay.TideTest\n[INFO] \n\
             [INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS",
            "[WARNING] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1",
        ],
        &[
            "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
            "[ERROR] Tests run: 5, Failures: 0, Errors: 1, Skipped: 0, Time elapsed: 0.04 s <<< ERROR!",
            "Tests run: 5,  Failures: 1",
        ],
        &[
            "[INFO] Tests run: 0, Failures: 0, Errors: 0, Skipped: 0",
            "[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 2",
            "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE",
            "Tests run: 5",
        ],
    ),
    (
        "./gradlew test",
        &["BUILD SUCCESSFUL in 3s\n4 actionable tasks: 4 executed"],
        &[
            "BUILD FAILED in 3s",
            "There were failing tests. See the report at: x\n\nBUILD SUCCESSFUL in 3s",
        ],
        &["BUILD SUCCESSFUL", "> Task :test"],
    ),
    (
        "dotnet test",
        &[
            "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5, Duration: 3 ms - Quay.dll (net8.0)",
            "Test summary: total: 5, failed: 0, succeeded: 5, skipped: 0, duration: 1.2s",
        ],
        &[
            "Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 3 ms - Quay.dll (net8.0)",
            "Test summary: total: 5, failed: 1, succeeded: 4, skipped: 0, duration: 1.2s",
        ],
        &["Test summary: total: 1, failed: 0, succeeded: 0, skipped: 1", "Passed! 5"],
    ),
    (
        "swift test",
        &[
            "Test Suite 'All tests' passed at 2026-11-20 10:00:00.000.\n\t Executed 5 tests, with 0 failures (0 unexpected) \
             in 0.001 (0.002) seconds",
            "\t Executed 5 tests, with 1 test skipped and 0 failures (0 unexpected) in 0.001 (0.002) seconds",
            "✔ Test run with 5 tests in 2 suites passed after 0.001 seconds.",
        ],
        &[
            "\t Executed 1 test, with 1 failure (0 unexpected) in 0.001 (0.002) seconds\n\
             ✔ Test run with 5 tests passed after 0.001 seconds.",
            "✘ Test run with 5 tests failed after 0.001 seconds with 1 issue.",
        ],
        &[
            "\t Executed 0 tests, with 0 failures (0 unexpected) in 0.0 (0.0) seconds",
            "✔ Test run with 0 tests passed after 0.001 seconds.",
        ],
    ),
    (
        "mix test",
        &[
            "Finished in 0.03 seconds (0.00s async, 0.03s sync)\n1 doctest, 5 tests, 0 failures, 2 excluded",
            "5 runs, 9 assertions, 0 failures, 0 errors, 0 skips",
        ],
        &[
            "5 tests, 1 failure",
            "5 tests, 0 failures\n1 test, 2 failures",
            "5 runs, 9 assertions, 0 failures, 1 errors, 0 skips",
        ],
        &[
            "0 tests, 0 failures",
            "2 tests, 0 failures, 2 excluded",
            "5 tests",
            "5 tests, 0 regrets",
        ],
    ),
    (
        "ctest",
        &["100% tests passed, 0 tests failed out of 5\n\nTotal Test time (real) =   0.03 sec"],
        &["80% tests passed, 1 tests failed out of 5"],
        &["100% tests passed, 0 tests failed out of 0", "No tests were found!!!"],
    ),
    (
        "prove -l",
        &["All tests successful.\nFiles=1, Tests=5,  0 wallclock secs\nResult: PASS"],
        &["Files=1, Tests=5,  0 wallclock secs\nResult: FAIL"],
        &["Files=1, Tests=0,  0 wallclock secs\nResult: NOTESTS", "Result: PASS"],
    ),
];

/// What `line` prints says, if it ended by itself.
fn of(line: &str, output: &str) -> LandmarkOutcome {
    let commands = commands(line);
    outcome(commands[0].text, &OutputFilter::of(&commands, &OutputFilter::default()), output, true)
}

#[test]
fn each_program_says_how_its_tests_ended() {
    for (row, (command, well, failing, nothing)) in ROWS.iter().zip(FIXTURES) {
        for (outputs, expected) in [
            (well, LandmarkOutcome::Passed),
            (failing, LandmarkOutcome::Failed),
            (nothing, LandmarkOutcome::Unknown),
        ] {
            for output in outputs {
                assert_eq!(of(command, output), expected, "{output}");
                let said = output.lines().any(|line| (row.says)(line).is_some());
                assert!(said || expected == LandmarkOutcome::Unknown, "another row reads {output}");
            }
        }
        assert_eq!((row.says)(row.failing), Some(Said::Failed), "{}", row.failing);
    }
}

#[test]
fn colors_and_what_was_written_over_are_no_part_of_a_summary() {
    let colored = "\u{1b}[2m Test Files \u{1b}[22m \u{1b}[1m\u{1b}[32m2 passed\u{1b}[39m\u{1b}[22m\u{1b}[90m (2)\u{1b}[39m\n\
                   \u{1b}[2m      Tests \u{1b}[22m \u{1b}[1m\u{1b}[32m5 passed\u{1b}[39m\u{1b}[22m\u{1b}[90m (5)\u{1b}[39m\n";
    assert_eq!(of("npx vitest run", colored), LandmarkOutcome::Passed);
    assert_eq!(of("pytest", "50%\r5 passed in 0.12s\r\n"), LandmarkOutcome::Passed);
    assert_eq!(of("pytest", "Output: 5 passed in 0.12s\n"), LandmarkOutcome::Passed);
    assert_eq!(of("pytest", "5 passed in 0.12s\u{1b}[3"), LandmarkOutcome::Passed);
}

#[test]
fn a_success_counts_where_a_failure_would_be_seen() {
    let cargo = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
    let mocha = "  5 passing (12ms)";
    let dotnet = "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5";
    let left_out = format!("... [20 lines truncated] ...\n{dotnet}");
    for (line, output, expected) in [
        ("cargo test 2>&1 | tail -5", cargo, LandmarkOutcome::Passed),
        ("cargo test 2>&1 | grep 'test result'", cargo, LandmarkOutcome::Passed),
        ("cargo test 2>&1 | grep '^test result: ok'", cargo, LandmarkOutcome::Unknown),
        ("cargo test --no-fail-fast | tail -1", cargo, LandmarkOutcome::Unknown),
        ("npx mocha | grep passing", mocha, LandmarkOutcome::Unknown),
        ("npx mocha | grep -E 'passing|failing'", mocha, LandmarkOutcome::Passed),
        ("npx mocha | head -5", mocha, LandmarkOutcome::Unknown),
        ("npx mocha | head -5", "  1 failing", LandmarkOutcome::Failed),
        ("dotnet test", dotnet, LandmarkOutcome::Passed),
        ("dotnet test | tail -1", dotnet, LandmarkOutcome::Unknown),
        ("dotnet test", &left_out, LandmarkOutcome::Unknown),
        ("npm test", "BUILD SUCCESSFUL in 3s", LandmarkOutcome::Unknown),
        ("npm test", "BUILD FAILED in 3s", LandmarkOutcome::Unknown),
        ("prove -v", "ok 1 - a\nok 2\n1..2", LandmarkOutcome::Passed),
        ("prove -v | grep '^ok'", "ok 1 - a\nok 2\n1..2", LandmarkOutcome::Unknown),
        ("prove -v", "ok 1 - a\nnot ok 2\n1..2", LandmarkOutcome::Failed),
    ] {
        assert_eq!(of(line, output), expected, "{line}: {output}");
    }
}

#[test]
fn what_else_went_wrong_leaves_it_open() {
    for wrong in [
        "npm error Lifecycle script `test` failed with error:",
        "error: could not compile `quay` (lib test) due to 1 previous error",
        "make: *** [Makefile:2: test] Error 1",
        "[test:ci] ERROR task failed",
        " ELIFECYCLE  Command failed with exit code 1.",
        "1 error",
        "bash tool terminated command after exceeding timeout 2000 ms",
    ] {
        let output = format!("5 passed in 0.12s\n{wrong}");
        assert_eq!(of("make test", &output), LandmarkOutcome::Unknown, "{wrong}");
    }
    assert_eq!(
        outcome("pytest", &OutputFilter::default(), "5 passed in 0.12s", false),
        LandmarkOutcome::Unknown
    );
    assert_eq!(
        outcome("pytest", &OutputFilter::default(), "1 failed in 0.12s", false),
        LandmarkOutcome::Failed
    );
}

#[test]
fn what_only_looks_like_a_summary_says_nothing() {
    for output in [
        "",
        "the tests said: 5 passed in 0.12s",
        "I ran 5 tests, 0 failures",
        "ok 5 passed",
        "passed",
        "18446744073709551616 passed in 0.12s",
        "Tests:       passed",
        "FAILED",
        "FAILED (no reason)",
        "1 failed",
        "error: test",
        "ok  then",
    ] {
        assert_eq!(of("make test", output), LandmarkOutcome::Unknown, "{output}");
    }
}
