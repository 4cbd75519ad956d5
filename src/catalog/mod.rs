//! All sessions of a person in one place: what each is, and where a word was said.
//!
//! The catalog is a SQLite database in leafpress's data directory. It is made from the sessions' files and can be deleted
//! at any time. It holds prompts, responses and commands in the clear, as the sessions do.
//!
//! ```no_run
//! use leafpress::catalog::{Catalog, Order, Search, Update};
//! use leafpress::find::Env;
//!
//! let mut catalog = Catalog::open("/home/ana/.local/share/leafpress".as_ref())?;
//! let mut update = Update::look(&mut catalog, &Env::of_process())?;
//! update.run(&mut catalog, None, None)?;
//! let found = Search::new("kiln project:pottery").run(&catalog, Order::Best, 10)?;
//! for found in &found.sessions {
//!     println!("{} {}", found.session.facts.id, found.session.facts.title);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod change;
mod counted;
mod database;
mod excerpt;
mod facts;
mod family;
mod files_beside;
#[cfg_attr(
    not(feature = "cli"),
    expect(dead_code, reason = "only a command reads what is written")
)]
mod listing;
mod message;
mod prepared;
mod row_number;
mod search;
mod store;
mod update;
mod words;

pub use database::{Catalog, CatalogError};
pub use excerpt::Excerpt;
pub use facts::{ChangedFile, SessionFacts};
pub use family::{Member, OwnFigures};
#[cfg(feature = "cli")]
pub(crate) use listing::Listings;
#[cfg(feature = "cli")]
pub(crate) use message::{Message, of as messages, role_name};
pub use search::{Found, FoundIn, Hit, Order, Search};
pub use store::StoredSession;
pub use update::Update;
#[cfg(feature = "cli")]
pub(crate) use words::add_words;
