//! The archive of a team: a folder with an archive of each author, and an index over all.
//!
//! ```text
//! index.html           lists the sessions of all authors
//! data/authors.js      names the authors
//! authors/FOLDER/      an archive that only its author writes to
//!   data/author.js     whose it is; written before anything else, and never again
//! ```
//!
//! Each author's archive has a lock of its own. The team's lock is held only while the index is written. The index is a
//! function of what the folder holds, so that whoever comes last makes it whole.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;

use super::data::{self, hash};
use super::disk::{ArchiveError, Folder, is_one, make_marked};
use super::index::{self, PlainAuthor, PlainRow};
use super::manifest::Manifest;
use super::plan::Wish;
use super::row::Row;
use super::session::{Settings, is_device};
use super::write::{ANYONE, Outcome, PLAIN_ROWS, plain, write_to};
use crate::file_name;
use crate::progress::Progress;
use crate::session::invisible::marked;

/// By this file a folder is known to be a team's. Whoever writes the index holds its lock.
pub(super) const MARK: &str = ".leafpress-team";

const AUTHORS: &str = "authors";
const LIST: &str = "data/authors.js";

/// In the archive of an author: whose it is.
const AUTHOR: &str = "data/author.js";

/// The index is written in moments.
const PATIENCE: Duration = Duration::from_secs(20);

/// Locks of some network file systems reach one machine only: what another wrote meanwhile is looked for so often.
const ROUNDS: usize = 3;

/// A name that sessions are added under.
#[derive(Debug, Clone)]
pub(crate) struct Author {
    /// As given.
    name: String,
    folder: String,
}

impl Author {
    /// Says in words why a name cannot be one.
    pub(crate) fn named(name: &str) -> Result<Author, String> {
        const LONGEST: usize = 60;
        // The same letters, however they were typed.
        let name: String = name.trim().nfc().collect();
        if name.is_empty() {
            return Err("the name is empty".to_owned());
        }
        if name.chars().count() > LONGEST {
            return Err(format!("the name is longer than {LONGEST} characters"));
        }
        if name.chars().any(char::is_control) || marked(&name) != name {
            return Err("the name has control characters or invisible ones".to_owned());
        }
        let folder = folder_of(&name);
        Ok(Author { name, folder })
    }

    /// Their archive within a team's.
    pub(crate) fn path(&self, team: &Path) -> PathBuf {
        team.join(AUTHORS).join(&self.folder)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// A name as every file system and every web host takes it. Names that differ only in case or punctuation have one folder,
/// which is refused to the second of them.
fn folder_of(name: &str) -> String {
    const LONGEST: usize = 60;
    let plain = file_name::plain(&name.to_ascii_lowercase().replace(' ', "-"), LONGEST);
    let plain = plain.trim_matches(['-', '_']);
    let is_told = |c: char| c.is_ascii_alphanumeric() || "-_. ".contains(c);
    if name.chars().all(is_told) && !plain.is_empty() && !is_device(plain) {
        return plain.to_owned();
    }
    let plain = if plain.is_empty() { "author" } else { plain };
    format!("{plain}-{}", &hash(&[name.as_bytes()])[..8])
}

/// Whether sessions without an author have no place there.
pub(super) fn is_teams(path: &Path) -> bool {
    path.join(MARK).exists() || path.join(AUTHOR).exists()
}

/// Adds the sessions of an author to a team's archive, and brings the index up to date.
pub(super) fn write(
    path: &Path,
    (author, mode): (&Author, u32),
    wish: &Wish<'_>,
    settings: &Settings,
    progress: Option<Progress>,
) -> Result<Outcome, ArchiveError> {
    if path.join(AUTHOR).exists() {
        return Err(ArchiveError::Team(path.to_owned()));
    }
    if is_one(path) {
        return Err(ArchiveError::OnePerson(path.to_owned()));
    }
    make_marked(path, MARK)?;
    let outcome = write_to(&Folder::open(&author.path(path), mode)?, wish, settings, progress)?;
    write_index(&open(path)?)?;
    Ok(outcome)
}

/// Opens the folder of a team as soon as nobody else writes its index.
pub(super) fn open(path: &Path) -> Result<Folder, ArchiveError> {
    Folder::open_marked(path, ANYONE, MARK, (&["data"], PATIENCE))
}

/// Whose an archive is.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Claim {
    name: String,
    /// A keyed hash that no other key gives.
    owner: String,
}

/// Makes an archive that of an author, or refuses: it is another's. Gives whether it is a new one.
pub(super) fn claim(folder: &Folder, author: &Author, key: &[u8]) -> Result<bool, ArchiveError> {
    let path = || folder.path.clone();
    let own = Claim { name: author.name.clone(), owner: hash(&[key, b"owner"]) };
    let is_new = !folder.path.join(AUTHOR).exists();
    let there = if !is_new {
        folder.read(AUTHOR).unwrap_or_default()
    } else if Manifest::is_there(&folder.path) {
        return Err(ArchiveError::NoOwner(path()));
    } else {
        // Two strings, which JSON always has a form for.
        folder.put_new(AUTHOR, data::script(&own).unwrap_or_default().as_bytes())?
    };
    match data::value::<Claim>(&there) {
        Some(there) if there == own => Ok(is_new),
        Some(there) if there.name != own.name => {
            Err(ArchiveError::OtherAuthor { path: path(), author: there.name })
        }
        Some(_) => Err(ArchiveError::OtherOwner(path())),
        None => Err(ArchiveError::NoOwner(path())),
    }
}

/// An author who has an archive, as the list of authors names one.
#[derive(Debug, Serialize)]
struct Listed {
    name: String,
    folder: String,
    /// What it has, with its newest rows; `None` where that cannot be read.
    #[serde(skip)]
    archive: Option<(Manifest, Vec<Row>)>,
}

/// Writes what the folder of a team has over all authors, unless it is as it should be.
pub(super) fn write_index(team: &Folder) -> Result<(), ArchiveError> {
    for _ in 0..ROUNDS {
        let authors = listed(&team.path)?;
        let list = data::script(&authors).unwrap_or_default();
        let is_new_list = team.put_changed(LIST, list.as_bytes())?;
        let is_new_index = team.put_changed("index.html", page(&authors).as_bytes())?;
        if !is_new_list && !is_new_index {
            break;
        }
    }
    team.remove_unfinished("")?;
    team.remove_unfinished("data")
}

/// The authors with an archive, in the order of their names.
fn listed(team: &Path) -> Result<Vec<Listed>, ArchiveError> {
    let folders = team.join(AUTHORS);
    let failed = |source| ArchiveError::Write { path: folders.clone(), source };
    let mut authors = Vec::new();
    for entry in fs::read_dir(&folders).map_err(failed)? {
        let Ok(folder) = entry.map_err(failed)?.file_name().into_string() else { continue };
        let path = folders.join(&folder);
        let is_ours = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        if !folder.chars().all(is_ours) || !Manifest::is_there(&path) {
            continue;
        }
        let claim = fs::read(path.join(AUTHOR)).ok();
        let claim: Option<Claim> = claim.and_then(|claim| data::value(&claim));
        // Its author may be writing a new one.
        let archive = (0..ROUNDS).find_map(|_| Manifest::read_newest(&path, PLAIN_ROWS));
        let name = claim.map_or_else(|| folder.clone(), |claim| claim.name);
        authors.push(Listed { name, folder, archive });
    }
    authors.sort_by_cached_key(|author| (author.name.to_lowercase(), author.folder.clone()));
    Ok(authors)
}

/// `index.html`: only what is redacted stands in it, as everybody can read it who can read the folder.
fn page(authors: &[Listed]) -> String {
    let redacted =
        |author: &'_ Listed| author.archive.as_ref().is_some_and(|(one, _)| one.redacted);
    let mut rows: Vec<(&Row, &Listed)> = Vec::new();
    for author in authors.iter().filter(|author| redacted(author)) {
        rows.extend(author.archive.iter().flat_map(|(_, rows)| rows).map(|row| (row, author)));
    }
    rows.sort_by_key(|(row, _)| Reverse(row.latest));
    rows.truncate(PLAIN_ROWS);
    let rows: Vec<PlainRow<'_>> = rows
        .into_iter()
        .map(|(row, Listed { name, folder, .. })| PlainRow {
            author: name,
            ..plain(row, &format!("{AUTHORS}/{folder}/sessions/"))
        })
        .collect();
    let plain_authors: Vec<PlainAuthor<'_>> = authors
        .iter()
        .map(|author| PlainAuthor {
            href: format!("{AUTHORS}/{}/index.html", author.folder),
            name: &author.name,
            sessions: author.archive.as_ref().map(|(manifest, _)| manifest.sessions()),
            is_redacted: author.archive.is_none() || redacted(author),
        })
        .collect();
    index::team(&rows, &plain_authors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_names_are_safe_and_those_of_different_letters_differ() {
        for (name, folder) in [
            ("Ada", "ada"),
            (" Ada Lovelace ", "ada-lovelace"),
            ("ada.l_2", "ada_l_2"),
            ("_hidden-", "hidden"),
        ] {
            assert_eq!(Author::named(name).unwrap().folder, folder);
        }
        let mut folders: Vec<String> = Vec::new();
        for name in [
            "../../up", "..", "a/b", "a\\b", "CON", "com1", "鈴木", "佐藤", "<b>", "Ünal", "Önal",
            "-",
        ] {
            let Author { folder, .. } = Author::named(name).unwrap();
            let is_safe =
                |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
            assert!(folder.chars().all(is_safe) && folder.len() > 8, "{folder}");
            assert!(!folder.starts_with(['-', '_']) && !is_device(&folder), "{folder}");
            assert!(!folders.contains(&folder), "{folder}");
            folders.push(folder);
        }
        // The same name, typed in two ways.
        let [one, two] =
            ["U\u{308}nal", "\u{dc}nal"].map(|name| Author::named(name).unwrap().folder);
        assert_eq!(one, two);
    }

    #[test]
    fn names_that_cannot_be_shown_are_refused() {
        for name in ["", "  ", &"x".repeat(61), "a\nb", "a\u{1b}[31m", "Ada\u{200b}", "a\u{202e}b"]
        {
            assert!(Author::named(name).is_err(), "{name:?}");
        }
        assert!(Author::named(&"ü".repeat(60)).is_ok());
    }
}
