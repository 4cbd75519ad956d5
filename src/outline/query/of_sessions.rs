//! What a search of many sessions asks of a query beside what the search in one does.

use super::{Query, Test, is_negation, next_test, normalised, until_quote};

impl Query {
    /// The words and phrases that an entry must have, normalized.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.conditions.iter().filter(|condition| !condition.negated).filter_map(|condition| {
            match &condition.test {
                Test::Text(text) => Some(text.as_str()),
                _ => None,
            }
        })
    }

    /// Whether it asks for words and phrases alone, and for what an entry must not have not at all.
    pub(crate) fn is_of_texts(&self) -> bool {
        self.texts().count() == self.conditions.len()
    }

    /// Whether it asks for words that an entry must not have.
    pub(crate) fn excludes_texts(&self) -> bool {
        let is_text = |test: &Test| matches!(test, Test::Text(_));
        self.conditions.iter().any(|condition| condition.negated && is_text(&condition.test))
    }

    /// Whether a text alone, such as a title, meets every condition: it has the words and phrases, and none of those
    /// that are excluded. What is asked of an entry, no text meets.
    pub(crate) fn matches_text(&self, text: &str) -> bool {
        let text = normalised(text);
        self.texts().next().is_some()
            && self.conditions.iter().all(|condition| match &condition.test {
                Test::Text(part) => text.contains(part) != condition.negated,
                _ => false,
            })
    }
}

/// A word of a query whose operator is none of an entry's, as `project:` in a search of many sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnTerm {
    pub(crate) negated: bool,
    /// The operator, in lower case.
    pub(crate) name: String,
    /// Normalized; not empty.
    pub(crate) value: String,
}

/// Takes the words with these operators out of a query; the rest of it is for [`Query::new`].
pub(crate) fn take_own(query: &str, names: &[&str]) -> (Vec<OwnTerm>, String) {
    let (mut own, mut kept) = (Vec::new(), String::new());
    let mut rest = query.trim_start();
    while !rest.is_empty() {
        let negated = is_negation(rest);
        let term = &rest[usize::from(negated)..];
        let after = if let Some((name, value, after)) = own_term(term, names) {
            own.push(OwnTerm { negated, name, value });
            after
        } else {
            let after = next_test(term).1;
            kept.push_str(rest[..rest.len() - after.len()].trim_end());
            kept.push(' ');
            after
        };
        rest = after.trim_start();
    }
    kept.truncate(kept.trim_end().len());
    (own, kept)
}

/// The operator at the start of `term`, its value, and what follows. One without a value is an ordinary word.
fn own_term<'q>(term: &'q str, names: &[&str]) -> Option<(String, String, &'q str)> {
    let word_end = term.find(char::is_whitespace).unwrap_or(term.len());
    let (name, value) = term[..word_end].split_once(':')?;
    let name = name.to_lowercase();
    if !names.contains(&name.as_str()) {
        return None;
    }
    let (value, after) = match value.strip_prefix('"') {
        Some(_) => until_quote(&term[name.len() + 2..]),
        None => (value, &term[word_end..]),
    };
    let value = normalised(value.trim());
    (!value.is_empty()).then_some((name, value, after))
}

#[cfg(test)]
mod tests {
    use super::take_own;

    #[test]
    fn operators_of_others_are_taken_out_of_a_query() {
        for (query, own, kept) in [
            ("tide", vec![], "tide"),
            ("project:Coast tide", vec![(false, "project", "coast")], "tide"),
            (
                "-Agent:\"Claude Code\"x  \"a  b\" -c",
                vec![(true, "agent", "claude code")],
                "x \"a  b\" -c",
            ),
            ("project: \"project:x\" is:error", vec![], "project: \"project:x\" is:error"),
        ] {
            let (found, rest) = take_own(query, &["project", "agent"]);
            let found: Vec<_> = found
                .iter()
                .map(|term| (term.negated, term.name.as_str(), term.value.as_str()))
                .collect();
            assert_eq!((found, rest.as_str()), (own, kept), "{query}");
        }
    }
}
