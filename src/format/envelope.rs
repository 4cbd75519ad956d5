//! What a reader of JSON lines keeps of a value at first: the fields that place an entry. The rest is
//! checked alone.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::session::json::Json;

/// The fields that place an entry in its session.
#[derive(Debug, Default)]
pub(super) struct Envelope<'a> {
    pub(super) entry_type: Option<Json<'a>>,
    pub(super) id: Option<Json<'a>>,
    pub(super) parent_id: Option<Json<'a>>,
    pub(super) timestamp: Option<Json<'a>>,
    /// Whether it names its parent as another format does.
    names_parent: bool,
}

impl Envelope<'_> {
    /// Entries carry these beside their type, the parts of an entry do not.
    pub(super) fn is_entry(&self) -> bool {
        let is_placed = self.names_parent
            || self.parent_id.is_some()
            || matches!(self.timestamp, Some(Json::String(_)));
        is_placed && self.entry_type.is_some()
    }
}

/// A whole value, checked to its depths but kept only as far as [`Envelope`] goes.
pub(super) struct Checked<'a>(pub(super) Option<Envelope<'a>>);

impl<'de> Deserialize<'de> for Checked<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EnvelopeVisitor).map(Checked)
    }
}

/// A value that only has to be readable.
struct Readable;

impl<'de> Deserialize<'de> for Readable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ReadableVisitor).map(|()| Readable)
    }
}

struct EnvelopeVisitor;

impl<'de> Visitor<'de> for EnvelopeVisitor {
    type Value = Option<Envelope<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
        Ok(None)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        ReadableVisitor.visit_seq(seq).map(|()| None)
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut envelope = Envelope::default();
        while let Some(key) = map.next_key::<Json<'de>>()? {
            let field = match key.as_str() {
                Some("type") => &mut envelope.entry_type,
                Some("id") => &mut envelope.id,
                Some("parentId") => &mut envelope.parent_id,
                Some("timestamp") => &mut envelope.timestamp,
                Some("parent_id" | "parentUuid") => {
                    envelope.names_parent = true;
                    map.next_value::<Readable>()?;
                    continue;
                }
                _ => {
                    map.next_value::<Readable>()?;
                    continue;
                }
            };
            *field = Some(map.next_value()?);
        }
        Ok(Some(envelope))
    }
}

struct ReadableVisitor;

impl<'de> Visitor<'de> for ReadableVisitor {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }
    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element::<Readable>()?.is_some() {}
        Ok(())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<Readable, Readable>()?.is_some() {}
        Ok(())
    }
}
