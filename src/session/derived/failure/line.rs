//! The line of a message that says why something failed: that which a person would pick.

use crate::session::texts::text::{one_line, shortened, trim};

/// Of a line, in UTF-16 units.
const TEXT_UNITS: usize = 300;

/// What a line begins with that only says how a command ended, or what comes next.
// `Exit code` Claude Code (2.1.12 to 2.1.330) and Codex's `apply_patch` (0.169.0), `Exit Code:` Gemini CLI 0.61.0 and
// Qwen Code 0.24.4, `Command exited with code` pi and omp, `Command:` Qwen Code and older Gemini CLI; the others
// Codex's `exec_command` and, without a colon behind `Wall time`, the scripts of its code mode (0.169.0).
const FRAME: [&str; 11] = [
    "Exit code",
    "Exit Code:",
    "Command exited with code",
    "Process exited with code",
    "Script completed",
    "Script failed",
    "Wall time",
    "Chunk ID:",
    "Original token count:",
    "Total output lines:",
    "Command:",
];

// `<tool_use_error>` Claude Code (1.0.98 to 2.1.12), `Output:` Codex, Gemini CLI and Qwen Code, `Error:` Gemini CLI.
const LABELS: [&str; 3] = ["<tool_use_error>", "Output:", "Error:"];

/// What stands around the output of a shell of Gemini CLI (0.61.0) and Qwen Code (0.24.4).
const AROUND: [&str; 5] =
    ["<untrusted_context>", "</untrusted_context>", "Directory:", "Signal:", "Process Group PGID:"];

/// What stands for an output that is empty.
const NOTHING: [&str; 4] = ["", "(empty)", "(none)", "(no output)"];

/// What a line of a command's output begins with that says what is done, and not what went wrong.
const PROGRESS: [&str; 7] = [
    "> ",
    "$ ",
    "npm warn",
    "npm WARN",
    "=== RUN",
    "Debugger attached.",
    "Waiting for the debugger to disconnect",
];

/// How the lines of Python's tracebacks begin.
const TRACEBACK: &str = "Traceback (most recent call last):";

/// What a line begins with that says what went wrong.
const FAILED: [&str; 6] = ["fatal:", "panic:", "FAIL ", "--- FAIL", "not ok ", "[ERROR]"];

/// What a line says of that which did not fail.
const NOTHING_FAILED: [&str; 3] = ["0 FAILED", "0 failed", "error: none"];

/// What follows `npm error` and `npm ERR!` in lines that do not say why.
const NPM_FACTS: [&str; 10] = [
    "code",
    "errno",
    "syscall",
    "path",
    "command",
    "dest",
    "workspace",
    "location",
    "signal",
    "Lifecycle",
];

/// A line without what agents put around it.
struct OutputLine<'t> {
    text: &'t str,
    is_indented: bool,
}

/// The lines of a message that say something.
struct Said<'t> {
    lines: Vec<OutputLine<'t>>,
    /// Of those that agents put around them, the one that says most.
    frame: &'t str,
}

/// The first line that says something: what agents put above and around an output is passed over.
pub(super) fn first_line(text: &str) -> String {
    let Said { lines, frame } = Said::read(text, 1);
    shortened(lines.first().map_or(frame, |line| line.text), TEXT_UNITS)
}

/// The line of what a command printed that says why it failed:
///
/// 1. the error at the end of the last traceback of Python,
/// 2. the first line that calls itself an error,
/// 3. the first line that does not merely say what is done,
/// 4. the first line.
pub(super) fn line_of_command(text: &str) -> String {
    let Said { lines, frame } = Said::read(text, usize::MAX);
    let first = |is_it: fn(&str) -> bool| lines.iter().position(|line| is_it(line.text));
    let picked = traceback_end(&lines)
        .or_else(|| first(is_error))
        .or_else(|| first(|line| !is_progress(line)))
        .or_else(|| first(|_| true));
    let Some(at) = picked else { return shortened(frame, TEXT_UNITS) };
    let text = lines[at].text;
    match lines.get(at + 1) {
        // `thread 'main' panicked at src/main.rs:2:5:` has its message on the next line.
        Some(next) if text.ends_with(':') => {
            shortened(&one_line(&format!("{text} {}", next.text)), TEXT_UNITS)
        }
        _ => shortened(&one_line(text), TEXT_UNITS),
    }
}

impl Said<'_> {
    fn read(text: &str, most: usize) -> Said<'_> {
        let mut said = Said { lines: Vec::new(), frame: "" };
        for line in text.lines() {
            let is_indented = line.starts_with([' ', '\t']);
            let mut line = trim(line).trim_end_matches("</tool_use_error>");
            let mut bare = line;
            while let Some(rest) = LABELS.iter().find_map(|label| bare.strip_prefix(label)) {
                bare = trim(rest);
            }
            if line.starts_with("Output:") || line.starts_with('<') {
                line = bare;
            }
            if NOTHING.contains(&bare) || AROUND.iter().any(|start| bare.starts_with(start)) {
                continue;
            }
            if FRAME.iter().any(|start| bare.starts_with(start)) {
                // Of all of it the exit status says most.
                if said.frame.is_empty() || bare.starts_with("Exit Code:") {
                    said.frame = bare;
                }
                continue;
            }
            said.lines.push(OutputLine { text: line, is_indented });
            if said.lines.len() == most {
                break;
            }
        }
        said
    }
}

/// Where the last traceback of Python says what was raised.
fn traceback_end(lines: &[OutputLine<'_>]) -> Option<usize> {
    let at = lines.iter().rposition(|line| line.text == TRACEBACK)?;
    let raised = lines[at + 1..].iter().position(|line| !line.is_indented)?;
    Some(at + 1 + raised)
}

fn is_error(line: &str) -> bool {
    let is_whole = |at: usize| !line[..at].ends_with(|c: char| c.is_ascii_digit());
    if NOTHING_FAILED.iter().any(|words| line.match_indices(words).any(|(at, _)| is_whole(at))) {
        return false;
    }
    FAILED.iter().any(|start| line.starts_with(start))
        || ["panicked at", "FAILED", "command not found"].iter().any(|words| line.contains(words))
        || is_error_of_npm(line)
        || ["error", "Error", "ERROR"].iter().any(|word| names_error(line, word))
}

fn is_error_of_npm(line: &str) -> bool {
    let said = ["npm error ", "npm ERR! "].iter().find_map(|start| line.strip_prefix(start));
    said.is_some_and(|said| !NPM_FACTS.contains(&said.split(' ').next().unwrap_or_default()))
}

/// `error: x`, `error[E0308]`, `error TS2304`, `TypeError: x`; not `is_error: bool` and not `error::Error`.
fn names_error(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-');
        let is_word = word == "Error" || !before.is_some_and(is_name);
        let rest = &line[at + word.len()..];
        let is_named =
            rest == ":" || [": ", "[", " TS"].iter().any(|after| rest.starts_with(after));
        is_word && is_named
    })
}

/// What says what is done: a script of npm, a task of mise, warnings.
fn is_progress(line: &str) -> bool {
    PROGRESS.iter().any(|start| line.starts_with(start))
        || line.starts_with('[') && line.contains("] $ ")
}
