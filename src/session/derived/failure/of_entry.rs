//! How one entry failed, as far as it tells without others.

use super::line::{first_line, line_of_command};
use crate::session::action::outcome::{End, Outcome};
use crate::session::model::entry::Body;
use crate::session::model::message::{Message, ToolResult, joined_text};
use crate::session::model::notice::RunEnd;

/// How an entry says that something was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stopped {
    /// The session says that the user did.
    pub(super) by_user: bool,
    /// A call was. All else ends the turn: the response, or a note of the agent.
    pub(super) is_call: bool,
}

/// What one entry says of its failure, as far as it can be known without its call.
#[derive(Debug)]
pub(in crate::session::derived) struct FailureDigest {
    pub(super) text: String,
    /// The same if it is a command: another line, if that says more.
    pub(super) of_command: Option<String>,
    pub(super) tool: Option<&'static str>,
    /// The agent takes it for a success: its exit status says otherwise, if it is a command.
    pub(super) only_as_command: bool,
    /// It was stopped: that is no failure.
    pub(super) stopped: Option<Stopped>,
    /// It is the last row of a run, which failed.
    pub(super) is_run: bool,
}

impl FailureDigest {
    /// `None` for what did not fail.
    pub(in crate::session::derived) fn of(body: &Body<'_>) -> Option<Box<FailureDigest>> {
        let failed = |text: String, tool| {
            Box::new(FailureDigest {
                text,
                of_command: None,
                tool,
                only_as_command: false,
                stopped: None,
                is_run: false,
            })
        };
        let exited = |code: Option<f64>| code.filter(|code| *code != 0.0);
        let message = match body {
            Body::CustomMessage(custom) | Body::Message(Message::Custom(custom))
                if custom.is_stop() =>
            {
                let stopped = Some(Stopped { by_user: true, is_call: false });
                return Some(Box::new(FailureDigest { stopped, ..*failed(String::new(), None) }));
            }
            Body::Message(message) => message,
            Body::CustomMessage(custom) => {
                RunEnd::of(&custom.custom_type).filter(|end| *end == RunEnd::Failed)?;
                let said = joined_text(&custom.content, "\n");
                let words = RunEnd::Failed.words();
                let why = said.strip_prefix(words).and_then(|why| why.strip_prefix(": "));
                let failed = failed(first_line(why.unwrap_or(words)), None);
                return Some(Box::new(FailureDigest { is_run: true, ..*failed }));
            }
            _ => return None,
        };
        match message {
            Message::Assistant(assistant) if assistant.has_failed() => {
                let said = assistant.error_message.as_deref().filter(|said| !said.is_empty());
                // Claude Code (2.1.330) has the words of its own errors in the content.
                let own = assistant.content.as_slice();
                let own = if assistant.model.is_none() { own } else { &[] };
                let said = said.map_or_else(|| joined_text(own, "\n"), str::to_owned);
                let stopped = assistant
                    .stopped_by("aborted")
                    .then_some(Stopped { by_user: false, is_call: false });
                let failed = failed(first_line(&said), None);
                Some(Box::new(FailureDigest { stopped, ..*failed }))
            }
            Message::ToolResult(result) => of_result(result),
            Message::Bash(bash) => {
                let code = exited(bash.exit_code)?;
                Some(failed(or_code(line_of_command(&bash.output), Some(code)), Some("bash")))
            }
            Message::Program(program) => {
                let code = exited(program.exit_code)?;
                let text = or_code(line_of_command(&program.output), Some(code));
                Some(failed(text, Some(program.language)))
            }
            _ => None,
        }
    }
}

fn of_result(result: &ToolResult<'_>) -> Option<Box<FailureDigest>> {
    let outcome = Outcome::of(result);
    if !outcome.is_failure() {
        return None;
    }
    let output = joined_text(&result.content, "\n");
    let text = match first_line(&output) {
        first if !first.is_empty() => first,
        _ if outcome.end == End::TimedOut => "timed out".to_owned(),
        empty => or_code(empty, outcome.code),
    };
    let of_command =
        Some(line_of_command(&output)).filter(|line| !line.is_empty() && *line != text);
    Some(Box::new(FailureDigest {
        text,
        of_command,
        tool: None,
        only_as_command: outcome.is_failure_of_command(),
        stopped: (outcome.end == End::Stopped)
            .then_some(Stopped { by_user: outcome.by_user, is_call: true }),
        is_run: false,
    }))
}

/// A line of what a command printed; its exit status where it printed nothing.
fn or_code(line: String, code: Option<f64>) -> String {
    match code {
        Some(code) if line.is_empty() => format!("exit code {code}"),
        _ => line,
    }
}
