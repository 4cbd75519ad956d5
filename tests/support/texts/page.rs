//! A page as its reader sees it: the text of each article, and what the head says.

use super::rows::Kind;
use super::words::{Words, squashed};
use crate::support::inflated::packs;

/// Elements without an end.
const VOID: [&str; 5] = ["br", "img", "hr", "input", "wbr"];

/// What a page shows.
pub(super) struct Shown {
    articles: Vec<Article>,
    /// All of the page, the articles and leafpress's own words included.
    whole: String,
}

struct Article {
    /// Of a session that another one started.
    is_child: bool,
    /// The letters of its texts, without leafpress's own words.
    letters: String,
}

impl Shown {
    /// The first article from `from` on that has a text.
    pub(super) fn first_with(&self, words: &Words, kind: Kind, from: usize) -> Option<usize> {
        let has = |article: &Article| match kind {
            Kind::Arguments => words.are_among(&article.letters),
            _ => words.are_in(&article.letters),
        };
        (from..self.articles.len()).find(|at| has(&self.articles[*at]))
    }

    pub(super) fn is_of_child(&self, at: usize) -> bool {
        self.articles[at].is_child
    }

    /// How many entries of the session itself have these letters.
    pub(super) fn entries_with(&self, letters: &str) -> usize {
        let own = self.articles.iter().filter(|article| !article.is_child);
        own.filter(|article| article.letters.contains(letters)).count()
    }

    /// How often a text is shown, once at most in an entry where it is not there letter by letter.
    pub(super) fn count_of(&self, text: &str) -> usize {
        let (words, letters) = (Words::of(text), squashed(text));
        let has = |article: &&Article| words.are_in(&article.letters);
        let times = |article: &Article| article.letters.matches(&letters).count().max(1);
        self.articles.iter().filter(has).map(times).sum()
    }

    /// A line that is on no part of the page.
    pub(super) fn first_missing<'w>(&self, words: &'w Words) -> Option<&'w str> {
        words.first_missing(&self.whole)
    }

    pub(super) fn has_anywhere(&self, words: &Words) -> bool {
        words.are_among(&self.whole)
    }
}

/// Reads a page, unpacked. Articles lie in packs in no order that matters: `place` says where each stands.
pub(super) fn read(page: &str, place: impl Fn(&str) -> Option<usize>) -> Shown {
    let start = page.find("<div id=\"transcript\">").unwrap();
    let end = page.rfind("</main>").unwrap();
    let head = page.find("<body").unwrap();
    let mut whole = visible(&page[head..start], true);
    let mut by_place = Vec::new();
    for markup in std::iter::once(page[start..end].to_owned()).chain(packs(page)) {
        for article in markup.split("<article id=\"entry-").skip(1) {
            let key = article.split('"').next().unwrap().to_owned();
            let body = article.split_once('>').map_or("", |(_, body)| body);
            whole.push_str(&visible(body, true));
            let letters = squashed(&visible(body, false));
            by_place.push((place(&key), Article { is_child: key.contains('/'), letters }));
        }
    }
    by_place.sort_by_key(|(place, _)| *place);
    let articles = by_place.into_iter().map(|(_, article)| article).collect();
    Shown { articles, whole: squashed(&whole) }
}

/// The text of markup; leafpress's own words are in elements that say so.
fn visible(markup: &str, with_own_words: bool) -> String {
    let mut out = String::with_capacity(markup.len());
    // Of the elements that are open: those within leafpress's own words.
    let mut open: Vec<bool> = Vec::new();
    let mut pieces = markup.split('<');
    out.push_str(&decoded(pieces.next().unwrap_or_default()));
    for piece in pieces {
        let (tag, text) = split_tag(piece);
        let is_own = open.last().copied().unwrap_or(false);
        if tag.starts_with('/') {
            open.pop();
        } else {
            let name = tag.split([' ', '\n', '/']).next().unwrap_or_default();
            if !VOID.contains(&name) {
                open.push(is_own || tag.contains(" data-ui"));
            }
        }
        if with_own_words || !open.last().copied().unwrap_or(false) {
            out.push_str(&decoded(text));
        }
    }
    out
}

/// A tag and the text behind it, quotes respected.
fn split_tag(piece: &str) -> (&str, &str) {
    let mut is_quoted = false;
    for (at, byte) in piece.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'>' if !is_quoted => return (&piece[..at], &piece[at + 1..]),
            _ => {}
        }
    }
    (piece, "")
}

fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut pieces = text.split('&');
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (name, rest) = piece.split_once(';').unwrap_or(("", piece));
        let number = name.strip_prefix('#');
        let number = number.and_then(|number| match number.strip_prefix('x') {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => number.parse().ok(),
        });
        // Only letters and digits count.
        out.extend(number.and_then(char::from_u32).or(Some(' ')));
        out.push_str(rest);
    }
    out
}
