//! Opens a database so that no file is changed or created, and so that a hostile one does no harm.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

use super::{DatabaseError, is_database};

/// How long a listing may take.
pub(super) const LISTING: Duration = Duration::from_secs(5);

/// How long the reading of one session may take.
pub(super) const READING: Duration = Duration::from_secs(120);

/// No value in a database is read that is longer, in bytes.
const MAX_VALUE_BYTES: i32 = 512 << 20;

/// After so many steps of SQLite's machine the time is looked at.
const STEPS: std::ffi::c_int = 10_000;

/// How a database is read.
enum Way {
    /// Nobody writes to it: no log lies beside it.
    AsItIs,
    /// With its write-ahead log, through the index that the log has on the disk.
    WithLog,
    /// A copy: SQLite would have to write beside the database.
    Copy,
}

pub(super) fn connection(path: &Path) -> Result<(Connection, Option<TempDir>), DatabaseError> {
    // SQLite looks for the log beside the real file.
    let path = path.canonicalize()?;
    if !is_database(&path) {
        return Err(DatabaseError::NotOpenCode("it is no SQLite database".to_owned()));
    }
    let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let way = way(&path);
    let opened = match way {
        Way::AsItIs => open(&path, "immutable=1", read_only),
        Way::WithLog => open(&path, "readonly_shm=1", read_only),
        Way::Copy => return copied_connection(&path),
    };
    match (opened, way) {
        // An index that nobody has open, and that says nothing.
        (Err(DatabaseError::Unreadable(_)), Way::WithLog) => copied_connection(&path),
        (opened, _) => Ok((opened?, None)),
    }
}

fn copied_connection(path: &Path) -> Result<(Connection, Option<TempDir>), DatabaseError> {
    let (folder, copy) = copied(path)?;
    Ok((open(&copy, "cache=private", OpenFlags::SQLITE_OPEN_READ_WRITE)?, Some(folder)))
}

fn way(path: &Path) -> Way {
    let size = |ending| fs::metadata(beside(path, ending)).ok().map(|about| about.len());
    let (log, index) = (size("-wal"), size("-shm"));
    match log {
        // A transaction that a crash cut off is to be undone.
        _ if size("-journal").is_some_and(|size| size > 0) => Way::Copy,
        Some(0) if index.is_some() => Way::WithLog,
        Some(_) if index.is_some() && begins_log(&log_header(path)) => Way::WithLog,
        Some(1..) => Way::Copy,
        _ => Way::AsItIs,
    }
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn open(path: &Path, option: &str, mode: OpenFlags) -> Result<Connection, DatabaseError> {
    let flags = mode | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
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

/// The database and its log in a folder of their own.
fn copied(path: &Path) -> Result<(TempDir, PathBuf), DatabaseError> {
    /// OpenCode may write meanwhile. Its log begins anew when all of it is in the database.
    const TRIES: usize = 3;
    for _ in 0..TRIES {
        let before = state(path);
        let folder = tempfile::tempdir()?;
        let copy = folder.path().join("copy.db");
        for ending in ["-wal", "-journal", ""] {
            let from = beside(path, ending);
            if ending.is_empty() || from.exists() {
                fs::copy(from, beside(&copy, ending))?;
            }
        }
        if state(path) == before {
            return Ok((folder, copy));
        }
    }
    Err(io::Error::other("it is being written to").into())
}

/// What changes when pages are written to the database itself.
fn state(path: &Path) -> (Option<(u64, Option<SystemTime>)>, Vec<u8>) {
    let about = fs::metadata(path).ok();
    (about.map(|about| (about.len(), about.modified().ok())), log_header(path))
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
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)?;
    connection.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0)?;
    within(connection, LISTING, || {
        connection.execute_batch(
            "PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;",
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
