//! What the first look finds: as few literals as will do.

use std::ops::Range;

use super::compiled::RuleId;
use super::rules::TABLE;

/// Letters that may stand for others: escapes of ASCII, colour codes, `/` and
/// `:` written otherwise. What has them is read without them.
#[rustfmt::skip]
const DISGUISES: &[&str] = &[
    r"\u002", r"\u003", r"\u004", r"\u005", r"\u006", r"\u007", r"\u001b", "\x1b",
    r":\/", r":\\/", r":\\\\/", "%3a%2f", "private%20key", "basic%20",
];

/// A literal, and the rules to try where it stands.
pub(super) struct Trigger {
    /// Rules with the literal of theirs that holds this one, and how far in;
    /// no rule for a disguise.
    targets: Vec<(Option<RuleId>, &'static str, usize)>,
}

impl Trigger {
    /// The rules whose whole literal stands around the trigger at `at`, with its range.
    pub(super) fn targets<'a>(
        &'a self,
        text: &'a [u8],
        at: usize,
    ) -> impl Iterator<Item = (Option<RuleId>, Range<usize>)> + 'a {
        self.targets.iter().filter_map(move |&(rule, literal, offset)| {
            let start = at.checked_sub(offset)?;
            let range = start..start + literal.len();
            let is_there = text.get(range.clone())?.eq_ignore_ascii_case(literal.as_bytes());
            is_there.then_some((rule, range))
        })
    }
}

/// Literals without those that hold another one: finding the shorter finds the longer.
pub(super) fn triggers() -> (Vec<Vec<u8>>, Vec<Trigger>) {
    let of_rules = TABLE
        .iter()
        .enumerate()
        .flat_map(|(rule, row)| row.literals.iter().map(move |literal| (Some(rule), *literal)));
    let all: Vec<_> = of_rules.chain(DISGUISES.iter().map(|literal| (None, *literal))).collect();
    let small = |literal: &str| literal.to_ascii_lowercase().into_bytes();
    let mut literals: Vec<Vec<u8>> = Vec::new();
    for (_, literal) in &all {
        let literal = small(literal);
        let holds = |other: &str| {
            let other = small(other);
            other.len() < literal.len() && memchr::memmem::find(&literal, &other).is_some()
        };
        if !literals.contains(&literal) && !all.iter().any(|(_, other)| holds(other)) {
            literals.push(literal);
        }
    }
    let mut triggers: Vec<Trigger> =
        literals.iter().map(|_| Trigger { targets: Vec::new() }).collect();
    for (rule, literal) in all {
        let whole = small(literal);
        let found = literals
            .iter()
            .enumerate()
            .find_map(|(at, part)| Some((at, memchr::memmem::find(&whole, part)?)));
        let Some((at, offset)) = found else { continue };
        triggers[at].targets.push((rule, literal, offset));
    }
    (literals, triggers)
}
