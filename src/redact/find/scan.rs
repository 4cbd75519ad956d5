//! Finds secrets in one text.
//!
//! Only what a reader reads is searched: a text without the escapes of the file
//! it lies in, the views of it (`views/`), and where it is JSON
//! itself, each of its strings. Each view costs one pass for the literals of all
//! rules and a look at the beginning of every base64 run; a rule is tried where
//! one of its literals stands. Nothing else decides beforehand whether a text
//! can hold a secret.

use std::ops::Range;

use super::compiled::{self, Compiled, Own, RuleId};
use super::custom::{Rules, RulesError};
use super::rules::TABLE;
use super::triggers::Triggers;

/// A secret and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct FoundSecret {
    pub(crate) rule: RuleId,
    /// In order and apart; several where a secret takes several lines.
    pub(crate) pieces: Vec<Range<usize>>,
    /// Without escapes, colors and line breaks.
    pub(crate) value: String,
}

/// Finds secrets; made once, shared by threads.
pub struct Scanner {
    pub(crate) rules: Vec<Compiled>,
    pub(super) triggers: &'static Triggers,
    /// Rules of the user, and how text is recognised that may hold what they find.
    pub(super) always: Range<RuleId>,
    pub(crate) own: Own,
}

impl Scanner {
    /// For the table's rules and those asked for.
    ///
    /// # Errors
    /// Those of the rules that were added.
    pub fn new(rules: &Rules) -> Result<Self, RulesError> {
        let (compiled, always) = compiled::all(rules)?;
        let own = Own::of(rules)?;
        Ok(Scanner { rules: compiled, triggers: Triggers::of_table(), always, own })
    }

    /// The number of a rule by its name.
    pub(crate) fn rule(&self, name: &str) -> RuleId {
        self.rules.iter().position(|rule| rule.name == name).unwrap_or(0)
    }

    /// How many letters of a value say no more than whose it is.
    pub(super) fn public_prefix(rule: RuleId, value: &str) -> Option<usize> {
        let row = TABLE.get(rule)?;
        // The literals of other rows are names and words, and tell nothing of a value.
        if !row.reading.has_pattern() {
            return None;
        }
        row.literals
            .iter()
            .filter(|literal| value.starts_with(**literal))
            .map(|literal| literal.len())
            .max()
    }
}
