//! Scanning JSON: its strings one by one, values in the light of their names.
//!
//! Each string is searched for itself and, where its key promises a secret, as that key's value (`behind_name`).
//! Names of fields and words of the format stay whatever the user's rules say: without them a session cannot be read.
//! A finding shows what stands around it, with the secrets of all findings taken out.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::redact::judge::names::{self, Promise};
use crate::redact::judge::ordinary;
use crate::redact::judge::plausible::{self, Setting};
use crate::redact::views::decode;
use crate::redact::views::json::{Slot, StringToken, Strings};
use crate::session::known;

use super::compiled::{Own, RuleId};
use super::finding::{self, Finding, Hit};
use super::headers;
use super::hidden::Hidden;
use super::pieces::{self, SecretPiece};
use super::rules::Reading;
use super::scan::{FoundSecret, Scanner};
use super::values::Values;

/// What is shorter is searched in no more time than it takes to find out whether it was.
const LONG: usize = 32;

impl Scanner {
    /// Secrets in a text that is not JSON, in order and apart.
    pub fn scan_text(&self, text: &str) -> Vec<Hit> {
        let found = self.find(text, None);
        let pieces = pieces::pieces(&found, &mut Vec::new());
        let hit = |piece: SecretPiece| Hit {
            range: piece.range,
            rule: self.name(found[piece.found].rule),
        };
        pieces.into_iter().map(hit).collect()
    }

    /// Secrets in a JSON text, in order; a text that is no JSON is read as plain text.
    pub fn scan_json(&self, text: &str) -> Vec<Finding> {
        self.scan_json_beside(text, &HashSet::new())
    }

    /// The same where these strings are known to hold nothing.
    pub(crate) fn scan_json_beside(
        &self,
        text: &str,
        without: &HashSet<Cow<'_, str>>,
    ) -> Vec<Finding> {
        let find = |text: &str| {
            let is_known = !without.is_empty() && without.contains(text);
            if is_known { Vec::new() } else { self.find(text, None) }
        };
        let Some(strings) = Strings::walk(text) else {
            return hidden(finding::findings(self, text, &self.find(text, None), ""));
        };
        let mut findings = Vec::new();
        for token in &strings.tokens {
            let Some((decoded, found)) = self.in_string_by(text, &strings, token, find) else {
                continue;
            };
            let path = strings.path(token, |key| self.shown_key(key), text);
            findings.extend(finding::findings(self, &decoded, &found, &path));
        }
        hidden(findings)
    }

    /// The longer strings of JSON texts in which nothing was found. None where the user's rules
    /// may have found something that a session cannot be read without.
    pub(crate) fn strings_without<'a>(
        &self,
        texts: impl Iterator<Item = &'a str>,
    ) -> HashSet<Cow<'a, str>> {
        let mut without = HashSet::new();
        for text in texts.filter(|_| matches!(self.own, Own::None)) {
            for token in Strings::walk(text).iter().flat_map(|strings| &strings.tokens) {
                let raw = &text[token.range.clone()];
                if raw.len() >= LONG {
                    without.insert(decoded(raw));
                }
            }
        }
        without
    }

    /// The decoded text of a string and the secrets in it. `None` without any.
    pub(crate) fn in_string<'a>(
        &self,
        text: &'a str,
        strings: &Strings,
        token: &StringToken,
        values: Option<&Values>,
    ) -> Option<(Cow<'a, str>, Vec<FoundSecret>)> {
        self.in_string_by(text, strings, token, |text| self.find(text, values))
    }

    fn in_string_by<'a>(
        &self,
        text: &'a str,
        strings: &Strings,
        token: &StringToken,
        find: impl Fn(&str) -> Vec<FoundSecret>,
    ) -> Option<(Cow<'a, str>, Vec<FoundSecret>)> {
        let raw = &text[token.range.clone()];
        // What is shorter is no secret, whatever its name.
        let name = strings
            .name(text, token)
            .filter(|_| raw.len() >= plausible::MIN_VALUE)
            .map(|name| decoded(&text[strings.tokens[name].range.clone()]));
        let is_named = name.as_ref().is_some_and(|name| {
            names::promise(name).is_some()
                || names::is_login_header(name)
                || names::is_cookie_header(name)
        });
        let decoded = decoded(raw);
        let mut found = find(&decoded);
        if let Some(name) = name.filter(|_| is_named) {
            found.extend(self.behind_name(&name, &decoded));
        }
        if strings.is_manifest_data(text, token) {
            found.extend(self.behind_name("password", &decoded));
        }
        if found.iter().any(|one| self.is_asked_for(one.rule))
            && is_of_format(text, strings, token, &decoded)
        {
            found.retain(|one| !self.is_asked_for(one.rule));
        }
        (!found.is_empty()).then_some((decoded, found))
    }

    /// What a value holds since its name promises it.
    fn behind_name(&self, name: &str, value: &str) -> Vec<FoundSecret> {
        let whole = |reading: Reading, range: std::ops::Range<usize>| {
            let text = value[range.clone()].to_owned();
            FoundSecret { rule: self.reading(reading), pieces: vec![range], value: text }
        };
        if names::is_cookie_header(name) {
            let pairs = headers::pairs(value.as_bytes(), 0..value.len());
            return pairs.into_iter().map(|pair| whole(Reading::Cookies, pair)).collect();
        }
        let is_header = names::is_login_header(name);
        let promise = if is_header { Some(Promise::Key) } else { names::promise(name) };
        let setting = Setting { quoted: true, env: false };
        let repeats = value.eq_ignore_ascii_case(name);
        let is_secret = |promise| {
            !repeats
                && !value.contains("[redacted:")
                && plausible::is_secret(value, promise, setting)
                && !ordinary::repeats_name(value, name, promise)
        };
        match promise {
            Some(promise) if is_secret(promise) => vec![whole(Reading::Assignment, 0..value.len())],
            _ => Vec::new(),
        }
    }

    /// Whether the user's word puts a mark there; a home folder is a place whatever it stands in.
    pub(crate) fn is_asked_for(&self, rule: RuleId) -> bool {
        self.rules[rule].own && self.rules[rule].instead.is_none()
    }

    pub(super) fn reading(&self, reading: Reading) -> RuleId {
        self.rules.iter().position(|rule| rule.reading == reading).unwrap_or(0)
    }

    pub(crate) fn name(&self, rule: RuleId) -> String {
        self.rules[rule].name.to_string()
    }

    /// A key in a path, itself masked when it holds a secret.
    pub(crate) fn shown_key(&self, raw: &str) -> String {
        let key = decoded(raw);
        if self.scan_text(&key).is_empty() { key.into_owned() } else { "…".to_owned() }
    }
}

/// The findings with nothing in them of the secrets of any of them.
fn hidden(mut findings: Vec<Finding>) -> Vec<Finding> {
    let hidden = Hidden::of(findings.iter().flat_map(|finding| &finding.values));
    for finding in &mut findings {
        finding.hide(&hidden);
    }
    findings
}

/// Whether a session cannot be read, or not as what it is, without this string:
/// the name of a field, or a value that is a word of the format.
fn is_of_format(text: &str, strings: &Strings, token: &StringToken, decoded: &str) -> bool {
    if token.is_key {
        return known::is_field(decoded);
    }
    match token.place {
        Slot::Key(key) => {
            known::is_word(&text[strings.tokens[key].range.clone()], decoded)
                && !strings.is_within(text, token, "arguments")
        }
        Slot::Index(_) => false,
    }
}

/// A JSON string's text without its escapes.
pub(crate) fn decoded(raw: &str) -> Cow<'_, str> {
    decode::unescaped_text(raw)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Rules;

    /// What is searched once is not searched again, but its name may be another one.
    #[test]
    fn strings_without_findings_are_judged_by_their_names() {
        let scanner = Scanner::new(&Rules::new()).unwrap();
        let value = ["Xk29fjq8zvbn3Lm4", "pQw7Rt6Yu1IaSd5Gh0Kp"].concat();
        let text = |name: &str| format!(r#"{{"{name}":"{value}"}}"#);
        let entry = text("note");
        let without = scanner.strings_without([entry.as_str()].into_iter());
        assert!(scanner.scan_json(&entry).is_empty() && without.contains(value.as_str()));
        assert!(scanner.scan_json_beside(&text("body"), &without).is_empty());
        let named = text("password");
        let found = scanner.scan_json(&named);
        assert!(!found.is_empty() && scanner.scan_json_beside(&named, &without) == found);
    }
}
