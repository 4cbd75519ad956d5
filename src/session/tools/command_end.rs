//! How a command ended: recognized by its result's details, or by the words that agents put around its output.

use crate::session::model::message::ToolResult;
use crate::session::texts::json::Json;

/// How a command ended, as far as its result says.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct End {
    /// The exit status.
    pub(crate) code: Option<f64>,
    pub(crate) timed_out: bool,
    pub(crate) aborted: bool,
}

impl End {
    pub(crate) fn of(result: &ToolResult<'_>) -> End {
        // Only of a run that failed: a program may print the same words.
        let said = result.only_text().filter(|_| result.is_error);
        let mut end = said.map(End::told).unwrap_or_default();
        let detail = |key| result.details.as_ref()?.get(key);
        let stated = ["exitCode", "exit_code"].iter().find_map(|key| detail(key)?.as_f64());
        end.code = stated.or(end.code);
        let flag = |key| detail(key) == Some(&Json::Bool(true));
        end.timed_out |= flag("timedOut") || flag("timed_out");
        end.aborted |= flag("aborted") || flag("cancelled") || flag("interrupted");
        end
    }

    /// Whether it did not end well.
    pub(crate) fn is_failure(&self) -> bool {
        self.code.is_some_and(|code| code != 0.0) || self.timed_out || self.aborted
    }

    /// What the output says in its last line, as pi writes it, or in its first,
    /// as Claude Code and Codex do.
    fn told(output: &str) -> End {
        let output = output.trim();
        let first = output.lines().next().unwrap_or_default();
        let last = output.lines().next_back().unwrap_or_default();
        // pi and omp (18.2.3): the last line; Codex's `apply_patch` (0.169.0) and Claude Code (1.0.98 to 2.1.330):
        // the first.
        let code = last
            .strip_prefix("Command exited with code ")
            .or_else(|| first.strip_prefix("Exit code: "))
            .or_else(|| first.strip_prefix("Exit code "));
        End {
            code: code.and_then(|code| code.trim().parse().ok()).map(|code: i32| code.into()),
            // pi and omp; `Command cancelled` is omp's.
            timed_out: last.starts_with("Command timed out"),
            aborted: last == "Command aborted" || last == "Command cancelled",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_command_is_read_from_its_output() {
        let code = |code| End { code: Some(code), ..End::default() };
        assert_eq!(End::told("low tide\n\nCommand exited with code 2\n"), code(2.0));
        assert_eq!(End::told("Exit code 1\nlow tide"), code(1.0));
        assert_eq!(End::told("Exit code: 0\nWall time: 0.1 seconds\nOutput:\nlow"), code(0.0));
        assert!(End::told("low\nCommand timed out after 20 seconds").timed_out);
        assert!(End::told("Command aborted").aborted);
        for text in
            ["", "Command exited with code NaN", "it said: Command exited with code 2 and left"]
        {
            assert_eq!(End::told(text), End::default(), "{text}");
        }
    }
}
