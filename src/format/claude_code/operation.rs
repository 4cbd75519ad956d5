//! The lines of the queue, and the prompts that they tell of.

use crate::format::lines::Value;
use crate::session::json::Json;
use crate::session::{Place, time};

use super::access::text;
use super::commands::{self, CommandText};
use super::content::said_by;
use super::row::{Fate, Row, RowKind};

/// One `queue-operation` line.
#[derive(Debug)]
pub(super) struct Operation {
    pub(super) kind: OperationKind,
    pub(super) line: u32,
    pub(super) place: Place,
    pub(super) id: String,
    pub(super) session: Option<String>,
    pub(super) time: Option<i64>,
    /// Its text, trimmed; empty where it has none.
    pub(super) text: String,
    /// Said by the program under the person's name, such as the end of a background task.
    pub(super) is_programs: bool,
    /// How many rows stand before it.
    pub(super) at: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OperationKind {
    Enqueue,
    Dequeue,
    Remove(Fate),
    PopAll,
}

impl Operation {
    /// Reads a line; of an operation that is not known, nothing.
    pub(super) fn read(
        value: &Value<'_>,
        json: &Json<'_>,
        id: String,
        at: usize,
    ) -> Option<Operation> {
        // enqueue, dequeue: 2.1.37 to 2.1.330; remove: 2.1.37; popAll and the reasons: see `queue.rs`.
        let kind = match text(json, "operation")? {
            "enqueue" => OperationKind::Enqueue,
            "dequeue" => OperationKind::Dequeue,
            "remove" => OperationKind::Remove(match text(json, "reason") {
                // Versions before 2.1.246 give no reason.
                None | Some("absorbed_mid_turn") => Fate::Delivered,
                Some("delivered_to_agent") => Fate::GivenToAgent,
                Some(_) => Fate::TakenBack,
            }),
            "popAll" => OperationKind::PopAll,
            _ => return None,
        };
        let said = said_by(json.get("content").unwrap_or(&Json::Null));
        Some(Operation {
            kind,
            line: value.line,
            place: value.place,
            id,
            session: text(json, "sessionId").map(str::to_owned),
            time: json.get("timestamp").and_then(time::read),
            is_programs: is_programs(&said),
            text: said.trim().to_owned(),
            at,
        })
    }
}

/// Whether a text in the queue is the program's: notices take the same way as prompts.
fn is_programs(said: &str) -> bool {
    let is_task = || {
        let task = said.trim_start().starts_with('{').then(|| serde_json::from_str(said));
        task.and_then(Result::ok).is_some_and(|task: Json<'_>| task.get("task_id").is_some())
    };
    matches!(commands::read(said), Some(CommandText::Injected(_) | CommandText::Output { .. }))
        || is_task()
}

/// A text that was in the queue.
pub(super) struct Queued {
    pub(super) operation: Operation,
    pub(super) mark: u64,
    /// What it left by, and where.
    pub(super) left: Option<Leave>,
}

pub(super) struct Leave {
    pub(super) kind: OperationKind,
    pub(super) at: usize,
    time: Option<i64>,
}

impl Leave {
    pub(super) fn by(operation: &Operation) -> Leave {
        Leave { kind: operation.kind, at: operation.at, time: operation.time }
    }
}

impl Queued {
    /// Whether it is a person's and says anything.
    pub(super) fn is_prompt(&self) -> bool {
        !self.operation.is_programs && !self.operation.text.is_empty()
    }

    /// Where it left to be sent as an ordinary prompt.
    pub(super) fn dequeued_at(&self) -> Option<usize> {
        self.left.as_ref().filter(|left| left.kind == OperationKind::Dequeue).map(|left| left.at)
    }

    /// Its row, and the number of rows before it.
    pub(super) fn row(self) -> (usize, Row) {
        let Queued { operation, mark, left } = self;
        let fate = match left.as_ref().map(|left| left.kind) {
            Some(OperationKind::Remove(fate)) => fate,
            Some(_) => Fate::TakenBack,
            None => Fate::NotSent,
        };
        let at = left.as_ref().map_or(operation.at, |left| left.at);
        let row = Row {
            value: (operation.line, 1),
            sub_of: None,
            line: operation.line,
            place: operation.place,
            id: operation.id,
            parent: None,
            session: operation.session,
            time: left.and_then(|left| left.time).or(operation.time),
            kind: RowKind::Queued,
            is_sidechain: false,
            agent: None,
            response: None,
            calls: Vec::new(),
            answers: Vec::new(),
            ran_agent: None,
            progress_of: None,
            parts: 1,
            is_unlinked: true,
            fate: Some(fate),
            is_compact: false,
            said: Vec::new(),
            mark,
        };
        (at, row)
    }
}

/// Of each place between rows, the first row from there on that is such a one.
pub(super) fn first_from(rows: &[Row], is_such: impl Fn(&Row) -> bool) -> Vec<Option<usize>> {
    let mut first = vec![None; rows.len() + 1];
    for at in (0..rows.len()).rev() {
        first[at] = if is_such(&rows[at]) { Some(at) } else { first[at + 1] };
    }
    first
}
