//! Prompts typed while the agent was at work, as far as only the queue holds them.
//!
//! Such a prompt is an `enqueue` line, and one line says how it left: `remove` (given to
//! the agent in the middle of its turn), `dequeue` (sent as an ordinary prompt, which
//! follows, or dropped at an interruption), `popAll` (put back into the input box). Nothing ties
//! these lines together but their order and, in newer versions, the text. Newer versions
//! also write what a `remove` gave as a `queued_command` attachment. A prompt that has a line
//! of its own is shown there; of all others the queue's lines become rows here.
//!
//! Seen in versions 2.1.0 to 2.1.28x; the program documents none of it.

use std::collections::{HashMap, VecDeque};
use std::hash::RandomState;

use crate::format::lines::Value;
use crate::session::json::Json;
use crate::session::{Place, time};

use super::content::{blocks, words};
use super::rows::{Kind, Row, text, text_mark};
use super::spoken::{self, Spoken};

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

/// One `queue-operation` line.
#[derive(Debug)]
pub(super) struct Operation {
    kind: OperationKind,
    line: u32,
    place: Place,
    id: String,
    session: Option<String>,
    time: Option<i64>,
    /// Its text, trimmed; empty where it has none.
    text: String,
    /// Said by the program under the person's name, such as the end of a background task.
    is_programs: bool,
    /// How many rows stand before it.
    at: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OperationKind {
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
        let said = words(&blocks(json.get("content").cloned()));
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
    matches!(spoken::read(said), Some(Spoken::Injected(_) | Spoken::Output { .. })) || is_task()
}

/// A text that was in the queue.
struct Queued {
    operation: Operation,
    mark: u64,
    /// What it left by, and where.
    left: Option<Leave>,
}

struct Leave {
    kind: OperationKind,
    at: usize,
    time: Option<i64>,
}

/// The queue, and the lines that its prompts may stand in.
pub(super) struct Queue<'r> {
    rows: &'r [Row],
    all: Vec<Queued>,
    /// Those that wait: by text, the person's in order, the program's in order. What left stays
    /// in the lists it was not taken from, to be passed over.
    by_text: HashMap<u64, VecDeque<usize>>,
    prompts: VecDeque<usize>,
    notices: VecDeque<usize>,
    /// Of each place between rows, the first row from there on that says something.
    next_said: Vec<Option<usize>>,
}

impl<'r> Queue<'r> {
    /// Plays the operations again, and gives the rows of prompts that have no line of
    /// their own, each with the number of rows before it, in order.
    pub(super) fn replay(
        rows: &'r [Row],
        operations: Vec<Operation>,
        hasher: &RandomState,
    ) -> Vec<(usize, Row)> {
        if operations.is_empty() {
            return Vec::new();
        }
        let mut queue = Queue {
            rows,
            all: Vec::new(),
            by_text: HashMap::new(),
            prompts: VecDeque::new(),
            notices: VecDeque::new(),
            next_said: first_from(rows, |row| !row.said.is_empty()),
        };
        for operation in operations {
            let mark = text_mark(&operation.text, hasher);
            match operation.kind {
                OperationKind::Enqueue => queue.enqueue(operation, mark),
                OperationKind::PopAll => queue.pop_all(operation, mark),
                _ => queue.leave(operation, mark),
            }
        }
        let is_shown = queue.shown(hasher);
        let own = queue.all.into_iter().zip(is_shown);
        let own = own.filter(|(queued, is_shown)| {
            !is_shown && !queued.operation.is_programs && !queued.operation.text.is_empty()
        });
        let mut found: Vec<(usize, Row)> = own.map(|(queued, _)| queued.row()).collect();
        // Stable: what left at one place keeps its order.
        found.sort_by_key(|(place, _)| *place);
        found
    }

    fn enqueue(&mut self, operation: Operation, mark: u64) {
        let at = self.all.len();
        self.by_text.entry(mark).or_default().push_back(at);
        let is_prompt = !operation.is_programs && !operation.text.is_empty();
        if is_prompt { &mut self.prompts } else { &mut self.notices }.push_back(at);
        self.all.push(Queued { operation, mark, left: None });
    }

    fn pop_all(&mut self, operation: Operation, mark: u64) {
        if self.named(&operation, mark).is_some() {
            return self.leave(operation, mark);
        }
        // Without its text it is all of them: notices cannot be edited and stay.
        let mut is_empty = true;
        while let Some(at) = next_waiting(&self.all, &mut self.prompts) {
            self.all[at].left = Some(Leave::by(&operation));
            is_empty = false;
        }
        if is_empty {
            self.leave(operation, mark);
        }
    }

    fn leave(&mut self, operation: Operation, mark: u64) {
        let left = Leave::by(&operation);
        match self.leaves(&operation, mark) {
            Some(at) => self.all[at].left = Some(left),
            // It came into the queue before the file begins.
            None if !operation.text.is_empty() => {
                self.all.push(Queued { operation, mark, left: Some(left) });
            }
            None => {}
        }
    }

    /// Which one leaves: the one named; else, for a `dequeue`, the one that the next line
    /// says; else the first, prompts ahead of notices as the program prefers them.
    fn leaves(&mut self, operation: &Operation, mark: u64) -> Option<usize> {
        if !operation.text.is_empty() {
            return self.named(operation, mark);
        }
        if operation.kind == OperationKind::Dequeue {
            let next = self.next_said[operation.at.min(self.rows.len())];
            let marks = next.map(|row| self.rows[row].said.as_slice()).unwrap_or_default();
            let sent = marks.iter().find_map(|mark| self.first_of(*mark));
            if sent.is_some() {
                return sent;
            }
        }
        next_waiting(&self.all, &mut self.prompts)
            .or_else(|| next_waiting(&self.all, &mut self.notices))
    }

    fn named(&mut self, operation: &Operation, mark: u64) -> Option<usize> {
        if operation.text.is_empty() { None } else { self.first_of(mark) }
    }

    fn first_of(&mut self, mark: u64) -> Option<usize> {
        let waiting = self.by_text.get_mut(&mark)?;
        let first = next_waiting(&self.all, waiting)?;
        waiting.push_front(first);
        Some(first)
    }

    /// Which of them stand in a line of their own. Each line is the place of one.
    fn shown(&self, hasher: &RandomState) -> Vec<bool> {
        let mut said: HashMap<u64, VecDeque<usize>> = HashMap::new();
        for (at, row) in self.rows.iter().enumerate() {
            for mark in &row.said {
                said.entry(*mark).or_default().push_back(at);
            }
        }
        let next_response = first_from(self.rows, |row| row.kind == Kind::Assistant);
        let mut claim = |mark: u64, from: usize, until: Option<usize>| {
            let Some(places) = said.get_mut(&mark) else { return false };
            while places.front().is_some_and(|place| *place < from) {
                places.pop_front();
            }
            let fits = |place: &&usize| {
                self.rows[**place].kind == Kind::Queued || until.is_none_or(|until| **place < until)
            };
            places.front().filter(fits).is_some() && places.pop_front().is_some()
        };
        let mut shown: Vec<bool> = self
            .all
            .iter()
            .map(|queued| {
                let from = queued.operation.at;
                match &queued.left {
                    Some(left) => match left.kind {
                        OperationKind::PopAll => false,
                        // The same words in a later turn are another prompt.
                        OperationKind::Remove(_) => {
                            let until = next_response[left.at.min(self.rows.len())];
                            claim(queued.mark, from, Some(until.unwrap_or(self.rows.len())))
                        }
                        _ => claim(queued.mark, from, None),
                    },
                    None => claim(queued.mark, from, None),
                }
            })
            .collect();
        // Several that left together may have been sent as one prompt.
        let mut together: Vec<usize> = (0..self.all.len())
            .filter(|&at| !shown[at] && self.all[at].is_dequeued_at().is_some())
            .collect();
        together.sort_by_key(|&at| self.all[at].is_dequeued_at());
        for batch in together
            .chunk_by(|a, b| self.all[*a].is_dequeued_at() == self.all[*b].is_dequeued_at())
            .filter(|batch| batch.len() > 1)
        {
            let texts: Vec<&str> =
                batch.iter().map(|&at| self.all[at].operation.text.as_str()).collect();
            let from = self.all[batch[0]].operation.at;
            if claim(text_mark(&texts.join("\n"), hasher), from, None) {
                batch.iter().for_each(|&at| shown[at] = true);
            }
        }
        shown
    }
}

/// Of each place between rows, the first row from there on that is such a one.
fn first_from(rows: &[Row], is_such: impl Fn(&Row) -> bool) -> Vec<Option<usize>> {
    let mut first = vec![None; rows.len() + 1];
    for at in (0..rows.len()).rev() {
        first[at] = if is_such(&rows[at]) { Some(at) } else { first[at + 1] };
    }
    first
}

/// Takes the first of a list that did not leave yet.
fn next_waiting(all: &[Queued], list: &mut VecDeque<usize>) -> Option<usize> {
    while let Some(at) = list.pop_front() {
        if all[at].left.is_none() {
            return Some(at);
        }
    }
    None
}

impl Leave {
    fn by(operation: &Operation) -> Leave {
        Leave { kind: operation.kind, at: operation.at, time: operation.time }
    }
}

impl Queued {
    fn is_dequeued_at(&self) -> Option<usize> {
        self.left.as_ref().filter(|left| left.kind == OperationKind::Dequeue).map(|left| left.at)
    }

    /// Its row, and the number of rows before it.
    fn row(self) -> (usize, Row) {
        let Queued { operation, mark, left } = self;
        let fate = match left.as_ref().map(|left| left.kind) {
            Some(OperationKind::Remove(fate)) => fate,
            Some(_) => Fate::TakenBack,
            None => Fate::NotSent,
        };
        let at = left.as_ref().map_or(operation.at, |left| left.at);
        let row = Row {
            line: operation.line,
            place: operation.place,
            id: operation.id,
            parent: None,
            session: operation.session,
            time: left.and_then(|left| left.time).or(operation.time),
            kind: Kind::Queued,
            is_sidechain: false,
            agent: None,
            response: None,
            calls: Vec::new(),
            answers: Vec::new(),
            ran_agent: None,
            parts: 1,
            is_unlinked: true,
            fate: Some(fate),
            said: Vec::new(),
            mark,
        };
        (at, row)
    }
}
