//! What a line is, as far as its place in the tree needs it.
//!
//! Read first, for every line, and kept small: it has what ties a line to others (ids, calls, results, the response
//! it is a part of), and not what it says. Only when the tree is known are lines parsed again and written
//! (`entries.rs`), so that a long file is never in memory as JSON.

use std::hash::{BuildHasher, RandomState};

use crate::format::lines::Value;
use crate::session::json::Json;
use crate::session::unknown::words_within;
use crate::session::{Place, time};

use super::access::{
    flag, is_queued_prompt, is_result, owned, progress_of, text, text_mark, type_of,
};
use super::commands::{self, CommandText};
use super::content::said_by;
use super::events::is_known;
use super::fields::slash;
use super::stream::RUN_END;

/// A line of the tree.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) line: u32,
    /// Its line, and which of the values on it.
    pub(super) value: (u32, u32),
    pub(super) place: Place,
    /// Its uuid, else a lasting id of its line.
    pub(super) id: String,
    /// The line it hangs from; of a compact boundary the logical one.
    pub(super) parent: Option<String>,
    pub(super) session: Option<String>,
    pub(super) time: Option<i64>,
    pub(super) kind: RowKind,
    pub(super) is_sidechain: bool,
    pub(super) agent: Option<String>,
    /// Of a row of a stream, the call whose agent it is of.
    pub(super) sub_of: Option<String>,
    /// The response that it is a part of: message id, request id.
    pub(super) response: Option<(String, Option<String>)>,
    /// The tools it calls.
    pub(super) calls: Vec<Call>,
    /// The calls it answers.
    pub(super) answers: Vec<String>,
    /// The agent that ran for its result.
    pub(super) ran_agent: Option<RanAgent>,
    /// The agent whose progress it tells.
    pub(super) progress_of: Option<String>,
    /// How many entries it makes.
    pub(super) parts: usize,
    /// Neither a uuid nor a parent: only the order of lines tells its place.
    pub(super) is_unlinked: bool,
    /// Of a prompt that stands in the queue alone, what became of it.
    pub(super) fate: Option<Fate>,
    /// A prompt that asks for a compaction.
    pub(super) is_compact: bool,
    /// By what a prompt in the queue is known to be this line: its text, and each text block.
    pub(super) said: Vec<u64>,
    /// Tells equal contents; random for each run, so that no file can bring two to collide.
    pub(super) mark: u64,
}

/// What a line is to the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    /// A part of a model's answer.
    Assistant,
    /// What a person typed.
    Prompt,
    /// What a person typed while the agent was at work; never the beginning of a branch,
    /// for only a prompt that stands by itself can be gone back to.
    Queued,
    /// A command that a person typed and that runs at their side; its output follows.
    Command,
    /// What such a command printed.
    Output,
    /// The person stopped the agent.
    Interruption,
    /// The program's words on local commands, ahead of one.
    Caveat,
    /// Results and injected messages.
    Said,
    /// Where the history was compacted.
    Boundary,
    /// The summary that follows a boundary.
    Summary,
    /// The end of a run in its stream.
    RunEnd,
    /// Anything else that joins the chain.
    Event,
}

/// A call of a tool.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    /// What another agent is asked to do.
    pub(super) task: Option<Task>,
}

/// The agent whose work a result tells of.
#[derive(Debug)]
pub(super) struct RanAgent {
    pub(super) id: String,
    /// Said beside the result; else only its last lines say so.
    pub(super) is_stated: bool,
}

/// Work given to another agent.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) prompt: String,
    pub(super) description: Option<String>,
    pub(super) agent: Option<String>,
}

/// What became of a prompt in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// The model got it in the middle of its turn.
    Delivered,
    /// The person took it back, or it was dropped.
    TakenBack,
    /// It was still waiting when the file ended.
    NotSent,
    /// A sub-agent got it.
    GivenToAgent,
}

impl Row {
    pub(super) fn read(value: &Value<'_>, json: &Json<'_>, hasher: &RandomState) -> Option<Row> {
        let uuid = text(json, "uuid");
        let message = json.get("message");
        let kind = type_of(json);
        let speaks = matches!(kind, "user" | "assistant" | "system" | "tool") && message.is_some();
        let is_placed = uuid.is_some() || speaks || is_queued_prompt(json) || kind == RUN_END;
        if !is_placed && !says_something(kind, json) {
            return None;
        }
        let blocks =
            message.and_then(|message| message.get("content")).map_or(&[][..], Json::items);
        let answers = blocks.iter().filter(|block| is_result(block));
        let answers: Vec<String> = answers.map(|b| owned(b, "tool_use_id")).collect();
        let ran_agent = (!answers.is_empty()).then(|| ran_agent(json, blocks)).flatten();
        let response = message.filter(|_| kind == "assistant").and_then(|message| {
            let request = text(json, "requestId").map(str::to_owned);
            Some((text(message, "id")?.to_owned(), request))
        });
        // A `compact_boundary` has parentUuid null and names the line before it here (2.1.37, 2.1.197).
        let logical = || text(json, "logicalParentUuid").filter(|_| uuid.is_some());
        let parent = text(json, "parentUuid").or_else(logical);
        Some(Row {
            line: value.line,
            value: (value.line, value.nth),
            place: value.place,
            id: uuid.map_or_else(|| value.line_id(), str::to_owned),
            is_unlinked: uuid.is_none() && parent.is_none(),
            fate: None,
            is_compact: kind == "user" && is_compact(message),
            said: if answers.is_empty() { said(kind, json, hasher) } else { Vec::new() },
            parent: parent.map(Into::into),
            session: text(json, "sessionId").map(str::to_owned),
            time: json.get("timestamp").and_then(time::read),
            kind: RowKind::of(kind, json, !answers.is_empty()),
            is_sidechain: flag(json, "isSidechain"),
            agent: text(json, "agentId").map(str::to_owned),
            sub_of: text(json, "parentToolUseId").map(str::to_owned),
            response,
            calls: blocks.iter().filter_map(Call::read).collect(),
            progress_of: progress_of(json).map(str::to_owned),
            parts: parts(kind, blocks),
            answers,
            ran_agent,
            mark: mark(kind, json, hasher),
        })
    }
}

impl Row {
    /// The id of its `nth` part: `<uuid>`, `<uuid>#2`, …
    pub(super) fn part_id(&self, nth: usize) -> String {
        if nth <= 1 { self.id.clone() } else { format!("{}#{nth}", self.id) }
    }
}

impl RowKind {
    fn of(kind: &str, json: &Json<'_>, answers: bool) -> RowKind {
        match kind {
            "assistant" => RowKind::Assistant,
            RUN_END => RowKind::RunEnd,
            "system" => match text(json, "subtype") {
                // 2.1.37, 2.1.197.
                Some("compact_boundary") => RowKind::Boundary,
                // claude-code-log's models.
                Some("local_command") => match commands::of(json) {
                    Some(CommandText::Command { .. }) => RowKind::Command,
                    Some(CommandText::Output { .. }) => RowKind::Output,
                    _ => RowKind::Event,
                },
                _ => RowKind::Event,
            },
            "attachment" if is_queued_prompt(json) => RowKind::Queued,
            // 2.1.37, 2.1.197.
            "user" if flag(json, "isCompactSummary") => RowKind::Summary,
            "user" if answers => RowKind::Said,
            "user" => match commands::of(json) {
                Some(CommandText::Injected("local-command-caveat")) => RowKind::Caveat,
                // Written by the program (1.0.98 to 2.1.330).
                _ if flag(json, "isMeta") => RowKind::Said,
                Some(CommandText::Injected("interrupted")) => RowKind::Interruption,
                Some(CommandText::Command { .. } | CommandText::Bash(_)) => RowKind::Command,
                Some(CommandText::Output { .. }) => RowKind::Output,
                Some(CommandText::Injected(_)) => RowKind::Said,
                None => RowKind::Prompt,
            },
            _ => RowKind::Event,
        }
    }

    /// Whether it is an act of the person that a branch may lead to.
    pub(super) fn is_typed(self) -> bool {
        matches!(self, RowKind::Prompt | RowKind::Command | RowKind::Interruption)
    }
}

impl Call {
    fn read(block: &Json<'_>) -> Option<Call> {
        if text(block, "type") != Some("tool_use") {
            return None;
        }
        let name = owned(block, "name");
        let input = block.get("input");
        // `Task` up to 2.1.12, `Agent` in 2.1.197 and 2.1.330; {prompt, description, subagent_type}.
        let task = input.filter(|_| matches!(name.as_str(), "Task" | "Agent")).map(|input| Task {
            prompt: owned(input, "prompt"),
            description: text(input, "description").map(str::to_owned),
            agent: text(input, "subagent_type").map(str::to_owned),
        });
        Some(Call { id: owned(block, "id"), name, task })
    }
}

/// Whether a line without an id says more than a fact of the session: what hooks printed and files
/// that the model was given, the address of a page that was shown, what a workflow's agent found, where
/// the history was compacted, the words of a line of a type that is not known.
fn says_something(kind: &str, json: &Json<'_>) -> bool {
    let key = match kind {
        "attachment" => "attachment",
        "frame-link" => return true,
        "result" => "result",
        // Of old files, in which no line has an id.
        "system" => return text(json, "subtype") == Some("compact_boundary"),
        kind => return !is_known(kind) && words_within(json).is_some(),
    };
    json.get(key).is_some_and(Json::is_truthy)
}

fn is_compact(message: Option<&Json<'_>>) -> bool {
    let content = message.and_then(|message| message.get("content"));
    let said = content.and_then(|content| match content.items() {
        [] => content.as_str(),
        [block] => text(block, "text"),
        _ => None,
    });
    said.and_then(|said| said.trim().strip_prefix("/compact"))
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}

/// Each result is an entry of its own, and so is what stands between results.
fn parts(kind: &str, blocks: &[Json<'_>]) -> usize {
    if kind != "user" {
        return 1;
    }
    let mut parts = 0;
    let mut in_words = false;
    for block in blocks {
        let is_result = is_result(block);
        parts += usize::from(is_result || !in_words);
        in_words = !is_result;
    }
    parts.max(1)
}

// `toolUseResult.agentId`, else the line `agentId: <id>` at the end of the result's text (2.1.12 to 2.1.330).
fn ran_agent(json: &Json<'_>, blocks: &[Json<'_>]) -> Option<RanAgent> {
    let stated = json.get("toolUseResult").and_then(|result| text(result, "agentId"));
    if let Some(id) = stated {
        return Some(RanAgent { id: id.to_owned(), is_stated: true });
    }
    let content = blocks.iter().find(|block| is_result(block))?.get("content")?;
    let last = content.as_str().or_else(|| text(content.items().last()?, "text"))?;
    let told = last.lines().rev().take(4).find_map(|line| line.strip_prefix("agentId: "))?;
    let end = told.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(told.len());
    let id = Some(told[..end].to_owned()).filter(|id| !id.is_empty())?;
    Some(RanAgent { id, is_stated: false })
}

/// The texts of a user's line or of a queued command, each as [`text_mark`] knows it again:
/// the whole, as the person typed it, and each block, for editors put in blocks of their own.
fn said(kind: &str, json: &Json<'_>, hasher: &RandomState) -> Vec<u64> {
    let content = match kind {
        "user" => json.get("message").and_then(|message| message.get("content")),
        "attachment" => json.get("attachment").and_then(|queued| queued.get("prompt")),
        _ => None,
    };
    let Some(content) = content else { return Vec::new() };
    let typed = match commands::of(json) {
        Some(CommandText::Command { name, arguments }) => Some(slash(name, arguments)),
        Some(CommandText::Bash(command)) => Some(command.to_owned()),
        _ => None,
    };
    let blocks: Vec<&str> =
        content.items().iter().filter_map(|block| block.get("text")?.as_str()).collect();
    let whole = Some(typed.unwrap_or_else(|| said_by(content))).filter(|said| !said.is_empty());
    let parts = blocks.iter().copied().filter(|_| blocks.len() > 1);
    whole.iter().map(String::as_str).chain(parts).map(|text| text_mark(text, hasher)).collect()
}

/// What a line says, whoever repeats it.
fn mark(kind: &str, json: &Json<'_>, hasher: &RandomState) -> u64 {
    if let Some(message) = json.get("message") {
        return hasher.hash_one((kind, message.get("content").unwrap_or(message)));
    }
    let said = ["subtype", "content", "data", "attachment", "compactMetadata"];
    hasher.hash_one((kind, said.map(|key| json.get(key))))
}
