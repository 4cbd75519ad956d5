//! What renderers are put together from. Every text that goes in comes out as
//! text, never as markup.

use super::{highlight, markdown as prose, output as printed, value as json};
use crate::html::Html;
use crate::session::json::Json;

/// A Markdown text: paragraphs, lists, tables, code; its HTML shows as text.
pub fn markdown(text: &str) -> Html {
    prose::block(text)
}

/// Code in a box, with the colors of its language where that is known by
/// such a word as `rust`, `ts` or `sh`; `""` for none.
pub fn code(code: &str, language: &str) -> Html {
    highlight::block(code, language)
}

/// What a program printed: a long one shows its first and last lines, the
/// rest behind a fold.
pub fn output(text: &str) -> Html {
    printed::printed(text)
}

/// Any JSON for people: texts as text, all else indented.
pub fn value(value: &Json<'_>) -> Html {
    json::alone(value)
}

/// Named values as a list, in their order.
pub fn fields<'a>(fields: impl IntoIterator<Item = (&'a str, &'a Json<'a>)>) -> Html {
    json::fields(fields.into_iter())
}
