//! What of an archive is to be written: which sessions are new or have changed, which stay, and which go.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::data::hash;
use super::disk::{Folder, SESSIONS, TEXT};
use super::manifest::Manifest;
use super::row::Row;
use super::team::Author;
use crate::catalog::{Member, SessionFacts};
use crate::find::address;
use crate::outline::normalised;
use crate::session::Format;

/// Which sessions are in an archive.
#[derive(Debug, Default)]
pub(crate) struct Filter {
    pub(crate) agent: Option<Format>,
    /// Parts of the name of a project or of a working directory; any of them, where there are some.
    pub(crate) projects: Vec<String>,
    /// The same; none of them.
    pub(crate) excluded: Vec<String>,
    /// With an entry since this time, in milliseconds since 1970.
    pub(crate) since: Option<i64>,
}

impl Filter {
    /// Whether a session is wanted.
    pub(crate) fn takes(&self, facts: &SessionFacts) -> bool {
        self.takes_kind(facts) && self.takes_time(facts.latest)
    }

    /// The same, whatever its time is.
    fn takes_kind(&self, facts: &SessionFacts) -> bool {
        let project = facts.project.as_deref().unwrap_or_default();
        let is_of_agent = self.agent.is_none_or(|agent| agent.name() == facts.agent);
        is_of_agent && self.takes_project(&[project, &facts.cwd])
    }

    /// The same of a session that was not found. Where it worked is not known any more but for the project's name.
    fn takes_kind_of(&self, row: &Row) -> bool {
        let is_of_agent = self.agent.is_none_or(|agent| agent.to_string() == row.agent);
        is_of_agent && self.takes_project(&[&row.project])
    }

    fn takes_time(&self, latest: Option<i64>) -> bool {
        self.since.is_none_or(|since| latest.is_some_and(|latest| latest >= since))
    }

    fn takes_project(&self, names: &[&str]) -> bool {
        let names: Vec<String> = names.iter().map(|name| normalised(name)).collect();
        let is_in = |part: &String| {
            let part = normalised(part);
            names.iter().any(|name| name.contains(&part))
        };
        (self.projects.is_empty() || self.projects.iter().any(is_in))
            && !self.excluded.iter().any(is_in)
    }
}

/// Who asks for what.
#[derive(Debug)]
pub(crate) struct Wish<'a> {
    /// All sessions that are known, with those that are not wanted.
    pub(crate) members: &'a [Member],
    pub(crate) filter: &'a Filter,
    /// The places that were looked into, canonical; none for those of all agents. A session of the archive that was found
    /// in one of these and is not there any more is gone.
    pub(crate) places: &'a [PathBuf],
    /// Those that are gone leave the archive, and those that the filter's time leaves out.
    pub(crate) prune: bool,
    /// Makes hashes that tell nobody else what they are of.
    pub(crate) key: &'a [u8],
    /// Whose sessions they are, in a team's archive.
    pub(crate) author: Option<&'a Author>,
}

/// A session to be made.
#[derive(Debug)]
pub(super) struct Job {
    /// Its place among the members.
    pub(super) member: usize,
    pub(super) n: u32,
    pub(super) source: String,
    pub(super) stamp: String,
    pub(super) place: String,
    /// What is there of it, made by the same settings.
    pub(super) before: Option<Row>,
    /// The name of the texts whose words are listed; empty for none.
    pub(super) listed: String,
}

/// What is to be done.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The newest first.
    pub(super) jobs: Vec<Job>,
    /// Rows that stay, some of them of sessions that are gone.
    pub(super) kept: Vec<Row>,
    /// How many rows go.
    pub(super) removed: usize,
    /// How many are not wanted, and cannot be made again: their sessions were not found.
    pub(super) lost: usize,
    /// The number of the next session.
    next: u32,
}

impl Plan {
    /// `old` is what the folder holds that the same settings made. Where that is not current, all sessions are made anew
    /// whose files are there.
    pub(super) fn new(
        wish: &Wish<'_>,
        sources: &[String],
        folder: &Folder,
        (old, is_current): (Option<&(Manifest, Vec<Row>)>, bool),
    ) -> Plan {
        let (pages, texts) = (folder.files(SESSIONS), folder.files(TEXT));
        let is_there = |row: &Row| {
            pages.get(&row.page) == Some(&row.bytes)
                && texts.get(&format!("{}.js", row.text)).is_some_and(|&size| size > 0)
        };
        let rows = old.map(|(_, rows)| rows.as_slice()).unwrap_or_default();
        let mut rows: HashMap<&str, &Row> = rows.iter().map(|row| (&*row.source, row)).collect();
        let mut plan =
            Plan { next: old.map_or(0, |(manifest, _)| manifest.next), ..Plan::default() };
        for (nth, (member, source)) in wish.members.iter().zip(sources).enumerate() {
            let before = rows.remove(&**source);
            let facts = &member.session.facts;
            // What is there stays when its time has passed: its agent may delete the file.
            let stays = before.is_some() && !wish.prune && wish.filter.takes_kind(facts);
            if !stays && !wish.filter.takes(facts) {
                plan.removed += usize::from(before.is_some());
                continue;
            }
            let stamp = stamp(member, wish.key);
            let place = wish.place_of(member);
            if let Some(row) =
                before.filter(|row| is_current && row.stamp == stamp && is_there(row))
            {
                plan.kept.push(Row { gone: false, place, ..row.clone() });
                continue;
            }
            let n = before.map_or_else(|| plan.number(), |row| row.n);
            let listed = before.map(|row| row.text.clone()).unwrap_or_default();
            let before = before.filter(|row| is_there(row)).cloned();
            let source = source.clone();
            plan.jobs.push(Job { member: nth, n, source, stamp, place, before, listed });
        }
        let mut others: Vec<&Row> = rows.into_values().collect();
        others.sort_unstable_by_key(|row| row.n);
        let looked_into = wish.looked_into();
        for row in others {
            let gone = row.gone || looked_into.contains(&row.place);
            let is_wanted = wish.filter.takes_kind_of(row);
            let is_pruned = gone || !is_wanted || !wish.filter.takes_time(row.latest);
            if wish.prune && is_pruned || !is_there(row) {
                plan.removed += 1;
            } else if !is_wanted {
                plan.lost += 1;
            } else {
                plan.kept.push(Row { gone, ..row.clone() });
            }
        }
        plan
    }

    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }
}

impl Wish<'_> {
    /// Where each member lies and its id, as a keyed hash; where it lay, if only a copy is left. Jobs of a pipeline write one
    /// session after another to the same place.
    pub(super) fn sources(&self) -> Vec<String> {
        let source = |member: &Member| {
            let session = &member.session;
            let address = address(&session.original, session.in_file.as_deref());
            let id = session.facts.id.as_bytes();
            hash(&[self.key, address.as_os_str().as_encoded_bytes(), id])
        };
        self.members.iter().map(source).collect()
    }

    /// The place that a member was found in, as a keyed hash; empty for an agent's.
    fn place_of(&self, member: &Member) -> String {
        let place = self.places.iter().find(|place| member.session.original.starts_with(place));
        place.map_or_else(String::new, |place| self.hash_of(place))
    }

    /// The places of which nothing was overlooked. In a file, one session comes after another.
    fn looked_into(&self) -> Vec<String> {
        if self.places.is_empty() {
            return vec![String::new()];
        }
        self.places.iter().filter(|place| place.is_dir()).map(|place| self.hash_of(place)).collect()
    }

    fn hash_of(&self, place: &Path) -> String {
        hash(&[self.key, b"place", place.as_os_str().as_encoded_bytes()])
    }
}

/// What its file was like when it was read, in the same way.
fn stamp(member: &Member, key: &[u8]) -> String {
    let parts = member.session.version.map(i64::to_le_bytes);
    hash(&[key, parts.as_flattened()])
}
