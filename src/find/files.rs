//! The files that look like sessions by their places and names, and the copies of those that are gone.

use std::convert::Infallible;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
#[cfg(feature = "catalog")]
use std::time::UNIX_EPOCH;

#[cfg(feature = "cli")]
use super::sources;
use super::{AgentFolder, Env, FoundSession, places};
#[cfg(feature = "catalog")]
use crate::format::listing::Listed;
use crate::session::Format;
#[cfg(feature = "cli")]
use crate::vault::Vault;
use crate::workers::{Threads, Workers};

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
pub(super) type Copies = Option<Vault>;
#[cfg(not(feature = "cli"))]
pub(super) type Copies = ();

/// The files in the places of all agents, and the copies of those that are gone. One that lies in two places is there twice.
#[cfg(feature = "catalog")]
pub(crate) fn files(env: &Env) -> Vec<FoundFile> {
    files_and_copies(env).0
}

#[cfg(feature = "cli")]
pub(super) fn files_and_copies(env: &Env) -> (Vec<FoundFile>, Copies) {
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
pub(super) fn files_and_copies(env: &Env) -> (Vec<FoundFile>, Copies) {
    (files_of_agents(env), ())
}

/// Says of each session whether there is a copy.
#[cfg(feature = "cli")]
pub(super) fn mark_kept(copies: Copies, sessions: &mut [FoundSession]) {
    if let Some(vault) = copies {
        for session in sessions {
            session.kept = sources::kept(&vault, session);
        }
    }
}

#[cfg(not(feature = "cli"))]
pub(super) fn mark_kept((): Copies, _: &mut [FoundSession]) {}

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

/// When a file was written, in nanoseconds since 1970.
#[cfg(feature = "catalog")]
pub(crate) fn modified(about: &Metadata) -> i64 {
    let since = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or_default()
}
