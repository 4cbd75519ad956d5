//! How a call ended, as Codex itself says it: at the head of an output, and in events.
//!
//! What a program printed may hold the same words, so a head counts only where Codex writes it,
//! in the form in which it writes it, and for the tools that have one.

use std::collections::HashMap;

use crate::format::blocks::number;
use crate::format::fields::object;
use crate::format::probe::text;
use crate::session::action::names::Tool;
use crate::session::json::Json;

/// How a call ended.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Ending {
    pub(super) has_failed: bool,
    pub(super) exit_code: Option<f64>,
    /// The person stopped it.
    pub(super) aborted: bool,
}

impl Ending {
    const FAILED: Ending = Ending { has_failed: true, exit_code: None, aborted: false };
    const ABORTED: Ending = Ending { has_failed: true, exit_code: None, aborted: true };

    pub(super) fn of_code(code: f64) -> Ending {
        Ending { has_failed: code != 0.0, exit_code: Some(code), aborted: false }
    }

    /// Both together, of one call.
    pub(super) fn or(self, other: Ending) -> Ending {
        Ending {
            has_failed: self.has_failed || other.has_failed,
            exit_code: self.exit_code.filter(|code| *code != 0.0).or(other.exit_code),
            aborted: self.aborted || other.aborted,
        }
    }

    /// What viewers should know of a failure.
    pub(super) fn details(self) -> Option<Json<'static>> {
        let details = object([
            ("exitCode", self.exit_code.and_then(number)),
            ("aborted", self.aborted.then_some(Json::Bool(true))),
        ]);
        (self.has_failed && details != Json::Object(Vec::new())).then_some(details)
    }

    /// What an output says at its head: a text, or the first of several blocks.
    pub(super) fn of_output(tool: Option<&str>, output: Option<&Json<'_>>) -> Ending {
        let (head, is_first_of_many) = match output {
            Some(Json::Array(blocks)) => (blocks.first().and_then(|b| text(b, "text")), true),
            Some(output @ Json::Object(_)) => (text(output, "content"), false),
            output => (output.and_then(Json::as_str), false),
        };
        let Some(head) = head else { return Ending::default() };
        let frame = Frame::of(tool);
        // What a script prints follows in blocks of its own, or as an output of its own.
        let is_script = matches!(frame, Frame::Script | Frame::Any) && is_first_of_many;
        if is_script && head.starts_with("Script failed\n") {
            Ending::FAILED
        } else if matches!(frame, Frame::Command | Frame::Any) {
            of_command(head)
        } else {
            of_any_tool(head)
        }
    }
}

/// What Codex writes around the outputs of a tool.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Frame {
    /// How a command or a patch ended.
    Command,
    /// How a script of code mode ended.
    Script,
    /// The call is not in the file.
    Any,
    None,
}

impl Frame {
    fn of(tool: Option<&str>) -> Frame {
        let Some(tool) = tool else { return Frame::Any };
        match tool {
            "exec" | "wait" => Frame::Script,
            "write_stdin" | "container.exec" | "unified_exec" => Frame::Command,
            tool if matches!(Tool::of(tool), Tool::Command | Tool::Patch) => Frame::Command,
            _ => Frame::None,
        }
    }
}

/// Texts that Codex gives in place of an output, whatever the tool.
// `unsupported call`: 0.169.0; the others: codex-rs, core (tool router and calls in parallel).
fn of_any_tool(output: &str) -> Ending {
    let output = output.trim_end();
    let refused = ["unsupported call: ", "unsupported custom tool call: "];
    let tool = refused.iter().find_map(|words| output.strip_prefix(words));
    if tool.is_some_and(|tool| !tool.is_empty() && !tool.contains(char::is_whitespace))
        || output.starts_with("failed to parse function arguments: ")
    {
        return Ending::FAILED;
    }
    let stopped = output.strip_prefix("aborted by user after ").and_then(|s| s.strip_suffix('s'));
    if stopped.is_some_and(is_number) { Ending::ABORTED } else { Ending::default() }
}

fn of_command(output: &str) -> Ending {
    // apply_patch and patch rejected: 0.169.0; exec_command and write_stdin: codex-rs, core.
    const REFUSED: [&str; 4] = [
        "apply_patch verification failed: ",
        "patch rejected: ",
        "exec_command failed for `",
        "write_stdin failed: ",
    ];
    // What Codex writes where the user said no. codex-rs, core.
    const DENIED: [&str; 2] = ["exec command rejected by user", "patch rejected by user"];
    if REFUSED.iter().any(|words| output.starts_with(words)) || DENIED.contains(&output.trim_end())
    {
        return Ending::FAILED;
    }
    of_head(output).unwrap_or_else(|| of_any_tool(output))
}

/// The lines above `Output:`, in one of two forms. `Exit code` and `Wall time` come first, or
/// `Chunk ID`, `Wall time` and `Process exited with code`; counts may follow.
// Both forms: 0.169.0, of apply_patch and of exec_command. A wall time is in seconds.
fn of_head(output: &str) -> Option<Ending> {
    let (stated, lines) = head(output)?;
    let mut code = match stated {
        Some(stated) => Some(stated.trim().parse::<i32>().ok()?),
        None => None,
    };
    for line in lines {
        if let Some(stated) = line.strip_prefix("Process exited with code ") {
            code = Some(stated.trim().parse::<i32>().ok()?);
        } else if line == "aborted by user" {
            return Some(Ending::ABORTED);
        } else if line == "Output:" {
            return Some(code.map_or_else(Ending::default, |code| Ending::of_code(code.into())));
        }
    }
    None
}

/// The exit code that comes first, and what stands below the time.
fn head(output: &str) -> Option<(Option<&str>, impl Iterator<Item = &str>)> {
    /// More than there are in any version.
    const LINES: usize = 6;
    let mut lines = output.lines();
    let mut line = lines.next()?;
    let code = line.strip_prefix("Exit code: ");
    if code.is_some() || line.starts_with("Chunk ID: ") {
        line = lines.next()?;
    }
    let time = line.strip_prefix("Wall time: ")?.strip_suffix(" seconds")?;
    is_number(time).then(|| (code, lines.take(LINES)))
}

/// The session of a command that goes on, by the lines above its output.
pub(super) fn running_session(output: &str) -> Option<&str> {
    let (_, lines) = head(output)?;
    let mut head = lines.take_while(|line| *line != "Output:");
    head.find_map(|line| line.strip_prefix("Process running with session ID "))
}

/// The cell of a script of code mode that goes on, by the first block of its output.
// "Script running with cell ID N", "Script failed", "Script completed": 0.169.0.
pub(super) fn running_cell<'j>(output: &'j Json<'_>) -> Option<&'j str> {
    let first = text(output.items().first()?, "text")?;
    first.strip_prefix("Script running with cell ID ")?.lines().next()
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

/// The calls that an event says failed, by their ids.
#[derive(Default)]
pub(super) struct Endings(HashMap<String, Ending>);

impl Endings {
    /// `exec_command_end`, `patch_apply_end`, `mcp_tool_call_end` and others name the call;
    /// `item_completed` holds an item with the call's id.
    pub(super) fn event(&mut self, payload: &Json<'_>) {
        let (about, id) = match payload.get("item") {
            Some(item) => (item, text(item, "id")),
            None => (payload, text(payload, "call_id")),
        };
        let ending = of_event(about);
        if let Some(id) = id.filter(|_| ending.has_failed) {
            let known = self.0.entry(id.to_owned()).or_default();
            *known = known.or(ending);
        }
    }

    pub(super) fn of(&self, call: &str) -> Ending {
        self.0.get(call).copied().unwrap_or_default()
    }
}

// `status` and `exit_code`: 0.169.0. `success` and `result` {Ok {isError} or Err}: 0.146.0, `patch_apply_end`,
// `mcp_tool_call_end`.
pub(super) fn of_event(about: &Json<'_>) -> Ending {
    let code = about.get("exit_code").and_then(Json::as_f64).map(Ending::of_code);
    let result = about.get("result");
    let is_error = result
        .and_then(|result| result.get("Ok"))
        .and_then(|ok| ok.get("isError").or_else(|| ok.get("is_error")));
    let has_failed = matches!(text(about, "status"), Some("failed" | "declined"))
        || about.get("success") == Some(&Json::Bool(false))
        || result.is_some_and(|result| result.get("Err").is_some())
        || is_error == Some(&Json::Bool(true));
    code.unwrap_or_default().or(if has_failed { Ending::FAILED } else { Ending::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tool: &str, output: &str) -> Ending {
        Ending::of_output(Some(tool), Some(&Json::String(output.into())))
    }

    #[test]
    fn a_head_tells_how_a_command_ended() {
        let long = "Chunk ID: 32bb\nWall time: 0.1 seconds\nProcess exited with code 1\n\
                    Original token count: 5\nOutput:\n3 tests failed\n";
        let short = "Exit code: 1\nWall time: 0.6 seconds\nOutput:\nlint failed\n";
        for (tool, output) in [("exec_command", long), ("write_stdin", long), ("shell", short)] {
            assert_eq!(of(tool, output), Ending::of_code(1.0), "{tool}");
            assert_eq!(
                of(tool, &output.replace("code 1", "code 0").replace("code: 1", "code: 0")),
                Ending::of_code(0.0)
            );
        }
        assert_eq!(of("apply_patch", &short.replace(": 1", ": -1")), Ending::of_code(-1.0));
        assert_eq!(of("shell", "Wall time: 4.9 seconds\naborted by user"), Ending::ABORTED);
        assert_eq!(of("shell", "exec command rejected by user"), Ending::FAILED);
        assert_eq!(of("apply_patch", "patch rejected by user"), Ending::FAILED);
        assert_eq!(of("view_image", "aborted by user after 4.9s"), Ending::ABORTED);
    }

    #[test]
    fn what_is_no_head_of_codex_tells_nothing() {
        let printed = "Exit code: 1\nWall time: 0.6 seconds\nOutput:\n";
        let ok = "Chunk ID: 3\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n";
        let runs = "Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\n";
        for (tool, output) in [
            ("exec_command", format!("{ok}{printed}")),
            ("exec_command", format!("{ok}Process exited with code 1\nOutput:\n")),
            ("exec_command", format!("{runs}Process exited with code 1\n")),
            ("exec_command", format!("\n{printed}")),
            ("shell", "Exit code: 1\nall tests ran".to_owned()),
            ("shell", "Exit code: 1\nOutput:\n".to_owned()),
            ("shell", "Exit code: one\nWall time: 0.6 seconds\nOutput:\n".to_owned()),
            ("mcp__ci__log", printed.to_owned()),
            ("mcp__ci__log", "apply_patch verification failed: no".to_owned()),
            ("exec", printed.to_owned()),
            ("exec", "Script failed\nWall time 0.1 seconds\nOutput:\n".to_owned()),
            ("mcp__ci__log", "unsupported call: the line is busy".to_owned()),
            ("mcp__ci__log", "aborted by user after a whiles".to_owned()),
        ] {
            assert!(!of(tool, &output).has_failed, "{tool} {output}");
        }
    }

    #[test]
    fn a_call_that_codex_refused_failed() {
        for (tool, output) in [
            ("apply_patch", "apply_patch verification failed: no such file"),
            ("shell", "apply_patch verification failed: no such file"),
            ("apply_patch", "patch rejected: writing outside of the project"),
            ("exec_command", "exec_command failed for `x`: Rejected"),
            ("write_stdin", "write_stdin failed: unknown process"),
            ("update_plan", "unsupported call: update_plan"),
            ("js", "unsupported custom tool call: js"),
        ] {
            assert_eq!(of(tool, output), Ending::FAILED, "{output}");
        }
    }
}
