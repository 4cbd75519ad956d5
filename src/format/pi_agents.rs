//! Sub-agents of pi's extensions: a tool's result holds their messages.
//!
//! `details.results[]` has one object for each agent: who it is, its task, its messages as in a session, and what it
//! spent. Some keep its calls in words and its last answer instead. The first form is that of pi-mono's example
//! extension, packages/coding-agent/examples/extensions/subagent.

use std::collections::HashMap;

use memchr::memmem;

use crate::session::json::Json;
use crate::session::message::{Message, ToolResult};
use crate::session::text::one_line;
use crate::session::{Body, Child, EntryIndex, Format, Session, time};

use super::blocks::{UsageFields, number, text_block, total_cost};
use super::descendants::{FoundChild, with_descendants};
use super::entry::{self, custom};
use super::fields::ObjectFields;
use super::message::NewMessage;
use super::probe::text;
use super::translation::{Spot, Translation};

/// The session with those of its agents, theirs in them.
pub(super) fn with_agents(session: Session) -> Session {
    with_descendants(session, (), |session, (), _| children(session))
}

fn children(session: &Session) -> Vec<FoundChild<()>> {
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut found = Vec::new();
    let results = memmem::Finder::new("\"results\"");
    for index in session.indices() {
        if results.find(session.raw_at(index).as_bytes()).is_none() {
            continue;
        }
        let Body::Message(Message::ToolResult(result)) = session.entry_at(index).body else {
            continue;
        };
        let list = result.details.as_ref().and_then(|details| details.get("results"));
        for told in list.map(Json::items).unwrap_or_default().iter().filter(|told| is_agents(told))
        {
            let agent = text(told, "agent").filter(|agent| !agent.is_empty());
            let times = names.entry(agent.unwrap_or("agent").to_owned()).or_default();
            *times += 1;
            let key = match (agent.unwrap_or("agent"), *times) {
                (agent, 1) => agent.to_owned(),
                (agent, nth) => format!("{agent}-{nth}"),
            };
            let child = Child {
                session: run(session, index, &result, told).map(Box::new),
                key,
                agent: agent.map(str::to_owned),
                task: text(told, "task").map(one_line).filter(|task| !task.is_empty()),
                started_by: Some(session.id_at(index).to_owned()),
            };
            found.push(FoundChild { child, next: Some(()) });
        }
    }
    found
}

/// Whether an object of `results` is what an agent did; other tools number results, too.
fn is_agents(told: &Json<'_>) -> bool {
    let is_list = |key| matches!(told.get(key), Some(Json::Array(_)));
    (text(told, "agent").is_some() || text(told, "task").is_some())
        && (is_list("messages") || is_list("toolCalls"))
}

/// An agent's messages, one behind the other.
struct Run {
    out: Translation,
    line: u32,
    count: usize,
}

impl Run {
    fn push(&mut self, kind: &str, at: Option<i64>, fields: ObjectFields<'_>) {
        let parent_id = (self.count > 0).then(|| self.count.to_string());
        self.count += 1;
        let id = Some(self.count.to_string());
        self.out.push(Spot { line: self.line, id, parent_id, time: at }, kind, fields);
    }

    fn message(&mut self, message: Json<'_>) {
        let at = message.get("timestamp").and_then(time::read);
        self.push("message", at, entry::message(message));
    }
}

fn run(
    session: &Session,
    index: EntryIndex,
    result: &ToolResult<'_>,
    told: &Json<'_>,
) -> Result<Session, String> {
    let mut run = Run { out: Translation::new(Format::Pi), line: session.line(index), count: 0 };
    run.out.header().version = 3;
    let messages = told.get("messages").map(Json::items).unwrap_or_default();
    let is_role = |message: &Json<'_>, role| text(message, "role") == Some(role);
    let has_prompt = messages.iter().any(|message| is_role(message, "user"));
    if let Some(task) = text(told, "task").filter(|task| !has_prompt && !task.is_empty()) {
        run.message(NewMessage::user(task).json());
    }
    // The result that the agent gave states what it spent, so that it counts there.
    let is_counted = result.usage.is_some();
    let mut has_usage = is_counted;
    for message in messages.iter().filter(|message| matches!(message, Json::Object(_))) {
        let Json::Object(mut fields) = message.clone() else { continue };
        if is_counted {
            fields.retain(|(key, _)| key != "usage");
        }
        has_usage |= fields.iter().any(|(key, _)| key == "usage");
        run.message(Json::Object(fields));
    }
    if messages.is_empty() {
        if let Some(calls) = told.get("toolCalls").filter(|calls| !calls.items().is_empty()) {
            run.push("custom", None, custom("toolCalls", calls.clone()));
        }
        if let Some(said) = text(told, "finalOutput").or_else(|| text(told, "output")) {
            let content = Json::Array(vec![text_block(said)]);
            let message = NewMessage::assistant(content)
                .model(told.get("model").cloned())
                .stop_reason(told.get("stopReason").cloned());
            run.message(message.json());
        }
    }
    let is_failure = |message: &Json<'_>| message.get("errorMessage").is_some();
    if let Some(error) = text(told, "errorMessage").filter(|_| !messages.iter().any(is_failure)) {
        let reason = text(told, "stopReason").filter(|reason| *reason == "aborted");
        run.message(NewMessage::stopped(reason.unwrap_or("error"), Some(error)).json());
    }
    if let Some(spent) = told.get("usage").filter(|_| !has_usage) {
        run.spent(spent, told);
    }
    run.out.finish(Vec::new()).map_err(|error| error.to_string())
}

impl Run {
    /// What an agent spent whose messages do not say it; its cost is a number here.
    fn spent(&mut self, spent: &Json<'_>, told: &Json<'_>) {
        let cost = match spent.get("cost") {
            Some(cost @ Json::Object(_)) => Some(cost.clone()),
            cost => cost.and_then(Json::as_f64).and_then(number).map(total_cost),
        };
        let amounts = ["input", "output", "cacheRead", "cacheWrite"];
        let is_some = |key: &&str| spent.get(key).and_then(Json::as_f64).is_some_and(|n| n > 0.0);
        if !amounts.iter().any(is_some) {
            return;
        }
        let amount = |key| spent.get(key).cloned();
        let usage = UsageFields {
            input: amount("input"),
            output: amount("output"),
            cache_read: amount("cacheRead"),
            cache_write: amount("cacheWrite"),
            cost,
        };
        let fields = entry::usage("agent", told.get("model").cloned(), usage.json());
        self.push("usage", None, fields);
    }
}
