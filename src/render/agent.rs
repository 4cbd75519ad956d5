//! Addresses of other agents in an agent's texts (`agent://Scout`): links, where the page has the session.

use std::collections::HashMap;

use crate::html::{Html, tag_length};
use crate::session::{EntryIndex, Session, key};

const SCHEME: &str = "agent://";

/// How a link that markdown may not follow begins, up to its address.
const DEAD_LINK: &str = "<span class=\"dead-link\" title=\"";

/// Elements within which a link cannot be pressed, or would press them as well.
const PRESSED: [&str; 3] = ["a", "button", "summary"];

/// Names follow each other by `/`, as sessions lie within each other; what follows them is a place in a result.
const MAX_NAMES: usize = 16;

/// The sub-sessions by key, where a format has such addresses.
#[derive(Debug, Default)]
pub(super) struct AgentPlaces {
    by_key: HashMap<String, usize>,
}

impl AgentPlaces {
    pub(super) fn read(session: &Session) -> AgentPlaces {
        let mut places = AgentPlaces::default();
        if session.format().traits().has_addresses {
            let keys = session.sub_sessions().iter().map(|sub| sub.key.clone());
            places.by_key = keys.zip(0..).collect();
        }
        places
    }

    /// The fragment with links in place of the addresses that name a session of the page.
    pub(super) fn link(&self, session: &Session, index: EntryIndex, html: Html) -> Html {
        if self.by_key.is_empty() || !html.as_str().contains(SCHEME) {
            return html;
        }
        let mut linker =
            Linker { places: self, session, index, out: Html::new(), pressed: 0, replaced: None };
        let mut rest = html.as_str();
        while !rest.is_empty() {
            let (text, tags) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
            linker.text(text);
            let (tag, after) = tags.split_at(tag_length(tags));
            linker.tag(tag);
            rest = after;
        }
        linker.out
    }

    /// The first entry of the session that an address names, seen from an entry: one that its own session
    /// started, else one that those around it did.
    fn find(&self, session: &Session, index: EntryIndex, address: &str) -> Option<EntryIndex> {
        let names: Vec<String> = address.split('/').take(MAX_NAMES).map(key::encode).collect();
        let mut around = session.tree().session_of(index);
        loop {
            let outer = around.checked_sub(1).and_then(|nth| session.sub_sessions().get(nth));
            for len in (1..=names.len()).rev() {
                let inner = names[..len].join("/");
                let key =
                    outer.map_or_else(|| inner.clone(), |outer| format!("{}/{inner}", outer.key));
                if let Some(&nth) = self.by_key.get(&key) {
                    return Some(session.sub_sessions()[nth].first);
                }
            }
            around = outer?.parent;
        }
    }
}

/// Copies markup of this crate, with links added.
struct Linker<'a> {
    places: &'a AgentPlaces,
    session: &'a Session,
    index: EntryIndex,
    out: Html,
    /// Open elements of [`PRESSED`].
    pressed: usize,
    /// Open `span` elements within one that became a link.
    replaced: Option<usize>,
}

impl Linker<'_> {
    fn tag(&mut self, tag: &str) {
        let address = tag.strip_prefix(DEAD_LINK).and_then(|rest| rest.strip_prefix(SCHEME));
        let address =
            address.filter(|_| self.pressed == 0).map(|rest| &rest[..address_length(rest)]);
        if let Some(first) =
            address.and_then(|address| self.places.find(self.session, self.index, address))
        {
            self.open(first);
            (self.pressed, self.replaced) = (1, Some(0));
            return;
        }
        let (is_end, name) = name_of(tag);
        if let Some(spans) = self.replaced.as_mut().filter(|_| name == "span") {
            if is_end && *spans == 0 {
                (self.pressed, self.replaced) = (0, None);
                self.out.push_markup("</a>");
                return;
            }
            *spans = if is_end { *spans - 1 } else { *spans + 1 };
        }
        if PRESSED.contains(&name) {
            self.pressed = if is_end { self.pressed.saturating_sub(1) } else { self.pressed + 1 };
        }
        self.out.push(&Html::trusted(tag.to_owned()));
    }

    /// Text as it stands in markup: what was escaped stays so.
    fn text(&mut self, mut text: &str) {
        while let Some(at) = text.find(SCHEME).filter(|_| self.pressed == 0) {
            let begins = at + SCHEME.len();
            let ends = begins + address_length(&text[begins..]);
            let is_word = !text[..at].ends_with(char::is_alphanumeric);
            let found = self.places.find(self.session, self.index, &text[begins..ends]);
            let Some(first) = found.filter(|_| is_word && ends > begins) else {
                self.copy(&text[..ends]);
                text = &text[ends..];
                continue;
            };
            self.copy(&text[..at]);
            self.open(first);
            self.copy(&text[at..ends]);
            self.out.push_markup("</a>");
            text = &text[ends..];
        }
        self.copy(text);
    }

    fn copy(&mut self, markup: &str) {
        self.out.push(&Html::trusted(markup.to_owned()));
    }

    fn open(&mut self, first: EntryIndex) {
        self.out.push_markup("<a class=\"entry-ref\" href=\"#entry-");
        self.out.push_text(&self.session.key_at(first));
        self.out.push_markup("\">");
    }
}

/// The length of the address at the start of a text, without the full stop of a sentence.
fn address_length(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || "-_.~/".contains(c);
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    text[..end].trim_end_matches(['.', '/']).len()
}

/// Whether a tag closes, and the name of its element.
fn name_of(tag: &str) -> (bool, &str) {
    let name = tag.strip_prefix("</").or_else(|| tag.strip_prefix('<')).unwrap_or_default();
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    (tag.starts_with("</"), &name[..end])
}
