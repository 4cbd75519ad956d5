//! What a script sends to the prompt for a password: `expect "assword:"`, `send "x\r"`.

use std::ops::Range;

use super::value::{skip_spaces, string};

/// What sends.
pub(super) const SENDING: &[&str] =
    &["send \"", "send -", "send {", "send '", "send(", "sendline(", "sendline \"", "sendline '"];

/// Bytes before it in which the prompt is expected.
const NEAR: usize = 300;

/// What prompts for secrets say, in small letters.
const PROMPTS: &[&[u8]] = &[b"assword", b"asscode", b"assphrase", b"passwd", b"secret"];

/// What is sent at `literal`, when a secret is expected.
pub(super) fn value(text: &[u8], literal: &Range<usize>) -> Option<Range<usize>> {
    is_asked(&text[literal.start.saturating_sub(NEAR)..literal.start]).then_some(())?;
    let mut at = literal.end - 1;
    if text[at] == b'-' {
        at += text[at..].iter().take(12).take_while(|byte| !byte.is_ascii_whitespace()).count();
    }
    at += usize::from(text.get(at) == Some(&b'('));
    at = skip_spaces(text, at);
    let mut range = if text.get(at) == Some(&b'{') {
        let end = memchr::memchr2(b'}', b'\n', &text[at..text.len().min(at + NEAR)])?;
        at + 1..at + end
    } else {
        string(text, at)?
    };
    for end in [&b"\\r\\n"[..], b"\\n", b"\\r"] {
        if text[range.clone()].ends_with(end) {
            range.end -= end.len();
        }
    }
    (!range.is_empty()).then_some(range)
}

/// Whether the last that is expected is a prompt for a secret, and nothing was sent to it.
fn is_asked(before: &[u8]) -> bool {
    let small = before.to_ascii_lowercase();
    let Some(expect) = memchr::memmem::rfind(&small, b"expect") else { return false };
    // A method of Python's pexpect, or a command; a test's function is neither.
    let is_method = small[..expect].ends_with(b".");
    if small.get(expect + 6) == Some(&b'(') && !is_method {
        return false;
    }
    let asked =
        PROMPTS.iter().filter_map(|word| memchr::memmem::rfind(&small[expect..], word)).max();
    asked.is_some_and(|at| memchr::memmem::find(&small[expect + at..], b"send").is_none())
}
