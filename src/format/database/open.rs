//! Opens a database so that no file is changed or created, and so that a hostile one does no harm.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use super::{DatabaseError, is_database};

/// How long a listing may take.
pub(super) const LISTING: Duration = Duration::from_secs(5);

/// How long the reading of one session may take.
pub(super) const READING: Duration = Duration::from_secs(120);

/// No value in a database is read that is longer, in bytes.
const MAX_VALUE_BYTES: i32 = 512 << 20;

/// After so many steps of SQLite's machine the time is looked at.
const STEPS: std::ffi::c_int = 10_000;

/// A database that is open, and whether a log lies beside it that was not read.
pub(crate) struct Opened {
    pub(crate) connection: Connection,
    pub(crate) has_unread_log: bool,
}

/// Opens a database. Two files beside it decide what SQLite has to do for that:
///
/// * A rollback journal would be played back into the database, and with it the other files that it names
///   deleted: the database is refused.
/// * A write-ahead log is read through the index that it has on the disk. Without one SQLite would have to
///   write beside the database, so what is in the log is left out.
///
/// SQLite always opens a log for reading and writing, and creates it where there is none. On a read-only
/// connection it writes nothing to it. If its agent removes the log after the check below, SQLite leaves an
/// empty one: no option prevents that.
pub(crate) fn connection(path: &Path) -> Result<Opened, DatabaseError> {
    // SQLite looks for the other files beside the real one.
    let path = path.canonicalize()?;
    if !is_database(&path) {
        return Err(DatabaseError::NotAnAgents("it is no SQLite database".to_owned()));
    }
    let journal = Found::of(&path, "-journal");
    if !matches!(journal, Found::Nothing | Found::File(0)) {
        return Err(DatabaseError::CutOff);
    }
    let log = Found::of(&path, "-wal");
    let begins = || match log {
        Found::File(0) => true,
        Found::File(_) => begins_log(&log_header(&path)),
        Found::Nothing | Found::Other => false,
    };
    if matches!(Found::of(&path, "-shm"), Found::File(_)) && begins() {
        match open(&path, "readonly_shm=1") {
            // An index that nobody has open, and that says nothing.
            Err(DatabaseError::Unreadable(_)) => {}
            opened => return Ok(Opened { connection: opened?, has_unread_log: false }),
        }
    }
    // SQLite looks for neither journal nor log.
    let connection = open(&path, "immutable=1")?;
    let has_unread_log = !matches!(log, Found::Nothing | Found::File(0));
    Ok(Opened { connection, has_unread_log })
}

/// What has a name that SQLite would look for.
enum Found {
    Nothing,
    /// A file of so many bytes.
    File(u64),
    /// A link, whose target belongs to somebody else, a pipe, or what cannot be looked at.
    Other,
}

impl Found {
    fn of(path: &Path, ending: &str) -> Found {
        match fs::symlink_metadata(beside(path, ending)) {
            Ok(about) if about.is_file() => Found::File(about.len()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Found::Nothing,
            Ok(_) | Err(_) => Found::Other,
        }
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn open(path: &Path, option: &str) -> Result<Connection, DatabaseError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address(path, option), flags)?;
    guard(&connection)?;
    Ok(connection)
}

/// The path as SQLite takes it together with an option.
fn address(path: &Path, option: &str) -> String {
    #[cfg(unix)]
    let bytes = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec();
    #[cfg(not(unix))]
    let bytes = {
        let path = path.to_string_lossy().replace('\\', "/");
        // What `canonicalize` puts ahead on Windows.
        let path = path.strip_prefix("//?/").unwrap_or(&path);
        format!("/{path}").into_bytes()
    };
    let mut address = String::from("file://");
    for byte in bytes {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b':' => {
                address.push(char::from(byte));
            }
            byte => {
                const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
                address.push('%');
                address.push(char::from(DIGITS[usize::from(byte >> 4)]));
                address.push(char::from(DIGITS[usize::from(byte & 15)]));
            }
        }
    }
    address + "?" + option
}

/// With so many bytes begins every log.
const LOG_HEADER_BYTES: u64 = 32;

/// What the log begins with; nothing where it cannot be read.
fn log_header(path: &Path) -> Vec<u8> {
    let mut header = Vec::new();
    if let Ok(log) = fs::File::open(beside(path, "-wal")) {
        // A log that cannot be read is as good as none.
        let _ = io::Read::read_to_end(&mut io::Read::take(log, LOG_HEADER_BYTES), &mut header);
    }
    header
}

/// Whether a log begins as SQLite begins one (<https://www.sqlite.org/fileformat2.html#walformat>). Where
/// it does not, SQLite would take the index beside it for one that is being written, and wait ten seconds.
fn begins_log(header: &[u8]) -> bool {
    const MAGIC: u32 = 0x377f_0682;
    let words = |part: &[u8]| -> Vec<u32> {
        let (words, _) = part.as_chunks::<4>();
        words.iter().map(|word| u32::from_be_bytes(*word)).collect()
    };
    let header = words(header);
    let [magic, _, page, _, _, _, one, other] = *header else { return false };
    // The last bit of the magic number says in which order the checksum takes the bytes of a word.
    let is_big_endian = magic == MAGIC | 1;
    let mut sums = (0_u32, 0_u32);
    for pair in header[..6].chunks_exact(2) {
        let [first, second] =
            [pair[0], pair[1]].map(|word| if is_big_endian { word } else { word.swap_bytes() });
        sums.0 = sums.0.wrapping_add(first).wrapping_add(sums.1);
        sums.1 = sums.1.wrapping_add(second).wrapping_add(sums.0);
    }
    magic & !1 == MAGIC
        && page.is_power_of_two()
        && (512..=65536).contains(&page)
        && sums == (one, other)
}

/// What a file from somewhere could do: run triggers and functions, attach files, fill the memory.
fn guard(connection: &Connection) -> Result<(), DatabaseError> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    // The last to close a database moves its log into it, and deletes the log.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    within(connection, LISTING, || {
        // What SQLite sorts stays in memory: a temporary file would be a copy of the session.
        connection.execute_batch(
            "PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
             PRAGMA temp_store = MEMORY;",
        )?;
        // SQLite reads the file when it is first asked for something.
        connection.query_row("SELECT count(*) FROM main.sqlite_schema", [], |_| Ok(()))?;
        Ok(())
    })
}

/// Runs queries for at most so long.
pub(super) fn within<T>(
    connection: &Connection,
    time: Duration,
    run: impl FnOnce() -> Result<T, DatabaseError>,
) -> Result<T, DatabaseError> {
    let begun = Instant::now();
    connection.progress_handler(STEPS, Some(move || begun.elapsed() > time))?;
    let result = run();
    connection.progress_handler(0, None::<fn() -> bool>)?;
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_path_becomes_an_address() {
        let path = Path::new("/h/a b?c#d%.db");
        assert_eq!(address(path, "x=1"), "file:///h/a%20b%3Fc%23d%25.db?x=1");
    }
}
