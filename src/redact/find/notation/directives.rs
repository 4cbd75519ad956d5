//! Lines of settings and commands of network devices, SNMP and Redis: words, and a secret at a
//! place of its own among them.
//!
//! One row a directive: the words that a line begins with, and steps from there to the secret (`Step`). The type in
//! front of a value, such as `7`, says how it is written. Communities that everybody knows, such as `public`, are
//! none.

use std::ops::Range;

use crate::redact::judge::names::Promise;
use crate::redact::judge::plausible::{self, Setting};

use super::value::part;

/// Most words that are read behind those a line begins with.
const MAX_WORDS: usize = 16;

/// Longest line that is read, in bytes.
const MAX_LINE: usize = 600;

/// What stands between the first words and the secret.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// One word, whatever it is.
    Any,
    /// Words of these, if they are there.
    Maybe(&'static [&'static str]),
    /// All words up to one of these.
    Until(&'static [&'static str]),
    /// How the secret is written: `0` for plain text, `5` for a hash, `7` for a cipher.
    Type,
}

use Step::{Any, Maybe, Type, Until};

/// A line's first words, and the way from there to the secret.
pub(super) struct Directive {
    words: &'static str,
    steps: &'static [Step],
    /// What a secret must look like where no type stands before it.
    setting: Setting,
}

const fn row(words: &'static str, steps: &'static [Step]) -> Directive {
    Directive { words, steps, setting: Setting::ENV }
}

/// A row whose words stand in sentences too.
const fn prose(words: &'static str, steps: &'static [Step]) -> Directive {
    Directive { words, steps, setting: Setting::BARE }
}

#[rustfmt::skip]
const DIRECTIVES: &[Directive] = &[
    // Routers and switches
    prose("enable secret ", &[Type]),
    prose("enable password ", &[Type]),
    prose("enable algorithm-type ", &[Any, Maybe(&["secret"]), Type]),
    prose("username ", &[Until(&["password", "secret"]), Type]),
    row("key-string ", &[Type]),
    prose("tacacs-server ", &[Until(&["key"]), Type]),
    prose("radius-server ", &[Until(&["key"]), Type]),
    row("authentication-key ", &[Type]),
    row("message-digest-key ", &[Any, Maybe(&["md5"]), Type]),
    prose("neighbor ", &[Any, Maybe(&["password"]), Type]),
    row("isakmp key ", &[Type]),
    row("pre-shared-key ", &[Maybe(&["local", "remote", "ascii-text", "hexadecimal", "hex"]), Type]),
    row("wpa-psk ", &[Maybe(&["ascii", "hex", "set-key"]), Maybe(&["ascii", "hex"]), Type]),
    row("ppp chap password ", &[Type]),
    prose("pap sent-username ", &[Until(&["password"]), Type]),

    // SNMP
    row("snmp-server community ", &[Type]),
    prose("snmp-server user ", &[Until(&["auth"]), Any]),
    prose("snmp-server user ", &[Until(&["priv"]), Maybe(&["des", "3des", "aes"]), Maybe(&["128", "192", "256"])]),
    row("set snmp community ", &[]),
    row("rocommunity ", &[]),
    row("rwcommunity ", &[]),
    row("com2sec ", &[Any, Any]),
    row("createUser ", &[Any, Maybe(&["MD5", "SHA", "SHA-256", "SHA-512"])]),

    // Redis
    row("AUTH ", &[]),
    row("CONFIG SET requirepass ", &[]),
    row("CONFIG SET masterauth ", &[]),
    row("ACL SETUSER ", &[]),
];

/// What the lines are looked for by.
pub(super) const WORDS: [&str; DIRECTIVES.len()] = {
    let mut words = [""; DIRECTIVES.len()];
    let mut at = 0;
    while at < words.len() {
        words[at] = DIRECTIVES[at].words;
        at += 1;
    }
    words
};

/// The secrets of the line whose first words are at `literal`.
pub(super) fn values(text: &[u8], literal: &Range<usize>) -> Vec<Range<usize>> {
    let before = head(text, literal.start);
    if !begins(before) {
        return Vec::new();
    }
    let own = &text[literal.clone()];
    let words = words(text, literal.end);
    if own.eq_ignore_ascii_case(b"AUTH ") {
        return auth(text, own, before, &words).into_iter().collect();
    }
    if own.eq_ignore_ascii_case(b"ACL SETUSER ") {
        return words.into_iter().filter_map(|word| set(text, word)).collect();
    }
    let rows = DIRECTIVES.iter().filter(|row| own.eq_ignore_ascii_case(row.words.as_bytes()));
    rows.filter_map(|row| along(text, row, &words)).collect()
}

/// What stands before `at` in its line.
fn head(text: &[u8], at: usize) -> &[u8] {
    let near = &text[at.saturating_sub(160)..at];
    near.rsplit(|&byte| byte == b'\n').next().unwrap_or(near)
}

/// Whether a line begins behind this: a prompt, a quote, a number or the sign of a diff.
fn begins(before: &[u8]) -> bool {
    let behind_prompt =
        before.trim_ascii_end().last().is_none_or(|byte| b"#>$\"'`:|;,".contains(byte));
    behind_prompt
        || before.iter().all(|byte| byte.is_ascii_digit() || b" \t+->:|".contains(byte))
        || before.ends_with("→".as_bytes())
        || [&b" ip ospf "[..], b"crypto ", b"md5 ", b"ppp ", b"ospf ", b"redis-cli "]
            .iter()
            .any(|word| before.ends_with(word))
        || before.trim_ascii().starts_with(b"ip ospf")
        || before.trim_ascii().starts_with(b"standby")
}

/// The words from `at` to the end of the line, without quotes around them.
fn words(text: &[u8], at: usize) -> Vec<Range<usize>> {
    let line = part(text, at..text.len().min(at + MAX_LINE));
    let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
    let mut start = at;
    let mut words = Vec::new();
    for word in line.split(|byte| matches!(byte, b' ' | b'\t' | b'\r')).take(2 * MAX_WORDS) {
        let mut range = start..start + word.len();
        start = range.end + 1;
        let is_quote = |byte: Option<&u8>| byte.is_some_and(|byte| b"\"'`\\,;".contains(byte));
        while !range.is_empty() && is_quote(text.get(range.start)) {
            range.start += 1;
        }
        while !range.is_empty() && is_quote(text.get(range.end - 1)) {
            range.end -= 1;
        }
        if !range.is_empty() {
            words.push(range);
        }
    }
    words.truncate(MAX_WORDS);
    words
}

/// The secret that the steps lead to.
fn along(text: &[u8], row: &Directive, words: &[Range<usize>]) -> Option<Range<usize>> {
    let is_of = |word: &Range<usize>, known: &[&str]| {
        known.iter().any(|known| text[word.clone()].eq_ignore_ascii_case(known.as_bytes()))
    };
    let mut rest = words;
    let mut setting = row.setting;
    for step in row.steps {
        match step {
            Any => rest = rest.get(1..)?,
            Maybe(known) => {
                rest = &rest[usize::from(rest.first().is_some_and(|word| is_of(word, known)))..];
            }
            Until(known) => {
                let found = rest.iter().take(10).position(|word| is_of(word, known))?;
                rest = &rest[found + 1..];
            }
            Type => {
                let level =
                    2 * usize::from(rest.first().is_some_and(|word| is_of(word, &["level"])));
                rest = rest.get(level..)?;
                let is_type = |word: &Range<usize>| {
                    word.len() <= 2 && text[word.clone()].iter().all(u8::is_ascii_digit)
                };
                if rest.first().is_some_and(is_type) {
                    rest = &rest[1..];
                    setting = Setting::ENV;
                }
            }
        }
    }
    let range = rest.first()?.clone();
    is_secret(text, &range, setting).then_some(range)
}

/// Names that everyone gives to what may be read by everyone.
const COMMON: &[&str] = &["public", "private", "write", "read", "password", "secret", "encrypted"];

fn is_secret(text: &[u8], range: &Range<usize>, setting: Setting) -> bool {
    let Some(value) = super::value::str(text, range) else { return false };
    // `$1$salt$hash`
    let mut signs = value.bytes();
    let is_hash = value.len() >= 12
        && signs.next() == Some(b'$')
        && signs.next().is_some_and(|kind| kind.is_ascii_digit())
        && value.matches('$').count() >= 2;
    let is_common = COMMON.iter().any(|known| value.eq_ignore_ascii_case(known));
    // What programs are written in.
    let is_code = value.contains(['(', ')', '[', ']', '{', '}', '<', '=']);
    is_hash || !is_common && !is_code && plausible::is_secret(value, Promise::Password, setting)
}

/// The password of Redis' `AUTH password` and `AUTH user password`.
fn auth(text: &[u8], own: &[u8], before: &[u8], words: &[Range<usize>]) -> Option<Range<usize>> {
    let is_redis =
        before.trim_ascii_end().ends_with(b">") || memchr::memmem::find(before, b"redis").is_some();
    let [.., last] = words else { return None };
    let is_whole = words.len() <= 2 && (own == b"AUTH " || is_redis);
    let setting = if is_redis { Setting::ENV } else { Setting::BARE };
    (is_whole && is_secret(text, last, setting)).then(|| last.clone())
}

/// The password of `>password` in `ACL SETUSER`.
fn set(text: &[u8], word: Range<usize>) -> Option<Range<usize>> {
    let range = word.start + 1..word.end;
    let is_set = text[word.start] == b'>' && !range.is_empty();
    (is_set && is_secret(text, &range, Setting::ENV)).then_some(range)
}
