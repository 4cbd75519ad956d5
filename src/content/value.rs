//! A value of JSON that content shows: the session's, or one that was put together.

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
