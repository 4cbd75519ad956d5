//! The rules made ready: patterns compiled when they are first needed, and what
//! recognises text that those of the user may match.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

use aho_corasick::AhoCorasick;
use regex_automata::meta::Regex;

use super::custom::{Rules, RulesError};
use super::pattern::compile;
use super::rules::{Reading, Sign, TABLE};

/// Number of a rule in the scanner's list.
pub(crate) type RuleId = usize;

/// A rule ready for use.
pub(crate) struct Compiled {
    pub(crate) name: Cow<'static, str>,
    pattern: Cow<'static, str>,
    pub(crate) entropy: f32,
    pub(super) reading: Reading,
    pub(super) sign: Option<Sign>,
    /// Of the user: no guess, so neither floors nor stand-ins apply.
    pub(crate) own: bool,
    /// In place of a mark.
    pub(crate) instead: Option<&'static str>,
    regex: Arc<OnceLock<Option<Regex>>>,
}

/// The patterns of the table, compiled once for all scanners.
static REGEXES: LazyLock<Vec<Arc<OnceLock<Option<Regex>>>>> =
    LazyLock::new(|| TABLE.iter().map(|_| Arc::default()).collect());

impl Compiled {
    pub(super) fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| compile(&self.pattern, self.own).ok()).as_ref()
    }
}

/// The table's rules, those of the user's patterns, and those of values known
/// beforehand; where the second begin and end.
pub(crate) fn all(rules: &Rules) -> Result<(Vec<Compiled>, Range<RuleId>), RulesError> {
    let mut all: Vec<Compiled> = TABLE
        .iter()
        .zip(REGEXES.iter())
        .map(|(rule, regex)| Compiled {
            name: rule.name.into(),
            pattern: rule.pattern.into(),
            entropy: rule.entropy,
            reading: rule.reading,
            sign: rule.sign,
            own: false,
            instead: None,
            regex: Arc::clone(regex),
        })
        .collect();
    for own in rules.patterns() {
        let regex = compile(&own.pattern, true)
            .map_err(|source| RulesError::pattern(&own.pattern, &source))?;
        all.push(Compiled {
            name: own.name.clone(),
            pattern: own.pattern.clone(),
            entropy: own.entropy,
            reading: Reading::Token,
            sign: None,
            own: true,
            instead: own.instead,
            regex: Arc::new(OnceLock::from(Some(regex))),
        });
    }
    let patterns = TABLE.len()..all.len();
    all.extend(Rules::VALUE_RULES.map(|name| Compiled {
        name: name.into(),
        pattern: "".into(),
        entropy: 0.0,
        reading: Reading::Runs,
        sign: None,
        own: true,
        instead: None,
        regex: Arc::default(),
    }));
    Ok((all, patterns))
}

/// The literals of the user's rules.
pub(crate) enum Own {
    None,
    Literals(AhoCorasick),
    /// A rule has none: any text may hold what it finds.
    Any,
}

impl Own {
    pub(crate) fn of(rules: &Rules) -> Result<Self, RulesError> {
        if rules.patterns().is_empty() {
            return Ok(Own::None);
        }
        if rules.patterns().iter().any(|own| own.literals.is_empty()) {
            return Ok(Own::Any);
        }
        let literals =
            rules.patterns().iter().flat_map(|own| own.literals.iter()).map(|literal| &**literal);
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(literals)
            .map_err(|error| RulesError::Other(error.to_string()))?;
        Ok(Own::Literals(finder))
    }

    /// Whether a text, as it is read, may hold what they find.
    pub(super) fn may_hold(&self, text: &[u8]) -> bool {
        match self {
            Own::None => false,
            Own::Literals(finder) => finder.is_match(text),
            Own::Any => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row whose pattern does not compile would find nothing, and say nothing.
    #[test]
    fn every_pattern_of_the_table_compiles() {
        for rule in TABLE.iter() {
            assert!(compile(rule.pattern, false).is_ok(), "{}: {}", rule.name, rule.pattern);
        }
    }
}
