//! The end of a run in its stream: how it ended, what it took, and which calls were denied (2.1.197, 2.1.330).

use crate::format::run::{Ended, RunEnd, number};
use crate::format::translation::Spot;
use crate::session::json::Json;
use crate::session::text::{cut, one_line};
use crate::session::usage::Usage;

use super::access::{flag, text};
use super::entries::Writer;
use super::row::Row;
use super::stream_rows;
use super::stream_totals::plain_model;

/// Of the arguments of a call that was denied, in UTF-16 units.
const ARGUMENT_UNITS: usize = 80;

impl Writer<'_> {
    pub(super) fn run_end(&mut self, mut spot: Spot, row: &Row, at: usize) {
        let line = self.parsed(at);
        let stream = self.file.lines.stream.as_ref();
        let stated = stream.and_then(|stream| stream.totals.of(row.value));
        let session_cost = stated.and_then(|(_, cost)| cost);
        let rest = stated.map_or(&[][..], |(rest, _)| rest);
        for (nth, (model, rest)) in rest.iter().enumerate() {
            let number = if nth == 0 { String::new() } else { (nth + 1).to_string() };
            let own = Spot { id: Some(format!("{}#usage{number}", row.id)), ..spot.clone() };
            let out = &mut self.written.translation;
            let id = out.stated(own, model.as_deref(), *rest, Usage::default());
            spot.parent_id = id.or(spot.parent_id);
        }
        let ended = ended(&line);
        let said = said(&line, ended);
        // A response mostly said the same.
        let is_told = |said: &String| stream.is_some_and(|stream| stream.has_said(said));
        let text = said.filter(|said| !is_told(said));
        let windows = windows(&line);
        let taken = |key: &str| line.get(key).filter(|fact| **fact != Json::Null).cloned();
        let end = RunEnd {
            ended,
            text,
            lines: denials(&line).into_iter().collect(),
            facts: vec![
                ("subtype", taken("subtype")),
                ("terminalReason", taken("terminalReason")),
                ("numTurns", taken("numTurns")),
                ("durationMs", taken("durationMs")),
                ("structuredOutput", taken("structuredOutput")),
                ("apiErrorStatus", taken("apiErrorStatus")),
                ("sessionCostUsd", session_cost.map(number)),
                ("sessionTokens", taken("sessionTokens")),
                ("contextWindows", windows),
            ],
        };
        self.written.translation.run_end(spot, end);
    }

    /// Of a stream that breaks off: its end.
    pub(super) fn no_run_end(&mut self, members: &[usize]) {
        let (true, Some(&last)) =
            (stream_rows::lacks_end(self.file.lines, members), members.last())
        else {
            return;
        };
        let spot = Spot {
            line: self.row(last).line,
            id: Some("run-end".to_owned()),
            parent_id: self.written.leaf.clone(),
            time: None,
        };
        let end = RunEnd { ended: Ended::CutOff, text: None, lines: Vec::new(), facts: Vec::new() };
        self.written.translation.run_end(spot, end);
        self.written.translation.leaf("run-end".to_owned());
        self.written.leaf = Some("run-end".to_owned());
    }
}

// `terminal_reason` is completed, api_error, max_turns, aborted_streaming or aborted_tools. An API error is subtype
// success with `is_error` true (2.1.197, 2.1.330).
fn ended(line: &Json<'_>) -> Ended {
    if text(line, "terminalReason").is_some_and(|reason| reason.starts_with("aborted_")) {
        Ended::Stopped
    } else if flag(line, "isError") || text(line, "subtype").is_some_and(|kind| kind != "success") {
        Ended::Failed
    } else {
        Ended::Completed
    }
}

/// What a run printed, or why it failed.
// `errors` of error_during_execution and error_max_turns, `result` of success (2.1.330).
fn said(line: &Json<'_>, ended: Ended) -> Option<String> {
    let errors = line.get("errors").map(Json::items).unwrap_or_default();
    let errors: Vec<&str> = errors.iter().filter_map(Json::as_str).collect();
    let error = (!errors.is_empty() && ended == Ended::Failed).then(|| errors.join("\n"));
    let said = error.or_else(|| text(line, "result").map(str::to_owned))?;
    Some(said.trim().to_owned()).filter(|said| !said.is_empty())
}

/// `Denied: Bash rm -rf tests, Write /etc/hosts`, as a line of Markdown.
// `permission_denials` [{tool_name, tool_use_id, tool_input}]: 2.1.330.
fn denials(line: &Json<'_>) -> Option<String> {
    let denied = line.get("permissionDenials")?.items();
    let one = |denial: &Json<'_>| {
        let tool = text(denial, "tool_name").unwrap_or("a tool").to_owned();
        let about = denial.get("tool_input").and_then(|input| {
            ["command", "file_path", "path", "url", "pattern"]
                .iter()
                .find_map(|key| text(input, key))
        });
        let about = about.map(|about| format!(" {}", one_line(cut(about, ARGUMENT_UNITS))));
        code(&format!("{tool}{}", about.unwrap_or_default()))
    };
    let list: Vec<String> = denied.iter().map(one).collect();
    (!list.is_empty()).then(|| format!("Denied: {}", list.join(", ")))
}

/// A text as code within a line, whatever it holds.
fn code(said: &str) -> String {
    let longest = said.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let blank = if longest > 0 { " " } else { "" };
    format!("{fence}{blank}{said}{blank}{fence}")
}

// `contextWindow` in tokens (2.1.197, 2.1.330).
fn windows<'a>(line: &Json<'a>) -> Option<Json<'a>> {
    let Json::Object(models) = line.get("modelUsage")? else { return None };
    let windows = models.iter().filter_map(|(model, about)| {
        Some((plain_model(model).into(), about.get("contextWindow")?.clone()))
    });
    let windows: Vec<_> = windows.collect();
    (!windows.is_empty()).then_some(Json::Object(windows))
}
