//! One session that was found, and how it is read.

#[cfg(feature = "cli")]
use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(feature = "cli")]
use std::sync::{Mutex, PoisonError};
use std::time::UNIX_EPOCH;

#[cfg(feature = "sqlite")]
use super::database;
use super::ends::{Ends, REACHES};
use super::{FoundFile, address, facts};
use crate::format::decode::Limit;
use crate::format::listing::Listed;
#[cfg(feature = "catalog")]
use crate::format::listing::Listing;
use crate::format::read_options::Beside;
use crate::format::source;
use crate::format::{self, ReadOptions};
use crate::session::branches::branch_count;
use crate::session::ending::{Ended, ended_by_own_file};
use crate::session::{EntryIndex, Format, Kind, Session, title};
#[cfg(feature = "cli")]
use crate::vault::{KeptFile, KeptFiles};

/// Files up to this size are read whole to be counted.
pub(super) const MAX_COUNTED_BYTES: u64 = 32 << 20;

/// And those of them that are packed, where they hold no more than this.
const MAX_UNPACKED_BYTES: u64 = 8 * MAX_COUNTED_BYTES;

/// A session that was found.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct FoundSession {
    /// Whose it is.
    pub agent: Format,
    /// The file.
    pub path: PathBuf,
    /// Which session of the file it is, by its id, where the file holds several: a database.
    pub in_file: Option<String>,
    /// Its size in bytes; in a database it is known, and more than 0, once the session was counted.
    pub size: u64,
    /// The session's id; empty where the file has none.
    pub id: String,
    /// When the last prompt or answer was written, in milliseconds since 1970;
    /// where that is not known, when the file was.
    pub time: Option<i64>,
    /// The folder that the agent worked in.
    pub cwd: Option<String>,
    /// The name that somebody gave the session.
    pub title: Option<String>,
    /// The first prompt, on one line; `None` also where it lies too deep in a large file.
    pub prompt: Option<String>,
    /// Entries and branches, once counted.
    pub counts: Option<Counts>,
    /// What its page is called, once counted; `None` where that is its id.
    pub called: Option<String>,
    /// How its current branch ended, once counted.
    pub ended: Option<Ended>,
    /// Whether leafpress has a copy.
    pub kept: Kept,
}

/// Whether leafpress has a copy of a session: `leafpress keep` makes them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kept {
    /// There is none, or it was not looked for.
    #[default]
    No,
    /// There is one beside the agent's file.
    Copy,
    /// The agent's file is gone, and the copy is what was found.
    Only,
}

/// What only the whole of a file can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// How many entries there are.
    pub entries: usize,
    /// How many leaves the tree has.
    pub branches: usize,
}

impl FoundSession {
    /// What the command takes as its session: the file and, where it holds several, `#` and the id.
    pub fn address(&self) -> PathBuf {
        address(&self.path, self.in_file.as_deref())
    }

    /// Whether its file says all that a listing does; some agents write a title or the folder to another one, and of a copy
    /// its index says more.
    #[cfg(feature = "catalog")]
    pub(crate) fn is_of_file_alone(&self) -> bool {
        let is_alone = |listing: &Listing| listing.take_beside.is_none();
        let is_own = self.in_file.is_none() && original(&self.path) == self.path;
        is_own && format::listing(self.agent).is_some_and(is_alone)
    }

    pub(super) fn place(&self) -> (&Path, Option<&str>) {
        (&self.path, self.in_file.as_deref())
    }

    /// The sessions of a file; `None` when it is not readable.
    #[cfg_attr(not(feature = "sqlite"), expect(unused_variables, reason = "of databases alone"))]
    pub(crate) fn all(file: &FoundFile, problem: &mut Option<String>) -> Option<Vec<FoundSession>> {
        let FoundFile { path, agent, about, .. } = file;
        let agent = *agent;
        // An export says nothing of itself at its ends.
        #[cfg(feature = "cli")]
        if let Some(id) = KeptFile::at(path).and_then(|kept| kept.in_file().map(str::to_owned)) {
            let mut listed = Listed::default();
            listed.id = id;
            return FoundSession::of(path, about, (agent, listed), false).map(|found| vec![found]);
        }
        let mut read = None;
        for reach in REACHES {
            let ends = Ends::read(path, reach).ok()?;
            #[cfg(feature = "sqlite")]
            if ends.head.starts_with(format::SQLITE) {
                return database::sessions(path, agent, problem);
            }
            let listed = facts::read(&ends, agent);
            let is_enough = |(_, listed): &(Format, Listed)| listed.tells_enough();
            let is_last = ends.is_whole || listed.as_ref().is_some_and(is_enough);
            read = listed.map(|(agent, listed)| (agent, listed, ends.is_whole));
            if is_last {
                break;
            }
        }
        let (mut agent, mut listed, mut is_whole) = read?;
        // The last message may lie before much that is none, and an object is read whole.
        let mut further = REACHES[REACHES.len() - 1].further();
        while let Some(reach) = further.filter(|_| listed.latest.is_none() && !is_whole) {
            let ends = Ends::read(path, reach).ok()?;
            (agent, listed) = facts::read(&ends, agent)?;
            is_whole = ends.is_whole;
            further = reach.further();
        }
        if listed.is_agents {
            return Some(Vec::new());
        }
        Some(vec![FoundSession::of(path, about, (agent, listed), is_whole)?])
    }

    /// Reads both ends of its file once more.
    pub(super) fn read_again(&mut self) {
        let Ok(about) = std::fs::metadata(&self.path) else { return };
        let file = FoundFile { path: self.path.clone(), agent: self.agent, about, is_named: false };
        if let Some(read) = FoundSession::all(&file, &mut None).and_then(|mut all| all.pop()) {
            *self = read;
        }
    }

    pub(super) fn of(
        path: &Path,
        about: &Metadata,
        (agent, mut listed): (Format, Listed),
        is_whole: bool,
    ) -> Option<FoundSession> {
        if let Some(take) = format::listing(agent).and_then(|listing| listing.take_beside) {
            take(&mut listed, &read_options(path));
        }
        let (size, modified) = size_and_time(path, about)?;
        Some(FoundSession {
            agent,
            path: path.to_owned(),
            in_file: None,
            size,
            time: listed.latest.or(if is_whole { listed.began } else { None }).or(modified),
            id: listed.id,
            cwd: listed.cwd,
            title: listed.title,
            prompt: listed.prompt,
            counts: None,
            called: None,
            ended: None,
            kept: Kept::No,
        })
    }

    /// Reads the file whole for what its ends do not tell. Files of more than
    /// 32 MB stay uncounted, as do those that cannot be read. Says whether the session can be exported and
    /// holds more than what an agent begins with, as far as that was seen.
    pub fn count(&mut self) -> bool {
        if self.size > MAX_COUNTED_BYTES || self.counts.is_some() {
            return true;
        }
        let Some(bytes) = self.bytes() else { return true };
        if self.in_file.is_some() {
            self.size = bytes.len() as u64;
        }
        let read = format::read_with(bytes, None, &ReadOptions::default());
        let Some(session) = read.ok().filter(was_used) else { return false };
        self.take_counts(&session);
        true
    }

    /// Takes what only the whole session tells. Its own file says all of it, so that whoever keeps it has to look for
    /// changes of that file alone.
    pub(crate) fn take_counts(&mut self, session: &Session) {
        self.counts = Some(Counts { entries: session.own_len(), branches: branch_count(session) });
        if let Some(title) = session.title() {
            self.title = Some(title.to_owned());
        }
        self.called = title::words_for(session);
        self.ended = ended_by_own_file(session, session.leaf());
    }

    /// All of the session.
    fn bytes(&self) -> Option<Vec<u8>> {
        #[cfg(feature = "sqlite")]
        if let Some(id) = &self.in_file {
            return database::session(&self.path, id);
        }
        let limit = Limit::given(MAX_UNPACKED_BYTES);
        #[cfg(feature = "cli")]
        if let Some(kept) = KeptFile::at(&self.path) {
            return kept.session(limit).ok();
        }
        let file = File::open(&self.path).ok()?;
        source::read(file, Some(self.size), None, limit).ok()
    }
}

/// The size of a session's file, and when it was written, in milliseconds since 1970; of a copy, those of the original as far
/// as it is kept.
fn size_and_time(path: &Path, about: &Metadata) -> Option<(u64, Option<i64>)> {
    #[cfg(feature = "cli")]
    if let Some(kept) = KeptFile::at(path) {
        return Some((kept.bytes(), Some(kept.modified())));
    }
    let _ = path;
    let modified = about.modified().ok()?.duration_since(UNIX_EPOCH).ok();
    Some((about.len(), modified.and_then(|since| i64::try_from(since.as_millis()).ok())))
}

/// Where the file of a session was, where this is a copy of it; else the file itself.
#[cfg(feature = "catalog")]
pub(crate) fn original(path: &Path) -> PathBuf {
    #[cfg(feature = "cli")]
    if let Some(kept) = KeptFile::at(path) {
        return kept.original().to_owned();
    }
    path.to_owned()
}

/// How the session of a file is read.
pub(crate) fn read_options(path: &Path) -> ReadOptions {
    ManyOptions::default().of(path)
}

/// How many sessions are read: what was seen beside one is known when the next is read.
#[derive(Debug, Default)]
pub(crate) struct ManyOptions {
    beside: Arc<Beside>,
    /// By the folder of an agent's copies.
    #[cfg(feature = "cli")]
    kept: Mutex<HashMap<PathBuf, Arc<KeptFiles>>>,
}

impl ManyOptions {
    /// How the session of a file is read.
    pub(crate) fn of(&self, path: &Path) -> ReadOptions {
        let beside = Some(Arc::clone(&self.beside));
        #[cfg(feature = "cli")]
        if let Some(kept) = KeptFile::at(path) {
            let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let files = all.entry(kept.folder().to_owned()).or_insert_with(|| kept.files_beside());
            return ReadOptions { beside, ..kept.read_options(Arc::clone(files)) };
        }
        ReadOptions { beside, ..ReadOptions::new().session(path) }
    }
}

/// Reads all of a session, with its sub-agents; `None` where it cannot be exported or was not used.
#[cfg(feature = "catalog")]
pub(crate) fn read_whole(
    path: &Path,
    in_file: Option<&str>,
    options: &ReadOptions,
) -> Option<Session> {
    format::read_with(whole_bytes(path, in_file)?, None, options).ok().filter(was_used)
}

/// All bytes of a session, unpacked.
#[cfg(feature = "catalog")]
pub(crate) fn whole_bytes(path: &Path, in_file: Option<&str>) -> Option<Vec<u8>> {
    if let Some(id) = in_file {
        return database::whole_session(path, id);
    }
    #[cfg(feature = "cli")]
    if let Some(kept) = KeptFile::at(path) {
        return kept.session(Limit::default()).ok();
    }
    let file = File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    source::read(file, Some(size), None, Limit::default()).ok()
}

/// Whether a session holds more than what some agents write when they start: system prompts and settings.
pub(crate) fn was_used(session: &Session) -> bool {
    let is_start = |at: EntryIndex| {
        let kind = Kind::of(&session.entry_at(at).body);
        matches!(kind, Kind::System | Kind::ModelChange | Kind::ThinkingChange)
    };
    session.own_indices().any(|at| !is_start(at))
}

#[cfg(all(test, feature = "catalog"))]
mod tests {
    use super::*;

    fn add_files(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() { add_files(&path, files) } else { files.push(path) }
        }
    }

    #[test]
    fn what_is_counted_does_not_depend_on_files_beside_the_session() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files = Vec::new();
        add_files(&root.join("tests/fixtures"), &mut files);
        add_files(&root.join("examples"), &mut files);
        let mut counted = 0;
        for path in files {
            let (Ok(about), Some(whole)) =
                (std::fs::metadata(&path), read_whole(&path, None, &read_options(&path)))
            else {
                continue;
            };
            let listed = (whole.format(), Listed::default());
            let mut alone = FoundSession::of(&path, &about, listed, true).unwrap();
            if !alone.is_of_file_alone() {
                continue;
            }
            let mut among_files = alone.clone();
            assert!(alone.count(), "{path:?}");
            among_files.take_counts(&whole);
            assert_eq!(alone, among_files);
            counted += 1;
        }
        assert!(counted > 100, "{counted}");
    }
}
