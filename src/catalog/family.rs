//! Which sessions continue or fork one another, and what of each is not a copy.
//!
//! A session names its parent, or another one names it as the one that it goes on in. Where nobody says so, sessions
//! that begin with the same prompt share entries, and the older one is the parent. Files can name each other in a circle,
//! and each name can be that of several files; the families are trees all the same.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::counted::Counted;
use super::database::{Catalog, CatalogError};
use super::facts::SessionFacts;
use super::store::{CountedReader, StoredSession};
use crate::session::cut_cycles;

/// A session of the catalog and its place in its family.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Member {
    /// The session.
    pub session: StoredSession,
    /// The session that it continues or was forked from, by its place in the list. The parents are trees.
    pub parent: Option<usize>,
    /// Its figures without those of entries that an older session of its family has, too; `None` where there are no
    /// such entries.
    pub own: Option<OwnFigures>,
}

/// The part of a session's figures that is no copy: over a family they add up to each entry once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct OwnFigures {
    /// How many prompts.
    pub prompts: usize,
    /// What failed, on any branch.
    pub failures: usize,
    /// What was stopped.
    pub stops: usize,
    /// Tokens of all kinds.
    pub tokens: f64,
    /// US dollars.
    pub cost: f64,
    /// Milliseconds in which the agent worked.
    pub worked: i64,
}

impl Member {
    /// What it adds to a total in which each entry is counted once.
    pub fn figures(&self) -> OwnFigures {
        self.own.unwrap_or_else(|| OwnFigures::of(&self.session.facts))
    }
}

impl OwnFigures {
    /// All figures of a session, those of copies included.
    pub fn of(facts: &SessionFacts) -> OwnFigures {
        OwnFigures {
            prompts: facts.prompts,
            failures: facts.failures,
            stops: facts.stops,
            tokens: facts.tokens,
            cost: facts.cost,
            worked: facts.worked,
        }
    }

    /// Adds what another session adds.
    pub fn add(&mut self, other: OwnFigures) {
        self.prompts += other.prompts;
        self.failures += other.failures;
        self.stops += other.stops;
        self.tokens += other.tokens;
        self.cost += other.cost;
        self.worked = self.worked.saturating_add(other.worked);
    }
}

impl Catalog {
    /// All sessions, the newest first.
    ///
    /// # Errors
    /// [`CatalogError`] where the database cannot be read.
    pub fn sessions(&self) -> Result<Vec<Member>, CatalogError> {
        let _snapshot = self.snapshot()?;
        let mut stored = self.stored()?;
        // The oldest first, so that what is older has the lower number.
        stored.sort_by(|(a, _), (b, _)| age(a).cmp(&age(b)));
        let (sessions, firsts): (Vec<StoredSession>, Vec<Option<i64>>) = stored.into_iter().unzip();
        let mut parents = Names::of(&sessions).parents();
        let mut own = vec![None; sessions.len()];
        let mut counted = self.counted()?;
        for family in families(&parents, &firsts) {
            count_once(&mut counted, &sessions, &family, &mut parents, &mut own)?;
        }
        let mut order: Vec<usize> = (0..sessions.len()).collect();
        // As a search has them.
        let newest = |at: usize| {
            let session = &sessions[at];
            (Reverse(session.facts.latest), &session.path, &session.in_file)
        };
        order.sort_by(|&a, &b| newest(a).cmp(&newest(b)));
        let mut places = vec![0; order.len()];
        for (place, &at) in order.iter().enumerate() {
            places[at] = place;
        }
        let mut sessions: Vec<Option<StoredSession>> = sessions.into_iter().map(Some).collect();
        let member = |at: usize| {
            let parent = parents[at].map(|parent| places[parent]);
            Some(Member { session: sessions[at].take()?, parent, own: own[at] })
        };
        Ok(order.into_iter().filter_map(member).collect())
    }
}

/// Counts what each session of a family adds to those before it. Gives a parent to one that has entries of another
/// and no parent yet.
fn count_once(
    counted: &mut CountedReader<'_>,
    sessions: &[StoredSession],
    family: &[usize],
    parents: &mut [Option<usize>],
    own: &mut [Option<OwnFigures>],
) -> Result<(), CatalogError> {
    let mut seen: HashMap<u64, Seen> = HashMap::new();
    let mut stated_tokens: HashMap<usize, f64> = HashMap::new();
    for at in parents_first(family, parents) {
        let mut figures = OwnFigures::default();
        let mut shared_with = None;
        let (mut stated, mut copied) = (OwnFigures::default(), 0.0_f64);
        let mut last = None;
        for entry in counted.of(&sessions[at])? {
            if entry.is_stated {
                stated.add((&entry).into());
            } else {
                let first = seen.entry(entry.identity).or_insert(Seen { by: at, cost: 0.0 });
                if first.by == at {
                    figures.add((&entry).into());
                } else {
                    // The longest shared beginning is that with whoever first had the last shared entry.
                    shared_with = Some(first.by);
                }
                last = Some(entry.identity);
            }
            if let Some(last) = last.and_then(|last| seen.get_mut(&last)) {
                last.cost = last.cost.max(stated.cost);
                copied = if last.by == at { copied } else { copied.max(last.cost) };
            }
        }
        if let Some(other) = shared_with {
            // Of the tokens of no response it is not known where they were spent: none is counted twice.
            let others = stated_tokens.get(&other).copied().unwrap_or_default();
            figures.tokens += (stated.tokens - others).max(0.0);
            figures.cost += (stated.cost - copied).max(0.0);
            own[at] = Some(figures);
        }
        stated_tokens.insert(at, stated.tokens);
        // All who were seen come before it, so no circle can come of this.
        parents[at] = parents[at].or(shared_with);
    }
    Ok(())
}

/// An entry that was counted.
struct Seen {
    /// The session that was the first to have it.
    by: usize,
    /// What a session that has it had cost up to it, as far as one says.
    cost: f64,
}

impl From<&Counted> for OwnFigures {
    fn from(entry: &Counted) -> OwnFigures {
        OwnFigures {
            prompts: usize::from(entry.is_prompt),
            failures: usize::from(entry.has_failed),
            stops: usize::from(entry.is_stop),
            tokens: entry.tokens,
            cost: entry.cost,
            worked: entry.worked,
        }
    }
}

/// By what the older of two sessions is known. Where the file does not say when it was made, as many of Claude Code do
/// not, it begins as its copies do, and who was left first is older.
fn age(session: &StoredSession) -> impl Ord + '_ {
    let facts = &session.facts;
    let begun = facts.created.or(facts.started).or(facts.latest);
    (begun, facts.latest, session.original.as_path(), session.in_file.as_deref())
}

/// By which sessions can be named.
struct Names<'s> {
    sessions: &'s [StoredSession],
    paths: HashMap<&'s Path, usize>,
    /// By the agent and the id, in the order of their paths.
    ids: HashMap<(&'s str, &'s str), Vec<(&'s Path, usize)>>,
    /// By the agent and the file's name.
    files: HashMap<(&'s str, &'s str), Vec<(&'s Path, usize)>>,
}

impl<'s> Names<'s> {
    fn of(sessions: &'s [StoredSession]) -> Names<'s> {
        let mut names =
            Names { sessions, paths: HashMap::new(), ids: HashMap::new(), files: HashMap::new() };
        for (at, session) in sessions.iter().enumerate() {
            let path = session.original.as_path();
            let agent = session.facts.agent.as_str();
            if !session.facts.id.is_empty() {
                names.ids.entry((agent, &session.facts.id)).or_default().push((path, at));
            }
            if session.in_file.is_none() {
                names.paths.insert(path, at);
                let name = path.file_name().and_then(|name| name.to_str());
                if let Some(name) = name {
                    names.files.entry((agent, name)).or_default().push((path, at));
                }
            }
        }
        for places in names.ids.values_mut().chain(names.files.values_mut()) {
            places.sort_unstable();
        }
        names
    }

    /// The parents that sessions name, without circles; where one names none, the session that goes on in it.
    fn parents(&self) -> Vec<Option<usize>> {
        let facts = |at: usize| &self.sessions[at].facts;
        let all = 0..self.sessions.len();
        let mut parents: Vec<Option<usize>> =
            all.clone().map(|at| self.parent(at, facts(at).parent.as_deref()?)).collect();
        cut_cycles(&mut parents);
        for at in all {
            for next in &facts(at).continued_in {
                let next = self.nearest(at, self.ids.get(&(&*facts(at).agent, next.as_str())));
                if let Some(next) = next.filter(|&next| parents[next].is_none()) {
                    parents[next] = Some(at);
                }
            }
        }
        cut_cycles(&mut parents);
        parents
    }

    /// The session that another one names by its path or its id. A home that was moved has another path and the same
    /// file name.
    fn parent(&self, of: usize, name: &str) -> Option<usize> {
        let agent = self.sessions[of].facts.agent.as_str();
        let is_path = |name: &&str| name.contains(['/', '\\']);
        let file = || name.rsplit(['/', '\\']).next().filter(|_| is_path(&name));
        let by_path = self.paths.get(Path::new(name)).copied().filter(|&at| at != of);
        by_path
            .or_else(|| self.nearest(of, self.ids.get(&(agent, name))))
            .or_else(|| self.nearest(of, self.files.get(&(agent, file()?))))
    }

    /// Of sessions with the same name the one whose path has the most in common with that of the session that names it;
    /// not itself. In the order of paths that is a neighbor.
    fn nearest(&self, of: usize, named: Option<&Vec<(&Path, usize)>>) -> Option<usize> {
        let named = named?;
        let own = (self.sessions[of].original.as_path(), of);
        let at = named.partition_point(|place| *place < own);
        let before = named[..at].last();
        let after = named[at..].iter().find(|place| **place != own);
        let in_common = |path: &Path| {
            path.components().zip(own.0.components()).take_while(|(a, b)| a == b).count()
        };
        before.into_iter().chain(after).max_by_key(|(path, _)| in_common(path)).map(|(_, at)| *at)
    }
}

/// The sessions that may share entries, where these are several: with their parents, and with all that begin as they do.
fn families(parents: &[Option<usize>], firsts: &[Option<i64>]) -> Vec<Vec<usize>> {
    let mut leaders: Vec<usize> = (0..parents.len()).collect();
    let mut by_first: HashMap<i64, usize> = HashMap::new();
    for (at, (&parent, first)) in parents.iter().zip(firsts).enumerate() {
        let alike = first.map(|first| *by_first.entry(first).or_insert(at));
        for other in parent.into_iter().chain(alike) {
            let (a, b) = (leader(&mut leaders, at), leader(&mut leaders, other));
            leaders[a.max(b)] = a.min(b);
        }
    }
    let mut families: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..parents.len() {
        families.entry(leader(&mut leaders, at)).or_default().push(at);
    }
    families.into_values().filter(|family| family.len() > 1).collect()
}

/// Who stands for a family; shortens the way to it.
fn leader(leaders: &mut [usize], mut at: usize) -> usize {
    while leaders[at] != at {
        leaders[at] = leaders[leaders[at]];
        at = leaders[at];
    }
    at
}

/// The sessions of a family, each behind its parent, else the oldest first.
fn parents_first(family: &[usize], parents: &[Option<usize>]) -> Vec<usize> {
    let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut next = BinaryHeap::new();
    for &at in family {
        match parents[at] {
            Some(parent) => children.entry(parent).or_default().push(at),
            None => next.push(Reverse(at)),
        }
    }
    let mut order = Vec::with_capacity(family.len());
    while let Some(Reverse(at)) = next.pop() {
        order.push(at);
        next.extend(children.remove(&at).into_iter().flatten().map(Reverse));
    }
    order
}
