//! Passwords of letters alone, which a sentence gives to a name: `the password is
//! correcthorsebattery`. Most words behind these are about passwords, so a word must stand where
//! the sentence ends and look like none of a dictionary.

use std::ops::Range;

use crate::redact::judge::names::Promise;
use crate::redact::judge::plausible;

use super::named::Named;
use super::value::{Value, skip_spaces, str, string_or_word};

/// Shortest word without quotes: longer than nearly all that sentences say of passwords.
const MIN_WORD: usize = 14;

/// Shortest word between quotes, and behind a name in another script.
const MIN_QUOTED: usize = 8;

/// How words end that tell something of a password, in several languages.
#[rustfmt::skip]
const ENDINGS: &[&str] = &[
    "ed", "ing", "ly", "able", "ible", "ive", "al", "ent", "ant", "ic", "ous", "ful", "less", "ion", "ions", "ment", "ness",
    "ity", "ism", "ers", "er", "or", "ary", "ize", "ise", "ally", "ure", "ance", "ence", "lich", "isch", "iert", "ung", "bar",
    "toire", "oria", "orio", "ado", "ada", "ido", "ida", "eur", "ique", "icos", "ente", "vel", "ment", "string", "password",
    "word", "phrase", "name", "key", "token",
];

/// The value behind a name and a colon, where it is all of a line from the name on.
pub(super) fn labelled(text: &[u8], named: &Named) -> Option<Range<usize>> {
    let closers =
        text[named.range.end..].iter().take(4).take_while(|byte| b"*_\"'`".contains(byte));
    let colon = skip_spaces(text, named.range.end + closers.count());
    let rest = &text[colon..];
    let len = [": ", ":** ", "："].iter().find(|sign| rest.starts_with(sign.as_bytes()))?.len();
    let value = string_or_word(text, skip_spaces(text, colon + len))?;
    is_chosen(text, &value, named).then_some(value.range)
}

/// Whether a word that a sentence gives to a name is chosen as a password.
pub(super) fn is_chosen(text: &[u8], value: &Value, named: &Named) -> bool {
    let Some(word) = str(text, &value.range) else { return false };
    let is_foreign = !text[named.range.clone()].is_ascii();
    let least = if value.is_quoted || is_foreign { MIN_QUOTED } else { MIN_WORD };
    let capitals = word.bytes().skip(1).filter(u8::is_ascii_uppercase).count();
    named.promise == Promise::Password
        && (least..=64).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_alphabetic())
        && capitals == 0
        && !ENDINGS.iter().any(|end| word.ends_with(end))
        && plausible::can_be_secret(word)
        && ends_sentence(text, value)
}

/// Whether nothing of the sentence follows.
fn ends_sentence(text: &[u8], value: &Value) -> bool {
    let rest = &text[value.range.end..];
    let closers = rest.iter().take(4).take_while(|byte| b"\"'`*_.,;!)".contains(byte)).count();
    let is_ended = |byte: u8| byte == b'\n' || byte == b'\r';
    rest.get(closers).is_none_or(|&byte| is_ended(byte) || byte == b' ' && closers > 0)
}
