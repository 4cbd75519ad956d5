//! The database of the catalog: its tables, and how it is opened, made and deleted.
//!
//! It can be made again from the sessions at any time. One of another version and a damaged one are deleted and made
//! anew.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

use super::listing;
use crate::private::make_private;

/// Of the tables below. A change of what they hold is a new version, too.
const VERSION: i32 = 10;

/// By which a database is known to be a catalog: `leaf`.
const APPLICATION: i32 = 0x6c65_6166;

/// How long one process waits for another that writes.
const PATIENCE: Duration = Duration::from_secs(30);

/// `words` holds no texts, only which rows have a word; what else a rank asks for is in the numbers of the rows
/// (`row_number.rs`). Words are split before they come here (`words.rs`), so that the tokenizer has only blanks to look
/// for. `counted` is the last column, which few readers need: what stands behind it would be read past it.
const TABLES: &str = "
CREATE TABLE files(id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, modified INTEGER NOT NULL,
    tail INTEGER NOT NULL, beside TEXT);
CREATE TABLE sessions(id INTEGER PRIMARY KEY, file INTEGER NOT NULL, in_file TEXT, stamp INTEGER,
    latest INTEGER, first INTEGER, facts TEXT, counted BLOB);
CREATE INDEX sessions_of_file ON sessions(file);
CREATE TABLE texts(session INTEGER NOT NULL, first INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(session, first))
    WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, detail=none, tokenize='ascii');
";

/// Why the catalog cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogError {
    /// The system's reason.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// SQLite's reason.
    #[error("{0}")]
    Database(String),
    /// What the catalog holds is none of its own.
    #[error("the catalog is damaged")]
    Damaged,
    /// Another program's database has its name.
    #[error("`catalog.sqlite` there is the database of another program")]
    Foreign,
}

impl From<rusqlite::Error> for CatalogError {
    fn from(error: rusqlite::Error) -> CatalogError {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => CatalogError::Damaged,
            _ => CatalogError::Database(error.to_string()),
        }
    }
}

impl CatalogError {
    /// Whether the catalog is to be made anew.
    pub fn is_damage(&self) -> bool {
        matches!(self, CatalogError::Damaged)
    }
}

/// An open catalog.
#[derive(Debug)]
pub struct Catalog {
    pub(super) connection: Connection,
    path: PathBuf,
}
impl Catalog {
    /// The file's name in leafpress's data directory.
    pub const NAME: &str = "catalog.sqlite";

    /// Opens the catalog in a directory, which only its owner can look into, or makes one.
    ///
    /// # Errors
    /// [`CatalogError`] where it cannot be made or opened. A damaged one and one of another version are made anew.
    pub fn open(folder: &Path) -> Result<Catalog, CatalogError> {
        make_private(folder)?;
        let path = folder.join(Catalog::NAME);
        match Catalog::open_file(&path) {
            Err(error) if error.is_damage() => {
                Catalog::forget(folder)?;
                Catalog::open_file(&path)
            }
            opened => opened,
        }
    }

    /// One that is gone with the process: of sessions that a person names.
    ///
    /// # Errors
    /// [`CatalogError`] where it cannot be made.
    #[cfg(feature = "cli")]
    pub(crate) fn temporary() -> Result<Catalog, CatalogError> {
        // A database without a name is a file without a name, which only this process can open.
        let mut connection = Connection::open("")?;
        connection.pragma_update(None, "cache_size", -65_536)?;
        let change = connection.transaction()?;
        make_tables(&change)?;
        change.commit()?;
        Ok(Catalog { connection, path: PathBuf::new() })
    }

    /// Deletes the catalog of a directory; says whether there was one.
    ///
    /// # Errors
    /// The system's reason where a file stays, and [`CatalogError::Foreign`].
    pub fn forget(folder: &Path) -> Result<bool, CatalogError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Connection::open_with_flags(folder.join(Catalog::NAME), flags);
        // What cannot be read is a catalog that is damaged.
        if opened.is_ok_and(|opened| State::of(&opened).is_ok_and(|state| state == State::Foreign))
        {
            return Err(CatalogError::Foreign);
        }
        let mut was_there = false;
        for ending in ["", "-wal", "-shm"] {
            match fs::remove_file(folder.join(format!("{}{ending}", Catalog::NAME))) {
                Ok(()) => was_there = true,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(was_there)
    }

    /// The database.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The directory that it lies in.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(&self.path)
    }

    fn open_file(path: &Path) -> Result<Catalog, CatalogError> {
        make_file(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        if State::of(&connection)? == State::Foreign {
            return Err(CatalogError::Foreign);
        }
        connection.pragma_update(None, "journal_mode", "wal")?;
        // What a power failure takes, the next update reads again.
        connection.pragma_update(None, "synchronous", "normal")?;
        // In KiB.
        connection.pragma_update(None, "cache_size", -65_536)?;
        // No copy of a prompt goes into the directory for temporary files.
        connection.pragma_update(None, "temp_store", "memory")?;
        if State::of(&connection)? == State::New {
            let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            // Another process may have made them while this one waited.
            if State::of(&change)? == State::New {
                make_tables(&change)?;
                change.pragma_update(None, "application_id", APPLICATION)?;
                change.pragma_update(None, "user_version", VERSION)?;
            }
            change.commit()?;
        }
        if State::of(&connection)? != State::Current {
            return Err(CatalogError::Damaged);
        }
        Ok(Catalog { connection, path: path.to_owned() })
    }
}

/// What a database of the catalog's name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// There is nothing in it.
    New,
    Current,
    /// A catalog of another version.
    Other,
    /// Of another program.
    Foreign,
}

impl State {
    pub(super) fn of(connection: &Connection) -> Result<State, CatalogError> {
        let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        let tables: i64 =
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        Ok(match pragma("application_id")? {
            APPLICATION if pragma("user_version")? == VERSION => State::Current,
            APPLICATION => State::Other,
            _ if tables == 0 => State::New,
            _ => State::Foreign,
        })
    }
}
fn make_tables(change: &Transaction<'_>) -> Result<(), CatalogError> {
    change.execute_batch(TABLES)?;
    Ok(change.execute_batch(listing::TABLE)?)
}

/// Makes the file, which only its owner can read, unless it is there.
fn make_file(path: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop)
}
