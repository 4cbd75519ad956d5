//! The agents that a thread started: each is a thread with a rollout of its own, in the folder of
//! the day on which it began (`sessions/YYYY/MM/DD`), or beside the thread where both are archived.
//! Places: 0.169.0; `archived_sessions` is flat (codex-rs, rollout).

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::format::compressed::plain_name;
use crate::format::decode;
use crate::format::descendants::{FoundChild, with_descendants};
use crate::format::own_folder::{Budget, OwnFolder};
use crate::format::read_options::ReadOptions;
use crate::session::json::Json;
use crate::session::text::{one_line, shortened};
use crate::session::{Child, Session};

use super::thread::{Facts, Spawned};

/// An agent's rollout lies in the folder of its own day, which may be one of the days after that of
/// the thread that started it; a thread that goes on for longer is rare.
const DAYS: i64 = 7;

/// The first line of a rollout, in nearly all cases: Codex puts its instructions there.
const BEGINNING_BYTES: u64 = 64 << 10;

/// Of a thread's id, in UTF-16 units.
const THREAD_UNITS: usize = 80;

/// What it takes to find the agents of a thread.
struct Thread {
    options: ReadOptions,
    facts: Facts,
}

/// The session with those of its agents, theirs in them.
pub(super) fn with_agents(session: Session, facts: Facts, options: &ReadOptions) -> Session {
    let root = Thread { options: options.clone(), facts };
    let mut search = Search {
        budget: Budget::default(),
        known: HashSet::from([session.header().id.clone()]),
        files: HashMap::new(),
    };
    with_descendants(session, root, |session, thread, _| search.children(session, thread))
}

/// What the threads of one export share.
struct Search {
    budget: Budget,
    /// Threads that have their place already.
    known: HashSet<String>,
    /// By the folder that a thread's rollout lies in.
    files: HashMap<PathBuf, Rc<Files>>,
}

impl Search {
    /// The agents that the thread names, and those whose rollouts near it name the thread.
    fn children(&mut self, session: &Session, thread: Thread) -> Vec<FoundChild<Thread>> {
        let Thread { options, facts } = thread;
        // A session that came without a place has nothing beside it to be missed.
        let Some(files) = self.files_near(&options) else { return Vec::new() };
        let turns = Rc::new(facts.turns);
        let mut spawned = facts.spawned;
        // Those that were named come first, so that they keep what is said of them.
        let others = files.started_by(&session.header().id).iter();
        spawned
            .extend(others.map(|thread| Spawned { thread: thread.clone(), ..Spawned::default() }));
        let mut found = Vec::new();
        for agent in spawned {
            if !self.known.insert(agent.thread.clone()) {
                continue;
            }
            let read = files.read(&agent.thread, &options, &mut self.budget);
            let read = read.and_then(|(source, own)| {
                let read =
                    super::read_thread(source, 0, Some(Rc::clone(&turns)), &ReadOptions::default());
                let (session, facts) = read.map_err(|error| error.to_string())?;
                Ok((session, Thread { options: own, facts }))
            });
            found.push(found_child(agent, session, read));
        }
        found
    }

    fn files_near(&mut self, options: &ReadOptions) -> Option<Rc<Files>> {
        let folder = options.session.as_deref()?.parent()?.to_owned();
        let files = self.files.entry(folder).or_insert_with(|| Rc::new(Files::near(options)));
        Some(Rc::clone(files))
    }
}

fn found_child(
    agent: Spawned,
    parent: &Session,
    read: Result<(Session, Thread), String>,
) -> FoundChild<Thread> {
    let (session, next) = match read {
        Ok((session, next)) => (Ok(Box::new(session)), Some(next)),
        Err(reason) => (Err(reason), None),
    };
    let own = next.as_ref().map(|next| &next.facts);
    let name = agent.name.or_else(|| own.and_then(|own| own.agent.clone()));
    let task = agent.task.or_else(|| own.and_then(|own| own.first_prompt.clone()));
    let places = [agent.result, agent.entry].into_iter().flatten();
    let started_by = places.into_iter().find(|entry| parent.index_of(entry).is_some());
    let child = Child {
        key: agent.thread,
        agent: name,
        task: task.map(|task| one_line(&task)),
        started_by,
        session,
    };
    FoundChild { child, next }
}

/// The rollouts near a session, by the ids of their threads.
struct Files {
    folders: Vec<OwnFolder>,
    by_thread: HashMap<String, (usize, String)>,
    /// The threads that each thread started, by what the headers of these rollouts say.
    by_parent: HashMap<String, Vec<String>>,
}

impl Files {
    fn near(options: &ReadOptions) -> Files {
        let mut folders: Vec<OwnFolder> = options.folder().into_iter().collect();
        folders.extend(next_days(options));
        let mut by_thread: HashMap<String, (usize, String)> = HashMap::new();
        for (at, folder) in folders.iter().enumerate() {
            for name in folder.list("") {
                let Some(thread) = thread_of(&name) else { continue };
                // A revert begins another file of the thread, with a later time in its name. Of one
                // file and its compressed copy, the file.
                // `rollout-<time>-<thread>_<rollout>.jsonl`, and of a plain and a compressed file the plain one:
                // codex-rs, rollout.
                let rank = |at: usize, name: &str| {
                    (at, plain_name(name).to_owned(), plain_name(name) == name)
                };
                let newest = by_thread.get(thread).map(|(at, name)| rank(*at, name));
                if newest.is_none_or(|newest| newest < rank(at, &name)) {
                    by_thread.insert(thread.to_owned(), (at, name));
                }
            }
        }
        let mut files = Files { folders, by_thread, by_parent: HashMap::new() };
        for thread in files.by_thread.keys() {
            let parent = || files.parent_of(thread);
            let parent = match (&options.beside, files.file_of(thread)) {
                (Some(beside), Some(file)) => beside.parent_of(file, parent),
                _ => parent(),
            };
            if let Some(parent) = parent {
                files.by_parent.entry(parent).or_default().push(thread.clone());
            }
        }
        files.by_parent.values_mut().for_each(|threads| threads.sort());
        files
    }

    fn file_of(&self, thread: &str) -> Option<PathBuf> {
        let (folder, name) = self.by_thread.get(thread)?;
        Some(self.folders[*folder].join(name))
    }

    /// The thread that started this one, by the first line of its rollout.
    fn parent_of(&self, thread: &str) -> Option<String> {
        let (folder, name) = self.by_thread.get(thread)?;
        let begin = self.folders[*folder].begin(name, BEGINNING_BYTES).ok()?;
        let begin = decode::decompressed_beginning(begin);
        let line = begin.split(|&byte| byte == b'\n').next()?;
        let meta: Json<'_> = serde_json::from_slice(line).ok()?;
        super::thread::parent_of(meta.get("payload")?).map(str::to_owned)
    }

    fn started_by(&self, thread: &str) -> &[String] {
        self.by_parent.get(thread).map(Vec::as_slice).unwrap_or_default()
    }

    fn read(
        &self,
        thread: &str,
        options: &ReadOptions,
        budget: &mut Budget,
    ) -> Result<(Vec<u8>, ReadOptions), String> {
        let (folder, name) = self.by_thread.get(thread).ok_or_else(|| not_found(thread))?;
        let folder = &self.folders[*folder];
        // What is to be rewritten is what was compressed.
        let bytes = budget.read(&folder.as_on_disk(), name).map_err(|error| error.to_string())?;
        let bytes = decode::decompressed(bytes).map_err(|error| error.to_string())?;
        Ok((options.rewritten(bytes), options.of(folder.join(name))))
    }
}

/// What the reader can do, where the rollout of a thread was not found.
fn not_found(thread: &str) -> String {
    format!(
        "leafpress did not find its file. Put `rollout-*-{}.jsonl` next to this session and export it again",
        shortened(&one_line(thread), THREAD_UNITS)
    )
}

/// The folders of the days after the session's, where it lies in that of a day.
fn next_days(options: &ReadOptions) -> Vec<OwnFolder> {
    let day = || {
        let path = options.canonical().ok()?;
        let parts: Vec<&str> =
            path.ancestors().skip(1).take(3).filter_map(|p| p.file_name()?.to_str()).collect();
        let [day, month, year] = parts[..] else { return None };
        let date = Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()?;
        Some((path.ancestors().nth(4)?.to_owned(), date))
    };
    let Some((root, date)) = day() else { return Vec::new() };
    (1..=DAYS)
        .filter_map(|days| folder_of(options, &root, date.checked_add(days.days()).ok()?))
        .collect()
}

pub(super) fn folder_of(options: &ReadOptions, root: &Path, date: Date) -> Option<OwnFolder> {
    let root = options.at(root.to_owned());
    let year = root.sub_folder(&format!("{:04}", date.year())).ok()?;
    let month = year.sub_folder(&format!("{:02}", date.month())).ok()?;
    month.sub_folder(&format!("{:02}", date.day())).ok()
}

/// The thread of `rollout-<time>-<thread>.jsonl`: a UUID, whose last part a revert may add
/// another to.
pub(super) fn thread_of(name: &str) -> Option<&str> {
    /// `2026-06-18T14-11-57-`
    const TIME: usize = 20;
    let name = plain_name(name).strip_suffix(".jsonl")?.strip_prefix("rollout-")?;
    let thread = name.get(TIME..).filter(|thread| !thread.is_empty())?;
    Some(thread.split_once('_').map_or(thread, |(thread, _)| thread))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_is_in_the_file_s_name() {
        let thread = "0195c0de-0000-7000-8000-000000000001";
        for ending in [".jsonl", ".jsonl.zst", "_0195c0de-0000-7000-8000-000000000009.jsonl"] {
            let name = format!("rollout-2026-06-18T14-11-57-{thread}{ending}");
            assert_eq!(thread_of(&name), Some(thread), "{name}");
        }
        for name in
            ["rollout-2026.jsonl", "history.jsonl", "rollout-2026-06-18T14-11-57-.jsonl", "é"]
        {
            assert_eq!(thread_of(name), None, "{name}");
        }
    }
}
