//! Marks in place of secrets, in all files of a session.
//!
//! `redactor.rs` learns the secrets of every file first and replaces them then; `reading.rs` does
//! both as a session is read. What is no text is distinguished by `kind.rs` and `waste.rs`, and
//! counted in the [`Report`](report::Report).

mod edit;
mod kind;
mod marks;
pub(super) mod reading;
pub(super) mod redactor;
#[cfg(feature = "cli")]
pub(super) mod remaining;
pub(super) mod report;
mod rewrite;
mod waste;
