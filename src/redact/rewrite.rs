//! Edits of strings as edits of the JSON text that holds them.

use std::collections::HashMap;
use std::ops::Range;

use super::json::{StringToken, Strings};
use super::strings::decoded;
use super::views;

/// Edits of a decoded string as edits of the JSON text.
pub(super) fn in_raw(
    text: &str,
    token: &StringToken,
    edits: Vec<(Range<usize>, String)>,
) -> Vec<(Range<usize>, String)> {
    let view = views::unescaped(&text[token.range.clone()]);
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
    let mut taken: HashMap<(Option<usize>, String), String> = HashMap::new();
    for (at, token) in strings
        .tokens
        .iter()
        .enumerate()
        .filter(|(at, token)| token.is_key && !changed.contains_key(at))
    {
        let key = decoded(&text[token.range.clone()]).into_owned();
        taken.insert((token.container, key), format!("{at}"));
    }
    let mut suffixes = Vec::new();
    for (at, _, new) in keys {
        let place = &strings.tokens[*at];
        let old = decoded(&text[place.range.clone()]).into_owned();
        let mut name = new.clone();
        let mut number = 1;
        while taken
            .get(&(place.container, name.clone()))
            .is_some_and(|other| *other != format!("={old}"))
        {
            number += 1;
            name = format!("{new} ~{number}");
        }
        if number > 1 {
            suffixes.push((place.range.end..place.range.end, format!(" ~{number}")));
        }
        taken.insert((place.container, name), format!("={old}"));
    }
    edits.extend(suffixes);
    edits.sort_by_key(|(range, _)| (range.start, range.end));
}
