//! All lines of a file: those with a place in the tree, and what the others say.

use std::collections::{BTreeMap, HashSet};
use std::hash::RandomState;

use crate::session::json::Json;
use crate::session::{Damage, DamageKind, Place, time};

use crate::format::ReadOptions;
use crate::format::lines::Value;

use super::access::text;
use super::cost_state::CostState;
use super::operation::Operation;
use super::queue::Queue;
use super::row::Row;
use super::session_facts::SessionFacts;
use super::stream::{Stream, stored_form};

/// The type of the lines that say how prompts wait and leave.
const QUEUE_OPERATION: &str = "queue-operation";

/// All lines of a file.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub(super) rows: Vec<Row>,
    pub(super) repaired: Vec<String>,
    pub(super) damage: Vec<Damage>,
    /// Lines without a place in the tree, counted by type.
    pub(super) aside: BTreeMap<String, usize>,
    pub(super) titles: Titles,
    pub(super) session_ids: HashSet<String>,
    pub(super) session_id: Option<String>,
    /// When the first line that has a time was written: that of a fork, which may stand above the lines that it copied.
    pub(super) begun: Option<i64>,
    pub(super) cwd: Option<String>,
    /// The version of Claude Code that wrote the last line which names one.
    pub(super) version: Option<String>,
    /// The same for the git branch.
    pub(super) git_branch: Option<String>,
    /// The first line that links each pull request.
    pub(super) pull_requests: BTreeMap<String, u32>,
    pub(super) facts: SessionFacts,
    /// What only the stream of a headless run has; `None` of a stored session.
    pub(super) stream: Option<Stream>,
    /// The last line that states what the session took.
    pub(super) cost: Option<CostState>,
    /// The cost that each such line states, and the line.
    pub(super) costs: Vec<(u32, f64)>,
    operations: Vec<Operation>,
}

/// The names that a file gives its session.
#[derive(Debug, Default)]
pub(super) struct Titles {
    custom: Option<String>,
    ai: Option<String>,
    /// Each with the last line of the conversation it names.
    summaries: Vec<(String, String)>,
}

impl Titles {
    /// The person's own beats the model's, which beats a summary of a conversation in this file.
    // toolpath, entry-types.md: a `summary` may name a conversation of another file by its `leafUuid`.
    pub(super) fn best(&self, is_here: impl Fn(&str) -> bool) -> Option<String> {
        let summary = self.summaries.iter().rev().find(|(leaf, _)| is_here(leaf));
        let summary = summary.map(|(_, summary)| summary);
        self.custom.as_ref().or(self.ai.as_ref()).or(summary).cloned()
    }
}

impl Lines {
    /// Reads every line of `source`.
    pub(super) fn read(source: &[u8], options: &ReadOptions) -> Lines {
        let mut lines = Lines::default();
        let hasher = RandomState::new();
        let scan = options.scan_json(source, |value, json| lines.value(&value, json, &hasher));
        lines.repaired = scan.repaired;
        lines.damage.extend(scan.damage);
        lines.take_queue(&hasher);
        lines.take_stream(source, &hasher);
        lines
    }

    /// Gives the prompts that stand in the queue alone their rows.
    fn take_queue(&mut self, hasher: &RandomState) {
        let operations = std::mem::take(&mut self.operations);
        let count = self.aside.remove(QUEUE_OPERATION).unwrap_or_default();
        let queued = Queue::replay(&self.rows, operations, hasher);
        let left = count.saturating_sub(queued.len());
        if left > 0 {
            self.aside.insert(QUEUE_OPERATION.to_owned(), left);
        }
        let mut queued = queued.into_iter().peekable();
        let rows = std::mem::take(&mut self.rows);
        for (at, row) in rows.into_iter().enumerate() {
            while let Some((_, queued)) = queued.next_if(|(place, _)| *place <= at) {
                self.rows.push(queued);
            }
            self.rows.push(row);
        }
        self.rows.extend(queued.map(|(_, row)| row));
    }

    /// The text of a row.
    pub(super) fn text<'a>(&'a self, source: &'a [u8], row: &Row) -> &'a str {
        match row.place {
            Place::Source { start, len } => {
                let bytes = source.get(start..start + len).unwrap_or_default();
                std::str::from_utf8(bytes).unwrap_or_default()
            }
            Place::Repaired(at) => self.repaired.get(at).map_or("", String::as_str),
        }
    }

    fn value(&mut self, value: &Value<'_>, json: Json<'_>, hasher: &RandomState) {
        if !matches!(json, Json::Object(_)) {
            return self.note(value.line, DamageKind::NotAnObject);
        }
        let (json, is_streams) = stored_form(json);
        self.about(&json);
        self.facts.read(value.line, &json);
        let at = self.rows.len();
        if is_streams && self.stream.get_or_insert_default().take(value, &json, at) {
            return self.aside(value, &json);
        }
        match Row::read(value, &json, hasher) {
            Some(mut row) => {
                // It lies in the file of the session that the agent is of.
                row.parent.take_if(|parent| self.facts.given_up_to() == Some(&**parent));
                self.rows.push(row);
            }
            None => self.aside(value, &json),
        }
    }

    fn note(&mut self, line: u32, kind: DamageKind) {
        self.damage.push(Damage { line, kind });
    }

    fn about(&mut self, json: &Json<'_>) {
        if let Some(id) = text(json, "sessionId") {
            if !self.session_ids.contains(id) {
                self.session_ids.insert(id.to_owned());
            }
            self.session_id.get_or_insert_with(|| id.to_owned());
        }
        if self.begun.is_none() {
            self.begun = json.get("timestamp").and_then(time::read);
        }
        if self.cwd.is_none() {
            self.cwd = text(json, "cwd").map(str::to_owned);
        }
        set(&mut self.version, text(json, "version").or(text(json, "claudeCodeVersion")));
        // Without a repository, or on no branch, it says so by these. `""`: 1.0.98. `HEAD` is what git itself prints
        // (git-rev-parse, --abbrev-ref).
        let branch = text(json, "gitBranch").filter(|name| !matches!(*name, "" | "HEAD"));
        set(&mut self.git_branch, branch);
    }

    /// A line that says something of the session rather than in it.
    fn aside(&mut self, value: &Value<'_>, json: &Json<'_>) {
        let Some(kind) = text(json, "type") else {
            return self.note(value.line, DamageKind::NoId);
        };
        let named = |key| text(json, key).map(str::to_owned);
        match kind {
            "custom-title" => {
                self.titles.custom = named("customTitle").or(self.titles.custom.take());
            }
            "ai-title" => self.titles.ai = named("aiTitle").or(self.titles.ai.take()),
            "cost-state" => {
                if let Some(cost) = CostState::read(value.line, json) {
                    self.costs.push((cost.line, cost.stated.cost));
                    self.cost = Some(cost);
                }
            }
            "summary" => {
                self.titles.summaries.extend(named("leafUuid").zip(named("summary")));
            }
            "pr-link" => {
                if let Some(address) = named("prUrl") {
                    self.pull_requests.entry(address).or_insert(value.line);
                }
            }
            QUEUE_OPERATION => {
                let (id, before) = (value.line_id(), self.rows.len());
                self.operations.extend(Operation::read(value, json, id, before));
            }
            _ => {}
        }
        let kind = text(json, "subtype").filter(|_| kind == "system").unwrap_or(kind);
        *self.aside.entry(kind.to_owned()).or_default() += 1;
    }
}

/// Takes a newer value; lines mostly repeat the one before.
fn set(value: &mut Option<String>, newer: Option<&str>) {
    if newer.is_some() && newer != value.as_deref() {
        *value = newer.map(str::to_owned);
    }
}
