//! Tolerant access to one entry's JSON.
//!
//! [`Json`] borrows its strings from the line it was read from, keeps the order
//! of keys and keeps duplicate keys. An object is read the way the agents' own
//! programs do: a wrong type never fails an entry, it is noted as a
//! [`TypeMismatch`] so that the page can show what was really there.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// One JSON value, its strings borrowed where they hold no escapes.
#[derive(Debug, Clone, PartialEq, Hash)]
pub enum Json<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number in the range of a double.
    Number(serde_json::Number),
    /// A string, escapes resolved.
    String(Cow<'a, str>),
    /// An array.
    Array(Vec<Json<'a>>),
    /// An object in the order it was written, duplicate keys included.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// The value of `key`; of duplicates the last, as JavaScript reads them.
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        match self {
            Json::Object(fields) => fields.iter().rev().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The string, if this is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if this is one: of any size, as written.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Json::Number(number) => number.as_f64(),
            _ => None,
        }
    }

    /// The items, if this is an array.
    pub fn items(&self) -> &[Json<'a>] {
        match self {
            Json::Array(items) => items,
            _ => &[],
        }
    }

    /// What JavaScript's `if` makes of the value.
    pub fn is_truthy(&self) -> bool {
        match self {
            Json::Null => false,
            Json::Bool(value) => *value,
            Json::Number(number) => number.as_f64() != Some(0.0),
            Json::String(text) => !text.is_empty(),
            Json::Array(_) | Json::Object(_) => true,
        }
    }

    /// A string as it is, everything else as compact JSON.
    pub fn into_text(self) -> Cow<'a, str> {
        match self {
            Json::String(text) => text,
            other => Cow::Owned(other.compact()),
        }
    }

    /// The same without the text it was read from. The parser bounds the depth.
    pub(crate) fn owned(self) -> Json<'static> {
        match self {
            Json::Null => Json::Null,
            Json::Bool(value) => Json::Bool(value),
            Json::Number(number) => Json::Number(number),
            Json::String(text) => Json::String(Cow::Owned(text.into_owned())),
            Json::Array(items) => Json::Array(items.into_iter().map(Json::owned).collect()),
            Json::Object(fields) => {
                let own = |(key, value): (Cow<'_, str>, Json<'_>)| {
                    (key.into_owned().into(), value.owned())
                };
                Json::Object(fields.into_iter().map(own).collect())
            }
        }
    }

    /// JSON without blanks, as `JSON.stringify` writes it.
    pub fn compact(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// JSON indented by two blanks.
    pub fn pretty(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

/// A string that borrows where it can; `Cow` itself always copies in serde.
#[derive(PartialEq, Eq)]
struct Text<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }
            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

impl<'de> Deserialize<'de> for Json<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(value))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Json<'de>, E> {
        Ok(Json::Number(value.into()))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Json<'de>, E> {
        Ok(Json::Number(value.into()))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Json<'de>, E> {
        Ok(serde_json::Number::from_f64(value).map_or(Json::Null, Json::Number))
    }
    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::String(Cow::Borrowed(text)))
    }
    fn visit_str<E>(self, text: &str) -> Result<Json<'de>, E> {
        Ok(Json::String(Cow::Owned(text.to_owned())))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json<'de>, A::Error> {
        let mut fields = Vec::new();
        while let Some((Text(key), value)) = map.next_entry()? {
            fields.push((key, value));
        }
        Ok(Json::Object(fields))
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Number(number) => match whole(number) {
                Some(value) => serializer.serialize_i64(value),
                None => number.serialize(serializer),
            },
            Json::String(text) => serializer.serialize_str(text),
            Json::Array(items) => serializer.collect_seq(items),
            Json::Object(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (key, value) in fields {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// `1.0` and `-0` have no sign of a fraction in JavaScript's output.
fn whole(number: &serde_json::Number) -> Option<i64> {
    /// The largest double below which every whole number is exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let value = number.as_f64().filter(|_| number.is_f64())?;
    #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^53")]
    (value.fract() == 0.0 && value.abs() <= EXACT).then_some(value as i64)
}

/// A field whose value was not of the type that its format says.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TypeMismatch<'a> {
    /// The name of the field.
    pub field: &'static str,
    /// What was there instead.
    pub value: Json<'a>,
}

/// Whether a session may have spent so many tokens, milliseconds or dollars at once. A
/// damaged or hostile file may say anything, and sums of it would be no numbers any more.
pub(crate) fn is_plausible(amount: f64) -> bool {
    /// A trillion: more tokens than any model was trained on, or 31 years in milliseconds.
    const MOST: f64 = 1e12;
    (0.0..=MOST).contains(&amount)
}

/// Reads the fields of one object, forgivingly.
#[doc(hidden)]
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Fields<'a> {
    fields: Vec<(Cow<'a, str>, Json<'a>)>,
    /// Fields of an unexpected type met so far.
    pub mismatches: Vec<TypeMismatch<'a>>,
}

impl<'a> Fields<'a> {
    /// The fields of an object; of anything else none.
    pub fn new(json: Json<'a>) -> Self {
        let fields = match json {
            Json::Object(fields) => fields,
            _ => Vec::new(),
        };
        Fields { fields, mismatches: Vec::new() }
    }

    /// Takes the value of `key` out; `null` counts as absent.
    pub fn take(&mut self, key: &str) -> Option<Json<'a>> {
        let at = self.fields.iter().rposition(|(k, _)| k == key)?;
        match self.fields.remove(at).1 {
            Json::Null => None,
            value => Some(value),
        }
    }

    /// Whether `key` is there at all, `null` included.
    pub fn has(&self, key: &str) -> bool {
        self.fields.iter().any(|(k, _)| k == key)
    }

    /// A text; whatever else is there shows as its JSON.
    pub fn text(&mut self, key: &str) -> Option<Cow<'a, str>> {
        self.take(key).map(Json::into_text)
    }

    /// A number of any size, as written; anything else is odd and counts as absent.
    pub fn number(&mut self, key: &'static str) -> Option<f64> {
        let value = self.take(key)?;
        let number = value.as_f64();
        if number.is_none() {
            self.mismatches.push(TypeMismatch { field: key, value });
        }
        number
    }

    /// A count, a size, a duration or a price: from 0 to 10^12, in the unit of its field. What is none is odd and
    /// counts as absent.
    pub fn amount(&mut self, key: &'static str) -> Option<f64> {
        let number = self.number(key)?;
        if is_plausible(number) {
            return Some(number);
        }
        let value = serde_json::Number::from_f64(number).map_or(Json::Null, Json::Number);
        self.mismatches.push(TypeMismatch { field: key, value });
        None
    }

    /// A flag; anything but a boolean is odd and counts as JavaScript's `if` would.
    pub fn flag(&mut self, key: &'static str) -> bool {
        match self.take(key) {
            None => false,
            Some(Json::Bool(value)) => value,
            Some(value) => {
                let truthy = value.is_truthy();
                self.mismatches.push(TypeMismatch { field: key, value });
                truthy
            }
        }
    }

    /// An object's fields; anything else is odd and counts as absent.
    pub fn object(&mut self, key: &'static str) -> Option<Fields<'a>> {
        match self.take(key)? {
            Json::Object(fields) => Some(Fields { fields, mismatches: Vec::new() }),
            value => {
                self.mismatches.push(TypeMismatch { field: key, value });
                None
            }
        }
    }

    /// An array's items; anything else is odd and counts as empty.
    pub fn array(&mut self, key: &'static str) -> Vec<Json<'a>> {
        match self.take(key) {
            None => Vec::new(),
            Some(Json::Array(items)) => items,
            Some(value) => {
                self.mismatches.push(TypeMismatch { field: key, value });
                Vec::new()
            }
        }
    }

    /// Takes out what nobody took, in the order it was written.
    pub fn drain(&mut self) -> Vec<(Cow<'a, str>, Json<'a>)> {
        std::mem::take(&mut self.fields)
    }

    /// What nobody took, in the order it was written.
    pub fn rest(self) -> Vec<(Cow<'a, str>, Json<'a>)> {
        self.fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Json<'_> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_last_of_duplicate_keys_wins_and_both_are_kept() {
        let json = parse(r#"{"a":1,"b":2,"a":3}"#);
        assert_eq!(json.get("a").and_then(Json::as_f64), Some(3.0));
        assert_eq!(json.compact(), r#"{"a":1,"b":2,"a":3}"#);
    }

    #[test]
    fn numbers_print_as_javascript_prints_them() {
        assert_eq!(parse("[1.0,-0,2.5,120]").compact(), "[1,0,2.5,120]");
    }

    #[test]
    fn a_wrong_type_is_noted_and_never_fails() {
        let mut fields = Fields::new(parse(r#"{"n":"<b>","f":"yes","t":42}"#));
        assert_eq!(fields.number("n"), None);
        assert!(fields.flag("f"));
        assert_eq!(fields.text("t").as_deref(), Some("42"));
        let odd: Vec<_> = fields.mismatches.iter().map(|odd| odd.field).collect();
        assert_eq!(odd, ["n", "f"]);
    }

    #[test]
    fn amounts_beyond_reason_are_odd() {
        let mut fields = Fields::new(parse(r#"{"a":1e300,"b":-1,"c":48211,"d":1e12,"e":1e13}"#));
        let read = ["a", "b", "c", "d", "e"].map(|key| fields.amount(key));
        assert_eq!(read, [None, None, Some(48_211.0), Some(1e12), None]);
        let odd: Vec<_> = fields.mismatches.iter().map(|odd| odd.field).collect();
        assert_eq!(odd, ["a", "b", "e"]);
    }

    #[test]
    fn strings_without_escapes_are_borrowed() {
        let Json::Array(items) = parse(r#"["plain","a\nb"]"#) else { panic!("an array") };
        assert!(matches!(&items[0], Json::String(Cow::Borrowed(_))));
        assert!(matches!(&items[1], Json::String(Cow::Owned(_))));
    }
}
