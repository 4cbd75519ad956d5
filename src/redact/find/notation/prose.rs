//! What people and models say of a secret: `the password is x`, `**Token:** x`.
//!
//! Sentences promise more than they hold: `the password is wrong`. So a value must be joined to its name by few words
//! (`JOINTS`, `object`), and what is joined loosely must look like nothing but a secret. Signs that programs use too
//! are left to `assign.rs`.

use std::sync::LazyLock;

use crate::redact::bytes::{Words, begins, begins_in_any_case, find};

use super::lines::NotationLine;
use super::named::Named;
use super::value::{Value, skip_spaces, string_or_word};

/// Longest `for the database of the shop` between a name and its value, in bytes.
const MAX_BETWEEN: usize = 60;

/// Longest prompt behind its name, in bytes.
const MAX_PROMPT: usize = 200;

/// What joins a name and its value in a sentence, longer ones before their parts.
#[rustfmt::skip]
const JOINTS: &[&str] = &[
    "has been set to", "has been changed to", "has been reset to", "was set to", "was changed to",
    "is set to", "is now", "should be", "will be", "set to", "changed to", "reset to", "being",
    "is", "was", "to", "as", "are", "equals", "lautet", "ist", "es", "est", "è", "é", "jest", "är", "er",
    "是", "为", "為", "は", "는", "은", "——", "—", "–", "-", "→", "->", "=>", "：", ":=", "=", ":",
];

/// The same by their first byte, in the same order.
static JOINTS_BY_BYTE: LazyLock<[Vec<&str>; 256]> = LazyLock::new(|| {
    let mut by_byte = [const { Vec::new() }; 256];
    for joint in JOINTS {
        by_byte[usize::from(joint.as_bytes()[0])].push(*joint);
    }
    by_byte
});

/// Words before a name behind which its value may stand without any sign.
#[rustfmt::skip]
static BEFORE: Words = Words::of(&[
    "use", "using", "with", "and", "the", "my", "your", "our", "new", "old", "key", "api", "access", "admin", "root",
    "this", "a", "temporary", "user",
]);

/// The value that a sentence gives to a name. The second is whether the sentence
/// says so, or nothing but their order.
pub(super) fn value(text: &[u8], named: &Named) -> Option<(Value, bool)> {
    let at = closers(text, named.range.end);
    let at = at + if begins(&text[at..], b"'s value") { 8 } else { 0 };
    let at = aside(text, at);
    // What is passed is no password.
    let is_verb = text[named.range.clone()].eq_ignore_ascii_case(b"pass");
    let is_noun = matches!(text.get(at), Some(b':' | b'*')) || begins(&text[at..], b" is ");
    if is_verb && !is_noun {
        return None;
    }
    if let Some(behind) = object(text, at) {
        return said(text, behind).map(|value| (value, true));
    }
    if let Some((behind, is_sign)) = joint(text, at) {
        let value = said(text, behind)?;
        // A sign alone is one of programs too, which `assign.rs` reads.
        let is_drawn = |byte: &u8| b"*_`\n".contains(byte);
        let is_plain = is_sign && at == named.range.end;
        let is_beside = !text[at..value.range.start.max(at)].iter().any(is_drawn);
        return (!(is_plain && is_beside) || value.is_quoted).then_some((value, true));
    }
    let spaced = skip_spaces(text, at);
    if spaced == at {
        return None;
    }
    let value = string_or_word(text, spaced)?;
    (value.is_quoted || is_led(text, named)).then_some((value, false))
}

/// Over what closes the emphasis around a name.
fn closers(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take(4).take_while(|byte| b"\"'`*_".contains(byte)).count()
}

/// Over what a bracket adds: `password (root)`.
fn aside(text: &[u8], at: usize) -> usize {
    let open = skip_spaces(text, at);
    if text.get(open) != Some(&b'(') {
        return at;
    }
    let inside = &text[open..text.len().min(open + 40)];
    let close = inside.iter().position(|&byte| matches!(byte, b')' | b'\n'));
    close.filter(|&len| inside[len] == b')' && open > at).map_or(at, |len| open + len + 1)
}

/// Behind the words that join, with the emphasis and spaces that follow.
/// The second is whether a sign joins that programs use.
fn joint(text: &[u8], at: usize) -> Option<(usize, bool)> {
    let spaced = skip_spaces(text, at);
    let rest = &text[spaced..];
    let known = &JOINTS_BY_BYTE[usize::from(rest.first()?.to_ascii_lowercase())];
    let found = known.iter().find(|joint| {
        if !begins_in_any_case(rest, joint.as_bytes()) {
            return false;
        }
        let is_word = joint.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b' ');
        let dash = matches!(**joint, "-" | "=" | "->");
        let parted = matches!(rest.get(joint.len()), Some(b' ' | b':' | b'\n'));
        !is_word && !dash || parted && spaced > at
    })?;
    let mut at = spaced + found.len();
    if text.get(at) == Some(&b':') {
        at += 1;
    }
    if found.is_ascii()
        && !matches!(text.get(at), Some(b' ' | b'\t' | b'\n' | b'\r' | b'*' | b'_' | b'`'))
    {
        return None;
    }
    at += text[at..].iter().take(2).take_while(|byte| b"*_".contains(byte)).count();
    for word in ["now ", "set to ", "still "] {
        let spaced = skip_spaces(text, at);
        if text[spaced..].starts_with(word.as_bytes()) {
            at = spaced + word.len();
        }
    }
    Some((at, matches!(*found, ":" | "=" | ":=" | "=>" | "->")))
}

/// `for root: x`, `for the database is x`, `you need is x`.
fn object(text: &[u8], at: usize) -> Option<usize> {
    let spaced = skip_spaces(text, at);
    let near = &text[spaced..text.len().min(spaced + MAX_BETWEEN)];
    let starts: [&[u8]; 17] = [
        "для ".as_bytes(),
        "für ".as_bytes(),
        b"para ",
        b"pour ",
        b"de ",
        b"per ",
        b"for ",
        b"of ",
        b"on ",
        b"you ",
        b"we ",
        b"i ",
        b"to use ",
        b"in ",
        b"is generated ",
        b"was generated ",
        b"has been generated ",
    ];
    let is_object = || starts.iter().any(|start| begins_in_any_case(near, start));
    (spaced > at && is_object()).then_some(())?;
    // What a prompt asks for, and below it what was typed: `Password for 'https://x':`
    let line = &text[spaced..text.len().min(spaced + MAX_PROMPT)];
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
    if let Some(end) = find(line, b"':")
        && matches!(text.get(spaced + end + 2), Some(b' ' | b'\n'))
    {
        return Some(spaced + end + 2);
    }
    let is_said =
        |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80 || b" '`@._-/".contains(byte);
    let len = near.iter().take_while(|byte| is_said(byte)).count();
    if near.get(len) == Some(&b':') {
        let behind = spaced + len + 1;
        return matches!(text.get(behind), Some(b' ' | b'\n')).then_some(behind);
    }
    let is = find(&near[..len], b" is ").or(find(&near[..len], b" to "))?;
    Some(spaced + is + 4)
}

/// Whether the word before the name leads to its value: `use token x`.
fn is_led(text: &[u8], named: &Named) -> bool {
    let before = &text[named.range.start.saturating_sub(20)..named.range.start];
    if before.ends_with(b"(") {
        return true;
    }
    let Some(before) = before.strip_suffix(b" ") else { return false };
    if before.ends_with(b",") || before.ends_with(b"/") {
        return true;
    }
    let len = before.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    BEFORE.has(&before[before.len() - len..])
}

/// The value at `at`, or alone on one of the next lines.
fn said(text: &[u8], at: usize) -> Option<Value> {
    let at = skip_spaces(text, at);
    if !matches!(text.get(at), Some(b'\n' | b'\r')) {
        return string_or_word(text, at);
    }
    let mut line = NotationLine::of(text, at)?;
    for _ in 0..3 {
        line = line.next(text)?;
        if !line.is_blank(text) && !line.text(text).trim_ascii().starts_with(b"```") {
            let value = string_or_word(text, line.first(text))?;
            let end = value.range.end + usize::from(value.is_quoted);
            let rest = text.get(end..line.end)?.trim_ascii();
            return rest.is_empty().then_some(value);
        }
    }
    None
}

/// `admin / x` and `admin:x` behind `credentials:` or `login`.
pub(super) fn login(text: &[u8], named: &Named) -> Option<Value> {
    let at = closers(text, named.range.end);
    let behind = joint(text, at).map_or_else(|| skip_spaces(text, at), |(behind, _)| behind);
    (behind > at).then_some(())?;
    let mut begin = skip_spaces(text, behind);
    for word in ["with ", "as ", "using "] {
        if text[begin..].starts_with(word.as_bytes()) {
            begin += word.len();
        }
    }
    let begin =
        begin + text[begin..].iter().take(2).take_while(|byte| b"`\"'".contains(byte)).count();
    let is_user = |byte: &u8| byte.is_ascii_alphanumeric() || b"._@+-\\".contains(byte);
    let len = text[begin..].iter().take(64).take_while(|byte| is_user(byte)).count();
    (len > 1).then_some(())?;
    let user = begin + len;
    let sign =
        user + text[user..].iter().take(2).take_while(|byte| b"`\"' ".contains(byte)).count();
    matches!(text.get(sign), Some(b'/' | b':' | b'|' | b',')).then_some(())?;
    (sign == user || text[sign] != b':').then_some(())?;
    let mut value = string_or_word(text, skip_spaces(text, sign + 1))?;
    while text[value.range.clone()].ends_with(b"`") {
        value.range.end -= 1;
    }
    Some(value)
}
