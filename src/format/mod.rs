//! From a file's bytes to a [`Session`]: one file a dialect.

mod lines;
mod migrate;
mod pi;
mod repair;

use crate::error::Error;
use crate::session::Session;

/// Reads a session of any dialect known here.
///
/// Damaged input is read as far as it goes; what was wrong is in
/// [`Session::damage`].
///
/// # Errors
/// [`Error::NoEntries`] when there is not one entry.
pub fn read(source: Vec<u8>) -> Result<Session, Error> {
    pi::read(source)
}
