//! Which prompts of the queue stand in a line of their own.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::hash::RandomState;

use super::access::text_mark;
use super::operation::{OperationKind, Queued, first_from};
use super::row::{Fate, Row, RowKind};

/// Of each prompt, whether a line says it. Each line is the place of one, in order.
pub(super) fn shown(rows: &[Row], all: &[Queued], hasher: &RandomState) -> Vec<bool> {
    let mut lines = Lines::of(rows);
    let mut shown: Vec<bool> = all.iter().map(|queued| lines.claim_of(queued)).collect();
    for (at, queued) in all.iter().enumerate() {
        // Each delivery writes one attachment, which may word the prompt otherwise.
        let Some(until) = lines.delivered_by(queued).filter(|_| !shown[at]) else { continue };
        let nearest = lines.attachments.range(queued.operation.at..until).next().copied();
        shown[at] = nearest.is_some_and(|attachment| lines.attachments.remove(&attachment));
    }
    // Several that left together may have been sent as one prompt.
    let mut together: Vec<usize> =
        (0..all.len()).filter(|&at| !shown[at] && all[at].dequeued_at().is_some()).collect();
    together.sort_by_key(|&at| all[at].dequeued_at());
    for batch in together.chunk_by(|a, b| all[*a].dequeued_at() == all[*b].dequeued_at()) {
        let texts: Vec<&str> = batch.iter().map(|&at| all[at].operation.text.as_str()).collect();
        let mark = text_mark(&texts.join("\n"), hasher);
        if batch.len() > 1 && lines.claim(mark, all[batch[0]].operation.at, None) {
            for &at in batch {
                shown[at] = true;
            }
        }
    }
    shown
}

/// The lines that say something, by what they say.
struct Lines<'r> {
    rows: &'r [Row],
    said: HashMap<u64, VecDeque<usize>>,
    /// The attachments that no prompt claimed yet.
    attachments: BTreeSet<usize>,
    /// Of each place between rows, the first response from there on.
    next_response: Vec<Option<usize>>,
}

impl<'r> Lines<'r> {
    fn of(rows: &'r [Row]) -> Lines<'r> {
        let mut said: HashMap<u64, VecDeque<usize>> = HashMap::new();
        for (at, row) in rows.iter().enumerate() {
            for mark in &row.said {
                said.entry(*mark).or_default().push_back(at);
            }
        }
        let next_response = first_from(rows, |row| row.kind == RowKind::Assistant);
        let is_attachment = |at: &usize| rows[*at].kind == RowKind::Queued;
        let attachments = (0..rows.len()).filter(is_attachment).collect();
        Lines { rows, said, attachments, next_response }
    }

    fn claim_of(&mut self, queued: &Queued) -> bool {
        let from = queued.operation.at;
        match &queued.left {
            Some(left) => match left.kind {
                // It is in the input box again: what is sent from there is another prompt.
                OperationKind::PopAll => false,
                // The same words in a later turn are another prompt.
                OperationKind::Remove(_) => {
                    self.claim(queued.mark, from, Some(self.response_after(left.at)))
                }
                OperationKind::Enqueue | OperationKind::Dequeue => {
                    self.claim(queued.mark, from, None)
                }
            },
            None => self.claim(queued.mark, from, None),
        }
    }

    /// Of a prompt of the person's that was delivered, the response it was delivered ahead of.
    fn delivered_by(&self, queued: &Queued) -> Option<usize> {
        let left = queued.left.as_ref()?;
        let is_delivered = left.kind == OperationKind::Remove(Fate::Delivered);
        (is_delivered && queued.is_prompt()).then(|| self.response_after(left.at))
    }

    fn response_after(&self, at: usize) -> usize {
        let end = self.rows.len();
        self.next_response[at.min(end)].unwrap_or(end)
    }

    /// Takes the first line of these words from a place on; before another place unless it is
    /// an attachment, which tells of the queue alone.
    fn claim(&mut self, mark: u64, from: usize, until: Option<usize>) -> bool {
        let Some(places) = self.said.get_mut(&mark) else { return false };
        while places.front().is_some_and(|place| *place < from) {
            places.pop_front();
        }
        let fits = |place: &&usize| {
            self.rows[**place].kind == RowKind::Queued || until.is_none_or(|until| **place < until)
        };
        let Some(place) = places.front().filter(fits).copied() else { return false };
        places.pop_front();
        self.attachments.remove(&place);
        true
    }
}
