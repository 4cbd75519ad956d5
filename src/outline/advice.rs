//! What in a search looks like an operator and is none: a misspelled name, a value that does not exist.
//!
//! Such a word is searched for as text; the reader is informed, with the nearest operator that exists. The page's script
//! has the same rules; `tests/fixtures/vectors/search-advice.json` holds both to them.

use std::fmt::Write as _;

use super::query::{is_operator, operator, tokens};

/// The operators, in the order of the help.
const OPERATORS: [&str; 6] = ["role", "tool", "is", "label", "after", "before"];

/// What an entry can be.
const STATES: [&str; 10] = [
    "error",
    "stop",
    "prompt",
    "compaction",
    "labeled",
    "commit",
    "push",
    "pull-request",
    "test",
    "notable",
];

/// Names and values further from what was typed are not what was meant.
const MAX_EDITS: usize = 2;

/// What to tell the one who typed the query; nothing when each word means what it looks like.
pub fn advice(query: &str) -> Vec<String> {
    tokens(query).into_iter().filter_map(|(name, value)| of_token(&name, &value)).collect()
}

fn of_token(name: &str, value: &str) -> Option<String> {
    if value.is_empty() || operator(name, value).is_some() {
        return None;
    }
    if !is_operator(name) {
        let meant = nearest(name, &OPERATORS)?;
        return Some(format!("unknown operator `{name}:`; did you mean `{meant}:{value}`?"));
    }
    Some(match name {
        "is" => {
            if let Some(meant) = nearest(value, &STATES) {
                format!("unknown state `is:{value}`; did you mean `is:{meant}`?")
            } else {
                let known = STATES.map(|state| format!("is:{state}")).join(", ");
                format!("unknown state `is:{value}`; the states are {known}")
            }
        }
        _ => match nearest_date(value) {
            Some(meant) => {
                format!("`{name}:{value}` is not a date; did you mean `{name}:{meant}`?")
            }
            None => format!("`{name}:{value}` is not a date; write `{name}:2026-01-31`"),
        },
    })
}

/// The first of those with the fewest edits, where that is near enough.
fn nearest<'k>(typed: &str, known: &[&'k str]) -> Option<&'k str> {
    let near = known.iter().map(|known| (edits(typed, known), *known));
    let (edits, meant) = near.min_by_key(|(edits, _)| *edits)?;
    // Of a short word two edits leave nothing.
    let most = MAX_EDITS.min(typed.chars().count().saturating_sub(1) / 2 + 1).min(meant.len() / 2);
    (edits <= most).then_some(meant)
}

/// Letters to insert, delete, replace or swap with their neighbor.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > MAX_EDITS {
        return MAX_EDITS + 1;
    }
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// The date with a month or a day that the calendar has: `2025-13` becomes `2025-12`.
fn nearest_date(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |text: &str| text.parse::<u32>().ok().filter(|_| text.len() <= 2);
    let year = parts[0];
    if year.len() != 4 || !year.bytes().all(|byte| byte.is_ascii_digit()) || parts.len() > 3 {
        return None;
    }
    let mut date = year.to_owned();
    if let Some(month) = parts.get(1) {
        let _ = write!(date, "-{:02}", number(month)?.clamp(1, 12));
    }
    if let Some(day) = parts.get(2) {
        let day = number(day)?.clamp(1, 31);
        // At most three days too many.
        return (1..=day)
            .rev()
            .map(|day| format!("{date}-{day:02}"))
            .find(|date| operator("after", date).is_some());
    }
    Some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_is_named() {
        assert_eq!(nearest("eror", &STATES), Some("error"));
        assert_eq!(nearest("rloe", &OPERATORS), Some("role"));
        assert_eq!(nearest("http", &OPERATORS), None);
        assert_eq!(nearest("x", &OPERATORS), None);
    }
}
