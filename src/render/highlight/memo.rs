//! Lines that a grammar has read before. Sessions show the same files again
//! and again, and a grammar reads well under 1 MB a second.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::rc::Rc;
use std::sync::LazyLock;

use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference};

use super::class::{BLANK, Class, Token};
use crate::language::{self, SYNTAXES};

/// About so many bytes are kept, then all are dropped. It bounds memory alone:
/// a line read anew gives what it gave before.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// What a state, a line and a token take beside their text, about.
const STATE_BYTES: usize = 1024;
const LINE_BYTES: usize = 128;

/// Scope prefixes by class, most telling first.
static CLASSES: LazyLock<Vec<(Scope, &'static str)>> = LazyLock::new(|| {
    let table = [
        ("comment", "c"),
        ("punctuation.definition.comment", "c"),
        ("string", "s"),
        ("punctuation.definition.string", "s"),
        ("constant.character.escape", "n"),
        ("constant", "n"),
        ("variable.function", "f"),
        ("entity.name.function", "f"),
        ("support.function", "f"),
        ("entity.name.tag", "a"),
        ("entity.other.attribute-name", "a"),
        ("meta.mapping.key", "a"),
        ("support.type.property-name", "a"),
        ("entity.name.section", "m"),
        ("markup.heading", "m"),
        ("markup.deleted", "d"),
        ("markup.inserted", "i"),
        ("meta.diff.header", "m"),
        ("entity.name", "t"),
        ("support.type", "t"),
        ("support.class", "t"),
        ("storage.type", "k"),
        ("storage", "k"),
        ("keyword.operator", "o"),
        ("keyword", "k"),
        ("variable.language", "k"),
        ("variable.parameter", "v"),
        ("invalid", "e"),
    ];
    let scope = |name| Scope::new(name).ok();
    table.into_iter().filter_map(|(name, class)| Some((scope(name)?, class))).collect()
});

/// Where a grammar stands between two lines.
#[derive(Debug, Clone, PartialEq)]
struct GrammarState {
    parse: ParseState,
    scopes: ScopeStack,
}

/// A line as read from a state, and the state behind it.
#[derive(Debug, Clone)]
struct ColoredLine {
    tokens: Rc<[Token]>,
    next: StateId,
}

/// A state that was met, by a small number.
pub(super) type StateId = usize;

#[derive(Debug)]
struct Met {
    state: GrammarState,
    lines: HashMap<Box<str>, ColoredLine>,
}

/// The states and lines met so far.
#[derive(Debug, Default)]
pub(super) struct Memo {
    met: Vec<Met>,
    /// States by a hash: a parser's state can be compared but not hashed.
    by_hash: HashMap<u64, Vec<StateId>>,
    syntaxes: HashMap<String, Option<&'static SyntaxReference>>,
    class_of: HashMap<Scope, Class>,
    bytes: usize,
}

impl Memo {
    /// The grammar of a language; looking it up is a walk over all of them.
    pub(super) fn syntax(&mut self, language: &str) -> Option<&'static SyntaxReference> {
        if let Some(known) = self.syntaxes.get(language) {
            return *known;
        }
        let syntax = language::syntax(language);
        self.bytes += STATE_BYTES;
        self.syntaxes.insert(language.to_owned(), syntax);
        syntax
    }

    /// The state before the first line.
    pub(super) fn start(&mut self, syntax: &SyntaxReference) -> StateId {
        self.number(GrammarState { parse: ParseState::new(syntax), scopes: ScopeStack::new() })
    }

    /// Reads a line with its newline. `None` when the grammar fails on it.
    pub(super) fn line(&mut self, from: StateId, line: &str) -> Option<(Rc<[Token]>, StateId)> {
        if let Some(ColoredLine { tokens, next }) = self.met[from].lines.get(line) {
            return Some((Rc::clone(tokens), *next));
        }
        let mut state = self.met[from].state.clone();
        let from = if self.bytes > MAX_BYTES { self.drop_but(state.clone()) } else { from };
        let operations = state.parse.parse_line(line, &SYNTAXES).ok()?;
        let mut tokens = Vec::with_capacity(operations.len() + 1);
        let mut start = 0;
        for (end, operation) in operations {
            self.token(line, start..end, &state.scopes, &mut tokens);
            start = end;
            state.scopes.apply(&operation).ok()?;
        }
        self.token(line, start..line.len(), &state.scopes, &mut tokens);
        let tokens: Rc<[Token]> = tokens.into();
        let next = self.number(state);
        self.bytes += line.len() + size_of_val(&*tokens) + LINE_BYTES;
        self.met[from].lines.insert(line.into(), ColoredLine { tokens: Rc::clone(&tokens), next });
        Some((tokens, next))
    }

    /// Begins anew with the state at hand.
    fn drop_but(&mut self, state: GrammarState) -> StateId {
        *self = Memo::default();
        self.number(state)
    }

    fn token(
        &mut self,
        line: &str,
        range: std::ops::Range<usize>,
        scopes: &ScopeStack,
        tokens: &mut Vec<Token>,
    ) {
        let text = &line[range.clone()];
        let end = range.end;
        // Blanks take the class around them: fewer spans, same look.
        if text.trim().is_empty() {
            match tokens.last_mut() {
                Some(last) => last.end = end,
                None if !text.is_empty() => tokens.push(Token { end, class: BLANK }),
                None => {}
            }
            return;
        }
        let class = self.class(scopes);
        match tokens.last_mut() {
            Some(last) if last.class == class => last.end = end,
            _ => tokens.push(Token { end, class }),
        }
    }

    fn class(&mut self, scopes: &ScopeStack) -> Class {
        scopes.scopes.iter().rev().find_map(|scope| {
            *self.class_of.entry(*scope).or_insert_with(|| {
                CLASSES
                    .iter()
                    .find(|(prefix, _)| prefix.is_prefix_of(*scope))
                    .map(|(_, class)| *class)
            })
        })
    }

    fn number(&mut self, state: GrammarState) -> StateId {
        let mut hasher = DefaultHasher::new();
        state.scopes.scopes.hash(&mut hasher);
        let met = &self.met;
        let alike = self.by_hash.entry(hasher.finish()).or_default();
        if let Some(&known) = alike.iter().find(|&&known| met[known].state == state) {
            return known;
        }
        alike.push(self.met.len());
        self.bytes += STATE_BYTES;
        self.met.push(Met { state, lines: HashMap::new() });
        self.met.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The classes of a text's lines.
    fn read(memo: &mut Memo, code: &str, forget: bool) -> Vec<(usize, Class)> {
        let syntax = memo.syntax("rust").unwrap();
        let mut state = memo.start(syntax);
        let mut read = Vec::new();
        for line in code.split_inclusive('\n') {
            if forget {
                memo.bytes = MAX_BYTES + 1;
            }
            let (tokens, next) = memo.line(state, line).unwrap();
            read.extend(tokens.iter().map(|token| (token.end, token.class)));
            state = next;
        }
        read
    }

    #[test]
    fn what_was_forgotten_is_read_again_and_the_same() {
        let code = "fn a() {\n/* one\n two */ let s = \"x\n  y\";\n}\n".repeat(3);
        let fresh = read(&mut Memo::default(), &code, false);
        let mut memo = Memo::default();
        assert_eq!(read(&mut memo, &code, true), fresh);
        assert!(memo.met.len() < 3, "it was dropped");
        assert_eq!(read(&mut memo, &code, false), fresh);
        let met = memo.met.len();
        assert_eq!(read(&mut memo, &code, false), fresh);
        assert_eq!(memo.met.len(), met, "nothing is read twice");
    }
}
