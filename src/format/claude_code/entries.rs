//! The nodes of one session, written anew as entries.
//!
//! `write` has the order: rows are grouped to nodes (`nodes.rs`), nodes are put into an order in which parents come
//! first, then each becomes an entry by the kind of its first row. Where other agents were started is collected on
//! the way, because the sessions of those are read afterwards and have to be tied to it.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use crate::format::blocks::text_block;
use crate::format::entry::{self, NewCompaction};
use crate::format::fields::{ObjectFields, string};
use crate::format::message::NewMessage;
use crate::format::own_folder::OwnFolder;
use crate::format::provider_tools;
use crate::format::run::NO_PROMPT_ID;
use crate::format::translation::{Spot, Translation};
use crate::session::json::{Fields, Json};
use crate::session::{DamageKind, Format, queued_prompt};

use super::access::{flag, is_result, text};
use super::commands::{self, CommandText};
use super::content::{blocks, words, written_chars};
use super::fields::{larger, slash, stop_reason, tokens, with_output};
use super::linearize::{Linear, straighten};
use super::nodes::{Node, Nodes, group};
use super::replays::Links;
use super::row::{Fate, Row, RowKind, Task};
use super::rows::Lines;
use super::stream::stored_form;
use super::stream_rows;

/// A session's entries, and where other agents were started.
pub(super) struct Written {
    pub(super) translation: Translation,
    pub(super) started: Started,
    /// Whether a uuid names an entry here.
    pub(super) ids: HashMap<String, String>,
    /// The entry that the session ends at.
    pub(super) leaf: Option<String>,
    /// Responses whose output tokens are not in the file, only a number from their beginning.
    pub(super) without_output: usize,
}

/// Where other agents were started.
#[derive(Debug, Default)]
pub(super) struct Started {
    /// By the agent's id: the entry of its result, and the call.
    pub(super) by_agent: BTreeMap<String, (String, Option<String>)>,
    /// By the call's id: the entry of its result, else of the call.
    pub(super) by_call: HashMap<String, String>,
    /// What agents were asked to do, by the call's id, in file order.
    pub(super) tasks: Vec<(String, Task)>,
    /// Compactions with their times, in file order: an agent may have written the summary.
    pub(super) compactions: Vec<(String, Option<i64>)>,
}

/// A file's bytes and what was read of them.
#[derive(Clone, Copy)]
pub(super) struct File<'s> {
    pub(super) source: &'s [u8],
    pub(super) lines: &'s Lines,
    pub(super) links: &'s Links,
}

/// Writes the entries of the rows that are `members`, given in file order.
pub(super) fn write(file: File<'_>, members: &[usize], results: Option<&OwnFolder>) -> Written {
    let nodes = group(&file.lines.rows, file.links, members);
    let linear = straighten(&nodes.list);
    let mut writer = Writer {
        file,
        nodes: &nodes,
        lacks_prompt: stream_rows::lacks_prompt(file.lines, members),
        results,
        last_parts: HashMap::new(),
        written: Written {
            translation: Translation::new(Format::ClaudeCode),
            started: Started::default(),
            ids: HashMap::new(),
            leaf: None,
            without_output: 0,
        },
    };
    for &cut in &linear.cuts {
        let line = writer.first(cut).line;
        writer.written.translation.damage(line, DamageKind::Cycle);
    }
    for &joined in &nodes.joined {
        let line = writer.row(joined).line;
        writer.written.translation.damage(line, DamageKind::JoinedBefore);
    }
    if let (true, Some(&first)) = (writer.lacks_prompt, members.first()) {
        let line = writer.row(first).line;
        writer.written.translation.no_prompt(line);
    }
    for &node in &linear.order {
        writer.node(node, &linear);
    }
    writer.aliases(members);
    writer.leaf(members, &linear);
    writer.no_run_end(members);
    writer.started();
    writer.written
}

pub(super) struct Writer<'s> {
    pub(super) file: File<'s>,
    pub(super) nodes: &'s Nodes,
    /// Where results too large for their line were saved.
    pub(super) results: Option<&'s OwnFolder>,
    /// Of a stream: the prompt is not there.
    lacks_prompt: bool,
    /// How many entries a response became, by its first row, where it is more than one.
    last_parts: HashMap<usize, usize>,
    pub(super) written: Written,
}

/// A row's JSON.
pub(super) type ParsedLine<'s> = Json<'s>;

impl<'s> Writer<'s> {
    pub(super) fn row(&self, at: usize) -> &'s Row {
        &self.file.lines.rows[at]
    }

    pub(super) fn parsed(&self, at: usize) -> ParsedLine<'s> {
        let text = self.file.lines.text(self.file.source, self.row(at));
        stored_form(serde_json::from_str(text).unwrap_or(Json::Null)).0
    }

    fn first(&self, node: usize) -> &'s Row {
        self.row(self.nodes.list[node].rows[0])
    }

    /// The id of the last of a node's entries.
    fn last_id(&self, node: usize) -> String {
        let row = self.first(node);
        let parts = self.last_parts.get(&self.nodes.list[node].rows[0]);
        row.part_id(parts.copied().unwrap_or(row.parts))
    }

    fn node(&mut self, at: usize, linear: &Linear) {
        let node = &self.nodes.list[at];
        let row = self.first(at);
        let spot = Spot {
            line: row.line,
            id: Some(row.id.clone()),
            parent_id: linear.parents[at]
                .map(|up| self.last_id(up))
                .or_else(|| node.missing.clone())
                .or_else(|| self.lacks_prompt.then(|| NO_PROMPT_ID.to_owned())),
            time: row.time,
        };
        match row.kind {
            RowKind::Assistant => self.assistant(spot, node),
            RowKind::Boundary | RowKind::Summary => self.compaction(spot, node),
            RowKind::Command => self.command(spot, node),
            RowKind::Output => self.output(spot, node),
            RowKind::Queued => self.queued(spot, row, node.rows[0]),
            RowKind::Prompt | RowKind::Interruption | RowKind::Caveat | RowKind::Said => {
                self.user(spot, row, node.rows[0]);
            }
            RowKind::RunEnd => self.run_end(spot, row, node.rows[0]),
            RowKind::Event => self.event(spot, node.rows[0]),
        }
    }

    pub(super) fn push(&mut self, spot: Spot, entry_type: &str, fields: ObjectFields<'_>) {
        self.written.translation.push(spot, entry_type, fields);
    }

    pub(super) fn message(&mut self, spot: Spot, message: Json<'_>) {
        self.push(spot, "message", entry::message(message));
    }

    fn assistant(&mut self, spot: Spot, node: &Node) {
        let mut content = Vec::new();
        let [mut model, mut provider, mut usage, mut stop, mut cost, mut error] =
            [const { None }; 6];
        let mut id = None;
        let mut failed = false;
        for &at in &node.rows {
            let mut line = Fields::new(self.parsed(at));
            let message = line.take("message");
            // 2.1.330; with the model `<synthetic>` also in 2.1.12, 2.1.37 and 2.1.197.
            failed |= line.take("isApiErrorMessage").is_some_and(|flag| flag.is_truthy());
            error = line.take("error").or(error);
            // Of files of 2025, in US dollars: other readers. None of 1.0.98 or later that was read has it.
            cost = line.take("costUSD").or(cost);
            match message {
                Some(message @ Json::Object(_)) => {
                    let mut message = Fields::new(message);
                    content.extend(blocks(message.take("content")));
                    id = message.take("id").map(Json::into_text).or(id);
                    model = message.take("model").or(model);
                    provider = message.take("provider").or(provider);
                    // Each block of a response is a line of its own with the same message id (1.0.98 to 2.1.330).
                    usage = larger(message.take("usage"), usage);
                    stop = message.take("stop_reason").or(stop);
                }
                other => content.extend(blocks(other)),
            }
        }
        let partial = id.as_deref().and_then(|id| self.file.lines.stream.as_ref()?.end_of(id));
        stop = stop.or_else(|| partial.and_then(|end| end.stop.clone()).map(string));
        if let Some(output) = partial.and_then(|end| end.output) {
            usage = usage.map(|usage| with_output(usage, Some(output)));
        } else if stop.is_none() && self.is_placeholder(usage.as_ref(), &content) {
            usage = usage.map(|usage| with_output(usage, None));
            self.written.without_output += 1;
        }
        let call = |block: &Json<'_>| {
            let name = text(block, "name")?.to_owned();
            Some((text(block, "id")?.to_owned(), name))
        };
        let names: HashMap<String, String> = content.iter().filter_map(call).collect();
        let (before, content) = around_results(content);
        let has_words = content.iter().any(|block| text(block, "type") == Some("text"));
        let calls = content.iter().any(|block| text(block, "type") == Some("toolCall"));
        // Answers that the program makes up have no model behind them. 2.1.12 to 2.1.330.
        let model = model.filter(|model| model.as_str() != Some("<synthetic>"));
        let stop = if failed { Some(string("error")) } else { stop_reason(stop, calls) };
        let error = error.filter(|_| failed && !has_words).map(Json::into_text);
        let provider = model.as_ref().map(|_| provider.unwrap_or(string("anthropic")));
        let mut parts = Parts { spot, row: self.row(node.rows[0]), nth: 0 };
        for (content, result) in before {
            // What the provider ran stands within a response. Its tokens are those of the last part.
            if !content.is_empty() {
                let message = NewMessage::assistant(content)
                    .provider(provider.clone())
                    .model(model.clone())
                    .stop_reason(Some(string("toolUse")))
                    .given("goesOn", Some(Json::Bool(true)));
                self.message(parts.next(), message.json());
            }
            let name = text(&result, "tool_use_id").and_then(|call| names.get(call));
            self.provider_result(parts.next(), &result, name.map(String::as_str));
        }
        let message = NewMessage::assistant(content)
            .provider(provider)
            .model(model)
            .usage(usage.and_then(|usage| tokens(&usage, cost)))
            .stop_reason(stop)
            .error_message(error);
        self.message(parts.next(), message.json());
        if parts.nth > 1 {
            self.last_parts.insert(node.rows[0], parts.nth);
        }
    }

    /// Whether the output tokens are those that a response begins with, not its own: in a stream
    /// nothing else stands there, and a text is never so much longer than its tokens.
    // Rows of a stream state the number of `message_start`, mostly 1 (2.1.197, 2.1.330).
    fn is_placeholder(&self, usage: Option<&Json<'_>>, content: &[Json<'_>]) -> bool {
        const CHARS_PER_TOKEN: f64 = 12.0;
        let output = usage.and_then(|usage| usage.get("output_tokens")).and_then(Json::as_f64);
        let Some(output) = output.filter(|output| *output > 0.0) else { return false };
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52 characters")]
        let written = || content.iter().map(written_chars).sum::<usize>() as f64;
        self.file.lines.stream.is_some() || written() > output * CHARS_PER_TOKEN
    }

    // `compactMetadata` {preTokens, postTokens (counts of tokens), preservedSegment {headUuid}}: 2.1.37, 2.1.197.
    fn compaction(&mut self, spot: Spot, node: &Node) {
        let mut summary = String::new();
        let mut about = None;
        for &at in &node.rows {
            let mut line = Fields::new(self.parsed(at));
            if self.row(at).kind == RowKind::Summary {
                let content =
                    Fields::new(line.take("message").unwrap_or(Json::Null)).take("content");
                summary = words(&blocks(content));
            } else {
                about = line.take("compactMetadata");
            }
        }
        let mut about = Fields::new(about.unwrap_or(Json::Null));
        let (before, after) = (about.take("preTokens"), about.take("postTokens"));
        let segment = about.take("preservedSegment");
        let kept =
            segment.as_ref().and_then(|segment| text(segment, "headUuid")).map(str::to_owned);
        let mut rest = about.rest();
        rest.extend(segment.map(|segment| (Cow::Borrowed("preservedSegment"), segment)));
        self.written.started.compactions.extend(spot.id.clone().map(|id| (id, spot.time)));
        let compaction = NewCompaction::new(Some(summary))
            .tokens_before(before)
            .tokens_after(after)
            .first_kept(kept)
            .details(rest);
        self.push(spot, "compaction", compaction.fields());
    }

    /// A command of the person's, with what it printed where it ran at their side.
    fn command(&mut self, spot: Spot, node: &Node) {
        let line = self.parsed(node.rows[0]);
        let output = node.rows.get(1).map(|&at| self.parsed(at));
        let output = output.as_ref().and_then(|output| match commands::of(output) {
            Some(CommandText::Output { out, err }) => Some(commands::together(out, err)),
            _ => None,
        });
        let command = match commands::of(&line) {
            Some(CommandText::Bash(command)) => command.to_owned(),
            Some(CommandText::Command { name, arguments }) => slash(name, arguments),
            _ => String::new(),
        };
        let contents = commands::contents(&line);
        let ran = output.is_some() || matches!(commands::of(&line), Some(CommandText::Bash(_)));
        let message = if ran {
            let output = output.unwrap_or_default();
            let printed = commands::together(contents.unwrap_or_default(), &output);
            NewMessage::shell(Some(command), Some(printed))
                .given("cancelled", Some(Json::Bool(false)))
                .given("truncated", Some(Json::Bool(false)))
        } else {
            let contents = contents.map(|contents| text_block(contents.to_owned()));
            let content: Vec<_> = std::iter::once(text_block(command)).chain(contents).collect();
            NewMessage::user(content)
        };
        self.message(spot, message.json());
    }

    /// An output whose command is not there.
    fn output(&mut self, spot: Spot, node: &Node) {
        let line = self.parsed(node.rows[0]);
        let printed = match commands::of(&line) {
            Some(CommandText::Output { out, err }) => commands::together(out, err),
            _ => String::new(),
        };
        self.push(
            spot,
            "custom_message",
            entry::custom_message("command-output", vec![text_block(printed)], true),
        );
    }

    /// A prompt that waited in the queue: an attachment says that it was delivered.
    fn queued(&mut self, spot: Spot, row: &Row, at: usize) {
        let mut line = Fields::new(self.parsed(at));
        let Some(fate) = row.fate else {
            let attachment = line.take("attachment").unwrap_or(Json::Null);
            let prompt = Fields::new(attachment).take("prompt");
            return self.message(spot, NewMessage::user(blocks(prompt)).json());
        };
        let content = blocks(line.take("content"));
        let name = match fate {
            Fate::Delivered => return self.message(spot, NewMessage::user(content).json()),
            Fate::TakenBack => queued_prompt::TAKEN_BACK,
            Fate::NotSent => queued_prompt::NOT_SENT,
            Fate::GivenToAgent => queued_prompt::GIVEN_TO_AGENT,
        };
        self.push(spot, "custom_message", entry::custom_message(name, content, true));
    }

    /// A user's line: each result an entry, and what stands between results.
    fn user(&mut self, spot: Spot, row: &Row, at: usize) {
        let line = self.parsed(at);
        let injected = match commands::of(&line) {
            Some(CommandText::Injected(name)) => Some(name),
            _ => flag(&line, "isMeta").then_some("meta"),
        };
        let mut fields = Fields::new(line);
        let left = fields.take("toolUseResult").filter(|_| row.answers.len() == 1);
        let content = match fields.take("message") {
            Some(message @ Json::Object(_)) => Fields::new(message).take("content"),
            None => return self.event(spot, at),
            other => other,
        };
        let mut parts = Parts { spot, row, nth: 0 };
        let mut between = Vec::new();
        let mut left = left;
        let mut items = match content {
            Some(Json::Array(items)) => items,
            other => blocks(other),
        };
        let typed = items.split_off(commands::editor_blocks(&items));
        if !items.is_empty() {
            self.editors_words(&mut parts.spot, items);
        }
        for item in typed {
            if is_result(&item) {
                self.words_of(&mut parts, std::mem::take(&mut between), injected);
                self.result(&mut parts, item, left.take());
            } else {
                between.push(item);
            }
        }
        if parts.nth == 0 || !between.is_empty() {
            // A line without any content still is an entry.
            let content = blocks(Some(Json::Array(between)));
            self.write_words(parts.next(), content, injected);
        }
    }

    /// What an editor said ahead of a prompt: the prompt keeps the line's id and hangs from it.
    fn editors_words(&mut self, prompt: &mut Spot, items: Vec<Json<'_>>) {
        let id = prompt.id.as_ref().map(|id| format!("{id}#editor"));
        let content = blocks(Some(Json::Array(items)));
        let spot = Spot { id: id.clone(), ..prompt.clone() };
        self.push(spot, "custom_message", entry::custom_message("editor", content, false));
        prompt.parent_id = id;
    }

    fn words_of(&mut self, parts: &mut Parts<'_>, items: Vec<Json<'_>>, injected: Option<&str>) {
        if !items.is_empty() {
            self.write_words(parts.next(), blocks(Some(Json::Array(items))), injected);
        }
    }

    fn write_words(&mut self, spot: Spot, content: Vec<Json<'_>>, injected: Option<&str>) {
        match injected {
            Some(name) => {
                self.push(
                    spot,
                    "custom_message",
                    entry::custom_message(name, content, name == "interrupted"),
                );
            }
            None => self.message(spot, NewMessage::user(content).json()),
        }
    }

    /// Every other id of a node, and those of its copies.
    fn aliases(&mut self, members: &[usize]) {
        for &at in members {
            let Some(&node) = self.nodes.of_row.get(&self.file.links.standing(at)) else {
                continue;
            };
            let (own, id) = (&self.row(at).id, &self.first(node).id);
            self.written.ids.insert(own.clone(), id.clone());
            if own != id {
                self.written.translation.alias(own.clone(), id.clone());
            }
        }
    }

    /// The session stands at the end of the line that its last row is on.
    fn leaf(&mut self, members: &[usize], linear: &Linear) {
        let last = members.iter().rev().find_map(|at| self.nodes.of_row.get(at));
        if let Some(&node) = last {
            let id = self.last_id(linear.end(node));
            self.written.leaf = Some(id.clone());
            self.written.translation.leaf(id);
        }
    }

    fn started(&mut self) {
        let mut tasks: Vec<_> =
            self.nodes.calls.iter().filter(|(_, call)| call.task.is_some()).collect();
        tasks.sort_by_key(|(id, call)| (call.node, *id));
        for (id, call) in &self.nodes.calls {
            let entry = self.first(call.node).id.clone();
            self.written.started.by_call.entry(id.clone()).or_insert(entry);
        }
        let asked =
            tasks.into_iter().filter_map(|(id, call)| Some((id.clone(), call.task.clone()?)));
        self.written.started.tasks = asked.collect();
    }
}

/// What stands before each result of a tool that the provider ran, with that result; and what is left.
fn around_results(content: Vec<Json<'_>>) -> (Vec<(Vec<Json<'_>>, Json<'_>)>, Vec<Json<'_>>) {
    let mut before = Vec::new();
    let mut open = Vec::new();
    for block in content {
        if provider_tools::is_result(&block) {
            before.push((std::mem::take(&mut open), block));
        } else {
            open.push(block);
        }
    }
    (before, open)
}

/// The entries of one line, each hanging from the one before.
pub(super) struct Parts<'r> {
    spot: Spot,
    pub(super) row: &'r Row,
    nth: usize,
}

impl Parts<'_> {
    pub(super) fn next(&mut self) -> Spot {
        self.nth += 1;
        let id = self.row.part_id(self.nth);
        let spot = Spot { id: Some(id.clone()), ..self.spot.clone() };
        self.spot.parent_id = Some(id);
        spot
    }
}
