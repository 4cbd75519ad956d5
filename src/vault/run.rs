//! Keeps what is new and what has grown.

use std::convert::Infallible;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::append::{Appended, Wanted, append};
use super::index::{ChildOf, Header, VERSION};
use super::kept_file::{INDEX, KeptFile};
use super::known::{Entry, Key, Vault, name};
use crate::format::database::{ChildRow, Database};
use crate::format::decode::Limit;
use crate::progress::{Progress, Steps, Task};
use crate::session::Format;
use crate::workers::{Threads, Workers};

/// After so long, in nanoseconds, nobody will end the last line of a file.
const SETTLED: i64 = 3_600_000_000_000;

/// Larger files beside a session are left out where texts alone are kept.
const LONGEST_PART: u64 = 64 << 10;

/// A file of an agent's.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) agent: Format,
    pub(crate) size: u64,
    /// In nanoseconds since 1970.
    pub(crate) modified: i64,
    /// It may be a session; others belong to one.
    pub(crate) may_be_session: bool,
    /// It belongs to a session if it is none.
    pub(crate) belongs: bool,
}

impl Source {
    /// It grows line by line.
    fn is_lines(&self) -> bool {
        self.path.extension().is_some_and(|ending| ending == "jsonl")
    }

    fn header(&self) -> Header {
        let (agent, path) = (self.agent.name().to_owned(), self.path.clone());
        Header { version: VERSION, agent, path, in_file: None, session: None, child: None }
    }
}

/// What a file is.
#[derive(Debug)]
pub(crate) enum Held {
    Nothing,
    /// It belongs to a session.
    Part,
    /// A session of this id.
    Session(String),
    /// Sessions of a database, by their ids, each with when it was changed, in milliseconds since 1970.
    Sessions(Vec<(String, Option<i64>)>),
}

/// How sessions are kept.
pub(crate) struct Settings<'s> {
    /// Images, texts of more than 64 KB and larger files beside sessions are left out.
    pub(crate) text_only: bool,
    /// Nanoseconds since 1970.
    pub(crate) now: i64,
    pub(crate) progress: Option<Progress>,
    /// Looks at what a file is.
    pub(crate) held: &'s (dyn Fn(&Source) -> Held + Sync),
}

/// What a run did.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) new: usize,
    pub(crate) grown: usize,
    /// The original is no continuation of what was kept: a new version.
    pub(crate) rewritten: usize,
    pub(crate) unchanged: usize,
    /// Files that are no sessions.
    pub(crate) others: usize,
    /// Files beside sessions that were left out.
    pub(crate) left_out: usize,
    /// So many bytes of originals were read and kept.
    pub(crate) bytes: u64,
    pub(crate) failed: Vec<(PathBuf, String)>,
}

/// What became of a file.
enum Done {
    New(u64),
    Grown(u64),
    Rewritten(u64),
    Unchanged,
    Other,
    LeftOut,
    Failed(String),
}

impl Vault {
    /// Keeps what is new in files. What fails does not keep others from being kept.
    ///
    /// # Errors
    /// The system's reason where the list of what is kept cannot be written.
    pub(crate) fn keep(
        &mut self,
        sources: &[Source],
        settings: &Settings<'_>,
    ) -> io::Result<Outcome> {
        let mut outcome = Outcome::default();
        let mut changed: Vec<(Key, Entry)> = Vec::new();
        let steps = Steps::new(settings.progress.clone(), Task::Keep, sources.len());
        let vault = &*self;
        let one = |(): &mut (), nth: usize| vault.keep_one(&sources[nth], settings);
        let workers = Workers::new(Threads::available(), || ());
        let Ok(()) = workers.run(sources.len(), one, |done| {
            steps.add(1);
            for (key, entry, done) in done {
                outcome.add(&key.0, done);
                changed.extend(entry.map(|entry| (key, entry)));
            }
            Ok::<(), Infallible>(())
        });
        let agents = changed.iter().filter_map(|(_, entry)| entry.name.split_once('/'));
        self.sync(&agents.map(|(agent, _)| agent).collect())?;
        self.is_changed |= !changed.is_empty();
        self.files.extend(changed);
        Ok(outcome)
    }

    /// Whether a file is kept as it is now.
    pub(crate) fn has(&self, source: &Source) -> bool {
        self.known(source, i64::MIN).is_some_and(|entry| !entry.name.is_empty() && entry.waits == 0)
    }

    /// Whether all that a file has is kept, or it is known to be none that is.
    pub(crate) fn knows(&self, source: &Source, held: impl Fn(&Source) -> Held) -> bool {
        if self.known(source, i64::MIN).is_some() {
            return true;
        }
        let is_known = |(id, time): &(String, Option<i64>)| {
            let entry = self.files.get(&(source.path.clone(), Some(id.clone())));
            time.is_some() && entry.is_some_and(|entry| entry.modified == nanoseconds(*time))
        };
        match if source.may_be_session { held(source) } else { Held::Part } {
            Held::Nothing => !source.belongs,
            Held::Sessions(sessions) => sessions.iter().all(is_known),
            Held::Part | Held::Session(_) => false,
        }
    }

    /// What is known of a file that has not changed since.
    fn known(&self, source: &Source, now: i64) -> Option<&Entry> {
        let entry = self.files.get(&(source.path.clone(), None))?;
        let is_same = (entry.size, entry.modified) == (source.size, source.modified);
        let waits = entry.waits > 0 && is_settled(source.modified, now);
        (is_same && !waits).then_some(entry)
    }

    fn keep_one(
        &self,
        source: &Source,
        settings: &Settings<'_>,
    ) -> Vec<(Key, Option<Entry>, Done)> {
        let key = (source.path.clone(), None);
        if let Some(entry) = self.known(source, settings.now)
            && (!entry.is_cut || settings.text_only)
        {
            let done = match entry.name.is_empty() {
                true if entry.is_cut => Done::LeftOut,
                true => Done::Other,
                false => Done::Unchanged,
            };
            return vec![(key, None, done)];
        }
        let known = self.files.get(&key).filter(|entry| !entry.name.is_empty());
        let held = match known {
            Some(Entry { session: Some(id), .. }) => Held::Session(id.clone()),
            _ if source.may_be_session => (settings.held)(source),
            _ => Held::Nothing,
        };
        let seen = Entry { size: source.size, modified: source.modified, ..Entry::default() };
        match held {
            Held::Nothing if !source.belongs => vec![(key, Some(seen), Done::Other)],
            Held::Sessions(sessions) => {
                let one = |(id, time): (String, _)| self.keep_session(source, &id, time, settings);
                sessions.into_iter().flat_map(one).collect()
            }
            Held::Nothing | Held::Part if settings.text_only && is_heavy(source) => {
                vec![(key, Some(Entry { is_cut: true, ..seen }), Done::LeftOut)]
            }
            held => {
                let session = if let Held::Session(id) = held { Some(id) } else { None };
                let kept = self.keep_file(source, session, settings);
                let (entry, done) = told(kept);
                vec![(key, entry, done)]
            }
        }
    }

    fn keep_file(
        &self,
        source: &Source,
        session: Option<String>,
        settings: &Settings<'_>,
    ) -> io::Result<(Entry, Done)> {
        let mut file = File::open(&source.path)?;
        let is_lines = source.is_lines();
        let wanted = Wanted {
            header: Header { session, ..source.header() },
            original: &mut file,
            size: source.size,
            modified: source.modified,
            is_lines,
            is_settled: is_settled(source.modified, settings.now),
            is_slim: settings.text_only && is_lines,
        };
        self.keep_original(wanted)
    }

    /// A session of a database and those of its sub-agents, each as its agent would export it.
    fn keep_session(
        &self,
        source: &Source,
        id: &str,
        time: Option<i64>,
        settings: &Settings<'_>,
    ) -> Vec<(Key, Option<Entry>, Done)> {
        let key = (source.path.clone(), Some(id.to_owned()));
        let modified = nanoseconds(time);
        let known = self.files.get(&key);
        let is_known =
            |entry: &Entry| entry.modified == modified && (!entry.is_cut || settings.text_only);
        if time.is_some() && known.is_some_and(is_known) {
            return vec![(key, None, Done::Unchanged)];
        }
        let mut kept = Vec::new();
        let listed = Database::open(&source.path).and_then(|database| {
            database.with_children(id, Limit::default().bytes(), |row, parent, exported| {
                let key = (source.path.clone(), Some(row.id.clone()));
                let exported = exported.map_err(io::Error::other);
                let (entry, done) = told(exported.and_then(|bytes| {
                    self.keep_exported(source, row, parent, bytes, modified, settings)
                }));
                kept.push((key, entry, done));
            })
        });
        if let Err(error) = listed {
            kept.insert(0, (key, None, Done::Failed(error.to_string())));
        }
        // The session is looked at again as long as something of it is not kept.
        if kept.iter().any(|(_, _, done)| matches!(done, Done::Failed(_)))
            && let Some((_, Some(entry), _)) = kept.last_mut()
        {
            entry.modified = 0;
        }
        kept
    }

    fn keep_exported(
        &self,
        source: &Source,
        row: ChildRow,
        parent: Option<String>,
        bytes: Vec<u8>,
        modified: i64,
        settings: &Settings<'_>,
    ) -> io::Result<(Entry, Done)> {
        let size = bytes.len() as u64;
        let ChildRow { id, title, agent } = row;
        self.keep_original(Wanted {
            header: Header {
                in_file: Some(id.clone()),
                session: parent.is_none().then_some(id),
                child: parent.map(|parent| ChildOf { parent, title, agent }),
                ..source.header()
            },
            original: &mut io::Cursor::new(bytes),
            size,
            modified,
            is_lines: false,
            is_settled: true,
            is_slim: settings.text_only,
        })
    }

    fn keep_original(&self, mut wanted: Wanted<'_>) -> io::Result<(Entry, Done)> {
        let Header { agent, path, in_file, .. } = &wanted.header;
        if path.to_str().is_none() {
            return Err(io::Error::other("its path is not UTF-8"));
        }
        let name = name(agent, path, in_file.as_deref());
        let key = (path.clone(), in_file.clone());
        self.make(agent)?;
        let known = self.files.get(&key).map_or(0, |entry| entry.version);
        let (size, modified) = (wanted.size, wanted.modified);
        let mut version = known.max(1);
        loop {
            let data = self.data(&name, version);
            let was_there = KeptFile::at(&data).is_some();
            let appended = append(&data, &data.with_extension(INDEX), &mut wanted, &self.faults)?;
            let Appended::Kept { waits, more } = appended else {
                version += 1;
                continue;
            };
            let kept = KeptFile::open(&data)?;
            let entry = Entry { size, modified, waits, ..Entry::of(&kept, name, version) };
            let done = match (more, was_there, version > known) {
                (0, true, _) => Done::Unchanged,
                (_, false, true) if version > 1 => Done::Rewritten(more),
                (_, false, _) => Done::New(more),
                _ => Done::Grown(more),
            };
            return Ok((entry, done));
        }
    }
}

impl Outcome {
    fn add(&mut self, path: &Path, done: Done) {
        let (count, bytes) = match done {
            Done::New(bytes) => (&mut self.new, bytes),
            Done::Grown(bytes) => (&mut self.grown, bytes),
            Done::Rewritten(bytes) => (&mut self.rewritten, bytes),
            Done::Unchanged => (&mut self.unchanged, 0),
            Done::Other => (&mut self.others, 0),
            Done::LeftOut => (&mut self.left_out, 0),
            Done::Failed(why) => return self.failed.push((path.to_owned(), why)),
        };
        *count += 1;
        self.bytes += bytes;
    }
}

fn told(kept: io::Result<(Entry, Done)>) -> (Option<Entry>, Done) {
    match kept {
        Ok((entry, done)) => (Some(entry), done),
        Err(error) => (None, Done::Failed(error.to_string())),
    }
}

/// Whether a file beside a session is an image or long.
fn is_heavy(source: &Source) -> bool {
    const IMAGES: [&str; 5] = ["png", "jpg", "jpeg", "gif", "webp"];
    let is_image = |ending: &std::ffi::OsStr| IMAGES.iter().any(|image| ending == *image);
    source.path.extension().is_some_and(is_image)
        || !source.is_lines() && source.size > LONGEST_PART
}

fn nanoseconds(time: Option<i64>) -> i64 {
    time.unwrap_or_default().saturating_mul(1_000_000)
}

fn is_settled(modified: i64, now: i64) -> bool {
    now.saturating_sub(modified) > SETTLED
}
