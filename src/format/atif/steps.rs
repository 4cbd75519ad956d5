//! Steps as entries.
//!
//! A step is what one turn of an agent is: what it was told or said, its calls, and their results. Each part becomes
//! an entry, chained in this order: the message, the results, what was observed, and last what no entry of it shows.

use std::collections::HashMap;

use crate::format::blocks::{arguments, number, other, text_block, thinking, tool_call};
use crate::format::entry::{self, custom};
use crate::format::fields::{fields_without, id_of};
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::session::json::Json;
use crate::session::time;

use super::beside::TrajectoryFiles;
use super::content::blocks;
use super::metrics::{Metrics, PER_TOKEN, READ};
use super::reader::Reference;
use super::reader::TrajectoryReader;

/// The fields of a step that its entries show.
const SHOWN: [&str; 11] = [
    "step_id",
    "timestamp",
    "source",
    "message",
    "model_name",
    "reasoning_effort",
    "reasoning_content",
    "tool_calls",
    "metrics",
    "observation",
    "is_copied_context",
];

/// Where the entries of a step go.
struct At {
    line: u32,
    id: String,
    time: Option<i64>,
    is_copied: bool,
}

/// What a result has to know of its call.
struct Called {
    name: String,
    task: Option<String>,
    is_error: bool,
    ms: Option<f64>,
}

impl TrajectoryReader {
    pub(super) fn step(
        &mut self,
        line: u32,
        nth: usize,
        step: &Json<'_>,
        beside: &mut TrajectoryFiles,
    ) {
        let own = id_of(step, "step_id").map(|id| format!("step-{id}"));
        let own = own.filter(|id| self.step_ids.insert(id.clone()));
        let id = own.unwrap_or_else(|| format!("step-number-{nth}"));
        let time = step.get("timestamp").and_then(time::read);
        // Since 1.5: repeated from the trajectory before, and counted there (nat_atif).
        let is_copied = step.get("is_copied_context") == Some(&Json::Bool(true));
        let at = At { line, id, time, is_copied };
        let header = self.out.header();
        header.time = header.time.or(time);
        let first = at.id.clone();
        match text(step, "source") {
            Some("agent") => self.response(&at, step, beside),
            Some("user") => self.said(&at, "user", step, beside),
            Some("system") => self.said(&at, "system", step, beside),
            _ => {
                let (entry_type, fields) = entry::unknown("step", step.clone());
                self.push(line, at.id.clone(), time, entry_type, fields);
                self.out.last_is_not_understood();
            }
        }
        self.results(&at, step, beside);
        self.rest(&at, step);
        if is_copied {
            self.copied += 1;
            if !self.is_in_copied {
                self.mark_copied(&first);
            }
        }
        self.is_in_copied = is_copied;
    }

    fn said(&mut self, at: &At, role: &'static str, step: &Json<'_>, beside: &mut TrajectoryFiles) {
        let tools = if role == "system" { std::mem::take(&mut self.tools) } else { Vec::new() };
        let content = blocks(step.get("message"), beside);
        let message =
            if role == "system" { NewMessage::system(content) } else { NewMessage::user(content) };
        let message = message.given("toolsAdded", (!tools.is_empty()).then_some(tools));
        self.push(at.line, at.id.clone(), at.time, "message", entry::message(message.json()));
    }

    fn response(&mut self, at: &At, step: &Json<'_>, beside: &mut TrajectoryFiles) {
        let effort = step.get("reasoning_effort").filter(|effort| **effort != Json::Null);
        let effort = effort.map(|effort| effort.clone().into_text().into_owned());
        if effort.is_some() && effort != self.effort {
            let fields = entry::thinking_level(effort.clone());
            let id = format!("{}-effort", at.id);
            self.push(at.line, id, at.time, "thinking_level_change", fields);
            self.effort = effort;
        }
        let thought = step.get("reasoning_content").filter(|thought| thought.is_truthy());
        let mut content: Vec<Json<'_>> =
            thought.map(|thought| thinking(thought.clone().into_text())).into_iter().collect();
        content.extend(blocks(step.get("message"), beside));
        let calls = match step.get("tool_calls") {
            None | Some(Json::Null) => &[][..],
            Some(Json::Array(calls)) => calls,
            Some(odd) => std::slice::from_ref(odd),
        };
        content.extend(calls.iter().enumerate().map(|(nth, call)| match call {
            Json::Object(_) => tool_call(
                call_id(call, &at.id, nth),
                text(call, "function_name").unwrap_or_default().to_owned(),
                arguments(call.get("arguments")),
            ),
            odd => other("tool_call", odd.clone()),
        }));
        let metrics = Metrics::of_step(step);
        if let Some(metrics) = metrics {
            self.sums.add(metrics, at.is_copied);
        }
        let model =
            text(step, "model_name").map(str::to_owned).or_else(|| self.agent_model.clone());
        // A step without a call of a model is none of its. Since 1.7 (nat_atif).
        let is_models = step.get("llm_call_count").and_then(Json::as_f64) != Some(0.0);
        let message = NewMessage::assistant(content)
            .model(model.filter(|_| is_models))
            .usage(metrics.filter(|_| !at.is_copied).map(Metrics::usage))
            .ended(!calls.is_empty());
        self.push(at.line, at.id.clone(), at.time, "message", entry::message(message.json()));
    }

    /// Results of the calls of the same step; what no call asked for is an observation.
    // `source_call_id` names a call of the same step (nat_atif).
    fn results(&mut self, at: &At, step: &Json<'_>, beside: &mut TrajectoryFiles) {
        let Some(observation) = step.get("observation").filter(|given| **given != Json::Null)
        else {
            return;
        };
        let Some(Json::Array(results)) = observation.get("results") else {
            let fields = custom("observation", observation.clone());
            return self.push(at.line, format!("{}-observation", at.id), at.time, "custom", fields);
        };
        let calls = step.get("tool_calls").map(Json::items).unwrap_or_default();
        let mut called: HashMap<String, Called> = HashMap::new();
        for (nth, call) in calls.iter().enumerate() {
            called.insert(call_id(call, &at.id, nth), Called::read(call));
        }
        // Some writers leave the id out where there is no choice.
        let only = match (calls, results.as_slice()) {
            ([call], [_]) => Some(call_id(call, &at.id, 0)),
            _ => None,
        };
        for (nth, result) in results.iter().enumerate() {
            let id = format!("{}-result-{}", at.id, nth + 1);
            let source = text(result, "source_call_id").filter(|id| !id.is_empty());
            let call = source.map(str::to_owned).or_else(|| only.clone());
            let about = call.as_ref().and_then(|call| called.get(call));
            let content = match result {
                Json::Object(_) => blocks(result.get("content"), beside),
                odd => vec![text_block(odd.clone().into_text())],
            };
            self.references(&id, result, about);
            let Some(call) = call else {
                let fields = entry::custom_message("observation", content, true);
                self.push(at.line, id, at.time, "custom_message", fields);
                continue;
            };
            let message = NewMessage::tool_result(call)
                .tool_name(about.map(|about| about.name.clone()))
                .content(content)
                .failed(about.is_some_and(|about| about.is_error))
                .duration(about.and_then(|about| about.ms).and_then(number));
            self.push(at.line, id, at.time, "message", entry::message(message.json()));
        }
    }

    /// Trajectories that a result names.
    fn references(&mut self, entry: &str, result: &Json<'_>, called: Option<&Called>) {
        let given = match result.get("subagent_trajectory_ref") {
            Some(Json::Array(given)) => given.as_slice(),
            Some(one @ Json::Object(_)) => std::slice::from_ref(one),
            _ => &[],
        };
        for one in given {
            let own = |key: &str| text(one, key).filter(|own| !own.is_empty()).map(str::to_owned);
            self.wanted.references.push(Reference {
                trajectory: own("trajectory_id"),
                path: own("trajectory_path"),
                session: own("session_id"),
                entry: Some(entry.to_owned()),
                agent: called.map(|called| called.name.clone()),
                task: called.and_then(|called| called.task.clone()),
            });
        }
    }

    /// What no entry of the step shows: `extra`, rewards, and fields unknown here.
    fn rest(&mut self, at: &At, step: &Json<'_>) {
        if !matches!(text(step, "source"), Some("agent" | "user" | "system")) {
            return;
        }
        let mut rest = fields_without(step.clone(), &SHOWN);
        let is_agents = text(step, "source") == Some("agent");
        if let Some(metrics) = step.get("metrics").filter(|metrics| **metrics != Json::Null) {
            let known: &[&str] = if is_agents { &READ } else { &[] };
            let mut left = match metrics {
                Json::Object(_) => fields_without(metrics.clone(), known),
                odd => vec![("value".into(), odd.clone())],
            };
            let before = left.len();
            left.retain(|(key, value)| *value != Json::Null && !PER_TOKEN.contains(&key.as_ref()));
            self.per_token += metrics_per_token(metrics).min(before);
            if !left.is_empty() {
                rest.push(("metrics".into(), Json::Object(left)));
            }
        }
        if !is_agents && let Some(calls) = step.get("tool_calls").filter(|calls| calls.is_truthy())
        {
            rest.push(("tool_calls".into(), calls.clone()));
        }
        let parts = [
            ("tool_calls", step.get("tool_calls")),
            ("results", step.get("observation").and_then(|given| given.get("results"))),
        ];
        for (name, list) in parts {
            let extras: Vec<Json<'_>> =
                list.map(Json::items).unwrap_or_default().iter().filter_map(extra_of).collect();
            if !extras.is_empty() {
                rest.push((format!("{name}_extra").into(), Json::Array(extras)));
            }
        }
        if step.get("is_copied_context") == Some(&Json::Bool(true)) {
            rest.push(("is_copied_context".into(), Json::Bool(true)));
        }
        rest.retain(|(_, value)| *value != Json::Null);
        if !rest.is_empty() {
            let id = format!("{}-rest", at.id);
            self.push(at.line, id, at.time, "custom", custom("step", Json::Object(rest)));
        }
    }
}

fn metrics_per_token(metrics: &Json<'_>) -> usize {
    PER_TOKEN.iter().filter(|key| metrics.get(key).is_some_and(|list| *list != Json::Null)).count()
}

/// What a call or a result says beyond the format.
fn extra_of<'a>(part: &Json<'a>) -> Option<Json<'a>> {
    const KNOWN: [&str; 6] = [
        "tool_call_id",
        "function_name",
        "arguments",
        "source_call_id",
        "content",
        "subagent_trajectory_ref",
    ];
    let mut left = fields_without(part.clone(), &KNOWN);
    left.retain(|(_, value)| *value != Json::Null);
    let id = ["tool_call_id", "source_call_id"].into_iter().find_map(|key| part.get(key));
    if left.is_empty() {
        return None;
    }
    if let Some(id) = id {
        left.insert(0, ("id".into(), id.clone()));
    }
    Some(Json::Object(left))
}

fn call_id(call: &Json<'_>, step: &str, nth: usize) -> String {
    let own = text(call, "tool_call_id").filter(|id| !id.is_empty()).map(str::to_owned);
    own.unwrap_or_else(|| format!("{step}-call-{}", nth + 1))
}

impl Called {
    /// ATIF has no word for a failure; `NeMo`'s exporter notes how each call went in `extra`.
    fn read(call: &Json<'_>) -> Called {
        let run = call.get("extra").and_then(|extra| extra.get("invocation"));
        let status = run.and_then(|run| text(run, "status"));
        let seconds = |key: &str| run.and_then(|run| run.get(key)).and_then(Json::as_f64);
        let ms = seconds("start_timestamp")
            .zip(seconds("end_timestamp"))
            .map(|(start, end)| ((end - start) * 1000.0).round())
            .filter(|ms| *ms >= 0.0);
        let given = call.get("arguments");
        let of = |key: &str| text(given?, key);
        let task =
            ["task", "prompt", "description", "instruction", "query"].into_iter().find_map(of);
        Called {
            name: text(call, "function_name").unwrap_or_default().to_owned(),
            task: task.and_then(|task| task.lines().next()).map(str::to_owned),
            is_error: matches!(status, Some("error" | "failed")),
            ms,
        }
    }
}
