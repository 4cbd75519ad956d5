//! Entries on lines that could not be read: what they leave is found again by
//! their ids, or by where they stood.

use std::collections::{HashMap, HashSet};

use crate::session::json::Json;
use crate::session::{Damage, DamageKind, RawEntry};

use super::spans::members;

/// What seems to have been an entry.
#[derive(Debug, Default)]
pub(super) struct Lost {
    /// The line, counted from 1.
    pub(super) line: u32,
    /// Its id, as far as it can be made out.
    pub(super) id: Option<String>,
    /// What it was below.
    pub(super) parent: Parent,
}

/// What a lost entry was below.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Parent {
    /// Cannot be made out.
    #[default]
    Unknown,
    /// Nothing.
    Root,
    /// The entry of this id.
    Id(String),
}

impl Lost {
    /// An entry that was read and cannot be shown.
    pub(super) fn whole(line: u32, id: String, parent: Option<String>) -> Lost {
        Lost { line, id: Some(id), parent: parent.map_or(Parent::Root, Parent::Id) }
    }

    /// Reads what can be made out of an object that breaks off or is damaged.
    pub(super) fn read(text: &str) -> Lost {
        let members = members(text);
        let value = |names: &[&str]| {
            let (_, span) = members.iter().find(|(key, _)| names.contains(key))?;
            serde_json::from_str::<Json<'_>>(&text[span.start..span.end]).ok()
        };
        let id = value(&["id", "uuid"]).filter(|id| *id != Json::Null);
        let parent = match value(&["parentId", "parent_id", "parentUuid"]) {
            None => Parent::Unknown,
            Some(Json::Null) => Parent::Root,
            Some(id) => Parent::Id(id.into_text().into_owned()),
        };
        Lost { line: 0, id: id.map(|id| id.into_text().into_owned()), parent }
    }
}

/// Hangs entries whose parents were lost from the parents of those, so that no
/// path ends at a line that could not be read. `is_alias` names further ids.
pub(super) fn rejoin(
    entries: &mut [RawEntry],
    lost: &[Lost],
    is_alias: impl Fn(&str) -> bool,
) -> Vec<Damage> {
    if lost.is_empty() {
        return Vec::new();
    }
    let mut joined = Vec::new();
    let mut above = Above::new(entries, lost, is_alias);
    for (at, entry) in entries.iter().enumerate() {
        let Some(id) = entry.parent_id.as_deref().filter(|id| !above.is_known(id)) else {
            continue;
        };
        if let Some(parent) = above.find(id, at) {
            joined.push((at, parent.to_owned()));
        }
    }
    let mut damage = Vec::with_capacity(joined.len());
    for (at, parent) in joined {
        entries[at].parent_id = Some(parent);
        damage.push(Damage { line: entries[at].line, kind: DamageKind::LostParent });
    }
    damage
}

/// Finds what stands above a lost entry.
struct Above<'a, F> {
    entries: &'a [RawEntry],
    ids: HashSet<&'a str>,
    is_alias: F,
    by_id: HashMap<&'a str, &'a Lost>,
    /// The lines of those without an id that can be made out, ascending.
    unnamed: Vec<u32>,
    found: HashMap<&'a str, Option<&'a str>>,
}

impl<'a, F: Fn(&str) -> bool> Above<'a, F> {
    fn new(entries: &'a [RawEntry], lost: &'a [Lost], is_alias: F) -> Self {
        let named = lost.iter().filter_map(|lost| Some((lost.id.as_deref()?, lost)));
        let mut unnamed: Vec<u32> =
            lost.iter().filter(|lost| lost.id.is_none()).map(|lost| lost.line).collect();
        unnamed.sort_unstable();
        Above {
            entries,
            ids: entries.iter().map(|entry| entry.id.as_str()).collect(),
            is_alias,
            by_id: named.collect(),
            unnamed,
            found: HashMap::new(),
        }
    }

    fn is_known(&self, id: &str) -> bool {
        self.ids.contains(id) || (self.is_alias)(id)
    }

    /// What stands above the missing entry `id`, whose first child is at `child`.
    ///
    /// An id that can still be made out decides. Else the order does, where the
    /// child follows right behind a line that could not be read: that is its parent,
    /// which was below the entry above.
    fn find(&mut self, id: &'a str, child: usize) -> Option<&'a str> {
        let mut way = Vec::new();
        let mut id = id;
        // The line that the search has come to, and the entries above it.
        let mut line = self.entries[child].line;
        let mut above = child;
        let parent = loop {
            if self.is_known(id) {
                break Some(id);
            }
            if let Some(parent) = self.found.get(id) {
                break *parent;
            }
            way.push(id);
            // Lost entries may stand in a circle.
            if way.len() > self.by_id.len() + 1 {
                break None;
            }
            match self.by_id.get(id).map(|lost| (lost.line, &lost.parent)) {
                Some((_, Parent::Root)) => break None,
                Some((lost, Parent::Unknown)) => break self.last_of(self.count_to(lost, child)),
                Some((lost, Parent::Id(parent))) => {
                    (line, above, id) = (lost, self.count_to(lost, child), parent);
                }
                None => {
                    let count = self.unnamed.partition_point(|&lost| lost <= line);
                    let lost = count.checked_sub(1).map(|last| self.unnamed[last]);
                    let is_right_above =
                        lost.is_some_and(|lost| self.count_to(lost, child) == above);
                    break if is_right_above { self.last_of(above) } else { None };
                }
            }
        };
        self.found.extend(way.into_iter().map(|id| (id, parent)));
        parent
    }

    /// How many entries before `child` stand on `line` or above.
    fn count_to(&self, line: u32, child: usize) -> usize {
        self.entries[..child].partition_point(|entry| entry.line <= line)
    }

    fn last_of(&self, count: usize) -> Option<&'a str> {
        Some(self.entries[count.checked_sub(1)?].id.as_str())
    }
}
