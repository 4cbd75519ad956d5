//! What a rollout says of its thread and of the threads that it started. `spawn_agent`, `SubAgentActivity` and
//! `source.subagent.thread_spawn` `{parent_thread_id, agent_path, agent_nickname}`: 0.169.0. `collab_agent_spawn_end`
//! and `sub_agent_activity`: 0.146.0. What `spawn_agent` gave back before, `{agent_id, nickname}`: agentsview.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::format::lines::Value;
use crate::format::probe::text;
use crate::session::json::Json;

/// What is known of a thread once its rollout was read.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// The threads that it started, in order.
    pub(super) spawned: Vec<Spawned>,
    /// The ids of its turns.
    pub(super) turns: HashSet<String>,
    /// Of an agent's thread, what the agent is called.
    pub(super) agent: Option<String>,
    pub(super) first_prompt: Option<String>,
    /// Whether lines of the thread that it was forked from stand at the top.
    copied: Copied,
}

/// A thread that another started.
#[derive(Debug, Default, Clone)]
pub(super) struct Spawned {
    pub(super) thread: String,
    /// The entry that started it.
    pub(super) entry: Option<String>,
    /// The result of its call, whose card opens the thread.
    pub(super) result: Option<String>,
    /// Its call.
    pub(super) call: String,
    pub(super) name: Option<String>,
    pub(super) task: Option<String>,
}

/// A fork's file begins with the lines of the thread that it came from, behind a header of its own.
#[derive(Debug, Default, Clone)]
enum Copied {
    /// No header was read yet.
    #[default]
    Begin,
    /// The lines are the thread's own.
    Own,
    /// Behind the second header, until a turn that the other thread lacks.
    // The first `turn_id` that the parent lacks is the fork's own: agentsview.
    Inherited(Rc<HashSet<String>>),
}

/// A call that starts an agent.
#[derive(Debug, Clone, Default)]
struct Call {
    /// The id of its line, by which the response that it is a part of is found too.
    entry: Option<String>,
    /// The id of the line of its result.
    result: Option<String>,
    task: Option<String>,
    role: Option<String>,
}

/// Reads the facts of a thread value by value.
#[derive(Debug, Default)]
pub(super) struct FactsReader {
    facts: Facts,
    calls: HashMap<String, Call>,
    /// Places in the list of the threads that were started.
    numbers: HashMap<String, usize>,
    /// The turns of the thread that started this one, where it is known.
    parent_turns: Option<Rc<HashSet<String>>>,
    /// Where the thread stands among the agents.
    path: Option<String>,
}

impl FactsReader {
    pub(super) fn new(parent_turns: Option<Rc<HashSet<String>>>) -> FactsReader {
        FactsReader { parent_turns, ..FactsReader::default() }
    }

    /// Whether what is spent here was already counted in the thread that this one was forked from.
    pub(super) fn is_inherited(&self) -> bool {
        matches!(self.facts.copied, Copied::Inherited(_))
    }

    /// Whether another agent gives this one something to do.
    pub(super) fn is_task(&self, item: &str, payload: &Json<'_>) -> bool {
        item == "agent_message" && is_task(self.path.as_deref(), payload)
    }

    pub(super) fn finish(self) -> Facts {
        self.facts
    }

    pub(super) fn value(&mut self, value: &Value<'_>, kind: &str, payload: &Json<'_>) {
        match (kind, text(payload, "type").unwrap_or_default()) {
            ("session_meta", _) => self.meta(payload),
            ("turn_context", _) => self.turn(payload),
            ("event_msg", "user_message") if self.facts.first_prompt.is_none() => {
                self.facts.first_prompt = text(payload, "message").map(str::to_owned);
            }
            ("event_msg", "item_completed") => self.item(value, payload.get("item")),
            ("event_msg", "collab_agent_spawn_end") => {
                self.event(value, payload, "new_thread_id", "call_id");
            }
            ("event_msg", "sub_agent_activity") => {
                self.event(value, payload, "agent_thread_id", "event_id");
            }
            ("response_item", "function_call") if text(payload, "name") == Some("spawn_agent") => {
                self.call(value, payload);
            }
            ("response_item", "function_call_output") => self.output(value, payload),
            _ => {}
        }
    }

    fn item(&mut self, value: &Value<'_>, item: Option<&Json<'_>>) {
        let Some(item) = item else { return };
        match text(item, "type") {
            Some("SubAgentActivity") if text(item, "kind") == Some("started") => {
                self.event(value, item, "agent_thread_id", "id");
            }
            Some("UserMessage") if self.facts.first_prompt.is_none() => {
                let blocks = item.get("content").map(Json::items).unwrap_or_default();
                self.facts.first_prompt =
                    blocks.iter().find_map(|block| text(block, "text")).map(str::to_owned);
            }
            _ => {}
        }
    }

    fn meta(&mut self, payload: &Json<'_>) {
        if matches!(self.facts.copied, Copied::Begin) {
            self.facts.agent = agent_of(payload);
            self.path = agent_path(payload).map(str::to_owned);
            self.facts.copied = Copied::Own;
        } else if let Some(turns) = &self.parent_turns {
            self.facts.copied = Copied::Inherited(Rc::clone(turns));
        }
    }

    fn turn(&mut self, payload: &Json<'_>) {
        let Some(id) = text(payload, "turn_id") else { return };
        if let Copied::Inherited(turns) = &self.facts.copied
            && !turns.contains(id)
        {
            self.facts.copied = Copied::Own;
        }
        self.facts.turns.insert(id.to_owned());
    }

    fn call(&mut self, value: &Value<'_>, payload: &Json<'_>) {
        let arguments = text(payload, "arguments").unwrap_or_default();
        let arguments: Json<'_> = serde_json::from_str(arguments).unwrap_or(Json::Null);
        let named = |key| text(&arguments, key).map(str::to_owned);
        let id = text(payload, "call_id").unwrap_or_default().to_owned();
        let call = Call {
            entry: Some(value.line_id()),
            result: None,
            task: named("message").or_else(|| named("prompt")),
            role: named("agent_type"),
        };
        self.calls.entry(id).or_insert(call);
    }

    /// `{"agent_id", "nickname"}`, as a text.
    fn output(&mut self, value: &Value<'_>, payload: &Json<'_>) {
        let id = text(payload, "call_id").unwrap_or_default();
        let Some(call) = self.calls.get_mut(id) else { return };
        call.result.get_or_insert_with(|| value.line_id());
        let call = call.clone();
        for spawned in self.facts.spawned.iter_mut().filter(|spawned| spawned.call == id) {
            spawned.result.clone_from(&call.result);
        }
        let output = text(payload, "output").unwrap_or_default();
        let output: Json<'_> = serde_json::from_str(output).unwrap_or(Json::Null);
        if let Some(thread) = text(&output, "agent_id") {
            self.add(Spawned {
                thread: thread.to_owned(),
                entry: Some(value.line_id()),
                result: None,
                call: String::new(),
                name: called(text(&output, "nickname"), call.role.as_deref()),
                task: call.task,
            });
        }
    }

    fn event(&mut self, value: &Value<'_>, payload: &Json<'_>, thread: &str, call: &str) {
        let Some(thread) = text(payload, thread) else { return };
        let id = text(payload, call).unwrap_or_default();
        let call = self.calls.get(id).cloned().unwrap_or_default();
        let nickname = ["nickname", "new_agent_nickname", "agent_nickname"];
        let nickname = nickname.iter().find_map(|key| text(payload, key));
        self.add(Spawned {
            thread: thread.to_owned(),
            entry: call.entry.or_else(|| Some(value.line_id())),
            result: call.result,
            call: id.to_owned(),
            name: called(nickname, call.role.as_deref()),
            task: call.task,
        });
    }

    /// The first that names a thread started it; what it does not say, a later one may.
    fn add(&mut self, spawned: Spawned) {
        if let Some(&number) = self.numbers.get(&spawned.thread) {
            let known = &mut self.facts.spawned[number];
            known.name = known.name.take().or(spawned.name);
            known.task = known.task.take().or(spawned.task);
            return;
        }
        self.numbers.insert(spawned.thread.clone(), self.facts.spawned.len());
        self.facts.spawned.push(spawned);
    }
}

/// The thread that started this one, by what its header says.
pub(super) fn parent_of<'j>(payload: &'j Json<'_>) -> Option<&'j str> {
    let spawn = payload.get("source").and_then(|source| source.get("subagent"));
    let spawn = spawn.and_then(|subagent| subagent.get("thread_spawn"));
    spawn
        .and_then(|spawn| text(spawn, "parent_thread_id"))
        .or_else(|| text(payload, "parent_thread_id"))
}

/// Where a thread stands among the agents: `/root/review`.
pub(super) fn agent_path<'j>(payload: &'j Json<'_>) -> Option<&'j str> {
    let spawn = payload.get("source").and_then(|source| source.get("subagent"));
    let spawn = spawn.and_then(|subagent| subagent.get("thread_spawn"));
    text(payload, "agent_path").or_else(|| spawn.and_then(|spawn| text(spawn, "agent_path")))
}

/// Whether a message between agents gives the one at `path` something to do: it is for that one, and
/// not from one that it started itself.
pub(super) fn is_task(path: Option<&str>, message: &Json<'_>) -> bool {
    let Some(path) = path else { return false };
    let author = text(message, "author").unwrap_or_default();
    let is_below =
        author.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    text(message, "recipient") == Some(path) && !is_below
}

/// What an agent is called, by the header of its thread.
fn agent_of(payload: &Json<'_>) -> Option<String> {
    let subagent = payload.get("source")?.get("subagent")?;
    let Some(spawn) = subagent.get("thread_spawn") else {
        return subagent.as_str().map(str::to_owned);
    };
    called(text(spawn, "agent_nickname"), text(spawn, "agent_role"))
}

/// `implementer Ada`, as far as it is known.
fn called(nickname: Option<&str>, role: Option<&str>) -> Option<String> {
    let words: Vec<&str> = role.into_iter().chain(nickname).collect();
    (!words.is_empty()).then(|| words.join(" "))
}
