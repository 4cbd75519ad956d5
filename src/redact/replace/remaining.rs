//! What is still a secret in a text that was redacted, or that should hold none.

use crate::format;
use crate::redact::find::finding::Finding;
use crate::redact::find::finding::findings;
use crate::redact::find::scan::FoundSecret;
use crate::redact::views::json::Strings;

use super::edit;
use super::kind::{ContentKind, kind};
use super::redactor::Redactor;

/// Whose words a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Words {
    /// leafpress's, with some of the session's among them: what the user asked for, and what was a secret elsewhere,
    /// may be a word of its own.
    Own,
    /// Both: what the user asked for may be one of leafpress's.
    Mixed,
    /// The session's.
    Said,
}

impl Redactor {
    /// In a text that is no JSON.
    pub(crate) fn remaining_in_text(&self, text: &str, words: Words) -> Vec<Finding> {
        findings(self.scanner(), text, &self.still_found(text, words), "")
    }

    /// In the strings of a JSON text of the session's. `None` for a text that is no JSON.
    pub(crate) fn remaining_in_json(&self, text: &str) -> Option<Vec<Finding>> {
        if self.is_clean(text) {
            return Some(Vec::new());
        }
        let strings = Strings::walk(text)?;
        let mut all = Vec::new();
        for token in &strings.tokens {
            let found = self.scanner().in_string(text, &strings, token, self.values());
            if let Some((decoded, found)) = found {
                let path = strings.path(token, |key| self.scanner().shown_key(key), text);
                all.extend(findings(self.scanner(), &decoded, &found, &path));
            }
        }
        Some(all)
    }

    /// In the strings of data that leafpress wrote; whose words they are tells the key that they stand behind.
    pub(crate) fn remaining_in_data(
        &self,
        text: &str,
        words: impl Fn(&str) -> Words,
    ) -> Vec<Finding> {
        let strings = Strings::walk(text).unwrap_or_default();
        let mut all = Vec::new();
        for token in strings.tokens.iter().filter(|token| !token.is_key) {
            let decoded = crate::redact::find::strings::decoded(&text[token.range.clone()]);
            let found = self.still_found(&decoded, words(strings.field(text, token)));
            if !found.is_empty() {
                let path = strings.path(token, str::to_owned, text);
                all.extend(findings(self.scanner(), &decoded, &found, &path));
            }
        }
        all
    }

    /// In a file, by its line where it has one value a line; those lines that are JSON were looked through.
    pub(crate) fn remaining_in_file(&self, bytes: &[u8]) -> Vec<(Option<usize>, Finding)> {
        let text = String::from_utf8_lossy(bytes);
        match kind(bytes) {
            ContentKind::Lines => {
                let lines = text.split('\n').zip(1..).filter(|(line, _)| {
                    !line.trim().is_empty()
                        && Strings::walk(line.trim_start_matches('\u{feff}')).is_none()
                });
                let found = lines.flat_map(|(line, number)| {
                    let found = self.remaining_in_damaged(line);
                    found.into_iter().map(move |found| (Some(number), found))
                });
                found.collect()
            }
            ContentKind::Document => {
                let found = self.remaining_in_json(&text).unwrap_or_default();
                found.into_iter().map(|found| (None, found)).collect()
            }
            ContentKind::Text => {
                let found = self.remaining_in_text(&text, Words::Said);
                found.into_iter().map(|found| (None, found)).collect()
            }
            ContentKind::Picture | ContentKind::Binary => Vec::new(),
        }
    }

    /// As a damaged line is redacted: by its values, where those can be read.
    fn remaining_in_damaged(&self, line: &str) -> Vec<Finding> {
        match format::repaired_values(line.as_bytes()) {
            Some(values) => values
                .iter()
                .flat_map(|value| self.remaining_in_json(value).unwrap_or_default())
                .collect(),
            None => std::iter::once(line)
                .chain(edit::between_quotes(line))
                .flat_map(|text| self.remaining_in_text(text, Words::Said))
                .collect(),
        }
    }

    fn still_found(&self, text: &str, words: Words) -> Vec<FoundSecret> {
        let scanner = self.scanner();
        let mut found = scanner.find(text, self.values().filter(|_| words != Words::Own));
        if words != Words::Said {
            found.retain(|one| !scanner.is_asked_for(one.rule));
        }
        found
    }
}
