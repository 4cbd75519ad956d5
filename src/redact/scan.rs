//! Finds secrets in one text.
//!
//! Only what a reader reads is searched: a text without the escapes of the file
//! it lies in, the views of it (`decode.rs`, `rendered_text.rs`), and where it is JSON
//! itself, each of its strings. Each view costs one pass for the literals of all
//! rules and a look at the beginning of every base64 run; a rule is tried where
//! one of its literals stands. Nothing else decides beforehand whether a text
//! can hold a secret.

use std::ops::Range;

use super::compiled::{self, Compiled, Own, RuleId};
use super::custom::{Rules, RulesError};
use super::rules::TABLE;
use super::search::Search;
use super::triggers::Triggers;
use super::values::Values;
use super::{base64, decode};

/// A secret and where it stands.
#[derive(Debug, Clone)]
pub(super) struct FoundSecret {
    pub(super) rule: RuleId,
    /// In order and apart; several where a secret takes several lines.
    pub(super) pieces: Vec<Range<usize>>,
    /// Without escapes, colors and line breaks.
    pub(super) value: String,
}

/// Finds secrets; made once, shared by threads.
pub struct Scanner {
    pub(super) rules: Vec<Compiled>,
    pub(super) triggers: &'static Triggers,
    /// Rules of the user, and how text is recognised that may hold what they find.
    pub(super) always: Range<RuleId>,
    pub(super) own: Own,
}

impl Scanner {
    /// For the table's rules and those asked for.
    pub fn new(rules: &Rules) -> Result<Self, RulesError> {
        let (compiled, always) = compiled::all(rules)?;
        let own = Own::of(rules)?;
        Ok(Scanner { rules: compiled, triggers: Triggers::of_table(), always, own })
    }

    /// The number of a rule by its name.
    pub(super) fn rule(&self, name: &str) -> RuleId {
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

    /// All secrets of a text, however it is written; unsorted, and one secret
    /// may be found several times.
    pub(super) fn find(&self, text: &str, values: Option<&Values>) -> Vec<FoundSecret> {
        if values.is_none() && self.is_plainly_empty(text) {
            return Vec::new();
        }
        Search::new(self, values).run(text, 0)
    }

    /// Whether a text has one view only, no line break and no base64, and no literal: most strings
    /// of a session are keys and ids, and need nothing more.
    fn is_plainly_empty(&self, text: &str) -> bool {
        text.len() < base64::MIN_RUN
            && matches!(self.own, Own::None)
            && !text.bytes().any(|byte| byte == b'\n' || decode::may_read_otherwise(byte))
            && self.triggers.hits(text.as_bytes()).next().is_none()
    }
}
