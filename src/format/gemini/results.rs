//! Calls of tools with their results, which Gemini CLI keeps in one object.

use crate::format::blocks::{arguments, number, other, text_block, tool_call};
use crate::format::fields::{object, string};
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::session::action::names::Tool;
use crate::session::json::Json;
use crate::session::time;

use super::parts::Content;

/// A call as the model made it, and how it ended.
pub(super) struct Call<'j, 'a> {
    pub(super) id: String,
    json: &'j Json<'a>,
}

impl<'j, 'a> Call<'j, 'a> {
    pub(super) fn new(json: &'j Json<'a>, entry: &str, nth: usize) -> Call<'j, 'a> {
        let id = text(json, "id").filter(|id| !id.is_empty()).map(str::to_owned);
        Call { id: id.unwrap_or_else(|| format!("{entry}-call-{}", nth + 1)), json }
    }

    fn name(&self) -> &str {
        text(self.json, "name").unwrap_or_default()
    }

    pub(super) fn block(&self) -> Json<'a> {
        if !matches!(self.json, Json::Object(_)) {
            return other("toolCall", self.json.clone());
        }
        tool_call(self.id.clone(), self.name().to_owned(), arguments(self.json.get("args")))
    }

    /// When it ended.
    pub(super) fn time(&self) -> Option<i64> {
        self.json.get("timestamp").and_then(time::read)
    }

    /// The session of the sub-agent that it started.
    pub(super) fn agent(&self) -> Option<Started> {
        let args = self.json.get("args");
        let of = |key: &str| text(args?, key);
        let task = ["objective", "task", "prompt", "query", "request"].into_iter().find_map(of);
        let agent = of("agent_name").or_else(|| text(self.json, "displayName"));
        Some(Started {
            session: text(self.json, "agentId").filter(|id| !id.is_empty())?.to_owned(),
            agent: agent.or(Some(self.name())).map(str::to_owned),
            task: task.and_then(|task| task.lines().next()).map(str::to_owned),
            entry: String::new(),
        })
    }

    /// The result as a message; none where the call was never finished.
    pub(super) fn result(&self) -> Option<Json<'a>> {
        let status = text(self.json, "status").unwrap_or_default();
        let result = self.json.get("result").filter(|result| **result != Json::Null);
        let display = self.json.get("resultDisplay").filter(|display| **display != Json::Null);
        // Others are validating, scheduled, executing, awaiting_approval: gemini-cli.
        let is_ended = matches!(status, "success" | "error" | "cancelled");
        if result.is_none() && display.is_none() && !is_ended {
            return None;
        }
        let mut outcome = Outcome::default();
        if let Some(result) = result {
            let content = Content::of_result(result);
            for response in &content.responses {
                outcome.response(response.get("response"));
            }
            outcome.blocks.extend(content.blocks);
        }
        // What was shown on the screen is mostly what the model got, too.
        if let Some(words) = display.and_then(Json::as_str)
            && outcome.blocks.is_empty()
            && !words.is_empty()
        {
            outcome.blocks.push(text_block(words.to_owned()));
        }
        outcome.is_error |= matches!(status, "error" | "cancelled");
        Some(outcome.message(&self.id, self.name(), status, display))
    }
}

/// A sub-agent that a call started.
#[derive(Debug, Clone)]
pub(super) struct Started {
    /// The id of its session.
    pub(super) session: String,
    pub(super) agent: Option<String>,
    pub(super) task: Option<String>,
    /// The entry that started it.
    pub(super) entry: String,
}

/// A result that stands in a message of its own, `{id, name, response}`.
pub(super) fn response<'a>(given: &Json<'a>) -> Json<'a> {
    response_as(given, "", None)
}

/// The same with what is written beside it: how the call ended, and what the screen showed.
pub(in crate::format) fn response_as<'a>(
    given: &Json<'a>,
    status: &str,
    display: Option<&Json<'a>>,
) -> Json<'a> {
    let mut outcome = Outcome::default();
    outcome.response(given.get("response"));
    if let Some(parts) = given.get("parts") {
        outcome.blocks.extend(Content::of_result(parts).blocks);
    }
    outcome.is_error |= matches!(status, "error" | "cancelled");
    let id = text(given, "id").unwrap_or_default();
    outcome.message(id, text(given, "name").unwrap_or_default(), status, display)
}

#[derive(Default)]
struct Outcome<'a> {
    blocks: Vec<Json<'a>>,
    is_error: bool,
}

impl<'a> Outcome<'a> {
    /// `{output}`, `{error}`, or an object of the tool's own.
    // `functionResponse` of Google's API as gemini-cli fills it (0.61.0).
    fn response(&mut self, response: Option<&Json<'a>>) {
        let Some(response) = response.filter(|response| **response != Json::Null) else { return };
        let Json::Object(fields) = response else {
            return self.blocks.push(text_block(response.clone().into_text()));
        };
        let is_plain = |key: &str| matches!(key, "output" | "error");
        if fields.iter().any(|(key, _)| !is_plain(key)) || fields.is_empty() {
            self.is_error |= response.get("error").is_some_and(Json::is_truthy);
            return self.blocks.push(text_block(response.compact()));
        }
        for (key, value) in fields.iter().filter(|(_, value)| *value != Json::Null) {
            self.is_error |= key == "error" && value.is_truthy();
            let words = value.clone().into_text();
            if !words.is_empty() {
                self.blocks.push(text_block(words));
            }
        }
    }

    fn message(self, id: &str, name: &str, status: &str, display: Option<&Json<'a>>) -> Json<'a> {
        let is_command = Tool::of(name) == Tool::Command;
        let code =
            self.blocks.iter().filter_map(|block| exit_code(text(block, "text")?)).next_back();
        let code = code.or_else(|| display?.get("exitCode")?.as_f64()).filter(|_| is_command);
        // A command that fails is a success of the tool.
        let is_error = self.is_error || code.is_some_and(|code| code != 0.0);
        let diff = display.and_then(|display| display.get("fileDiff")).cloned();
        // What Qwen Code's shell shows is the output again.
        let is_output = display.and_then(|display| text(display, "type")) == Some("shell_result");
        let shown = display.filter(|display| matches!(display, Json::Object(_) | Json::Array(_)));
        let shown = shown.filter(|_| !is_output);
        let details = object([
            (
                "status",
                Some(status)
                    .filter(|status| !status.is_empty())
                    .map(|status| string(status.to_owned())),
            ),
            ("exitCode", code.and_then(number)),
            ("cancelled", (status == "cancelled").then_some(Json::Bool(true))),
            ("display", shown.filter(|_| diff.is_none()).cloned()),
            ("diff", diff),
        ]);
        NewMessage::tool_result(id.to_owned())
            .tool_name(Some(name.to_owned()).filter(|name| !name.is_empty()))
            .content(self.blocks)
            .failed(is_error)
            .details(Some(details))
            .json()
    }
}

/// The status that the shell tool writes on a line of its own, behind the output.
// 0.61.0 and Qwen Code 0.24.4; the call's own status is success all the same.
fn exit_code(output: &str) -> Option<f64> {
    const LABEL: &str = "Exit Code: ";
    let at = output.rfind(LABEL)?;
    // Some writers escape newlines twice.
    let before = &output[..at];
    if !(before.is_empty() || before.ends_with('\n') || before.ends_with("\\n")) {
        return None;
    }
    let rest = &output[at + LABEL.len()..];
    let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(rest.len());
    rest[..end].parse::<i32>().ok().map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::exit_code;

    #[test]
    fn the_exit_code_stands_on_its_own_line() {
        assert_eq!(exit_code("Output: x\nError: (none)\nExit Code: 2\nSignal: 0"), Some(2.0));
        assert_eq!(exit_code("Output: x\\nExit Code: 0\\nSignal: 0"), Some(0.0));
        for text in ["", "Exit Code: (none)", "it printed Exit Code: 3", "Exit Code: 99999999999"] {
            assert_eq!(exit_code(text), None, "{text}");
        }
    }
}
