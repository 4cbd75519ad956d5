//! Writes what a command makes.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::cli::error::Error;
use crate::format;
use crate::temporary::Temporary;

use super::input::is_stdio;

/// What to do with a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Existing {
    /// A person named it: it is replaced.
    Replace,
    /// Nobody named it: only an older page gives way.
    ReplacePage,
    /// Nobody named it, and nothing tells whether it can be made again.
    Keep,
}

/// Where a command writes to.
#[derive(Debug)]
pub(super) struct Target<'a> {
    pub(super) path: &'a Path,
    pub(super) existing: Existing,
    /// Permission bits that a new file has at most; `None` for what any new file gets.
    pub(super) most: Option<u32>,
}

impl Target<'_> {
    /// Refuses what must not be replaced.
    pub(super) fn check(&self) -> Result<(), Error> {
        if is_stdio(self.path) {
            return Ok(());
        }
        if self.path.is_dir() {
            return Err(Error::OutputIsDirectory(self.path.to_owned()));
        }
        // A link that leads nowhere is somebody's, too.
        let is_there = self.path.symlink_metadata().is_ok();
        match self.existing {
            Existing::Replace => Ok(()),
            Existing::ReplacePage if !is_there || holds_page(self.path) => Ok(()),
            Existing::Keep if !is_there => Ok(()),
            Existing::ReplacePage | Existing::Keep => Err(self.refused()),
        }
    }

    fn refused(&self) -> Error {
        match self.existing {
            Existing::ReplacePage => Error::OutputIsNotPage(self.path.to_owned()),
            Existing::Keep | Existing::Replace => Error::OutputExists(self.path.to_owned()),
        }
    }
}

fn holds_page(path: &Path) -> bool {
    // Asked before it is opened: opening a pipe would wait for a writer.
    path.is_file() && File::open(path).is_ok_and(format::is_page_in)
}

/// The permission bits of a regular file, for what is made of it: `None` elsewhere, and where the
/// system has none.
pub(super) fn mode_of(path: &Path) -> Option<u32> {
    #[cfg(unix)]
    if !is_stdio(path) {
        let about = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        return Some(std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & NEW);
    }
    let _ = path;
    None
}

/// What the umask is taken from for any new file.
const NEW: u32 = 0o666;

/// Writes a file whole or not at all: to a temporary file beside it, then
/// renamed. What is no regular file, such as `/dev/null` or a pipe, is written
/// directly.
pub(super) fn write_file<T>(
    target: &Target<'_>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<T, Error> {
    let path = target.path;
    let failed = |source| Error::Write { path: path.to_owned(), source };
    if is_stdio(path) {
        return to_stdout(write);
    }
    target.check()?;
    let is_special = path.exists() && !path.is_file();
    if is_special {
        return File::create(path).and_then(|file| buffered(file, write)).map_err(failed);
    }
    let (file, real) = temporary(target).map_err(failed)?;
    let written = file.as_file().and_then(|file| buffered(file, write)).map_err(failed)?;
    // Something may have come there while it was written.
    target.check()?;
    if target.existing == Existing::Replace || real.exists() {
        file.replace(&real).map_err(failed)?;
    } else {
        file.put_new(&real).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => target.refused(),
            _ => failed(error),
        })?;
    }
    Ok(written)
}

/// The file to write, and where it goes in the end. It has the mode of the file that it replaces.
fn temporary(target: &Target<'_>) -> io::Result<(Temporary, PathBuf)> {
    // Through a link, the file behind it is replaced and not the link.
    let real = fs::canonicalize(target.path).unwrap_or_else(|_| target.path.to_owned());
    let folder = real.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::metadata(folder)?;
    #[cfg(unix)]
    if let Ok(replaced) = fs::metadata(&real) {
        const OWNERS: u32 = 0o600;
        let file = Temporary::create(folder, OWNERS)?;
        file.as_file()?.set_permissions(replaced.permissions())?;
        return Ok((file, real));
    }
    Ok((Temporary::create(folder, target.most.unwrap_or(NEW))?, real))
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

/// Writes for a person: with colors on a terminal unless `NO_COLOR` is set, without elsewhere.
pub(super) fn to_person(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    buffered(anstream::AutoStream::auto(io::stdout().lock()), write)
        .map_err(|source| Error::Write { path: PathBuf::from("-"), source })
}

/// Whether both names lead to one file.
pub(super) fn is_same_file(a: &Path, b: &Path) -> bool {
    // Asked first: both are opened, and opening a pipe would wait for a writer.
    a.is_file() && b.is_file() && same_file::is_same_file(a, b).unwrap_or(false)
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
