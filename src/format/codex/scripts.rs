//! Code mode: the model writes a script, and events alone tell which commands and tools it ran.
//! They have ids of their own (`exec-<uuid>`), so what ran is the script's whose text holds it, else that of the next
//! result. Seen in 0.169.0: calls `exec` (input is JavaScript) and `wait` `{cell_id}`.

use std::collections::HashMap;

use crate::format::blocks::number;
use crate::format::fields::{object, string};
use crate::format::probe::text;
use crate::session::json::Json;

use super::ending::{Ending, running_cell};
use super::finished::Finished;

/// So many scripts at once can go on; of more the first are forgotten.
const OPEN: usize = 32;

/// A script without its last result.
#[derive(Debug)]
struct Script {
    call: String,
    code: String,
    /// Its number, once it goes on behind its first result.
    cell: Option<String>,
}

/// The scripts that go on, and what ran and has no result yet to stand with.
#[derive(Debug, Default)]
pub(super) struct Scripts {
    open: Vec<Script>,
    /// The cells that calls of `wait` wait for.
    waits: HashMap<String, String>,
    ran: Vec<(Option<String>, Finished)>,
}

impl Scripts {
    pub(super) fn call(&mut self, payload: &Json<'_>) {
        let Some(call) = text(payload, "call_id") else { return };
        match (text(payload, "name"), text(payload, "input"), text(payload, "arguments")) {
            (Some("exec"), Some(code), _) => {
                if self.open.len() == OPEN {
                    self.open.remove(0);
                }
                let (call, code) = (call.to_owned(), code.to_owned());
                self.open.push(Script { call, code, cell: None });
            }
            (Some("wait"), _, Some(arguments)) => {
                let given: Json<'_> = serde_json::from_str(arguments).unwrap_or(Json::Null);
                if let Some(cell) = given.get("cell_id") {
                    self.waits.insert(call.to_owned(), cell.clone().into_text().into_owned());
                }
            }
            _ => {}
        }
    }

    /// Takes what a script ran; gives it back where there is none.
    pub(super) fn ran(&mut self, finished: Finished) -> Option<Finished> {
        if self.open.is_empty() && !finished.id.starts_with("exec-") {
            return Some(finished);
        }
        let written = string(finished.about.as_str()).compact();
        let written = written.trim_matches('"');
        let holds = |script: &&Script| {
            !written.is_empty()
                && (script.code.contains(written) || script.code.contains(&finished.about))
        };
        let call = self.open.iter().find(holds).map(|script| script.call.clone());
        self.ran.push((call, finished));
        None
    }

    /// What ran until a result, of the scripts that it belongs to.
    pub(super) fn result(&mut self, call: &str, payload: &Json<'_>) -> Vec<Finished> {
        let waited = self.waits.remove(call);
        let is_it = |script: &Script| match &waited {
            Some(_) => script.cell == waited,
            None => script.call == call,
        };
        let script = self.open.iter().position(is_it);
        if script.is_none() && waited.is_none() {
            return Vec::new();
        }
        let owner = script.map(|at| self.open[at].call.clone());
        let is_own = |(of, _): &mut (Option<String>, Finished)| of.is_none() || *of == owner;
        let ran = self.ran.extract_if(.., is_own).map(|(_, finished)| finished).collect();
        let output = payload.get("output");
        match (script, output.and_then(running_cell)) {
            (Some(at), Some(running)) => self.open[at].cell = Some(running.to_owned()),
            // What a script says on its way is a text of its own.
            (Some(at), None) if matches!(output, Some(Json::Array(_))) => {
                self.open.remove(at);
            }
            _ => {}
        }
        ran
    }

    /// What ran and got no result, by the calls of the scripts.
    pub(super) fn rest(&mut self) -> Vec<(String, Vec<Finished>)> {
        let mut rest: Vec<(String, Vec<Finished>)> = Vec::new();
        let last = self.open.last().map(|script| script.call.clone()).unwrap_or_default();
        for (call, finished) in std::mem::take(&mut self.ran) {
            let call = call.unwrap_or_else(|| last.clone());
            match rest.iter_mut().find(|(of, _)| *of == call) {
                Some((_, ran)) => ran.push(finished),
                None => rest.push((call, vec![finished])),
            }
        }
        rest
    }
}

/// How a script ended in which these ran.
pub(super) fn ending_of(ran: &[Finished]) -> Ending {
    ran.iter().fold(Ending::default(), |ending, finished| ending.or(finished.ending))
}

/// What ran, as pi writes the calls that a tool makes; what the script printed of it stands in `shown`.
pub(super) fn nested_calls(ran: &[Finished], shown: &str) -> Option<Json<'static>> {
    if ran.is_empty() {
        return None;
    }
    let calls = ran.iter().map(|finished| {
        let Finished { id, tool, about, output, ending, duration_ms } = finished;
        let code = ending.exit_code.filter(|code| *code != 0.0);
        let output = Some(output.trim_end()).filter(|printed| !shown.contains(printed));
        object([
            ("id", Some(string(id.clone()))),
            ("name", Some(string(tool.clone()))),
            ("arguments", Some(string(about.clone()))),
            ("status", Some(string(if ending.has_failed { "error" } else { "ok" }))),
            ("durationMs", duration_ms.and_then(number)),
            ("error", code.map(|code| string(format!("exit {code}")))),
            ("output", output.map(|output| string(output.to_owned()))),
        ])
    });
    let calls = Json::Array(calls.collect());
    Some(object([("complete", Some(Json::Bool(true))), ("calls", Some(calls))]))
}
