//! Forms that no provider owns.

use crate::redact::keyed;
use crate::redact::names::LITERALS as NAMES;
use crate::redact::notation::Notation;

use super::{Reading, Rule, notation, read, token};

#[rustfmt::skip]
pub(super) const ROWS: &[Rule] = &[
    read("private-key", &["PRIVATE KEY", "Private-Lines:"], Reading::KeyBlock),
    token("jwt", &["eyJ"], r"eyJ[\w-]{12,}\.eyJ[\w-]{12,}(?:\.[\w-]{16,})?", 3.5),
    token("url-password", &["://"],
        r"://[^\s:/?\#\x22'`<>\\@\[\](),;{}|]{0,80}:([^\s/\x22'`<>\\(),;{}|\[\]]{3,200})@[A-Za-z0-9\[]", 0.0),
    token("url-token", &["://"], r"://([A-Za-z0-9_-]{24,200})@", 3.2),
    read("login", &["basic ", "auth"], Reading::Login),
    Rule { name: "bearer-token", literals: &["bearer", "authorization"], entropy: 2.8, reading: Reading::Bearer,
        pattern: r#"(?i:bearer|authorization)(?:\\*["'`])?(?:[ \t]|%20|\\*["'`]|[:=,(]){1,8}(?i:(?:bearer|token|apikey|api-key|bot|key)(?:[ \t]|%20)+)?([A-Za-z0-9._~+/=|:-]{12,})"# },
    read("command-login", &["-u ", "--user"], Reading::CommandLogin),
    read("cookie", &["cookie"], Reading::Cookies),
    read("password", NAMES, Reading::Assignment),
    notation(Notation::Foreign),
    notation(Notation::Command),
    notation(Notation::Piped),
    notation(Notation::Login),
    notation(Notation::Signer),
    notation(Notation::Printing),
    notation(Notation::Manifest),
    notation(Notation::Pgpass),
    notation(Notation::Query),
    notation(Notation::Address),
    notation(Notation::Account),
    notation(Notation::SecureString),
    notation(Notation::Directive),
    notation(Notation::Sending),
    notation(Notation::Insert),
    read("key", keyed::WORDS, Reading::Keyed),
    read("key", keyed::PROVIDERS, Reading::Keyed),
];
