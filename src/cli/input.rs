//! Reads the session that a command names.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use crate::error::Error;
use crate::format;
use crate::session::damage::grouped;
use crate::session::{EntryIndex, Session};

/// Reads a session and says on stderr what was wrong with it.
pub(super) fn read(path: &Path) -> Result<Session, Error> {
    let source = read_bytes(path)?;
    let session = format::read(source)
        .map_err(|source| Error::InFile { path: path.to_owned(), source: Box::new(source) })?;
    for group in grouped(session.damage()) {
        eprintln!("warning: {}: {group}", path.display());
    }
    Ok(session)
}

fn read_bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::Read { path: path.to_owned(), source };
    if is_stdio(path) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map_err(failed)?;
        return Ok(bytes);
    }
    if path.is_dir() {
        return Err(Error::IsDirectory(path.to_owned()));
    }
    fs::read(path).map_err(failed)
}

/// Whether the path means standard input or output.
pub(super) fn is_stdio(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The entry that an option names by id or key.
pub(super) fn entry(
    session: &Session,
    option: &'static str,
    id: Option<&str>,
) -> Result<Option<EntryIndex>, Error> {
    let find = |id: &str| {
        session.find(id).ok_or_else(|| Error::UnknownEntry { option, id: id.to_owned() })
    };
    id.map(find).transpose()
}
