//! How much is colored: grammars read under 1 MB a second, so a long session
//! gets its colors where a reader looks first: on the path on show before
//! other branches, at its beginning, and above the folds.
//!
//! What an entry may color is known before anything is rendered. So a page is
//! the same whoever renders its entries, and in whichever order.

use std::cell::RefCell;

use memchr::memmem;

use super::memo::Memo;
use super::{Colored, Html, Writer, as_words};
use crate::session::calls::Calls;
use crate::session::{EntryIndex, Session, redaction_mark};

/// A line longer than this stays plain with its block; grammars are slowest on them.
const MAX_LINE_BYTES: usize = 8 * 1024;

/// So many lines of one block are colored, and so many bytes of them.
const BLOCK_LINES: usize = 1000;
const BLOCK_BYTES: usize = 64 * 1024;

/// What an entry gets for what is seen at once: a few boxes of their first lines.
const ENTRY_SEEN_BYTES: usize = 2 * 1024;

/// What a page gets: so many bytes, and this part of its session's.
const SEEN_BYTES: usize = 128 * 1024;
const SEEN_SHARE: usize = 64;
const FOLDED_BYTES: usize = 48 * 1024;
const FOLDED_SHARE: usize = 256;

/// How much code gets colors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Highlight {
    /// What is seen without unfolding, then more, as far as the budget of the page goes
    #[default]
    Budget,
    /// All of it, however long that takes
    Full,
    /// None
    None,
}

/// Where a part of a text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::render) enum Visibility {
    /// It is seen at once.
    Seen,
    /// It lies behind a fold.
    Folded,
}

/// What is too long, so that a text is not colored to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::render) enum Plain {
    Line,
    Block,
    /// From its first line on.
    Whole,
    Page,
}

impl Plain {
    pub(in crate::render) fn words(self) -> &'static str {
        match self {
            Plain::Line => "Not highlighted: a line of it is too long",
            Plain::Block => "Not highlighted to its end: the text is too long",
            Plain::Whole => "Not highlighted: the page holds too much code",
            Plain::Page => "Not highlighted to its end: the page holds too much code",
        }
    }
}

/// How many bytes an entry may color, by their place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Allowance {
    pub(super) seen: usize,
    pub(super) folded: usize,
}

impl Allowance {
    const UNLIMITED: Allowance = Allowance { seen: usize::MAX, folded: usize::MAX };
}

/// What each entry of a page may color.
#[derive(Debug, Default)]
pub(crate) struct Allowances {
    highlight: Highlight,
    /// By entry; nothing where all is colored.
    of: Vec<Allowance>,
}

impl Allowances {
    /// Shares out the page's budget; whoever comes first in `order`, which
    /// has every entry once, gets all it may need.
    pub(crate) fn new(
        highlight: Highlight,
        session: &Session,
        calls: &Calls,
        order: impl Iterator<Item = EntryIndex>,
    ) -> Allowances {
        let needs: Vec<(EntryIndex, usize)> = match highlight {
            Highlight::Budget => order.map(|entry| (entry, need(session, calls, entry))).collect(),
            Highlight::Full | Highlight::None => Vec::new(),
        };
        if needs.iter().map(|(_, need)| need).sum::<usize>() <= SEEN_BYTES + FOLDED_BYTES {
            return Allowances { highlight, of: Vec::new() };
        }
        let bytes: usize = needs.iter().map(|(entry, _)| session.raw(*entry).len()).sum();
        let mut left = Allowance {
            seen: SEEN_BYTES + bytes / SEEN_SHARE,
            folded: FOLDED_BYTES + bytes / FOLDED_SHARE,
        };
        let mut of = vec![Allowance::default(); session.len()];
        for (entry, need) in needs {
            let seen = need.min(ENTRY_SEEN_BYTES).min(left.seen);
            let folded = (need - seen).min(BLOCK_BYTES).min(left.folded);
            of[entry] = Allowance { seen, folded };
            left = Allowance { seen: left.seen - seen, folded: left.folded - folded };
        }
        Allowances { highlight, of }
    }

    /// Draws an entry within what it may color.
    pub(in crate::render) fn draw<R>(&self, entry: EntryIndex, draw: impl FnOnce() -> R) -> R {
        let allowance = self.of.get(entry).copied().unwrap_or(Allowance::UNLIMITED);
        drawn_with(self.highlight, allowance, draw)
    }
}

/// At most so many bytes of code are in an entry's article: those of its own
/// JSON and of the call that it answers.
fn need(session: &Session, calls: &Calls, entry: EntryIndex) -> usize {
    /// What stands in the JSON of other entries that show code: fences, and the person's own commands.
    const MARKS: [&[u8]; 3] = [b"```", b"~~~", b"Execution"];
    let own = session.raw(entry);
    match calls.call_of(entry) {
        Some(call) => own.len() + session.raw(call.entry).len(),
        None if MARKS.iter().any(|mark| memmem::find(own.as_bytes(), mark).is_some()) => own.len(),
        None => 0,
    }
}

/// What colors texts on one thread, and how much it still may.
#[derive(Debug)]
pub(in crate::render) struct Colors {
    memo: Memo,
    as_set: (Highlight, Allowance),
}

thread_local! {
    // Not handed down: renderers of the caller's own draw code, too, through plain functions.
    static COLOURS: RefCell<Colors> = RefCell::new(Colors {
        memo: Memo::default(),
        as_set: (Highlight::Budget, Allowance::UNLIMITED),
    });
}

pub(super) fn with<R>(work: impl FnOnce(&mut Colors) -> R) -> R {
    COLOURS.with_borrow_mut(work)
}

/// Draws without colors, where only the text counts.
pub(in crate::render) fn uncolored<R>(draw: impl FnOnce() -> R) -> R {
    drawn_with(Highlight::None, Allowance::UNLIMITED, draw)
}

fn drawn_with<R>(highlight: Highlight, allowance: Allowance, draw: impl FnOnce() -> R) -> R {
    let set = |as_set| with(|colors| std::mem::replace(&mut colors.as_set, as_set));
    let before = set((highlight, allowance));
    let drawn = draw();
    set(before);
    drawn
}

impl Colors {
    pub(super) fn color(&mut self, code: &str, language: &str, place: Visibility) -> Colored {
        let plain = |note| Colored { html: Html::text(code), note };
        if self.as_set.0 == Highlight::None {
            return plain(None);
        }
        let Some(syntax) = self.memo.syntax(language) else { return plain(None) };
        if code.lines().any(|line| line.len() > MAX_LINE_BYTES) {
            return plain(Some(Plain::Line));
        }
        let mut writer = Writer::default();
        let mut state = self.memo.start(syntax);
        let mut at = 0;
        let mut note = None;
        for (line, nth) in code.split_inclusive('\n').zip(0..) {
            note = self.refused(line.len(), nth, at, place);
            if note.is_some() {
                break;
            }
            let marks = redaction_mark::ranges(line);
            let read = as_words(line, &marks);
            let Some((tokens, next)) = self.memo.line(state, &read) else { return plain(None) };
            writer.line(line, &tokens, &marks);
            state = next;
            at += line.len();
        }
        writer.flush();
        writer.html.push_text(&code[at..]);
        Colored { html: writer.html, note }
    }

    /// Why a line may not be colored any more; what may be is taken off the budget.
    fn refused(
        &mut self,
        bytes: usize,
        nth: usize,
        before: usize,
        place: Visibility,
    ) -> Option<Plain> {
        let (highlight, left) = &mut self.as_set;
        if *highlight == Highlight::Full {
            return None;
        }
        if nth >= BLOCK_LINES || before + bytes > BLOCK_BYTES {
            return Some(Plain::Block);
        }
        let left = match place {
            Visibility::Seen => &mut left.seen,
            Visibility::Folded => &mut left.folded,
        };
        let Some(rest) = left.checked_sub(bytes) else {
            return Some(if nth == 0 { Plain::Whole } else { Plain::Page });
        };
        *left = rest;
        None
    }
}

#[cfg(all(test, feature = "highlight"))]
mod tests {
    use super::*;
    use crate::render::highlight::{block, colored};

    fn note(
        code: &str,
        highlight: Highlight,
        allowance: Allowance,
        place: Visibility,
    ) -> Option<Plain> {
        drawn_with(highlight, allowance, || colored(code, "rust", place)).note
    }

    #[test]
    fn a_long_block_is_colored_at_its_beginning() {
        let code = "let x = 1;\n".repeat(BLOCK_LINES + 5);
        let html = block(&code, "rust");
        assert_eq!(html.as_str().matches("<span class=\"k\">let").count(), BLOCK_LINES);
        assert!(html.as_str().contains("data-ui>Not highlighted to its end: the text"));
        assert!(html.visible_text().contains(&code), "all of it is there");
        let note = |highlight| note(&code, highlight, Allowance::UNLIMITED, Visibility::Seen);
        assert_eq!(note(Highlight::Full), None);
        assert_eq!(note(Highlight::None), None);
    }

    #[test]
    fn what_is_folded_takes_nothing_from_what_is_seen() {
        let allowance = Allowance { seen: 22, folded: 11 };
        let note = |code, place| note(code, Highlight::Budget, allowance, place);
        assert_eq!(note("let x = 1;\nlet y = 2;\n", Visibility::Seen), None);
        assert_eq!(note("let x = 1;\nlet y = 2;\n", Visibility::Folded), Some(Plain::Page));
        drawn_with(Highlight::Budget, allowance, || {
            assert!(colored("let x = 1;\nlet x = 1;\n", "rust", Visibility::Folded).note.is_some());
            assert!(colored("let x = 1;\nlet x = 1;\n", "rust", Visibility::Seen).note.is_none());
            assert!(colored("let", "rust", Visibility::Seen).note.is_some(), "it is used up");
        });
    }
}
