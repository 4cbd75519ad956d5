//! Edits of strings as edits of the JSON text that holds them.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::redact::find::strings::decoded;
use crate::redact::views::decode;
use crate::redact::views::json::{StringToken, Strings};

/// Edits of a decoded string as edits of the JSON text.
pub(super) fn in_raw(
    text: &str,
    token: &StringToken,
    edits: Vec<(Range<usize>, String)>,
) -> Vec<(Range<usize>, String)> {
    let view = decode::unescaped(&text[token.range.clone()]);
    let place = |range: Range<usize>| {
        let raw = view.as_ref().map_or(range.clone(), |view| view.base(&range));
        token.range.start + raw.start..token.range.start + raw.end
    };
    edits.into_iter().map(|(range, new)| (place(range), escaped(&new))).collect()
}

fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// Gives a changed key a number where its object has the new one already.
pub(super) fn keep_apart(
    text: &str,
    strings: &Strings,
    keys: &[(usize, usize, String)],
    edits: &mut Vec<(Range<usize>, String)>,
) {
    if keys.is_empty() {
        return;
    }
    let changed: HashMap<usize, &str> =
        keys.iter().map(|(token, _, new)| (*token, new.as_str())).collect();
    let mut taken: HashSet<(Option<usize>, String)> = HashSet::new();
    for (_, token) in strings
        .tokens
        .iter()
        .enumerate()
        .filter(|(at, token)| token.is_key && !changed.contains_key(at))
    {
        taken.insert((token.container, decoded(&text[token.range.clone()]).into_owned()));
    }
    // The number that a key of its object has got, and the last one that a new name was given.
    let mut numbers: HashMap<(Option<usize>, String), usize> = HashMap::new();
    let mut last: HashMap<(Option<usize>, &str), usize> = HashMap::new();
    let mut suffixes = Vec::new();
    for (at, _, new) in keys {
        let place = &strings.tokens[*at];
        let old = decoded(&text[place.range.clone()]).into_owned();
        let number = *numbers.entry((place.container, old)).or_insert_with(|| {
            let number = last.entry((place.container, new.as_str())).or_default();
            loop {
                *number += 1;
                if taken.insert((place.container, numbered(new, *number))) {
                    return *number;
                }
            }
        });
        if number > 1 {
            suffixes.push((place.range.end..place.range.end, format!(" ~{number}")));
        }
    }
    edits.extend(suffixes);
    edits.sort_by_key(|(range, _)| (range.start, range.end));
}

fn numbered(name: &str, number: usize) -> String {
    if number == 1 { name.to_owned() } else { format!("{name} ~{number}") }
}
