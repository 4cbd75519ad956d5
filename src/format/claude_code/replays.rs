//! Copies of lines, and the line that each line hangs from.
//!
//! After a compaction or a resumed session the program writes lines again, under the same or new uuids. What hangs
//! from a copy hangs from what it copies, unless the copy stands behind a compaction: then it hangs from that
//! (claude-code-log, dev-docs/dag.md).

use std::collections::{HashMap, HashSet};

use crate::session::{Damage, DamageKind};

use super::row::{Row, RowKind};

/// How the rows hang together.
#[derive(Debug)]
pub(super) struct Links {
    /// The row that each row hangs from, copies passed over.
    pub(super) up: Vec<Option<usize>>,
    /// Of a row that is left out, the one that stands for it.
    pub(super) stands_for: Vec<Option<usize>>,
    /// How many copies were left out.
    pub(super) replayed: usize,
    /// Prompts that are no way that the session could have gone on by: see [`Links::settle_compactions`].
    pub(super) settled: HashSet<usize>,
    /// Ids used for two different lines.
    pub(super) damage: Vec<Damage>,
}

pub(super) fn link(rows: &[Row]) -> Links {
    let mut links = Links {
        up: vec![None; rows.len()],
        stands_for: vec![None; rows.len()],
        replayed: 0,
        settled: HashSet::new(),
        damage: Vec::new(),
    };
    links.find_copies(rows);
    links.settle_compactions(rows);
    links.shorten();
    links.find_parents(rows);
    links
}

/// By what a line is known again under another uuid.
#[derive(PartialEq, Eq, Hash)]
enum Trait<'r> {
    Response(&'r str, u64),
    Answer(&'r str, u64),
    Said(i64, u64),
}

impl Trait<'_> {
    fn of(row: &Row) -> Option<Trait<'_>> {
        if let Some((id, _)) = &row.response {
            return Some(Trait::Response(id, row.mark));
        }
        if let Some(call) = row.answers.first() {
            return Some(Trait::Answer(call, row.mark));
        }
        let is_said = !matches!(
            row.kind,
            RowKind::Boundary | RowKind::Summary | RowKind::RunEnd | RowKind::Event
        ) && row.fate.is_none();
        row.time.filter(|_| is_said).map(|time| Trait::Said(time, row.mark))
    }
}

impl Links {
    fn find_copies(&mut self, rows: &[Row]) {
        let mut by_id: HashMap<&str, usize> = HashMap::with_capacity(rows.len());
        let mut by_trait: HashMap<(bool, Option<&str>, Trait<'_>), usize> = HashMap::new();
        for (at, row) in rows.iter().enumerate() {
            if let Some(&first) = by_id.get(row.id.as_str()) {
                if rows[first].mark == row.mark {
                    self.stands_for[at] = Some(first);
                    self.replayed += 1;
                    continue;
                }
                // Another line under the same id: the later one is shown. The program's loader does the same
                // (openclaude, sessionStorage.ts).
                self.stands_for[first] = Some(at);
                let kind = DamageKind::DuplicateId { earlier: rows[first].line };
                self.damage.push(Damage { line: row.line, kind });
            } else if let Some(known) = Trait::of(row) {
                let key = (row.is_sidechain, row.agent.as_deref(), known);
                match by_trait.get(&key) {
                    Some(&first) if self.stands_for[first].is_none() => {
                        self.stands_for[at] = Some(first);
                        self.replayed += 1;
                        by_id.insert(&row.id, at);
                        continue;
                    }
                    _ => {
                        by_trait.insert(key, at);
                    }
                }
            }
            by_id.insert(&row.id, at);
        }
    }

    /// `/compact` as it was typed hangs from the same line as the compaction, which hangs from no
    /// prompt: nobody went back there. Where the command follows the compaction, it is that one.
    // Both lines, the prompt `/compact` and then `<command-name>/compact`: 2.1.197.
    fn settle_compactions(&mut self, rows: &[Row]) {
        if !rows.iter().any(|row| row.is_compact) {
            return;
        }
        let parents: HashSet<&str> = rows.iter().filter_map(|row| row.parent.as_deref()).collect();
        // By the line that they hang from.
        let mut typed: HashMap<&str, usize> = HashMap::new();
        // By their words, once the compaction followed.
        let mut done: HashMap<u64, usize> = HashMap::new();
        for (at, row) in rows.iter().enumerate() {
            let parent = row.parent.as_deref();
            match row.kind {
                RowKind::Prompt if row.is_compact && !parents.contains(row.id.as_str()) => {
                    typed.extend(parent.map(|parent| (parent, at)));
                }
                RowKind::Boundary => {
                    if let Some(prompt) = parent.and_then(|parent| typed.remove(parent)) {
                        self.settled.insert(prompt);
                        done.extend(rows[prompt].said.first().map(|said| (*said, prompt)));
                    }
                }
                RowKind::Command => {
                    let typed = row.said.first().and_then(|said| done.remove(said));
                    if let Some(prompt) = typed.filter(|&prompt| self.stands_for[prompt].is_none())
                    {
                        self.stands_for[prompt] = Some(at);
                    }
                }
                _ => {}
            }
        }
    }

    fn find_parents(&mut self, rows: &[Row]) {
        let mut places: HashMap<&str, Vec<usize>> = HashMap::with_capacity(rows.len());
        for (at, row) in rows.iter().enumerate() {
            places.entry(&row.id).or_default().push(at);
        }
        // Where the children of a row that is left out hang.
        let mut follow: Vec<Option<usize>> = vec![None; rows.len()];
        for (at, row) in rows.iter().enumerate() {
            let named = row.parent.as_deref().and_then(|id| places.get(id));
            let parent = named.and_then(|places| {
                let before = places.partition_point(|&place| place < at);
                places.get(before.saturating_sub(1)).copied()
            });
            let up = parent.map(|parent| match self.stands_for[parent] {
                Some(_) if parent < at => follow[parent].unwrap_or(parent),
                _ => self.standing(parent),
            });
            self.up[at] = up;
            if let Some(original) = self.stands_for[at] {
                let behind =
                    up.filter(|&up| matches!(rows[up].kind, RowKind::Boundary | RowKind::Summary));
                follow[at] = Some(behind.unwrap_or_else(|| self.standing(original)));
            }
        }
    }

    /// Leads every row that is left out straight to one that is not.
    fn shorten(&mut self) {
        let count = self.stands_for.len();
        // Duplicates point forward, copies back; a duplicate's last is no copy.
        for at in (0..count).rev().chain(0..count) {
            if let Some(next) = self.stands_for[at] {
                self.stands_for[at] = Some(self.standing(next));
            }
        }
    }

    /// The row itself, or the one that stands for it.
    pub(super) fn standing(&self, row: usize) -> usize {
        self.stands_for[row].unwrap_or(row)
    }

    pub(super) fn is_left_out(&self, row: usize) -> bool {
        self.stands_for[row].is_some()
    }
}
