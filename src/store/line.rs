//! Changes to lines that are there already.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::session::json::Json;

/// The line of an entry with this id and parent; the text itself where it has them already.
pub(super) fn placed<'t>(text: &'t str, id: &str, parent_id: Option<&str>) -> Cow<'t, str> {
    let Ok(Json::Object(mut fields)) = serde_json::from_str::<Json<'_>>(text) else {
        return Cow::Borrowed(text);
    };
    let parent = parent_id.map_or(Json::Null, |id| Json::String(id.into()));
    let id = Json::String(id.into());
    if last(&fields, "id") == Some(&id) && last(&fields, "parentId") == Some(&parent) {
        return Cow::Borrowed(text);
    }
    put(&mut fields, "id", id, 1);
    put(&mut fields, "parentId", parent, 2);
    Cow::Owned(Json::Object(fields).compact())
}

/// The line of an entry as one of its own with another id, parent and time.
pub(super) fn copied(text: &str, id: &str, parent_id: Option<&str>, time: &str) -> String {
    let text = placed(text, id, parent_id);
    let Ok(Json::Object(mut fields)) = serde_json::from_str::<Json<'_>>(&text) else {
        return text.into_owned() + "\n";
    };
    put(&mut fields, "timestamp", Json::String(time.into()), 3);
    Json::Object(fields).compact() + "\n"
}

/// The header line with the version that is written.
pub(super) fn with_version(text: &str, version: u32) -> String {
    let Ok(Json::Object(mut fields)) = serde_json::from_str::<Json<'_>>(text) else {
        return text.to_owned();
    };
    put(&mut fields, "version", Json::Number(version.into()), 1);
    Json::Object(fields).compact()
}

/// A compaction's line with the anchor that stands for one that is gone.
pub(super) fn anchored<'t>(text: Cow<'t, str>, stands_for: &HashMap<&str, &str>) -> Cow<'t, str> {
    let changed = serde_json::from_str::<Json<'_>>(&text).ok().and_then(|json| {
        let Json::Object(mut fields) = json else { return None };
        let old = last(&fields, "firstKeptEntryId")?.as_str()?;
        let new = (*stands_for.get(old)?).to_owned();
        put(&mut fields, "firstKeptEntryId", Json::String(new.into()), usize::MAX);
        Some(Json::Object(fields).compact())
    });
    changed.map_or(text, Cow::Owned)
}

fn last<'f, 'a>(fields: &'f [(Cow<'a, str>, Json<'a>)], key: &str) -> Option<&'f Json<'a>> {
    fields.iter().rev().find(|(other, _)| other == key).map(|(_, value)| value)
}

/// Replaces a field where it stands, or adds it at a place.
fn put<'a>(
    fields: &mut Vec<(Cow<'a, str>, Json<'a>)>,
    key: &'static str,
    value: Json<'a>,
    at: usize,
) {
    match fields.iter().rposition(|(other, _)| other == key) {
        Some(there) => fields[there].1 = value,
        None => fields.insert(at.min(fields.len()), (key.into(), value)),
    }
}
