//! Which commands are landmarks: one table, a row for each program.
//!
//! `kind_of` takes away what runs another program (`WRAPPERS`), leaves out what only asks a program about itself
//! (`IDLE`), then asks the rows. It is meant to miss rather than to claim: a row on the page says that a thing was
//! done. Options are those of each program's manual.

use super::event::LandmarkKind::{self, Commit, PullRequest, Push, Test};
use super::test_name::{is_test, is_test_file, is_test_program};
use crate::session::action::program::{name, unwrapped};

/// What a program's arguments have to be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rule {
    /// Anything but a question about the program itself, such as `--version`.
    Any,
    /// The first words are one of these.
    First(&'static [&'static str]),
    /// The same for a script of a package: `test`, `run test:unit`.
    Script,
    /// One of the targets is `test`, `test-…` or `check`.
    Target,
    /// One of the tasks is `test` or `…:test…`.
    Task,
    /// The first word is a file of tests or a program of a row with `Any`, or the option `--test` stands before it.
    File,
}

/// One row: programs, what their arguments have to be, which of their options take a value.
pub(super) type Row = (LandmarkKind, &'static [&'static str], Rule, &'static [&'static str]);

const GIT_VALUES: &[&str] = &["-C", "-c", "--git-dir", "--work-tree", "--namespace"];

const PACKAGE_VALUES: &[&str] =
    &["--filter", "-F", "-w", "--workspace", "-C", "--prefix", "--dir", "--cwd"];

const PYTHON_VALUES: &[&str] = &["-W", "-X"];

const JAVASCRIPT_TOOLS: &[&str] = &["vitest", "jest", "mocha", "ava", "tap", "jasmine", "uvu"];

/// `unittest` is one of them behind `python -m`.
const PYTHON_TOOLS: &[&str] =
    &["pytest", "py.test", "unittest", "tox", "nox", "nose2", "nosetests", "stestr"];

/// The one table.
pub(super) const ROWS: &[Row] = &[
    (Commit, &["git"], Rule::First(&["commit"]), GIT_VALUES),
    (Push, &["git"], Rule::First(&["push"]), GIT_VALUES),
    (PullRequest, &["gh"], Rule::First(&["pr create", "pr new"]), &["-R", "--repo"]),
    (PullRequest, &["glab"], Rule::First(&["mr create", "mr new"]), &["-R", "--repo"]),
    (
        Test,
        &["cargo", "cross"],
        Rule::First(&[
            "test",
            "t",
            "nextest run",
            "nextest r",
            "llvm-cov test",
            "llvm-cov nextest",
            "miri test",
            "hack test",
            "xtask test",
        ]),
        &["-C", "--config"],
    ),
    (Test, &["npm", "pnpm", "yarn", "bun", "composer", "task"], Rule::Script, PACKAGE_VALUES),
    (Test, JAVASCRIPT_TOOLS, Rule::Any, &[]),
    (Test, &["playwright", "ng", "react-scripts", "hardhat"], Rule::First(&["test"]), &[]),
    (Test, &["cypress"], Rule::First(&["run"]), &[]),
    (Test, &["turbo", "nx", "lerna"], Rule::Task, &["--filter", "--scope", "-p", "--projects"]),
    (Test, PYTHON_TOOLS, Rule::Any, &[]),
    (Test, &["hatch"], Rule::First(&["test"]), &[]),
    (
        Test,
        &["python", "python3"],
        Rule::First(&["manage.py test", "setup.py test"]),
        PYTHON_VALUES,
    ),
    (Test, &["manage.py", "django", "django-admin"], Rule::First(&["test"]), &[]),
    (Test, &["go", "forge", "dart", "flutter", "gleam"], Rule::First(&["test"]), &["-C"]),
    (Test, &["gotestsum", "ginkgo"], Rule::Any, &[]),
    (
        Test,
        &["make", "gmake", "just", "mise", "ninja", "rake", "xcodebuild"],
        Rule::Target,
        &[
            "-C",
            "-f",
            "--directory",
            "-scheme",
            "-project",
            "-workspace",
            "-destination",
            "-configuration",
            "-sdk",
        ],
    ),
    (
        Test,
        &["mvn", "mvnw", "gradle", "gradlew", "sbt", "lein"],
        Rule::Task,
        &["-x", "-p", "-f", "-pl", "-P"],
    ),
    (Test, &["mvn", "mvnw"], Rule::First(&["verify"]), &["-f", "-pl", "-P"]),
    (Test, &["gradle", "gradlew"], Rule::First(&["check"]), &["-x", "-p"]),
    (Test, &["dotnet", "mix", "swift"], Rule::First(&["test"]), &[]),
    (Test, &["deno"], Rule::First(&["test", "task test"]), &[]),
    (Test, &["bazel", "bazelisk", "buck2", "stack", "cabal", "meson"], Rule::First(&["test"]), &[]),
    (Test, &["dune"], Rule::First(&["test", "runtest"]), &[]),
    (Test, &["zig"], Rule::First(&["test", "build test"]), &[]),
    (Test, &["rails"], Rule::First(&["test", "test:all", "test:system", "spec"]), &[]),
    (Test, &["rake", "crystal"], Rule::First(&["spec"]), &[]),
    (Test, &["php"], Rule::First(&["artisan test"]), &["-d", "-c"]),
    (Test, &["ctest", "rspec", "phpunit", "pest", "bats", "prove", "busted"], Rule::Any, &[]),
    (Test, &["cucumber", "behave"], Rule::Any, &[]),
    (Test, &["python", "python3"], Rule::File, PYTHON_VALUES),
    (
        Test,
        &["node", "tsx", "ts-node"],
        Rule::File,
        &["-r", "--require", "--import", "--loader", "--conditions", "-C", "--tsconfig", "-P"],
    ),
    (Test, &["deno", "bun"], Rule::File, &["-c", "--config", "--cwd", "--preload"]),
    (Test, &["bash", "sh", "zsh", "dash", "ksh"], Rule::File, &["-o", "-O", "+o"]),
    (
        Test,
        &["ruby", "perl", "php", "lua", "Rscript", "julia", "pwsh"],
        Rule::File,
        &["-I", "-r", "-d", "-l"],
    ),
];

/// With one of these a program does not do what it is for.
const IDLE: &[&str] = &[
    "--help",
    "-h",
    "--version",
    "--dry-run",
    "--no-run",
    "--list",
    "--listTests",
    "--list-tests",
    "--collect-only",
    "--co",
    "--just-print",
    "--clearCache",
    "--showConfig",
    "--fixtures",
    "--fixtures-per-test",
    "--markers",
    "--cache-show",
    "--show-only",
    "--listenvs",
];

/// The same of one program alone: `pytest -n 4` works.
const OWN_IDLE: &[(&str, &[&str])] = &[
    ("git", &["-n"]),
    ("make", &["-n"]),
    ("ctest", &["-N"]),
    ("go", &["-c", "-list"]),
    ("tox", &["-l", "list", "l"]),
    ("nox", &["-l"]),
    ("vitest", &["list", "init"]),
    ("mvn", SKIP_TESTS),
    ("mvnw", SKIP_TESTS),
    // They run what stands beside, or only read the file.
    ("python", &["-c"]),
    ("python3", &["-c"]),
    ("node", &["-e", "--eval", "-p", "--print", "-c", "--check"]),
    ("bash", &["-c", "-n"]),
    ("sh", &["-c", "-n"]),
    ("zsh", &["-c", "-n"]),
    ("ruby", &["-e", "-c"]),
    ("perl", &["-e", "-c"]),
    ("php", &["-r", "-l"]),
    ("pwsh", &["-c", "-Command"]),
];

/// They run the text behind `-e`.
const SCRIPTED: &[&str] = &["perl", "ruby", "node", "julia", "lua", "Rscript"];

const SKIP_TESTS: &[&str] = &["-DskipTests", "-DskipTests=true", "-Dmaven.test.skip=true"];

/// Which landmark a command is, by its words.
pub(super) fn kind_of(words: &[String]) -> Option<LandmarkKind> {
    let words = unwrapped(words);
    // `yarn jest` runs the tool as `npx jest` does.
    let of_tool = || {
        let (manager, rest) = words.split_first()?;
        let is_manager = matches!(name(manager), "yarn" | "pnpm" | "bun");
        let tool = is_manager.then(|| behind_options(rest, PACKAGE_VALUES))?;
        kind_of_program(tool).filter(|kind| *kind == Test)
    };
    kind_of_program(words).or_else(of_tool)
}

fn kind_of_program(words: &[String]) -> Option<LandmarkKind> {
    let (written, arguments) = words.split_first()?;
    let program = name(written);
    // `npx jest@29`.
    let program = program.split('@').next().unwrap_or(program);
    let mut rows = ROWS.iter().filter(|(_, programs, ..)| programs.contains(&program));
    let row = rows.find(|(kind, _, rule, values)| {
        let is_idle = is_idle(*kind, *rule, program, arguments, values);
        !is_idle && rule.admits(arguments, values)
    });
    let is_script = || is_test_program(written) && !asks(arguments);
    row.map(|(kind, ..)| *kind).or_else(|| is_script().then_some(Test))
}

fn is_idle(
    kind: LandmarkKind,
    rule: Rule,
    program: &str,
    arguments: &[String],
    values: &[&str],
) -> bool {
    // What runs the tests gets what stands behind `--`: `cargo test -- --list`.
    let dashes = arguments.iter().position(|word| kind != Test && word == "--");
    let words = &arguments[..dashes.unwrap_or(arguments.len())];
    let own = match (kind, rule) {
        // What stands behind the file is for the tests.
        (_, Rule::File) => options(words, values),
        // `git commit -n` skips the hooks, and commits.
        (Commit, _) => &[],
        _ => words,
    };
    asks(words) || own.iter().any(|word| is_idle_for(program, word))
}

fn asks(arguments: &[String]) -> bool {
    arguments.iter().any(|word| IDLE.contains(&word.as_str()))
}

fn is_idle_for(program: &str, word: &str) -> bool {
    // The last letter of several takes the script: `perl -i -pe`.
    let has_script = SCRIPTED.contains(&program)
        && word.starts_with('-')
        && !word.starts_with("--")
        && word.ends_with(['e', 'E']);
    has_script || OWN_IDLE.iter().any(|(other, words)| *other == program && words.contains(&word))
}

/// The options before the first word that is none, with their values. What `deno run` runs is a file too.
fn options<'w>(arguments: &'w [String], values: &[&str]) -> &'w [String] {
    let mut at = 0;
    while let Some(word) = arguments.get(at).filter(|word| word.starts_with('-') || *word == "run")
    {
        at += if values.contains(&word.as_str()) { 2 } else { 1 };
    }
    &arguments[..at.min(arguments.len())]
}

fn behind_options<'w>(arguments: &'w [String], values: &[&str]) -> &'w [String] {
    &arguments[options(arguments, values).len()..]
}

/// Arguments without options, up to `--`.
fn plain<'w>(arguments: &'w [String], values: &[&str]) -> Vec<&'w str> {
    let mut plain = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(word) = arguments.next() {
        if word == "--" {
            break;
        } else if values.contains(&word.as_str()) {
            arguments.next();
        } else if !word.starts_with(['-', '+']) {
            plain.push(word.as_str());
        }
    }
    plain
}

impl Rule {
    fn admits(self, arguments: &[String], values: &[&str]) -> bool {
        let words = plain(arguments, values);
        let first = words.first().copied().unwrap_or_default();
        let second = words.get(1).copied().unwrap_or_default();
        match self {
            Rule::Any => true,
            Rule::First(starts) => starts.iter().any(|start| match start.split_once(' ') {
                Some(pair) => pair == (first, second),
                None => *start == first,
            }),
            Rule::Script => {
                let runs = matches!(first, "run" | "run-script" | "workspace" | "workspaces");
                let script = match first {
                    // `yarn workspaces foreach run test`
                    "workspaces" => words.last().copied().unwrap_or_default(),
                    "workspace" => match words.get(2).copied().unwrap_or_default() {
                        "run" => words.get(3).copied().unwrap_or_default(),
                        script => script,
                    },
                    _ if runs => second,
                    _ => first,
                };
                script == "t" && !runs || is_test(script)
            }
            Rule::Target => words.iter().any(|word| *word == "check" || is_test(word)),
            Rule::Task => words.iter().any(|word| {
                let task = word.rsplit(':').next().unwrap_or(word);
                let is_test = task.starts_with("test") && task != "testClasses"
                    || task.starts_with("connected") && task.ends_with("Test")
                    || task == "integrationTest";
                is_test && !task.contains(['/', '.'])
            }),
            Rule::File => {
                let options = options(arguments, values);
                options.iter().any(|word| word == "--test")
                    || arguments.get(options.len()).is_some_and(|file| {
                        let tool = name(file).split('.').next().unwrap_or_default();
                        is_test_file(file) || file.contains('/') && is_tool(tool)
                    })
            }
        }
    }
}

/// Whether a program only runs tests.
fn is_tool(program: &str) -> bool {
    let mut tools = ROWS.iter().filter(|(_, _, rule, _)| matches!(rule, Rule::Any));
    tools.any(|(_, programs, ..)| programs.contains(&program))
}
