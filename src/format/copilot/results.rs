//! What tools gave back. A command that failed is a success to Copilot: how it ended is said in a block of its own
//! (`shell_exit`: copilot-sdk), or by the last line of the output (1.0.68, 1.0.102).

use std::collections::HashSet;

use crate::format::blocks::{number, text_block};
use crate::format::fields::object;
use crate::format::probe::text;
use crate::session::action::names::{Tool, plain_name};
use crate::session::json::Json;

use super::content::{binary, words};
use super::first_pass::FirstPass;

/// What a tool gave back.
pub(super) struct Answer<'a> {
    pub(super) content: Vec<Json<'a>>,
    pub(super) is_error: bool,
    pub(super) exit_code: Option<f64>,
    /// The change that it made, as a diff.
    diff: Option<Json<'a>>,
    /// It has a longer form for the screen, which is not shown.
    pub(super) has_more: bool,
}

impl<'a> Answer<'a> {
    pub(super) fn read(data: &Json<'a>, name: Option<&str>, known: &FirstPass) -> Answer<'a> {
        let result = data.get("result").unwrap_or(&Json::Null);
        let said = match result {
            Json::Object(_) => words(result, "content"),
            Json::Null => None,
            other => Some(other.clone().into_text()),
        };
        let ended = exit_block(result);
        let ended =
            ended.or_else(|| said.as_deref().filter(|_| is_shell(name)).and_then(exit_line));
        let failure = failure(data);
        let is_error = data.get("success") == Some(&Json::Bool(false))
            || failure.is_some()
            || ended.is_some_and(|code| code != 0.0);
        // `content` is what the model got, `detailedContent` is for the screen, diffs too: 1.0.68, 1.0.102.
        let detailed =
            words(result, "detailedContent").filter(|_| said != words(result, "detailedContent"));
        let is_diff = detailed.as_deref().is_some_and(is_diff);
        let tool = name.map_or(Tool::Other, Tool::of);
        let reads = tool == Tool::Read;
        let mut content: Vec<Json<'a>> = Vec::new();
        content.extend(said.clone().map(text_block));
        let printed: Vec<&str> = blocks(result).filter_map(printed).collect();
        let repeats = |between: &str| {
            said.as_deref().is_some_and(|said| said.contains(&printed.join(between)))
        };
        let is_printed = repeats("") || repeats("\n");
        let mut seen = HashSet::new();
        for block in blocks(result) {
            let is_said = match text(block, "type") {
                Some("text" | "terminal") => is_printed,
                // Its preview is the end of what was printed.
                Some("shell_exit") => said.is_some() || text(block, "outputPreview").is_none(),
                _ => false,
            };
            let block = binary(block, known);
            if !is_said && seen.insert(block.compact()) {
                content.push(shown(block));
            }
        }
        let failure = failure.filter(|failure| said.as_ref() != Some(failure));
        content.extend(failure.map(text_block));
        Answer {
            content,
            is_error,
            exit_code: ended,
            diff: detailed.clone().filter(|_| is_diff && !reads).map(Json::String),
            has_more: detailed.is_some() && !is_diff,
        }
    }

    /// Facts for viewers.
    pub(super) fn details(&mut self, data: &Json<'a>) -> Option<Json<'a>> {
        let code = data.get("error").and_then(|error| error.get("code")).cloned();
        let details = object([
            ("exitCode", self.exit_code.and_then(number)),
            ("diff", self.diff.take()),
            ("errorCode", code),
        ]);
        (details != Json::Object(Vec::new())).then_some(details)
    }
}

/// The blocks of both lists: those for viewers, and those that the model got besides the text.
fn blocks<'j, 'a>(result: &'j Json<'a>) -> impl Iterator<Item = &'j Json<'a>> {
    let lists = ["contents", "binaryResultsForLlm"].into_iter();
    lists.flat_map(|list| result.get(list).map(Json::items).unwrap_or_default())
}

/// What a block says was printed.
fn printed<'j>(block: &'j Json<'_>) -> Option<&'j str> {
    let is_printed = matches!(text(block, "type"), Some("text" | "terminal"));
    text(block, "text").filter(|_| is_printed)
}

/// Printed text as text, whatever kind of block it stands in.
fn shown(block: Json<'_>) -> Json<'_> {
    let key = match text(&block, "type") {
        Some("terminal") => "text",
        Some("shell_exit") => "outputPreview",
        _ => return block,
    };
    words(&block, key).map_or(block, text_block)
}

/// Why the tool failed, in its words.
fn failure<'a>(data: &Json<'a>) -> Option<std::borrow::Cow<'a, str>> {
    match data.get("error")? {
        Json::Null => None,
        error @ Json::Object(_) => words(error, "message").or_else(|| words(data, "error")),
        _ => words(data, "error"),
    }
}

fn exit_block(result: &Json<'_>) -> Option<f64> {
    let ends = |block: &&Json<'_>| matches!(text(block, "type"), Some("shell_exit" | "terminal"));
    blocks(result).filter(ends).find_map(|block| block.get("exitCode")?.as_f64())
}

/// Whether a tool runs commands, or reads what one printed. A result whose call is not in the file may be one's.
pub(super) fn is_shell(name: Option<&str>) -> bool {
    name.is_none_or(|name| {
        let plain = plain_name(name);
        Tool::of(name) == Tool::Command || plain.ends_with("bash") || plain.ends_with("powershell")
    })
}

/// `<exited with exit code 2>`, `<shellId: 3 completed with exit code 2>`.
// The second form: 1.0.102; the first: toolpath, copilot-cli/known-gaps-and-sourcing.md.
pub(super) fn exit_line(output: &str) -> Option<f64> {
    let last = output.trim_end().lines().next_back()?.trim();
    let inner = last.strip_prefix('<')?.strip_suffix('>')?;
    let (before, code) = inner.rsplit_once(" with exit code ")?;
    let is_end =
        before == "exited" || before.starts_with("shellId:") && before.ends_with("completed");
    code.parse::<i32>().ok().filter(|_| is_end).map(f64::from)
}

fn is_diff(text: &str) -> bool {
    let text = text.trim_start();
    ["diff --git ", "--- ", "@@ "].iter().any(|begin| text.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_a_command_ended_is_read_from_its_last_line() {
        assert_eq!(exit_line("no such file\n<exited with exit code 2>\n"), Some(2.0));
        assert_eq!(exit_line("<shellId: 3 completed with exit code -1>"), Some(-1.0));
        for text in [
            "",
            "<exited with exit code two>",
            "it <exited with exit code 2>",
            "<exited with exit code 2>\nmore",
            "<ended with exit code 2>",
        ] {
            assert_eq!(exit_line(text), None, "{text}");
        }
    }

    #[test]
    fn tools_that_run_commands_are_known_by_name() {
        for name in ["bash", "read_bash", "write_powershell", "shell"] {
            assert!(is_shell(Some(name)), "{name}");
        }
        assert!(!is_shell(Some("view")) && is_shell(None));
    }
}
