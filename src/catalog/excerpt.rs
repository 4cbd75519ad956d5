//! The words around a hit, on one line.

use std::ops::Range;

/// A part of a text that has a hit, with the places of what was found in it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excerpt {
    /// One line; `…` at an end where the text goes on.
    pub text: String,
    /// Where the words of the query stand in it, ascending.
    pub marks: Vec<Range<usize>>,
}

/// So many characters stand before the first hit, and so many in all.
const BEFORE: usize = 40;
const LENGTH: usize = 160;

/// The part of a text around the first of these normalized words; its beginning where it has none of them.
pub(super) fn excerpt(text: &str, words: &[&str]) -> Excerpt {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let all = places(&line, words);
    let first = all.first().map_or(0, |place| place.start);
    let start = line[..first].char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
    // A word is not cut where a blank is near.
    let start = match line[start..first].find(' ') {
        Some(blank) if start > 0 => start + blank + 1,
        _ => start,
    };
    let rest = &line[start..];
    let end = rest.char_indices().nth(LENGTH).map_or(line.len(), |(at, _)| start + at);
    let end = match line[start..end].rfind(' ') {
        Some(blank) if end < line.len() && start + blank > first => start + blank,
        _ => end,
    };
    let before = if start > 0 { "…" } else { "" };
    let after = if end < line.len() { "…" } else { "" };
    let shifted = |at: usize| at - start + before.len();
    let marks = all
        .into_iter()
        .filter(|place| place.start >= start && place.end <= end)
        .map(|place| shifted(place.start)..shifted(place.end))
        .collect();
    Excerpt { text: format!("{before}{}{after}", &line[start..end]), marks }
}

/// Where these normalized words stand in a line, without overlaps.
fn places(line: &str, words: &[&str]) -> Vec<Range<usize>> {
    let mut folded = String::with_capacity(line.len());
    // Of each byte of `folded` the character of the line that it comes from.
    let mut origins = Vec::with_capacity(line.len());
    for (at, c) in line.char_indices() {
        folded.extend(c.to_lowercase());
        origins.resize(folded.len(), (at, at + c.len_utf8()));
    }
    let mut places: Vec<Range<usize>> = Vec::new();
    for word in words.iter().filter(|word| !word.is_empty()) {
        let found = folded.match_indices(word);
        places.extend(found.map(|(at, word)| origins[at].0..origins[at + word.len() - 1].1));
    }
    places.sort_by_key(|place| (place.start, std::cmp::Reverse(place.end)));
    let mut end = 0;
    places.retain(|place| {
        let is_apart = place.start >= end;
        end = end.max(place.end);
        is_apart
    });
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, words: &[&str]) -> String {
        let Excerpt { mut text, marks } = excerpt(text, words);
        for mark in marks.into_iter().rev() {
            text.insert(mark.end, ']');
            text.insert(mark.start, '[');
        }
        text
    }

    #[test]
    fn an_excerpt_stands_around_the_first_hit() {
        assert_eq!(marked("The  Tide\nturns", &["tide"]), "The [Tide] turns");
        assert_eq!(marked("İx ΟΔΟΣ 灯台守", &["i\u{307}x", "灯台"]), "[İx] ΟΔΟΣ [灯台]守");
        let long = format!("{}tide tables {}", "before ".repeat(40), "after ".repeat(40));
        let excerpt = marked(&long, &["tide", "tide tables"]);
        assert!(excerpt.starts_with("…before before"), "{excerpt}");
        assert!(excerpt.contains("before [tide tables] after"), "{excerpt}");
        assert!(excerpt.ends_with("after…"), "{excerpt}");
        assert_eq!(marked("nothing", &["tide"]), "nothing");
        assert_eq!(marked("", &["tide"]), "");
    }
}
