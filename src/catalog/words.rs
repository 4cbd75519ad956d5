//! The words by which the index finds a message.
//!
//! A word is a run of letters and digits, in lower case as [`normalised`] has it. A run such as `tideTable` gives its
//! parts, too. Scripts that write no blanks between words give each pair of neighbors. Every word of the index
//! therefore stands in the text as it is, so that what the index finds, a search through the text finds as well.

use crate::outline::normalised;
use crate::session::cjk;

/// From so many characters on, a word of a query is the beginning of the words that it finds.
const BEGINNING: usize = 3;

/// Longer runs are no words but data, such as base64.
const LONGEST: usize = 64;

/// Adds the words of a text, each with a blank behind it.
pub(crate) fn add_words(text: &str, out: &mut String) {
    let mut add = |word: &str| {
        out.push_str(&normalised(word));
        out.push(' ');
    };
    for run in runs(text) {
        match run {
            Run::Word(word) if word.chars().nth(LONGEST).is_some() => {}
            Run::Word(word) => {
                add(word);
                let parts = camel_parts(word);
                if parts.len() > 1 {
                    parts.into_iter().for_each(&mut add);
                }
            }
            Run::Unspaced(run) => unspaced_words(run).for_each(&mut add),
        }
    }
}

/// What a text of a query asks of the index.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// What each message that may match has, in the form of an FTS5 query; `None` where the text has no words.
    pub(super) expression: Option<String>,
    /// Every message that has these matches. Else its text has to be looked at.
    pub(super) is_exact: bool,
}

impl Asked {
    /// Of one normalized text of a query: a word or a phrase.
    pub(super) fn of(text: &str) -> Asked {
        let mut terms = Vec::new();
        let mut runs = runs(text).peekable();
        let mut is_exact = runs.peek().is_some();
        let mut covered = 0;
        let mut count = 0;
        while let Some(run) = runs.next() {
            count += 1;
            let is_last = runs.peek().is_none();
            match run {
                Run::Word(word) => {
                    covered += word.len();
                    if word.chars().nth(LONGEST).is_some() {
                        is_exact = false;
                        continue;
                    }
                    let is_beginning = is_last && word.chars().nth(BEGINNING - 1).is_some();
                    terms.push(format!("\"{word}\"{}", if is_beginning { "*" } else { "" }));
                }
                Run::Unspaced(run) => {
                    covered += run.len();
                    let length = run.chars().count();
                    is_exact &= length <= 2;
                    if length == 1 {
                        terms.push(format!("\"{run}\"*"));
                    } else {
                        let pairs = unspaced_words(run).take(length - 1);
                        terms.extend(pairs.map(|pair| format!("\"{pair}\"")));
                    }
                }
            }
        }
        let expression = (!terms.is_empty()).then(|| terms.join(" AND "));
        Asked { expression, is_exact: is_exact && count == 1 && covered == text.len() }
    }
}

enum Run<'t> {
    /// Of a script whose words have blanks or signs between them.
    Word(&'t str),
    /// Of one that has none.
    Unspaced(&'t str),
}

/// The runs of letters and digits in a text.
fn runs(text: &str) -> impl Iterator<Item = Run<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest.find(char::is_alphanumeric)?;
        rest = &rest[start..];
        let is_first_unspaced = rest.chars().next().is_some_and(is_unspaced);
        let is_other = |c: char| !is_of_word(c) || is_unspaced(c) != is_first_unspaced;
        let (run, after) = rest.split_at(rest.find(is_other).unwrap_or(rest.len()));
        rest = after;
        Some(if is_first_unspaced { Run::Unspaced(run) } else { Run::Word(run) })
    })
}

/// A letter, a digit, or an accent that stands behind its letter: `İ` has one in lower case.
fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}')
}

/// Whether the script of a letter writes no blanks between words, or hangs much on a word as Korean does.
// The Unicode Standard: Thai, Lao, Tibetan, Myanmar, Khmer, besides Chinese, Japanese and Korean.
fn is_unspaced(c: char) -> bool {
    c >= '\u{0e00}'
        && (cjk::is_of_these_scripts(c)
            || matches!(c, '\u{0e00}'..='\u{0fff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'))
}

/// Each pair of neighbors, and the last letter alone: a word of one letter begins one of these.
fn unspaced_words(run: &str) -> impl Iterator<Item = &str> {
    let ends = run.char_indices().map(|(at, c)| at + c.len_utf8());
    let next_ends = ends.clone().skip(1).chain([run.len()]);
    run.char_indices().zip(next_ends).map(|((at, _), end)| &run[at..end])
}

/// `HTTPServer` and `tideTable` in their parts.
fn camel_parts(word: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for (nth, &(at, c)) in chars.iter().enumerate().skip(1) {
        let before = chars[nth - 1].1;
        let begins_word = before.is_uppercase()
            && chars.get(nth + 1).is_some_and(|(_, after)| after.is_lowercase());
        if c.is_uppercase() && (!before.is_uppercase() || begins_word) {
            parts.push(&word[start..at]);
            start = at;
        }
    }
    parts.push(&word[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        let mut out = String::new();
        add_words(text, &mut out);
        out.trim_end().to_owned()
    }

    #[test]
    fn words_are_whole_in_parts_and_in_pairs() {
        for (text, expected) in [
            ("Read src/tide_table.rs", "read src tide table rs"),
            ("tideTable HTTPServer x86", "tidetable tide table httpserver http server x86"),
            ("灯台守 React組件", "灯台 台守 守 react 組件 件"),
            ("ΟΔΟΣ Straße İx", "οδος straße i\u{307}x"),
            ("-> … 🙂", ""),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
        assert_eq!(words(&"a".repeat(65)), "");
    }

    #[test]
    fn a_query_asks_for_words_and_their_beginnings() {
        let asked = |text| {
            let Asked { expression, is_exact } = Asked::of(text);
            (expression.unwrap_or_default(), is_exact)
        };
        assert_eq!(asked("tide"), ("\"tide\"*".to_owned(), true));
        assert_eq!(asked("go"), ("\"go\"".to_owned(), true));
        assert_eq!(asked("tide tab"), ("\"tide\" AND \"tab\"*".to_owned(), false));
        assert_eq!(asked("(tide"), ("\"tide\"*".to_owned(), false));
        assert_eq!(asked("灯"), ("\"灯\"*".to_owned(), true));
        assert_eq!(asked("灯台"), ("\"灯台\"".to_owned(), true));
        assert_eq!(asked("灯台守"), ("\"灯台\" AND \"台守\"".to_owned(), false));
        assert_eq!(asked("->"), (String::new(), false));
        assert_eq!(asked("i\u{307}x"), ("\"i\u{307}x\"*".to_owned(), true));
    }
}
