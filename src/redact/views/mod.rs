//! What a text says in other forms: without escapes, colors and percent signs, as Markdown and
//! HTML show it, with the words in one piece that line breaks part, as JSON, as base64.

pub(super) mod base64;
pub(super) mod broken;
pub(super) mod decode;
pub(super) mod json;
pub(super) mod rendered_text;
pub(super) mod signs;
pub(super) mod view;
