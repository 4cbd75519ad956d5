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

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::RandomState;

use super::access::text_mark;
use super::claims;
use super::operation::{Leave, Operation, OperationKind, Queued, first_from};
use super::row::{Row, RowKind};

/// The queue, played again.
pub(super) struct Queue<'r> {
    rows: &'r [Row],
    all: Vec<Queued>,
    /// Those that wait: by text, the person's in order, the program's in order. What left stays
    /// in the lists it was not taken from, to be passed over.
    by_text: HashMap<u64, VecDeque<usize>>,
    prompts: VecDeque<usize>,
    notices: VecDeque<usize>,
    /// Prompts of a run of the program that ended with them in its queue.
    stale: VecDeque<usize>,
    /// Of each place between rows, the first row from there on that says something.
    next_said: Vec<Option<usize>>,
    /// Of each place between rows, how many rows there are up to the last prompt before it
    /// that never was in the queue. Nothing waited when it was typed: it would have, too.
    idle_until: Vec<usize>,
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
        let queued_marks: HashSet<u64> =
            operations.iter().map(|operation| text_mark(&operation.text, hasher)).collect();
        let is_direct = |row: &Row| {
            row.kind == RowKind::Prompt
                && !row.is_sidechain
                && !row.said.iter().any(|mark| queued_marks.contains(mark))
        };
        let mut idle_until = vec![0; rows.len() + 1];
        for (at, row) in rows.iter().enumerate() {
            idle_until[at + 1] = if is_direct(row) { at + 1 } else { idle_until[at] };
        }
        let mut queue = Queue {
            rows,
            idle_until,
            stale: VecDeque::new(),
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
        let is_shown = claims::shown(rows, &queue.all, hasher);
        let own = queue.all.into_iter().zip(is_shown);
        let own = own.filter(|(queued, is_shown)| !is_shown && queued.is_prompt());
        let mut found: Vec<(usize, Row)> = own.map(|(queued, _)| queued.row()).collect();
        // Stable: what left at one place keeps its order.
        found.sort_by_key(|(place, _)| *place);
        found
    }

    fn enqueue(&mut self, operation: Operation, mark: u64) {
        let at = self.all.len();
        self.by_text.entry(mark).or_default().push_back(at);
        let queued = Queued { operation, mark, left: None };
        if queued.is_prompt() { &mut self.prompts } else { &mut self.notices }.push_back(at);
        self.all.push(queued);
    }

    fn pop_all(&mut self, operation: Operation, mark: u64) {
        if self.named(&operation, mark).is_some() {
            return self.leave(operation, mark);
        }
        // Without its text it is all of them: notices cannot be edited and stay.
        self.put_stale_aside(operation.at);
        let mut is_empty = true;
        while let Some(at) = next_waiting(&self.all, &mut self.prompts) {
            self.all[at].left = Some(Leave::by(&operation));
            is_empty = false;
        }
        if is_empty && !operation.text.is_empty() {
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
        self.put_stale_aside(operation.at);
        [&mut self.prompts, &mut self.stale, &mut self.notices]
            .into_iter()
            .find_map(|list| next_waiting(&self.all, list))
    }

    /// A prompt that waited when another was typed that did not is no longer in the queue.
    fn put_stale_aside(&mut self, at: usize) {
        let idle_until = self.idle_until[at.min(self.rows.len())];
        while let Some(&first) = self.prompts.front()
            && self.all[first].operation.at < idle_until
        {
            self.prompts.pop_front();
            self.stale.push_back(first);
        }
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
