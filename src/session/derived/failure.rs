//! What failed: calls, responses that the provider or the user ended, commands of the user, and runs that
//! say so in their last row alone.
//!
//! The one meaning of it for the head, the keys, the tree, the line of steps, a search and the commands.

mod line;

use super::calls::{CallPlace, Calls};
use super::gist::{Gist, What};
use crate::session::model::entry::Body;
use crate::session::model::message::{Assistant, Message, ToolResult, joined_text};
use crate::session::model::notice::RunEnd;
use crate::session::tools::command_end::End;
use crate::session::tools::tool_kind::ToolKind;
use crate::session::tree::parents::EntryIndex;
use crate::session::tree::parents::Tree;
use line::{first_line, line_of_command};

/// Something that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The result, the response, the user's command or the end of the run.
    pub entry: EntryIndex,
    /// The tool; `None` for a response or a run.
    pub tool: Option<String>,
    /// The line of the message that says why; empty where there is none.
    pub text: String,
}

/// All failures of a session, each of another entry.
#[derive(Debug, Default)]
pub struct Failures {
    /// By entry.
    list: Vec<Failure>,
}

/// What one entry says of its failure, as far as it can be told without its call.
#[derive(Debug)]
pub(super) struct FailureGist {
    text: String,
    /// The same if it is a command: another line, if that says more.
    of_command: Option<String>,
    tool: Option<&'static str>,
    /// The agent takes it for a success: its exit status says otherwise, if it is a command.
    only_as_command: bool,
    /// The person stopped it, and nothing else is said of it.
    is_abort: bool,
    /// It is the last row of a run, which failed.
    is_run: bool,
}

impl Failures {
    /// From what all entries say, by entry.
    pub(super) fn of_all(gists: &[Gist<'_>], calls: &Calls, tree: &Tree) -> Failures {
        let is_abort = |gist: &Gist<'_>| gist.failure.as_ref().is_some_and(|of| of.is_abort);
        // The response that asked for it was stopped by the same.
        let stopped_with = |entry: EntryIndex| {
            (0..gists[entry].calls().len()).any(|nth| {
                let results = calls.results_of(CallPlace { entry, nth });
                results.iter().any(|&result| is_abort(&gists[result]))
            })
        };
        let of = |(entry, gist): (EntryIndex, &Gist<'_>)| {
            let failure = gist.failure.as_ref()?;
            if failure.is_abort && stopped_with(entry)
                || failure.is_run && is_told_above(entry, gists, tree)
            {
                return None;
            }
            let call =
                calls.call_of(entry).and_then(|call| gists[call.entry].calls().get(call.nth));
            let tool = match &gist.what {
                What::Result { name, .. } => {
                    Some(call.map(|call| &call.name).or(name.as_ref()).map_or("tool", |name| name))
                }
                _ => failure.tool,
            };
            let is_command = tool.is_some_and(|tool| ToolKind::of(tool) == ToolKind::Command);
            (!failure.only_as_command || is_command).then(|| {
                let of_command = failure.of_command.as_ref().filter(|_| is_command);
                let text = of_command.unwrap_or(&failure.text).clone();
                Failure { entry, tool: tool.map(str::to_owned), text }
            })
        };
        Failures { list: gists.iter().enumerate().filter_map(of).collect() }
    }

    /// What failed at an entry.
    pub fn of(&self, entry: EntryIndex) -> Option<&Failure> {
        let at = self.list.binary_search_by_key(&entry, |failure| failure.entry).ok()?;
        self.list.get(at)
    }

    /// What failed at these entries, in their order.
    pub fn over<'f>(&'f self, entries: &'f [EntryIndex]) -> impl Iterator<Item = &'f Failure> {
        entries.iter().filter_map(|&entry| self.of(entry))
    }
}

impl FailureGist {
    /// `None` for what did not fail.
    pub(super) fn of(body: &Body<'_>) -> Option<Box<FailureGist>> {
        let failed = |text: String, tool| {
            Box::new(FailureGist {
                text,
                of_command: None,
                tool,
                only_as_command: false,
                is_abort: false,
                is_run: false,
            })
        };
        let exited = |code: Option<f64>| code.filter(|code| *code != 0.0);
        let message = match body {
            Body::Message(message) => message,
            Body::CustomMessage(custom) => {
                RunEnd::of(&custom.custom_type).filter(|end| *end == RunEnd::Failed)?;
                let said = joined_text(&custom.content, "\n");
                let words = RunEnd::Failed.words();
                let why = said.strip_prefix(words).and_then(|why| why.strip_prefix(": "));
                let failed = failed(first_line(why.unwrap_or(words)), None);
                return Some(Box::new(FailureGist { is_run: true, ..*failed }));
            }
            _ => return None,
        };
        match message {
            Message::Assistant(assistant) if has_failed(assistant) => {
                let said = assistant.error_message.as_deref().unwrap_or_default();
                let aborted = said.is_empty() && assistant.stopped_by("aborted");
                let failed = failed(first_line(if aborted { "aborted" } else { said }), None);
                Some(Box::new(FailureGist { is_abort: aborted, ..*failed }))
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

/// Whether the last response above the end of a run failed, which is why the run did.
fn is_told_above(end: EntryIndex, gists: &[Gist<'_>], tree: &Tree) -> bool {
    /// Rows between the two; there are few.
    const ROWS: usize = 200;
    for above in tree.ancestors(end).skip(1).take(ROWS) {
        match &gists[above].what {
            What::Answer(_) => return gists[above].failure.is_some(),
            What::Prompt => return false,
            _ => {}
        }
    }
    false
}

/// Whether the provider or the user ended a response.
pub(super) fn has_failed(assistant: &Assistant<'_>) -> bool {
    assistant.stopped_by("error")
        || assistant.stopped_by("aborted")
        || assistant.error_message.as_ref().is_some_and(|error| !error.is_empty())
}

fn of_result(result: &ToolResult<'_>) -> Option<Box<FailureGist>> {
    let end = End::of(result);
    if !result.is_error && !end.is_failure() {
        return None;
    }
    let output = joined_text(&result.content, "\n");
    let text = match first_line(&output) {
        first if !first.is_empty() => first,
        _ if end.timed_out => "timed out".to_owned(),
        _ if end.aborted => "aborted".to_owned(),
        empty => or_code(empty, end.code),
    };
    let of_command =
        Some(line_of_command(&output)).filter(|line| !line.is_empty() && *line != text);
    Some(Box::new(FailureGist {
        text,
        of_command,
        tool: None,
        only_as_command: !result.is_error,
        is_abort: end.aborted,
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

#[cfg(test)]
mod tests;
