//! The table of what is a secret: one row a kind.
//!
//! A row's literals are looked for first, in one pass over the text and without
//! regard to case; only where one stands is the row's pattern tried, from the
//! literal's first letter on. A literal tells little by itself, so patterns ask
//! for the length that the provider documents, and the entropy floor refuses
//! what a person typed as an example.

mod chat;
mod clouds;
mod code;
mod data;
mod forms;
mod models;
mod money;
mod observe;
#[cfg(test)]
mod tests;
mod tools;

use std::sync::LazyLock;

use super::notation::Notation;

/// How a row reads what stands at one of its literals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// The pattern matches from the literal on; its first group, or all of it, is the value.
    Token,
    /// Like [`Reading::Token`]; nothing else has the form, so an example counts too.
    Exact,
    /// Like [`Reading::Token`], and no name of a program: `authorization = headers.get(…)`.
    Bearer,
    /// The pattern may begin up to so many bytes before the literal and must reach over it.
    Around(usize),
    /// A name and the value that belongs to it (`notation/`).
    Assignment,
    /// A key that only its surroundings tell (`keyed.rs`).
    Keyed,
    /// Like [`Reading::Token`], and the value must be base64 of `user:password`.
    Login,
    /// The pairs of a cookie header.
    Cookies,
    /// The body of a private key, line by line (`key_block.rs`).
    KeyBlock,
    /// A word that tells where a secret stands (`notation/`).
    Notation(Notation),
    /// Nothing of its own: found while looking through base64 runs.
    Runs,
}

impl Reading {
    /// Whether the row's pattern finds the value.
    pub(super) fn has_pattern(self) -> bool {
        matches!(self, Reading::Token | Reading::Bearer | Reading::Exact | Reading::Around(_))
    }
}

/// One row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    /// As it stands in marks and reports.
    pub(crate) name: &'static str,
    /// What must be there, whatever its case.
    pub(super) literals: &'static [&'static str],
    /// Matched byte by byte, so `\w` is ASCII.
    pub(crate) pattern: &'static str,
    /// The least bits per byte of a value.
    pub(crate) entropy: f32,
    pub(crate) reading: Reading,
}

const fn token(
    name: &'static str,
    literals: &'static [&'static str],
    pattern: &'static str,
    entropy: f32,
) -> Rule {
    Rule { name, literals, pattern, entropy, reading: Reading::Token }
}

/// A token whose literal is not its beginning.
const fn around(
    name: &'static str,
    back: usize,
    literals: &'static [&'static str],
    pattern: &'static str,
    entropy: f32,
) -> Rule {
    Rule { name, literals, pattern, entropy, reading: Reading::Around(back) }
}

const fn read(name: &'static str, literals: &'static [&'static str], reading: Reading) -> Rule {
    Rule { name, literals, pattern: "", entropy: 0.0, reading }
}

const fn notation(notation: Notation) -> Rule {
    read("password", notation.literals(), Reading::Notation(notation))
}

/// All rows. Where two find the same value, the earlier one names it.
pub(super) static TABLE: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let groups = [
        clouds::ROWS,
        models::ROWS,
        code::ROWS,
        data::ROWS,
        observe::ROWS,
        chat::ROWS,
        money::ROWS,
        tools::ROWS,
        forms::ROWS,
    ];
    groups.concat()
});
