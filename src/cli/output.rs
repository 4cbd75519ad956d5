//! Writes what a command makes.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::Error;

use super::input::is_stdio;

/// Writes a file whole or not at all: to a temporary file beside it, then
/// renamed. What is no regular file, such as `/dev/null` or a pipe, is written
/// directly.
pub(super) fn write_file<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<T, Error> {
    let failed = |source| Error::Write { path: path.to_owned(), source };
    if is_stdio(path) {
        return to_stdout(write);
    }
    if path.is_dir() {
        return Err(Error::OutputIsDirectory(path.to_owned()));
    }
    let is_special = path.exists() && !path.is_file();
    if is_special {
        return File::create(path).and_then(|file| buffered(file, write)).map_err(failed);
    }
    replace(path, write).map_err(failed)
}

/// Writes to standard output.
pub(super) fn to_stdout<T>(
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<T, Error> {
    buffered(io::stdout().lock(), write)
        .map_err(|source| Error::Write { path: PathBuf::from("-"), source })
}

/// Writes a report to standard output, as JSON on one line.
pub(super) fn json(report: &impl serde::Serialize) -> Result<(), Error> {
    to_stdout(|out| {
        serde_json::to_writer(&mut *out, report)?;
        writeln!(out)
    })
}

/// Writes for a person: with colours on a terminal unless `NO_COLOR` is set, without elsewhere.
pub(super) fn to_person(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    buffered(anstream::AutoStream::auto(io::stdout().lock()), write)
        .map_err(|source| Error::Write { path: PathBuf::from("-"), source })
}

/// Whether both names lead to one file.
pub(super) fn is_same_file(a: &Path, b: &Path) -> bool {
    same_file::is_same_file(a, b).unwrap_or(false)
}

fn replace<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
    // Through a link, the file behind it is replaced and not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder =
        path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::metadata(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".leafpress-");
    // As for any new file: what the umask leaves of rw-rw-rw-.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder.tempfile_in(folder).map_err(|error| without_path(&error))?;
    let written = buffered(&file, write)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(written)
}

/// tempfile adds its random file name to errors, which tells a person nothing.
fn without_path(error: &io::Error) -> io::Error {
    error.kind().into()
}

fn buffered<T>(
    out: impl Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<T> {
    let mut out = BufWriter::with_capacity(256 * 1024, out);
    let written = write(&mut out)?;
    out.flush()?;
    Ok(written)
}
