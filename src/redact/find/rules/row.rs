//! A row of the table, and the short forms to write one.

use crate::redact::find::notation::Notation;

/// How a row reads what stands at one of its literals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
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
    pub(crate) fn has_pattern(self) -> bool {
        matches!(self, Reading::Token | Reading::Bearer | Reading::Exact | Reading::Around(_))
    }
}

/// One row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    /// As it stands in marks and reports.
    pub(crate) name: &'static str,
    /// What must be there, whatever its case.
    pub(crate) literals: &'static [&'static str],
    /// Matched byte by byte, so `\w` is ASCII.
    pub(crate) pattern: &'static str,
    /// The least bits per byte of a value.
    pub(crate) entropy: f32,
    pub(crate) reading: Reading,
    /// What every match has; to look for it costs less than to compile a pattern and to try it.
    pub(crate) sign: Option<Sign>,
}

/// A byte that stands within so many bytes behind the literal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sign {
    pub(super) byte: u8,
    pub(super) within: usize,
}

impl Sign {
    /// Whether it is in what follows the literal.
    pub(crate) fn is_in(self, behind: &[u8]) -> bool {
        memchr::memchr(self.byte, &behind[..behind.len().min(self.within)]).is_some()
    }
}

impl Rule {
    /// For a literal that most texts have.
    pub(super) const fn with_sign(self, byte: u8, within: usize) -> Rule {
        Rule { sign: Some(Sign { byte, within }), ..self }
    }
}

pub(super) const fn token(
    name: &'static str,
    literals: &'static [&'static str],
    pattern: &'static str,
    entropy: f32,
) -> Rule {
    Rule { name, literals, pattern, entropy, reading: Reading::Token, sign: None }
}

/// A token whose literal is not its beginning.
pub(super) const fn around(
    name: &'static str,
    back: usize,
    literals: &'static [&'static str],
    pattern: &'static str,
    entropy: f32,
) -> Rule {
    Rule { name, literals, pattern, entropy, reading: Reading::Around(back), sign: None }
}

pub(super) const fn read(
    name: &'static str,
    literals: &'static [&'static str],
    reading: Reading,
) -> Rule {
    Rule { name, literals, pattern: "", entropy: 0.0, reading, sign: None }
}

pub(super) const fn notation(notation: Notation) -> Rule {
    read("password", notation.literals(), Reading::Notation(notation))
}
