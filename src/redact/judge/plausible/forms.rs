//! What names, places and expressions look like, which are no secrets.

use crate::redact::bytes::{Bytes, Words, begins, contains};
use crate::redact::judge::{names, ordinary};

/// What joins the words of a name.
static JOINTS: Bytes = Bytes::of(b"-_.:/?!,");

/// Words joined by `-`, `_`, `.` or by capital letters: a name of something.
pub(super) fn is_wordy(value: &str) -> bool {
    let is_word = |word: &[u8]| {
        word.len() <= 14
            && (word.iter().skip(1).all(u8::is_ascii_lowercase)
                || word.iter().all(u8::is_ascii_uppercase))
    };
    if value.bytes().any(|byte| JOINTS.has(byte)) {
        return value.as_bytes().split(|&byte| JOINTS.has(byte)).all(is_word);
    }
    let capitals = value.bytes().skip(1).filter(u8::is_ascii_uppercase).count();
    value.bytes().all(|byte| byte.is_ascii_alphabetic()) && capitals * 4 <= value.len()
}

/// Words of one case joined by `_`, one with a number at most, as programs name things:
/// `X32_SYSCALL_BIT`. In small letters people write keys so too, unless it is the name of one.
pub(super) fn is_identifier(value: &str) -> bool {
    let is_capital = !value.bytes().any(|byte| byte.is_ascii_lowercase());
    let is_letter =
        |byte: u8| byte.is_ascii_alphabetic() && byte.is_ascii_uppercase() == is_capital;
    let (mut words, mut numbers) = (0, 0);
    for word in value.split('_').filter(|word| !word.is_empty()) {
        let letters = word.bytes().take_while(|&byte| is_letter(byte)).count();
        let digits = word.len() - letters;
        let is_numbered = digits > 0;
        if !word[letters..].bytes().all(|byte| byte.is_ascii_digit())
            || letters > 14
            || is_numbered && (letters > 7 || digits > 5)
        {
            return false;
        }
        numbers += usize::from(is_numbered);
        words += usize::from(!is_numbered && letters >= 3);
    }
    words >= 2 && numbers <= 1 && (is_capital || names::promise(value).is_some())
}

/// Like [`is_wordy`], numbers among the words allowed: `scram-sha-256`.
pub(crate) fn is_joined(value: &str) -> bool {
    is_wordy(value)
        || value.split(['-', '_', '.']).count() > 1
            && value.split(['-', '_', '.']).all(|part| {
                part.bytes().all(|byte| byte.is_ascii_digit())
                    || part.bytes().all(|byte| byte.is_ascii_lowercase())
            })
}

/// A place, not a secret; secrets within addresses have rules of their own.
pub(super) fn is_address(value: &str) -> bool {
    let bytes = value.as_bytes();
    let is_path =
        ["/", "./", "../", "~/", "~\\", "\\\\"].iter().any(|start| begins(bytes, start.as_bytes()))
            && !(value.bytes().any(|byte| byte.is_ascii_uppercase())
                && value.bytes().any(|byte| byte.is_ascii_digit())
                && !value.contains('.'));
    let is_drive = value.get(1..3).is_some_and(|at| at == ":\\" || at == ":/");
    is_path || is_drive || contains(bytes, b"://")
}

/// An expression: `form.password1`, `u8::MAX`, `bytes32`, `getToken(2)`.
pub(super) fn is_code(value: &str) -> bool {
    if ordinary::is_number(value) {
        return true;
    }
    let is_name = |part: &str| {
        part.bytes().next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let joints: [&[u8]; 3] = [b"::", b"->", b"()"];
    if joints.iter().any(|joint| contains(value.as_bytes(), joint)) {
        return true;
    }
    // `credentials[1]`, `Union[bytes`: an index of something.
    if value.split_once('[').is_some_and(|(head, _)| head.split('.').all(is_name)) {
        return true;
    }
    let is_hex_number = value.strip_prefix("0x").is_some_and(|digits| digits.len() <= 8);
    if is_hex_number {
        return true;
    }
    // Numbers are rare in names, those of algorithms aside.
    let is_plain = |part: &str| {
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        digits <= 2 || ["sha", "base64", "aes"].iter().any(|known| part.contains(known))
    };
    let is_chain = |part: &str| is_name(part) && is_plain(part);
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    if value.contains('.') && value.split('.').all(is_chain) && (value.len() < 40 || !has_digit) {
        return true;
    }
    let stem = value.trim_end_matches(|letter: char| letter.is_ascii_digit());
    TYPES.has(stem.as_bytes())
}

/// Types and terms that end with a number.
#[rustfmt::skip]
static TYPES: Words = Words::of(&[
    "bytes", "uint", "int", "float", "string", "str", "utf", "utf-", "sha", "sha-", "sha3-", "base", "varchar", "char",
    "text", "password", "token", "arg", "param", "field", "input", "secret", "hs", "rs", "es", "aes-", "aes", "md",
]);
