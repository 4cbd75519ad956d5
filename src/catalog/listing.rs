//! The rows of `leafpress list`, so that a list reads only files that are new or have changed.
//!
//! A row is kept where its file alone says all of it, since only the file's size and time tell whether it still holds.
//! Databases have none: a change of theirs may lie in the log beside them.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::time::SystemTime;

use rusqlite::{Connection, Row, Transaction, params};
use serde::{Deserialize, Serialize};

use super::database::{Catalog, CatalogError, State};
use super::store::path_of;
use super::update::size;
use crate::find::{Counts, FoundFile, FoundSession, Kept, Known, modified};
use crate::format::database::{Opened, is_database, open_unchanged};
use crate::session::ending::{Ended, Ending};
use crate::session::words::Words;
use crate::session::{EntryIndex, Format};

/// What a list says of a file, by the id of the file. `agent` is `NULL` where the file holds no session of
/// a person, only one of a sub-agent. `rest` is JSON, which is read of the sessions that are shown.
pub(super) const TABLE: &str = "
CREATE TABLE listings(file INTEGER PRIMARY KEY, place TEXT NOT NULL, agent TEXT, time INTEGER, id TEXT, cwd TEXT,
    rest TEXT);
";

/// What is written of a file.
#[derive(Debug)]
pub(super) struct Listing {
    /// Whose place the file lies in, which decides how it is read.
    place: Format,
    /// Counted, as far as it can be.
    session: Option<FoundSession>,
}

impl Listing {
    /// Of all sessions of a file; `None` where more than the file says what they are.
    pub(super) fn of(file: &FoundFile, mut sessions: Vec<FoundSession>) -> Option<Listing> {
        let session = sessions.pop();
        let is_of_file = match &session {
            Some(session) => sessions.is_empty() && session.is_of_file_alone(),
            None => !is_database(&file.path),
        };
        (is_of_file && !file.is_named).then_some(Listing { place: file.agent, session })
    }

    pub(super) fn write(
        &self,
        file: i64,
        transaction: &Transaction<'_>,
    ) -> Result<(), CatalogError> {
        let session = self.session.as_ref();
        let rest = session.map(Rest::of).map(|rest| serde_json::to_string(&rest));
        transaction.execute(
            "INSERT INTO listings(file, place, agent, time, id, cwd, rest)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                file,
                self.place.name(),
                session.map(|session| session.agent.name()),
                session.and_then(|session| session.time),
                session.map(|session| &session.id),
                session.and_then(|session| session.cwd.as_ref()),
                rest.transpose().map_err(|_| CatalogError::Damaged)?,
            ],
        )?;
        Ok(())
    }
}

/// What only a row that is shown needs.
#[derive(Debug, Serialize, Deserialize)]
struct Rest {
    title: Option<String>,
    prompt: Option<String>,
    /// Entries and branches.
    counts: Option<(usize, usize)>,
    called: Option<String>,
    ended: Option<RestEnded>,
}

#[derive(Debug, Serialize, Deserialize)]
struct RestEnded {
    how: Ending,
    entry: usize,
    text: String,
    code: Vec<Range<usize>>,
}

impl Rest {
    fn of(session: &FoundSession) -> Rest {
        let ended = session.ended.as_ref().map(|ended| {
            let Words { text, code } = ended.text.clone();
            RestEnded { how: ended.how, entry: ended.entry.get(), text, code }
        });
        Rest {
            title: session.title.clone(),
            prompt: session.prompt.clone(),
            counts: session.counts.map(|counts| (counts.entries, counts.branches)),
            called: session.called.clone(),
            ended,
        }
    }

    fn give(self, session: &mut FoundSession) {
        let Rest { title, prompt, counts, called, ended } = self;
        session.title = title;
        session.prompt = prompt;
        session.counts = counts.map(|(entries, branches)| Counts { entries, branches });
        session.called = called;
        session.ended = ended.map(|RestEnded { how, entry, text, code }| Ended {
            how,
            entry: EntryIndex::new(entry),
            text: Words { text, code },
        });
    }
}

/// All that a catalog says of files. It only reads the catalog, and changes nothing beside it.
#[derive(Debug, Default)]
pub(crate) struct Listings {
    of_files: HashMap<OsString, ListedFile>,
    /// What stands in the ranges. One text for all is made much faster than many.
    texts: String,
}

#[derive(Debug)]
struct ListedFile {
    size: i64,
    modified: i64,
    place: Format,
    session: Option<ListedSession>,
    /// It is unchanged, and its session was asked for.
    is_given: bool,
}

#[derive(Debug)]
struct ListedSession {
    agent: Format,
    time: Option<i64>,
    id: Range<usize>,
    cwd: Option<Range<usize>>,
    rest: Range<usize>,
}

impl Listings {
    /// Of the catalog in a directory. Without one that can be read, nothing is known.
    pub(crate) fn read(folder: &Path) -> Listings {
        Listings::try_read(&folder.join(Catalog::NAME)).unwrap_or_default()
    }

    fn try_read(path: &Path) -> Option<Listings> {
        let before = Trace::of(path)?;
        let Opened { connection, has_unread_log } = open_unchanged(path).ok()?;
        // Without its log, a catalog may be half written.
        if has_unread_log || State::of(&connection).ok()? != State::Current {
            return None;
        }
        let listings = Listings::of(&connection).ok()?;
        // A catalog without a log is read without locks, and another process may have begun to write.
        (Trace::of(path)? == before).then_some(listings)
    }

    fn of(connection: &Connection) -> Result<Listings, CatalogError> {
        let mut query = connection.prepare(
            "SELECT path, size, modified, place, agent, time, listings.id, cwd, rest
            FROM listings JOIN files ON files.id = file",
        )?;
        let mut rows = query.query([])?;
        let mut listings = Listings::default();
        while let Some(row) = rows.next()? {
            let file = listings.file(row)?;
            listings.of_files.insert(path_of(row.get(0)?).into_os_string(), file);
        }
        Ok(listings)
    }

    fn file(&mut self, row: &Row<'_>) -> Result<ListedFile, CatalogError> {
        let format = |name: &str| Format::from_name(name).ok_or(CatalogError::Damaged);
        let session = match text(row, 4)? {
            Some(agent) => Some(ListedSession {
                agent: format(agent)?,
                time: row.get(5)?,
                id: self.add(text(row, 6)?.unwrap_or_default()),
                cwd: text(row, 7)?.map(|cwd| self.add(cwd)),
                rest: self.add(text(row, 8)?.unwrap_or_default()),
            }),
            None => None,
        };
        let place = format(text(row, 3)?.unwrap_or_default())?;
        Ok(ListedFile { size: row.get(1)?, modified: row.get(2)?, place, session, is_given: false })
    }

    fn add(&mut self, text: &str) -> Range<usize> {
        let start = self.texts.len();
        self.texts.push_str(text);
        start..self.texts.len()
    }
}

impl Known for Listings {
    fn add(&mut self, file: &FoundFile, sessions: &mut Vec<FoundSession>) -> bool {
        let is_unchanged = |listed: &&mut ListedFile| {
            size(&file.about) == listed.size
                && modified(&file.about) == listed.modified
                && file.agent == listed.place
        };
        let listed = self.of_files.get_mut(file.path.as_os_str());
        let Some(listed) = listed.filter(is_unchanged) else { return false };
        listed.is_given = true;
        sessions.extend(listed.session.as_ref().map(|session| FoundSession {
            agent: session.agent,
            path: file.path.clone(),
            in_file: None,
            size: file.about.len(),
            id: self.texts[session.id.clone()].to_owned(),
            time: session.time,
            cwd: session.cwd.clone().map(|cwd| self.texts[cwd].to_owned()),
            title: None,
            prompt: None,
            counts: None,
            called: None,
            ended: None,
            kept: Kept::No,
        }));
        true
    }

    fn complete(&self, session: &mut FoundSession) -> bool {
        let listed = self.of_files.get(session.path.as_os_str()).filter(|listed| listed.is_given);
        let Some(listed) = listed.and_then(|listed| listed.session.as_ref()) else { return true };
        // The same file in the place of another agent may have been read as something else.
        if (listed.agent, listed.time) != (session.agent, session.time) {
            return true;
        }
        let rest = serde_json::from_str(&self.texts[listed.rest.clone()]);
        rest.map(|rest: Rest| rest.give(session)).is_ok()
    }
}

/// Where a database was written to, this is another one afterwards.
#[derive(Debug, PartialEq, Eq)]
struct Trace {
    database: (u64, SystemTime),
    log: Option<(u64, SystemTime)>,
}

impl Trace {
    fn of(path: &Path) -> Option<Trace> {
        let mut log = path.as_os_str().to_owned();
        log.push("-wal");
        let about = |path: &Path| {
            let about = fs::metadata(path).ok()?;
            Some((about.len(), about.modified().ok()?))
        };
        Some(Trace { database: about(path)?, log: about(log.as_ref()) })
    }
}

fn text<'r>(row: &'r Row<'_>, column: usize) -> Result<Option<&'r str>, CatalogError> {
    row.get_ref(column)?.as_str_or_null().map_err(|_| CatalogError::Damaged)
}
