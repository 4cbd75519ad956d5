use crate::session::tree::index::EntryIndex;
use std::fmt::Write as _;

use super::*;
use crate::session::action::path::Folder;
use crate::session::derived::digest::Digest;
use crate::session::model::message::Bash;

/// A script, what it prints, whether its exit status is 0, and the kind, text and outcome of what is found.
type Fixture = (
    &'static str,
    &'static str,
    Option<bool>,
    &'static [(&'static str, &'static str, &'static str)],
);

/// One fixture for each program and each way to call it: what runs, what it prints, its exit status,
/// and what is found.
const FOUND: &[Fixture] = &[
    (
        "git add -A && git commit -m \"$(cat <<'EOF'\nDon't stop (yet)\n\nEOF\n)\"",
        "[main 1a2b3c4] Cut days at midnight\n 2 files changed",
        Some(true),
        &[("commit", "1a2b3c4 Cut days at midnight", "passed")],
    ),
    (
        "git -C a -c user.name=x commit -qam x; git commit --amend | tail -1",
        "[main (root-commit) 1a2b3c4] one\n[detached HEAD 5d6e7f8] two",
        Some(false),
        &[("commit", "1a2b3c4 one", "passed"), ("commit", "5d6e7f8 two", "passed")],
    ),
    ("git commit -q -m 'Cut days'", "", Some(true), &[("commit", "Cut days", "passed")]),
    ("git commit -q -m 'Cut days'", "", None, &[]),
    ("git commit -q -m 'Cut days'; ls", "a", Some(true), &[]),
    ("git commit -qF note", "", Some(true), &[("commit", "git commit -qF note", "passed")]),
    (
        "git commit -qm \"$(cat <<'EOF'\nCut days\n\nMore\nEOF\n)\" && git push -q",
        "",
        Some(true),
        &[("commit", "Cut days", "passed"), ("push", "git push -q", "passed")],
    ),
    (
        "git push -u origin main 2>&1 | tail",
        "To github.com:o/r.git\n   1a2b3c4..5d6e7f8  main -> main",
        None,
        &[("push", "main", "passed")],
    ),
    ("git push", " * [new branch]      a -> b (x)", None, &[("push", "a → b", "passed")]),
    ("git push -q", "", Some(true), &[("push", "git push -q", "passed")]),
    (
        "gh pr create --fill",
        "Warning: 1 uncommitted change\nhttps://github.com/o/r/pull/184\n",
        Some(true),
        &[("pull-request", "https://github.com/o/r/pull/184", "passed")],
    ),
    (
        "glab mr create",
        "!7 Title (x)\n https://gitlab.com/g/r/-/merge_requests/7",
        None,
        &[("pull-request", "https://gitlab.com/g/r/-/merge_requests/7", "passed")],
    ),
    ("cargo test --lib", "", Some(true), &[("test", "cargo test --lib", "passed")]),
    ("make -j test", "", Some(true), &[("test", "make -j test", "passed")]),
    ("make -d -j 4 check", "", Some(true), &[("test", "make -d -j 4 check", "passed")]),
    (
        "mise exec node@20 -- npm test",
        "",
        Some(true),
        &[("test", "mise exec node@20 -- npm test", "passed")],
    ),
    ("set -e; cargo test; set +e; echo done", "", Some(true), &[("test", "cargo test", "unknown")]),
    (
        "set -e; f() { cargo test; }; echo defined",
        "",
        Some(true),
        &[("test", "cargo test", "unknown")],
    ),
    ("cargo t", "", Some(false), &[("test", "cargo t", "failed")]),
    (
        "cd x && A=1 cargo +nightly nextest run",
        "",
        Some(false),
        &[("test", "A=1 cargo +nightly nextest run", "failed")],
    ),
    ("cargo test 2>&1 | tail -5", "1 failed", Some(true), &[("test", "cargo test", "unknown")]),
    (
        "cargo test 2>&1 | tail -5",
        "test result: ok. 3 passed; 0 failed; 0 ignored",
        Some(true),
        &[("test", "cargo test", "passed")],
    ),
    (
        "pytest; echo done",
        "1 failed, 4 passed in 0.1s\ndone",
        None,
        &[("test", "pytest", "failed")],
    ),
    // A status that is known says more.
    ("pytest", "1 failed, 4 passed in 0.1s", Some(true), &[("test", "pytest", "passed")]),
    ("pytest", "5 passed in 0.1s", Some(false), &[("test", "pytest", "failed")]),
    // What failed may have been more tests.
    (
        "npm run lint && npm test",
        "5 passed in 0.1s",
        Some(false),
        &[("test", "npm test", "unknown")],
    ),
    // Which of them printed it?
    (
        "pytest a | tail -1; pytest b | tail -1",
        "5 passed in 0.1s",
        Some(true),
        &[("test", "pytest a", "unknown"), ("test", "pytest b", "unknown")],
    ),
    (
        "bash -c 'pytest | tail -1' | grep passed",
        "5 passed in 0.1s",
        Some(true),
        &[("test", "pytest", "unknown")],
    ),
    ("(pytest; ls) | tail", "5 passed in 0.1s", Some(true), &[("test", "pytest", "passed")]),
    ("npm test", "", Some(true), &[("test", "npm test", "passed")]),
    ("cd web; npm t", "", Some(true), &[("test", "npm t", "passed")]),
    (
        "pnpm --filter web run test:unit",
        "",
        Some(true),
        &[("test", "pnpm --filter web run test:unit", "passed")],
    ),
    ("yarn workspace a test", "", None, &[("test", "yarn workspace a test", "unknown")]),
    ("yarn workspace a run test", "", None, &[("test", "yarn workspace a run test", "unknown")]),
    ("bun test", "", Some(false), &[("test", "bun test", "failed")]),
    ("npx vitest run", "", Some(true), &[("test", "npx vitest run", "passed")]),
    ("node_modules/.bin/jest", "", Some(true), &[("test", "node_modules/.bin/jest", "passed")]),
    (
        "uv run --quiet pytest -n 4",
        "",
        Some(true),
        &[("test", "uv run --quiet pytest -n 4", "passed")],
    ),
    ("python3 -m pytest", "", Some(true), &[("test", "python3 -m pytest", "passed")]),
    ("tox -e py312", "", Some(true), &[("test", "tox -e py312", "passed")]),
    ("timeout 60 go test ./...", "", Some(true), &[("test", "timeout 60 go test ./...", "passed")]),
    ("make -C a -j4 test", "", Some(true), &[("test", "make -C a -j4 test", "passed")]),
    ("just check", "", Some(true), &[("test", "just check", "passed")]),
    ("mise run test:ci", "", Some(true), &[("test", "mise run test:ci", "passed")]),
    ("mvn -q test", "", Some(true), &[("test", "mvn -q test", "passed")]),
    (
        "./gradlew :app:testDebugUnitTest",
        "",
        Some(true),
        &[("test", "./gradlew :app:testDebugUnitTest", "passed")],
    ),
    ("dotnet test", "", Some(true), &[("test", "dotnet test", "passed")]),
    ("ctest", "", Some(true), &[("test", "ctest", "passed")]),
    ("bundle exec rspec", "", Some(true), &[("test", "bundle exec rspec", "passed")]),
    ("vendor/bin/phpunit", "", Some(true), &[("test", "vendor/bin/phpunit", "passed")]),
    ("mix test", "", Some(true), &[("test", "mix test", "passed")]),
    ("swift test", "", Some(true), &[("test", "swift test", "passed")]),
    ("deno test -A", "", Some(true), &[("test", "deno test -A", "passed")]),
    ("python3 tests/test_x.py", "", Some(true), &[("test", "python3 tests/test_x.py", "passed")]),
    (
        "python -m unittest discover -s tests",
        "",
        Some(true),
        &[("test", "python -m unittest discover -s tests", "passed")],
    ),
    (
        "python3.12 -X dev -m pytest",
        "",
        Some(true),
        &[("test", "python3.12 -X dev -m pytest", "passed")],
    ),
    ("python manage.py test", "", Some(true), &[("test", "python manage.py test", "passed")]),
    ("uvx nox", "", Some(true), &[("test", "uvx nox", "passed")]),
    ("coverage run -m pytest", "", Some(true), &[("test", "coverage run -m pytest", "passed")]),
    (
        "python -W error tests/test_x.py -c 3",
        "",
        Some(true),
        &[("test", "python -W error tests/test_x.py -c 3", "passed")],
    ),
    ("node --test", "", Some(true), &[("test", "node --test", "passed")]),
    (
        "node --import tsx --test src/a.ts",
        "",
        Some(true),
        &[("test", "node --import tsx --test src/a.ts", "passed")],
    ),
    ("node test/foo.test.js", "", Some(true), &[("test", "node test/foo.test.js", "passed")]),
    ("npx tsx --test a.ts", "", Some(true), &[("test", "npx tsx --test a.ts", "passed")]),
    (
        "node node_modules/vitest/vitest.mjs run",
        "",
        Some(true),
        &[("test", "node node_modules/vitest/vitest.mjs run", "passed")],
    ),
    ("bash tests/run.sh", "", Some(true), &[("test", "bash tests/run.sh", "passed")]),
    ("sh test.sh", "", Some(true), &[("test", "sh test.sh", "passed")]),
    ("./tests/run --fast", "", Some(true), &[("test", "./tests/run --fast", "passed")]),
    ("./scripts/test-e2e.sh", "", Some(true), &[("test", "./scripts/test-e2e.sh", "passed")]),
    ("deno run -A tests/all.ts", "", Some(true), &[("test", "deno run -A tests/all.ts", "passed")]),
    ("deno task test", "", Some(true), &[("test", "deno task test", "passed")]),
    ("bun run tests/a.ts", "", Some(true), &[("test", "bun run tests/a.ts", "passed")]),
    ("npx jest@29", "", Some(true), &[("test", "npx jest@29", "passed")]),
    ("npx playwright test", "", Some(true), &[("test", "npx playwright test", "passed")]),
    ("npx cypress run", "", Some(true), &[("test", "npx cypress run", "passed")]),
    (
        "npx turbo run test --filter web",
        "",
        Some(true),
        &[("test", "npx turbo run test --filter web", "passed")],
    ),
    ("yarn mocha", "", Some(true), &[("test", "yarn mocha", "passed")]),
    (
        "yarn workspaces foreach -A run test",
        "",
        Some(true),
        &[("test", "yarn workspaces foreach -A run test", "passed")],
    ),
    ("pnpm -r test", "", Some(true), &[("test", "pnpm -r test", "passed")]),
    (
        "pnpm --filter web vitest run",
        "",
        Some(true),
        &[("test", "pnpm --filter web vitest run", "passed")],
    ),
    (
        "pnpm --filter web exec vitest",
        "",
        Some(true),
        &[("test", "pnpm --filter web exec vitest", "passed")],
    ),
    ("npm run e2e", "", Some(true), &[("test", "npm run e2e", "passed")]),
    ("composer run test", "", Some(true), &[("test", "composer run test", "passed")]),
    ("task test", "", Some(true), &[("test", "task test", "passed")]),
    ("hatch test", "", Some(true), &[("test", "hatch test", "passed")]),
    ("cargo llvm-cov nextest", "", Some(true), &[("test", "cargo llvm-cov nextest", "passed")]),
    ("gotestsum ./...", "", Some(true), &[("test", "gotestsum ./...", "passed")]),
    ("flutter test", "", Some(true), &[("test", "flutter test", "passed")]),
    ("make unit-tests", "", Some(true), &[("test", "make unit-tests", "passed")]),
    ("bundle exec rake test", "", Some(true), &[("test", "bundle exec rake test", "passed")]),
    ("rails test test/a.rb", "", Some(true), &[("test", "rails test test/a.rb", "passed")]),
    ("rake spec", "", Some(true), &[("test", "rake spec", "passed")]),
    (
        "xcodebuild -scheme App test",
        "",
        Some(true),
        &[("test", "xcodebuild -scheme App test", "passed")],
    ),
    ("sbt testOnly", "", Some(true), &[("test", "sbt testOnly", "passed")]),
    ("mvn -q verify", "", Some(true), &[("test", "mvn -q verify", "passed")]),
    ("gradle check", "", Some(true), &[("test", "gradle check", "passed")]),
    (
        "gradle connectedDebugAndroidTest",
        "",
        Some(true),
        &[("test", "gradle connectedDebugAndroidTest", "passed")],
    ),
    ("bazel test //...", "", Some(true), &[("test", "bazel test //...", "passed")]),
    ("meson test -C build", "", Some(true), &[("test", "meson test -C build", "passed")]),
    ("dune runtest", "", Some(true), &[("test", "dune runtest", "passed")]),
    ("zig build test", "", Some(true), &[("test", "zig build test", "passed")]),
    ("php artisan test", "", Some(true), &[("test", "php artisan test", "passed")]),
    ("php vendor/bin/phpunit", "", Some(true), &[("test", "php vendor/bin/phpunit", "passed")]),
    ("behave", "", Some(true), &[("test", "behave", "passed")]),
    ("prove -l", "", Some(true), &[("test", "prove -l", "passed")]),
    ("perl -Ilib t/a.t", "", Some(true), &[("test", "perl -Ilib t/a.t", "passed")]),
    ("ruby -Itest test/a.rb", "", Some(true), &[("test", "ruby -Itest test/a.rb", "passed")]),
    ("bash -lc 'cd x && cargo test'", "", Some(true), &[("test", "cargo test", "passed")]),
    ("cargo build && cargo test", "", Some(false), &[("test", "cargo test", "unknown")]),
    ("cargo build && cargo test", "", Some(true), &[("test", "cargo test", "passed")]),
    ("cargo test || true", "", Some(true), &[("test", "cargo test", "unknown")]),
    ("cargo test; echo $?", "", Some(true), &[("test", "cargo test", "unknown")]),
    ("set -e\ncargo test\necho done", "", Some(true), &[("test", "cargo test", "passed")]),
    ("set -o pipefail; cargo test | tail", "", Some(false), &[("test", "cargo test", "failed")]),
    ("for x in a b; do cargo test; done", "", Some(true), &[("test", "cargo test", "unknown")]),
];

/// What looks like one and is none.
const NOT_FOUND: &[(&str, &str)] = &[
    ("cargo test -- --list", "a: test"),
    ("npm test -- --listTests", "a.test.js"),
    ("perl -i -pe 's/old/test/g' src/a.rs", ""),
    ("perl -ne 'print if /test/' a.txt", "test"),
    ("node -pe 'require(\"./test/a.js\").x'", "1"),
    ("julia -e 'test/x' y", ""),
    ("ctest -N", "Total Tests: 3"),
    ("tox -l", "py3"),
    ("npx vitest list", "a"),
    ("yarn jest --clearCache", ""),
    ("pytest --fixtures", "a"),
    ("go test -c", ""),
    ("git commit --dry-run", "[main 1a2b3c4] x"),
    ("git commit -q --dry-run -m x", ""),
    ("git commit -m x", "nothing to commit, working tree clean"),
    ("echo 'git commit -m x'", "[main 1a2b3c4] x"),
    ("cat > x.sh <<EOF\ngit commit -m x\nEOF", "[main 1a2b3c4] x"),
    ("git log | grep commit", "[main 1a2b3c4] x"),
    ("git commit -m x", "[INFO at 1a2b3c4] x\n[lint] x\n[a b] c"),
    ("git push --dry-run", " * [new branch]      a -> b"),
    ("git push", "Everything up-to-date"),
    ("git pull && git push", "   1a2b3c4..5d6e7f8  main -> origin/main\nEverything up-to-date"),
    ("git push", "! [rejected]        main -> main (fetch first)\nerror: failed to push some refs"),
    ("gh pr create", "a pull request for branch x already exists:\nhttps://github.com/o/r/pull/1"),
    ("gh pr view", "https://github.com/o/r/pull/1"),
    ("gh pr create", "javascript:alert(1)//pull/1"),
    ("cargo test --no-run", ""),
    ("cargo build", ""),
    ("npm run build:test", ""),
    ("npm install jest", ""),
    ("pytest --version", ""),
    ("pip install pytest", ""),
    ("make -n test", ""),
    ("make all", ""),
    ("gradle build -x test", ""),
    ("go vet ./test", ""),
    ("ls test; cat check", ""),
    ("grep -rn 'cargo test' .", ""),
    ("cat tests/x", ""),
    ("ls tests", ""),
    ("git add tests/", ""),
    ("chmod +x tests/run", ""),
    ("vim tests/test_x.py", ""),
    ("sed -i s/a/b/ tests/test_x.py", ""),
    ("python3 -c 'import x' tests/test_x.py", ""),
    ("python -m py_compile tests/test_x.py", ""),
    ("python3 tests/fixtures/make.py", ""),
    ("bash -n tests/run.sh", ""),
    ("node --check test/a.js", ""),
    ("node build.js --test", ""),
    ("node -e 1 test/a.js", ""),
    ("test -f tests/x", ""),
    ("/usr/bin/test -f x", ""),
    ("bash build.sh test", ""),
    ("python setup.py build", ""),
    ("./tests/run --help", ""),
    ("npx @scope/test-utils", ""),
    ("cp tests/a tests/b", ""),
    ("mvn -q verify -DskipTests", ""),
    ("gradle testClasses", ""),
    ("make build-test", ""),
    ("playwright install", ""),
    ("tests/node_modules/.bin/esbuild a.ts", ""),
    ("source tests/env.sh", ""),
    ("echo tests/run.sh", ""),
    ("npx vitest --version", ""),
    ("git commit-graph write", "[main 1a2b3c4] x"),
];

fn ran(script: &str) -> Vec<Ran> {
    Ran::of(script, &Folder::new("/home/ana/quay"), "")
}

fn found(script: &str, output: &str, exit: Option<bool>) -> Vec<(String, String, String)> {
    let found = output::found(&ran(script), output, exit, (true, true));
    let told = found.into_iter().map(|found| {
        (found.event.kind().name().to_owned(), found.event.text(), found.outcome.name().to_owned())
    });
    told.collect()
}

#[test]
fn what_ran_and_what_it_printed_is_found() {
    for (script, output, exit, expected) in FOUND {
        let found = found(script, output, *exit);
        let expected: Vec<_> = expected
            .iter()
            .map(|(kind, text, outcome)| {
                ((*kind).to_owned(), (*text).to_owned(), (*outcome).to_owned())
            })
            .collect();
        assert_eq!(found, expected, "{script}");
    }
}

#[test]
fn each_program_of_the_table_is_found_by_each_name_of_its_command() {
    for (kind, programs, rule, _) in table::ROWS {
        let arguments = match rule {
            table::Rule::Any => &["", "-q"],
            table::Rule::First(starts) => *starts,
            table::Rule::Script => &["t", "test", "run test:unit", "workspace web test"],
            table::Rule::Target => &["test", "check"],
            table::Rule::Task => &["test", ":app:testDebug"],
            table::Rule::File => &["test.x", "tests/x", "--test"],
        };
        for (program, arguments) in
            programs.iter().flat_map(|program| arguments.iter().map(move |more| (program, more)))
        {
            let script = format!("{program} {arguments}");
            let kinds: Vec<_> = ran(&script).iter().map(|ran| ran.kind).collect();
            assert_eq!(kinds, [*kind], "{script}");
        }
    }
}

#[test]
fn what_did_not_run_or_did_nothing_is_none() {
    for (script, output) in NOT_FOUND {
        for exit in [None, Some(true)] {
            let found = found(script, output, exit);
            assert!(found.is_empty(), "{script}: {found:?}");
        }
    }
}

/// A session of Claude Code: each call with its result and whether that is an error.
pub(super) fn session(calls: &[(&str, &str, bool)]) -> Session {
    let mut file = String::new();
    let mut parent = "null".to_owned();
    for (nth, (command, output, is_error)) in calls.iter().enumerate() {
        let [command, output] = [command, output].map(|text| serde_json::to_string(text).unwrap());
        let _ = write!(
            file,
            r#"{{"uuid":"a{nth}","parentUuid":{parent},"sessionId":"s","type":"assistant","message":{{"id":"m{nth}","content":[{{"type":"tool_use","id":"t{nth}","name":"Bash","input":{{"command":{command}}}}}]}}}}
{{"uuid":"b{nth}","parentUuid":"a{nth}","sessionId":"s","type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"t{nth}","content":{output},"is_error":{is_error}}}]}}}}
"#
        );
        parent = format!("\"b{nth}\"");
    }
    crate::read(file.into_bytes()).unwrap()
}

#[test]
fn a_call_is_judged_by_its_own_result() {
    let session = session(&[
        ("cargo test", "ok", false),
        ("cargo test", "Exit code 101\nno", true),
        ("cargo test", "The user doesn't want to proceed with this tool use.", true),
        ("cat notes", "[main 1a2b3c4] told of a commit", false),
        (
            "git commit -m x && gh pr create --draft --title \"Cut days\" --body \"$(cat x)\"",
            "[main 1a2b3c4] x\nhttps://github.com/o/r/pull/3",
            false,
        ),
        ("git commit -m x", "[main 1a2b3c4] x", false),
    ]);
    let digest = Digest::read(&session);
    let entries: Vec<_> = session.indices().collect();
    let told: Vec<_> = digest
        .landmarks
        .over(&entries)
        .into_iter()
        .map(|landmark| (session.key_at(landmark.entry), landmark.event.kind(), landmark.outcome))
        .collect();
    let of = |key: &str, kind, outcome| (key.to_owned(), kind, outcome);
    assert_eq!(
        told,
        [
            of("b0", LandmarkKind::Test, LandmarkOutcome::Passed),
            of("b1", LandmarkKind::Test, LandmarkOutcome::Failed),
            of("b4", LandmarkKind::Commit, LandmarkOutcome::Passed),
            of("b4", LandmarkKind::PullRequest, LandmarkOutcome::Passed),
        ]
    );
    let request = digest.landmarks.of(EntryIndex::new(9)).last().unwrap();
    let address = "https://github.com/o/r/pull/3".to_owned();
    assert_eq!(
        request.event,
        LandmarkEvent::PullRequest { address, number: 3, title: "Cut days".to_owned() }
    );
}

#[test]
fn tests_that_the_user_stopped_have_not_passed() {
    let outcome = |output: &str, cancelled| {
        let bash = Bash {
            command: "cargo test".into(),
            output: output.to_owned().into(),
            exit_code: None,
            cancelled,
            truncated: false,
            full_output_path: None,
            excluded: false,
            images: Vec::new(),
        };
        output::by_user(&bash, &Folder::new("/home/ana/quay"))[0].outcome
    };
    let ok = "test result: ok. 3 passed; 0 failed";
    assert_eq!(outcome(ok, false), LandmarkOutcome::Passed);
    assert_eq!(outcome(ok, true), LandmarkOutcome::Unknown);
    assert_eq!(outcome("test result: FAILED. 2 passed; 1 failed", true), LandmarkOutcome::Failed);
}

#[test]
fn a_pull_request_that_a_line_links_is_found_once() {
    let line = |address: &str| {
        format!("{{\"type\":\"pr-link\",\"sessionId\":\"s\",\"prUrl\":\"{address}\"}}\n")
    };
    let made = "https://github.com/o/r/pull/3";
    let file = session(&[("gh pr create", made, false), ("ls", "x", false)]);
    let mut file = String::from_utf8(file.source().to_vec()).unwrap();
    let linked = "https://github.com/o/r/pull/4";
    file += &[line(made), line(linked), line(linked), line("javascript:x/pull/4")].concat();
    let session = crate::read(file.into_bytes()).unwrap();
    let digest = Digest::read(&session);
    let entries: Vec<_> = session.indices().collect();
    let found = digest.landmarks.over(&entries).into_iter();
    let found: Vec<_> =
        found.map(|landmark| (session.key_at(landmark.entry), landmark.event.text())).collect();
    let of = |key: &str, text: &str| (key.to_owned(), text.to_owned());
    assert_eq!(found, [of("b0", made), of("b1", linked)]);
}

#[test]
fn a_pull_request_has_the_title_that_its_command_gives() {
    for (command, expected) in [
        ("gh pr create -t 'Cut days' -b x", "Cut days"),
        ("glab mr create --title=Days", "Days"),
        ("gh pr create --title \"$(git log -1)\"", ""),
        ("gh pr create --title \"`git log -1`\"", ""),
        ("gh pr create --title \"Fix `git log -1` now\"", ""),
        ("gh pr create --fill", ""),
    ] {
        let session = session(&[(command, "https://github.com/o/r/pull/3", false)]);
        let digest = Digest::read(&session);
        let found = digest.landmarks.of(EntryIndex::new(1));
        let LandmarkEvent::PullRequest { title, .. } = &found[0].event else { panic!("{found:?}") };
        assert_eq!(title, expected, "{command}");
    }
}
