//! The classes of tokens, as the style sheet (static/css/code.css) knows them.

/// The class of a token; `None` is plain text.
pub(super) type Class = Option<&'static str>;

pub(super) const KEYWORD: Class = Some("k");
pub(super) const STRING: Class = Some("s");
pub(super) const COMMENT: Class = Some("c");
/// Numbers, named constants, escapes in strings.
pub(super) const CONSTANT: Class = Some("n");
pub(super) const FUNCTION: Class = Some("f");
pub(super) const TYPE: Class = Some("t");
pub(super) const OPERATOR: Class = Some("o");
/// Keys, attributes, properties, tags.
pub(super) const KEY: Class = Some("a");
/// Headings, annotations, redaction marks.
pub(super) const META: Class = Some("m");
pub(super) const DELETED: Class = Some("d");
pub(super) const INSERTED: Class = Some("i");

/// Blanks: they take the class around them, for fewer spans of the same look.
pub(super) const BLANK: Class = Some("");

/// One token: where it ends, and its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) end: usize,
    pub(super) class: Class,
}

/// Tokens one behind the other; neighbors of one class are one.
#[derive(Debug, Default)]
pub(super) struct Tokens(Vec<Token>);

impl Tokens {
    /// A token from the end of the last one on.
    pub(super) fn push(&mut self, end: usize, class: Class) {
        match self.0.last_mut() {
            Some(last) if last.end >= end => {}
            Some(last) if last.class == class => last.end = end,
            _ if end == 0 => {}
            _ => self.0.push(Token { end, class }),
        }
    }

    pub(super) fn into_vec(self) -> Vec<Token> {
        self.0
    }
}
