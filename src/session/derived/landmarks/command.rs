//! Which landmarks a call runs, and whether the status of its command line is theirs.

use super::commit::CommitOptions;
use super::event::{LandmarkKind, LandmarkOutcome, Notable};
use super::notable::{self, Notables, Place, Watch};
use super::output_filter::OutputFilter;
use super::summary;
use super::table;
use crate::session::action::patches::{PATCH_BEGIN, applied_patches};
use crate::session::action::path::Folder;
use crate::session::action::place;
use crate::session::action::program::{script_of, unwrapped};
use crate::session::action::shell::{Join, Simple, commands};
use crate::session::action::{Action, Request, Run, Script, code_mode};
use crate::session::texts::text::{one_line, shortened};

/// Of a command, in UTF-16 units.
const TEXT_UNITS: usize = 200;

/// A shell in a shell in a shell: deeper ones are not read.
const DEPTH: usize = 3;

/// A command that is a landmark once it ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::session) struct Ran {
    pub(super) kind: LandmarkKind,
    /// The command; of one that opens a pull request the title that it gives, and of one that commits quietly the subject,
    /// if it gives that.
    pub(super) text: String,
    status: Status,
    /// Of what it prints.
    filter: OutputFilter,
    /// Its commit takes the place of the one before.
    pub(super) amends: bool,
    /// Its commit prints nothing.
    pub(super) commits_quietly: bool,
}

/// What the status of the whole command line says of one command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    /// Nothing: it is behind a pipe, or something else ran after it.
    Hidden,
    /// It succeeded if the line did; what failed may be another.
    Zero,
    /// It is its own.
    Own,
}

/// Compounds, and what ends a script: whether what they hold or what follows runs, and how often, the line does not say.
const COMPOUNDS: [&str; 17] = [
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac",
    "function", "!", "exit", "return", // A group, or the body of a function.
    "{",
];

/// What hardly ever fails, so that the failure is that of another command.
const TRIVIAL: [&str; 15] = [
    "cd", "export", "set", "echo", "printf", "source", ".", "unset", "pushd", "popd", "true",
    "sleep", "clear", "pwd", "umask",
];

/// What a program's output is merely passed through.
const FILTERS: [&str; 7] = ["tail", "head", "cat", "tee", "sed", "less", "sort"];

impl Ran {
    /// The landmarks that a call runs, of a session that works in `folder`.
    pub(in crate::session) fn by(action: &Action<'_>, folder: &Folder) -> Box<[Ran]> {
        match &action.request {
            Request::Run(run) => Ran::by_command(run, folder),
            Request::File(_) => Ran::all(notable::of_files(&action.files(), folder), Status::Own),
            _ => Box::default(),
        }
    }

    fn by_command(run: &Run<'_>, folder: &Folder) -> Box<[Ran]> {
        let mut ran = match &run.script {
            Script::Missing => Vec::new(),
            Script::Shell(script) => Ran::of(script, folder, run.folder),
            Script::Words(words) => of_words(words, folder, run.folder),
            Script::CodeMode(script) => Ran::of_code(script, folder, run.folder),
        };
        if run.in_background {
            for ran in &mut ran {
                ran.status = Status::Hidden;
            }
        }
        ran.into_boxed_slice()
    }

    /// Those of a script that runs in `at`, from `folder` on.
    pub(super) fn of(script: &str, folder: &Folder, at: &str) -> Vec<Ran> {
        let mut ran = Vec::new();
        let mut place = Place::new(folder, place::Place::new(at));
        collect(script, (Status::Own, &OutputFilter::default()), DEPTH, &mut place, &mut ran);
        ran.extend(Ran::of_patches(script, folder, at, false));
        ran
    }

    /// Those of the patches that a script applies.
    fn of_patches(script: &str, folder: &Folder, at: &str, is_handed_over: bool) -> Vec<Ran> {
        let patches = applied_patches(script, place::Place::new(at), is_handed_over);
        let notables =
            patches.map(|(place, patch)| notable::of_patch(patch, &Place::new(folder, place)));
        notables.flat_map(|notables| Ran::all(notables, Status::Hidden)).collect()
    }

    /// Those of a script of code mode, whose status is that of a command only where it runs one.
    fn of_code(script: &str, folder: &Folder, at: &str) -> Vec<Ran> {
        let commands: Vec<String> = code_mode::commands(script).collect();
        let mut ran: Vec<Ran> =
            commands.iter().flat_map(|command| Ran::of(command, folder, at)).collect();
        if commands.len() > 1 {
            for one in &mut ran {
                one.status = Status::Hidden;
            }
        }
        // Nobody knows what the script makes of the output.
        if script.contains(".output.") {
            for one in &mut ran {
                one.filter.is_unclear = true;
            }
        }
        let texts = code_mode::literals(script).filter(|text| text.contains(PATCH_BEGIN));
        ran.extend(texts.flat_map(|text| Ran::of_patches(&text, folder, at, true)));
        ran
    }

    /// Of a command of such a kind.
    fn one(
        kind: LandmarkKind,
        words: &[String],
        written: &str,
        (status, filter): (Status, OutputFilter),
    ) -> Ran {
        let commit = match kind {
            LandmarkKind::Commit => CommitOptions::of(words),
            _ => CommitOptions::default(),
        };
        let text = match kind {
            LandmarkKind::PullRequest => title_of(words, written),
            _ => commit.subject(written).filter(|_| commit.is_quiet).unwrap_or(written),
        };
        Ran {
            kind,
            text: shortened(&one_line(text), TEXT_UNITS),
            status,
            filter,
            amends: commit.amends,
            commits_quietly: commit.is_quiet,
        }
    }

    /// What is worth a look.
    fn all(notables: Notables, status: Status) -> Box<[Ran]> {
        let one = |(what, text): (Notable, String)| Ran {
            kind: LandmarkKind::Notable(what),
            text: shortened(&one_line(&text), TEXT_UNITS),
            status,
            filter: OutputFilter::default(),
            amends: false,
            commits_quietly: false,
        };
        notables.0.into_iter().map(one).collect()
    }

    /// What came of it, by the exit status of the whole line: whether that is 0.
    pub(super) fn outcome(&self, exit: Option<bool>) -> LandmarkOutcome {
        match (exit, self.status) {
            (Some(true), Status::Zero | Status::Own) => LandmarkOutcome::Passed,
            (Some(false), Status::Own) => LandmarkOutcome::Failed,
            _ => LandmarkOutcome::Unknown,
        }
    }

    /// How the tests ended that it ran, by what was printed where the status does not say. `is_over` says whether the
    /// call ended by itself.
    pub(super) fn outcome_of_tests(
        &self,
        output: &str,
        exit: Option<bool>,
        is_over: bool,
    ) -> LandmarkOutcome {
        match self.outcome(exit) {
            // What failed may have been another program that ran tests.
            LandmarkOutcome::Unknown => {
                summary::outcome(&self.text, &self.filter, output, is_over && exit != Some(false))
            }
            known => known,
        }
    }
}

/// A command whose words come one by one, as Codex passes them.
fn of_words(words: &[&str], folder: &Folder, at: &str) -> Vec<Ran> {
    if let Some(script) = script_of(words) {
        return Ran::of(script, folder, at);
    }
    let text = words.join(" ");
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let simple = Simple::alone(words, &text);
    let place = Place::new(folder, place::Place::new(at));
    let notables = Watch::new(&text).next(&simple, &place);
    let mut ran = Vec::from(Ran::all(notables, Status::Own));
    let own = (Status::Own, OutputFilter::default());
    ran.extend(table::kind_of(&simple.words).map(|kind| Ran::one(kind, &simple.words, &text, own)));
    ran
}

/// The title that a command gives its pull request; empty where it gives none.
fn title_of<'w>(words: &'w [String], written: &str) -> &'w str {
    let is_title = |word: &String| matches!(word.as_str(), "--title" | "-t");
    let behind = words.iter().position(is_title).and_then(|at| words.get(at + 1));
    let joined = || words.iter().find_map(|word| word.strip_prefix("--title="));
    // What a shell puts in is not known here: a title stands in the command as it is.
    let title = behind.map(String::as_str).or_else(joined).unwrap_or_default();
    let is_known =
        written.contains(title) && !title.contains('$') && !written.contains(&format!("`{title}"));
    if is_known { title } else { "" }
}

fn collect(
    script: &str,
    (outer, outer_filter): (Status, &OutputFilter),
    depth: usize,
    place: &mut Place<'_>,
    ran: &mut Vec<Ran>,
) {
    if depth == 0 {
        return;
    }
    let commands = commands(script);
    let statuses = statuses(&commands);
    let mut watch = Watch::new(script);
    for (nth, (simple, status)) in commands.iter().zip(statuses).enumerate() {
        let status = status.min(outer);
        let filter = || OutputFilter::of(&commands[nth..], outer_filter);
        let (words, written) = match simple.words.split_first() {
            Some((first, rest)) if COMPOUNDS.contains(&first.as_str()) => {
                (rest, simple.text.strip_prefix(first.as_str()).unwrap_or(simple.text))
            }
            _ => (&simple.words[..], simple.text),
        };
        place.reach(simple);
        ran.extend(Ran::all(watch.next(simple, place), status));
        place.follow(simple);
        if let Some(inner) = script_of(unwrapped(words)) {
            place.within(|place| collect(inner, (status, &filter()), depth - 1, place, ran));
        } else if let Some(kind) = table::kind_of(words) {
            ran.push(Ran::one(kind, words, written, (status, filter())));
        }
    }
}

/// What the status of the line says of each of its commands.
fn statuses(commands: &[Simple<'_>]) -> Vec<Status> {
    let mut statuses = vec![Status::Hidden; commands.len()];
    let is_unclear = |simple| runs(simple, &COMPOUNDS) || sets(simple, |w| w.starts_with('+'));
    if commands.iter().any(is_unclear) {
        return statuses;
    }
    let tells_pipes = commands.iter().any(|simple| sets(simple, |word| word == "pipefail"));
    // The last list of the line decides: with `set -e` the lists before it are part of it.
    let ends_at_failure = |simple| sets(simple, |word| word == "errexit" || is_errexit_flag(word));
    let chain = if commands.iter().any(ends_at_failure) {
        commands
    } else {
        commands.split_inclusive(|simple| simple.next == Join::Then).next_back().unwrap_or_default()
    };
    if chain.iter().any(|simple| simple.next == Join::Or || simple.in_background) {
        return statuses;
    }
    // More than one that can fail leaves open which did.
    let can_fail = chain
        .iter()
        .filter(|simple| !(runs(simple, &TRIVIAL) || tells_pipes && runs(simple, &FILTERS)));
    let is_one = can_fail.count() <= 1;
    let from = commands.len() - chain.len();
    for (status, simple) in statuses[from..].iter_mut().zip(chain) {
        if simple.next == Join::Pipe && !tells_pipes {
            continue;
        }
        *status = if is_one && !runs(simple, &TRIVIAL) { Status::Own } else { Status::Zero };
    }
    statuses
}

/// Whether the command runs one of these programs.
fn runs(simple: &Simple<'_>, programs: &[&str]) -> bool {
    simple.words.first().is_some_and(|first| programs.contains(&first.as_str()))
}

/// Whether the command is `set` with such an option.
fn sets(simple: &Simple<'_>, is_option: impl Fn(&str) -> bool) -> bool {
    runs(simple, &["set"]) && simple.words.iter().any(|word| is_option(word))
}

/// `-e`, also among others as in `-euo`.
fn is_errexit_flag(word: &str) -> bool {
    word.starts_with('-') && !word.starts_with("--") && word.contains('e')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command line, and for each of its commands what the status of the line says of it:
    /// `o`, it is its own; `0`, it succeeded if the line did; `-`, nothing.
    const LINES: &[(&str, &str)] = &[
        ("", ""),
        ("a", "o"),
        ("a &", "-"),
        ("a; b", "-o"),
        ("a\nb", "-o"),
        ("a && b", "00"),
        ("a || b", "--"),
        ("a && b || c", "---"),
        ("a || b; c", "--o"),
        ("a & b", "-o"),
        ("cd x && a", "0o"),
        ("cd x; a; echo done", "--0"),
        ("a && echo done", "o0"),
        ("a; echo $?", "-0"),
        ("a | b", "-0"),
        ("a | tail -5", "-0"),
        ("cd x && a | tail", "0-0"),
        ("set -o pipefail; a | tail", "-oo"),
        ("set -o pipefail; a | b", "-00"),
        ("set -e; a; echo done", "0o0"),
        ("set -euo pipefail\na | tail\necho done", "0oo0"),
        ("set -e\na\nb", "000"),
        ("set --edit; a; echo done", "--0"),
        ("set -o errexit; a; echo done", "0o0"),
        ("set -e; cd x; set +e; a; echo done", "-----"),
        ("set +o pipefail; a | tail", "---"),
        ("exit 0; a", "--"),
        ("if a; then b; fi", "---"),
        ("! a", "-"),
    ];

    #[test]
    fn the_status_of_a_line_says_something_of_some_of_its_commands() {
        for (line, expected) in LINES {
            let statuses = statuses(&commands(line)).into_iter();
            let found = statuses.map(|status| match status {
                Status::Hidden => '-',
                Status::Zero => '0',
                Status::Own => 'o',
            });
            assert_eq!(found.collect::<String>(), *expected, "{line}");
        }
    }
}
