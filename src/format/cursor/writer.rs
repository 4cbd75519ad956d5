//! The messages of a transcript as a chain of entries.
//!
//! Both kinds of transcripts are read into it. They hardly have ids, so entries are named by their lines, calls by
//! their places, and a result without an id answers the first call of its tool that has none. Last it says what such
//! a file does not hold.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use crate::format::blocks::{text_block, tool_call};
use crate::format::entry::{self, custom};
use crate::format::fields::ObjectFields;
use crate::format::message::NewMessage;
use crate::format::translation::{Spot, Translation};
use crate::session::Format;
use crate::session::action::names::Tool;
use crate::session::json::Json;
use crate::session::text::one_line;

use super::prompt::{Prompt, element};

/// Where a message stands.
#[derive(Debug, Clone)]
pub(super) struct At {
    pub(super) line: u32,
    /// Its own id, else one of its line.
    pub(super) id: String,
}

/// A call that may have started a sub-agent.
#[derive(Debug)]
pub(super) struct TaskCall {
    pub(super) entry: String,
    pub(super) prompt: String,
    pub(super) about: Option<String>,
    pub(super) agent: Option<String>,
}

/// Writes the entries of one transcript.
pub(super) struct Writer {
    pub(super) out: Translation,
    last: Option<String>,
    ids: HashSet<String>,
    /// How many ids were used before.
    repeated: usize,
    /// The tools by the ids of their calls.
    names: HashMap<String, String>,
    open: OpenCalls,
    calls: usize,
    results: usize,
    pub(super) tasks: Vec<TaskCall>,
    /// What was asked first.
    pub(super) first_prompt: Option<String>,
    /// Lines that only say that a turn ended well.
    pub(super) ends: usize,
}

impl Writer {
    pub(super) fn new() -> Writer {
        let mut out = Translation::new(Format::Cursor);
        out.header().version = 1;
        Writer {
            out,
            last: None,
            ids: HashSet::new(),
            repeated: 0,
            names: HashMap::new(),
            open: OpenCalls::default(),
            calls: 0,
            results: 0,
            tasks: Vec::new(),
            first_prompt: None,
            ends: 0,
        }
    }

    fn push(&mut self, at: &At, time: Option<i64>, kind: &str, fields: ObjectFields<'_>) -> String {
        let id = self.free_id(at);
        let parent_id = self.last.replace(id.clone());
        self.out.push(Spot { line: at.line, id: Some(id.clone()), parent_id, time }, kind, fields);
        id
    }

    /// The id, and for one that was used before another of its line.
    fn free_id(&mut self, at: &At) -> String {
        let mut id = at.id.clone();
        while !self.ids.insert(id.clone()) {
            self.repeated += 1;
            id = format!("line-{}~{}", at.line, self.repeated);
        }
        id
    }

    fn message(&mut self, at: &At, time: Option<i64>, message: Json<'_>) -> String {
        self.push(at, time, "message", entry::message(message))
    }

    /// Something that is not known here, whole.
    pub(super) fn custom(&mut self, at: &At, name: &str, line: Json<'_>) {
        if name == "turn_ended" {
            self.push(at, None, "custom", custom(name.to_owned(), line));
            return;
        }
        let (entry_type, fields) = entry::unknown(name, line);
        self.push(at, None, entry_type, fields);
        self.out.last_is_not_understood();
    }

    /// The texts and pictures that stand in the person's place.
    pub(super) fn prompt(&mut self, at: &At, text: Option<&str>, others: Vec<Json<'_>>) {
        let Prompt { query, added, time } = Prompt::read(text.unwrap_or_default());
        let header = self.out.header();
        header.time = header.time.or(time);
        let has_query = !query.is_empty() || !others.is_empty();
        if !added.is_empty() {
            let name = element(&added).unwrap_or("added-by-cursor").to_owned();
            let added = added.clone();
            let at = At { id: format!("{}-added", at.id), ..at.clone() };
            let fields = entry::custom_message(name, vec![text_block(added)], false);
            self.push(&at, time, "custom_message", fields);
        }
        if has_query || added.is_empty() {
            if self.first_prompt.is_none() && !query.is_empty() {
                self.first_prompt = Some(query.clone());
            }
            let mut content: Vec<Json<'_>> = Vec::new();
            if !query.is_empty() {
                content.push(text_block(query));
            }
            content.extend(others);
            self.message(at, time, NewMessage::user(content).json());
        }
    }

    /// A response; `stopped` says how it ended where that is known, and why.
    pub(super) fn response(
        &mut self,
        at: &At,
        content: Vec<Json<'_>>,
        model: Option<&str>,
        stopped: Option<(&str, String)>,
    ) {
        let is_call =
            |block: &&Json<'_>| block.get("type").and_then(Json::as_str) == Some("toolCall");
        let tasks: Vec<TaskCall> =
            content.iter().filter(is_call).filter_map(TaskCall::read).collect();
        let calls = content.iter().filter(is_call).count();
        self.calls += calls;
        let (how, why) = match stopped {
            Some((how, why)) => (how, Some(why)),
            None if calls > 0 => ("toolUse", None),
            None => ("stop", None),
        };
        let message =
            NewMessage::assistant(content).model(model).stop_reason(Some(how)).error_message(why);
        let entry = self.message(at, None, message.json());
        self.tasks.extend(tasks.into_iter().map(|task| TaskCall { entry: entry.clone(), ..task }));
    }

    /// A call as a block of a response. One without an id gets a lasting one of its place.
    pub(super) fn call<'a>(
        &mut self,
        id: Option<&str>,
        lasting: impl FnOnce() -> String,
        name: &str,
        arguments: Json<'a>,
    ) -> Json<'a> {
        let has_own = id.is_some_and(|id| !id.is_empty());
        let id = id.filter(|id| !id.is_empty()).map_or_else(lasting, str::to_owned);
        if !has_own {
            self.open.add(name, &id);
        }
        self.names.insert(id.clone(), name.to_owned());
        tool_call(id, name.to_owned(), arguments)
    }

    /// A result; one that names no call answers the first of its tool that has none.
    pub(super) fn result(
        &mut self,
        at: &At,
        id: Option<&str>,
        tool: Option<&str>,
        content: Json<'_>,
        is_error: bool,
    ) {
        self.results += 1;
        let own = id.filter(|id| !id.is_empty()).map(str::to_owned);
        let id = own.or_else(|| self.open.take(tool)).unwrap_or_default();
        let name = self.names.get(&id).cloned().or_else(|| tool.map(str::to_owned));
        let message = NewMessage::tool_result(id).tool_name(name).content(content).failed(is_error);
        self.message(at, None, message.json());
    }

    /// A system prompt.
    pub(super) fn system(&mut self, at: &At, content: Vec<Json<'_>>) {
        self.message(at, None, NewMessage::system(content).json());
    }

    /// Says what the file does not hold.
    pub(super) fn finish(mut self) -> Writer {
        if self.calls > 0 && self.results == 0 {
            self.out.note("Cursor does not write tool results to this file".to_owned());
        }
        if self.ends > 0 {
            self.out.not_shown(&BTreeMap::from([("turn_ended".to_owned(), self.ends)]));
        }
        self
    }
}

/// Calls that the file gives no id and that have no result yet.
#[derive(Default)]
struct OpenCalls {
    all: VecDeque<String>,
    by_tool: HashMap<String, VecDeque<String>>,
    answered: HashSet<String>,
}

impl OpenCalls {
    fn add(&mut self, tool: &str, id: &str) {
        self.all.push_back(id.to_owned());
        self.by_tool.entry(tool.to_owned()).or_default().push_back(id.to_owned());
    }

    /// The first call of the tool, or of any.
    fn take(&mut self, tool: Option<&str>) -> Option<String> {
        let calls = match tool {
            Some(tool) => self.by_tool.get_mut(tool)?,
            None => &mut self.all,
        };
        while let Some(id) = calls.pop_front() {
            if self.answered.insert(id.clone()) {
                return Some(id);
            }
        }
        None
    }
}

impl TaskCall {
    /// What a call asks of a sub-agent; its entry is not known yet.
    fn read(call: &Json<'_>) -> Option<TaskCall> {
        let name = call.get("name")?.as_str()?;
        let arguments = call.get("arguments").filter(|_| Tool::of(name) == Tool::Task)?;
        let told =
            |keys: &[&str]| keys.iter().find_map(|key| arguments.get(key)?.as_str()).map(one_line);
        Some(TaskCall {
            entry: String::new(),
            prompt: told(&["prompt", "task", "instructions"]).unwrap_or_default(),
            about: told(&["description", "title"]),
            agent: told(&["subagent_type", "agent_type", "agent"]),
        })
    }
}
