//! What the vault has: the names of its files, and a list of what each is.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::kept_file::{DATA, INDEX, KeptFile};
use crate::faults::Faults;
use crate::file_name;
use crate::private::make_private;
use crate::session::Format;
use crate::temporary::Temporary;

/// Of `known.json`. One of another version is made again.
const VERSION: u32 = 1;
const KNOWN: &str = "known.json";

/// What is kept of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// `AGENT/NAME~HASH`; empty where nothing is kept.
    pub(super) name: String,
    /// The newest version, from 1.
    pub(super) version: u32,
    /// The session's id, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) session: Option<String>,
    /// The session whose sub-agent worked in it, where it is one of a database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) parent: Option<String>,
    /// Size and time of the original when it was last looked at; of a session in a database its time alone.
    pub(super) size: u64,
    pub(super) modified: i64,
    /// How much of the newest version is kept, and in how many bytes.
    pub(super) kept: u64,
    pub(super) packed: u64,
    /// So many bytes wait for the end of their line.
    pub(super) waits: u64,
    /// Something of it was left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_cut: bool,
}

/// By which a file is known: its path and, where it holds several sessions, the id of one.
pub(super) type Key = (PathBuf, Option<String>);

#[derive(Default, Serialize, Deserialize)]
struct List {
    version: u32,
    files: Vec<(PathBuf, Option<String>, Entry)>,
}

/// The directory of the copies.
#[derive(Debug)]
pub(crate) struct Vault {
    pub(super) root: PathBuf,
    pub(super) files: BTreeMap<Key, Entry>,
    /// The list on the disk says something else.
    pub(super) is_changed: bool,
    pub(super) faults: Arc<Faults>,
}

impl Vault {
    /// Its name in leafpress's data directory.
    pub(crate) const NAME: &str = "keep";

    /// The vault without a list of what it has: for one file, whose copy says itself what is kept of it.
    pub(crate) fn unlisted(data: &Path) -> Vault {
        Vault {
            root: data.join(Vault::NAME),
            files: BTreeMap::new(),
            is_changed: false,
            faults: Arc::default(),
        }
    }

    /// Reads what is kept in a directory; nothing is written, and a directory that is not there keeps nothing.
    ///
    /// # Errors
    /// The system's reason where the directory cannot be read.
    pub(crate) fn open(data: &Path) -> io::Result<Vault> {
        let listed = fs::read(data.join(Vault::NAME).join(KNOWN)).ok();
        let listed: Option<List> = listed.and_then(|json| serde_json::from_slice(&json).ok());
        let listed = listed.filter(|list| list.version == VERSION);
        let files = listed.into_iter().flat_map(|list| list.files);
        let mut vault = Vault {
            files: files.map(|(path, in_file, entry)| ((path, in_file), entry)).collect(),
            ..Vault::unlisted(data)
        };
        let there = vault.there()?;
        vault.files.retain(|_, entry| entry.name.is_empty() || there.contains_key(&entry.name));
        let known: HashMap<&str, (u32, u64)> =
            vault.files.values().map(|own| (&*own.name, (own.version, own.packed))).collect();
        let is_new = |(name, newest): &(&String, &(u32, u64))| known.get(&***name) != Some(*newest);
        let new: Vec<(String, u32)> =
            there.iter().filter(is_new).map(|(name, newest)| (name.clone(), newest.0)).collect();
        for (name, version) in new {
            // A run that did not come to its end, or one that kept this session alone, and maybe added to what is known. It
            // may have stopped before anything was in the newest version.
            let open = |version| Some((KeptFile::open(&vault.data(&name, version)).ok()?, version));
            if let Some((kept, version)) = (1..=version).rev().find_map(open) {
                let key = (kept.header.path.clone(), kept.header.in_file.clone());
                vault.files.insert(key, Entry::of(&kept, name, version));
                vault.is_changed = true;
            }
        }
        Ok(vault)
    }

    /// The newest version of each name in it, and how long its compressed file is.
    fn there(&self) -> io::Result<HashMap<String, (u32, u64)>> {
        let mut there: HashMap<String, (u32, HashMap<u32, u64>)> = HashMap::new();
        let agents = match fs::read_dir(&self.root) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HashMap::new()),
            agents => agents?,
        };
        for agent in agents {
            let agent = agent?;
            if !agent.file_type()?.is_dir() {
                continue;
            }
            for file in fs::read_dir(agent.path())? {
                let file = file?;
                let name = file.file_name();
                let mut parts = name.to_str().unwrap_or_default().rsplitn(3, '.');
                let (ending, version) = (parts.next(), parts.next().map(str::parse::<u32>));
                let (Some(Ok(version)), Some(name)) = (version, parts.next()) else { continue };
                let name = format!("{}/{name}", agent.file_name().display());
                let (newest, sizes) = there.entry(name).or_default();
                if ending == Some(INDEX) {
                    *newest = version.max(*newest);
                } else if ending == Some(DATA) {
                    // Another process may have deleted it meanwhile.
                    sizes.insert(version, file.metadata().map_or(0, |about| about.len()));
                }
            }
        }
        let newest = |(name, (newest, sizes)): (String, (u32, HashMap<u32, u64>))| {
            (newest > 0).then(|| (name, (newest, sizes.get(&newest).copied().unwrap_or_default())))
        };
        Ok(there.into_iter().filter_map(newest).collect())
    }

    /// How much of a file is kept, in bytes.
    pub(crate) fn kept_of(&self, agent: Format, path: &Path) -> u64 {
        let data = newest(&self.root, agent.name(), path);
        data.and_then(|data| KeptFile::at(&data)).map_or(0, |kept| kept.index.source())
    }

    /// Every version of every copy.
    ///
    /// # Errors
    /// The system's reason where the directory cannot be read.
    pub(crate) fn versions(&self) -> io::Result<Vec<PathBuf>> {
        let all = self.there()?.into_iter();
        let of_name = |(name, (newest, _)): (String, (u32, u64))| {
            (1..=newest).map(|version| self.data(&name, version)).collect::<Vec<_>>()
        };
        let mut versions: Vec<PathBuf> = all.flat_map(of_name).collect();
        versions.sort();
        Ok(versions)
    }

    /// Takes note that a file was written back to where it was: its time is another one, and nothing of it is new.
    pub(crate) fn saw(&mut self, kept: &KeptFile, path: &Path, modified: i64) {
        let key = (kept.header.path.clone(), kept.header.in_file.clone());
        let entry = self.files.get_mut(&key).filter(|_| kept.header.path == path);
        if let Some(entry) = entry {
            entry.modified = modified;
            self.is_changed = true;
        }
    }

    /// Where it lies.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Whether anything is kept.
    pub(crate) fn is_empty(&self) -> bool {
        self.files.values().all(|entry| entry.name.is_empty())
    }

    /// Whether a file, or a session of a database, is kept.
    pub(crate) fn names(&self, path: &Path, in_file: Option<&str>) -> bool {
        let key = (path.to_owned(), in_file.map(str::to_owned));
        self.files.get(&key).is_some_and(|entry| !entry.name.is_empty())
    }

    pub(super) fn data(&self, name: &str, version: u32) -> PathBuf {
        data(&self.root, name, version)
    }

    /// Makes the directory of an agent.
    pub(super) fn make(&self, agent: &str) -> io::Result<()> {
        self.faults.step()?;
        make_private(self.root.parent().unwrap_or(&self.root))?;
        make_private(&self.root)?;
        make_private(&self.root.join(agent))
    }

    /// Writes the list, after all that it lists is on the disk.
    pub(crate) fn write_list(&mut self) -> io::Result<()> {
        if !self.is_changed {
            return Ok(());
        }
        let listed = self.files.iter();
        let files =
            listed.map(|((path, in_file), entry)| (path.clone(), in_file.clone(), entry.clone()));
        let list = List { version: VERSION, files: files.collect() };
        make_private(&self.root)?;
        let file = Temporary::create(&self.root, 0o600)?;
        self.faults.step()?;
        let mut writer = io::BufWriter::new(file.as_file()?);
        serde_json::to_writer(&mut writer, &list)?;
        writer.flush()?;
        drop(writer);
        self.faults.step()?;
        file.replace(&self.root.join(KNOWN))?;
        self.is_changed = false;
        Ok(())
    }

    /// So that the names of new files outlive a power failure.
    #[cfg_attr(not(unix), expect(clippy::unused_self, reason = "directories are synced on Unix"))]
    pub(super) fn sync(&self, agents: &BTreeSet<&str>) -> io::Result<()> {
        #[cfg(unix)]
        for agent in agents {
            self.faults.step()?;
            fs::File::open(self.root.join(agent))?.sync_all()?;
        }
        #[cfg(not(unix))]
        let _ = agents;
        Ok(())
    }
}

impl Entry {
    pub(super) fn of(kept: &KeptFile, name: String, version: u32) -> Entry {
        let modified = kept.index.members.last().map_or(0, |member| member.modified);
        Entry {
            name,
            version,
            session: kept.header.session.clone(),
            parent: kept.header.child.as_ref().map(|child| child.parent.clone()),
            size: kept.index.source(),
            modified,
            kept: kept.index.bytes(),
            packed: kept.index.packed(),
            waits: 0,
            is_cut: kept.index.is_cut(),
        }
    }
}

/// The name of a file's copy, without its version.
pub(super) fn name(agent: &str, path: &Path, in_file: Option<&str>) -> String {
    /// File systems refuse names that are much longer.
    const LONGEST: usize = 80;
    let own = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let plain = file_name::plain(in_file.unwrap_or(&own.unwrap_or_default()), LONGEST);
    let mut hash = Sha256::new();
    hash.update(path.as_os_str().as_encoded_bytes());
    if let Some(id) = in_file {
        hash.update(b"#");
        hash.update(id);
    }
    let hash = hash.finalize();
    let hash = data_encoding::HEXLOWER.encode(&hash[..8]);
    format!("{agent}/{plain}~{hash}")
}

pub(super) fn data(root: &Path, name: &str, version: u32) -> PathBuf {
    root.join(format!("{name}.{version}.{DATA}"))
}

/// The newest version of a file's copy, where there is one.
pub(super) fn newest(root: &Path, agent: &str, path: &Path) -> Option<PathBuf> {
    let name = name(agent, path, None);
    let of = |version| {
        Some(data(root, &name, version)).filter(|data| data.with_extension(INDEX).exists())
    };
    (1..).map_while(of).last()
}

/// The directory of an agent's copies.
pub(super) fn agent_of(name: &str) -> Option<Format> {
    Format::from_name(name.split_once('/')?.0)
}
