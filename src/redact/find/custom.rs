//! What is looked for beside the table: on request, of the user, of a file.
//!
//! A rules file is JSON:
//!
//! ```json
//! {
//!   "patterns": [
//!     { "name": "acme-key", "pattern": "acme_[a-z0-9]{32}", "literals": ["acme_"], "entropy": 3.0 }
//!   ],
//!   "values": ["the one word that must not be seen"]
//! }
//! ```
//!
//! `pattern` is a regular expression as the regex crate has them; its first
//! group is the secret, or all of it when it has none. `literals` (any case) make it fast:
//! one of them stands in every match. `entropy` is the least bits per byte.
//! Only `pattern` must be there.

use std::borrow::Cow;

use serde::Deserialize;

use crate::redact::judge::names;
use crate::redact::judge::plausible;

use super::pattern::{OwnPattern, compile, matches_empty};
use super::personal;

/// Why rules cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// No regular expression.
    #[error("`{pattern}` is no regular expression: {reason}")]
    Pattern {
        /// As it was given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A pattern that finds something where nothing is.
    #[error(
        "`{pattern}` matches the empty string, so it stands everywhere: say what must be there"
    )]
    Empty {
        /// As it was given.
        pattern: String,
    },
    /// A rules file of another form.
    #[error("the rules are not of the form that is read: {0}")]
    Form(String),
    /// A name that cannot stand in a mark.
    #[error("`{0}` cannot name a rule: a name has 1 to 60 letters, digits and hyphens")]
    Name(String),
    /// All rules together are too much.
    #[error("failed to put the rules together: {0}")]
    Other(String),
}

impl RulesError {
    pub(crate) fn pattern(pattern: &str, error: &regex_automata::meta::BuildError) -> Self {
        let reason = match error.syntax_error() {
            Some(error) => error.to_string().lines().last().unwrap_or_default().to_owned(),
            None => error.to_string(),
        };
        RulesError::Pattern { pattern: pattern.to_owned(), reason }
    }
}

/// A value that is known beforehand.
#[derive(Debug, Clone)]
pub(crate) struct OwnValue {
    pub(crate) rule: &'static str,
    pub(crate) value: String,
    pub(crate) whole_word: bool,
}

/// What to look for. The table of secrets is always part of it.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    patterns: Vec<OwnPattern>,
    values: Vec<OwnValue>,
    /// `NAME=value`, looked through for secrets by the table's rules.
    pub(crate) environment: Vec<String>,
    pub(crate) learns_users: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    patterns: Vec<FilePattern>,
    #[serde(default)]
    values: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FilePattern {
    name: Option<String>,
    pattern: String,
    #[serde(default)]
    literals: Vec<String>,
    #[serde(default)]
    entropy: f32,
}

impl Rules {
    /// Rule names for values that are known beforehand.
    pub(super) const VALUE_RULES: [&'static str; 4] = ["environment", "value", "user", "host"];

    /// The table alone.
    pub fn new() -> Self {
        Rules::default()
    }

    /// Also what a regular expression matches, its first group if it has one.
    ///
    /// # Errors
    /// [`RulesError::Pattern`], and [`RulesError::Empty`] where it matches nothing at all.
    pub fn pattern(&mut self, pattern: &str) -> Result<&mut Self, RulesError> {
        self.own("pattern".to_owned(), pattern.to_owned(), Vec::new(), 0.0)
    }

    /// Also home folders (which become `~`) and the names of their users, and of `user`.
    pub fn personal(&mut self, user: Option<&str>) -> &mut Self {
        self.learns_users = true;
        self.patterns.extend(personal::homes());
        self.known("user", user.unwrap_or_default(), true);
        self
    }

    /// Also addresses of e-mail.
    pub fn emails(&mut self) -> &mut Self {
        self.patterns.push(personal::emails());
        self
    }

    /// Also the names of hosts: those given, and those and the addresses of private networks.
    pub fn hosts<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> &mut Self {
        self.patterns.extend(personal::hosts());
        for name in names {
            self.known("host", name, true);
        }
        self
    }

    /// Also values of the environment that look secret, or whose name says so.
    pub fn environment(
        &mut self,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> &mut Self {
        for (name, value) in variables {
            let is_named = names::promise(&name).is_some() && value.len() >= 6;
            let is_place =
                value.starts_with(['/', '~', '.']) || value.contains("://") || value.contains(' ');
            if is_named && !is_place && !plausible::is_stand_in(&value) {
                self.known("environment", &value, false);
            } else {
                self.environment.push(format!("{name}={value}"));
            }
        }
        self
    }

    /// Also what a rules file says; its form is described at the module.
    ///
    /// # Errors
    /// [`RulesError::Form`] for other JSON, and those of its patterns and names.
    pub fn file(&mut self, text: &str) -> Result<&mut Self, RulesError> {
        let file: File =
            serde_json::from_str(text).map_err(|error| RulesError::Form(error.to_string()))?;
        for own in file.patterns {
            let name = own.name.unwrap_or_else(|| "pattern".to_owned());
            self.own(name, own.pattern, own.literals, own.entropy)?;
        }
        for value in file.values {
            self.known("value", &value, false);
        }
        Ok(self)
    }

    fn own(
        &mut self,
        name: String,
        pattern: String,
        literals: Vec<String>,
        entropy: f32,
    ) -> Result<&mut Self, RulesError> {
        let is_name = (1..=60).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_name {
            return Err(RulesError::Name(name));
        }
        compile(&pattern, true).map_err(|error| RulesError::pattern(&pattern, &error))?;
        if matches_empty(&pattern) {
            return Err(RulesError::Empty { pattern });
        }
        let literals =
            literals.into_iter().filter(|literal| !literal.is_empty()).map(Cow::from).collect();
        self.patterns.push(OwnPattern {
            name: name.into(),
            pattern: pattern.into(),
            literals,
            entropy,
            instead: None,
        });
        Ok(self)
    }

    fn known(&mut self, rule: &'static str, value: &str, whole_word: bool) {
        if !value.is_empty() {
            self.values.push(OwnValue { rule, value: value.to_owned(), whole_word });
        }
    }

    pub(super) fn patterns(&self) -> &[OwnPattern] {
        &self.patterns
    }

    pub(crate) fn values(&self) -> &[OwnValue] {
        &self.values
    }
}
