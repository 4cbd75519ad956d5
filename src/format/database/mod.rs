//! Databases in which OpenCode and OpenClaw keep their sessions. Each session is read as the file that its agent
//! would write: that of `opencode export`, or OpenClaw's JSON lines.
//!
//! A database is only read. Neither it nor the files beside it are changed or created, and nothing
//! but the tables of sessions and messages is read: others hold the person's tokens.
//!
//! ```no_run
//! use leafpress::format::{ReadOptions, database::Database, read_with};
//!
//! let path = std::path::PathBuf::from("opencode.db");
//! let database = Database::open(&path)?;
//! let newest = database.sessions()?.into_iter().next().ok_or("no session")?;
//! let source = database.session(&newest.id, u64::MAX)?;
//! // With the path of the database, the sessions of sub-agents are read too.
//! let options = ReadOptions::new().session(path);
//! let session = read_with(source, None, &options)?;
//! println!("{} entries", session.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Opening, guards, limits and the sessions of sub-agents stand here; which tables an agent has, and what is in them,
// with the agent (`AgentTables`).

mod children;
mod open;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use rusqlite::Connection;

use crate::format::{SQLITE, openclaw, opencode};

pub(super) use children::{Children, Origin};
#[cfg(feature = "catalog")]
pub(crate) use open::{Opened, connection as open_unchanged};
pub(super) use table::{Table, text};

/// The tables of one agent's database.
pub(super) trait AgentTables: fmt::Debug {
    /// The sessions that a person began, the newest first.
    fn sessions(&self, connection: &Connection) -> Result<Vec<DatabaseSession>, DatabaseError>;

    /// The first prompt of each session, by the session's id. Of two, the first one counts.
    fn prompts(&self, connection: &Connection) -> Result<Vec<(String, String)>, DatabaseError>;

    /// A session as its agent would write it to a file, of at most `limit` bytes.
    fn session(
        &self,
        connection: &Connection,
        id: &str,
        limit: u64,
    ) -> Result<Vec<u8>, DatabaseError>;

    /// The sessions of a session's sub-agents.
    fn children(&self, connection: &Connection, id: &str) -> Result<Vec<ChildRow>, DatabaseError>;
}

/// Whether the file is an SQLite database, by its first bytes.
pub fn is_database(path: &Path) -> bool {
    let mut start = Vec::new();
    let about = std::fs::metadata(path);
    let is_file = about.is_ok_and(|about| about.is_file());
    let file = is_file.then(|| File::open(path).ok()).flatten();
    let read = file.map(|file| file.take(SQLITE.len() as u64).read_to_end(&mut start));
    matches!(read, Some(Ok(_))) && start == SQLITE
}

/// An agent's database, open for reading.
pub struct Database {
    connection: Connection,
    tables: Box<dyn AgentTables + Send>,
    has_unread_log: bool,
}

/// What the database says of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DatabaseSession {
    /// Its id, such as `ses_14d2446…` or `agent:main:main`.
    pub id: String,
    /// Its title; none where its agent gave it none.
    pub title: Option<String>,
    /// When it was last changed, in milliseconds since 1970.
    pub time: Option<i64>,
    /// The folder that the agent worked in.
    pub cwd: Option<String>,
}

/// Why a database gives no session.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// The file could not be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// SQLite's reason.
    #[error("the database cannot be read: {0}")]
    Unreadable(String),
    /// A rollback journal lies beside it. Only a program that writes to the database can undo the transaction.
    #[error("a transaction was cut off")]
    CutOff,
    /// A database of another program.
    #[error("it is not a database of OpenCode or OpenClaw: {0}")]
    NotAnAgents(String),
    /// There is no such session.
    #[error("it holds no session `{0}`")]
    NoSession(String),
    /// There is no session at all.
    #[error("it holds no session with messages")]
    Empty,
    /// The session takes more bytes than are read.
    #[error("the session is larger than {}", crate::session::text::bytes(usize::try_from(*.0).unwrap_or(usize::MAX)))]
    TooLarge(u64),
    /// Reading took too long, as a database can be made to do.
    #[error("reading the database took too long")]
    TooSlow,
}

impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> DatabaseError {
        if error.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted) {
            return DatabaseError::TooSlow;
        }
        DatabaseError::Unreadable(error.to_string())
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database").field("tables", &self.tables).finish_non_exhaustive()
    }
}

impl Database {
    /// Opens a database for reading. A write-ahead log beside it is read too, where that takes no writing:
    /// [`Database::unread`] says when it does.
    ///
    /// # Errors
    /// For what is no database, or none of an agent's.
    pub fn open(path: &Path) -> Result<Database, DatabaseError> {
        let open::Opened { connection, has_unread_log } = open::connection(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let tables: Box<dyn AgentTables + Send> =
            match openclaw::database::Tables::of(&connection, folder)? {
                Some(tables) => Box::new(tables),
                None => Box::new(opencode::database::Tables::of(&connection)?),
            };
        Ok(Database { connection, tables, has_unread_log })
    }

    /// What was not read of the database, in a sentence for the person. `None` where all of it was.
    pub fn unread(&self) -> Option<&'static str> {
        const LOG: &str = "the database's write-ahead log cannot be read in place and is not included; the newest messages may be missing";
        self.has_unread_log.then_some(LOG)
    }

    /// The sessions that a person began, the newest first. Those of sub-agents are part of theirs, and
    /// those without messages are left out.
    ///
    /// # Errors
    /// For what cannot be read.
    pub fn sessions(&self) -> Result<Vec<DatabaseSession>, DatabaseError> {
        open::within(&self.connection, open::LISTING, || self.tables.sessions(&self.connection))
    }

    /// The first prompt of each session, by the session's id.
    pub(crate) fn prompts(&self) -> Result<Vec<(String, String)>, DatabaseError> {
        open::within(&self.connection, open::LISTING, || self.tables.prompts(&self.connection))
    }

    /// A session as its agent writes it to a file, one message a line, of at most `limit` bytes.
    ///
    /// # Errors
    /// Where there is no such session, and for what cannot be read.
    pub fn session(&self, id: &str, limit: u64) -> Result<Vec<u8>, DatabaseError> {
        open::within(&self.connection, open::READING, || {
            self.tables.session(&self.connection, id, limit)
        })
    }

    /// The sessions that a session's sub-agents worked in: id, title and agent.
    pub(super) fn children(&self, id: &str) -> Result<Vec<ChildRow>, DatabaseError> {
        open::within(&self.connection, open::LISTING, || self.tables.children(&self.connection, id))
    }
}

/// What the database says of a sub-agent's session.
#[derive(Debug)]
pub(crate) struct ChildRow {
    pub(crate) id: String,
    pub(crate) title: Option<String>,
    pub(crate) agent: Option<String>,
}

/// Where a session of a database is read from, with those of its sub-agents: the database, or copies of what was in it.
pub(crate) trait Sessions: fmt::Debug + Send + Sync {
    /// The sessions that a session's sub-agents worked in.
    fn children(&self, database: &Path, id: &str) -> Result<Vec<ChildRow>, DatabaseError>;

    /// A session as its agent writes it to a file, of at most `limit` bytes.
    fn session(&self, database: &Path, id: &str, limit: u64) -> Result<Vec<u8>, DatabaseError>;
}
