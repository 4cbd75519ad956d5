//! `leafpress --licenses`: the notices of everything that is linked into the command.

use crate::cli::error::Error;

use super::output;

/// leafpress's own license.
const OWN: &str = include_str!("../../LICENSE");

/// Those of others; `cargo xtask licenses` writes the file.
const OTHERS: &str = include_str!("licenses.txt");

pub(super) fn print() -> Result<(), Error> {
    output::to_stdout(|out| write!(out, "leafpress\n\n{OWN}\n{OTHERS}"))
}
