//! Programs: comments, strings, numbers, words, calls.
//!
//! One reader for all of them; `languages.rs` has a `Script` for each, which says what it is made of. `step` takes
//! the next piece: comments and strings first, since nothing in them means anything. It remembers only what stood
//! before (`Before`), which is enough to tell a pattern from a division, and it never goes back: code costs one pass.

use std::collections::HashMap;

use super::super::class::{COMMENT, CONSTANT, Class, FUNCTION, KEY, KEYWORD, META, STRING, TYPE};
use super::{Cursor, Words, is_word};

/// A way to write strings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    /// A backslash takes the next character along.
    pub(super) escapes: bool,
    /// It may go on in the next line.
    pub(super) lines: bool,
}

/// What a language's programs are made of. Lists of words are separated by blanks.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "a table of what languages have")]
pub(super) struct Script {
    pub(super) keywords: &'static str,
    pub(super) constants: &'static str,
    pub(super) types: &'static str,
    /// What begins a comment to the line's end.
    pub(super) line: &'static [&'static str],
    pub(super) block: &'static [(&'static str, &'static str)],
    /// Comments may lie in comments.
    pub(super) nested: bool,
    /// Longer ones first.
    pub(super) quotes: &'static [Quote],
    /// What else is part of a word.
    pub(super) word: &'static [u8],
    /// What begins a word and belongs to it, such as `$`.
    pub(super) sigils: &'static [u8],
    /// Begins an annotation.
    pub(super) annotation: Option<u8>,
    /// `Name` is a type.
    pub(super) camel_types: bool,
    /// `name(` is a call.
    pub(super) calls: bool,
    /// `(name` is a call.
    pub(super) head_calls: bool,
    /// A string or a word before a `:` is a key.
    pub(super) keys: bool,
    pub(super) ignore_case: bool,
    /// `#word` at a line's beginning is a directive.
    pub(super) directives: bool,
    /// `/…/` is a pattern where a value may stand.
    pub(super) patterns: bool,
    /// `` `${…}` ``.
    pub(super) templates: bool,
    /// Lifetimes, raw strings, macros.
    pub(super) rust: bool,
    /// `r"…"`, `f"…"`.
    pub(super) prefixes: bool,
}

impl Script {
    pub(super) fn words(&self) -> HashMap<&'static str, Class> {
        let lists = [(self.types, TYPE), (self.constants, CONSTANT), (self.keywords, KEYWORD)];
        let words =
            |(list, class): (&'static str, Class)| list.split(' ').map(move |word| (word, class));
        lists.into_iter().flat_map(words).collect()
    }
}

/// No pattern is longer, in bytes: without a bound, signs that open none would each be followed to the
/// line's end.
const MAX_PATTERN: usize = 1000;

/// What was read last that means something, to tell a pattern from a division and a name from a use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A value ended: a name, a number, `)`.
    Value,
    /// An operator, an opening bracket, a keyword.
    Operator,
    /// `fn`, `def` …: the name of a function follows.
    Function,
    /// `class`, `struct` …: the name of a type follows.
    Type,
    /// `(`.
    Open,
}

struct Reader<'r, 'c> {
    script: &'r Script,
    words: &'r Words,
    cursor: &'r mut Cursor<'c>,
    before: Before,
    /// Open braces within each open template.
    templates: Vec<usize>,
    starts_line: bool,
}

pub(super) fn read(script: &Script, words: &Words, cursor: &mut Cursor<'_>) {
    let (before, templates) = (Before::Operator, Vec::new());
    let mut reader = Reader { script, words, cursor, before, templates, starts_line: true };
    while !reader.cursor.is_done() {
        reader.step();
    }
}

impl Reader<'_, '_> {
    fn step(&mut self) {
        let byte = self.cursor.byte();
        if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
            let from = self.cursor.at;
            self.cursor.blanks(true);
            let blanks = &self.cursor.code.as_bytes()[from..self.cursor.at];
            self.starts_line |= memchr::memchr(b'\n', blanks).is_some();
            return;
        }
        let starts_line = std::mem::take(&mut self.starts_line);
        if self.comment() || self.quoted() {
            return;
        }
        let next = self.cursor.ahead(1);
        if byte.is_ascii_digit() || byte == b'.' && next.is_ascii_digit() && self.begins_value() {
            self.number();
        } else if byte == b'#' && self.script.directives && starts_line {
            self.cursor.take(1, KEYWORD);
            self.cursor.blanks(false);
            self.cursor.take_while(KEYWORD, is_word);
        } else if self.script.annotation == Some(byte) && is_word(next) {
            self.cursor.take(1, META);
            self.cursor.take_while(META, |byte| is_word(byte) || byte == b'.');
        } else if self.script.rust && byte == b'#' && matches!(next, b'[' | b'!') {
            self.attribute();
        } else if is_word(byte)
            || self.script.sigils.contains(&byte) && (is_word(next) || byte == next)
        {
            self.word();
        } else {
            self.sign(byte);
        }
    }

    fn comment(&mut self) -> bool {
        for (open, close) in self.script.block {
            if self.cursor.starts_with(open) {
                self.block_comment(open, close);
                return true;
            }
        }
        let is_line = self.script.line.iter().any(|open| {
            self.cursor.starts_with(open)
                // Not within a name: `rem` of `remove`.
                && !(open.bytes().all(is_word) && is_word(self.cursor.ahead(open.len())))
        });
        if is_line {
            self.cursor.take_line(COMMENT);
        }
        is_line
    }

    fn block_comment(&mut self, open: &str, close: &str) {
        self.cursor.take(open.len(), COMMENT);
        if !self.script.nested {
            return self.cursor.take_through(close, COMMENT);
        }
        let mut depth = 1;
        while depth > 0 && !self.cursor.is_done() {
            let (first, other) = (open.as_bytes()[0], close.as_bytes()[0]);
            let bytes = self.cursor.rest().as_bytes();
            let next = memchr::memchr2(first, other, bytes).unwrap_or(bytes.len());
            self.cursor.take(next, COMMENT);
            if self.cursor.starts_with(close) {
                depth -= 1;
                self.cursor.take(close.len(), COMMENT);
            } else if self.cursor.starts_with(open) {
                depth += 1;
                self.cursor.take(open.len(), COMMENT);
            } else {
                self.cursor.take(1, COMMENT);
            }
        }
    }

    fn quoted(&mut self) -> bool {
        if self.script.templates && self.cursor.byte() == b'`' {
            self.cursor.take(1, STRING);
            self.template();
            return true;
        }
        if self.script.rust && self.cursor.byte() == b'\'' {
            return self.lifetime_or_character();
        }
        let quotes = self.script.quotes;
        let Some(quote) = quotes.iter().find(|quote| self.cursor.starts_with(quote.open)) else {
            return self.script.patterns && self.pattern();
        };
        let from = self.cursor.at;
        let class = if self.script.keys && self.is_key(quote) { KEY } else { STRING };
        self.cursor.take(quote.open.len(), class);
        self.cursor.string(quote.close, quote.escapes, quote.lines, class);
        debug_assert!(self.cursor.at > from, "a string is read on");
        self.before = Before::Value;
        true
    }

    /// Whether a colon follows the string.
    fn is_key(&self, quote: &Quote) -> bool {
        let rest = self.cursor.rest();
        let mut from = quote.open.len();
        while let Some(at) = rest
            .as_bytes()
            .get(from..)
            .and_then(|rest| memchr::memchr3(quote.close.as_bytes()[0], b'\\', b'\n', rest))
        {
            match rest.as_bytes()[from + at] {
                b'\\' => from += at + 2,
                b'\n' => return false,
                _ => {
                    let mut after = rest.as_bytes()[from + at + 1..].iter();
                    return after.find(|byte| !matches!(byte, b' ' | b'\t')) == Some(&b':');
                }
            }
        }
        false
    }

    /// From behind its backtick or a `}` on.
    fn template(&mut self) {
        loop {
            let bytes = self.cursor.rest().as_bytes();
            let next = memchr::memchr3(b'`', b'\\', b'$', bytes).unwrap_or(bytes.len());
            self.cursor.take(next, STRING);
            match (self.cursor.byte(), self.cursor.ahead(1)) {
                (b'`', _) => {
                    self.before = Before::Value;
                    return self.cursor.take(1, STRING);
                }
                (b'$', b'{') => {
                    self.templates.push(0);
                    self.before = Before::Operator;
                    return self.cursor.take(2, None);
                }
                (b'\\', next) if next.is_ascii() => self.cursor.take(2, CONSTANT),
                _ if self.cursor.is_done() => return,
                _ => self.cursor.take(1, STRING),
            }
        }
    }

    fn lifetime_or_character(&mut self) -> bool {
        let mut characters = self.cursor.rest().chars().skip(1);
        let (first, second) = (characters.next(), characters.next());
        if first == Some('\\') || second == Some('\'') {
            self.cursor.take(1, STRING);
            self.cursor.string("'", true, false, STRING);
        } else {
            self.cursor.take(1, KEYWORD);
            self.cursor.take_while(KEYWORD, is_word);
        }
        self.before = Before::Value;
        true
    }

    fn pattern(&mut self) -> bool {
        if self.cursor.byte() != b'/' || self.before == Before::Value {
            return false;
        }
        let bytes = self.cursor.rest().as_bytes();
        let line = &bytes[..bytes.len().min(MAX_PATTERN)];
        let (mut at, mut in_class) = (1, false);
        loop {
            match line.get(at) {
                None | Some(b'\n') => return false,
                Some(b'\\') => at += 1,
                Some(b'[') => in_class = true,
                Some(b']') => in_class = false,
                Some(b'/') if !in_class => break,
                Some(_) => {}
            }
            at += 1;
        }
        self.cursor.take(at + 1, STRING);
        self.cursor.take_while(STRING, |byte| byte.is_ascii_alphabetic());
        self.before = Before::Value;
        true
    }

    /// Whether a dot begins a number: it is no member's, and no range's.
    fn begins_value(&self) -> bool {
        self.before != Before::Value && !self.cursor.code[..self.cursor.at].ends_with('.')
    }

    fn number(&mut self) {
        let bytes = self.cursor.rest().as_bytes();
        let is_hex = bytes.len() > 1 && matches!(bytes[1], b'x' | b'X');
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let next = bytes.get(at + 1).copied().unwrap_or(0);
            let is_part = byte.is_ascii_alphanumeric()
                || byte == b'_'
                || byte == b'.' && next.is_ascii_digit()
                || matches!(byte, b'+' | b'-')
                    && !is_hex
                    && at > 0
                    && matches!(bytes[at - 1], b'e' | b'E')
                    && next.is_ascii_digit();
            if !is_part {
                break;
            }
            at += 1;
        }
        self.cursor.take(at, CONSTANT);
        self.before = Before::Value;
    }

    /// `#[…]`, over lines.
    fn attribute(&mut self) {
        let bytes = self.cursor.rest().as_bytes();
        let mut depth = 0_usize;
        let end = bytes.iter().position(|byte| {
            depth += usize::from(*byte == b'[');
            depth -= usize::from(*byte == b']' && depth > 0);
            depth == 0 && matches!(byte, b']' | b'\n')
        });
        self.cursor.take(end.map_or(bytes.len(), |end| end + 1), META);
    }

    fn word(&mut self) {
        let Script { word, sigils, .. } = *self.script;
        let rest = self.cursor.rest();
        let is_part = |byte: &u8| is_word(*byte) || word.contains(byte);
        let start = rest.bytes().position(|byte| !sigils.contains(&byte)).unwrap_or(rest.len());
        let len = rest.as_bytes()[start..].iter().position(|byte| !is_part(byte));
        let len = len.map_or(rest.len(), |len| start + len);
        let text = &rest[..len];
        if (self.script.prefixes || self.script.rust) && self.prefixed_string(text) {
            return;
        }
        if self.script.rust && is_macro(&rest[len..]) {
            self.before = Before::Value;
            return self.cursor.take(len + 1, FUNCTION);
        }
        let class = self.class(text);
        self.cursor.take(len, class);
        self.before = match (class, text) {
            (KEYWORD, "fn" | "def" | "function" | "func" | "fun" | "sub" | "proc") => {
                Before::Function
            }
            (
                KEYWORD,
                "class" | "struct" | "enum" | "trait" | "interface" | "type" | "union" | "module"
                | "protocol" | "extends" | "implements",
            ) => Before::Type,
            (KEYWORD, "this" | "self" | "super") => Before::Value,
            (KEYWORD, _) => Before::Operator,
            _ => Before::Value,
        };
    }

    fn class(&self, text: &str) -> Class {
        let known = if self.script.ignore_case {
            self.words.get(text.to_ascii_lowercase().as_str())
        } else {
            self.words.get(text)
        };
        let next = self.cursor.ahead(text.len());
        match (known, self.before) {
            // A member may have a keyword's name.
            (Some(_), _) if self.is_member() => {}
            (Some(class), _) => return class,
            (None, Before::Function) => return FUNCTION,
            (None, Before::Type) => return TYPE,
            (None, Before::Open) if self.script.head_calls => return FUNCTION,
            (None, _) => {}
        }
        if self.script.calls && next == b'(' {
            return FUNCTION;
        }
        let mut letters = text.chars();
        let is_camel =
            letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase);
        if self.script.camel_types && is_camel { TYPE } else { None }
    }

    /// Whether a single dot stands before the word.
    fn is_member(&self) -> bool {
        let before = &self.cursor.code.as_bytes()[..self.cursor.at];
        before.ends_with(b".") && !before.ends_with(b"..")
    }

    /// `r#"…"#`, `b"…"`, `f'…'`.
    fn prefixed_string(&mut self, text: &str) -> bool {
        let is_short = text.len() <= 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
        let after = &self.cursor.rest()[text.len()..];
        if !is_short || !after.starts_with(['"', '\'', '#']) {
            return false;
        }
        if self.script.rust {
            let hashes = after.bytes().take_while(|byte| *byte == b'#').count();
            if !matches!(text, "r" | "br" | "cr") || !after[hashes..].starts_with('"') {
                return false;
            }
            self.cursor.take(text.len() + hashes + 1, STRING);
            self.cursor.take_through(&format!("\"{}", "#".repeat(hashes)), STRING);
        } else {
            if after.starts_with('#') || !text.bytes().all(|byte| b"rRbBfFuUtT".contains(&byte)) {
                return false;
            }
            self.cursor.take(text.len(), STRING);
            self.quoted();
        }
        self.before = Before::Value;
        true
    }

    /// An operator or a bracket.
    fn sign(&mut self, byte: u8) {
        if byte == b'<' && self.script.templates && self.before != Before::Value {
            // A tag within a program; behind a name it is a comparison or a list of types.
            self.cursor.take(if self.cursor.ahead(1) == b'/' { 2 } else { 1 }, None);
            self.cursor.take_while(KEY, |byte| is_word(byte) || matches!(byte, b'.' | b'-'));
            self.before = Before::Value;
            return;
        }
        if let Some(depth) = self.templates.last_mut() {
            match byte {
                b'{' => *depth += 1,
                b'}' if *depth == 0 => {
                    self.templates.pop();
                    self.cursor.take(1, None);
                    return self.template();
                }
                b'}' => *depth -= 1,
                _ => {}
            }
        }
        self.cursor.take(1, None);
        self.before = match byte {
            b')' | b']' | b'}' => Before::Value,
            b'(' => Before::Open,
            _ => Before::Operator,
        };
    }
}

/// Whether `!` and a bracket follow a name.
fn is_macro(after: &str) -> bool {
    let mut bytes = after.bytes();
    bytes.next() == Some(b'!') && matches!(bytes.next(), Some(b'(' | b'[' | b'{'))
}
