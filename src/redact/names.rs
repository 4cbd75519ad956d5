//! Which names promise a secret: `DB_PASSWORD`, `apiKey`, `client-secret`.

/// What is expected of the value behind a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Promise {
    /// Chosen by people: short and of words, perhaps.
    Password,
    /// Made by machines: long and without pattern.
    Key,
}

/// What the names are looked for by.
#[rustfmt::skip]
pub(super) const LITERALS: &[&str] = &[
    "pass", "pwd", "pswd", "psw", "pw", "psk", "mdp", "_pat", "pat:", "pat=", "pat\"", "pat'", "pat ", "secret", "token", "key",
    "credential", "_auth", "access_code", "accesscode", "auth_code", "authcode", "masterauth", "kennwort", "contrasen",
    "clave", "motdepasse", "senha", "wachtwoord", "losenord", "haslo", "heslo", "sifre", "parola", "salasana", "adgangskode",
    "jelszo", "lozinka",
];

/// Longest name that is looked at, in bytes.
pub(super) const MAX_NAME: usize = 80;

/// Words behind the word that counts, as in `password2` and `SECRET_KEY_BASE`.
#[rustfmt::skip]
const ENDINGS: &[&str] = &[
    "value", "prod", "production", "dev", "development", "test", "staging", "live", "new", "old",
    "current", "confirm", "confirmation", "base", "base64", "b64", "str", "string", "text",
    "plain", "env", "var", "default", "raw", "main", "primary", "secondary", "backup",
];

/// Words that turn a secret's name into something harmless.
#[rustfmt::skip]
const HARMLESS: &[&str] = &[
    "public", "next", "page", "pagination", "continuation", "cancel", "cancellation", "design",
    "max", "min", "num", "count", "total", "limit", "pad", "eos", "bos", "unk", "sep", "mask",
    "cls", "special", "stop", "start", "prev", "previous", "lexer", "lex", "syntax", "parse",
    "cache", "primary", "foreign", "sort", "partition", "object", "dict", "map", "row", "column",
    "no", "has", "is", "use", "show", "hide", "forgot", "reset", "change", "missing", "invalid",
];

/// Words that make a secret of a `key` behind them.
#[rustfmt::skip]
const KEYS: &[&str] = &[
    "api", "access", "secret", "private", "encryption", "encrypt", "signing", "sign", "master",
    "auth", "account", "service", "shared", "storage", "app", "application", "license", "licence",
    "deploy", "admin", "write", "jwt", "hmac", "aes", "crypto", "cipher", "client", "session",
    "role", "anon", "bearer", "server", "project", "ssh", "gpg", "wallet", "cookie",
];

#[rustfmt::skip]
const KEYS_IN_ONE: &[&str] = &[
    "apikey", "accesskey", "secretkey", "privatekey", "authkey", "masterkey", "encryptionkey",
    "signingkey", "accountkey", "servicekey", "sharedkey", "storagekey", "appkey", "licensekey",
];

/// Passwords' names that are short, or of languages that are written in ASCII.
#[rustfmt::skip]
const PASSWORDS: &[&str] = &[
    "pass", "pw", "pswd", "psw", "pwrd", "passwrd", "psk", "mdp", "sshpass", "dbpass", "userpass", "mysqlpass", "pgpass",
    "rootpass", "rootpw", "bindpw", "dbpw", "userpw", "requirepass", "masterauth", "storepass", "keypass",
    "passwort", "kennwort", "contrasena", "contrasenia", "clave", "motdepasse", "senha", "wachtwoord", "losenord",
    "haslo", "heslo", "sifre", "parola", "salasana", "adgangskode", "passord", "jelszo", "lozinka",
];

/// What the name of several secrets promises of each: `passwords`, `API_KEYS`.
pub(super) fn promise_of_each(name: &str) -> Option<Promise> {
    let one = name.strip_suffix('s').or(name.strip_suffix('S'))?;
    let last = one.len().checked_sub(6).and_then(|at| one.get(at..)).unwrap_or(one);
    let is_plural = ["token", "secret", "sword", "key", "asswd", "phrase"]
        .iter()
        .any(|end| last.to_ascii_lowercase().ends_with(end));
    if is_plural { promise(one) } else { None }
}

/// What the name promises, if it is one of a secret.
pub(super) fn promise(name: &str) -> Option<Promise> {
    let words = words(name);
    let kept = words
        .iter()
        .rposition(|word| {
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
            !is_number && !ENDINGS.contains(&word.as_str())
        })
        .map(|last| &words[..=last])?;
    let (last, before) = kept.split_last()?;
    let last = last.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let is_harmless = before.iter().any(|word| HARMLESS.contains(&word.as_str()));
    if is_harmless {
        return None;
    }
    if ["password", "passwd", "passphrase", "passcode", "pwd"].iter().any(|end| last.ends_with(end))
    {
        return Some(Promise::Password);
    }
    if PASSWORDS.contains(&last) {
        return Some(Promise::Password);
    }
    if last == "code"
        && before.last().is_some_and(|word| ["access", "auth"].contains(&word.as_str()))
    {
        return Some(Promise::Key);
    }
    if last == "salt"
        && before
            .last()
            .is_some_and(|word| ["signing", "secret", "encryption"].contains(&word.as_str()))
    {
        return Some(Promise::Key);
    }
    // A personal access token; in small letters alone the word means other things.
    if last == "pat" && (!before.is_empty() || name == "PAT") {
        return Some(Promise::Key);
    }
    let is_key =
        ["token", "secret", "credential", "credentials"].iter().any(|end| last.ends_with(end))
            || KEYS_IN_ONE.iter().any(|end| last.ends_with(end))
            || last == "auth" && name.starts_with('_')
            || last == "key" && before.last().is_some_and(|word| KEYS.contains(&word.as_str()));
    is_key.then_some(Promise::Key)
}

/// Whether the value behind the name is a header that carries a login.
pub(super) fn is_login_header(name: &str) -> bool {
    ["authorization", "proxy-authorization"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether the value behind the name is one of cookies.
pub(super) fn is_cookie_header(name: &str) -> bool {
    ["cookie", "set-cookie", "cookies"].iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// The words of a name in small letters, whichever way they are joined.
fn words(name: &str) -> Vec<String> {
    let bytes = name.as_bytes();
    let mut words = vec![String::new()];
    for (at, &byte) in bytes.iter().enumerate() {
        if !byte.is_ascii_alphanumeric() {
            words.push(String::new());
            continue;
        }
        let before = at.checked_sub(1).map_or(b'_', |at| bytes[at]);
        let after = bytes.get(at + 1).copied().unwrap_or(b'_');
        let begins = byte.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_digit()
                || before.is_ascii_uppercase() && after.is_ascii_lowercase());
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(char::from(byte.to_ascii_lowercase()));
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
