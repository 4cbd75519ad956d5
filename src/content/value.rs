//! A value of JSON that content shows: the session's, or one that was put together.

use std::borrow::Cow;

use crate::session::json::Json;

/// A value of JSON.
#[derive(Debug, Clone)]
pub enum Value<'s> {
    /// As it stands in the session.
    Read(&'s Json<'s>),
    /// Put together.
    Made(Json<'s>),
}

impl<'s> Value<'s> {
    /// The value, wherever it stands.
    #[must_use]
    pub fn json(&self) -> &Json<'s> {
        match self {
            Value::Read(json) => json,
            Value::Made(json) => json,
        }
    }
}

/// How a value is shown.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Shown<'v> {
    /// A text that needs lines of its own.
    Long(&'v str),
    /// A short text, or a number and the like.
    Short(Cow<'v, str>),
    /// JSON on one line.
    Line(String),
    /// JSON of several lines.
    Block(String),
}

/// A text up to this many bytes, on one line, stands beside its name.
const SHORT_BYTES: usize = 200;

/// JSON up to this many bytes stands on one line.
const LINE_BYTES: usize = 60;

impl<'v> Shown<'v> {
    /// A short one on the line, a long text as output, the rest as JSON.
    pub(crate) fn of(value: &'v Json<'_>) -> Self {
        match value {
            Json::String(text) if text.len() > SHORT_BYTES || text.contains('\n') => {
                Shown::Long(text)
            }
            Json::String(text) => Shown::Short(Cow::Borrowed(text)),
            Json::Array(items) if !items.is_empty() => Shown::json(value),
            Json::Object(fields) if !fields.is_empty() => Shown::json(value),
            simple => Shown::Short(Cow::Owned(simple.compact())),
        }
    }

    fn json(value: &Json<'_>) -> Self {
        let compact = value.compact();
        if compact.len() > LINE_BYTES { Shown::Block(value.pretty()) } else { Shown::Line(compact) }
    }
}

impl PartialEq for Value<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}

impl<'s> From<&'s Json<'s>> for Value<'s> {
    fn from(json: &'s Json<'s>) -> Self {
        Value::Read(json)
    }
}

impl<'s> From<Json<'s>> for Value<'s> {
    fn from(json: Json<'s>) -> Self {
        Value::Made(json)
    }
}
