//! Markdown, diffs, LaTeX.

use super::super::class::{
    BLANK, COMMENT, CONSTANT, DELETED, FUNCTION, INSERTED, KEYWORD, META, OPERATOR, STRING,
};
use super::{Cursor, Lexers, Way};
use crate::language;

pub(super) fn markdown(lexers: &mut Lexers, cursor: &mut Cursor<'_>) {
    while !cursor.is_done() {
        let line = cursor.line();
        let text = line.trim_start();
        let ticks = text.bytes().take_while(|byte| *byte == b'`').count();
        let tildes = text.bytes().take_while(|byte| *byte == b'~').count();
        if ticks >= 3 || tildes >= 3 {
            fence(lexers, cursor, &text[..ticks.max(tildes)]);
            continue;
        }
        if text.starts_with('#') && text.trim_start_matches('#').starts_with(' ') {
            cursor.take_line(META);
        } else if text.starts_with("<!--") {
            cursor.take_through("-->", COMMENT);
        } else {
            cursor.blanks(false);
            marker(cursor);
            spans(cursor);
        }
        cursor.take(1, BLANK);
    }
}

/// A fence, its code by its language, and its end.
fn fence(lexers: &mut Lexers, cursor: &mut Cursor<'_>, mark: &str) {
    let info = &cursor.line().trim_start()[mark.len()..];
    let language = language::of_fence(info.trim()).to_owned();
    cursor.take_line(OPERATOR);
    cursor.take(1, BLANK);
    let start = cursor.at;
    let mut end = start;
    let rest = cursor.rest();
    for line in rest.split_inclusive('\n') {
        if line.trim().starts_with(mark)
            && line.trim().bytes().all(|byte| byte == mark.as_bytes()[0])
        {
            break;
        }
        end += line.len();
    }
    // Markdown in a fence of Markdown stays plain, or it might go on for ever.
    let lexer = language::known(&language).and_then(|name| lexers.of(&name));
    match lexer.filter(|lexer| !matches!(lexer.way, Way::Markdown)) {
        Some(lexer) => cursor.within(end, |cursor| lexers.read(&lexer, cursor)),
        None => cursor.to(end, None),
    }
    cursor.take_line(OPERATOR);
    cursor.take(1, BLANK);
}

/// What makes a line an item of a list or a quotation.
fn marker(cursor: &mut Cursor<'_>) {
    let line = cursor.line();
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let numbered =
        digits > 0 && (line[digits..].starts_with(". ") || line[digits..].starts_with(") "));
    let len = if numbered {
        digits + 1
    } else {
        usize::from(["- ", "* ", "+ ", "> "].iter().any(|mark| line.starts_with(mark)))
    };
    cursor.take(len, KEYWORD);
}

/// Code, links and what is emphasized in a line.
fn spans(cursor: &mut Cursor<'_>) {
    let end = cursor.line_end();
    while cursor.at < end {
        let line = &cursor.code[cursor.at..end];
        let Some(next) = line.find(['`', '[', '*', '<']) else {
            return cursor.to(end, None);
        };
        cursor.take(next, None);
        let line = &line[next..];
        let span = match cursor.byte() {
            b'`' => closed(line, "`").map(|len| (len, STRING)),
            b'*' if line.starts_with("**") => closed(line, "**").map(|len| (len, KEYWORD)),
            b'[' => link(line).map(|len| (len, FUNCTION)),
            b'<' => closed(line, ">")
                .filter(|len| line[..*len].contains(':'))
                .map(|len| (len, FUNCTION)),
            _ => None,
        };
        match span {
            Some((len, class)) => cursor.take(len, class),
            None => cursor.take(1, None),
        }
    }
}

/// No span of a line is longer, in bytes.
const MAX_SPAN: usize = 1000;

/// The length of what `mark` opens and closes.
fn closed(line: &str, mark: &str) -> Option<usize> {
    let open = if mark == ">" { 1 } else { mark.len() };
    let bytes = &line.as_bytes()[..line.len().min(MAX_SPAN)];
    let inner = memchr::memmem::find(bytes.get(open..)?, mark.as_bytes())?;
    (inner > 0).then_some(open + inner + mark.len())
}

fn link(line: &str) -> Option<usize> {
    let bytes = &line.as_bytes()[..line.len().min(MAX_SPAN)];
    let text = memchr::memmem::find(bytes, b"](")?;
    let address = memchr::memchr(b')', &bytes[text..])?;
    Some(text + address + 1)
}

pub(super) fn diff(cursor: &mut Cursor<'_>) {
    while !cursor.is_done() {
        let line = cursor.line();
        let class = match line.bytes().next() {
            Some(b'+') if line.starts_with("+++ ") => META,
            Some(b'-') if line.starts_with("--- ") => META,
            Some(b'+') => INSERTED,
            Some(b'-') => DELETED,
            Some(b'@') => META,
            Some(b'd' | b'i') if line.starts_with("diff ") || line.starts_with("index ") => META,
            _ => None,
        };
        cursor.take_line(class);
        cursor.take(1, if class.is_some() { class } else { BLANK });
    }
}

pub(super) fn latex(cursor: &mut Cursor<'_>) {
    while !cursor.is_done() {
        let bytes = cursor.rest().as_bytes();
        let next = memchr::memchr3(b'\\', b'%', b'$', bytes).unwrap_or(bytes.len());
        cursor.take(next, None);
        match (cursor.byte(), cursor.ahead(1)) {
            (b'%', _) => cursor.take_line(COMMENT),
            (b'$', _) => cursor.take(1, CONSTANT),
            (b'\\', next) if next.is_ascii_alphabetic() => {
                cursor.take(1, FUNCTION);
                cursor.take_while(FUNCTION, |byte| byte.is_ascii_alphabetic() || byte == b'@');
            }
            (b'\\', next) if next.is_ascii() => cursor.take(2, CONSTANT),
            _ => cursor.take(1, None),
        }
    }
}
