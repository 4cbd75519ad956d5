//! Brings the catalog up to date with the files of all agents.
//!
//! A look at names, sizes and times says what has changed. The newest files are read first, many at a time, and what was
//! read is written in steps: whoever stops the process keeps what is done.

use std::collections::{HashMap, HashSet};
use std::fs::{File, Metadata};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::change::ReadSession;
use super::counted::Entries;
use super::database::{Catalog, CatalogError};
use super::facts::SessionFacts;
use super::files_beside::{FilesBeside, Watch};
use super::listing::Listing;
use super::message;
use super::prepared::Prepared;
use super::store::{KnownFile, Stamp};
use crate::content::work::{Step, Work};
use crate::find::{Env, FoundFile, FoundSession, ManyOptions, files, modified, read_whole};
use crate::format::SessionFiles;
use crate::format::database::is_database;
use crate::outline::read_with;
use crate::progress::{Progress, Steps, Task};
use crate::session::Session;
use crate::workers::{Threads, Workers};

/// So many files, or files of so many bytes together, are written at once. Others that write wait as long as that takes.
const BATCH: usize = 64;
const BATCH_BYTES: i64 = 16 << 20;

/// The end of a file by whose hash it is known.
const TAIL_BYTES: u64 = 4 << 10;

/// What is to be read.
#[derive(Debug)]
pub struct Update {
    /// The newest first.
    changed: Vec<(FoundFile, Option<KnownFile>)>,
    /// How many of them were read.
    done: usize,
    /// How many files there are.
    total: usize,
}

/// What was read of a file.
struct ReadFile {
    stamp: Stamp,
    /// The sessions whose places in the file are unchanged: what of it stays.
    kept: HashSet<String>,
    sessions: Vec<ReadSession>,
    /// What a list says of it.
    listing: Option<Listing>,
    /// What was read beside it.
    beside: Option<String>,
}

impl Update {
    /// Looks for what has changed, and removes the sessions whose files are gone.
    ///
    /// # Errors
    /// [`CatalogError`] where the database cannot be read or written.
    pub fn look(catalog: &mut Catalog, env: &Env) -> Result<Update, CatalogError> {
        Update::look_at(catalog, files(env))
    }

    /// The same where these are all files that there are.
    pub(crate) fn look_at(
        catalog: &mut Catalog,
        mut found: Vec<FoundFile>,
    ) -> Result<Update, CatalogError> {
        let mut known = catalog.files()?;
        let mut seen = HashSet::new();
        found.retain(|file| seen.insert(file.path.clone()));
        let total = found.len();
        let mut changed = Vec::new();
        let mut touched = Vec::new();
        for file in found {
            let of_file = known.remove(&file.path);
            match &of_file {
                Some(known) if !FilesBeside::are_unchanged(known.beside.as_deref()) => {
                    changed.push((file, of_file));
                }
                Some(known) if is_unchanged(&file, known.stamp) => {}
                Some(known) if is_touched(&file, known.stamp) => {
                    touched.push((file, known.clone()));
                }
                _ => changed.push((file, of_file)),
            }
        }
        if !known.is_empty() || !touched.is_empty() {
            let change = catalog.change()?;
            for gone in known.values() {
                change.remove_file(gone.id)?;
            }
            for (file, before) in touched {
                let stamp = stamp_of(&file.path, &file.about);
                let id = change.file(&file.path, stamp, before.beside.as_deref())?;
                change.relist(id, before.stamp)?;
            }
            change.commit()?;
        }
        changed.sort_by_key(|(file, _)| std::cmp::Reverse(modified(&file.about)));
        Ok(Update { changed, done: 0, total })
    }

    /// Whether all is read.
    pub fn is_done(&self) -> bool {
        self.done == self.changed.len()
    }

    /// How many files the catalog has, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.total - (self.changed.len() - self.done), self.total)
    }

    /// Reads what has changed, until it is done or a time has come.
    ///
    /// # Errors
    /// [`CatalogError`] where the database cannot be read or written. What was read before is kept.
    pub fn run(
        &mut self,
        catalog: &mut Catalog,
        progress: Option<Progress>,
        until: Option<Instant>,
    ) -> Result<(), CatalogError> {
        let steps = Steps::new(progress, Task::Index, self.changed.len());
        steps.add(self.done);
        let options = ManyOptions::default();
        let workers = Workers::new(Threads::available(), || ());
        while !self.is_done() && until.is_none_or(|until| Instant::now() < until) {
            let mut bytes = 0;
            let fits = |(file, _): &&(FoundFile, Option<KnownFile>)| {
                let is_room = bytes < BATCH_BYTES;
                bytes += size(&file.about);
                is_room
            };
            let count = self.changed[self.done..].iter().take(BATCH).take_while(fits).count();
            let end = self.done + count;
            let batch = &self.changed[self.done..end];
            let known = batch
                .iter()
                .map(|(_, known)| known.as_ref().map(|known| catalog.in_file(known.id)).transpose())
                .collect::<Result<Vec<_>, _>>()?;
            let one =
                |(): &mut (), nth: usize| read_file(&batch[nth].0, known[nth].as_ref(), &options);
            let change = catalog.change()?;
            let mut files = batch.iter();
            workers.run(batch.len(), one, |read| {
                steps.add(1);
                let Some((file, _)) = files.next() else { return Ok(()) };
                let id = change.file(&file.path, read.stamp, read.beside.as_deref())?;
                // Another process may have written the same file meanwhile.
                change.remove_sessions(id, &read.kept)?;
                change.list(id, read.listing.as_ref())?;
                read.sessions.iter().try_for_each(|session| change.add(id, session))
            })?;
            change.commit()?;
            self.done = end;
        }
        Ok(())
    }
}

fn read_file(
    file: &FoundFile,
    known: Option<&HashMap<String, Option<i64>>>,
    many: &ManyOptions,
) -> ReadFile {
    // Ahead of the reading: what is written meanwhile is a change.
    let stamp = stamp_of(&file.path, &file.about);
    let found = FoundSession::all(file, &mut None);
    let found = found.or_else(|| file.as_named().map(|session| vec![session]));
    let mut kept = HashSet::new();
    let mut beside = None;
    let mut sessions = Vec::new();
    let mut listed = found.is_some().then(Vec::new);
    if found.is_none() {
        sessions.push(ReadSession { in_file: None, stamp: None, content: None });
    }
    for mut session in found.into_iter().flatten() {
        let stamp = session.in_file.as_ref().and(session.time);
        let is_kept =
            |id: &String| stamp.is_some() && known.and_then(|known| known.get(id)) == Some(&stamp);
        if let Some(id) = session.in_file.clone().filter(is_kept) {
            kept.insert(id);
            continue;
        }
        let watch = Watch::new(&session.path);
        let mut options = many.of(&session.path);
        if session.in_file.is_none() && options.files.is_none() && !is_database(&session.path) {
            options.files = Some(Arc::clone(&watch) as Arc<dyn SessionFiles>);
        }
        let read = read_whole(&session.path, session.in_file.as_deref(), &options);
        beside = watch.seen().to_json();
        let content = read.as_ref().and_then(|read| content(read, &session));
        sessions.push(ReadSession { in_file: session.in_file.clone(), stamp, content });
        if let Some(read) = &read {
            session.take_counts(read);
        }
        listed.get_or_insert_default().push(session);
    }
    let listing = listed.and_then(|listed| Listing::of(file, listed));
    ReadFile { stamp, kept, sessions, listing, beside }
}

/// All that the catalog has of a session, from one pass over its entries.
fn content(session: &Session, found: &FoundSession) -> Option<Prepared> {
    let (digest, outline, steps) = read_with(session, Threads::ONE, Step::of);
    let work = Work::new(session, &digest, steps);
    let mut facts = SessionFacts::of(session, &digest);
    // The file's own words say nothing in some formats.
    facts.latest = facts.latest.or(found.time);
    if facts.id.is_empty() {
        facts.id.clone_from(&found.id);
    }
    let entries = Entries::of(session, &digest, &outline);
    Prepared::of(&facts, entries, &message::of(session, &digest, &outline, &work, false))
}

fn is_unchanged(file: &FoundFile, stamp: Stamp) -> bool {
    size(&file.about) == stamp.size && changed(&file.path, &file.about) == stamp.modified
}

/// Whether a file has another time alone, as a copied home has.
fn is_touched(file: &FoundFile, stamp: Stamp) -> bool {
    // What is new in a database may lie in its log.
    log_of(&file.path).is_none()
        && size(&file.about) == stamp.size
        && tail(&file.path) == Some(stamp.tail)
}

fn stamp_of(path: &Path, about: &Metadata) -> Stamp {
    let tail = tail(path).unwrap_or_default();
    Stamp { size: size(about), modified: changed(path, about), tail }
}

/// When a file, or the log of a database, was written, in nanoseconds since 1970.
fn changed(path: &Path, about: &Metadata) -> i64 {
    modified(about).max(log_of(path).as_ref().map_or(0, modified))
}

/// What the system says of the log beside a database, where that has one with something in it.
fn log_of(path: &Path) -> Option<Metadata> {
    path.extension().filter(|ending| *ending == "db" || *ending == "sqlite")?;
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    std::fs::metadata(log).ok().filter(|log| log.len() > 0)
}

pub(super) fn size(about: &Metadata) -> i64 {
    i64::try_from(about.len()).unwrap_or(i64::MAX)
}

/// A hash of the end of a file; `None` where it cannot be read.
fn tail(path: &Path) -> Option<i64> {
    let mut file = File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(TAIL_BYTES))).ok()?;
    let mut end = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut end).ok()?;
    Some(hash(&end))
}

pub(super) fn hash(bytes: &[u8]) -> i64 {
    use sha2::{Digest as _, Sha256};

    let hash = Sha256::digest(bytes);
    hash.iter().take(8).fold(0, |number, &byte| number << 8 | i64::from(byte))
}
