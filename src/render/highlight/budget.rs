//! How code is colored. Lexers are quick enough for all of it. Grammars, which read under 1 MB a
//! second, are for languages without a lexer, as far as the page's budget goes, or for all that
//! is colored where the caller asks for it.
//!
//! What an entry may color by grammars is known before anything is rendered. So a page is
//! the same whoever renders its entries, and in whichever order.

use std::cell::RefCell;

use memchr::memmem;

use super::class::Token;
use super::lexer::Lexers;
use super::memo::Memo;
use crate::language;
use crate::session::calls::Calls;
use crate::session::{EntryIndex, Session};
use crate::workers::{self, Threads};

/// A code with a line longer than this is left to a lexer; grammars are slowest on them.
const MAX_LINE_BYTES: usize = 8 * 1024;

/// What a grammar may read for one entry, in bytes, unless it may read everything.
const ENTRY_BYTES: usize = 16 * 1024;

/// What grammars may read for a page: so many bytes, and this part of its session's.
const PAGE_BYTES: usize = 64 * 1024;
const PAGE_SHARE: usize = 256;

/// How code gets its colors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Highlight {
    /// By tables of each language, which is fast, and by the grammars of syntect where a language
    /// has no table
    #[default]
    Fast,
    /// By the grammars of syntect, however long that takes
    Full,
    /// Not at all
    None,
}

/// How many bytes each entry of a page may have read by grammars.
#[derive(Debug, Default)]
pub(crate) struct Allowances {
    highlight: Highlight,
    /// By entry; nothing where there is no limit.
    of: Vec<usize>,
}

impl Allowances {
    /// Shares out the page's budget; whoever comes first in `order`, which
    /// has every entry once, gets all it may need.
    pub(crate) fn new(
        highlight: Highlight,
        session: &Session,
        calls: &Calls,
        order: &[EntryIndex],
        threads: Threads,
    ) -> Allowances {
        let needs: Vec<(EntryIndex, usize)> = match highlight {
            Highlight::Fast => {
                let needs =
                    workers::map(threads, order.len(), |at| need(session, calls, order[at]));
                order.iter().copied().zip(needs).collect()
            }
            Highlight::Full | Highlight::None => Vec::new(),
        };
        let bytes: usize = needs.iter().map(|(entry, _)| session.raw_len(*entry)).sum();
        let mut left = PAGE_BYTES + bytes / PAGE_SHARE;
        if needs.iter().map(|(_, need)| need).sum::<usize>() <= left {
            return Allowances { highlight, of: Vec::new() };
        }
        let mut of = vec![0; session.len()];
        for (entry, need) in needs {
            of[entry.get()] = need.min(ENTRY_BYTES).min(left);
            left -= of[entry.get()];
        }
        Allowances { highlight, of }
    }

    /// How an entry may be colored: which way, and how many bytes grammars may read of it.
    pub(in crate::render) fn of(&self, entry: EntryIndex) -> (Highlight, usize) {
        (self.highlight, self.of.get(entry.get()).copied().unwrap_or(usize::MAX))
    }
}

/// At most so many bytes of code are in an entry's article: those of its own
/// JSON and of the call that it answers.
fn need(session: &Session, calls: &Calls, entry: EntryIndex) -> usize {
    /// What stands in the JSON of other entries that show code: fences, and the person's own commands.
    const MARKS: [&[u8]; 3] = [b"```", b"~~~", b"Execution"];
    if let Some(call) = calls.call_of(entry) {
        return session.raw_len(entry) + session.raw_len(call.entry);
    }
    let own = session.raw_at(entry).as_bytes();
    if MARKS.iter().any(|mark| memmem::find(own, mark).is_some()) { own.len() } else { 0 }
}

/// What colors texts, and how much its grammars still may read.
#[derive(Debug)]
pub(in crate::render) struct Colors {
    lexers: Lexers,
    memo: Memo,
    as_set: (Highlight, usize),
}

impl Default for Colors {
    fn default() -> Self {
        Colors {
            lexers: Lexers::default(),
            memo: Memo::default(),
            as_set: (Highlight::Fast, usize::MAX),
        }
    }
}

thread_local! {
    // What was read before is of use for the next entry. The states of a grammar cannot go to another thread, as a
    // renderer does, so each thread has its own, and hands it down from here.
    static COLORS: RefCell<Colors> = RefCell::default();
}

/// Draws an entry that may be colored so.
pub(in crate::render) fn colored<R>(
    allowance: (Highlight, usize),
    draw: impl FnOnce(&mut Colors) -> R,
) -> R {
    COLORS.with_borrow_mut(|colors| {
        colors.as_set = allowance;
        draw(colors)
    })
}

impl Colors {
    /// The tokens of a code; `None` where it stays plain.
    pub(super) fn tokens(&mut self, code: &str, language: &str) -> Option<Vec<Token>> {
        if self.as_set.0 == Highlight::None {
            return None;
        }
        let name = language::known(language)?;
        let lexer = self.lexers.of(&name);
        if self.as_set.0 == Highlight::Fast
            && let Some(lexer) = &lexer
        {
            return Some(self.lexers.tokens(lexer, code));
        }
        let syntax = self.memo.syntax(&name);
        let colored = syntax.filter(|_| self.may_read(code)).and_then(|syntax| {
            let mut state = self.memo.start(syntax);
            let (mut tokens, mut at) = (Vec::new(), 0);
            for line in code.split_inclusive('\n') {
                let (read, next) = self.memo.line(state, line)?;
                tokens.extend(read.iter().map(|token| Token { end: at + token.end, ..*token }));
                state = next;
                at += line.len();
            }
            Some(tokens)
        });
        if colored.is_some() {
            return colored;
        }
        let lexer = lexer.or_else(|| syntax.and_then(|_| self.lexers.of(Lexers::OTHER)))?;
        Some(self.lexers.tokens(&lexer, code))
    }

    /// Whether a grammar may read a code; what it may is taken off the budget.
    fn may_read(&mut self, code: &str) -> bool {
        if code.lines().any(|line| line.len() > MAX_LINE_BYTES) {
            return false;
        }
        let (highlight, left) = &mut self.as_set;
        let rest = left.checked_sub(code.len()).filter(|_| *highlight == Highlight::Fast);
        *left = rest.unwrap_or(*left);
        rest.is_some() || *highlight == Highlight::Full
    }
}

#[cfg(all(test, feature = "highlight"))]
mod tests {
    use super::*;
    use crate::render::highlight::inline;

    fn drawn(code: &str, language: &str, highlight: Highlight, allowance: usize) -> String {
        let mut colors = Colors { as_set: (highlight, allowance), ..Colors::default() };
        inline(&mut colors, code, language).as_str().to_owned()
    }

    #[test]
    fn a_lexer_colors_all_of_a_code_of_any_length() {
        let code = "let x = 1;\n".repeat(20_000) + &"let y = 2; ".repeat(2_000);
        for highlight in [Highlight::Fast, Highlight::Full] {
            let html = drawn(&code, "rust", highlight, 0);
            assert_eq!(html.matches("<span class=\"k\">let").count(), 22_000);
        }
        assert_eq!(drawn(&code, "rust", Highlight::None, usize::MAX), code);
    }

    #[test]
    fn grammars_are_for_languages_without_a_table_and_within_the_budget() {
        let code = "program x\n  print *, \"a\" ! said\nend program\n";
        let whole = drawn(code, "fortran", Highlight::Full, 0);
        assert!(whole.contains("<span class=\"c\">! said"), "{whole}");
        assert_eq!(drawn(code, "fortran", Highlight::Fast, code.len()), whole);
        let plain = drawn(code, "fortran", Highlight::Fast, code.len() - 1);
        assert!(plain.contains("<span class=\"s\">&quot;a&quot;"), "{plain}");
        let mut colors = Colors { as_set: (Highlight::Fast, code.len()), ..Colors::default() };
        assert_eq!(inline(&mut colors, code, "fortran").as_str(), whole);
        assert_eq!(inline(&mut colors, code, "fortran").as_str(), plain, "it is used up");
    }
}
