//! What is written to the catalog.

use std::collections::HashSet;
use std::path::Path;

use rusqlite::{Transaction, params};

use super::database::CatalogError;
use super::listing::Listing;
use super::prepared::Prepared;
use super::row_number::RowNumber;
use super::store::{Stamp, bytes_of};

/// A session to be written: what was read of it.
#[derive(Debug)]
pub(super) struct ReadSession {
    pub(super) in_file: Option<String>,
    /// When it was changed, where the file holds several.
    pub(super) stamp: Option<i64>,
    /// `None` for one that cannot be read or was not used.
    pub(super) content: Option<Prepared>,
}

/// What is written at once: all of it or nothing.
pub(super) struct Change<'c> {
    pub(super) transaction: Transaction<'c>,
}

impl Change<'_> {
    pub(super) fn commit(self) -> Result<(), CatalogError> {
        Ok(self.transaction.commit()?)
    }

    /// Notes a file and what was read beside it; gives its id.
    pub(super) fn file(
        &self,
        path: &Path,
        stamp: Stamp,
        beside: Option<&str>,
    ) -> Result<i64, CatalogError> {
        let mut query = self.transaction.prepare(
            "INSERT INTO files(path, size, modified, tail, beside) VALUES(?1, ?2, ?3, ?4, ?5)
            ON CONFLICT(path) DO UPDATE SET size = ?2, modified = ?3, tail = ?4, beside = ?5
            RETURNING id",
        )?;
        let Stamp { size, modified, tail } = stamp;
        Ok(query
            .query_row(params![bytes_of(path), size, modified, tail, beside], |row| row.get(0))?)
    }

    /// Removes a file with its sessions.
    pub(super) fn remove_file(&self, file: i64) -> Result<(), CatalogError> {
        self.remove_sessions(file, &HashSet::new())?;
        self.list(file, None)?;
        self.transaction.execute("DELETE FROM files WHERE id = ?1", [file])?;
        Ok(())
    }

    /// Notes what a list says of a file, or that it has to read it.
    pub(super) fn list(&self, file: i64, listing: Option<&Listing>) -> Result<(), CatalogError> {
        self.transaction.execute("DELETE FROM listings WHERE file = ?1", [file])?;
        listing.map_or(Ok(()), |listing| listing.write(file, &self.transaction))
    }

    /// The same of a file that has another time alone: a session without times of its own has that of its file.
    pub(super) fn relist(&self, file: i64, before: Stamp) -> Result<(), CatalogError> {
        const MILLISECOND: i64 = 1_000_000;
        self.transaction.execute(
            "DELETE FROM listings WHERE file = ?1 AND (time IS NULL OR time = ?2)",
            [file, before.modified / MILLISECOND],
        )?;
        Ok(())
    }

    /// Removes the sessions of a file but for those of these ids in it.
    pub(super) fn remove_sessions(
        &self,
        file: i64,
        kept: &HashSet<String>,
    ) -> Result<(), CatalogError> {
        let mut query =
            self.transaction.prepare("SELECT id, in_file FROM sessions WHERE file = ?1")?;
        let sessions: Vec<(i64, Option<String>)> = query
            .query_map([file], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?;
        let is_kept =
            |in_file: &Option<String>| in_file.as_ref().is_some_and(|id| kept.contains(id));
        let mut words =
            self.transaction.prepare("DELETE FROM words WHERE rowid BETWEEN ?1 AND ?2")?;
        for (session, _) in sessions.into_iter().filter(|(_, id)| !is_kept(id)) {
            self.transaction.execute("DELETE FROM sessions WHERE id = ?1", [session])?;
            self.transaction.execute("DELETE FROM texts WHERE session = ?1", [session])?;
            let all = RowNumber::all_of(session);
            words.execute([all.start(), all.end()])?;
        }
        Ok(())
    }

    /// Adds a session of a file.
    pub(super) fn add(&self, file: i64, read: &ReadSession) -> Result<(), CatalogError> {
        let ReadSession { in_file, stamp, content } = read;
        let latest = content.as_ref().and_then(|content| content.latest);
        let facts = content.as_ref().map(|content| &content.facts);
        let entries = content.as_ref().map(|content| &content.entries);
        let first = entries.and_then(|entries| entries.first);
        let counted = entries.map(|entries| &entries.data);
        self.transaction.execute(
            "INSERT INTO sessions(file, in_file, stamp, latest, first, facts, counted)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![file, in_file, stamp, latest, first, facts, counted],
        )?;
        let Some(content) = content else { return Ok(()) };
        let session = self.transaction.last_insert_rowid();
        let mut words =
            self.transaction.prepare("INSERT INTO words(rowid, text) VALUES(?1, ?2)")?;
        for (number, of_row) in &content.words {
            words.execute(params![number.of_session(session).0, of_row])?;
        }
        let mut texts = self
            .transaction
            .prepare("INSERT INTO texts(session, first, data) VALUES(?1, ?2, ?3)")?;
        for (first, chunk) in &content.chunks {
            texts.execute(params![session, first, chunk])?;
        }
        Ok(())
    }
}
