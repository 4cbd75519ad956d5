//! Command lines: the command, its strings, what joins commands.

use super::super::class::{COMMENT, FUNCTION, KEY, OPERATOR, STRING};
use super::{Cursor, Words, is_word};

pub(super) fn read(words: &Words, cursor: &mut Cursor<'_>) {
    let mut expects_command = true;
    // What ends the here-documents that begin in the next line.
    let mut documents: Vec<&str> = Vec::new();
    while !cursor.is_done() {
        cursor.blanks(false);
        match cursor.byte() {
            0 if cursor.is_done() => return,
            b'\n' => {
                cursor.take(1, super::super::class::BLANK);
                for end in documents.drain(..) {
                    document(cursor, end);
                }
                expects_command = true;
            }
            b'#' if starts_word(cursor) => cursor.take_line(COMMENT),
            b'"' => cursor.quoted("\"", true, true),
            b'\'' => cursor.quoted("'", false, true),
            b'$' if cursor.starts_with("$'") => {
                cursor.take(1, STRING);
                cursor.quoted("'", true, true);
            }
            b'(' if cursor.starts_with("((") => arithmetic(cursor),
            b'$' if cursor.starts_with("$((") => arithmetic(cursor),
            b'\\' => {
                // It takes the next character along; a newline goes on with the command.
                let escaped = cursor.rest().chars().nth(1).map_or(0, char::len_utf8);
                cursor.take(1 + escaped, None);
            }
            b'<' if cursor.starts_with("<<") && !cursor.starts_with("<<<") => {
                documents.extend(document_end(cursor.rest()));
                cursor.take_while(OPERATOR, |byte| matches!(byte, b'<' | b'-'));
            }
            b'|' | b'&' | b';' | b'<' | b'>' => {
                let joins = !matches!(cursor.byte(), b'<' | b'>');
                // `2>&1` is one redirection.
                expects_command |= joins;
                cursor
                    .take_while(OPERATOR, |byte| matches!(byte, b'|' | b'&' | b';' | b'<' | b'>'));
            }
            b'(' | b'`' | b'{' | b'!' => {
                cursor.take(1, None);
                expects_command = true;
            }
            b'$' if cursor.starts_with("$(") && !cursor.starts_with("$((") => {
                cursor.take(2, None);
                expects_command = true;
            }
            _ => expects_command = word(words, cursor, expects_command),
        }
    }
}

/// What is computed, where `<<` is no here-document.
fn arithmetic(cursor: &mut Cursor<'_>) {
    let line = cursor.line();
    let end = line.find("))").map_or(line.len(), |at| at + 2);
    cursor.take(end, None);
}

/// A word; says whether a command is still to come.
fn word(words: &Words, cursor: &mut Cursor<'_>, is_command: bool) -> bool {
    let rest = cursor.rest();
    let ends = |byte: u8| {
        matches!(
            byte,
            b' ' | b'\t'
                | b'\r'
                | b'\n'
                | b'"'
                | b'\''
                | b'\\'
                | b'|'
                | b'&'
                | b';'
                | b'<'
                | b'>'
                | b'('
                | b')'
                | b'`'
        )
    };
    let len = rest.bytes().position(ends).unwrap_or(rest.len()).max(1);
    let text = &rest[..len];
    let name = text.split('=').next().unwrap_or_default();
    let is_name = !name.is_empty() && name.bytes().all(is_word);
    if is_command && is_name && name.len() < len {
        cursor.take(name.len(), KEY);
        cursor.take(1, OPERATOR);
        cursor.take(len - name.len() - 1, None);
        // A value may go on in quotes; the command is still to come.
        return true;
    }
    let known = if is_command { words.get(text) } else { None };
    let class = match known {
        Some(class) => class,
        None if is_command && !text.starts_with(['-', '$', ')', '}', '~']) => FUNCTION,
        None => None,
    };
    cursor.take(len, class);
    is_command && (text == "}" || class.is_some() && class != FUNCTION && goes_on(text))
}

/// Whether a command follows the keyword.
fn goes_on(keyword: &str) -> bool {
    const BEFORE_COMMANDS: [&str; 15] = [
        "if", "then", "else", "elif", "while", "until", "do", "time", "sudo", "exec", "env",
        "command", "eval", "xargs", "nohup",
    ];
    BEFORE_COMMANDS.contains(&keyword)
}

fn starts_word(cursor: &Cursor<'_>) -> bool {
    let before = cursor.at.checked_sub(1).map(|at| cursor.code.as_bytes()[at]);
    before.is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b';' | b'(' | b'|'))
}

/// The word that ends the here-document opened at the beginning of `rest`.
fn document_end(rest: &str) -> Option<&str> {
    let word = rest.trim_start_matches('<').trim_start_matches('-').trim_start_matches([' ', '\t']);
    let (word, end): (&str, &[char]) = match word.chars().next()? {
        '\'' => (&word[1..], &['\'', '\n']),
        '"' => (&word[1..], &['"', '\n']),
        _ => {
            (word.trim_start_matches('\\'), &[' ', '\t', '\r', '\n', ';', '|', '&', '>', '<', ')'])
        }
    };
    word.split(end).next().filter(|word| word.bytes().next().is_some_and(is_word))
}

/// The lines of a here-document, its last one included.
fn document(cursor: &mut Cursor<'_>, end: &str) {
    while !cursor.is_done() {
        let is_end = cursor.line().trim() == end;
        cursor.take_line(if is_end { OPERATOR } else { STRING });
        if is_end {
            return;
        }
        cursor.take(1, STRING);
    }
}
