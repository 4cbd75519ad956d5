//! The files of the word lists: a base that stays, and a tail of what came since.

use std::collections::HashSet;

use super::data::hash;
use super::disk::{ArchiveError, Folder};
use super::manifest::{Base, Manifest, file};
use super::pack;
use super::words::Words;

/// A new base is made where the sessions of the tail are more than this, or its list longer.
const TAIL_SESSIONS: usize = 500;
const TAIL_BYTES: usize = 5 << 20;

/// The words of sessions that are new or have changed.
#[derive(Debug, Default)]
pub(super) struct News {
    words: Words,
    sessions: HashSet<u32>,
}

impl News {
    pub(super) fn add(&mut self, session: u32, words: Vec<String>) {
        self.words.add(session, words);
        self.sessions.insert(session);
    }

    pub(super) fn has(&self, session: u32) -> bool {
        self.sessions.contains(&session)
    }

    /// Writes what is not listed yet, and names all lists in the next manifest. Where sessions have left the archive,
    /// `there` are those that it has still: the words of the others are to go.
    pub(super) fn write(
        self,
        folder: &Folder,
        old: Option<&Manifest>,
        there: Option<&HashSet<u32>>,
        next: &mut Manifest,
    ) -> Result<(), ArchiveError> {
        let base = old.and_then(|old| old.words.clone());
        let tail = old.and_then(|old| old.tail.clone());
        let is_kept = base.is_some() && there.is_none();
        if is_kept && self.sessions.is_empty() {
            (next.words, next.tail) = (base, tail);
            return Ok(());
        }
        let mut words = self.unchanged(read_tail(folder, tail.as_deref()));
        words.add_all(&self.words);
        if is_kept && words.sessions() <= TAIL_SESSIONS {
            let list = words.list();
            if list.len() <= TAIL_BYTES {
                let hash = hash(&[list.as_bytes()]);
                folder.put_named(&file(&tail_name(&hash)), &pack::script(list.as_bytes()))?;
                (next.words, next.tail) = (base, Some(hash));
                return Ok(());
            }
        }
        for list in base.iter().flat_map(|base| read_base(folder, base)) {
            words.add_all(&self.unchanged(list));
        }
        if let Some(there) = there {
            words.retain(|session| there.contains(&session));
        }
        next.words = Some(write_base(folder, words)?);
        Ok(())
    }

    /// Without the sessions whose words are new.
    fn unchanged(&self, mut words: Words) -> Words {
        words.retain(|session| !self.sessions.contains(&session));
        words
    }
}

/// Whether the lists that a manifest names are there.
pub(super) fn are_there(folder: &Folder, manifest: &Manifest) -> bool {
    let has_base = manifest.words.as_ref().is_none_or(|base| {
        let files = folder.files(&format!("data/{}", base_name(&base.hash)));
        let is_there = |nth| files.get(&format!("{nth}.js")).is_some_and(|&size| size > 0);
        (0..base.shards.len()).all(is_there)
    });
    let tail = manifest.tail.as_ref().map(|hash| folder.read(&file(&tail_name(hash))));
    has_base && tail.is_none_or(|tail| tail.is_some_and(|tail| !tail.is_empty()))
}

/// The names in `data/` of the lists that a manifest names.
pub(super) fn names(manifest: &Manifest) -> impl Iterator<Item = String> {
    let base = manifest.words.as_ref().map(|base| base_name(&base.hash));
    let tail = manifest.tail.as_ref().map(|hash| format!("{}.js", tail_name(hash)));
    base.into_iter().chain(tail)
}

fn base_name(hash: &str) -> String {
    format!("words-{hash}")
}

fn list_name(hash: &str, nth: usize) -> String {
    format!("{}/{nth}", base_name(hash))
}

fn tail_name(hash: &str) -> String {
    format!("tail-{hash}")
}

fn read_tail(folder: &Folder, hash: Option<&str>) -> Words {
    hash.map(|hash| read(folder, &tail_name(hash))).unwrap_or_default()
}

fn read_base<'f>(folder: &'f Folder, base: &'f Base) -> impl Iterator<Item = Words> + 'f {
    (0..base.shards.len()).map(|nth| read(folder, &list_name(&base.hash, nth)))
}

/// What a list has; nothing where it is damaged.
fn read(folder: &Folder, name: &str) -> Words {
    let list = folder.read(&file(name)).and_then(|list| pack::text(&list));
    let list = list.and_then(|list| String::from_utf8(list).ok());
    let mut words = Words::default();
    if list.is_some_and(|list| words.read(&list).is_some()) { words } else { Words::default() }
}

fn write_base(folder: &Folder, words: Words) -> Result<Base, ArchiveError> {
    let sessions = words.sessions();
    let lists = words.lists();
    let parts: Vec<&[u8]> = lists.iter().map(|(_, list)| list.as_bytes()).collect();
    let hash = hash(&parts);
    folder.make(&format!("data/{}", base_name(&hash)))?;
    for (nth, list) in parts.into_iter().enumerate() {
        folder.put_named(&file(&list_name(&hash, nth)), &pack::script(list))?;
    }
    let shards = lists.into_iter().map(|(first, _)| first).collect();
    Ok(Base { hash, shards, sessions })
}
