//! What may be said of a page before it is made.

use std::io;

use super::{Detail, Relative, Theme};
use crate::content::Renderers;
use crate::outline::Filter;
use crate::progress::Progress;
use crate::redact;
use crate::render::Highlight;
use crate::session::{EntryIndex, Session};
use crate::setters::setters;

/// How a page opens and what it is called.
///
/// ```
/// use leafpress::page::Detail;
/// use leafpress::{Filter, Options};
///
/// let options = Options::default().title("Sorting").detail(Detail::Steps).filter(Filter::All);
/// assert_eq!(options.title.as_deref(), Some("Sorting"));
/// ```
///
/// A page of another branch:
///
/// ```
/// let session = leafpress::read_file("examples/garden.jsonl")?;
/// let leaf = session.find("86dc1522").ok_or("no such entry")?;
/// let mut page = Vec::new();
/// leafpress::export(&session, &leafpress::Options::new().leaf(leaf), &mut page)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// The entry at which the branch shown ends; by default the target's newest leaf, else the session's own leaf. Any
    /// entry will do, not only one without children. [`Session::find`] gives the entry of an id.
    pub leaf: Option<EntryIndex>,
    /// The entry to scroll to; by default none. If it is not on the path to the leaf, the page opens at the
    /// newest leaf below it.
    pub target: Option<EntryIndex>,
    /// The tree's filter; by default [`Filter::Default`].
    pub filter: Filter,
    /// How much of each turn is shown; by default [`Detail::Story`].
    pub detail: Detail,
    /// The title; by default the session's own, else its first prompt.
    pub title: Option<String>,
    /// Colors that replace some of the page's own; by default none.
    pub theme: Option<Theme>,
    /// Renderers for tools and messages of the caller's own; by default none.
    pub renderers: Renderers,
    /// Write every entry as plain markup: a larger page, which other programs can read. By default the story of the
    /// path shown is plain, its prompts and responses, and the rest is compressed.
    pub all_plain: bool,
    /// Leave the session file itself, and those of its sub-sessions, out of the page: they cannot be extracted
    /// again then. By default they are in it, compressed.
    pub without_source: bool,
    /// Further remarks for the page's head; by default none.
    pub notes: Vec<String>,
    /// The sessions that this one continues, and those that continue it, for the page's head; by default none.
    pub family: Vec<Relative>,
    /// What was redacted before, for the page's head; by default nothing is.
    pub redacted: Option<redact::Report>,
    /// How code is colored; by default [`Highlight::Fast`].
    pub highlight: Highlight,
    /// The page is to be sealed: the tab does not tell its title, which the browser's history keeps.
    pub(crate) sealed: bool,
    /// Where the page of an archive finds the list of all sessions.
    pub(crate) index: Option<&'static str>,
    /// Is called with how far the export is; by default none.
    pub progress: Option<Progress>,
}

impl Options {
    /// The defaults.
    #[must_use]
    pub fn new() -> Options {
        Options::default()
    }

    setters! {
        leaf: EntryIndex => Some(leaf),
        target: EntryIndex => Some(target),
        filter: Filter => filter,
        detail: Detail => detail,
        title: impl Into<String> => Some(title.into()),
        theme: Theme => Some(theme),
        renderers: Renderers => renderers,
        all_plain: bool => all_plain,
        without_source: bool => without_source,
        family: Vec<Relative> => family,
        redacted: redact::Report => Some(redacted),
        highlight: Highlight => highlight,
        progress: Progress => Some(progress),
    }

    /// Adds a remark to the page's head.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Options {
        self.notes.push(note.into());
        self
    }
}

/// What is shown when the page opens.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub(super) leaf: EntryIndex,
    pub(super) target: Option<EntryIndex>,
    pub(super) filter: Filter,
}

impl View {
    /// A target off the leaf's path wins: its newest leaf is shown.
    pub(super) fn new(session: &Session, options: &Options) -> io::Result<View> {
        let named = [("leaf", options.leaf), ("target", options.target)];
        let is_foreign = |entry: EntryIndex| !session.tree().has(entry);
        if let Some((name, _)) = named.into_iter().find(|(_, entry)| entry.is_some_and(is_foreign))
        {
            let words = format!("the session has no such {name}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, words));
        }
        let leaf = leaf_on_show(session, options.leaf, options.target);
        Ok(View { leaf, target: options.target, filter: options.filter })
    }
}

/// The leaf whose path a page opens with.
pub(crate) fn leaf_on_show(
    session: &Session,
    leaf: Option<EntryIndex>,
    target: Option<EntryIndex>,
) -> EntryIndex {
    let leaf = leaf.unwrap_or_else(|| session.leaf());
    match target {
        Some(target) if !session.tree().is_on_path(target, leaf) => {
            session.tree().newest_leaf_below(target)
        }
        _ => leaf,
    }
}
