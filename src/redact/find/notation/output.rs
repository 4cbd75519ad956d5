//! Commands that print a secret, and the line they print.

use std::ops::Range;

use crate::redact::bytes::{begins, contains, find};

use super::lines::NotationLine;
use super::named::Named;
use super::value::{part, string, string_or_word};

/// Commands whose output is a secret.
#[rustfmt::skip]
pub(super) const PRINTING: &[&str] = &[
    "get-secret-value", "ssm get-parameter", "pass show", "op read", "op item get", "find-generic-password",
    "find-internet-password", "get secret", "kv get", "read -field", "gh auth token", "print-access-token",
    "print-identity-token", "config:get", "output -raw", "rand -hex", "rand -base64", "pwgen", "versions access",
    "secret show", "bw get password", "auth token", "get-access-token", "apg -", "get-login-password",
    "create-access-token", "create token", "lpass show", "gopass show", "secret-tool lookup", "keyring get",
    "wg genkey", "wg genpsk", "wireless-security.psk", "secrets get", "auth:token", "token create", "tokens create",
    "join-token -q", "credstash get",
];

/// The line below the command at `literal`, if it is one word.
pub(super) fn below(text: &[u8], literal: &Range<usize>) -> Option<Range<usize>> {
    let line = NotationLine::of(text, literal.start)?;
    // What is handed on is not printed, unless it is decoded.
    let rest = text.get(literal.end..line.end)?;
    let piped = memchr::memchr(b'|', rest).map(|at| rest[at + 1..].trim_ascii());
    let shows = [
        "base64 -d",
        "base64 --decode",
        "base64 -D",
        "base64decode",
        "head",
        "tail",
        "jq",
        "tr ",
        "cut",
        "awk",
        "cat",
    ];
    let is_shown =
        piped.is_none_or(|sink| shows.iter().any(|word| sink.starts_with(word.as_bytes())));
    (is_prompted(text, line) && is_shown && !rest.ends_with(b")")).then_some(())?;
    alone(text, line.next(text)?)
}

/// Whether a command stands in the line: behind a prompt, or alone from its beginning.
fn is_prompted(text: &[u8], line: NotationLine) -> bool {
    let own = line.text(text);
    let near = &own[..own.len().min(80)];
    let prompts: [&[u8]; 8] =
        [b"$ ", b"# ", b"% ", b"> ", "❯ ".as_bytes(), "➜ ".as_bytes(), ">>> ".as_bytes(), b"PS "];
    prompts.iter().any(|prompt| begins(near, prompt))
        || find(near, b"$ ").is_some_and(|at| near[..at].contains(&b'@') || at < 24)
        || find(near, b"# ").is_some_and(|at| at > 0 && near[..at].contains(&b'@'))
        || text[..line.start].ends_with(b"> ")
}

/// The only word of a line.
fn alone(text: &[u8], line: NotationLine) -> Option<Range<usize>> {
    let first = line.first(text);
    let value = string_or_word(text, first)?;
    let end = value.range.end + usize::from(value.is_quoted);
    let rest = text.get(end..line.end)?;
    (rest.trim_ascii().is_empty() && !value.range.is_empty()).then_some(value.range)
}

/// The value on the next line of what Redis answers: `1) "requirepass"` and below it `2) "x"`.
pub(super) fn answered(text: &[u8], named: &Named) -> Option<Range<usize>> {
    let numbered = |line: NotationLine| {
        let own = part(text, line.first(text)..line.end);
        let digits = own.iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
        let number: u32 = std::str::from_utf8(&own[..digits]).ok()?.parse().ok()?;
        let at = line.first(text) + digits;
        own[digits..].starts_with(b") \"").then(|| Some((number, string(text, at + 2)?)))?
    };
    let line = NotationLine::of(text, named.range.start)?;
    let (number, key) = numbered(line)?;
    let (next, value) = numbered(line.next(text)?)?;
    (number % 2 == 1 && next == number + 1 && key == named.range).then_some(value)
}

/// What is shown once, behind a sentence that says so at `literal`: alone on one of the next lines.
pub(super) fn once(text: &[u8], literal: &Range<usize>) -> Option<Range<usize>> {
    let mut line = NotationLine::of(text, literal.start)?;
    for _ in 0..3 {
        line = line.next(text)?;
        if !line.is_blank(text) {
            return alone(text, line);
        }
    }
    None
}

/// Sentences before what is shown once.
#[rustfmt::skip]
pub(super) const ONCE: &[&str] = &[
    "be shown again", "be displayed again", "see it again", "see this again", "view it again", "copy it now",
    "copy this now", "only time it", "only time you", "only be shown once", "only shown once",
];

/// The line below `$ echo $NAME`, `$ printenv NAME`, `$ cat password.txt`.
pub(super) fn below_named(text: &[u8], named: &Named) -> Option<Range<usize>> {
    // The line ends shortly behind the name.
    let near = part(text, named.range.end..text.len().min(named.range.end + 21));
    (near.len() < 21 || near.contains(&b'\n')).then_some(())?;
    let line = NotationLine::of(text, named.range.start)?;
    let own = line.text(text);
    let asks = [
        "echo ",
        "printenv ",
        "cat ",
        "$env:",
        "environ",
        "process.env",
        "config get",
        "--get",
        "configure get",
        "print(",
        "puts ",
        "get ",
        "jsonpath",
    ];
    let is_asked = || asks.iter().any(|word| contains(own, word.as_bytes()));
    // The shell's prompt, or the name alone behind an interpreter's.
    let is_name_alone = own.starts_with(b">>> ") && named.range.start == line.start + 4;
    if !is_prompted(text, line) || !is_name_alone && !is_asked() {
        return None;
    }
    let rest = part(text, named.range.end..line.end).iter();
    let is_end = rest.clone().take(20).all(|byte| b"}\"')] .txtsecrkyconfj\r".contains(byte))
        && rest.count() < 20;
    is_end.then(|| alone(text, line.next(text)?)).flatten()
}
