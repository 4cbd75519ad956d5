//! The core: a session's entries, its tree, its labels, its leaf, and what a
//! model saw at any leaf. It knows nothing of how files are written or of HTML.
//!
//! * [`Session`] has the entries and where the session stands. [`Session::find`] gives the entry of an id.
//! * [`Tree`] has the parents, the leaves and the path to each entry.
//! * [`entry`] and [`message`] have what one entry says, for all agents in the same types.
//! * [`ModelContext`] is what would be sent to the model at a leaf. [`context`] says how it comes about.
//! * [`usage`] and [`prices`] have tokens and costs. [`ending`] and [`title`] say how a branch ended and what the
//!   session is called.

// Each folder imports only from those above it in this list:
//
// * `texts`: JSON, times, and small rules on text. It knows nothing of sessions.
// * `model`: one entry, its message and blocks, what they cost, and where agents differ.
// * `action`: one call of a tool: what it asks, and what came of it.
// * `tree`: a session as it is put together: the index over the file, parents, sub-agent sessions.
// * `context`: what the model saw at a leaf.
// * `derived`: what follows from many entries: turns, totals, failures, landmarks, endings, titles.

pub(crate) mod action;
pub mod context;
mod derived;
mod model;
mod texts;
mod tree;

pub use action::arguments;
#[doc(hidden)]
pub use derived::{branches, calls, digest, failure, landmarks, over_time, story, turns};
pub use derived::{ending, title};
pub use model::{attachments, convert, damage, entry, event, message, omitted, prices, usage};
pub use texts::{json, time, words};
#[doc(hidden)]
pub use texts::{key, text};

pub(crate) use action::files::NamedFile;
pub(crate) use action::{path, written};
pub(crate) use derived::totals;
pub(crate) use model::{image_type, known, notice, queued_prompt, unknown};
pub(crate) use texts::{cjk, formulas, invisible, redaction_mark, skill};

pub use calls::CallPlace;
pub use context::ModelContext;
pub use convert::ModelMessage;
pub use damage::{Damage, DamageKind};
pub use entry::{Body, Entry};
pub use model::format::Format;
pub use model::header::{Header, Label};
pub use model::kind::Kind;
#[doc(hidden)]
pub use tree::child::Child;
pub use tree::child::SubSession;
pub(crate) use tree::file::Place;
pub use tree::index::EntryIndex;
pub use tree::parents::{Branch, Tree};
pub use tree::session::Session;

pub(crate) use model::format::{ContextRules, RowStyle};
pub(crate) use tree::build::{RawEntry, SessionBuilder};
pub(crate) use tree::parents::cut_cycles;
