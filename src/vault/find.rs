//! Kept sessions by their ids, and kept files as they lay beside one another.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::kept_file::{INDEX, KeptFile};
use super::known::{Entry, Key, Vault, agent_of, data, newest};
use crate::format::database::{ChildRow, DatabaseError, Sessions};
use crate::format::decode::{Limit, SourceError};
use crate::format::{self, SessionFileError, SessionFiles, blobs_named};
use crate::session::Format;

/// A session that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeptSession {
    pub(crate) id: String,
    pub(crate) agent: Format,
    /// The newest version.
    pub(crate) data: PathBuf,
    /// Where it was copied from.
    pub(crate) original: PathBuf,
    /// Which session of a database it is.
    pub(crate) in_file: Option<String>,
    /// How many versions there are.
    pub(crate) versions: u32,
    /// Its bytes, and how many they are when compressed.
    pub(crate) bytes: u64,
    pub(crate) packed: u64,
    /// How long the original was when it was last looked at, and when it was written.
    pub(crate) seen: (u64, i64),
    /// Something of it was left out.
    pub(crate) is_cut: bool,
}

impl Vault {
    /// All sessions that are kept.
    pub(crate) fn sessions(&self) -> impl Iterator<Item = KeptSession> + '_ {
        self.files.iter().filter_map(|(key, entry)| self.session(key, entry))
    }

    fn session(&self, (path, in_file): &Key, entry: &Entry) -> Option<KeptSession> {
        Some(KeptSession {
            id: entry.session.clone()?,
            agent: agent_of(&entry.name)?,
            data: self.data(&entry.name, entry.version),
            original: path.clone(),
            in_file: in_file.clone(),
            versions: entry.version,
            bytes: entry.kept,
            packed: entry.packed,
            seen: (entry.size, entry.modified),
            is_cut: entry.is_cut,
        })
    }

    /// How many bytes all copies have, and how many they are when compressed: older versions not counted.
    pub(crate) fn sizes(&self) -> (u64, u64) {
        let sizes = self.files.values().map(|entry| (entry.kept, entry.packed));
        sizes.fold((0, 0), |all, own| (all.0 + own.0, all.1 + own.1))
    }

    /// Whether this is the newest version of a file's copy.
    pub(crate) fn is_newest(&self, kept: &KeptFile, data: &Path) -> bool {
        let entry = self.files.get(&(kept.header.path.clone(), kept.header.in_file.clone()));
        entry.is_some_and(|entry| self.data(&entry.name, entry.version) == data)
    }

    /// The newest versions of all files that belong to a session, its own first; with the blobs of omp that it names.
    pub(crate) fn files_of(&self, session: &KeptSession) -> Vec<KeptFile> {
        let mut files: Vec<KeptFile> =
            self.keys_of(session).iter().filter_map(|key| self.newest_of(key)).collect();
        let mut blobs = HashSet::new();
        for kept in &files {
            blobs.extend(blobs_named(&kept.session(Limit::default()).unwrap_or_default()));
        }
        let keys = self.keys_named(session, &blobs);
        files.extend(keys.iter().filter_map(|key| self.newest_of(key)));
        files
    }

    fn newest_of(&self, key: &Key) -> Option<KeptFile> {
        let entry = self.files.get(key)?;
        KeptFile::at(&self.data(&entry.name, entry.version))
    }

    /// The files of the session's agent that are no sessions and that these names end.
    fn keys_named(&self, session: &KeptSession, names: &HashSet<String>) -> Vec<Key> {
        let is_named = |path: &Path| {
            let name = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
            let end = name.len().checked_sub(UUID).and_then(|at| name.get(at..));
            names.contains(name) || end.is_some_and(|id| names.contains(id))
        };
        let found = self.files.iter().filter(|((path, _), entry)| {
            entry.session.is_none()
                && agent_of(&entry.name) == Some(session.agent)
                && is_named(path)
        });
        found.map(|(key, _)| key.clone()).collect()
    }

    /// The session itself, and what belongs to it alone: where it lies, and its sub-agents wherever they lie (Codex).
    fn keys_of(&self, session: &KeptSession) -> Vec<Key> {
        let mut keys = self.keys_around(session);
        let children = self.newest_of(&keys[0]).map(|kept| children_named(&kept));
        let elsewhere = self.keys_named(session, &children.unwrap_or_default());
        let elsewhere: Vec<Key> = elsewhere.into_iter().filter(|key| !keys.contains(key)).collect();
        keys.extend(elsewhere);
        keys
    }

    /// The session's own folder has what belongs to it; where no other session lies in its folder, all there does. A session
    /// of a database has those of its sub-agents.
    fn keys_around(&self, session: &KeptSession) -> Vec<Key> {
        let own: Key = (session.original.clone(), session.in_file.clone());
        let mut keys = vec![own.clone()];
        if session.in_file.is_some() {
            let mut next = 0;
            while let Some((path, Some(id))) = keys.get(next).cloned() {
                let children = children(&self.files, &path, &id).map(|(key, _)| key);
                let new: Vec<Key> = children.filter(|key| !keys.contains(key)).cloned().collect();
                keys.extend(new);
                next += 1;
            }
            return keys;
        }
        let Some(folder) = session.original.parent() else { return keys };
        let own_folder = session.original.with_extension("");
        let below = |of: &Path| {
            let from = (of.to_owned(), None);
            let of = of.to_owned();
            self.files.range(from..).take_while(move |((path, _), _)| path.starts_with(&of))
        };
        let is_other = |((path, _), entry): &(&Key, &Entry)| {
            entry.session.is_some() && *path != session.original
        };
        let is_alone = !below(folder).any(|file| is_other(&file));
        let belonging = below(if is_alone { folder } else { &own_folder });
        let belonging = belonging.filter(|(key, entry)| !entry.name.is_empty() && **key != own);
        keys.extend(belonging.map(|(key, _)| key.clone()));
        keys
    }

    /// Deletes all copies of a session and of what belongs to it, but for blobs, which others may name. Gives the number of files that were deleted.
    ///
    /// # Errors
    /// The system's reason where one stays.
    pub(crate) fn forget(&mut self, session: &KeptSession) -> io::Result<usize> {
        let mut deleted = 0;
        for key in self.keys_of(session) {
            let Some(entry) = self.files.get(&key).cloned() else { continue };
            // The newest first: as long as one is there, the file is known to be kept.
            for version in (1..=entry.version).rev() {
                let data = self.data(&entry.name, version);
                for path in [data.clone(), data.with_extension(INDEX)] {
                    self.faults.step()?;
                    match fs::remove_file(path) {
                        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                        removed => removed.map(|()| deleted += 1)?,
                    }
                }
            }
            self.files.remove(&key);
            self.is_changed = true;
        }
        self.write_list()?;
        Ok(deleted)
    }
}

/// Of an id such as Codex ends the names of its files with.
const UUID: usize = 36;

/// The names by which a session knows those of its sub-agents.
fn children_named(kept: &KeptFile) -> HashSet<String> {
    let Ok(source) = kept.session(Limit::default()) else { return HashSet::new() };
    let options = kept.read_options(kept.files_beside());
    let Ok(read) = format::read_with(source, None, &options) else { return HashSet::new() };
    let keys = read.sub_sessions().iter().filter_map(|sub| sub.key.rsplit('/').next());
    keys.map(str::to_owned).collect()
}

/// The sessions of a database in which a session's sub-agents worked.
fn children<'f>(
    files: &'f BTreeMap<Key, Entry>,
    database: &'f Path,
    id: &'f str,
) -> impl Iterator<Item = (&'f Key, &'f Entry)> {
    let of_database = files.range((database.to_owned(), None)..);
    let of_database = of_database.take_while(move |((path, _), _)| path == database);
    of_database.filter(move |(_, entry)| entry.parent.as_deref() == Some(id))
}

/// The copies of an agent's files, found by where the originals lay.
#[derive(Debug)]
pub(crate) struct KeptFiles {
    root: PathBuf,
    agent: String,
    files: OnceLock<BTreeMap<Key, Entry>>,
}

impl KeptFiles {
    pub(super) fn new(root: PathBuf, agent: String) -> KeptFiles {
        KeptFiles { root, agent, files: OnceLock::new() }
    }

    fn files(&self) -> &BTreeMap<Key, Entry> {
        self.files.get_or_init(|| {
            let vault = self.root.parent().and_then(|data| Vault::open(data).ok());
            let mut files = vault.map(|vault| vault.files).unwrap_or_default();
            files.retain(|_, entry| {
                entry.name.strip_prefix(&*self.agent).is_some_and(|rest| rest.starts_with('/'))
            });
            files
        })
    }

    /// The files at or below a path.
    fn below<'s>(&'s self, path: &'s Path) -> impl Iterator<Item = &'s PathBuf> {
        let from = self.files().range((path.to_owned(), None)..).map(|((path, _), _)| path);
        from.take_while(move |own| own.starts_with(path))
    }

    fn file(&self, folder: &Path, name: &str) -> Result<KeptFile, SessionFileError> {
        let data = newest(&self.root, &self.agent, &folder.join(name));
        data.and_then(|data| KeptFile::at(&data)).ok_or(SessionFileError::Missing)
    }
}

impl SessionFiles for KeptFiles {
    fn size(&self, folder: &Path, name: &str) -> Result<u64, SessionFileError> {
        self.file(folder, name).map(|file| file.bytes())
    }

    fn read(&self, folder: &Path, name: &str, limit: u64) -> Result<Vec<u8>, SessionFileError> {
        use std::io::Read as _;

        let file = self.file(folder, name)?;
        let mut bytes = Vec::new();
        let read = file.reader().and_then(|reader| reader.take(limit).read_to_end(&mut bytes));
        read.map_err(|error| SessionFileError::Unreadable(error.to_string()))?;
        Ok(bytes)
    }

    fn list(&self, folder: &Path) -> Vec<String> {
        let name = |path: &PathBuf| {
            let below = path.strip_prefix(folder).ok()?;
            below.components().next()?.as_os_str().to_str().map(str::to_owned)
        };
        let mut names: Vec<String> = self.below(folder).filter_map(name).collect();
        names.dedup();
        names
    }

    fn below(&self, folder: &Path, name: &str) -> Result<PathBuf, SessionFileError> {
        let path = folder.join(name);
        let is_folder = KeptFiles::below(self, &path).any(|below| *below != path);
        if is_folder { Ok(path) } else { Err(SessionFileError::Missing) }
    }

    fn canonical(&self, path: &Path) -> Result<PathBuf, SessionFileError> {
        let is_there = KeptFiles::below(self, path).next().is_some();
        if is_there { Ok(path.to_owned()) } else { Err(SessionFileError::Missing) }
    }
}

impl Sessions for KeptFiles {
    fn children(&self, database: &Path, id: &str) -> Result<Vec<ChildRow>, DatabaseError> {
        let children = children(self.files(), database, id).filter_map(|((_, id), entry)| {
            let kept = KeptFile::at(&data(&self.root, &entry.name, entry.version))?;
            let child = kept.header.child?;
            Some(ChildRow { id: id.clone()?, title: child.title, agent: child.agent })
        });
        Ok(children.collect())
    }

    fn session(&self, database: &Path, id: &str, limit: u64) -> Result<Vec<u8>, DatabaseError> {
        let entry = self.files().get(&(database.to_owned(), Some(id.to_owned())));
        let data = entry.map(|entry| data(&self.root, &entry.name, entry.version));
        let kept = data.and_then(|data| KeptFile::at(&data));
        let kept = kept.ok_or_else(|| DatabaseError::NoSession(id.to_owned()))?;
        kept.session(Limit::given(limit)).map_err(|error| match error {
            SourceError::Io(error) => DatabaseError::Io(error),
            SourceError::Content(error) => DatabaseError::Unreadable(error.to_string()),
        })
    }
}
