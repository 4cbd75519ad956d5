//! HTML, XML and what is written like them.

use super::super::class::{BLANK, COMMENT, CONSTANT, KEY, KEYWORD, STRING};
use super::{Cursor, Lexers, is_word};

pub(super) fn read(lexers: &mut Lexers, cursor: &mut Cursor<'_>) {
    while !cursor.is_done() {
        let bytes = cursor.rest().as_bytes();
        let next = memchr::memchr2(b'<', b'&', bytes).unwrap_or(bytes.len());
        cursor.take(next, None);
        if cursor.is_done() {
            return;
        }
        if cursor.starts_with("<!--") {
            cursor.take_through("-->", COMMENT);
        } else if cursor.starts_with("<![CDATA[") {
            cursor.take_through("]]>", STRING);
        } else if cursor.starts_with("<?php") || cursor.starts_with("<?=") {
            embedded(lexers, cursor, "php", "?>");
        } else if cursor.starts_with("<%") {
            cursor.take_through("%>", KEYWORD);
        } else if cursor.starts_with("<!") || cursor.starts_with("<?") {
            cursor.take_through(">", KEYWORD);
        } else if cursor.byte() == b'&' {
            entity(cursor);
        } else {
            tag(lexers, cursor);
        }
    }
}

fn entity(cursor: &mut Cursor<'_>) {
    let name = cursor.rest()[1..].bytes().take(12);
    let len = name.take_while(|byte| is_word(*byte) || *byte == b'#').count();
    let is_entity = len > 0 && cursor.ahead(1 + len) == b';';
    cursor.take(if is_entity { len + 2 } else { 1 }, if is_entity { CONSTANT } else { None });
}

fn is_name(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'-' | b':' | b'.' | b'@' | b'#' | b'*')
}

fn tag(lexers: &mut Lexers, cursor: &mut Cursor<'_>) {
    let is_closing = cursor.ahead(1) == b'/';
    cursor.take(if is_closing { 2 } else { 1 }, None);
    let from = cursor.at;
    if !cursor.take_while(KEY, is_name) {
        return;
    }
    let written = &cursor.code[from..cursor.at];
    let name = written.to_ascii_lowercase();
    let mut is_empty = false;
    loop {
        match cursor.byte() {
            0 if cursor.is_done() => return,
            b' ' | b'\t' | b'\r' | b'\n' => cursor.take(1, BLANK),
            b'>' => break cursor.take(1, None),
            // The tag before was not closed.
            b'<' => return,
            b'"' => {
                cursor.quoted("\"", false, true);
            }
            b'\'' => {
                cursor.quoted("'", false, true);
            }
            byte if is_name(byte) => {
                cursor.take_while(CONSTANT, is_name);
            }
            byte => {
                is_empty = byte == b'/';
                cursor.take(1, None);
            }
        }
    }
    let inner = match name.as_str() {
        "script" => "javascript",
        "style" => "css",
        _ => return,
    };
    if !is_closing && !is_empty {
        // Nearly always its end is written as its beginning.
        embedded(lexers, cursor, inner, &format!("</{written}"));
    }
}

/// Code of another language, up to `end`.
fn embedded(lexers: &mut Lexers, cursor: &mut Cursor<'_>, language: &str, end: &str) {
    let bytes = cursor.rest().as_bytes();
    let found = memchr::memmem::find(bytes, end.as_bytes());
    let end = found.map_or(cursor.end, |at| cursor.at + at);
    if let Some(lexer) = lexers.of(language) {
        cursor.within(end, |cursor| lexers.read(&lexer, cursor));
    }
    cursor.to(end.max(cursor.at), None);
}
