//! What is read from the catalog: files, sessions, their messages, and which messages have a word.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusqlite::{OptionalExtension as _, Row, Statement, Transaction, TransactionBehavior, params};

use super::change::Change;
use super::counted::Counted;
use super::database::{Catalog, CatalogError};
use super::facts::SessionFacts;
use super::message::Message;
use super::prepared::unpacked;
use super::row_number::RowNumber;
use super::update::hash;
use crate::find::{address, original};

/// A file as the catalog knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KnownFile {
    pub(super) id: i64,
    pub(super) stamp: Stamp,
    /// What was read beside it (`files_beside.rs`).
    pub(super) beside: Option<String>,
}

/// By what a file is known to be unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) size: i64,
    /// Nanoseconds since 1970.
    pub(super) modified: i64,
    /// A hash of its last bytes.
    pub(super) tail: i64,
}

/// A session as a search sees it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct StoredSession {
    pub(crate) id: i64,
    /// Its file.
    pub path: PathBuf,
    /// Where the agent had it: another place than `path` where that is a copy.
    pub(crate) original: PathBuf,
    /// Which session of the file it is, by its id, where the file holds several: a database.
    pub in_file: Option<String>,
    /// What is known of it.
    pub facts: SessionFacts,
    /// What tells whether it has changed: the size of its file, a hash of the end, and one of the files beside it; in a file of
    /// several, its own time.
    #[cfg_attr(not(feature = "cli"), expect(dead_code, reason = "an archive asks"))]
    pub(crate) version: [i64; 3],
}

impl StoredSession {
    /// The size of its file in bytes; of one in a database it is not known.
    #[cfg(feature = "cli")]
    pub(crate) fn size(&self) -> usize {
        usize::try_from(self.version[0]).unwrap_or_default()
    }

    /// What the command takes as its session: the file and, where it holds several, `#` and the id.
    pub fn address(&self) -> PathBuf {
        address(&self.path, self.in_file.as_deref())
    }
}

impl Catalog {
    /// All files that were looked at.
    pub(super) fn files(&self) -> Result<HashMap<PathBuf, KnownFile>, CatalogError> {
        let mut query =
            self.connection.prepare("SELECT path, id, size, modified, tail, beside FROM files")?;
        let read = query.query_map([], |row| {
            let stamp = Stamp { size: row.get(2)?, modified: row.get(3)?, tail: row.get(4)? };
            let known = KnownFile { id: row.get(1)?, stamp, beside: row.get(5)? };
            Ok((row.get::<_, Vec<u8>>(0)?, known))
        })?;
        let mut files = HashMap::new();
        for row in read {
            let (path, known) = row?;
            files.insert(path_of(path), known);
        }
        Ok(files)
    }

    /// The sessions of a file, by their ids in it, each with when it was changed.
    pub(super) fn in_file(&self, file: i64) -> Result<HashMap<String, Option<i64>>, CatalogError> {
        let mut query = self.connection.prepare(
            "SELECT in_file, stamp FROM sessions WHERE file = ?1 AND in_file IS NOT NULL",
        )?;
        let rows = query.query_map([file], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Begins to write; waits for others that do.
    pub(super) fn change(&mut self) -> Result<Change<'_>, CatalogError> {
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        Ok(Change { transaction })
    }

    /// The messages and titles that an FTS5 query finds, in the order of the sessions.
    pub(super) fn matches(&self, expression: &str) -> Result<Vec<RowNumber>, CatalogError> {
        let mut query = self
            .connection
            .prepare("SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rowid")?;
        let found = query.query_map([expression], |row| row.get(0).map(RowNumber))?;
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// The sessions that can be found, the newest first, as ids.
    pub(super) fn newest(&self) -> Result<Vec<i64>, CatalogError> {
        let mut query = self.connection.prepare(
            "SELECT sessions.id FROM sessions JOIN files ON files.id = file WHERE facts IS NOT NULL
            ORDER BY latest DESC, path, in_file",
        )?;
        let ids = query.query_map([], |row| row.get(0))?;
        Ok(ids.collect::<Result<_, _>>()?)
    }

    /// The files that hold no session that can be read, or one that was not used.
    ///
    /// # Errors
    /// [`CatalogError`] where the database cannot be read.
    pub fn unreadable(&self) -> Result<Vec<PathBuf>, CatalogError> {
        let mut query = self.connection.prepare(
            "SELECT path FROM files JOIN sessions ON files.id = file WHERE facts IS NULL
            ORDER BY path",
        )?;
        let rows = query.query_map([], |row| row.get(0).map(path_of))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// All session ids that agents gave.
    ///
    /// # Errors
    /// [`CatalogError`] where the database cannot be read.
    pub fn named(&self) -> Result<Vec<String>, CatalogError> {
        let mut query = self
            .connection
            .prepare("SELECT json_extract(facts, '$.id') FROM sessions WHERE facts IS NOT NULL")?;
        let rows = query.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// All sessions that can be found, each with the identity of its first prompt.
    pub(super) fn stored(&self) -> Result<Vec<(StoredSession, Option<i64>)>, CatalogError> {
        let mut query = self.connection.prepare(
            "SELECT sessions.id, path, in_file, facts, first, size, tail, stamp, beside FROM sessions
            JOIN files ON files.id = file WHERE facts IS NOT NULL",
        )?;
        let mut rows = query.query([])?;
        let mut stored = Vec::new();
        while let Some(row) = rows.next()? {
            let facts = row.get_ref(3)?.as_bytes().map_err(|_| CatalogError::Damaged)?;
            let path = path_of(row.get(1)?);
            let session = StoredSession {
                id: row.get(0)?,
                original: original(&path),
                path,
                in_file: row.get(2)?,
                facts: serde_json::from_slice(facts).map_err(|_| CatalogError::Damaged)?,
                version: version(row, 5)?,
            };
            stored.push((session, row.get(4)?));
        }
        Ok(stored)
    }

    /// For what each entry of a session adds to its figures.
    pub(super) fn counted(&self) -> Result<CountedReader<'_>, CatalogError> {
        Ok(CountedReader(self.connection.prepare("SELECT counted FROM sessions WHERE id = ?1")?))
    }

    /// As long as it is held, all that is read is of one moment: others may write meanwhile.
    pub(super) fn snapshot(&self) -> Result<Transaction<'_>, CatalogError> {
        Ok(self.connection.unchecked_transaction()?)
    }

    /// What a search reads of many sessions.
    pub(super) fn reader(&self) -> Result<Reader<'_>, CatalogError> {
        Ok(Reader {
            session: self.connection.prepare(
                "SELECT path, in_file, facts, size, tail, stamp, beside
                FROM sessions JOIN files ON files.id = file WHERE sessions.id = ?1 AND facts IS NOT NULL",
            )?,
            message: self.connection.prepare(
                "SELECT first, data FROM texts WHERE session = ?1 AND first <= ?2
                ORDER BY first DESC LIMIT 1",
            )?,
            messages: self
                .connection
                .prepare("SELECT data FROM texts WHERE session = ?1 ORDER BY first")?,
        })
    }

    /// The keys of a session's messages; none where they cannot be read.
    pub fn keys(&self, session: &StoredSession) -> Vec<String> {
        let messages = self.reader().and_then(|mut reader| reader.messages(session.id));
        messages.unwrap_or_default().into_iter().map(|message| message.key).collect()
    }
}
/// Queries of single sessions, prepared once.
pub(super) struct Reader<'s> {
    session: Statement<'s>,
    message: Statement<'s>,
    messages: Statement<'s>,
}

impl Reader<'_> {
    /// One session; `None` where another process has removed it.
    pub(super) fn session(&mut self, id: i64) -> Result<Option<StoredSession>, CatalogError> {
        let row = self.session.query_row([id], |row| {
            let facts: String = row.get(2)?;
            Ok((row.get::<_, Vec<u8>>(0)?, row.get(1)?, facts, version(row, 3)?))
        });
        let Some((path, in_file, facts, version)) = row.optional()? else { return Ok(None) };
        let facts = serde_json::from_str(&facts).map_err(|_| CatalogError::Damaged)?;
        let path = path_of(path);
        let original = original(&path);
        Ok(Some(StoredSession { id, path, original, in_file, facts, version }))
    }

    /// The message of this number, from 1.
    pub(super) fn message(
        &mut self,
        session: i64,
        nth: usize,
    ) -> Result<Option<Message>, CatalogError> {
        let number = i64::try_from(nth).unwrap_or(i64::MAX);
        let row = self.message.query_row(params![session, number], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?))
        });
        let Some((first, data)) = row.optional()? else { return Ok(None) };
        let first = usize::try_from(first).map_err(|_| CatalogError::Damaged)?;
        Ok(unpacked(&data)?.into_iter().nth(nth.saturating_sub(first)))
    }

    /// All messages of a session, in order.
    pub(super) fn messages(&mut self, session: i64) -> Result<Vec<Message>, CatalogError> {
        let chunks = self.messages.query_map([session], |row| row.get::<_, Vec<u8>>(0))?;
        let mut messages = Vec::new();
        for chunk in chunks {
            messages.append(&mut unpacked(&chunk?)?);
        }
        Ok(messages)
    }
}

/// A query for what the entries of single sessions add.
pub(super) struct CountedReader<'s>(Statement<'s>);

impl CountedReader<'_> {
    pub(super) fn of(&mut self, session: &StoredSession) -> Result<Vec<Counted>, CatalogError> {
        let row = self.0.query_row([session.id], |row| row.get::<_, Vec<u8>>(0));
        Counted::read_all(&row.optional()?.unwrap_or_default())
    }
}

/// What tells whether a session has changed, from its file's size and tail, its own time and the files beside it, which stand
/// from a column on.
fn version(row: &Row<'_>, from: usize) -> rusqlite::Result<[i64; 3]> {
    let stamp: Option<i64> = row.get(from + 2)?;
    let beside = row.get_ref(from + 3)?.as_bytes_or_null()?;
    Ok(match stamp {
        Some(stamp) => [0, 0, stamp],
        None => [row.get(from)?, row.get(from + 1)?, beside.map_or(0, hash)],
    })
}
/// A path as bytes, which the catalog gives back as they were.
pub(super) fn bytes_of(path: &Path) -> Vec<u8> {
    #[cfg(unix)]
    return std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec();
    #[cfg(not(unix))]
    path.to_string_lossy().into_owned().into_bytes()
}

pub(super) fn path_of(bytes: Vec<u8>) -> PathBuf {
    #[cfg(unix)]
    return PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes));
    #[cfg(not(unix))]
    PathBuf::from(String::from_utf8_lossy(&bytes).into_owned())
}
