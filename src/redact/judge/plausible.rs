//! Whether a value can be a secret, or stands where one would.
//!
//! Rules find places, this says what may stand there. `is_secret` comes first: what the name promises and how the
//! value is written set how much the value itself must show (length, kinds of letters, entropy). Then it is held
//! against what people put in a secret's place: addresses, code, stand-ins such as `changeme`. Cheap questions stand
//! before dear ones, since nearly every value of a session is asked and nearly none is a secret.

mod forms;

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use crate::redact::bytes::{Bytes, begins, begins_in_any_case};

use super::names::Promise;
use super::ordinary;
pub(crate) use forms::is_joined;
use forms::{is_address, is_code, is_identifier, is_wordy};

/// Parts of words that people put where a secret goes.
#[rustfmt::skip]
const STAND_INS: &[&str] = &[
    "example", "changeme", "change_me", "change-me", "placeholder", "xxxx", "redacted", "dummy",
    "replace", "insert", "not-set", "notset", "undefined", "sample", "goes-here", "goes_here",
    "goeshere", "****", "....", "…", "••", "notreal", "not_real", "foobar", "lorem", "masked",
    "hidden", "localhost", "deadbeef", "your_", "your-", "abcdefgh", "12345678", "01234567", "qwerty",
];

/// All of them in one pass, whatever their case. A test builds it.
static STAND_INS_FINDER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let finder = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .kind(Some(AhoCorasickKind::DFA))
        .build(STAND_INS);
    finder.ok()
});

/// Words of which example passwords are put together, longer ones before their parts.
#[rustfmt::skip]
const EXAMPLE_WORDS: &[&str] = &[
    "passphrase", "password", "postgresql", "postgres", "required", "optional", "default",
    "invalid", "correct", "incorrect", "production", "development", "username", "string",
    "secret", "passwd", "access", "client", "random", "strong", "admin", "token", "mysql",
    "mongo", "redis", "guest", "local", "value", "super", "wrong", "valid", "empty", "false",
    "user", "pass", "test", "root", "long", "very", "auth", "fake", "mock", "true", "null",
    "none", "some", "here", "this", "that", "your", "from", "base", "rabbit", "bearer", "basic",
    "demo", "temp", "name", "type", "text", "file", "hash", "key", "api", "app", "dev", "foo",
    "bar", "baz", "the", "and", "not", "new", "old", "bad", "good", "any", "pwd", "env", "yes",
    "my", "is", "db", "no", "a", "in", "to",
];

/// The shortest and the longest value of a name, in bytes.
pub(crate) const MIN_VALUE: usize = 5;
const MAX_VALUE: usize = 4_000;

/// What the surroundings of an assigned value say.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    /// Between quotes, or a JSON string.
    pub(crate) quoted: bool,
    /// `NAME=value` as in `.env` files and shells.
    pub(crate) env: bool,
}

impl Setting {
    /// A word among others, in code or prose.
    pub(crate) const BARE: Setting = Setting { quoted: false, env: false };
    /// Between quotes.
    pub(crate) const QUOTED: Setting = Setting { quoted: true, env: false };
    /// Where nothing else can stand.
    pub(crate) const ENV: Setting = Setting { quoted: false, env: true };
}

#[expect(clippy::cast_precision_loss, reason = "counts of letters are small")]
/// Bits per byte of the letters' distribution.
pub(crate) fn entropy(value: &[u8]) -> f32 {
    let mut counts = [0u32; 256];
    for &byte in value {
        counts[usize::from(byte)] += 1;
    }
    let len = value.len().max(1) as f32;
    let bits = |count: u32| {
        let share = count as f32 / len;
        share * share.log2()
    };
    -counts.iter().filter(|&&count| count > 0).map(|&count| bits(count)).sum::<f32>()
}

/// `<your-key>`, `xxxx`, `${VAR}`, `changeme`: where a secret would be.
pub(crate) fn is_stand_in(value: &str) -> bool {
    is_reference(value)
        || is_of_example_words(value.as_bytes())
        || is_monotonous(value.as_bytes())
        || STAND_INS_FINDER.as_ref().is_some_and(|finder| finder.is_match(value))
}

/// Like [`is_stand_in`] for a long value of a known form, in which such a word
/// may stand by chance: it must make up a good part.
pub(crate) fn is_example_token(value: &str) -> bool {
    let small = value.to_ascii_lowercase();
    let covered: usize =
        STAND_INS.iter().map(|word| small.matches(word).count() * word.len()).sum();
    let steps = value.as_bytes().windows(2).filter(|pair| pair[0].abs_diff(pair[1]) <= 1).count();
    covered * 4 >= value.len()
        || steps * 10 >= value.len() * 6
        || is_reference(value)
        || is_of_example_words(value.as_bytes())
}

/// How names begin that stand in place of a value, in the shell, in templates and in code.
#[rustfmt::skip]
const REFERENCES: &[&str] = &[
    "$", "{{", "{%", "<", "%(", "#{", "@{", "process.env", "os.environ", "os.getenv", "env.", "import.meta", "secrets.", "vars.",
    "System.getenv", "ENV[", "getenv", "std::env", "env(", "env:", "vault:", "op://", "ref+", "!ref", "!secret", "arn:",
    "sha256:", "sha512-", "sha256-", "sha1-", "sha384-",
];

/// How they begin.
static REFERENCE_FIRSTS: Bytes = {
    let mut firsts = [0; REFERENCES.len()];
    let mut at = 0;
    while at < REFERENCES.len() {
        firsts[at] = REFERENCES[at].as_bytes()[0];
        at += 1;
    }
    Bytes::of(&firsts)
};

fn is_reference(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.first().is_some_and(|first| REFERENCE_FIRSTS.has(*first))
        && REFERENCES.iter().any(|start| begins(bytes, start.as_bytes()))
        || is_session_key(value)
        || value.starts_with('%') && value.ends_with('%')
        || value.starts_with('{') && !value.starts_with("{\"")
        || memchr::memchr_iter(b'{', bytes)
            .any(|at| bytes.get(at + 1) == Some(&b'{') || at > 0 && bytes[at - 1] == b'$')
}

/// The key of one of OpenClaw's sessions (2026.9.6): `agent:main:subagent:` and a UUID.
fn is_session_key(value: &str) -> bool {
    let Some(parts) = value.strip_prefix("agent:") else { return false };
    let is_uuid = |part: &str| {
        part.len() == 36 && part.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
    };
    let is_word = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    parts.contains(':') && parts.split(':').all(|part| is_word(part) || is_uuid(part))
}

/// Of one or two letters, or counting up or down.
fn is_monotonous(value: &[u8]) -> bool {
    let first = value.first();
    let second = value.iter().find(|byte| Some(*byte) != first);
    if !value.iter().any(|byte| Some(byte) != first && Some(byte) != second) {
        return true;
    }
    let steps = value.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) <= 1).count();
    value.len() >= 6 && steps * 10 >= (value.len() - 1) * 8
}

/// The same by their first letter, in the same order.
static EXAMPLE_WORDS_BY_LETTER: LazyLock<[Vec<&[u8]>; 26]> = LazyLock::new(|| {
    let mut by_letter = [const { Vec::new() }; 26];
    for word in EXAMPLE_WORDS {
        by_letter[usize::from(word.as_bytes()[0] - b'a')].push(word.as_bytes());
    }
    by_letter
});

/// Nothing but words such as `my`, `secret`, `key`, and a few digits.
fn is_of_example_words(value: &[u8]) -> bool {
    let mut rest = value;
    let mut digits = 0;
    while let Some((&first, behind)) = rest.split_first() {
        rest = match first {
            b'0'..=b'9' => {
                digits += 1;
                behind
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                let words = &EXAMPLE_WORDS_BY_LETTER[usize::from((first | 0x20) - b'a')];
                match words.iter().find(|word| begins_in_any_case(rest, word)) {
                    Some(word) => &rest[word.len()..],
                    None => return false,
                }
            }
            _ if first.is_ascii_punctuation() || first == b' ' => behind,
            _ => return false,
        };
    }
    digits <= 4
}

const DIGIT: u8 = 1;
const LOWER: u8 = 2;
const UPPER: u8 = 4;
const PUNCTUATION: u8 = 8;
const SPACE: u8 = 16;
const OTHER: u8 = 32;

/// The kind of each byte.
static KINDS: [u8; 256] = {
    let mut kinds = [OTHER; 256];
    let mut byte = 0u8;
    while byte < 128 {
        kinds[byte as usize] = match byte {
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' => LOWER,
            b'A'..=b'Z' => UPPER,
            b' ' | 9..=13 => SPACE,
            _ if byte.is_ascii_punctuation() => PUNCTUATION,
            _ => OTHER,
        };
        byte += 1;
    }
    kinds
};

/// Which kinds of letters a value has.
#[expect(clippy::struct_excessive_bools, reason = "each kind is there or is not")]
struct Kinds {
    digit: bool,
    letter: bool,
    lower: bool,
    upper: bool,
    /// Anything but ASCII letters and digits.
    sign: bool,
    punctuation: bool,
    is_spaced: bool,
}

impl Kinds {
    fn of(value: &str) -> Self {
        let seen = value.bytes().fold(0, |seen, byte| seen | KINDS[usize::from(byte)]);
        let has = |kinds: u8| seen & kinds != 0;
        Kinds {
            digit: has(DIGIT),
            letter: has(LOWER | UPPER),
            lower: has(LOWER),
            upper: has(UPPER),
            sign: has(PUNCTUATION | SPACE | OTHER),
            punctuation: has(PUNCTUATION),
            is_spaced: has(SPACE),
        }
    }

    /// Small letters, capitals, digits, signs.
    fn count(&self) -> usize {
        [self.lower, self.upper, self.digit, self.punctuation]
            .into_iter()
            .filter(|has| *has)
            .count()
    }
}

/// Words of other scripts, which are what a program shows, or several words.
fn is_shown_or_spaced(value: &str) -> bool {
    let wide = value.chars().filter(|&letter| letter >= '\u{2e80}').count();
    let is_text = wide > 0 && wide >= value.bytes().filter(u8::is_ascii_alphanumeric).count();
    is_text || value.contains(char::is_whitespace)
}

/// Whether `value`, assigned to a name of this promise, is a secret.
pub(crate) fn is_secret(value: &str, promise: Promise, setting: Setting) -> bool {
    if !(MIN_VALUE..=MAX_VALUE).contains(&value.len()) {
        return false;
    }
    let kinds = Kinds::of(value);
    if kinds.is_spaced || !value.is_ascii() && is_shown_or_spaced(value) {
        return false;
    }
    let Kinds { digit, letter, lower, upper, sign, .. } = kinds;
    let mixed = lower && upper;
    let stated = setting.quoted || setting.env;
    let is_likely = match promise {
        Promise::Password if stated => digit || is_password_of_letters(value, setting, sign),
        Promise::Password => value.len() >= 6 && (digit && letter || is_signed(value)),
        Promise::Key => {
            // What people choose is short, and of all kinds of letters.
            let is_chosen = kinds.count() == 4 && unjoined_classes(value) == 4;
            let least = if stated || is_chosen { 8 } else { 12 };
            let random = digit && letter || mixed && value.len() >= 16 && !is_wordy(value);
            let is_odd = || {
                let is_hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
                let floor = if is_hex { 2.4 } else { 2.7 };
                is_chosen || stated && kinds.count() == 4 || entropy(value.as_bytes()) >= floor
            };
            let is_name = || {
                !setting.env && is_identifier(value)
                    || !stated && ordinary::is_name_of_secret(value)
            };
            value.len() >= least && random && !has_bracket(value) && is_odd() && !is_name()
        }
    };
    // What costs most comes last.
    is_likely && !is_address(value) && !is_code(value) && !is_stand_in(value)
}

/// Whether a value is none of what stands where a secret would: no stand-in, address or code.
pub(crate) fn can_be_secret(value: &str) -> bool {
    !is_address(value) && !is_stand_in(value) && !is_code(value)
}

/// Of how something is kept, which sentences tell of passwords and tokens.
const TERMS: &[&str] =
    &["base64", "sha", "md5", "utf", "oauth", "x509", "bcrypt", "argon2", "aes", "rsa", "http"];

/// Whether a word that a sentence or a table gives to a name is a secret.
pub(crate) fn is_told(value: &str, promise: Promise) -> bool {
    let bytes = value.as_bytes();
    let is_term = TERMS.iter().any(|term| begins_in_any_case(bytes, term.as_bytes()));
    let is_entity = |at: usize| begins(&bytes[at..], b"&quot") || begins(&bytes[at..], b"&#");
    if is_term || memchr::memchr_iter(b'&', bytes).any(is_entity) || has_bracket(value) {
        return false;
    }
    is_secret(value, promise, Setting::BARE)
        || promise == Promise::Key
            && value.len() >= 8
            && classes(value) >= 3
            && !is_identifier(value)
            && is_secret(value, Promise::Password, Setting::BARE)
}

/// Whether a word that merely follows a name is a secret: it looks like nothing else.
pub(crate) fn is_striking(value: &str, promise: Promise) -> bool {
    let is_long = || value.len() >= 16 && entropy(value.as_bytes()) >= 3.2;
    (value.len() >= 8 && unjoined_classes(value) >= 3 || is_long())
        && !is_wordy(value)
        && is_told(value, promise)
}

/// How many kinds of letters a value has: small ones, capitals, digits, signs.
fn classes(value: &str) -> usize {
    Kinds::of(value).count()
}

/// [`classes`] without what joins words, which tells nothing.
fn unjoined_classes(value: &str) -> usize {
    let joints = |byte: &u8| b"_-.:/,".contains(byte);
    let punctuation = value.bytes().any(|byte| byte.is_ascii_punctuation() && !joints(&byte));
    Kinds { punctuation, ..Kinds::of(value) }.count()
}

/// Words that stand in sentences about passwords, and hardly in one.
#[rustfmt::skip]
const SPEECH: &[&str] = &[
    "the", "a", "an", "is", "are", "be", "must", "your", "you", "my", "enter", "for", "to", "of", "and", "or", "please",
    "invalid", "password", "passphrase", "passwords", "not", "no", "at", "least", "in", "with", "this", "that", "if", "do",
    "does", "can", "has", "have", "will", "new", "old", "user", "login", "key", "secret", "token", "test", "it", "as",
];

/// A passphrase: four words or more that make up no sentence.
pub(crate) fn is_passphrase(value: &str) -> bool {
    let is_word = |word: &str| {
        (3..=10).contains(&word.len())
            && word.bytes().all(|byte| byte.is_ascii_lowercase())
            && !SPEECH.contains(&word)
    };
    let sign = if value.contains(' ') { ' ' } else { '-' };
    (4..=10).contains(&value.split(sign).count())
        && value.split(sign).all(is_word)
        && !is_stand_in(value)
}

/// Signs of expressions and of patterns, which no key has.
static BRACKETS: Bytes = Bytes::of(b"()[]{}<>|\\`?");

fn has_bracket(value: &str) -> bool {
    value.bytes().any(|byte| BRACKETS.has(byte))
}

/// Signs that no code and no prose has within a word.
fn is_signed(value: &str) -> bool {
    value.len() >= 8 && value.bytes().any(|byte| b"!@#$%^&*~".contains(&byte))
}

fn is_password_of_letters(value: &str, setting: Setting, sign: bool) -> bool {
    let mut letters = value.chars();
    let is_title =
        letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_lowercase);
    // Words of other scripts are what a program shows.
    if !value.is_ascii() {
        return false;
    }
    if sign {
        return !is_wordy(value) || setting.env && value.len() >= 8;
    }
    value.len() >= 6 && !is_title && (setting.env || !is_wordy(value) || value.len() >= 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_a_session_is_no_secret() {
        let uuid = "0b6a5c1e-1c1d-4e0e-9a55-2f6d5a3b9c11";
        for key in ["agent:main:main".to_owned(), format!("agent:main:subagent:{uuid}")] {
            assert!(is_stand_in(&key), "{key}");
        }
        for other in ["agent:Xk29dkQ0aL", "agent:main:Xk29dkQ0aLpq", "agent:"] {
            assert!(!is_session_key(other), "{other}");
        }
    }

    #[test]
    fn stand_ins_are_known_whatever_their_case() {
        assert!(STAND_INS_FINDER.is_some());
        assert!(is_stand_in("the-CHANGEME-of-9"));
        assert!(!is_stand_in("k3strel-91-lantern"));
    }
}
