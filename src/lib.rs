//! leafpress exports a coding-agent session as one standalone HTML page.
//!
//! Data flows through these modules:
//!
//! 1. [`redact`] removes secrets, text to text.
//! 2. [`format`](mod@format) detects the format of a file and reads it, however damaged, into a [`Session`].
//! 3. [`session`] has the entries, their tree, and the model's context at any leaf.
//! 4. [`cut`](mod@cut) removes parts from a session.
//! 5. [`outline`] has the rows of the tree, the filters and the search.
//! 6. [`content`] says what an entry shows, as data. [`changes`] has what changed between two texts.
//! 7. [`render`] draws it as one fragment of HTML. [`markdown`] writes a branch as Markdown.
//! 8. [`page`] writes the shell, the outline and the fragments as one page.
//! 9. [`seal`] protects a page with a password. [`extract`] gets the session file out of a page.
//!
//! [`report`] gives the tree, the context and the figures as data. [`store`] writes sessions: an
//! append-only tree, on disk or in memory. [`cli`] is the command, and [`find`] looks for sessions
//! in the agents' own directories.
//!
//! What is not on these pages is no part of the API, though leafpress's own tests can reach it.
//!
//! ```
//! let session = leafpress::read_file("examples/first-steps.jsonl")?;
//! let mut page = Vec::new();
//! leafpress::export(&session, &leafpress::Options::default(), &mut page)?;
//! assert!(page.starts_with(b"<!doctype html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ansi;
mod byte_search;
pub mod changes;
#[cfg(feature = "cli")]
pub mod cli;
pub mod content;
pub mod cut;
pub mod extract;
mod figures;
pub mod find;
pub mod format;
mod html;
mod language;
mod link;
pub mod markdown;
pub mod outline;
pub mod page;
pub mod progress;
mod prose;
mod raster;
pub mod redact;
pub mod render;
pub mod report;
#[cfg(feature = "seal")]
pub mod seal;
pub mod session;
mod setters;
#[cfg(feature = "store")]
pub mod store;
#[cfg(any(feature = "cli", feature = "store"))]
mod temporary;
mod workers;

pub use cut::CutError;
pub use format::{ReadError, read, read_file};
pub use outline::Filter;
pub use page::{Options, export};
pub use session::{Session, prices};

/// The README's examples, kept running.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
