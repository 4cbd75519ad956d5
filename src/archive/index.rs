//! The page that lists all sessions, and lists of links for readers without a script.

use askama::Template;

use crate::page::source_hash;

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

const STYLE: &str = include_str!("../page/assets/archive.css");
const SCRIPT: &str = include_str!("../page/assets/archive.js");

#[derive(Template)]
#[template(path = "archive.html")]
struct Index<'a> {
    version: &'static str,
    policy: &'a str,
    style: &'static str,
    script: &'static str,
    sessions: usize,
    is_redacted: bool,
    rows: &'a [PlainRow<'a>],
    months: &'a [PlainMonth],
}

#[derive(Template)]
#[template(path = "archive_month.html")]
struct Month<'a> {
    policy: &'a str,
    style: &'static str,
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
    let index = Index {
        version: env!("CARGO_PKG_VERSION"),
        policy: &policy(true),
        style: STYLE,
        script: SCRIPT,
        sessions,
        is_redacted,
        rows,
        months,
    };
    index.render().unwrap_or_default()
}

/// The links of a month.
pub(super) fn month(name: &str, rows: &[PlainRow<'_>]) -> String {
    Month { policy: &policy(false), style: STYLE, name, rows }.render().unwrap_or_default()
}

/// Our own script and style by their hashes, the scripts of the folder, and pictures that stand in the style.
fn policy(has_script: bool) -> String {
    let scripts =
        if has_script { format!("{} 'self'", source_hash(SCRIPT)) } else { "'none'".to_owned() };
    format!(
        "default-src 'none'; script-src {scripts}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'; trusted-types leafpress",
        source_hash(STYLE)
    )
}
