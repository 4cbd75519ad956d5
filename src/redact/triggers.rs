//! What is looked for first: the literals of all rules, in one pass.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, BuildError};

use super::compiled::RuleId;
use super::rules::TABLE;

/// The same for every scanner.
static OF_TABLE: LazyLock<Result<Triggers, BuildError>> = LazyLock::new(Triggers::new);

/// The literals of the table, whatever their case.
pub(super) struct Triggers {
    finder: AhoCorasick,
    /// The rules of each literal, in the table's order.
    rules: Vec<Vec<RuleId>>,
}

impl Triggers {
    pub(super) fn of_table() -> Result<&'static Self, &'static BuildError> {
        OF_TABLE.as_ref()
    }

    fn new() -> Result<Self, BuildError> {
        let mut literals: Vec<String> = Vec::new();
        let mut rules: Vec<Vec<RuleId>> = Vec::new();
        for (rule, row) in TABLE.iter().enumerate() {
            for literal in row.literals {
                let small = literal.to_ascii_lowercase();
                let known = literals.iter().position(|other| *other == small);
                let at = known.unwrap_or_else(|| {
                    literals.push(small);
                    rules.push(Vec::new());
                    rules.len() - 1
                });
                rules[at].push(rule);
            }
        }
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(literals)?;
        Ok(Triggers { finder, rules })
    }

    /// Every place of every literal, those that overlap another one too
    /// (`accessKey` holds `SKe`), and the rules to try there.
    pub(super) fn hits<'a>(
        &'a self,
        text: &'a [u8],
    ) -> impl Iterator<Item = (Range<usize>, &'a [RuleId])> + 'a {
        self.finder
            .find_overlapping_iter(text)
            .map(|hit| (hit.range(), self.rules[hit.pattern().as_usize()].as_slice()))
    }
}
