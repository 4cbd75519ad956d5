//! The page that lists all sessions, and lists of links for readers without a script.

use askama::Template;

/// A session for readers without a script.
#[derive(Debug)]
pub(super) struct PlainRow<'a> {
    pub(super) href: String,
    pub(super) title: &'a str,
    pub(super) agent: &'a str,
    pub(super) project: &'a str,
    /// Such as `2026-11-03`; empty where it is not known.
    pub(super) day: String,
}

/// A month for them.
#[derive(Debug)]
pub(super) struct PlainMonth {
    pub(super) href: String,
    /// Such as `2026-11`, or `unknown`.
    pub(super) name: String,
    pub(super) count: usize,
}

#[derive(Template)]
#[template(path = "archive.html")]
struct Index<'a> {
    sessions: usize,
    is_redacted: bool,
    rows: &'a [PlainRow<'a>],
    months: &'a [PlainMonth],
}

#[derive(Template)]
#[template(path = "archive_month.html")]
struct Month<'a> {
    name: &'a str,
    rows: &'a [PlainRow<'a>],
}

/// `index.html`.
pub(super) fn index(
    sessions: usize,
    is_redacted: bool,
    rows: &[PlainRow<'_>],
    months: &[PlainMonth],
) -> String {
    // Writing into a string cannot fail.
    Index { sessions, is_redacted, rows, months }.render().unwrap_or_default()
}

/// The links of a month.
pub(super) fn month(name: &str, rows: &[PlainRow<'_>]) -> String {
    Month { name, rows }.render().unwrap_or_default()
}
