//! Finds secrets and replaces them by marks, text to text, before any format reads it.
//!
//! [`Rules`] say what to look for, [`Scanner`] finds it, [`Redactor`] replaces
//! it in all files of a session in two passes, so that a value known from one
//! place is gone from every other. What cannot be searched is named in the
//! [`Report`]: pictures stay, other binary files and damaged lines go.

mod base64;
mod broken;
mod bytes;
mod compiled;
mod custom;
mod decode;
mod edit;
mod effort;
mod finding;
mod headers;
mod hidden;
mod json;
mod key_block;
mod keyed;
mod kind;
mod marks;
mod names;
mod notation;
mod ordinary;
mod parts;
mod personal;
mod plausible;
mod reading;
mod redactor;
mod rejoin;
#[cfg(feature = "cli")]
mod remaining;
mod rendered_text;
mod report;
mod rewrite;
mod rules;
mod scan;
mod search;
mod signs;
mod strings;
mod tokens;
mod triggers;
mod values;
mod waste;

pub use custom::{Rules, RulesError};
pub use finding::{Finding, Hit};
pub(crate) use hidden::Hidden;
pub use reading::{RedactError, read};
#[cfg(feature = "cli")]
pub(crate) use reading::{Redacted, read_beside};
pub use redactor::Redactor;
#[cfg(feature = "cli")]
pub(crate) use remaining::Words;
pub(crate) use report::told;
pub use report::{Report, RuleCount};
pub use scan::Scanner;
