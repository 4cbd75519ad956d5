//! Blocks of messages in the core's form, as several formats need them.

use std::borrow::Cow;

use crate::session::json::Json;

use super::translation::{object, string};

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

/// An image from base64 text.
pub(super) fn image<'a>(
    mime_type: impl Into<Cow<'a, str>>,
    data: impl Into<Cow<'a, str>>,
) -> Json<'a> {
    object([
        ("type", Some(string("image"))),
        ("data", Some(string(data))),
        ("mimeType", Some(string(mime_type))),
    ])
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
    object([
        ("type", Some(string("toolCall"))),
        ("id", Some(string(id))),
        ("name", Some(string(name))),
        ("arguments", Some(arguments)),
    ])
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
    let cost = cost.and_then(number).map(|total| object([("total", Some(total))]));
    object([
        ("input", number(input)),
        ("output", number(output)),
        ("cacheRead", number(cached)),
        ("cost", cost),
    ])
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
