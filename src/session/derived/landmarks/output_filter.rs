//! What a command line leaves of the output of one of its commands: behind `| grep passed` a failure is not seen.

use regex_automata::meta::Regex;
use regex_automata::util::syntax;

use crate::session::action::program::name;
use crate::session::action::shell::{Join, Simple};

/// What of an output is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct OutputFilter {
    /// The end of it.
    pub(super) is_end: bool,
    /// Nobody knows which part of it.
    pub(super) is_unclear: bool,
    /// The lines that all of these show.
    greps: Vec<Grep>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Grep {
    pattern: String,
    ignores_case: bool,
}

/// What shows all of its input.
const PASSING: [&str; 4] = ["cat", "tee", "less", "more"];

/// What shows nothing of a file that the output went to.
const ASIDE: [&str; 5] = ["echo", "cd", "printf", "true", "sleep"];

/// The output of all that stands before may go on behind these.
const GROUP_ENDS: [&str; 4] = ["done", "fi", "esac", "}"];

/// So many commands behind the tests are read.
const MOST: usize = 50;

/// Anybody may have written the pattern.
const NFA_BYTES: usize = 1 << 14;

/// Behind more of them a part is unclear.
const MOST_GREPS: usize = 3;

/// Options of `grep` and `rg` that hide no line which matches.
const HARMLESS: &str = "EFGPahiInsABCe";

impl OutputFilter {
    /// What is shown of the output of the first of these commands. What ran the line shows `outer` of that.
    pub(super) fn of(commands: &[Simple<'_>], outer: &OutputFilter) -> OutputFilter {
        let mut filter = outer.clone();
        let Some((command, after)) = commands.split_first() else { return filter };
        let is_redirected = command.writes.iter().any(|path| path != "/dev/null");
        filter.is_unclear |= after.len() > MOST;
        let (mut next, mut is_in_pipe, mut is_in_group) = (command.next, true, false);
        for simple in after.iter().take(MOST) {
            let is_piped = next == Join::Pipe;
            is_in_pipe &= is_piped;
            is_in_group |= simple.left > 0 || runs(simple, &GROUP_ENDS);
            let reads_file = is_redirected && (is_piped || !runs(simple, &ASIDE));
            if is_in_pipe || is_piped && is_in_group || reads_file {
                filter.pass_through(simple);
            }
            next = simple.next;
        }
        filter
    }

    fn pass_through(&mut self, simple: &Simple<'_>) {
        if runs(simple, &["tail"]) {
            self.is_end = true;
        } else if runs(simple, &["grep", "egrep", "rg"]) {
            match Grep::read(&simple.words) {
                Some(grep) if self.greps.len() < MOST_GREPS => self.greps.push(grep),
                _ => self.is_unclear = true,
            }
        } else if !runs(simple, &PASSING) {
            self.is_unclear = true;
        }
    }

    /// Whether a line of the output is shown.
    pub(super) fn shows(&self, line: &str) -> bool {
        !self.is_unclear && self.greps.iter().all(|grep| grep.shows(line))
    }
}

fn runs(simple: &Simple<'_>, programs: &[&str]) -> bool {
    simple.words.first().is_some_and(|first| programs.contains(&name(first)))
}

impl Grep {
    /// `None` where it shows parts of lines, counts them, or hides those that match.
    fn read(words: &[String]) -> Option<Grep> {
        let (program, words) = words.split_first()?;
        let mut is_basic = name(program) == "grep";
        let mut ignores_case = false;
        let mut patterns = Vec::new();
        let mut words = words.iter();
        // The first word that is no option; those after it are files.
        let mut plain = None;
        while let Some(word) = words.next() {
            let Some(letters) = word.strip_prefix('-') else {
                plain = plain.or(Some(word));
                continue;
            };
            if letters.starts_with("-color") || letters == "-line-buffered" {
                continue;
            }
            let bare = letters.trim_end_matches(|c: char| c.is_ascii_digit());
            if !bare.chars().all(|letter| HARMLESS.contains(letter)) {
                return None;
            }
            is_basic &= !bare.contains(['E', 'P']);
            ignores_case |= bare.contains('i');
            let takes_word = bare.len() == letters.len() && bare.ends_with(['A', 'B', 'C', 'e']);
            let value = if takes_word { words.next() } else { None };
            patterns.extend(value.filter(|_| bare.ends_with('e')));
        }
        if patterns.is_empty() {
            patterns.extend(plain);
        }
        let patterns: Vec<&str> = patterns.into_iter().map(String::as_str).collect();
        let pattern = patterns.join("|");
        let pattern = if is_basic { pattern.replace(r"\|", "|") } else { pattern };
        (!pattern.is_empty()).then_some(Grep { pattern, ignores_case })
    }

    fn shows(&self, line: &str) -> bool {
        let syntax = syntax::Config::new().case_insensitive(self.ignores_case);
        let syntax = syntax.unicode(false).utf8(false);
        let config = Regex::config().utf8_empty(false).nfa_size_limit(Some(NFA_BYTES));
        let regex = Regex::builder().syntax(syntax).configure(config).build(&self.pattern);
        regex.is_ok_and(|regex| regex.is_match(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::action::shell::commands;

    /// What follows `a`, whether it shows the line `2 failed`, and whether it shows the end alone.
    const LINES: &[(&str, bool, bool)] = &[
        ("", true, false),
        ("; grep x y", true, false),
        ("&& b | grep x", true, false),
        ("2>&1 | tail -5", true, true),
        ("| tee log | cat", true, false),
        ("| head -3", false, false),
        ("| wc -l", false, false),
        ("| grep passed", false, false),
        ("| grep -E 'passed|failed' | tail -3", true, true),
        (r"| grep 'passed\|failed'", true, false),
        ("| grep 'passed|failed'", true, false),
        ("| grep -iA5 FAILED", true, false),
        ("| grep -A 5 -e passed -e failed", true, false),
        ("| grep -A failed", false, false),
        (r"| rg '^\s*\d+ (passed|failed)'", true, false),
        ("| grep -v passed", false, false),
        ("| grep -o failed", false, false),
        ("| grep -c failed", false, false),
        ("| grep -E '(failed'", false, false),
        ("| grep -E '((f{999}){999}){999}|failed'", false, false),
        ("> log 2>&1; tail -3 log", true, true),
        ("> log; echo $?; grep passed log", false, false),
        ("> log; git status", false, false),
        ("2> /dev/null; git status", true, false),
        ("| grep . | grep . | grep . | grep .", false, false),
        ("; b) | grep passed", false, false),
        ("; done | grep passed", false, false),
        ("; done | tail -3", true, true),
        ("; b | grep passed", true, false),
    ];

    #[test]
    fn a_line_leaves_a_part_of_an_output() {
        for (after, shows, is_end) in LINES {
            let open = if after.starts_with("; b)") { "(" } else { "" };
            let script = format!("{open}a {after}");
            let filter = OutputFilter::of(&commands(&script), &OutputFilter::default());
            assert_eq!((filter.shows("2 failed"), filter.is_end), (*shows, *is_end), "{script}");
        }
    }
}
