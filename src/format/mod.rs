//! From a file's bytes to a [`Session`]: one file a dialect, one line for each
//! in [`FORMATS`].

mod beside;
mod claude_code;
mod codex;
mod lines;
mod migrate;
mod pi;
mod probe;
mod repair;
mod translation;

use crate::error::Error;
use crate::session::{Dialect, Session};

pub use beside::{Beside, BesideError};
use probe::Probe;

/// A dialect's way to recognise and to read its files.
struct Format {
    dialect: Dialect,
    /// Whether the file is one of its own; told by content, never by name or the shape of ids.
    recognises: fn(&Probe<'_>) -> bool,
    read: Read,
}

/// How a dialect reads a file.
type Read = fn(Vec<u8>, &Beside) -> Result<Session, Error>;

/// The first that recognises a file reads it; pi takes what nobody else does.
#[rustfmt::skip]
const FORMATS: &[Format] = &[
    Format { dialect: Dialect::ClaudeCode, recognises: claude_code::recognises, read: claude_code::read },
    Format { dialect: Dialect::Codex, recognises: codex::recognises, read: codex::read },
    Format { dialect: Dialect::Pi, recognises: |_| true, read: pi::read },
];

/// Reads a session of any dialect known here.
///
/// Damaged input is read as far as it goes; what was wrong is in
/// [`Session::damage`].
///
/// # Errors
/// [`Error::NoEntries`] when there is not one entry.
pub fn read(source: Vec<u8>) -> Result<Session, Error> {
    read_with(source, None, &Beside::default())
}

/// Reads a session as one of `dialect`, or of whichever it looks like, with
/// the files that lie beside it.
///
/// # Errors
/// As [`read`].
pub fn read_with(
    source: Vec<u8>,
    dialect: Option<Dialect>,
    beside: &Beside,
) -> Result<Session, Error> {
    let format = match dialect {
        // pi and omp share one reader, which tells them apart by their entries.
        Some(dialect) => FORMATS.iter().find(|format| format.dialect == dialect),
        None => {
            let probe = Probe::new(&source);
            FORMATS.iter().find(|format| (format.recognises)(&probe))
        }
    };
    format.map_or(pi::read as Read, |format| format.read)(source, beside)
}
