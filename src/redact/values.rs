//! Values learnt in one place and replaced in all.

use std::collections::HashMap;
use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};

use super::compiled::RuleId;
use super::plausible::entropy;

/// Shortest value that is looked for anywhere, in bytes.
const MIN_ANYWHERE: usize = 8;

/// Shortest value that is looked for as a word of its own.
const MIN_WORD: usize = 6;

/// Shortest line of a secret over several lines that stands for it alone.
const MIN_LINE: usize = 32;

/// What is known of the secrets of a session.
#[derive(Debug, Default)]
pub(super) struct Learnt {
    known: HashMap<String, Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    rule: RuleId,
    /// The value whose mark stands for it.
    value: String,
    whole_word: bool,
}

impl Learnt {
    /// Takes in a value that is long and odd enough to be looked for anywhere.
    pub(super) fn add(&mut self, rule: RuleId, value: &str) {
        if let Some(whole_word) = is_odd(value) {
            self.insert(rule, value, value, whole_word);
        }
    }

    /// Takes in a value that is asked for, whatever it is.
    pub(super) fn add_own(&mut self, rule: RuleId, value: &str, whole_word: bool) {
        self.insert(rule, value, value, whole_word);
    }

    /// Takes in the lines of a value over several lines.
    pub(super) fn add_lines<'a>(
        &mut self,
        rule: RuleId,
        value: &str,
        lines: impl Iterator<Item = &'a str>,
    ) {
        for line in lines.filter(|line| line.len() >= MIN_LINE) {
            self.insert(rule, line, value, false);
        }
    }

    fn insert(&mut self, rule: RuleId, text: &str, value: &str, whole_word: bool) {
        let entry = Entry { rule, value: value.to_owned(), whole_word };
        self.known.entry(text.to_owned()).or_insert(entry);
    }

    /// Ready to be looked for.
    pub(super) fn values(&self) -> Option<Values> {
        let mut known: Vec<(&String, &Entry)> = self.known.iter().collect();
        known.sort_by(|left, right| left.0.cmp(right.0));
        let finder = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(known.iter().map(|(text, _)| text))
            .ok()?;
        let entries = known.into_iter().map(|(_, entry)| entry.clone()).collect::<Vec<_>>();
        (!entries.is_empty()).then_some(Values { finder, entries })
    }
}

/// Values to be looked for in texts.
#[derive(Debug)]
pub(super) struct Values {
    finder: AhoCorasick,
    entries: Vec<Entry>,
}

impl Values {
    /// Gives each value's rule, place and the value that its mark is of.
    pub(super) fn find(&self, text: &str, sink: &mut dyn FnMut(RuleId, Range<usize>, &str)) {
        let bytes = text.as_bytes();
        for hit in self.finder.find_iter(bytes) {
            let entry = &self.entries[hit.pattern().as_usize()];
            let is_word = |byte: Option<&u8>| {
                byte.is_some_and(|byte| {
                    byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80
                })
            };
            let before = hit.start().checked_sub(1).and_then(|at| bytes.get(at));
            if !entry.whole_word || !is_word(before) && !is_word(bytes.get(hit.end())) {
                sink(entry.rule, hit.range(), &entry.value);
            }
        }
    }
}

/// Whether a value is nothing but itself wherever it stands; then, whether it
/// must be a word of its own. A password of one common word is replaced only
/// where it was found.
fn is_odd(value: &str) -> Option<bool> {
    let classes = [
        value.bytes().any(|byte| byte.is_ascii_lowercase()),
        value.bytes().any(|byte| byte.is_ascii_uppercase()),
        value.bytes().any(|byte| byte.is_ascii_digit()),
        value.bytes().any(|byte| !byte.is_ascii_alphanumeric()),
    ];
    let classes = classes.iter().filter(|&&has| has).count();
    if value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return (value.len() >= 10).then_some(true);
    }
    let is_odd = classes >= 2 && entropy(value.as_bytes()) >= 2.2;
    if is_odd && value.len() >= MIN_ANYWHERE {
        return Some(value.len() < 12);
    }
    (is_odd && value.len() >= MIN_WORD && value.bytes().any(|byte| byte.is_ascii_digit()))
        .then_some(true)
}
