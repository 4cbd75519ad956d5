//! The fields of JSON objects in the core's form, as readers write them.

use std::borrow::Cow;

use crate::session::json::Json;

/// The fields of an object, in the order in which they are written.
pub(super) type ObjectFields<'a> = Vec<(Cow<'a, str>, Json<'a>)>;

/// A value that a reader writes: a text, a list of blocks, or what the file has in the core's form.
pub(super) struct Value<'a>(pub(super) Json<'a>);

impl<'a> From<Json<'a>> for Value<'a> {
    fn from(json: Json<'a>) -> Value<'a> {
        Value(json)
    }
}

impl<'a> From<Vec<Json<'a>>> for Value<'a> {
    fn from(blocks: Vec<Json<'a>>) -> Value<'a> {
        Value(Json::Array(blocks))
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Value<'a> {
        Value(string(text))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Value(string(text))
    }
}

impl<'a> From<Cow<'a, str>> for Value<'a> {
    fn from(text: Cow<'a, str>) -> Value<'a> {
        Value(Json::String(text))
    }
}

/// A text as JSON.
pub(super) fn string<'a>(text: impl Into<Cow<'a, str>>) -> Json<'a> {
    Json::String(text.into())
}

/// An object of these fields, without those that are `None`.
pub(super) fn object<'a, const N: usize>(
    fields: [(&'static str, Option<Json<'a>>); N],
) -> Json<'a> {
    Json::Object(fields_of(fields))
}

/// These fields, without those that are `None`.
pub(super) fn fields_of<'a, const N: usize>(
    fields: [(&'static str, Option<Json<'a>>); N],
) -> ObjectFields<'a> {
    let present = fields.into_iter().filter_map(|(key, value)| Some((key, value?)));
    present.map(|(key, value)| (Cow::Borrowed(key), value)).collect()
}

/// The fields of an object but for those named; of anything else none.
pub(super) fn fields_without<'a>(json: Json<'a>, names: &[&str]) -> ObjectFields<'a> {
    let Json::Object(mut fields) = json else { return Vec::new() };
    fields.retain(|(key, _)| !names.contains(&key.as_ref()));
    fields
}

/// An id as written; numbers and the like as their text, null and nothing as none.
pub(super) fn id_of(json: &Json<'_>, key: &str) -> Option<String> {
    match json.get(key)? {
        Json::Null => None,
        id => Some(id.clone().into_text().into_owned()),
    }
}
