//! Blocks of messages in the core's form, as several formats need them.

use std::borrow::Cow;

use crate::session::json::Json;

use super::fields::{object, string};

/// Amounts of tokens, milliseconds and dollars.
pub(super) fn number(value: f64) -> Option<Json<'static>> {
    serde_json::Number::from_f64(value).map(Json::Number)
}

pub(super) fn text_block<'a>(words: impl Into<Cow<'a, str>>) -> Json<'a> {
    object([("type", Some(string("text"))), ("text", Some(string(words)))])
}

pub(super) fn thinking<'a>(words: impl Into<Cow<'a, str>>) -> Json<'a> {
    object([("type", Some(string("thinking"))), ("thinking", Some(string(words)))])
}

/// In words, what stands there and is not in the session.
pub(super) fn not_shown(words: impl Into<Cow<'static, str>>) -> Json<'static> {
    object([("type", Some(string("notShown"))), ("text", Some(string(words)))])
}

/// Thinking of which the file does not have the text.
pub(super) fn redacted_thinking() -> Json<'static> {
    object([("type", Some(string("redactedThinking")))])
}

/// An image from base64 text.
pub(super) fn image<'a>(
    mime_type: impl Into<Cow<'a, str>>,
    data: impl Into<Cow<'a, str>>,
) -> Json<'a> {
    given_image(Some(string(mime_type)), string(data))
}

/// The same of what the file says of it.
pub(super) fn given_image<'a>(mime_type: Option<Json<'a>>, data: Json<'a>) -> Json<'a> {
    object([("type", Some(string("image"))), ("data", Some(data)), ("mimeType", mime_type)])
}

/// What is no block of the core's form, whole, under the name of its kind.
pub(super) fn other<'a>(kind: &'static str, value: Json<'a>) -> Json<'a> {
    object([("type", Some(string(kind))), ("value", Some(value))])
}

/// An image from a `data:` URL.
pub(super) fn image_from_url(url: &str) -> Option<Json<'static>> {
    let (mime_type, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
    Some(image(mime_type.to_owned(), data.to_owned()))
}

pub(super) fn tool_call<'a>(
    id: impl Into<Cow<'a, str>>,
    name: impl Into<Cow<'a, str>>,
    arguments: Json<'a>,
) -> Json<'a> {
    given_tool_call(Some(string(id)), Some(string(name)), Some(arguments))
}

/// The same of what the file says of it.
pub(super) fn given_tool_call<'a>(
    id: Option<Json<'a>>,
    name: Option<Json<'a>>,
    arguments: Option<Json<'a>>,
) -> Json<'a> {
    object([
        ("type", Some(string("toolCall"))),
        ("id", id),
        ("name", name),
        ("arguments", arguments),
    ])
}

/// A block with one field more.
pub(super) fn with<'a>(
    mut block: Json<'a>,
    key: &'static str,
    value: Option<Json<'a>>,
) -> Json<'a> {
    if let Json::Object(fields) = &mut block {
        fields.extend(value.map(|value| (key.into(), value)));
    }
    block
}

/// Arguments that may be JSON within a text; a text that is none is given as `input`.
pub(super) fn arguments<'a>(given: Option<&Json<'a>>) -> Json<'a> {
    match given {
        None | Some(Json::Null) => Json::Object(Vec::new()),
        Some(Json::String(written)) => match serde_json::from_str::<Json<'_>>(written) {
            Ok(arguments @ Json::Object(_)) => arguments.owned(),
            _ if written.trim().is_empty() => Json::Object(Vec::new()),
            _ => object([("input", Some(Json::String(written.clone())))]),
        },
        Some(other) => other.clone(),
    }
}

/// Tokens and cost in the core's form: input, output, read from a cache, US dollars.
pub(super) fn usage(input: f64, output: f64, cached: f64, cost: Option<f64>) -> Json<'static> {
    let cost = cost.and_then(number).map(total_cost);
    let (input, output, cache_read) = (number(input), number(output), number(cached));
    UsageFields { input, output, cache_read, cost, ..UsageFields::default() }.json()
}

/// What is known of tokens and cost, each amount a number.
#[derive(Debug, Default)]
pub(super) struct UsageFields<'a> {
    pub(super) input: Option<Json<'a>>,
    pub(super) output: Option<Json<'a>>,
    pub(super) cache_read: Option<Json<'a>>,
    pub(super) cache_write: Option<Json<'a>>,
    /// As [`total_cost`] gives it.
    pub(super) cost: Option<Json<'a>>,
}

impl<'a> UsageFields<'a> {
    pub(super) fn json(self) -> Json<'a> {
        object([
            ("input", self.input),
            ("output", self.output),
            ("cacheRead", self.cache_read),
            ("cacheWrite", self.cache_write),
            ("cost", self.cost),
        ])
    }
}

/// A cost without its parts, in US dollars.
pub(super) fn total_cost(cost: Json<'_>) -> Json<'_> {
    object([("total", Some(cost))])
}

/// The text of a file under a line that says what it is, as Markdown, apart from the text before. The
/// fence is longer than any in the text.
pub(super) fn attached(what: &str, content: &str) -> String {
    let ticks = content.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat((ticks + 1).max(3));
    let end = if content.ends_with('\n') { "" } else { "\n" };
    format!("\n\n{what}\n\n{fence}\n{content}{end}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_those_within() {
        assert_eq!(attached("a:", "x"), "\n\na:\n\n```\nx\n```");
        assert_eq!(attached("a:", "````\n"), "\n\na:\n\n`````\n````\n`````");
    }

    #[test]
    fn arguments_are_objects_wherever_they_can_be() {
        let read = |text: &str| arguments(Some(&serde_json::from_str(text).unwrap())).compact();
        assert_eq!(read(r#""{\"a\":1}""#), r#"{"a":1}"#);
        assert_eq!(read(r#""""#), "{}");
        assert_eq!(read(r#""ls -l""#), r#"{"input":"ls -l"}"#);
        assert_eq!(read("[1]"), "[1]");
        assert_eq!(read("null"), "{}");
    }
}
