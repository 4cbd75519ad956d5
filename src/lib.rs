//! leafpress presses a coding-agent session tree into one standalone HTML page.
//!
//! The way of the data, one module a step:
//!
//! 1. [`format`](mod@format) recognises a file and reads it, however damaged, into a [`Session`];
//! 2. [`session`] knows the entries, the tree over them, and what the model saw at any leaf;
//!    [`cut`](mod@cut) leaves out of it what is not to be given away;
//! 3. [`outline`] says what the tree list shows, which filters show it, and what finds it;
//! 4. [`render`] turns one entry into one fragment of markup;
//! 5. [`page`] puts the shell, the outline and the fragments together and writes them out;
//! 6. [`report`] gives the tree list and the context as data;
//! 7. [`seal`] puts a page behind a password, and [`extract`] gives back what a page was made of;
//! 8. [`store`] is for who writes sessions: an append-only tree, on disk or in memory;
//! 9. [`cli`] is the command, and [`find`] looks for sessions in the agents' own folders.
//!
//! Before all of it, [`redact`] takes secrets out, text to text.
//!
//! ```
//! let session = leafpress::read(std::fs::read("examples/first-steps.jsonl")?)?;
//! let mut page = Vec::new();
//! leafpress::export(&session, &leafpress::Options::default(), &mut page)?;
//! assert!(page.starts_with(b"<!doctype html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cli;
pub mod cut;
pub mod error;
pub mod extract;
pub mod find;
pub mod format;
pub mod outline;
pub mod page;
pub mod redact;
pub mod render;
pub mod report;
pub mod seal;
pub mod session;
pub mod store;
mod temporary;
mod workers;

pub use error::Error;
pub use format::read;
pub use outline::Filter;
pub use page::{Options, export};
pub use session::Session;

/// The README's examples, kept running.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
