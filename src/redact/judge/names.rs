//! Which names promise a secret: `DB_PASSWORD`, `apiKey`, `client-secret`.
//!
//! Asked of every name that has a literal in it, so it goes through a name from its last
//! word on and keeps none of them.

use std::ops::Range;

use crate::redact::bytes::Words;

/// What is expected of the value behind a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Promise {
    /// Chosen by people: short and of words, perhaps.
    Password,
    /// Made by machines: long and without pattern.
    Key,
}

/// What the names are looked for by.
#[rustfmt::skip]
pub(crate) const LITERALS: &[&str] = &[
    "pass", "pwd", "pswd", "psw", "pw", "psk", "mdp", "_pat", "pat:", "pat=", "pat\"", "pat'", "pat ", "secret", "token", "key",
    "credential", "_auth", "access_code", "accesscode", "auth_code", "authcode", "masterauth", "kennwort", "contrasen",
    "clave", "motdepasse", "senha", "wachtwoord", "losenord", "haslo", "heslo", "sifre", "parola", "salasana", "adgangskode",
    "jelszo", "lozinka",
];

/// Longest name that is looked at, in bytes.
pub(crate) const MAX_NAME: usize = 80;

/// Words behind the word that counts, as in `password2` and `SECRET_KEY_BASE`.
#[rustfmt::skip]
static ENDINGS: Words = Words::of(&[
    "value", "prod", "production", "dev", "development", "test", "staging", "live", "new", "old",
    "current", "confirm", "confirmation", "base", "base64", "b64", "str", "string", "text",
    "plain", "env", "var", "default", "raw", "main", "primary", "secondary", "backup",
]);

/// Words that turn a secret's name into something harmless.
#[rustfmt::skip]
static HARMLESS: Words = Words::of(&[
    "public", "next", "page", "pagination", "continuation", "cancel", "cancellation", "design",
    "max", "min", "num", "count", "total", "limit", "pad", "eos", "bos", "unk", "sep", "mask",
    "cls", "special", "stop", "start", "prev", "previous", "lexer", "lex", "syntax", "parse",
    "cache", "primary", "foreign", "sort", "partition", "object", "dict", "map", "row", "column",
    "no", "has", "is", "use", "show", "hide", "forgot", "reset", "change", "missing", "invalid",
]);

/// Words that make a secret of a `key` behind them.
#[rustfmt::skip]
static KEYS: Words = Words::of(&[
    "api", "access", "secret", "private", "encryption", "encrypt", "signing", "sign", "master",
    "auth", "account", "service", "shared", "storage", "app", "application", "license", "licence",
    "deploy", "admin", "write", "jwt", "hmac", "aes", "crypto", "cipher", "client", "session",
    "role", "anon", "bearer", "server", "project", "ssh", "gpg", "wallet", "cookie",
    "unseal", "recovery",
]);

#[rustfmt::skip]
const KEYS_IN_ONE: &[&str] = &[
    "apikey", "accesskey", "secretkey", "privatekey", "authkey", "masterkey", "encryptionkey",
    "signingkey", "accountkey", "servicekey", "sharedkey", "storagekey", "appkey", "licensekey",
];

/// Passwords' names that are short, or of languages that are written in ASCII.
#[rustfmt::skip]
static PASSWORDS: Words = Words::of(&[
    "pass", "pw", "pswd", "psw", "pwrd", "passwrd", "psk", "mdp", "sshpass", "dbpass", "userpass", "mysqlpass", "pgpass",
    "rootpass", "rootpw", "bindpw", "dbpw", "userpw", "requirepass", "masterauth", "storepass", "keypass",
    "passwort", "kennwort", "contrasena", "contrasenia", "clave", "motdepasse", "senha", "wachtwoord", "losenord",
    "haslo", "heslo", "sifre", "parola", "salasana", "adgangskode", "passord", "jelszo", "lozinka",
]);

/// What the name of several secrets promises of each: `passwords`, `API_KEYS`.
pub(crate) fn promise_of_each(name: &str) -> Option<Promise> {
    // As Vault names the keys of its seal.
    if name == "keys_base64" {
        return Some(Promise::Key);
    }
    let name = name.strip_suffix("_b64").or(name.strip_suffix("_hex")).unwrap_or(name);
    let one = name.strip_suffix('s').or(name.strip_suffix('S'))?;
    let is_plural = ["token", "secret", "sword", "key", "asswd", "phrase"]
        .iter()
        .any(|end| ends_with(one.as_bytes(), end.as_bytes()));
    if is_plural { promise(one) } else { None }
}

/// What the name promises, if it is one of a secret.
pub(crate) fn promise(name: &str) -> Option<Promise> {
    let bytes = name.as_bytes();
    let last = last_that_counts(bytes)?;
    let before = &bytes[..last.start];
    let found = promise_of(bytes, before, stem(&bytes[last]))?;
    (!words(before).any(|word| HARMLESS.has(&before[word]))).then_some(found)
}

/// The last word that says what is named.
fn last_that_counts(name: &[u8]) -> Option<Range<usize>> {
    words(name).find(|word| {
        let word = &name[word.clone()];
        !word.iter().all(u8::is_ascii_digit) && !ENDINGS.has(word)
    })
}

/// A word without the digits behind it.
fn stem(word: &[u8]) -> &[u8] {
    let len = word.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1);
    &word[..len]
}

/// What the word `last` behind others promises.
fn promise_of(name: &[u8], before: &[u8], last: &[u8]) -> Option<Promise> {
    let is = |word: &str| last.eq_ignore_ascii_case(word.as_bytes());
    let ends = |word: &&str| ends_with(last, word.as_bytes());
    let follows = |known: &dyn Fn(&[u8]) -> bool| {
        words(before).next().is_some_and(|word| known(&before[word]))
    };
    let follows_one_of = |known: &[&str]| {
        follows(&|word| known.iter().any(|one| word.eq_ignore_ascii_case(one.as_bytes())))
    };
    if ["password", "passwd", "passphrase", "passcode", "pwd"].iter().any(ends)
        || PASSWORDS.has(last)
    {
        return Some(Promise::Password);
    }
    // What a setting calls a Secret that exists, `existingSecret: my-release`.
    if is("secret") && follows_one_of(&["existing"]) {
        return None;
    }
    let is_key = ["token", "secret", "credential", "credentials"].iter().any(ends)
        || KEYS_IN_ONE.iter().any(ends)
        || is("auth") && (name.starts_with(b"_") || before.ends_with(b"__"))
        // What kubeconfig calls a private key in base64.
        || is("data") && before.to_ascii_lowercase().ends_with(b"client-key-")
        || is("key") && follows(&|word| KEYS.has(word))
        || is("code") && follows_one_of(&["access", "auth"])
        || is("salt") && follows_one_of(&["signing", "secret", "encryption"])
        // A personal access token; in small letters alone the word means other things.
        || is("pat") && (words(before).next().is_some() || name == b"PAT");
    is_key.then_some(Promise::Key)
}

/// Whether a word, in whatever case, ends with another.
fn ends_with(word: &[u8], end: &[u8]) -> bool {
    matches!((word.last(), end.last()), (Some(a), Some(b)) if a.eq_ignore_ascii_case(b))
        && word
            .len()
            .checked_sub(end.len())
            .is_some_and(|from| word[from..].eq_ignore_ascii_case(end))
}

/// Whether the value behind the name is a header that carries a login.
pub(crate) fn is_login_header(name: &str) -> bool {
    ["authorization", "proxy-authorization"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether the value behind the name is one of cookies.
pub(crate) fn is_cookie_header(name: &str) -> bool {
    ["cookie", "set-cookie", "cookies"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// The words of a name from the last on, whichever way they are joined.
fn words(name: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut end = name.len();
    std::iter::from_fn(move || {
        end = name[..end].iter().rposition(u8::is_ascii_alphanumeric)? + 1;
        let mut start = end - 1;
        while start > 0 && name[start - 1].is_ascii_alphanumeric() && !begins_word(name, start) {
            start -= 1;
        }
        let word = start..end;
        end = start;
        Some(word)
    })
}

/// Whether the letter at `at`, behind another one, is the first of a word.
fn begins_word(name: &[u8], at: usize) -> bool {
    let (before, own) = (name[at - 1], name[at]);
    let is_capital_before = before.is_ascii_uppercase();
    own.is_ascii_uppercase()
        && (before.is_ascii_lowercase()
            || before.is_ascii_digit()
            || is_capital_before && name.get(at + 1).is_some_and(u8::is_ascii_lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(name: &str) -> Vec<&str> {
        let mut found: Vec<&str> = words(name.as_bytes()).map(|word| &name[word]).collect();
        found.reverse();
        found
    }

    #[test]
    fn names_are_parted_into_words() {
        assert_eq!(split("DB_PASSWORD"), ["DB", "PASSWORD"]);
        assert_eq!(split("apiKey2"), ["api", "Key2"]);
        assert_eq!(split("--my.HTTPSecret__x"), ["my", "HTTP", "Secret", "x"]);
        assert_eq!(split("é_pwd"), ["pwd"]);
        assert!(split("__").is_empty());
    }
}
