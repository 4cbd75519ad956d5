//! A static folder with the pages of many sessions, an index of them, and a search that needs no server.
//!
//! ```text
//! index.html           loads what is below as the reader asks for it
//! months/2026-11.html  the links of a month, for readers without a script
//! sessions/ID.html     a session
//! data/manifest.js     names everything else; written last
//! data/months/         rows of the index, a month each
//! data/words-HASH/     which sessions have a word
//! data/tail-HASH.js    the same of the sessions that came since
//! data/text/           the texts of a session, for the search
//! ```
//!
//! The archive of a team has those of its authors in it, and an index over all ([`team`]).
//!
//! Files of `data/` are classic scripts, the only ones that a page may load over `file:`. Their names have a hash of what
//! they hold, so that none is ever changed: until a new manifest is renamed into its place, the folder is what it was.
//! Words and texts are packed.

mod data;
mod disk;
mod documents;
mod index;
mod manifest;
mod pack;
mod plan;
mod row;
mod session;
mod team;
#[cfg(test)]
mod tests;
mod word_files;
mod words;
mod write;

pub(crate) use disk::ArchiveError;
pub(crate) use disk::is_one;
pub(crate) use documents::{Written, documents};
pub(crate) use plan::{Filter, Wish};
pub(crate) use session::Settings;
pub(crate) use team::Author;
pub(crate) use write::{Outcome, write};
