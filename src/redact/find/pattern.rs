//! Regular expressions of the table and of the user.

use std::borrow::Cow;

use regex_automata::meta::{BuildError, Regex};
use regex_automata::util::syntax;

/// A pattern beside the table.
#[derive(Debug, Clone)]
pub(super) struct OwnPattern {
    pub(crate) name: Cow<'static, str>,
    pub(crate) pattern: Cow<'static, str>,
    /// One of them stands in every match; unknown when empty.
    pub(super) literals: Vec<Cow<'static, str>>,
    pub(crate) entropy: f32,
    pub(crate) instead: Option<&'static str>,
}

/// Patterns of the table read bytes, those of users characters.
pub(super) fn compile(pattern: &str, unicode: bool) -> Result<Regex, Box<BuildError>> {
    let syntax = syntax::Config::new().unicode(unicode).utf8(unicode).multi_line(unicode);
    let config = Regex::config().utf8_empty(unicode).nfa_size_limit(Some(1 << 20));
    Regex::builder().syntax(syntax).configure(config).build(pattern).map_err(Box::new)
}

/// Whether a user's pattern matches without a letter, at some place or at all.
pub(super) fn matches_empty(pattern: &str) -> bool {
    syntax::parse(pattern).is_ok_and(|hir| hir.properties().minimum_len() == Some(0))
}
