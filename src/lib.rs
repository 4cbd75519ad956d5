//! leafpress exports a coding-agent session as one standalone HTML page.
//!
//! ```
//! let session = leafpress::read_file("examples/first-steps.jsonl")?;
//! let mut page = Vec::new();
//! leafpress::export(&session, &leafpress::Options::default(), &mut page)?;
//! assert!(page.starts_with(b"<!doctype html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which function to use
//!
//! | to get | use | example |
//! |---|---|---|
//! | a session from a file | [`read_file`], or [`read`] for bytes | |
//! | an entry by the id that a person or a link names | [`Session::find`] | |
//! | the branches | [`Session::tree`] and [`Tree::leaves`](session::Tree::leaves); [`report::branches`] for their last messages | `abandoned.rs` |
//! | the messages that a model would be sent at a leaf | [`session::context::ModelContext::at`] | `send_context.rs` |
//! | a page | [`export`] with [`Options`] | |
//! | a branch as Markdown | [`markdown::of`] | |
//! | the files that a session changed, with counts and diffs | [`changes::Changes`] and [`changes::patch`] | `changes.rs` |
//! | your own tools and messages in a page | [`content::Renderers`] | `own_renderers.rs` |
//! | a session without secrets; a list of them | [`redact::read`]; [`report::secrets`] | |
//! | figures, and what the commands print as JSON | [`report`] | |
//! | a session that your agent writes | [`store`] | `agent_loop.rs` |
//!
//! The examples are in the folder `examples/` of the package. `cargo run --example changes` runs one in a clone. The
//! guide is `docs/library.md`, also in the package (on docs.rs, under Source).
//!
//! # Features
//!
//! All are on by default. A library that reads sessions, exports pages and builds contexts needs none:
//! `default-features = false` locks 58 packages instead of 176, and needs no C compiler.
//!
//! | feature | adds |
//! |---|---|
//! | `highlight` | grammars for the colors of code; without it, tables of each language |
//! | `seal` | [`seal`]: pages protected with a password; `extract::Page::open` |
//! | `catalog` | [`catalog`]: all sessions of a person, and a search in them; includes `sqlite` |
//! | `sqlite` | `format::database`: sessions in the databases of OpenCode and OpenClaw; compiles SQLite |
//! | `store` | [`store`]: writes sessions |
//! | `cli` | the command, [`cli`]; includes all of these but `highlight` |
//!
//! # Modules
//!
//! Data flows through these modules:
//!
//! 1. [`redact`] removes secrets, text to text.
//! 2. [`format`](mod@format) detects the format of a file and reads it, however damaged, into a [`Session`].
//! 3. [`session`] has the entries, their tree, and the model's context at any leaf.
//! 4. [`cut`](mod@cut) removes parts from a session.
//! 5. [`outline`] has the rows of the tree, the filters and the search.
//! 6. [`content`] says what an entry shows, as data. [`changes`] has the files that a session
//!    changed, with counts and diffs.
//! 7. [`render`] draws it as one fragment of HTML. [`markdown`] writes a branch as Markdown.
//! 8. [`page`] writes the shell, the outline and the fragments as one page.
//! 9. [`seal`] protects a page with a password. [`extract`] gets the session file out of a page.
//!
//! [`report`] gives the tree, the context and the figures as data. [`store`] writes sessions: an
//! append-only tree, on disk or in memory. [`cli`] is the command, and [`find`] looks for sessions
//! in the agents' own directories; [`catalog`] knows them all and searches in them. [`progress`] tells a caller how far an export or a search is.
//!
//! What is not on these pages is no part of the API, though leafpress's own tests can reach it.

mod ansi;
#[cfg(feature = "cli")]
mod archive;
mod byte_search;
#[cfg(feature = "catalog")]
pub mod catalog;
pub mod changes;
#[cfg(feature = "cli")]
pub mod cli;
pub mod content;
pub mod cut;
pub mod extract;
#[cfg(feature = "cli")]
mod faults;
mod figures;
#[cfg(feature = "cli")]
mod file_name;
pub mod find;
pub mod format;
mod html;
mod language;
mod link;
pub mod markdown;
pub mod outline;
pub mod page;
#[cfg(feature = "catalog")]
mod private;
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
#[cfg(feature = "cli")]
mod short_ids;
#[cfg(feature = "store")]
pub mod store;
#[cfg(any(feature = "cli", feature = "store"))]
mod temporary;
#[cfg(feature = "cli")]
mod vault;
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

/// Those of the guide.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Guide;
