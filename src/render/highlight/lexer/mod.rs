//! Colors without a grammar: comments, strings, numbers, keywords, calls and keys, recognized by tables
//! of each language. It reads over 100 MB a second where a grammar reads under 1, so all code of
//! a page is colored, however much there is.
//!
//! One file for each way of writing: programs (`script`), command lines, markup, styles, keys with
//! values, prose. A lexer never fails: what it does not know stays plain.

mod data;
mod languages;
mod markup;
mod names;
mod prose;
mod script;
mod shell;
mod style;

use std::collections::HashMap;
use std::rc::Rc;

use super::class::{Class, Token, Tokens};
use script::Script;

/// How a language is read.
#[derive(Debug, Clone, Copy)]
enum Way {
    Script(&'static Script),
    Shell,
    Markup,
    Style,
    /// `key: value`, by indentation.
    Yaml,
    /// `key = value` in `[sections]`.
    Sections,
    Makefile,
    Dockerfile,
    Markdown,
    Diff,
    Latex,
    Columns,
}

/// How to read one language.
#[derive(Debug)]
pub(super) struct Lexer {
    way: Way,
    words: Words,
}

/// Words that have a class.
#[derive(Debug)]
struct Words {
    classes: HashMap<&'static str, Class>,
    /// By first letter: a bit for each length that a word has. Most words of a program are names, and
    /// end their search here.
    lengths: [u32; 128],
}

impl Words {
    fn new(classes: HashMap<&'static str, Class>) -> Words {
        let mut lengths = [0; 128];
        for word in classes.keys().filter(|word| !word.is_empty()) {
            lengths[usize::from(word.as_bytes()[0])] |= 1 << word.len().min(31);
        }
        Words { classes, lengths }
    }

    /// The class of a word, if it is one of them.
    fn get(&self, word: &str) -> Option<Class> {
        let lengths = self.lengths.get(usize::from(*word.as_bytes().first()?))?;
        if lengths >> word.len().min(31) & 1 == 0 {
            return None;
        }
        self.classes.get(word).copied()
    }
}

/// The lexers of the languages met so far.
#[derive(Debug, Default)]
pub(super) struct Lexers(HashMap<String, Option<Rc<Lexer>>>);

impl Lexers {
    /// The name of what reads any other language: texts and numbers.
    pub(super) const OTHER: &str = "*";

    /// The lexer of a language, by the name that the grammars have for it.
    pub(super) fn of(&mut self, language: &str) -> Option<Rc<Lexer>> {
        if let Some(known) = self.0.get(language) {
            return known.clone();
        }
        let lexer = names::way(language).map(|way| {
            let words = match way {
                Way::Script(script) => script.words(),
                Way::Shell | Way::Makefile | Way::Dockerfile => languages::SHELL_WORDS.words(),
                _ => HashMap::new(),
            };
            Rc::new(Lexer { way, words: Words::new(words) })
        });
        self.0.insert(language.to_owned(), lexer.clone());
        lexer
    }

    /// The tokens of a text, to its end.
    pub(super) fn tokens(&mut self, lexer: &Lexer, code: &str) -> Vec<Token> {
        let mut cursor = Cursor::new(code);
        if code.starts_with("#!/") {
            cursor.take_line(super::class::COMMENT);
        }
        self.read(lexer, &mut cursor);
        cursor.to(code.len(), None);
        cursor.tokens.into_vec()
    }

    /// Reads on to the cursor's end.
    fn read(&mut self, lexer: &Lexer, cursor: &mut Cursor<'_>) {
        match lexer.way {
            Way::Script(script) => script::read(script, &lexer.words, cursor),
            Way::Shell => shell::read(&lexer.words, cursor),
            Way::Markup => markup::read(self, cursor),
            Way::Style => style::read(cursor),
            Way::Yaml => data::yaml(cursor),
            Way::Sections => data::sections(cursor),
            Way::Makefile => data::makefile(&lexer.words, cursor),
            Way::Dockerfile => data::dockerfile(&lexer.words, cursor),
            Way::Markdown => prose::markdown(self, cursor),
            Way::Diff => prose::diff(cursor),
            Way::Latex => prose::latex(cursor),
            Way::Columns => data::columns(cursor),
        }
    }
}

/// A place in a text, and the tokens before it.
#[derive(Debug)]
struct Cursor<'c> {
    code: &'c str,
    at: usize,
    /// Reading ends here, such as where a fence or a `<script>` does.
    end: usize,
    tokens: Tokens,
}

impl<'c> Cursor<'c> {
    fn new(code: &'c str) -> Cursor<'c> {
        Cursor { code, at: 0, end: code.len(), tokens: Tokens::default() }
    }

    fn rest(&self) -> &'c str {
        &self.code[self.at..self.end]
    }

    /// The byte at the cursor; 0 at the end.
    fn byte(&self) -> u8 {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> u8 {
        self.code.as_bytes()[self.at..self.end].get(by).copied().unwrap_or(0)
    }

    fn is_done(&self) -> bool {
        self.at >= self.end
    }

    fn starts_with(&self, text: &str) -> bool {
        self.rest().as_bytes().starts_with(text.as_bytes())
    }

    /// All up to `end` has this class, and the rest of a character that ends behind it.
    fn to(&mut self, mut end: usize, class: Class) {
        while !self.code.is_char_boundary(end) {
            end += 1;
        }
        self.tokens.push(end, class);
        self.at = end;
    }

    /// So many bytes more have this class.
    fn take(&mut self, bytes: usize, class: Class) {
        self.to((self.at + bytes).min(self.end), class);
    }

    /// All bytes that are so have this class; says whether there are any.
    fn take_while(&mut self, class: Class, is: impl Fn(u8) -> bool) -> bool {
        let from = self.at;
        let bytes = self.rest().bytes().position(|byte| !is(byte));
        self.take(bytes.unwrap_or(self.end - self.at), class);
        self.at > from
    }

    /// The end of this line, before its newline.
    fn line_end(&self) -> usize {
        let found = memchr::memchr(b'\n', self.rest().as_bytes());
        let end = found.map_or(self.end, |at| self.at + at);
        #[cfg(test)]
        tests::looked_at(end - self.at);
        end
    }

    fn line(&self) -> &'c str {
        &self.code[self.at..self.line_end()]
    }

    /// The rest of the line has this class.
    fn take_line(&mut self, class: Class) {
        self.to(self.line_end(), class);
    }

    /// Blanks, and with `lines` also newlines.
    fn blanks(&mut self, lines: bool) -> bool {
        self.take_while(super::class::BLANK, |byte| {
            matches!(byte, b' ' | b'\t' | b'\r') || lines && byte == b'\n'
        })
    }

    /// Up to and with the next `close`, or to the end.
    fn take_through(&mut self, close: &str, class: Class) {
        let found = memchr::memmem::find(self.rest().as_bytes(), close.as_bytes());
        self.to(found.map_or(self.end, |at| self.at + at + close.len()), class);
    }

    /// Reads a part of the text by something else, up to `end`.
    fn within(&mut self, end: usize, read: impl FnOnce(&mut Cursor<'c>)) {
        let whole = std::mem::replace(&mut self.end, end);
        read(self);
        self.to(end, None);
        self.end = whole;
    }

    /// A string from before its quote on, which also ends it.
    fn quoted(&mut self, quote: &str, escapes: bool, lines: bool) {
        self.take(quote.len(), super::class::STRING);
        self.string(quote, escapes, lines, super::class::STRING);
    }

    /// A string from behind its quote on; `lines` where it may go on in the next line. Escapes have
    /// a class of their own.
    fn string(&mut self, close: &str, escapes: bool, lines: bool, class: Class) {
        let closes = close.as_bytes()[0];
        loop {
            let bytes = self.rest().as_bytes();
            let next = memchr::memchr3(closes, b'\\', b'\n', bytes).unwrap_or(bytes.len());
            self.take(next, class);
            if self.is_done() || self.byte() == b'\n' && !lines {
                return;
            }
            if self.starts_with(close) {
                self.take(close.len(), class);
                return;
            }
            if self.byte() == b'\\' && escapes {
                let next = self.code[self.at + 1..self.end].chars().next();
                self.take(
                    1 + next.map_or(0, char::len_utf8),
                    super::class::CONSTANT.filter(|_| class == super::class::STRING).or(class),
                );
            } else {
                self.take(1, class);
            }
        }
    }
}

/// Letters, digits, `_` and everything beyond ASCII.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests;
