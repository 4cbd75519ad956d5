//! A session as GitHub-flavored Markdown.

mod escape;
mod fence;
mod response;
