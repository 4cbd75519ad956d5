//! Rows that a stream has in another form: a sub-agent's prompt, its last words, and what was
//! printed in parts when the stream broke off. Each becomes a row as a stored session has it.
//!
//! The output of a run is read like a stored session, by the same code. So what differs is made alike here, before
//! the tree is: rows are added at the places where a stored file has them.

use std::collections::{HashMap, HashSet};
use std::hash::RandomState;

use crate::format::fields::{object, string};
use crate::format::lines::Value;
use crate::session::Place;
use crate::session::json::Json;

use super::access::text;
use super::row::{Row, RowKind};
use super::rows::Lines;
use super::stream::{Open, Task};

impl Lines {
    /// Gives such rows their places, and each sub-agent's rows the name of the agent.
    pub(super) fn take_stream(&mut self, source: &[u8], hasher: &RandomState) {
        let Some(mut stream) = self.stream.take() else { return };
        for row in &mut self.rows {
            if let (Some(call), None) = (&row.sub_of, &row.agent) {
                row.agent = Some(stream.agent_of(call).to_owned());
            }
        }
        stream.totals.settle();
        let mut new: Vec<(usize, u32, String)> = Vec::new();
        let agents = AgentRows::of(&self.rows);
        for task in &stream.tasks {
            if !agents.prompts.contains(task.call.as_str()) {
                new.push((task.at, task.line, prompt_of(task, stream.session())));
            }
            new.extend(self.report(source, task, &agents));
        }
        for (call, open) in stream.unfinished() {
            let agent = (!call.is_empty()).then(|| stream.agent_of(&call).to_owned());
            let line = open.line;
            new.push((self.rows.len(), line, unfinished(open, &call, agent, stream.session())));
        }
        self.stream = Some(stream);
        new.sort_by_key(|(at, ..)| *at);
        let mut new = new.into_iter().peekable();
        let rows = std::mem::take(&mut self.rows);
        for (at, row) in rows.into_iter().enumerate() {
            while let Some((_, line, text)) = new.next_if(|(place, ..)| *place <= at) {
                self.made(line, text, hasher);
            }
            self.rows.push(row);
        }
        for (_, line, text) in new {
            self.made(line, text, hasher);
        }
    }

    fn made(&mut self, line: u32, text: String, hasher: &RandomState) {
        let place = Place::Repaired(self.repaired.len());
        let row = {
            let json: Json<'_> = serde_json::from_str(&text).unwrap_or(Json::Null);
            Row::read(&Value { line, nth: 1, place, text: &text }, &json, hasher)
        };
        self.repaired.push(text);
        self.rows.extend(row);
    }

    /// The last words of an agent that the main one waited for stand in the result alone.
    // Seen in 2.1.197 and 2.1.330: `tool_use_result` {status: completed, content}.
    fn report(
        &self,
        source: &[u8],
        task: &Task,
        agents: &AgentRows<'_>,
    ) -> Option<(usize, u32, String)> {
        let at = *agents.results.get(task.call.as_str())?;
        let last = agents.last.get(task.call.as_str()).map(|&last| &self.rows[last]);
        if last.is_some_and(|row| row.kind == RowKind::Assistant && row.calls.is_empty()) {
            return None;
        }
        let row = &self.rows[at];
        let line: Json<'_> = serde_json::from_str(self.text(source, row)).ok()?;
        let result = line.get("tool_use_result")?;
        if text(result, "status") != Some("completed") {
            return None;
        }
        let content = result.get("content").filter(|content| !content.items().is_empty())?.clone();
        let message = object([
            ("role", Some(string("assistant"))),
            ("content", Some(content)),
            ("stop_reason", Some(string("end_turn"))),
        ]);
        let json = object([
            ("type", Some(string("assistant"))),
            ("uuid", Some(string(format!("{}#report", row.id)))),
            ("sessionId", line.get("session_id").cloned()),
            ("parentToolUseId", Some(string(task.call.clone()))),
            ("isSidechain", Some(Json::Bool(true))),
            ("agentId", Some(string(task.agent.clone()))),
            ("timestamp", line.get("timestamp").cloned()),
            ("message", Some(message)),
        ]);
        Some((at, row.line, json.compact()))
    }
}

/// The rows of a stream by the call that they are of or answer.
#[derive(Default)]
struct AgentRows<'r> {
    prompts: HashSet<&'r str>,
    last: HashMap<&'r str, usize>,
    results: HashMap<&'r str, usize>,
}

impl<'r> AgentRows<'r> {
    fn of(rows: &'r [Row]) -> AgentRows<'r> {
        let mut agents = AgentRows::default();
        for (at, row) in rows.iter().enumerate() {
            if let Some(call) = &row.sub_of {
                agents.last.insert(call, at);
                if row.kind == RowKind::Prompt {
                    agents.prompts.insert(call);
                }
            }
            for call in &row.answers {
                agents.results.entry(call).or_insert(at);
            }
        }
        agents
    }
}

fn prompt_of(task: &Task, session: &str) -> String {
    let message =
        object([("role", Some(string("user"))), ("content", Some(string(task.prompt.clone())))]);
    let json = object([
        ("type", Some(string("user"))),
        ("uuid", Some(string(task.id.clone()))),
        ("sessionId", Some(string(session.to_owned()))),
        ("parentToolUseId", Some(string(task.call.clone()))),
        ("isSidechain", Some(Json::Bool(true))),
        ("agentId", Some(string(task.agent.clone()))),
        ("message", Some(message)),
    ]);
    json.compact()
}

fn unfinished(open: Open, call: &str, agent: Option<String>, session: &str) -> String {
    let block = |(begun, said): (Json<'static>, String)| match text(&begun, "type") {
        Some("tool_use") => {
            let input = serde_json::from_str::<Json<'_>>(&said).map(Json::owned);
            let input = input.unwrap_or_else(|_| object([("partial_json", Some(string(said)))]));
            object([
                ("type", Some(string("tool_use"))),
                ("id", begun.get("id").cloned()),
                ("name", begun.get("name").cloned()),
                ("input", Some(input)),
            ])
        }
        Some("thinking") => {
            object([("type", Some(string("thinking"))), ("thinking", Some(string(said)))])
        }
        Some("text") => object([("type", Some(string("text"))), ("text", Some(string(said)))]),
        _ => begun,
    };
    let message = object([
        ("id", Some(string(open.id))),
        ("role", Some(string("assistant"))),
        ("model", Some(string(open.model))),
        ("content", Some(Json::Array(open.blocks.into_values().map(block).collect()))),
    ]);
    let is_agents = agent.is_some();
    let json = object([
        ("type", Some(string("assistant"))),
        ("uuid", Some(string(open.row))),
        ("requestId", open.request.map(string)),
        ("sessionId", Some(string(session.to_owned()))),
        ("parentToolUseId", is_agents.then(|| string(call.to_owned()))),
        ("isSidechain", Some(Json::Bool(is_agents))),
        ("agentId", agent.map(string)),
        ("message", Some(message)),
    ]);
    json.compact()
}

/// Of a stream, whether its main agent spoke before anything that was asked of it stands there.
// The prompt is in it only with `--replay-user-messages` (2.1.197, 2.1.330).
pub(super) fn lacks_prompt(lines: &Lines, members: &[usize]) -> bool {
    let rows = || members.iter().map(|&at| &lines.rows[at]);
    let asked =
        |row: &&Row| matches!(row.kind, RowKind::Prompt | RowKind::Command | RowKind::Queued);
    let speaks = |row: &&Row| asked(row) || row.kind == RowKind::Assistant;
    lines.stream.is_some()
        && rows().all(|row| !row.is_sidechain)
        && rows().find(speaks).is_none_or(|row| !asked(&row))
}

/// Of a stream, whether the main agent's last row is followed by none that ends the run.
// A stream that is killed just ends; after an interruption there is a `result` (2.1.330).
pub(super) fn lacks_end(lines: &Lines, members: &[usize]) -> bool {
    let rows = || members.iter().map(|&at| &lines.rows[at]);
    let last = rows().rev().find(|row| row.kind != RowKind::Event);
    lines.stream.is_some()
        && rows().all(|row| !row.is_sidechain)
        && last.is_none_or(|row| row.kind != RowKind::RunEnd)
}

/// The call whose agent the rows are of.
pub(super) fn call_of(rows: &[Row], members: &[usize]) -> Option<String> {
    members.iter().find_map(|&at| rows[at].sub_of.clone())
}
