//! Where a text stands in a row, and which rows a rule is for, each in a few words.
//!
//! * A place: `message.content.*[type=text].text`. `*` stands for each item, `[key=value]` for those that say so,
//!   and the last word may be `**`: every string below.
//! * A condition: `type=user|assistant, !isMeta, message.content`. Each part must hold; a name alone is a field that is
//!   there and not null, `!` a field that is not.

use serde_json::Value;

/// The values at a place.
pub(super) fn at<'v>(value: &'v Value, place: &str) -> Vec<&'v Value> {
    let mut found = vec![value];
    for step in place.split('.').filter(|step| !step.is_empty()) {
        if step == "**" {
            return found.into_iter().flat_map(strings).collect();
        }
        let (name, filter) = match step.split_once('[') {
            Some((name, filter)) => (name, filter.trim_end_matches(']').split_once('=')),
            None => (step, None),
        };
        found = found.into_iter().flat_map(|value| inner(value, name)).collect();
        if let Some((key, wanted)) = filter {
            found.retain(|value| value.get(key).is_some_and(|value| says(value, wanted)));
        }
    }
    found
}

fn inner<'v>(value: &'v Value, name: &str) -> Vec<&'v Value> {
    match (value, name) {
        (Value::Array(items), "*") => items.iter().collect(),
        (Value::Object(fields), "*") => fields.values().collect(),
        (value, name) => value.get(name).into_iter().collect(),
    }
}

/// Every string within a value.
pub(super) fn strings(value: &Value) -> Vec<&Value> {
    let mut found = Vec::new();
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::String(_) => found.push(value),
            Value::Array(items) => rest.extend(items.iter().rev()),
            Value::Object(fields) => rest.extend(fields.values().rev()),
            _ => {}
        }
    }
    found
}

fn says(value: &Value, wanted: &str) -> bool {
    match value {
        Value::String(text) => wanted.split('|').any(|one| one == text),
        other => *other.to_string() == *wanted,
    }
}

/// Whether a row is one that a condition is for.
pub(super) fn holds(row: &Value, condition: &str) -> bool {
    condition.split(',').map(str::trim).filter(|part| !part.is_empty()).all(|part| {
        let is_there = |place: &str| at(row, place).iter().any(|value| !value.is_null());
        if let Some((place, wanted)) = part.split_once("!=") {
            return !at(row, place).iter().any(|value| says(value, wanted));
        }
        match part.split_once('=') {
            Some((place, wanted)) => at(row, place).iter().any(|value| says(value, wanted)),
            None => match part.strip_prefix('!') {
                Some(place) => !is_there(place),
                None => is_there(part),
            },
        }
    })
}
