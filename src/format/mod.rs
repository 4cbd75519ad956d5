//! From a file's bytes to a [`Session`]: one file a dialect, one line for each
//! in [`FORMATS`].

mod lines;
mod migrate;
mod pi;
mod probe;
mod repair;
mod translation;

use crate::error::Error;
use crate::session::{Dialect, Session};

use probe::Probe;

/// A dialect's way to recognise and to read its files.
struct Format {
    dialect: Dialect,
    /// Whether the file is one of its own; told by content, never by name or the shape of ids.
    recognises: fn(&Probe<'_>) -> bool,
    read: fn(Vec<u8>) -> Result<Session, Error>,
}

/// The first that recognises a file reads it; pi takes what nobody else does.
const FORMATS: &[Format] = &[Format { dialect: Dialect::Pi, recognises: |_| true, read: pi::read }];

/// Reads a session of any dialect known here.
///
/// Damaged input is read as far as it goes; what was wrong is in
/// [`Session::damage`].
///
/// # Errors
/// [`Error::NoEntries`] when there is not one entry.
pub fn read(source: Vec<u8>) -> Result<Session, Error> {
    let probe = Probe::new(&source);
    let read = FORMATS.iter().find(|format| (format.recognises)(&probe)).map(|format| format.read);
    read.unwrap_or(pi::read)(source)
}

/// Reads a session as one of this dialect, whatever it looks like.
///
/// # Errors
/// As [`read`].
pub fn read_as(source: Vec<u8>, dialect: Dialect) -> Result<Session, Error> {
    // pi and omp share one reader, which tells them apart by their entries.
    let known = FORMATS.iter().find(|format| format.dialect == dialect).map(|format| format.read);
    known.unwrap_or(pi::read)(source)
}
