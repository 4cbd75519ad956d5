//! CSS, SCSS, Less: selectors, properties, values.

use super::super::class::{BLANK, COMMENT, CONSTANT, FUNCTION, KEY, KEYWORD};
use super::{Cursor, is_word};

fn is_name(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

pub(super) fn read(cursor: &mut Cursor<'_>) {
    // A declaration's value is read, up to here.
    let mut value_end = 0;
    // What stands before this is known to be a selector.
    let mut selector_end = 0;
    while !cursor.is_done() {
        let byte = cursor.byte();
        let in_value = cursor.at < value_end;
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => cursor.take(1, BLANK),
            b'/' if cursor.starts_with("/*") => cursor.take_through("*/", COMMENT),
            b'/' if cursor.starts_with("//") && !in_value => cursor.take_line(COMMENT),
            b'"' | b'\'' => {
                cursor.quoted(if byte == b'"' { "\"" } else { "'" }, true, false);
            }
            b'@' => {
                cursor.take(1, KEYWORD);
                cursor.take_while(KEYWORD, is_name);
                if !in_value {
                    value_end = statement_end(cursor).0;
                }
            }
            b'!' => {
                cursor.take(1, KEYWORD);
                cursor.take_while(KEYWORD, is_name);
            }
            b'#' if in_value => {
                cursor.take(1, CONSTANT);
                cursor.take_while(CONSTANT, is_name);
            }
            _ if in_value && (byte.is_ascii_digit() || is_signed(cursor)) => {
                cursor.take(1, CONSTANT);
                cursor.take_while(CONSTANT, |byte| {
                    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'%')
                });
            }
            _ if in_value && is_name(byte) => value_word(cursor),
            _ if is_name(byte) || matches!(byte, b'$' | b'.' | b'#' | b'&') => {
                if cursor.at >= selector_end && cursor.at >= value_end {
                    let (end, opens) = statement_end(cursor);
                    (selector_end, value_end) = if opens { (end, 0) } else { (0, end) };
                }
                cursor.take(1, KEY);
                cursor.take_while(KEY, is_name);
            }
            _ => cursor.take(1, None),
        }
    }
}

fn is_signed(cursor: &Cursor<'_>) -> bool {
    matches!(cursor.byte(), b'.' | b'-' | b'+') && cursor.ahead(1).is_ascii_digit()
}

fn value_word(cursor: &mut Cursor<'_>) {
    let rest = cursor.rest();
    let len = rest.bytes().position(|byte| !is_name(byte)).unwrap_or(rest.len());
    let class = if rest.as_bytes().get(len) == Some(&b'(') { FUNCTION } else { None };
    cursor.take(len, class);
}

/// Where the statement at the cursor ends, and whether a block follows.
fn statement_end(cursor: &Cursor<'_>) -> (usize, bool) {
    let bytes = cursor.rest().as_bytes();
    match memchr::memchr3(b';', b'{', b'}', bytes) {
        Some(at) => (cursor.at + at, bytes[at] == b'{'),
        None => (cursor.end, false),
    }
}
