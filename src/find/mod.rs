//! Finds the sessions that agents left in their default places.
//!
//! A listing of thousands must stay quick: of each file its beginning and its
//! end are read. [`FoundSession::count`] reads one whole, for what only that can tell. A caller that has both from
//! an earlier look (`Known`) spares the file.

#[cfg(feature = "sqlite")]
mod database;
mod ends;
mod facts;
mod places;
#[cfg(feature = "cli")]
mod sources;

use crate::setters::setters;
use std::collections::HashSet;
use std::convert::Infallible;
use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};
#[cfg(feature = "catalog")]
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use crate::format::decode::Limit;
use crate::format::listing::Listed;
#[cfg(feature = "catalog")]
use crate::format::listing::Listing;
#[cfg(feature = "catalog")]
use crate::format::read_options::Beside;
use crate::format::source;
use crate::format::{self, ReadOptions};
use crate::progress::{Progress, Steps, Task};
use crate::session::branches::branch_count;
use crate::session::ending::{Ended, ended_by_own_file};
use crate::session::{EntryIndex, Format, Kind, Session, title};
#[cfg(feature = "cli")]
use crate::vault::{KeptFile, Vault};
use crate::workers::{Threads, Workers, both};

use ends::{Ends, REACHES};
pub use places::{AgentFolder, Env, places};
#[cfg(feature = "cli")]
pub(crate) use sources::{Sources, held, newest, sources, sources_of};

/// The agents that keep their sessions in places of their own.
pub fn agents() -> Vec<Format> {
    Format::ALL.iter().copied().filter(|&agent| format::listing(agent).is_some()).collect()
}

/// Files up to this size are read whole to be counted.
const MAX_COUNTED_BYTES: u64 = 32 << 20;

/// And those of them that are packed, where they hold no more than this.
const MAX_UNPACKED_BYTES: u64 = 8 * MAX_COUNTED_BYTES;

/// Which sessions are looked for.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Wanted {
    /// Of this agent alone.
    pub agent: Option<Format>,
    /// Of this folder alone.
    pub cwd: Option<PathBuf>,
    /// Is called with how far the look is; by default none.
    pub progress: Option<Progress>,
}

impl Wanted {
    /// The defaults.
    #[must_use]
    pub fn new() -> Wanted {
        Wanted::default()
    }

    setters! {
        agent: Format => Some(agent),
        cwd: impl Into<PathBuf> => Some(cwd.into()),
        progress: Progress => Some(progress),
    }
}

/// What a look for sessions gave.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Finds {
    /// The sessions, the newest first.
    pub sessions: Vec<FoundSession>,
    /// How many files in those places are no readable sessions.
    pub unreadable: usize,
    /// Databases of which not all was read, each with the reason.
    pub problems: Vec<(PathBuf, String)>,
}

impl Finds {
    /// Counts the newest sessions, at most `limit` of them, and drops the others. One that was not used, or
    /// that cannot be read for another reason, counts among the unreadable files. `each` is called for every
    /// session that was looked at. Gives the number of all sessions that are left.
    pub fn counted(&mut self, limit: usize, each: impl FnMut()) -> usize {
        self.counted_with(&(), limit, each)
    }

    /// The same where some files are known.
    pub(crate) fn counted_with(
        &mut self,
        known: &impl Known,
        limit: usize,
        mut each: impl FnMut(),
    ) -> usize {
        let mut total = self.sessions.len();
        let mut counted = Vec::new();
        for mut session in std::mem::take(&mut self.sessions) {
            if counted.len() == limit {
                break;
            }
            each();
            if !known.complete(&mut session) {
                session.read_again();
            }
            if session.count() {
                counted.push(session);
            } else {
                total -= 1;
                self.unreadable += 1;
            }
        }
        self.sessions = counted;
        total
    }
}

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
    /// What its page is called, once counted: its title, else the first prompt that was answered.
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

/// What an earlier look said of files.
pub(crate) trait Known {
    /// Adds the sessions of a file, each with what it is found and sorted by; says whether the file is known.
    fn add(&mut self, file: &FoundFile, sessions: &mut Vec<FoundSession>) -> bool;

    /// Adds all else to a session that came from here; says whether that went well.
    fn complete(&self, session: &mut FoundSession) -> bool;
}

/// Nothing is known.
impl Known for () {
    fn add(&mut self, _: &FoundFile, _: &mut Vec<FoundSession>) -> bool {
        false
    }

    fn complete(&self, _: &mut FoundSession) -> bool {
        true
    }
}

/// Looks for sessions.
///
/// ```
/// use leafpress::find::{Env, Wanted, find};
///
/// let found = find(&Env::default(), &Wanted::default());
/// for session in &found.sessions {
///     println!("{} {}", session.agent, session.path.display());
/// }
/// ```
pub fn find(env: &Env, wanted: &Wanted) -> Finds {
    find_with(env, wanted, || ()).0
}

/// The same where some files are known, which is found out beside the look into the folders. Their sessions are complete
/// once they are counted.
pub(crate) fn find_with<K: Known>(
    env: &Env,
    wanted: &Wanted,
    known: impl FnOnce() -> K,
) -> (Finds, K) {
    let ((files, copies), mut known) = both(Threads::available(), || files_and_copies(env), known);
    let mut finds = Finds::default();
    let folder = wanted.cwd.as_deref().map(CwdFilter::new);
    let is_wanted = |found: &FoundSession| {
        wanted.agent.is_none_or(|agent| agent == found.agent)
            && folder.as_ref().is_none_or(|folder| folder.is(found.cwd.as_deref()))
    };
    let count = files.len();
    let steps = Steps::new(wanted.progress.clone(), Task::List, count);
    let mut unknown = files;
    unknown.retain(|file| !known.add(file, &mut finds.sessions));
    finds.sessions.retain(is_wanted);
    steps.add(count - unknown.len());
    let read = |(): &mut (), at: usize| {
        let file = &unknown[at];
        let mut problem = None;
        let found = FoundSession::all(file, &mut problem);
        (found, problem.map(|problem| (file.path.clone(), problem)))
    };
    let taken =
        Workers::new(Threads::available(), || ()).run(unknown.len(), read, |(found, problem)| {
            steps.add(1);
            finds.problems.extend(problem);
            match found {
                Some(found) => finds.sessions.extend(found.into_iter().filter(is_wanted)),
                None => finds.unreadable += 1,
            }
            Ok::<(), Infallible>(())
        });
    let Ok(()) = taken;
    finds.sessions.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.place().cmp(&b.place())));
    // One folder may be a place of two agents.
    finds.sessions.dedup_by(|a, b| a.place() == b.place());
    drop_older_forms(&mut finds.sessions);
    mark_kept(copies, &mut finds.sessions);
    (finds, known)
}

/// A file that looks like a session by its place and name.
#[derive(Debug)]
pub(crate) struct FoundFile {
    pub(crate) path: PathBuf,
    /// Whose place it lies in.
    pub(crate) agent: Format,
    pub(crate) about: Metadata,
    /// A person named it, or the folder that it lies in.
    #[cfg_attr(not(feature = "catalog"), expect(dead_code, reason = "the catalog asks"))]
    pub(crate) is_named: bool,
}

#[cfg(feature = "catalog")]
impl FoundFile {
    /// What a person named may be a session that no agent keeps in this form, such as the output of a run.
    pub(crate) fn as_named(&self) -> Option<FoundSession> {
        let listed = (self.agent, Listed::default());
        self.is_named.then(|| FoundSession::of(&self.path, &self.about, listed, false)).flatten()
    }
}

/// A file and, where it holds several sessions, `#` and the id of one.
pub(crate) fn address(path: &Path, in_file: Option<&str>) -> PathBuf {
    let mut address = path.as_os_str().to_owned();
    if let Some(id) = in_file {
        address.push("#");
        address.push(id);
    }
    address.into()
}

/// The copies that leafpress keeps, where the environment names a place for them.
#[cfg(feature = "cli")]
type Copies = Option<Vault>;
#[cfg(not(feature = "cli"))]
type Copies = ();

/// The files in the places of all agents, and the copies of those that are gone. One that lies in two places is there twice.
#[cfg(feature = "catalog")]
pub(crate) fn files(env: &Env) -> Vec<FoundFile> {
    files_and_copies(env).0
}

#[cfg(feature = "cli")]
fn files_and_copies(env: &Env) -> (Vec<FoundFile>, Copies) {
    let mut files = files_of_agents(env);
    let vault = env.leafpress_data.as_deref().and_then(|data| Vault::open(data).ok());
    let vault = vault.filter(|vault| !vault.is_empty());
    if let Some(vault) = &vault {
        let gone = sources::gone(vault, &files);
        files.extend(gone);
    }
    (files, vault)
}

#[cfg(not(feature = "cli"))]
fn files_and_copies(env: &Env) -> (Vec<FoundFile>, Copies) {
    (files_of_agents(env), ())
}

/// Says of each session whether there is a copy.
#[cfg(feature = "cli")]
fn mark_kept(copies: Copies, sessions: &mut [FoundSession]) {
    if let Some(vault) = copies {
        for session in sessions {
            session.kept = sources::kept(&vault, session);
        }
    }
}

#[cfg(not(feature = "cli"))]
fn mark_kept((): Copies, _: &mut [FoundSession]) {}

fn files_of_agents(env: &Env) -> Vec<FoundFile> {
    let of_place = |place: &AgentFolder| {
        let agent = place.agent;
        let files = place.files_with_facts().into_iter();
        files
            .map(move |(path, about)| FoundFile { path, agent, about, is_named: false })
            .collect::<Vec<_>>()
    };
    let places = places(env);
    let mut files = Vec::new();
    let take = |mut of_place: Vec<FoundFile>| {
        files.append(&mut of_place);
        Ok::<(), Infallible>(())
    };
    let walk = |(): &mut (), nth: usize| of_place(&places[nth]);
    let Ok(()) = Workers::new(Threads::available(), || ()).run(places.len(), walk, take);
    files
}

/// The files of a folder that may be sessions, or a file. Links to folders are not followed.
///
/// # Errors
/// The system's reason where there is neither.
#[cfg(feature = "cli")]
pub(crate) fn files_in(place: &Path) -> std::io::Result<Vec<FoundFile>> {
    const ENDINGS: [&str; 7] = ["jsonl", "json", "gz", "zst", "db", "sqlite", "sqlite3"];
    // Alone of all, Claude Code's files are known by their place.
    let agent = Format::ClaudeCode;
    let about = std::fs::metadata(place)?;
    if !about.is_dir() {
        return Ok(vec![FoundFile { path: place.to_owned(), agent, about, is_named: true }]);
    }
    std::fs::read_dir(place)?;
    let mut files = Vec::new();
    let mut folders = vec![place.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let has_ending = |ending: &std::ffi::OsStr| ENDINGS.iter().any(|own| ending == *own);
            if is_folder {
                folders.push(path);
            } else if path.extension().is_some_and(has_ending)
                && let Some(about) = std::fs::metadata(&path).ok().filter(Metadata::is_file)
            {
                files.push(FoundFile { path, agent, about, is_named: false });
            }
        }
    }
    Ok(files)
}

/// Of a session that an agent kept first as one object and then as lines, the lines stay.
fn drop_older_forms(sessions: &mut Vec<FoundSession>) {
    let form = |session: &FoundSession, ending: &str| {
        let is_of = session.path.extension().is_some_and(|own| own == ending);
        (is_of && !session.id.is_empty()).then(|| {
            let folder = session.path.parent().map(Path::to_owned).unwrap_or_default();
            (session.agent, folder, session.id.clone())
        })
    };
    // Most agents never did.
    let is_older =
        |session: &FoundSession| session.path.as_os_str().as_encoded_bytes().ends_with(b".json");
    if !sessions.iter().any(is_older) {
        return;
    }
    let lines: HashSet<_> = sessions.iter().filter_map(|session| form(session, "jsonl")).collect();
    sessions.retain(|session| form(session, "json").is_none_or(|older| !lines.contains(&older)));
}

/// The folder asked for, under the names that a session may have for it.
pub(crate) struct CwdFilter {
    names: Vec<PathBuf>,
}

impl CwdFilter {
    pub(crate) fn new(folder: &Path) -> CwdFilter {
        let absolute = std::path::absolute(folder).ok();
        let real = folder.canonicalize().ok();
        CwdFilter { names: absolute.into_iter().chain(real).collect() }
    }

    pub(crate) fn is(&self, cwd: Option<&str>) -> bool {
        cwd.is_some_and(|cwd| self.names.iter().any(|name| name == Path::new(cwd)))
    }
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

    fn place(&self) -> (&Path, Option<&str>) {
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
    fn read_again(&mut self) {
        let Ok(about) = std::fs::metadata(&self.path) else { return };
        let file = FoundFile { path: self.path.clone(), agent: self.agent, about, is_named: false };
        if let Some(read) = FoundSession::all(&file, &mut None).and_then(|mut all| all.pop()) {
            *self = read;
        }
    }

    fn of(
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
    #[cfg(feature = "cli")]
    if let Some(kept) = KeptFile::at(path) {
        return kept.read_options();
    }
    ReadOptions::new().session(path)
}

/// Reads all of a session, with its sub-agents; `None` where it cannot be exported or was not used.
#[cfg(feature = "catalog")]
pub(crate) fn read_whole(
    path: &Path,
    in_file: Option<&str>,
    beside: Option<Arc<Beside>>,
) -> Option<Session> {
    let options = ReadOptions { beside, ..read_options(path) };
    format::read_with(whole_bytes(path, in_file)?, None, &options).ok().filter(was_used)
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
                (std::fs::metadata(&path), read_whole(&path, None, None))
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
