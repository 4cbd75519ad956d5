//! Versions 1 and 2 of pi's and oh-my-pi's files, rewritten as version 3.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::format::{self, ReadError};
use crate::session::{DamageKind, Session, time};

use super::first_lines::{Opened, VERSION, after_title, first_line, opened, options};
use super::line::{placed, with_version};
use super::log::LogFile;
use super::title_line::{self, First};
use super::{Inherited, StoreError, Sync};

/// What was done to a file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Migrated {
    /// The format's version that it had, 1 or 2.
    pub from: u32,
    /// Where it is as it was.
    pub backup: PathBuf,
    /// How many entries it has.
    pub entries: usize,
    /// How many lines could not be read and are only in the backup.
    pub left_out: usize,
}

/// Rewrites a session file of version 1 or 2 as version 3: a copy of it is left
/// beside it, then it is replaced in one step. `None` for one of version 3.
///
/// # Errors
/// As [`super::SessionStore::open`]; the file is as it was then.
pub fn migrate(path: impl AsRef<Path>) -> Result<Option<Migrated>, StoreError> {
    // Through a link, the file behind it is replaced and not the link.
    let given = path.as_ref();
    let path = fs::canonicalize(given).map_err(StoreError::io("open", given))?;
    let mut file = LogFile::open(&path, Sync::default())?;
    let bytes = file.read()?;
    let opened = opened(&path, &bytes)?;
    let header = &opened.header;
    if header.version >= VERSION {
        return Ok(None);
    }
    let original = bytes.clone();
    let format = opened.agent.rules().format;
    let session = match format::read_with(bytes, Some(format), &options()) {
        Ok(session) => Some(session),
        Err(ReadError::NoEntries { .. }) => None,
        Err(error) => {
            return Err(StoreError::NoSession { path, reason: error.to_string() });
        }
    };
    let text = rewritten(&opened, &original, session.as_ref());
    let backup = back_up(&path, header.version, &original)?;
    file.replace(text.as_bytes()).inspect_err(|_| drop(fs::remove_file(&backup)))?;
    Ok(Some(Migrated {
        from: header.version,
        backup,
        entries: session.as_ref().map_or(0, Session::len),
        left_out: session.as_ref().map_or(0, left_out),
    }))
}

/// The title line, where the agent writes one, the header, then each entry with its id and its
/// parent's.
fn rewritten(opened: &Opened, bytes: &[u8], session: Option<&Session>) -> String {
    let mut text = String::new();
    let mut rest = bytes;
    if opened.agent.rules().has_title_line() {
        if let First::Title(_) = title_line::read(bytes) {
            rest = after_title(bytes);
        }
        let Inherited { title, title_source, .. } = &opened.inherited;
        let time = time::iso(opened.header.time.unwrap_or_default());
        text =
            title_line::write(title.as_deref().unwrap_or_default(), title_source.as_deref(), &time);
    }
    text.push_str(&with_version(first_line(rest).unwrap_or_default(), VERSION));
    text.push('\n');
    let Some(session) = session else { return text };
    for entry in session.indices() {
        let parent = session.tree().parent(entry).map(|parent| session.id_at(parent));
        text.push_str(&placed(session.raw_at(entry), session.id_at(entry), parent));
        text.push('\n');
    }
    text
}

/// Lines of which nothing could be read, or which a later one took the place of.
fn left_out(session: &Session) -> usize {
    let is_lost = |kind| {
        matches!(
            kind,
            DamageKind::NotJson
                | DamageKind::TornLastLine
                | DamageKind::NotAnObject
                | DamageKind::NoId
                | DamageKind::SecondHeader
                | DamageKind::DuplicateId { .. }
        )
    };
    session.damage().iter().filter(|damage| is_lost(damage.kind)).count()
}

/// Copies a file beside itself, never over another.
fn back_up(path: &Path, version: u32, bytes: &[u8]) -> Result<PathBuf, StoreError> {
    for number in 1.. {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 {
            format!(".v{version}.bak")
        } else {
            format!(".v{version}.{number}.bak")
        });
        let backup = PathBuf::from(name);
        let mut file = match OpenOptions::new().write(true).create_new(true).open(&backup) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(source) => return Err(StoreError::Io { action: "create", path: backup, source }),
        };
        let permissions = fs::metadata(path).map(|metadata| metadata.permissions());
        let written = permissions
            .and_then(|permissions| file.set_permissions(permissions))
            .and_then(|()| file.write_all(bytes))
            .and_then(|()| file.sync_all());
        if let Err(source) = written {
            drop(fs::remove_file(&backup));
            return Err(StoreError::Io { action: "write", path: backup, source });
        }
        return Ok(backup);
    }
    unreachable!("a folder holds fewer files than there are numbers")
}
