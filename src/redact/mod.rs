//! Finds secrets and replaces them by marks, text to text, before any format reads it.
//!
//! [`read()`] reads a session whose secrets are replaced. [`report::secrets`](crate::report::secrets) lists those of a
//! session that was read.
//!
//! [`Rules`] say what to look for, [`Scanner`] finds it, [`Redactor`] replaces
//! it in all files of a session in two passes, so that a value known from one
//! place is gone from every other. What cannot be searched is named in the
//! [`Report`]: pictures stay, other binary files and damaged lines go.

// A text goes through four folders:
//
// 1. `views/`: what it says in other forms, and where in the text each form has it from.
// 2. `find/`: in each view, where a secret may stand, by the table of rules and the ways to
//    write a name and a value.
// 3. `judge/`: whether what stands there can be a secret.
// 4. `replace/`: marks in place of all that was found.
//
// `replace` calls `find` and `views`, and `find` calls `views` and `judge`, which know nothing of each
// other and of those two. `bytes.rs` is for all of them. A new kind of secret is a row in `find/rules/`.

mod bytes;
mod find;
mod judge;
mod replace;
mod views;

pub use find::custom::{Rules, RulesError};
pub use find::finding::{Finding, Hit};
pub(crate) use find::hidden::Hidden;
pub use find::scan::Scanner;
pub use replace::reading::{RedactError, read};
#[cfg(feature = "cli")]
pub(crate) use replace::reading::{Redacted, read_beside};
pub use replace::redactor::Redactor;
#[cfg(feature = "cli")]
pub(crate) use replace::remaining::Words;
pub(crate) use replace::report::told;
pub use replace::report::{Report, RuleCount};
