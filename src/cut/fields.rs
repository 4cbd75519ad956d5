//! Changes to JSON values. Values nest at most as deep as a session's reader lets them.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::session::json::Json;

/// Keeps the last of duplicate keys, at every depth: it is the one that counts, and what is taken out
/// later must not stand in another.
pub(super) fn drop_duplicates(json: &mut Json<'_>) {
    match json {
        Json::Array(items) => items.iter_mut().for_each(drop_duplicates),
        Json::Object(fields) => {
            let mut seen = HashSet::with_capacity(fields.len());
            let mut counts: Vec<bool> =
                fields.iter().rev().map(|(name, _)| seen.insert(name.clone())).collect();
            fields.retain(|_| counts.pop().unwrap_or(true));
            for (_, value) in fields {
                drop_duplicates(value);
            }
        }
        _ => {}
    }
}

/// The value of a field, to be changed.
pub(super) fn get_mut<'j, 'a>(json: &'j mut Json<'a>, key: &str) -> Option<&'j mut Json<'a>> {
    match json {
        Json::Object(fields) => {
            fields.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
        }
        _ => None,
    }
}

/// The text of a field.
pub(super) fn text<'j>(json: &'j Json<'_>, key: &str) -> &'j str {
    json.get(key).and_then(Json::as_str).unwrap_or_default()
}

/// Takes a field out, however often it is there, and says whether it held anything.
pub(super) fn remove(json: &mut Json<'_>, key: &str) -> bool {
    retain(json, |name| name != key) > 0
}

/// Keeps the fields of these names, and says how many bytes the values of the others took.
pub(super) fn retain(json: &mut Json<'_>, keeps: impl Fn(&str) -> bool) -> usize {
    let Json::Object(fields) = json else { return 0 };
    let mut bytes = 0;
    fields.retain(|(name, value)| {
        let stays = keeps(name);
        if !stays {
            bytes += size(value);
        }
        stays
    });
    bytes
}

/// The bytes of what a value says: of a content its texts, of other values their JSON.
pub(super) fn size(json: &Json<'_>) -> usize {
    match json {
        Json::Null => 0,
        Json::String(text) => text.len(),
        Json::Array(items) => items.iter().map(size).sum(),
        Json::Object(_) if json.get("text").is_some() => text(json, "text").len(),
        // Empty facts are no loss.
        Json::Object(fields) if fields.is_empty() => 0,
        other => other.compact().len(),
    }
}

/// Keys are texts like any other: whoever keeps things by name keeps them there too.
pub(super) fn each_text(json: &mut Json<'_>, change: &mut impl FnMut(&str) -> Option<String>) {
    match json {
        Json::String(text) => {
            if let Some(changed) = change(text) {
                *text = Cow::Owned(changed);
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|item| each_text(item, change)),
        Json::Object(fields) => {
            for (name, value) in fields {
                if let Some(changed) = change(name) {
                    *name = Cow::Owned(changed);
                }
                each_text(value, change);
            }
        }
        _ => {}
    }
}

/// Takes out of every array and every object within a value what `goes` says of each item, and of
/// each field by its name.
pub(super) fn prune(
    json: &mut Json<'_>,
    goes: &mut impl FnMut(Option<&str>, &mut Json<'_>) -> bool,
) {
    match json {
        Json::Array(items) => {
            items.retain_mut(|item| !goes(None, item));
            for item in items {
                prune(item, goes);
            }
        }
        Json::Object(fields) => {
            fields.retain_mut(|(name, value)| !goes(Some(name), value));
            for (_, value) in fields {
                prune(value, goes);
            }
        }
        _ => {}
    }
}
