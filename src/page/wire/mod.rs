//! How a page holds its data, for those who write it and those who read it: docs/page-format.md says the same with a
//! worked example. The script reads it by `static/js/chunks/` and `static/js/search/grams.js`.
//!
//! | file | what it has |
//! |---|---|
//! | `packed.rs` | bytes as text: zlib in base91 |
//! | `signs.rs` | the format's number, and the bytes with a meaning |
//! | `delta.rs` | an entry as Markdown: pieces of what is in its pack |
//! | `pack_text.rs` | a pack: articles, and the lines of the file beside them |
//! | `source_lines.rs` | which lines lie in packs |
//! | `source.rs` | the session's files, into a page |
//! | `files.rs` | the same out of a page |
//! | `grams.rs` | which packs a search must open |

pub(crate) mod delta;
pub(crate) mod files;
pub(crate) mod grams;
pub mod pack_text;
pub mod packed;
mod signs;
pub(crate) mod source;
pub(crate) mod source_lines;

pub(crate) use signs::FORMAT;

#[cfg(test)]
mod tests;
