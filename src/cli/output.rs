//! Writes what a command makes.
//!
//! A file is written whole or not at all: beside its place, then renamed, and what is there is asked about before the
//! work and once more after it. What a person did not name is never replaced but by a newer page of the same. JSON is
//! written so that no terminal takes any of it for a command.

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::cli::error::Error;
use crate::format;
use crate::temporary::Temporary;

use super::input::is_stdio;
use super::printable::printable;

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

pub(super) fn holds_page(path: &Path) -> bool {
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

/// Writes a report to standard output, as JSON on one line that no terminal takes for a command.
pub(super) fn json(report: &impl Serialize) -> Result<(), Error> {
    to_stdout(|out| {
        report.serialize(&mut Serializer::with_formatter(&mut *out, Escaped))?;
        writeln!(out)
    })
}

/// JSON with escapes for what steers a terminal or reorders a line. JSON itself asks for them below U+0020 only.
struct Escaped;

impl Formatter for Escaped {
    fn write_string_fragment<W: Write + ?Sized>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut copied = 0;
        for (at, c) in fragment.char_indices().filter(|(_, c)| is_escaped(*c)) {
            out.write_all(&fragment.as_bytes()[copied..at])?;
            write!(out, "\\u{:04x}", u32::from(c))?;
            copied = at + c.len_utf8();
        }
        out.write_all(&fragment.as_bytes()[copied..])
    }
}

/// DEL, the C1 controls, what sets the direction of a text, and the ends of lines that JavaScript knows.
fn is_escaped(c: char) -> bool {
    matches!(
        c,
        '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
    )
}

/// Says which file was made.
pub(super) fn path(path: &Path) -> Result<(), Error> {
    let name = name(path, io::stdout().is_terminal());
    to_stdout(|out| {
        out.write_all(&name)?;
        writeln!(out)
    })
}

/// A path exactly as it is, for a script that takes it; a terminal gets nothing that would steer it.
fn name(path: &Path, is_terminal: bool) -> Cow<'_, [u8]> {
    if is_terminal {
        Cow::Owned(printable(&path.to_string_lossy()).into_bytes())
    } else {
        Cow::Borrowed(path.as_os_str().as_encoded_bytes())
    }
}

/// Writes for a person: with colors on a terminal unless `NO_COLOR` is set, without elsewhere.
pub(super) fn to_person(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    buffered(anstream::AutoStream::auto(io::stdout().lock()), write)
        .map_err(|source| Error::Write { path: PathBuf::from("-"), source })
}

/// Writes to standard output as it is.
pub(super) fn raw(bytes: &[u8]) -> Result<(), Error> {
    to_stdout(|out| out.write_all(bytes))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_exact_in_a_pipe_and_harmless_on_a_terminal() {
        let path = Path::new("a\u{1b}]0;x\u{7}\n\u{202e}b\u{9b}é.html");
        assert_eq!(*name(path, false), *path.as_os_str().as_encoded_bytes());
        let shown = String::from_utf8(name(path, true).into_owned()).unwrap();
        assert!(shown.starts_with('a') && shown.ends_with("é.html"), "{shown}");
        assert!(!shown.contains(char::is_control) && !shown.contains('\u{202e}'), "{shown:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_path_that_is_no_utf_8_stays_what_it_is_in_a_pipe() {
        let path: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"a\xff.html");
        assert_eq!(*name(Path::new(path), false), *b"a\xff.html");
        assert_eq!(*name(Path::new(path), true), *"a\u{fffd}.html".as_bytes());
    }

    #[test]
    fn json_escapes_what_steers_a_terminal() {
        let odd: String =
            ['\u{7f}', '\u{80}', '\u{9b}', '\u{9f}', '\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}']
                .into_iter()
                .chain('\u{2029}'..='\u{202e}')
                .chain('\u{2066}'..='\u{2069}')
                .collect();
        let text = format!("a{odd}\u{1b}\"\\é\u{2065}\u{206a}\u{a0}");
        let mut json = Vec::new();
        [(&text, 1)].serialize(&mut Serializer::with_formatter(&mut json, Escaped)).unwrap();
        let json = String::from_utf8(json).unwrap();
        assert!(!json.contains(|c| odd.contains(c)), "{json}");
        assert!(
            json.starts_with(r#"[["a\u007f\u0080\u009b\u009f\u061c\u200e\u200f\u2028\u2029\u202a"#),
            "{json}"
        );
        assert!(json.ends_with("\\u2069\\u001b\\\"\\\\é\u{2065}\u{206a}\u{a0}\",1]]"), "{json}");
        assert_eq!(serde_json::from_str::<[(String, u8); 1]>(&json).unwrap()[0].0, text);
    }
}
