//! Forms that no provider owns.

use crate::redact::find::keyed;
use crate::redact::find::notation::Notation;
use crate::redact::judge::names::LITERALS as NAMES;

use super::row::{Reading, Rule, notation, read, token};

#[rustfmt::skip]
pub(super) const ROWS: &[Rule] = &[
    read("private-key", &["PRIVATE KEY", "Private-Lines:"], Reading::KeyBlock),
    token("jwt", &["eyJ"], r"eyJ[\w-]{12,}\.eyJ[\w-]{12,}(?:\.[\w-]{16,})?", 3.5),
    token("url-password", &["://"],
        r"://[^\s:/?\#\x22'`<>\\@\[\](),;{}|]{0,80}:([^\s/\x22'`<>\\(),;{}|\[\]]{3,200})@[A-Za-z0-9\[]", 0.0).with_sign(b'@', 282),
    token("url-token", &["://"], r"://([A-Za-z0-9_-]{24,200})@", 3.2).with_sign(b'@', 201),
    read("login", &["basic ", "auth"], Reading::Login),
    Rule { name: "bearer-token", sign: None, literals: &["bearer", "authorization"], entropy: 2.8, reading: Reading::Bearer,
        pattern: r#"(?i:bearer|authorization)(?:\\*["'`])?(?:[ \t]|%20|\\*["'`]|[:=,(]){1,8}(?i:(?:bearer|token|apikey|api-key|bot|key)(?:[ \t]|%20)+)?([A-Za-z0-9._~+/=|:-]{12,})"# },
    // Of bcrypt, crypt, argon2, PBKDF2 and LDAP. Their dollar signs are no variable's.
    Rule { name: "password-hash", sign: None, entropy: 3.0, reading: Reading::Exact,
        literals: &["$2a$", "$2b$", "$2x$", "$2y$", "$1$", "$apr1$", "$5$", "$6$", "$y$", "$argon2", "pbkdf2_sha", "pbkdf2:sha", "$pbkdf2-sha",
            "scrypt:", "$scrypt$", "SCRAM-SHA-", "{SHA", "{SSHA"],
        pattern: r"(?:\$2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}|\$(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}|\$[56]\$(?:rounds=[0-9]+\$)?[./A-Za-z0-9]{1,16}\$(?:[./A-Za-z0-9]{86}|[./A-Za-z0-9]{43})|\$y\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}|\$argon2(?:id|i|d)\$(?:v=[0-9]+\$)?[a-z0-9=,]{5,40}\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{20,}|pbkdf2_sha[0-9]{1,3}\$[0-9]+\$[./A-Za-z0-9]{4,40}\$[A-Za-z0-9+/]{27,}={0,2}|pbkdf2:sha[0-9]{1,3}(?::[0-9]+)?\$[./A-Za-z0-9]{4,40}\$[0-9a-f]{40,128}|\$pbkdf2-sha[0-9]{1,3}\$[0-9]+\$[./A-Za-z0-9]{8,40}\$[./A-Za-z0-9]{27,}|scrypt:[0-9]+:[0-9]+:[0-9]+\$[./A-Za-z0-9]{4,40}\$[0-9a-f]{64,128}|SCRAM-SHA-(?:1|256)\$[0-9]+:[A-Za-z0-9+/]{12,}={0,2}\$[A-Za-z0-9+/]{27,43}=:[A-Za-z0-9+/]{27,43}=|\$scrypt\$ln=[0-9a-z=,]{5,20}\$[A-Za-z0-9+/]{8,}\$[A-Za-z0-9+/]{27,}|\{S?SHA(?:256|512)?\}[A-Za-z0-9+/]{27,}={0,2})" },
    // A line of Postfix's `sasl_passwd`.
    Rule { name: "password", sign: None, entropy: 2.5, reading: Reading::Token, literals: &["]:587", "]:465", "]:2525", "]:25 "],
        pattern: r"\]:[0-9]{2,4}[ \t]+[^\s:]{1,80}@[^\s:]{1,80}:([^\s]{6,100})" },
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
    notation(Notation::Parameter),
    notation(Notation::WebKey),
    notation(Notation::Once),
    notation(Notation::Held),
    read("key", keyed::WORDS, Reading::Keyed),
    read("key", keyed::PROVIDERS, Reading::Keyed),
];
