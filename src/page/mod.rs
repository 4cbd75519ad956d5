//! The page: shell, outline and articles in one HTML document.

mod assets;
mod fragments;
mod outline_data;
mod plan;
mod source;
mod stats;
mod theme;
mod workers;

use std::io;

use askama::Template;

use crate::outline::{Filter, Outline};
use crate::render::{Html, Renderer, Renderers};
use crate::session::calls::Calls;
use crate::session::context::Facts;
use crate::session::damage::grouped;
use crate::session::message::{Message, joined_text};
use crate::session::text::{one_line, shortened};
use crate::session::{Body, EntryIndex, Session};

use assets::Assets;
use fragments::{Articles, Fragments, Packs};
use plan::Plan;
use source::Source;
pub use theme::{Theme, ThemeError};

/// How a page opens and what it is called.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// The leaf on show; by default the target's, else the session's own.
    pub leaf: Option<EntryIndex>,
    /// The entry to scroll to; by default none.
    pub target: Option<EntryIndex>,
    /// The tree's filter; by default [`Filter::Default`].
    pub filter: Filter,
    /// The title; by default the session's own, else its first prompt.
    pub title: Option<String>,
    /// Colours that replace some of the page's own; by default none.
    pub theme: Option<Theme>,
    /// Renderers for tools and messages of the caller's own; by default none.
    pub renderers: Renderers,
    /// Write every entry as plain markup; by default only the beginning of the path on show is, and
    /// the rest is compressed.
    pub all_plain: bool,
    /// Leave the session file itself, and those of its sub-sessions, out of the page; by default
    /// they are in it, compressed.
    pub without_source: bool,
}

/// What is on show when the page opens.
#[derive(Debug, Clone, Copy)]
struct View {
    leaf: EntryIndex,
    target: Option<EntryIndex>,
    filter: Filter,
}

impl View {
    /// A target off the leaf's path wins: its newest leaf is shown.
    fn new(session: &Session, options: &Options) -> View {
        let leaf = options.leaf.unwrap_or_else(|| session.leaf());
        let leaf = match options.target {
            Some(target) if !session.tree().is_on_path(target, leaf) => {
                session.tree().newest_leaf_below(target)
            }
            _ => leaf,
        };
        View { leaf, target: options.target, filter: options.filter }
    }
}

#[derive(Template)]
#[template(path = "page.html")]
struct PageTemplate<'p, 'a> {
    title: String,
    csp: String,
    version: &'static str,
    assets: Assets,
    filters: Vec<FilterButton>,
    shown: usize,
    total: usize,
    path_len: usize,
    facts: Vec<stats::Fact>,
    notes: &'a [String],
    damage: Vec<String>,
    packed: usize,
    articles: Articles<'p, 'a>,
    outline: Html,
    packs: Packs<'p, 'a>,
    source: Option<Source<'a>>,
    child_sources: Option<Source<'a>>,
}

struct FilterButton {
    name: &'static str,
    label: &'static str,
    title: &'static str,
    pressed: bool,
}

/// Writes a session as one standalone HTML page.
///
/// # Errors
/// Only those of `out`.
pub fn export(session: &Session, options: &Options, out: &mut impl io::Write) -> io::Result<()> {
    let view = View::new(session, options);
    let calls = Calls::read(session);
    let outline = Outline::read(session, &calls);
    let facts = Facts::read(session);
    let context = facts.context(Some(view.leaf));
    let assets = Assets::new(options.theme.as_ref());
    let plan = Plan::new(session, &context.path, options.all_plain);
    let renderer = Renderer::new(session, &calls).with_renderers(options.renderers.clone());
    let fragments = Fragments::new(session, &plan, &context, view.leaf, &renderer);
    let page = PageTemplate {
        title: title(session, options.title.as_deref()),
        csp: assets.content_security_policy(),
        version: env!("CARGO_PKG_VERSION"),
        assets,
        filters: filter_buttons(view.filter),
        shown: outline
            .visible(session, view.filter, view.leaf)
            .iter()
            .filter(|shown| **shown)
            .count(),
        total: session.entries_beside(view.leaf).len(),
        path_len: context.path.len(),
        facts: stats::facts(session, &view),
        notes: session.notes(),
        damage: damage(session),
        packed: plan.packed(),
        articles: Articles(&fragments),
        outline: outline_data::outline_data(session, &outline, &facts, &view, &plan),
        packs: Packs(&fragments),
        source: (!options.without_source).then(|| Source::new(session)),
        child_sources: if options.without_source { None } else { Source::of_children(session) },
    };
    page.write_into(out)
}

/// What was wrong with the file, and with those of its sub-sessions.
fn damage(session: &Session) -> Vec<String> {
    let own = grouped(session.damage()).into_iter().map(|group| group.to_string());
    let further = session.children().iter().flat_map(|sub| {
        grouped(&sub.damage).into_iter().map(move |group| format!("in {}: {group}", sub.key))
    });
    own.chain(further).collect()
}

/// The title asked for, else the session's name, else the beginning of its first prompt, else its id.
fn title(session: &Session, asked: Option<&str>) -> String {
    /// Of a prompt, in UTF-16 units: what fits a browser's tab and a heading.
    const PROMPT_UNITS: usize = 80;
    /// Of a name that somebody gave, in UTF-16 units.
    const NAME_UNITS: usize = 200;
    let prompts = || {
        let messages = (0..session.len()).filter(|&index| session.entry_type(index) == "message");
        messages
            .filter_map(|index| match session.entry(index).body {
                Body::Message(Message::User(content)) => {
                    Some(one_line(&joined_text(&content, " ")))
                }
                _ => None,
            })
            .filter(|text| !text.is_empty())
    };
    // A command such as `/mode` says less than what was asked afterwards.
    let prompt = || prompts().find(|text| !text.starts_with('/')).or_else(|| prompts().next());
    let prompt = || prompt().map(|text| shortened(&text, PROMPT_UNITS));
    let id = || Some(session.header().id.clone()).filter(|id| !id.is_empty());
    let name = asked
        .filter(|title| !title.trim().is_empty())
        .or(session.title())
        .map(|name| shortened(&one_line(name), NAME_UNITS));
    name.or_else(prompt).or_else(id).unwrap_or_else(|| "Session".to_owned())
}

fn filter_buttons(pressed: Filter) -> Vec<FilterButton> {
    let button = |filter: Filter| {
        let (label, title) = match filter {
            Filter::Default => ("Default", "All but settings"),
            Filter::NoTools => ("No tools", "Default without tool results"),
            Filter::UserOnly => ("User", "Prompts only"),
            Filter::LabeledOnly => ("Labeled", "Labeled entries only"),
            Filter::All => ("All", "Settings too; only turns without text and usage stay out"),
        };
        FilterButton { name: filter.name(), label, title, pressed: filter == pressed }
    };
    Filter::ALL.map(button).into()
}
