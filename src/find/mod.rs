//! Finds the sessions that agents left in their default places.
//!
//! A listing of thousands must stay quick: of each file its beginning and its
//! end are read. [`FoundSession::count`] reads one whole, for what only that can tell.

mod ends;
mod facts;
mod places;

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::format::source::{self, Limit};
use crate::format::{self, ReadOptions};
use crate::outline::branch_count;
use crate::session::Dialect;

use ends::Ends;
pub use places::{AgentFolder, Env, places};

/// The agents that keep their sessions in places of their own.
pub fn agents() -> Vec<Dialect> {
    Dialect::ALL.into_iter().filter(|&agent| format::listing(agent).is_some()).collect()
}

/// Files up to this size are read whole to be counted.
const MAX_COUNTED_BYTES: u64 = 32 << 20;

/// And those of them that are packed, where they hold no more than this.
const MAX_UNPACKED_BYTES: u64 = 8 * MAX_COUNTED_BYTES;

/// Which sessions are looked for.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Of this agent alone.
    pub agent: Option<Dialect>,
    /// Of this folder alone.
    pub cwd: Option<PathBuf>,
}

/// What a look for sessions gave.
#[derive(Debug, Default)]
pub struct Finds {
    /// The sessions, the newest first.
    pub sessions: Vec<FoundSession>,
    /// Files in those places that are no readable sessions.
    pub unreadable: usize,
}

/// A session that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundSession {
    /// Whose it is.
    pub agent: Dialect,
    /// The file.
    pub path: PathBuf,
    /// Its size in bytes.
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
}

/// What only the whole of a file can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// How many entries there are.
    pub entries: usize,
    /// How many leaves the tree has.
    pub branches: usize,
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
    let mut finds = Finds::default();
    let folder = wanted.cwd.as_deref().map(CwdFilter::new);
    for place in places(env) {
        for path in place.files() {
            match FoundSession::read(&path, place.agent) {
                None => finds.unreadable += 1,
                Some(found) => {
                    let is_wanted = wanted.agent.is_none_or(|agent| agent == found.agent)
                        && folder.as_ref().is_none_or(|folder| folder.is(found.cwd.as_deref()));
                    if is_wanted {
                        finds.sessions.push(found);
                    }
                }
            }
        }
    }
    finds.sessions.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.path.cmp(&b.path)));
    // One folder may be a place of two agents.
    finds.sessions.dedup_by(|a, b| a.path == b.path);
    drop_older_forms(&mut finds.sessions);
    finds
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
    let lines: HashSet<_> = sessions.iter().filter_map(|session| form(session, "jsonl")).collect();
    sessions.retain(|session| form(session, "json").is_none_or(|older| !lines.contains(&older)));
}

/// The folder asked for, under the names that a session may have for it.
struct CwdFilter {
    names: Vec<PathBuf>,
}

impl CwdFilter {
    fn new(folder: &Path) -> CwdFilter {
        let absolute = std::path::absolute(folder).ok();
        let real = folder.canonicalize().ok();
        CwdFilter { names: absolute.into_iter().chain(real).collect() }
    }

    fn is(&self, cwd: Option<&str>) -> bool {
        cwd.is_some_and(|cwd| self.names.iter().any(|name| name == Path::new(cwd)))
    }
}

impl FoundSession {
    /// Reads the ends of a file; `None` when it is no readable session.
    fn read(path: &Path, agent: Dialect) -> Option<FoundSession> {
        let about = fs::metadata(path).ok()?;
        let ends = Ends::read(path).ok()?;
        let (agent, mut listed) = facts::read(&ends, agent)?;
        if let Some(take) = format::listing(agent).and_then(|listing| listing.take_beside) {
            take(&mut listed, path);
        }
        let modified = about.modified().ok()?.duration_since(UNIX_EPOCH).ok();
        let modified = modified.and_then(|since| i64::try_from(since.as_millis()).ok());
        Some(FoundSession {
            agent,
            path: path.to_owned(),
            size: about.len(),
            time: listed.latest.or(if ends.is_whole { listed.began } else { None }).or(modified),
            id: listed.id,
            cwd: listed.cwd,
            title: listed.title,
            prompt: listed.prompt,
            counts: None,
        })
    }

    /// Reads the file whole for what its ends do not tell. Files of more than
    /// 32 MB stay uncounted, as do those that cannot be read.
    pub fn count(&mut self) {
        if self.size > MAX_COUNTED_BYTES || self.counts.is_some() {
            return;
        }
        let Ok(file) = File::open(&self.path) else { return };
        let limit = Limit::given(MAX_UNPACKED_BYTES);
        let Ok(bytes) = source::read(file, Some(self.size), None, limit) else { return };
        let Ok(session) = format::read_with(bytes, None, &ReadOptions::default()) else { return };
        self.counts = Some(Counts { entries: session.own_len(), branches: branch_count(&session) });
        if let Some(title) = session.title() {
            self.title = Some(title.to_owned());
        }
    }
}
