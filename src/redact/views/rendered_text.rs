//! A text as Markdown and HTML show it: without backslashes before signs,
//! entities, invisible characters, and emphasis within a word.

use std::ops::Range;

use crate::redact::bytes::{self, Bytes};

use super::view::View;

/// What stands otherwise, and the letter it is shown as, if any.
type SecretPiece = (Range<usize>, Option<char>);

/// The longest entity that is read, `&ZeroWidthSpace;`, in bytes.
const MAX_ENTITY: usize = 16;

/// Backslashes before one sign: five levels of JSON.
const MAX_BACKSLASHES: usize = 32;

/// The bytes with which a piece may begin, a backslash among them.
pub(super) const SHOWN_OTHERWISE: Bytes = Bytes::of(b"\0\\&*`\xe2\xef\xc2");

/// Entities by name, those of signs that secrets are made of.
#[rustfmt::skip]
const NAMED: &[(&str, Option<char>)] = &[
    ("amp", Some('&')), ("AMP", Some('&')), ("lt", Some('<')), ("gt", Some('>')),
    ("quot", Some('"')), ("apos", Some('\'')), ("lowbar", Some('_')), ("UnderBar", Some('_')),
    ("hyphen", Some('-')), ("dash", Some('-')), ("period", Some('.')), ("comma", Some(',')),
    ("colon", Some(':')), ("semi", Some(';')), ("equals", Some('=')), ("sol", Some('/')),
    ("bsol", Some('\\')), ("plus", Some('+')), ("num", Some('#')), ("excl", Some('!')),
    ("quest", Some('?')), ("dollar", Some('$')), ("percnt", Some('%')), ("commat", Some('@')),
    ("ast", Some('*')), ("midast", Some('*')), ("grave", Some('`')), ("Hat", Some('^')),
    ("verbar", Some('|')), ("vert", Some('|')), ("lpar", Some('(')), ("rpar", Some(')')),
    ("lsqb", Some('[')), ("lbrack", Some('[')), ("rsqb", Some(']')), ("rbrack", Some(']')),
    ("lcub", Some('{')), ("lbrace", Some('{')), ("rcub", Some('}')), ("rbrace", Some('}')),
    ("shy", None), ("zwj", None), ("zwnj", None), ("ZeroWidthSpace", None), ("NoBreak", None),
];

/// The text as it is shown. `None` when it reads the same.
pub(crate) fn shown(text: &str) -> Option<View> {
    let bytes = text.as_bytes();
    if !is_shown_otherwise(bytes) {
        return None;
    }
    let mut at = 0;
    let pieces = std::iter::from_fn(|| {
        loop {
            at += bytes.get(at..)?.iter().position(|&byte| SHOWN_OTHERWISE.has(byte))?;
            match piece(bytes, at) {
                Some(piece) => {
                    at = piece.0.end;
                    return Some(piece);
                }
                None => at += 1,
            }
        }
    });
    View::build(text, pieces)
}

/// Whether anything is shown otherwise, at the speed that text without it is gone through.
fn is_shown_otherwise(bytes: &[u8]) -> bool {
    let is_piece = |at| piece(bytes, at).is_some();
    memchr::memchr3_iter(b'\\', b'&', b'*', bytes).any(is_piece)
        || memchr::memchr3_iter(b'`', 0xe2, 0xef, bytes).any(is_piece)
        || memchr::memchr(0, bytes).is_some()
        || bytes::contains(bytes, "\u{ad}".as_bytes())
}

fn piece(bytes: &[u8], at: usize) -> Option<SecretPiece> {
    let rest = &bytes[at..];
    match rest[0] {
        // Between the letters of UTF-16 that was taken for UTF-8.
        0 => Some((at..at + 1, None)),
        b'\\' => backslashes(rest).map(|len| (at..at + len, None)),
        b'&' => entity(rest).map(|(letter, len)| (at..at + len, letter)),
        b'*' | b'`' => {
            let len = rest.iter().take(5).take_while(|byte| matches!(byte, b'*' | b'`')).count();
            let before = at.checked_sub(1).map(|before| &bytes[before]);
            let is_within = len <= 4 && is_of_word(before) && is_of_word(rest.get(len));
            is_within.then_some((at..at + len, None))
        }
        _ => ["\u{200b}", "\u{200c}", "\u{200d}", "\u{2060}", "\u{feff}", "\u{ad}"]
            .iter()
            .find(|sign| rest.starts_with(sign.as_bytes()))
            .map(|sign| (at..at + sign.len(), None)),
    }
}

/// What may stand at either side of emphasis within a secret.
fn is_of_word(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-.+=\\&;".contains(byte))
}

/// The length of backslashes before a sign, or of an escaped invisible character.
/// Any number of them, since JSON doubles them; what JSON escapes itself is left to it.
fn backslashes(rest: &[u8]) -> Option<usize> {
    let len = rest.iter().take(MAX_BACKSLASHES).take_while(|&&byte| byte == b'\\').count();
    let next = *rest.get(len)?;
    if next == b'u' {
        let code = rest.get(len + 1..len + 5)?;
        let is_invisible = [b"0000", b"200b", b"200c", b"200d", b"2060", b"feff", b"00ad"]
            .iter()
            .any(|invisible| code.eq_ignore_ascii_case(*invisible));
        return is_invisible.then_some(len + 5);
    }
    (next.is_ascii_punctuation() && !matches!(next, b'"' | b'\'' | b'/')).then_some(len)
}

/// The letter of an entity and the entity's length.
fn entity(rest: &[u8]) -> Option<(Option<char>, usize)> {
    let len = rest.iter().take(MAX_ENTITY).position(|&byte| byte == b';')?;
    let name = std::str::from_utf8(&rest[1..len]).ok()?;
    let letter = match name.strip_prefix('#') {
        Some(code) => Some(numbered(code)?).filter(|letter| !is_invisible(*letter)),
        None => NAMED.iter().find(|(named, _)| *named == name)?.1,
    };
    Some((letter, len + 1))
}

fn numbered(code: &str) -> Option<char> {
    let code = match code.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => code.parse().ok()?,
    };
    char::from_u32(code)
}

fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}
