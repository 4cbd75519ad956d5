//! The page's shell: the blocks of `templates/page.html` with what each of them shows.

use askama::Template;

use crate::render::Html;

use super::assets::Assets;
use super::damages::Damages;
use super::head::Head;
use super::redacted::Redacted;
use super::relative::Relative;
use super::stats::Fact;

/// From the beginning of the document to the plain articles.
#[derive(Template)]
#[template(path = "page.html", block = "head")]
pub(super) struct ShellHead<'a> {
    pub(super) title: &'a str,
    pub(super) head: &'a Head,
    /// What the tab is called.
    pub(super) tab_title: Option<&'static str>,
    /// What other programs say of the page beside its title; none where that would tell what a password or a redaction hides.
    pub(super) description: Option<String>,
    pub(super) csp: Html,
    pub(super) version: &'static str,
    /// Of the page's data.
    pub(super) format: &'static str,
    pub(super) assets: &'a Assets,
    pub(super) detail: &'static str,
    pub(super) total: usize,
    /// Whether there is a view of changes.
    pub(super) has_changes: bool,
    /// The prompts, until there is a tree.
    pub(super) asked: Html,
    /// Whether the session file can be taken out of the page.
    pub(super) has_source: bool,
    /// Entries of the path that stand in the document.
    pub(super) path_plain: usize,
    pub(super) index: Option<&'static str>,
    pub(super) facts: Vec<Fact>,
    pub(super) notes: Vec<&'a str>,
    /// Sessions that this one continues, or that continue it.
    pub(super) family: &'a [Relative],
    pub(super) lost: Damages,
    pub(super) repaired: Damages,
    pub(super) redacted: Option<Redacted>,
    /// Every entry of the page does.
    pub(super) all_plain: bool,
}

/// What follows the plain articles: how the branch ended, the outline and the program.
#[derive(Template)]
#[template(path = "page.html", block = "outline")]
pub(super) struct ShellOutline<'a> {
    pub(super) head: &'a Head,
    pub(super) outline: &'a Html,
    pub(super) assets: &'a Assets,
}

/// The beginning of an element that holds data.
#[derive(Template)]
#[template(path = "page.html", block = "element")]
pub(super) struct Element<'a> {
    pub(super) kind: &'static str,
    pub(super) id: &'a str,
}

/// Its end.
#[derive(Template)]
#[template(path = "page.html", block = "element_end")]
pub(super) struct ElementEnd;

/// The end of the document.
#[derive(Template)]
#[template(path = "page.html", block = "tail")]
pub(super) struct ShellTail;
