//! Keys with values, targets with recipes, instructions: one to a line.
//!
//! A function a family. Each goes line by line and colors what it is sure of: the key, then a value that is a number,
//! a word of the language or between quotes. What goes on over lines is followed to its end before the next line is
//! read.

use super::super::class::{
    BLANK, COMMENT, CONSTANT, Class, FUNCTION, KEY, KEYWORD, META, OPERATOR, STRING,
};
use super::{Cursor, Words, is_word, shell};

/// Goes on to the next line.
fn newline(cursor: &mut Cursor<'_>) {
    cursor.take(1, BLANK);
}

pub(super) fn yaml(cursor: &mut Cursor<'_>) {
    while !cursor.is_done() {
        let line = cursor.line();
        let indent = line.len() - line.trim_start().len();
        cursor.blanks(false);
        if line.starts_with("---") || line.starts_with("...") || line.starts_with('%') {
            cursor.take_line(META);
        }
        while cursor.byte() == b'-' && matches!(cursor.ahead(1), b' ' | b'\n' | 0) {
            cursor.take(1, OPERATOR);
            cursor.blanks(false);
        }
        if let Some(key) = yaml_key(cursor.line()) {
            cursor.take(key, KEY);
            cursor.take(1, OPERATOR);
            cursor.blanks(false);
        }
        let opens_text = matches!(cursor.byte(), b'|' | b'>');
        yaml_value(cursor);
        newline(cursor);
        while opens_text && !cursor.is_done() {
            let line = cursor.line();
            let is_text = line.trim().is_empty() || line.len() - line.trim_start().len() > indent;
            if !is_text {
                break;
            }
            cursor.take_line(STRING);
            newline(cursor);
        }
    }
}

/// The length of the key that a line begins with.
fn yaml_key(line: &str) -> Option<usize> {
    let bytes = line.as_bytes();
    let from = match bytes.first()? {
        quote @ (b'"' | b'\'') => 2 + memchr::memchr(*quote, &bytes[1..])?,
        b'#' | b'{' | b'[' | b'|' | b'>' => return None,
        _ => 0,
    };
    let mut colons = memchr::memchr_iter(b':', &bytes[from..]).map(|at| from + at);
    let at = colons.find(|at| matches!(bytes.get(at + 1), None | Some(b' ' | b'\t' | b'\r')))?;
    let is_comment = memchr::memmem::find(&bytes[..at], b" #").is_some();
    (!is_comment).then_some(at)
}

fn yaml_value(cursor: &mut Cursor<'_>) {
    let line_end = cursor.line_end();
    let line = &cursor.code[cursor.at..line_end];
    let comment = memchr::memmem::find(line.as_bytes(), b" #");
    let end = comment.map_or(line_end, |at| cursor.at + at);
    while cursor.at < line_end {
        match cursor.byte() {
            b' ' | b'\t' | b'\r' => cursor.take(1, BLANK),
            b'#' => cursor.to(line_end, COMMENT),
            b'"' => {
                cursor.quoted("\"", true, false);
            }
            b'\'' => {
                cursor.quoted("'", false, false);
            }
            b'{' | b'}' | b'[' | b']' | b',' | b'|' | b'>' => cursor.take(1, OPERATOR),
            b'&' | b'*' | b'!' => {
                cursor.take_while(META, |byte| !byte.is_ascii_whitespace() && byte != b',');
            }
            _ => {
                // A `#` within quotes is no comment, so the value may begin behind one.
                let value = &cursor.code[cursor.at..end.max(cursor.at)];
                let value =
                    if value.is_empty() { &cursor.code[cursor.at..line_end] } else { value };
                let flow = value.find([',', ']', '}']).unwrap_or(value.len());
                let value = value[..flow].trim_end_matches([' ', '\t', '\r']);
                cursor.take(value.len(), scalar(value).or(STRING));
            }
        }
    }
}

/// The class of a value that is no text.
fn scalar(value: &str) -> Class {
    let is_number =
        value.trim_start_matches(['+', '-', '.']).starts_with(|c: char| c.is_ascii_digit())
            && value.bytes().all(|byte| byte.is_ascii_hexdigit() || b"+-._xoT:Z".contains(&byte));
    let is_name = ["true", "false", "null", "yes", "no", "on", "off", "~"]
        .iter()
        .any(|name| value.eq_ignore_ascii_case(name));
    if is_number || is_name { CONSTANT } else { None }
}

/// TOML, INI and their like.
pub(super) fn sections(cursor: &mut Cursor<'_>) {
    while !cursor.is_done() {
        cursor.blanks(true);
        match cursor.byte() {
            b'[' => cursor.take_line(META),
            b'#' | b';' => cursor.take_line(COMMENT),
            _ => {
                let line = cursor.line();
                if let Some(at) = line.find(['=', ':']) {
                    let assigns = cursor.at + at;
                    cursor.take(line[..at].trim_end().len(), KEY);
                    cursor.to(assigns, BLANK);
                    cursor.take(1, OPERATOR);
                }
                assigned(cursor);
            }
        }
    }
}

/// A value, which may go on over lines within brackets and triple quotes.
fn assigned(cursor: &mut Cursor<'_>) {
    let mut depth = 0_usize;
    while !cursor.is_done() {
        match cursor.byte() {
            b'\n' if depth == 0 => return,
            b' ' | b'\t' | b'\r' | b'\n' => cursor.take(1, BLANK),
            b'#' => cursor.take_line(COMMENT),
            b'"' if cursor.starts_with("\"\"\"") => {
                cursor.quoted("\"\"\"", true, true);
            }
            b'\'' if cursor.starts_with("'''") => {
                cursor.quoted("'''", false, true);
            }
            b'"' => {
                cursor.quoted("\"", true, false);
            }
            b'\'' => {
                cursor.quoted("'", false, false);
            }
            byte @ (b'[' | b']' | b'{' | b'}' | b',' | b'=') => {
                depth += usize::from(matches!(byte, b'[' | b'{'));
                depth = depth.saturating_sub(usize::from(matches!(byte, b']' | b'}')));
                cursor.take(1, OPERATOR);
            }
            _ => {
                let rest = cursor.rest();
                let ends = |byte: u8| byte.is_ascii_whitespace() || b"[]{},=\"'".contains(&byte);
                let len = rest.bytes().position(ends).unwrap_or(rest.len()).max(1);
                let is_key = depth > 0 && rest[len..].trim_start().starts_with('=');
                cursor.take(len, if is_key { KEY } else { scalar(&rest[..len]) });
            }
        }
    }
}

pub(super) fn makefile(words: &Words, cursor: &mut Cursor<'_>) {
    while !cursor.is_done() {
        let line = cursor.line();
        let end = cursor.line_end();
        if line.starts_with('\t') {
            cursor.within(end, |cursor| shell::read(words, cursor));
        } else if line.trim_start().starts_with('#') {
            cursor.take_line(COMMENT);
        } else if let Some(at) = line.find('=') {
            let name = line[..at].trim_end_matches([':', '?', '+', '!', ' ', '\t']);
            cursor.take(name.len(), KEY);
            cursor.take(at + 1 - name.len(), OPERATOR);
            cursor.take_line(None);
        } else if let Some(at) = line.find(':') {
            cursor.take(at, FUNCTION);
            cursor.take(1, OPERATOR);
            cursor.take_line(None);
        } else {
            cursor.take_while(KEYWORD, is_word);
            cursor.take_line(None);
        }
        newline(cursor);
    }
}

pub(super) fn dockerfile(words: &Words, cursor: &mut Cursor<'_>) {
    while !cursor.is_done() {
        cursor.blanks(true);
        if cursor.byte() == b'#' {
            cursor.take_line(COMMENT);
            continue;
        }
        let from = cursor.at;
        cursor.take_while(KEYWORD, |byte| byte.is_ascii_alphabetic());
        let instruction = cursor.code[from..cursor.at].to_ascii_uppercase();
        // A backslash at a line's end goes on with it.
        let mut end = cursor.line_end();
        while cursor.code[..end].trim_end_matches('\r').ends_with('\\') && end < cursor.end {
            let rest = &cursor.code.as_bytes()[end + 1..cursor.end];
            end = memchr::memchr(b'\n', rest).map_or(cursor.end, |at| end + 1 + at);
        }
        if matches!(instruction.as_str(), "RUN" | "CMD" | "ENTRYPOINT" | "HEALTHCHECK" | "SHELL") {
            cursor.within(end, |cursor| shell::read(words, cursor));
        } else {
            cursor.within(end, assigned_in_lines);
        }
        newline(cursor);
    }
}

fn assigned_in_lines(cursor: &mut Cursor<'_>) {
    while !cursor.is_done() {
        assigned(cursor);
        newline(cursor);
    }
}

/// CSV and logs: quoted texts and numbers.
pub(super) fn columns(cursor: &mut Cursor<'_>) {
    while !cursor.is_done() {
        let byte = cursor.byte();
        if byte == b'"' {
            cursor.quoted("\"", false, false);
        } else if byte.is_ascii_digit() {
            cursor.take_while(CONSTANT, |byte| {
                byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':' | b'-')
            });
        } else if is_word(byte) {
            cursor.take_while(None, is_word);
        } else {
            cursor.take(1, None);
        }
    }
}
