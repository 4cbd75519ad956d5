//! What came of a call: read once from its result, from what the tool left for viewers, and from the words that agents
//! put around an output.

use crate::session::model::message::{Block, ToolResult};
use crate::session::texts::json::Json;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum End {
    /// With success, or at least nothing says otherwise.
    #[default]
    Succeeded,
    Failed,
    /// It was aborted, did not run because what asked for it was, or was refused by the user.
    Stopped,
    TimedOut,
    /// A command goes on in the background, or no result is in the session.
    Unfinished,
    /// The agent keeps no results.
    Unknown,
}

/// What came of a call.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Outcome {
    pub(crate) end: End,
    /// The exit status of a command.
    pub(crate) code: Option<f64>,
    /// The file says that the user stopped it.
    pub(crate) by_user: bool,
    /// The agent takes it for a failure. Where it does not, the end is that of a command: another tool may succeed and
    /// print the same words.
    is_error: bool,
}

impl Outcome {
    /// By the result of the call.
    pub(crate) fn of(result: &ToolResult<'_>) -> Outcome {
        let detail = |key| result.details.as_ref()?.get(key);
        let flag = |key| detail(key) == Some(&Json::Bool(true));
        // Only of a run that failed: a program may print the same words.
        let words = result.only_text().filter(|_| result.is_error).map(Words::read);
        let words = words.unwrap_or_default();
        let stated = ["exitCode", "exit_code"].iter().find_map(|key| detail(key)?.as_f64());
        let code = stated.or(words.code);
        let by_user = words.by_user;
        let end = if words.timed_out || flag("timedOut") || flag("timed_out") {
            End::TimedOut
        } else if words.aborted || flag("aborted") || flag("cancelled") || flag("interrupted") {
            End::Stopped
        } else if result.is_error || code.is_some_and(|code| code != 0.0) {
            End::Failed
        } else if detail("backgroundTaskId").is_some_and(Json::is_truthy) {
            // Claude Code (1.0.98 to 2.1.25).
            End::Unfinished
        } else {
            End::Succeeded
        };
        Outcome { end, code, by_user, is_error: result.is_error }
    }

    /// Of a call without a result in the session. `status` is what the call says of itself.
    pub(crate) fn without_result(
        status: Option<&str>,
        was_stopped: bool,
        keeps_results: bool,
    ) -> Outcome {
        let end = match status {
            _ if was_stopped => End::Stopped,
            _ if !keeps_results => End::Unknown,
            Some("completed") => End::Succeeded,
            Some("failed") => End::Failed,
            _ => End::Unfinished,
        };
        Outcome { end, ..Outcome::default() }
    }

    /// Whether it did not end well, as the result of a command.
    pub(crate) fn is_failure(&self) -> bool {
        self.is_error || matches!(self.end, End::Failed | End::Stopped | End::TimedOut)
    }

    /// Whether only the end of a command says that it failed.
    pub(crate) fn is_failure_of_command(&self) -> bool {
        self.is_failure() && !self.is_error
    }

    /// Whether the call ran: without a status, one that failed may have been refused.
    pub(crate) fn did_run(&self) -> bool {
        !self.is_error || self.code.is_some()
    }

    /// Whether a command ended by itself.
    pub(crate) fn is_over(&self) -> bool {
        !matches!(self.end, End::Stopped | End::TimedOut | End::Unfinished)
    }

    /// Whether the exit status is 0, as far as that is known. `tells_failures` says that the agent calls every other
    /// status an error.
    pub(crate) fn has_status_zero(&self, tells_failures: bool) -> Option<bool> {
        match self.code {
            _ if !self.is_over() => None,
            Some(code) => Some(code == 0.0),
            None => (tells_failures && !self.is_error).then_some(true),
        }
    }

    /// The exit status, where it is not 0.
    pub(crate) fn failed_with(&self) -> Option<f64> {
        self.code.filter(|code| *code != 0.0)
    }
}

impl ToolResult<'_> {
    /// The diff that the tool left for viewers.
    pub(crate) fn diff(&self) -> Option<&str> {
        self.details.as_ref()?.get("diff")?.as_str()
    }

    /// How many images came back.
    pub(crate) fn image_count(&self) -> usize {
        self.content.iter().filter(|block| matches!(block, Block::Image { .. })).count()
    }
}

/// How a command ended, in the words of its agent.
#[derive(Debug, Default, PartialEq)]
struct Words {
    code: Option<f64>,
    timed_out: bool,
    aborted: bool,
    by_user: bool,
}

/// The call may have begun.
const INTERRUPTED: &str = "[Request interrupted by user";

/// How a result begins where the user refused the call, or stopped the turn before it ran.
// Claude Code (1.0.98 to 2.1.330), the first three; OpenCode 1.18.33.
const REFUSED: [&str; 4] = [
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    INTERRUPTED,
    "The user rejected permission to use this specific tool call",
];

/// What stands for the output of a call that was aborted, or that had not begun when its response was.
// `Operation aborted` pi 1.6, the others pi and omp; `Command cancelled` is omp's.
const ABORTED: [&str; 3] = ["Operation aborted", "Command aborted", "Command cancelled"];

/// Whether an error says that the call never began: the user refused it, or the agent has no such tool.
// `Tool "run_shell_command" not found. Did you mean one of: …`: Gemini CLI 0.61.0.
pub(crate) fn never_began(result: &ToolResult<'_>) -> bool {
    let text = result.only_text().filter(|_| result.is_error).unwrap_or_default().trim_start();
    let is_refused = REFUSED.iter().any(|start| text.starts_with(start));
    let has_no_tool = || text.starts_with("Tool \"") && text.contains("\" not found");
    is_refused && !text.starts_with(INTERRUPTED) || has_no_tool()
}

/// Whether what a command printed says that it could not write this file: the name of an error of the system beside that
/// of the file. That a file is not there may be said before it is made, so it counts only where the command failed.
pub(crate) fn could_not_write(output: &str, path: &str, has_failed: bool) -> bool {
    const DENIED: [&str; 3] =
        ["read-only file system", "permission denied", "operation not permitted"];
    const MISSING: [&str; 2] = ["no such file or directory", "not a directory"];
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_of_name = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    let names_it = |line: &&str| {
        line.match_indices(name).any(|(at, _)| {
            let (before, after) = (&line[..at], &line[at + name.len()..]);
            !before.ends_with(is_of_name) && !after.starts_with(is_of_name)
        })
    };
    let lines = output.lines().filter(|_| !name.is_empty()).filter(names_it);
    lines.map(str::to_lowercase).any(|line| {
        DENIED.iter().any(|error| line.contains(error))
            || has_failed && MISSING.iter().any(|error| line.contains(error))
    })
}

impl Words {
    /// What the output says in its last line, as pi writes it, or in its first, as Claude Code and Codex do.
    fn read(output: &str) -> Words {
        let output = output.trim();
        let first = output.lines().next().unwrap_or_default();
        let last = output.lines().next_back().unwrap_or_default();
        // pi and omp (18.2.3): the last line; Codex's `apply_patch` (0.169.0) and Claude Code (1.0.98 to 2.1.330):
        // the first.
        let code = last
            .strip_prefix("Command exited with code ")
            .or_else(|| first.strip_prefix("Exit code: "))
            .or_else(|| first.strip_prefix("Exit code "));
        let by_user = REFUSED.iter().any(|start| first.starts_with(start));
        Words {
            code: code.and_then(|code| code.trim().parse().ok()).map(|code: i32| code.into()),
            timed_out: last.starts_with("Command timed out"),
            aborted: by_user || ABORTED.contains(&last),
            by_user,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_command_is_read_from_its_output() {
        let code = |code| Words { code: Some(code), ..Words::default() };
        assert_eq!(Words::read("low tide\n\nCommand exited with code 2\n"), code(2.0));
        assert_eq!(Words::read("Exit code 1\nlow tide"), code(1.0));
        assert_eq!(Words::read("Exit code: 0\nWall time: 0.1 seconds\nOutput:\nlow"), code(0.0));
        assert!(Words::read("low\nCommand timed out after 20 seconds").timed_out);
        for text in ["low\nCommand aborted", "Operation aborted", "[Request interrupted by user]"] {
            assert!(Words::read(text).aborted, "{text}");
        }
        let refused =
            "The user doesn't want to proceed with this tool use. The tool use was rejected";
        assert!(Words::read(refused).by_user && !Words::read("Operation aborted").by_user);
        for text in
            ["", "Command exited with code NaN", "it said: Command exited with code 2 and left"]
        {
            assert_eq!(Words::read(text), Words::default(), "{text}");
        }
    }

    #[test]
    fn an_error_beside_the_name_of_a_file_says_that_it_was_not_written() {
        let touched = "touch: cannot touch '/home/ana/else.txt': Read-only file system\n1";
        assert!(could_not_write(touched, "/home/ana/else.txt", false));
        assert!(!could_not_write(touched, "/home/ana/other.txt", true));
        assert!(!could_not_write(touched, "/home/ana/se.txt", true));
        let missing = "zsh: no such file or directory: a/b.md";
        assert!(could_not_write(missing, "a/b.md", true));
        // It was looked for, and then made.
        assert!(!could_not_write(missing, "a/b.md", false));
        assert!(!could_not_write("wrote else.txt", "/home/ana/else.txt", true));
    }

    #[test]
    fn a_call_without_a_result_ended_as_its_status_or_its_response_says() {
        let end = |status, was_stopped, keeps_results| {
            Outcome::without_result(status, was_stopped, keeps_results).end
        };
        assert_eq!(end(None, false, true), End::Unfinished);
        assert_eq!(end(None, true, true), End::Stopped);
        assert_eq!(end(None, false, false), End::Unknown);
        assert_eq!(end(Some("completed"), false, true), End::Succeeded);
        assert_eq!(end(Some("failed"), false, true), End::Failed);
    }
}
