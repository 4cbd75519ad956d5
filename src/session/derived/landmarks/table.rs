//! Which commands are landmarks: one table, a row for each program.
//!
//! `kind_of` takes away what runs another program (`WRAPPERS`), leaves out what only asks a program about itself
//! (`IDLE`), then asks the rows. It is meant to miss rather than to claim: a row on the page says that a thing was
//! done. Options are those of each program's manual.

use super::deed::LandmarkKind::{self, Commit, PullRequest, Push, Test};
use crate::session::tools::program::{name, unwrapped};

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
}

/// One row: programs, what their arguments have to be, which of their options take a value.
pub(super) type Row = (LandmarkKind, &'static [&'static str], Rule, &'static [&'static str]);

const GIT_VALUES: &[&str] = &["-C", "-c", "--git-dir", "--work-tree", "--namespace"];

const PACKAGE_VALUES: &[&str] =
    &["--filter", "-F", "-w", "--workspace", "-C", "--prefix", "--dir", "--cwd"];

/// The one table.
pub(super) const ROWS: &[Row] = &[
    (Commit, &["git"], Rule::First(&["commit"]), GIT_VALUES),
    (Push, &["git"], Rule::First(&["push"]), GIT_VALUES),
    (PullRequest, &["gh"], Rule::First(&["pr create", "pr new"]), &["-R", "--repo"]),
    (PullRequest, &["glab"], Rule::First(&["mr create", "mr new"]), &["-R", "--repo"]),
    (
        Test,
        &["cargo"],
        Rule::First(&["test", "t", "nextest run", "nextest r"]),
        &["-C", "--config"],
    ),
    (Test, &["npm", "pnpm", "yarn", "bun"], Rule::Script, PACKAGE_VALUES),
    (Test, &["vitest", "jest", "pytest", "py.test", "tox"], Rule::Any, &[]),
    (Test, &["go"], Rule::First(&["test"]), &["-C"]),
    (Test, &["make", "just", "mise"], Rule::Target, &["-C", "-f", "--directory"]),
    (Test, &["mvn", "mvnw", "gradle", "gradlew"], Rule::Task, &["-x", "-p", "-f", "-pl", "-P"]),
    (Test, &["dotnet", "mix", "swift", "deno"], Rule::First(&["test"]), &[]),
    (Test, &["ctest", "rspec", "phpunit"], Rule::Any, &[]),
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
    ("vitest", &["list", "init"]),
];

/// Which landmark a command is, by its words.
pub(super) fn kind_of(words: &[String]) -> Option<LandmarkKind> {
    let words = unwrapped(words);
    let (program, arguments) = words.split_first()?;
    let program = name(program);
    let row = ROWS.iter().filter(|(_, programs, ..)| programs.contains(&program));
    let is_idle = |kind: LandmarkKind| {
        // What runs the tests gets what stands behind `--`: `cargo test -- --list`.
        let mut words = arguments.iter().take_while(|word| kind == Test || *word != "--");
        words.any(|word| {
            // `git commit -n` skips the hooks, and commits.
            let is_own = kind != Commit && is_idle_for(program, word);
            IDLE.contains(&word.as_str()) || is_own
        })
    };
    let mut row = row.filter(|(kind, _, rule, values)| {
        !is_idle(*kind) && rule.admits(&plain(arguments, values))
    });
    // `yarn jest` runs the tool as `npx jest` does.
    let of_tool = || matches!(program, "yarn" | "pnpm" | "bun").then(|| kind_of_tool(arguments));
    row.next().map(|(kind, ..)| *kind).or_else(|| of_tool().flatten())
}

fn kind_of_tool(arguments: &[String]) -> Option<LandmarkKind> {
    let tool = name(arguments.first()?);
    let mut rows = ROWS
        .iter()
        .filter(|(_, programs, rule, _)| matches!(rule, Rule::Any) && programs.contains(&tool));
    let is_idle = |word: &String| IDLE.contains(&word.as_str()) || is_idle_for(tool, word);
    rows.next().map(|(kind, ..)| *kind).filter(|_| !arguments.iter().any(is_idle))
}

fn is_idle_for(program: &str, word: &str) -> bool {
    OWN_IDLE.iter().any(|(other, words)| *other == program && words.contains(&word))
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
    fn admits(self, words: &[&str]) -> bool {
        let first = words.first().copied().unwrap_or_default();
        let second = words.get(1).copied().unwrap_or_default();
        match self {
            Rule::Any => true,
            Rule::First(starts) => starts.iter().any(|start| match start.split_once(' ') {
                Some(pair) => pair == (first, second),
                None => *start == first,
            }),
            Rule::Script => {
                let runs = matches!(first, "run" | "run-script" | "workspace");
                let script = match first {
                    "workspace" => words.get(2).copied().unwrap_or_default(),
                    _ if runs => second,
                    _ => first,
                };
                script == "t" && !runs || is_test(script)
            }
            Rule::Target => words.iter().any(|word| *word == "check" || is_test(word)),
            Rule::Task => words.iter().any(|word| {
                let task = word.rsplit(':').next().unwrap_or(word);
                task.starts_with("test") && !task.contains(['/', '.'])
            }),
        }
    }
}

/// `test`, `tests`, `test:unit`, `test-ci`; not `testdata/x` and not `testing`.
fn is_test(word: &str) -> bool {
    let rest = word.strip_prefix("tests").or_else(|| word.strip_prefix("test"));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '-', '_']))
}
