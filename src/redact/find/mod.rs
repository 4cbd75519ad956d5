//! Where in a text a secret stands.
//!
//! `rules/` is the table of secrets; `custom.rs` has what the user asks for beside it. In each view
//! of a text `search.rs` goes from literal to literal of the table (`triggers.rs`) and reads on from
//! there: by the rule's pattern (`tokens.rs`), as a header, a key, or in one of the ways in which
//! people and programs write a name and a value (`notation/`). It also looks for values that are
//! known from elsewhere (`values.rs`). `strings.rs` does so for each string of a JSON text, and
//! `finding.rs` says what was found without saying it.

pub(super) mod compiled;
pub(super) mod custom;
mod effort;
pub(super) mod finding;
mod headers;
pub(super) mod hidden;
mod key_block;
mod keyed;
mod notation;
mod pattern;
pub(super) mod personal;
pub(super) mod pieces;
mod rejoin;
mod rules;
pub(super) mod scan;
pub(super) mod search;
pub(super) mod strings;
mod tokens;
mod triggers;
pub(super) mod values;
