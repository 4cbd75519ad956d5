//! A response of the model: what it says and calls, then the results, step by step.
//!
//! One message holds all that the model did for a prompt. `part` takes its parts in order and writes a step when the
//! next one begins: first the response, then the results of its calls, then what has a row of its own. Tokens that
//! the message has and the steps have not are those of the last one.

use crate::format::blocks::{text_block, thinking};
use crate::format::descendants::Started;
use crate::format::fields::string;
use crate::format::message::NewMessage;
use crate::format::probe::text;
use crate::session::json::Json;
use crate::session::message::UNFINISHED;
use crate::session::time;

use super::chain::{At, Chain};
use super::files;
use super::tool::{Tool, ToolAnswer, started};
use super::usage::Spent;

/// What holds for all steps of a response.
pub(super) struct About {
    pub(super) at: At,
    pub(super) provider: Option<String>,
    pub(super) model: Option<String>,
    /// Spent by all steps together, as far as they do not say it themselves.
    pub(super) spent: Spent,
    pub(super) finish: Option<String>,
    /// How it failed: a name of the kind, and words.
    pub(super) error: Option<(String, String)>,
    /// How long it took, where no tool ran meanwhile.
    pub(super) ms: Option<i64>,
    /// Nothing says that it came to an end.
    pub(super) is_open: bool,
}

/// Writes the steps of one response.
pub(super) struct Response<'c> {
    chain: &'c mut Chain,
    about: About,
    step: Step,
    steps: usize,
    parts: usize,
    has_tools: bool,
    /// No part says where a step begins: words behind a result are of the next.
    without_steps: bool,
}

#[derive(Default)]
struct Step {
    at: Option<At>,
    /// When the last of its words were said, or its last call made.
    said: Option<i64>,
    content: Vec<Json<'static>>,
    results: Vec<(At, ToolAnswer)>,
    /// Parts with rows of their own.
    rows: Vec<(At, String, Json<'static>)>,
    /// Sub-agents, each with the number of its result.
    started: Vec<(Started, Option<usize>)>,
    spent: Spent,
    finish: Option<String>,
}

impl<'c> Response<'c> {
    pub(super) fn new(chain: &'c mut Chain, about: About) -> Response<'c> {
        Response {
            chain,
            about,
            step: Step::default(),
            steps: 0,
            parts: 0,
            has_tools: false,
            without_steps: false,
        }
    }

    /// Of a message whose parts do not say where a step begins.
    pub(super) fn without_steps(mut self) -> Self {
        self.without_steps = true;
        self
    }

    /// The next part, which begins on this line.
    pub(super) fn part(&mut self, line: u32, part: &Json<'_>) {
        self.parts += 1;
        if self.chain.is_undone_at(part) {
            if self.step.is_begun() {
                self.write(false);
            }
            self.chain.stand_here();
        }
        let moment = |key| part.get("time").and_then(|time| time.get(key)).and_then(time::read);
        let time = moment("end").or_else(|| moment("start"));
        let id = text(part, "id").filter(|id| !id.is_empty()).map(str::to_owned);
        let id = id.unwrap_or_else(|| format!("{}.{}", self.about.at.id, self.parts));
        let at = At { line, id, time: time.or(self.about.at.time) };
        let words =
            |key: &str| part.get(key).cloned().unwrap_or(Json::Null).into_text().into_owned();
        let kind = text(part, "type").unwrap_or_default();
        let is_answer = self.without_steps && !self.step.results.is_empty();
        if is_answer && matches!(kind, "text" | "reasoning") && !words("text").is_empty() {
            self.write(false);
        }
        match kind {
            "text" if words("text").is_empty() => self.chain.aside("empty text"),
            "text" => self.say(at, text_block(words("text"))),
            "reasoning" => self.say(at, thinking(words("text"))),
            "tool" => self.tool(at, part),
            "file" => self.say(at, files::block(part)),
            "step-start" => {
                if self.step.is_begun() {
                    self.write(false);
                }
                self.chain.aside("step-start");
            }
            "step-finish" => {
                self.step.spent = self.step.spent.plus(Spent::read(part));
                self.step.finish =
                    text(part, "reason").map(str::to_owned).or(self.step.finish.take());
                self.step.at.get_or_insert(at);
            }
            "snapshot" => self.chain.aside("snapshot"),
            kind => {
                let name = if kind.is_empty() { "part" } else { kind };
                self.step.rows.push((at, name.to_owned(), part.clone().owned()));
            }
        }
    }

    fn say(&mut self, at: At, block: Json<'static>) {
        self.step.said = self.step.said.max(at.time);
        self.step.at.get_or_insert(at);
        self.step.content.push(block);
    }

    fn tool(&mut self, at: At, part: &Json<'_>) {
        self.has_tools = true;
        let Tool { call, begun, result } = Tool::read(part, &at.id);
        if let Some(session) = started(part) {
            let asked = |key: &str| text(call.get("arguments")?, key).map(str::to_owned);
            let started = Started {
                session,
                entry: String::new(),
                agent: asked("subagent_type").or_else(|| asked("agent")),
                task: asked("description"),
            };
            let nth = result.is_some().then_some(self.step.results.len());
            self.step.started.push((started, nth));
        }
        if let Some(result) = result {
            let time = result.time.or(at.time);
            self.step.results.push((At { time, ..at.clone() }, result));
        }
        self.say(At { time: begun.or(at.time), ..at }, call);
    }

    /// The last step, with what is known of the whole response.
    pub(super) fn finish(mut self) {
        self.write(true);
    }

    fn write(&mut self, is_last: bool) {
        let step = std::mem::take(&mut self.step);
        let begun = step.at.unwrap_or_else(|| self.about.at.clone());
        self.steps += 1;
        let calls = step.content.iter().filter(|block| text(block, "type") == Some("toolCall"));
        let calls = calls.count();
        let is_answered = calls == step.results.len() && !step.results.is_empty();
        let taken = self.about.ms.filter(|_| is_last && calls == 0);
        let completed = self.about.at.time.zip(taken).and_then(|(begun, ms)| begun.checked_add(ms));
        let time = completed.or(step.said).or(begun.time);
        // The first step has the id of the message.
        let at = match self.steps {
            1 => At { time, ..self.about.at.clone() },
            nth => At { id: format!("{}-{nth}", self.about.at.id), time, ..begun },
        };
        let whole = if is_last { self.about.spent } else { Spent::default() };
        let finish = self.about.finish.take_if(|_| is_last).or(step.finish);
        let error = self.about.error.take_if(|_| is_last);
        // MessageAbortedError and others: opencode, packages/schema.
        let is_aborted =
            error.as_ref().is_some_and(|(name, _)| name.to_lowercase().contains("abort"));
        let reason = match (&error, finish.as_deref()) {
            (Some(_), _) if is_aborted => Some("aborted"),
            (Some((name, _)), _) if name == "MessageOutputLengthError" => Some("length"),
            (Some(_), _) => Some("error"),
            // `finish` is stop, length, tool-calls or content-filter: 1.18.33.
            (None, Some("tool-calls")) => Some("toolUse"),
            (None, Some(finish)) => Some(finish),
            (None, None) if is_last && self.about.is_open => Some(UNFINISHED),
            (None, None) => is_answered.then_some("toolUse"),
        };
        let ms = self.about.ms.filter(|_| is_last && !self.has_tools && self.steps == 1);
        let message = NewMessage::assistant(step.content)
            .provider(self.about.provider.clone())
            .model(self.about.model.clone())
            .usage(step.spent.plus(whole).usage())
            .stop_reason(reason)
            .error_message(error.map(|(_, words)| words))
            .duration(ms.map(|ms| Json::Number(ms.into())));
        let own = self.chain.message(at, message.json());
        let mut results = Vec::new();
        for (at, result) in step.results {
            results.push(self.chain.message(at, result.message));
        }
        for (mut started, nth) in step.started {
            let result = nth.and_then(|nth| results.get(nth)).unwrap_or(&own);
            started.entry.clone_from(result);
            self.chain.started.push(started);
        }
        for (at, name, data) in step.rows {
            self.chain.custom(at, &name, data);
        }
    }
}

impl Step {
    fn is_begun(&self) -> bool {
        !self.content.is_empty() || !self.rows.is_empty() || self.at.is_some()
    }
}

/// The kind of an error and its words.
// 1.x {name, data {message}}, 2.x {type, message} (opencode; 1.18.33).
pub(super) fn error(json: &Json<'_>) -> Option<(String, String)> {
    let error = json.get("error").filter(|error| **error != Json::Null)?;
    let name = text(error, "name").or_else(|| text(error, "type")).unwrap_or_default();
    let words = error.get("data").and_then(|data| data.get("message")).or(error.get("message"));
    let words = words.cloned().unwrap_or_else(|| match name {
        "" => error.clone(),
        name => string(name.to_owned()),
    });
    Some((name.to_owned(), words.into_text().into_owned()))
}
