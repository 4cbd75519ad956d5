//! The files that `leafpress keep` copies: sessions and what belongs to them, as each format says (`Listing::belongs`).

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::{AgentFolder, FoundFile, FoundSession, Kept, modified, places};
use crate::format;
use crate::format::compressed::plain_name;
use crate::format::database::Database;
use crate::format::listing::{Env, Listing};
use crate::session::Format;
use crate::vault::{Held, KeptSession, Source, Vault};

/// What agents themselves name so: the folder that Gemini CLI was started in.
const DOTTED: &str = ".project_root";

/// omp's images lie beside its sessions.
const SESSIONS: &str = "sessions";
const BLOBS: &str = "blobs";

/// So deep below an agent's folder there are no sessions.
const NO_SESSIONS: usize = 16;

/// The files of all agents.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    pub(crate) files: Vec<Source>,
    /// Symbolic links, which are not followed.
    pub(crate) links: Vec<PathBuf>,
    seen: HashSet<PathBuf>,
}

/// A folder to be looked through.
struct Open {
    folder: PathBuf,
    /// The names that lead to it from the agent's folder.
    names: Vec<String>,
    /// All that is in it belongs to sessions.
    belongs: bool,
}

/// All files of sessions in the places of agents.
pub(crate) fn sources(env: &Env) -> Sources {
    let mut sources = Sources::default();
    for place in places(env) {
        if let Some(about) = fs::metadata(&place.folder).ok().filter(Metadata::is_file) {
            sources.add(&place, place.folder.clone(), &about, true, false);
            continue;
        }
        let open = Open { folder: place.folder.clone(), names: Vec::new(), belongs: false };
        sources.walk(&place, open);
        if place.folder.ends_with(SESSIONS) {
            sources.walk(&place, Open::whole(place.folder.with_file_name(BLOBS)));
        }
    }
    sources
}

/// The files of one session: its own, what is in the folder of its name, and its folder where no other session lies in it.
///
/// # Errors
/// The system's reason where there is no such file.
pub(crate) fn sources_of(env: &Env, session: &Path) -> io::Result<Sources> {
    let session = std::path::absolute(session)?;
    let about = fs::symlink_metadata(&session)?;
    if about.is_symlink() {
        return Err(io::Error::other("it is a symbolic link"));
    }
    let place = places(env).into_iter().find(|place| session.starts_with(&place.folder));
    let place = place.unwrap_or_else(|| AgentFolder {
        agent: named_agent(&session, &about),
        folder: session.parent().map(Path::to_owned).unwrap_or_default(),
        levels: 0,
    });
    let mut sources = Sources::default();
    let mut names: Vec<String> = session
        .strip_prefix(&place.folder)
        .into_iter()
        .flat_map(Path::components)
        .map(|name| name.as_os_str().to_string_lossy().into_owned())
        .collect();
    names.pop();
    sources.add(&place, session.clone(), &about, true, false);
    let folder = session.with_extension("");
    if folder != session && folder.is_dir() {
        sources.walk(&place, Open { folder, names: names.clone(), belongs: true });
    }
    let is_session = |file: &&Source| file.may_be_session;
    if let (Some(listing), Some(parent)) = (format::listing(place.agent), session.parent())
        && (listing.belongs)(&names.iter().map(String::as_str).collect::<Vec<_>>())
    {
        let mut around = Sources { seen: sources.seen.clone(), ..Sources::default() };
        around.walk(&place, Open { folder: parent.to_owned(), names, belongs: true });
        if around.files.iter().filter(is_session).count() == 0 {
            sources.files.append(&mut around.files);
            sources.links.append(&mut around.links);
        }
    }
    Ok(sources)
}

/// Whose session a file outside of all places is.
fn named_agent(path: &Path, about: &Metadata) -> Format {
    let agent = Format::ClaudeCode;
    let file = FoundFile { path: path.to_owned(), agent, about: about.clone(), is_named: true };
    let found = FoundSession::all(&file, &mut None);
    found.and_then(|found| found.first().map(|session| session.agent)).unwrap_or(agent)
}

impl Sources {
    fn walk(&mut self, place: &AgentFolder, open: Open) {
        let Some(listing) = format::listing(place.agent) else { return };
        let mut folders = vec![open];
        while let Some(Open { folder, names, belongs }) = folders.pop() {
            let entries: Vec<fs::DirEntry> =
                fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok).collect();
            let level = names.len();
            let is_session = |name: &str| level <= place.levels && (listing.names)(name);
            let own_folders: HashSet<String> = entries
                .iter()
                .filter_map(|entry| entry.file_name().into_string().ok())
                .filter(|name| is_session(name))
                .filter_map(|name| plain_name(&name).strip_suffix(".jsonl").map(str::to_owned))
                .collect();
            for entry in entries {
                let Ok(name) = entry.file_name().into_string() else { continue };
                if name.starts_with('.') && name != DOTTED {
                    continue;
                }
                let Ok(kind) = entry.file_type() else { continue };
                let belongs = belongs || belongs_by_name(listing, &names, &name);
                if kind.is_symlink() {
                    let is_ours = belongs || is_session(&name) || level < place.levels;
                    self.links.extend(is_ours.then(|| entry.path()));
                } else if kind.is_dir() {
                    let belongs = belongs || own_folders.contains(&name);
                    if belongs || level < place.levels {
                        if name == SESSIONS {
                            folders.push(Open::whole(folder.join(BLOBS)));
                        }
                        let names = names.iter().cloned().chain([name]).collect();
                        folders.push(Open { folder: entry.path(), names, belongs });
                    }
                } else if kind.is_file()
                    && (belongs || is_session(&name))
                    && let Ok(about) = entry.metadata()
                {
                    self.add(place, entry.path(), &about, is_session(&name), belongs);
                }
            }
        }
    }

    fn add(
        &mut self,
        place: &AgentFolder,
        path: PathBuf,
        about: &Metadata,
        may_be_session: bool,
        belongs: bool,
    ) {
        // One folder may be a place of two agents.
        if self.seen.insert(path.clone()) {
            self.files.push(Source {
                path,
                agent: place.agent,
                size: about.len(),
                modified: modified(about),
                may_be_session,
                belongs,
            });
        }
    }
}

impl Open {
    /// One whose files belong to sessions and are none.
    fn whole(folder: PathBuf) -> Open {
        Open { folder, names: vec![String::new(); NO_SESSIONS], belongs: true }
    }
}

fn belongs_by_name(listing: &Listing, names: &[String], name: &str) -> bool {
    let names: Vec<&str> = names.iter().map(String::as_str).chain([name]).collect();
    (listing.belongs)(&names)
}

/// What a file is.
pub(crate) fn held(source: &Source) -> Held {
    let Ok(about) = fs::metadata(&source.path) else { return Held::Nothing };
    let path = source.path.clone();
    let file = FoundFile { path, agent: source.agent, about, is_named: false };
    let Some(found) = FoundSession::all(&file, &mut None) else { return Held::Nothing };
    if let [session] = &*found
        && session.in_file.is_none()
    {
        return Held::Session(session.id.clone());
    }
    if found.is_empty() {
        return Held::Part;
    }
    Held::Sessions(found.into_iter().map(|session| (session.id, session.time)).collect())
}

/// Whether a session that was found is kept.
pub(super) fn kept(vault: &Vault, session: &FoundSession) -> Kept {
    if session.path.starts_with(vault.root()) {
        return Kept::Only;
    }
    if vault.names(&session.path, session.in_file.as_deref()) { Kept::Copy } else { Kept::No }
}

/// The copies of sessions that are not among the files of agents, one of each.
pub(super) fn gone(vault: &Vault, files: &[FoundFile]) -> Vec<FoundFile> {
    let paths: HashSet<PathBuf> = files.iter().map(|file| plain_path(&file.path)).collect();
    let names: HashSet<(Format, &OsStr)> =
        files.iter().map(|file| (file.agent, name_of(&file.path))).collect();
    let mut originals = Originals::default();
    let mut is_there = |session: &KeptSession| {
        let is_listed = || {
            paths.contains(&plain_path(&session.original))
                || is_named_by_id(session)
                    && names.contains(&(session.agent, name_of(&session.original)))
        };
        session.in_file.is_none() && is_listed() || originals.have(session)
    };
    let gone: Vec<KeptSession> = vault.sessions().filter(|session| !is_there(session)).collect();
    let file = |session: KeptSession| {
        let about = fs::metadata(&session.data).ok()?;
        Some(FoundFile { path: session.data, agent: session.agent, about, is_named: false })
    };
    newest(gone).into_iter().filter_map(file).collect()
}

/// Of several copies of one session, that of the file which was written last. Codex moves sessions that are archived, and
/// compresses old ones: each is kept as a file of its own.
pub(crate) fn newest(mut sessions: Vec<KeptSession>) -> Vec<KeptSession> {
    sessions.sort_by_key(|session| std::cmp::Reverse(session.seen.1));
    let mut seen = HashSet::new();
    sessions.retain(|session| {
        !is_named_by_id(session)
            || seen.insert((session.agent, name_of(&session.original).to_owned()))
    });
    sessions
}

/// Whether no other session of the agent has a file of this name.
fn is_named_by_id(session: &KeptSession) -> bool {
    let name = session.original.file_name().and_then(OsStr::to_str);
    session.in_file.is_none()
        && !session.id.is_empty()
        && name.is_some_and(|name| name.contains(&session.id))
}

/// A path without the ending of a compressed file.
fn plain_path(path: &Path) -> PathBuf {
    path.with_file_name(name_of(path))
}

/// A file's name, in the same way.
fn name_of(path: &Path) -> &OsStr {
    let name = path.file_name().unwrap_or_default();
    name.to_str().map_or(name, |name| OsStr::new(plain_name(name)))
}

/// Which originals of kept sessions are still there.
#[derive(Debug, Default)]
pub(crate) struct Originals {
    databases: HashMap<PathBuf, Option<HashSet<String>>>,
}

impl Originals {
    /// Whether a session is still where it was copied from.
    pub(crate) fn have(&mut self, session: &KeptSession) -> bool {
        let Some(id) = &session.in_file else { return session.original.exists() };
        let ids = self.databases.entry(session.original.clone());
        let ids = ids.or_insert_with(|| ids_in(&session.original));
        ids.as_ref().is_some_and(|ids| ids.contains(id))
    }
}

/// The sessions of a database; `None` where it is gone.
fn ids_in(path: &Path) -> Option<HashSet<String>> {
    let sessions = Database::open(path).ok()?.sessions().ok()?;
    Some(sessions.into_iter().map(|session| session.id).collect())
}
