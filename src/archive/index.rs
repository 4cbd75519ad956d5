//! The page that lists all sessions, and lists of links for readers without a script.

use askama::Template;

use crate::page::source_hash;

/// A session for readers without a script.
#[derive(Debug)]
pub(super) struct PlainRow<'a> {
    pub(super) href: String,
    /// In a team's archive; else empty.
    pub(super) author: &'a str,
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

/// An author for them.
#[derive(Debug)]
pub(super) struct PlainAuthor<'a> {
    pub(super) href: String,
    pub(super) name: &'a str,
    /// How many sessions; `None` where that is not known.
    pub(super) sessions: Option<usize>,
    pub(super) is_redacted: bool,
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
    /// Whose sessions these are, if they are one author's of a team.
    author: &'a str,
    is_team: bool,
    authors: &'a [PlainAuthor<'a>],
    /// The authors whose secrets are not replaced.
    exposed: String,
}

#[derive(Template)]
#[template(path = "archive_month.html")]
struct Month<'a> {
    policy: &'a str,
    style: &'static str,
    name: &'a str,
    rows: &'a [PlainRow<'a>],
    /// The page with the sessions before these; empty for none.
    earlier: &'a str,
}

/// `index.html`.
pub(super) fn index(
    (sessions, author): (usize, &str),
    is_redacted: bool,
    rows: &[PlainRow<'_>],
    months: &[PlainMonth],
) -> String {
    let policy = policy(true);
    // Writing into a string cannot fail.
    let index = Index { sessions, is_redacted, rows, months, author, ..Index::new(&policy) };
    index.render().unwrap_or_default()
}

/// The one over all authors of a team.
pub(super) fn team(rows: &[PlainRow<'_>], authors: &[PlainAuthor<'_>]) -> String {
    let sessions = authors.iter().filter_map(|author| author.sessions);
    let exposed: Vec<&str> =
        authors.iter().filter(|author| !author.is_redacted).map(|author| author.name).collect();
    let policy = policy(true);
    let index = Index {
        sessions: sessions.fold(0, usize::saturating_add),
        is_redacted: exposed.is_empty(),
        rows,
        is_team: true,
        authors,
        exposed: exposed.join(", "),
        ..Index::new(&policy)
    };
    index.render().unwrap_or_default()
}

impl<'a> Index<'a> {
    /// Of nothing.
    fn new(policy: &'a str) -> Index<'a> {
        Index {
            version: env!("CARGO_PKG_VERSION"),
            policy,
            style: STYLE,
            script: SCRIPT,
            sessions: 0,
            is_redacted: true,
            rows: &[],
            months: &[],
            author: "",
            is_team: false,
            authors: &[],
            exposed: String::new(),
        }
    }
}

/// Links of a month.
pub(super) fn month(name: &str, rows: &[PlainRow<'_>], earlier: &str) -> String {
    let month = Month { policy: &policy(false), style: STYLE, name, rows, earlier };
    month.render().unwrap_or_default()
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
