//! Values learnt in one place and replaced in all.

use std::collections::HashMap;
use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};
use data_encoding::BASE64;

use crate::redact::judge::ordinary::is_ordinary;
use crate::redact::judge::parts::is_random;
use crate::redact::judge::plausible::entropy;
use crate::redact::views::base64;

use super::compiled::RuleId;

/// Shortest value that is looked for within longer words too, in bytes.
const MIN_ANYWHERE: usize = 16;

/// Shortest value that is looked for as a word of its own.
const MIN_ODD: usize = 8;

/// The same for one with a digit.
const MIN_WORD: usize = 6;

/// Shortest line of a secret over several lines that stands for it alone.
const MIN_LINE: usize = 32;

/// What is known of the secrets of a session.
#[derive(Debug, Default)]
pub(crate) struct Learnt {
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
    /// Takes in a value that looks like a secret wherever it stands.
    pub(crate) fn add(&mut self, rule: RuleId, value: &str) {
        if !self.known.contains_key(value)
            && let Some(whole_word) = is_odd(value)
        {
            self.insert(rule, value, value, whole_word);
            // What is decoded where it stands is longer.
            for text in [value, &format!("{value}\n")] {
                let coded = BASE64.encode(text.as_bytes());
                if coded.len() < base64::MIN_RUN {
                    self.insert(rule, &coded, value, true);
                }
            }
        }
    }

    /// Takes in a value that is asked for, whatever it is.
    pub(crate) fn add_own(&mut self, rule: RuleId, value: &str, whole_word: bool) {
        self.insert(rule, value, value, whole_word);
    }

    /// Takes in the lines of a value over several lines.
    pub(crate) fn add_lines<'a>(
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
    pub(crate) fn values(&self) -> Option<Values> {
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
pub(crate) struct Values {
    finder: AhoCorasick,
    entries: Vec<Entry>,
}

impl Values {
    /// Gives each value's rule, place and the value that its mark is of.
    pub(crate) fn find(&self, text: &str, sink: &mut dyn FnMut(RuleId, Range<usize>, &str)) {
        let bytes = text.as_bytes();
        for hit in self.finder.find_iter(bytes) {
            let entry = &self.entries[hit.pattern().as_usize()];
            if !entry.whole_word || is_word(text, &hit.range()) {
                sink(entry.rule, hit.range(), &entry.value);
            }
        }
    }
}

/// Whether no letter, digit or `_` goes on with the word that `range` begins or ends with.
/// Scripts without spaces between words never do.
fn is_word(text: &str, range: &Range<usize>) -> bool {
    let is_part = |letter: char| letter == '_' || letter.is_alphanumeric() && letter < '\u{2e80}';
    let goes_on = |left: Option<char>, right: Option<char>| {
        left.is_some_and(is_part) && right.is_some_and(is_part)
    };
    let (Some(before), Some(own), Some(behind)) =
        (text.get(..range.start), text.get(range.clone()), text.get(range.end..))
    else {
        return false;
    };
    !goes_on(before.chars().next_back(), own.chars().next())
        && !goes_on(own.chars().next_back(), behind.chars().next())
}

/// Whether a value looks like a secret by itself; then, whether it must be a word of its own. A
/// password of one common word, and what is plainly something else, is replaced only where it
/// was found. A value of random letters is nothing but itself in a longer word too.
fn is_odd(value: &str) -> Option<bool> {
    let classes = [
        value.bytes().any(|byte| byte.is_ascii_lowercase()),
        value.bytes().any(|byte| byte.is_ascii_uppercase()),
        value.bytes().any(|byte| byte.is_ascii_digit()),
        value.bytes().any(|byte| !byte.is_ascii_alphanumeric()),
    ];
    let classes = classes.iter().filter(|&&has| has).count();
    if value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return (value.len() >= 10 && !is_ordinary(value)).then_some(true);
    }
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let is_long = value.len() >= MIN_ODD || value.len() >= MIN_WORD && has_digit;
    let is_odd = is_long && classes >= 2 && entropy(value.as_bytes()) >= 2.2 && !is_ordinary(value);
    is_odd.then(|| !(value.len() >= MIN_ANYWHERE && has_digit && is_random(value.as_bytes())))
}
