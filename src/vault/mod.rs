//! Copies of sessions that stay when their agents delete or rewrite the originals.
//!
//! ```text
//! keep/known.json                  what is kept, for a quick look; made again from the rest
//! keep/AGENT/NAME~HASH.1.zst       a file's bytes: Zstandard frames one after the other, each a member
//! keep/AGENT/NAME~HASH.1.index     what is in them: a line for the file and a line for each member
//! keep/AGENT/NAME~HASH.2.zst       the next version, where the file is not a continuation of the first
//! ```
//!
//! `zstd -dc` gives the bytes of a file. A member holds whole lines, so that each can be read alone. Nothing here is changed
//! or deleted but by [`Vault::forget`]: a member is written and synced first, then the line that names it. What lies behind
//! the last member that is named was torn, and goes with the next.
//!
//! The copies hold the secrets that the sessions hold.

mod append;
mod find;
mod index;
mod kept_file;
mod known;
mod retention;
mod run;
mod slim;
#[cfg(test)]
mod tests;

pub(crate) use find::{KeptFiles, KeptSession};
pub(crate) use kept_file::{Damage, KeptFile};
pub(crate) use known::Vault;
pub(crate) use retention::{Retention, retentions};
pub(crate) use run::{Held, Outcome, Settings, Source};
