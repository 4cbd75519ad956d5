//! Prompts, responses, calls and their results.
//!
//! A response and its calls come in one event, the starts and ends of the calls in others, and reasoning may come in
//! one of its own: it waits for the response that repeats it (`flush`).

use crate::format::blocks::{number, text_block, thinking};
use crate::format::citations;
use crate::format::entry;
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::session::json::Json;

use super::content::{Attached, call, response, words};
use super::event::Event;
use super::first_pass::AskedBy;
use super::reader::CopilotReader;
use super::results::{Answer, is_shell};
use super::spending;

impl CopilotReader {
    /// What a person typed, and what the program or an agent says in the person's place.
    pub(super) fn prompt(&mut self, unit: usize, event: &Event<'_>) {
        self.flush(unit);
        let data = event.data();
        let said = words(data, "content");
        // What the model got: the prompt with a clock and reminders (1.0.68, 1.0.102).
        let transformed = words(data, "transformedContent");
        self.added_to += usize::from(transformed.is_some() && transformed != said);
        let attached = Attached::read(data, &self.known);
        let mut content: Vec<Json<'_>> = said.map(text_block).into_iter().collect();
        content.extend(attached.blocks);
        // Absent for a person, `skill-…`, `agent-<id>`: copilot-sdk.
        let source = event.text("source").filter(|source| !source.is_empty());
        let goes_on = data.get("isAutopilotContinuation") == Some(&Json::Bool(true));
        let source = source.or(goes_on.then_some("autopilot"));
        let id = match source.filter(|source| !matches!(*source, "user" | "human")) {
            None => {
                // idle, steering or queued: 1.0.68, 1.0.102.
                let steers = text(data, "delivery") == Some("steering");
                let message =
                    NewMessage::user(content).given("steering", steers.then_some(Json::Bool(true)));
                self.units[unit].message(event, message.json())
            }
            Some(source) => {
                let is_agents = source.starts_with("agent-");
                let fields = entry::custom_message(source.to_owned(), content, is_agents);
                self.units[unit].push(event, "custom_message", fields)
            }
        };
        if !attached.files.is_empty() {
            let at = (event.key.0, event.time);
            let fields = entry::message(NewMessage::file_mention(attached.files).json());
            self.units[unit].push_as(format!("{id}-files"), at, "message", fields);
        }
    }

    pub(super) fn response(&mut self, unit: usize, event: &Event<'_>) {
        let data = event.data();
        let line_id = event.line_id.as_str();
        let mut content = std::mem::take(&mut self.units[unit].reasoning);
        content.extend(response(data, line_id, &self.known).into_iter().map(Json::owned));
        let cited = data.get("citations").and_then(|cited| {
            citations::of_sources(cited, event.text("content").unwrap_or_default())
        });
        let is_read = cited.is_some();
        content.extend(cited);
        let calls: Vec<String> = content.iter().filter_map(call_id).collect();
        let model = event.text("model").map(str::to_owned);
        // Said once, where several responses came of one request. `apiCallId` of the response and of
        // `session.usage_record`: 1.0.102.
        let request = event.text("apiCallId").unwrap_or_default();
        let is_recorded = self.known.recorded.contains(request);
        let record = self.known.records.remove(request);
        let usage = match record {
            Some(record) => Some(record.usage()),
            None => spending::of_response(data).filter(|_| !is_recorded),
        };
        let (number, unit) = (unit, &mut self.units[unit]);
        let model = model.or_else(|| unit.model.clone()).filter(|model| model != "auto");
        let message =
            NewMessage::assistant(content).model(model).usage(usage).ended(!calls.is_empty());
        let id = unit.message(event, message.json());
        for (alias, ..) in std::mem::take(&mut unit.reasoning_ids) {
            unit.out.alias(alias, id.clone());
        }
        for call in calls {
            unit.entries_of_calls.entry(call).or_insert_with(|| id.clone());
        }
        if !is_read {
            self.beside(number, event, data, &["citations"]);
        }
    }

    /// Reasoning in an event of its own, where no response repeats it.
    pub(super) fn reasoning(&mut self, unit: usize, event: &Event<'_>) {
        let Some(words) = words(event.data(), "content") else { return self.count(event.kind()) };
        if self.known.is_told(&words) {
            return self.count(event.kind());
        }
        let unit = &mut self.units[unit];
        unit.reasoning.push(thinking(words.into_owned()));
        unit.reasoning_ids.push((unit.id_of(event), event.key.0, event.time));
    }

    /// Reasoning that no response followed is one by itself.
    pub(super) fn flush(&mut self, unit: usize) {
        let unit = &mut self.units[unit];
        let content = std::mem::take(&mut unit.reasoning);
        let mut ids = std::mem::take(&mut unit.reasoning_ids).into_iter();
        let Some((id, line, time)) = ids.next() else { return };
        for (alias, ..) in ids {
            unit.out.alias(alias, id.clone());
        }
        let message = NewMessage::assistant(content).model(unit.model.clone());
        unit.push_as(id, (line, time), "message", entry::message(message.json()));
    }

    /// The start of a call that a response or the person asked for is part of it.
    // `toolRequests` and `tool.execution_start` are one call (1.0.68, 1.0.102).
    pub(super) fn started(&mut self, unit: usize, event: &Event<'_>) {
        let facts = event.call_id().and_then(|id| self.known.calls.get(id));
        let is_told = facts.is_some_and(|facts| facts.asked_by > AskedBy::Start);
        let entry = event.call_id().and_then(|id| self.units[unit].entries_of_calls.get(id));
        if let Some(entry) = entry.cloned() {
            self.units[unit].alias(event, &entry);
            return self.count(event.kind());
        }
        if is_told {
            return self.count(event.kind());
        }
        self.flush(unit);
        let id = event.call_id().map_or_else(|| event.line_id.clone(), str::to_owned);
        let block = call(id.clone(), event.text("toolName"), event.data().get("arguments"), None);
        let unit = &mut self.units[unit];
        let model = event.text("model").map(str::to_owned).or_else(|| unit.model.clone());
        let model = model.filter(|model| model != "auto");
        let message = NewMessage::assistant(vec![block]).model(model).ended(true);
        let entry = unit.message(event, message.json());
        unit.entries_of_calls.insert(id, entry);
    }

    /// A tool that the person ran: a command with its output, once that is there.
    pub(super) fn asked_by_person(&mut self, unit: usize, event: &Event<'_>) {
        let facts = event.call_id().and_then(|id| self.known.calls.get(id));
        let is_shell = event.text("toolName").is_some_and(|name| is_shell(Some(name)));
        match facts.filter(|_| is_shell) {
            Some(facts) if facts.has_result => self.count(event.kind()),
            Some(_) => {
                let message = command(event.data().get("arguments"), None);
                self.units[unit].message(event, message);
            }
            None => self.custom(unit, event),
        }
    }

    pub(super) fn result(&mut self, unit: usize, event: &Event<'_>) {
        self.flush(unit);
        let data = event.data();
        let id = event.call_id().unwrap_or_default();
        let facts = self.known.calls.get(id);
        let name = facts.and_then(|facts| facts.name.as_deref()).or(event.text("toolName"));
        let mut answer = Answer::read(data, name, &self.known);
        self.longer += usize::from(answer.has_more);
        let by_person = facts.filter(|facts| facts.asked_by == AskedBy::Person);
        if let Some(facts) = by_person.filter(|_| name.is_some() && is_shell(name)) {
            let message = command(facts.started_with.as_ref(), Some(&answer));
            self.units[unit].message(event, message);
            return;
        }
        let ran = facts.and_then(|facts| event.time?.checked_sub(facts.runs_from?));
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of a run")]
        let ran = ran.filter(|ms| *ms >= 0).and_then(|ms| number(ms as f64));
        let message = NewMessage::tool_result(id)
            .tool_name(name)
            .failed(answer.is_error)
            .details(answer.details(data))
            .content(answer.content)
            .duration(ran);
        let entry = self.units[unit].message(event, message.json());
        self.units[unit].entries_of_calls.insert(id.to_owned(), entry);
        if let Some(result) = data.get("result") {
            let structured = (!says_as_text(result)).then_some("structuredContent");
            let keys: Vec<&str> = structured.into_iter().chain(BESIDE_A_RESULT).collect();
            self.beside(unit, event, result, &keys);
        }
    }
}

/// What some tools give back for viewers and for citations.
const BESIDE_A_RESULT: [&str; 2] = ["citableSources", "uiResource"];

/// Whether the text of a result is what it gave back in its structured form.
fn says_as_text(result: &Json<'_>) -> bool {
    let same = |said: &str| {
        serde_json::from_str::<Json<'_>>(said).ok().as_ref() == result.get("structuredContent")
    };
    let blocks = result.get("contents").map(Json::items).unwrap_or_default();
    let said = blocks.iter().filter_map(|block| text(block, "text"));
    words(result, "content").is_some_and(|said| same(&said)) || said.into_iter().any(same)
}

/// A command that the person ran, with what it printed.
fn command<'a>(arguments: Option<&'a Json<'a>>, answer: Option<&'a Answer<'a>>) -> Json<'a> {
    let parsed;
    let arguments = match arguments {
        Some(Json::String(written)) => {
            parsed = serde_json::from_str::<Json<'_>>(written).unwrap_or(Json::Null);
            Some(&parsed)
        }
        other => other,
    };
    let line = arguments
        .and_then(|arguments| words(arguments, "command"))
        .map(std::borrow::Cow::into_owned);
    let output = answer.map(|answer| {
        let texts: Vec<&str> =
            answer.content.iter().filter_map(|block| text(block, "text")).collect();
        texts.join("\n")
    });
    let code = answer.and_then(|answer| answer.exit_code.or(answer.is_error.then_some(1.0)));
    NewMessage::shell(line, output).given("exitCode", code.and_then(number)).json()
}

/// The id of a call among the blocks of a response.
fn call_id(block: &Json<'_>) -> Option<String> {
    let is_call = text(block, "type") == Some("toolCall");
    text(block, "id").filter(|_| is_call).map(str::to_owned)
}
