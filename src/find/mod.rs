//! Finds the sessions that agents left in their default places.
//!
//! A listing of thousands must stay quick: of each file its beginning and its
//! end are read. [`FoundSession::count`] reads one whole, for what only that can tell. A caller that has both from
//! an earlier look (`Known`) spares the file.

#[cfg(feature = "sqlite")]
mod database;
mod ends;
mod facts;
mod files;
mod places;
mod session;
#[cfg(feature = "cli")]
mod sources;

use std::collections::HashSet;
use std::convert::Infallible;
use std::path::{Path, PathBuf};

use crate::format;
use crate::progress::{Progress, Steps, Task};
use crate::session::Format;
use crate::setters::setters;
use crate::workers::{Threads, Workers, both};

#[cfg(feature = "cli")]
pub(crate) use files::files_in;
pub(crate) use files::{FoundFile, address};
#[cfg(feature = "catalog")]
pub(crate) use files::{files, modified};
use files::{files_and_copies, mark_kept};
pub use places::{AgentFolder, Env, places};
pub use session::{Counts, FoundSession, Kept};
#[cfg(feature = "catalog")]
pub(crate) use session::{ManyOptions, original, read_options, read_whole};
#[cfg(feature = "cli")]
pub(crate) use session::{was_used, whole_bytes};
#[cfg(feature = "cli")]
pub(crate) use sources::{Originals, Sources, held, newest, sources, sources_of};

/// The agents that keep their sessions in places of their own.
pub fn agents() -> Vec<Format> {
    Format::ALL.iter().copied().filter(|&agent| format::listing(agent).is_some()).collect()
}

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
