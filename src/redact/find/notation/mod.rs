//! How people, tools and programs write a name and a secret value.
//!
//! [`of_name`] begins at a name that promises a secret and goes through all that
//! may join it to a value; [`at`] begins at a word that tells where a secret
//! stands whatever it is named: a command, a call, a query.

mod assign;
mod calls;
mod code;
mod command_table;
mod commands;
mod complex;
mod directives;
mod expect;
mod foreign;
mod insert;
mod lines;
mod manifest;
mod named;
mod output;
mod prose;
mod shell;
mod table;
mod typed;
mod value;
mod words;
mod xml;
mod yaml;

use std::ops::Range;

pub(super) use assign::is_name as is_of_name;
pub(super) use commands::{LastCommand, values as of_command};
pub(super) use manifest::LastManifests;

use named::Named;

use crate::redact::bytes::begins;
use crate::redact::judge::names::Promise;
use crate::redact::judge::plausible::{self, Setting};

/// What a row of the table begins at, besides names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// A name in another language.
    Foreign,
    /// A program that takes a secret as an argument.
    Command,
    /// A program that reads a secret from a pipe.
    Piped,
    /// A call that takes a login.
    Login,
    /// A call that takes a key.
    Signer,
    /// A command that prints a secret.
    Printing,
    /// `kind: Secret`
    Manifest,
    /// A port in a line of `.pgpass`.
    Pgpass,
    /// `IDENTIFIED BY` and the like.
    Query,
    /// The address in `user:password@tcp(host)`.
    Address,
    /// `credentials`, `login`: a user and a password follow.
    Account,
    /// `ConvertTo-SecureString`
    SecureString,
    /// A line of a device's settings, of SNMP or of Redis.
    Directive,
    /// What answers a prompt.
    Sending,
    /// `INSERT INTO`
    Insert,
    /// `SecureString`, the type of a parameter.
    Parameter,
    /// `"kty"`, the type of a JSON Web Key.
    WebKey,
    /// A sentence that says that what follows is shown once.
    Once,
    /// The heading of what a secret of Vault holds.
    Held,
}

impl Notation {
    /// What is looked for.
    pub(super) const fn literals(self) -> &'static [&'static str] {
        match self {
            Notation::Foreign => FOREIGN,
            Notation::Command => &command_table::PROGRAMS,
            Notation::Piped => {
                &["sudo ", "| su ", "--password-stdin", "chpasswd", "passwd", "--with-token"]
            }
            Notation::Login => &calls::LOGINS,
            Notation::Signer => &calls::SIGNERS,
            Notation::Printing => output::PRINTING,
            Notation::Manifest => &["kind: Secret", "kind\":\"Secret\"", "kind\": \"Secret\""],
            Notation::Pgpass => {
                &[":*:", ":5432:", ":5433:", ":6432:", ":5434:", ":6543:", ":26257:"]
            }
            Notation::Query => &[
                "identified by",
                "identified with",
                "with password",
                "encrypted password",
                "pragma key",
                "set password for",
                " crypt(",
            ],
            Notation::Address => &["@tcp(", "@unix(", "@udp("],
            Notation::Account => &[
                "credentials",
                "creds",
                "login",
                "log in",
                "sign in",
                "credenciales",
                "zugangsdaten",
            ],
            Notation::SecureString => &["ConvertTo-SecureString"],
            Notation::Directive => &directives::WORDS,
            Notation::Sending => expect::SENDING,
            Notation::Insert => &["insert into "],
            Notation::Parameter => &["SecureString", "\"keyName\""],
            Notation::WebKey => &["\"kty\"", "'kty'", "kty: '", "kty: \"", "kty:'", "kty:\""],
            Notation::Once => output::ONCE,
            Notation::Held => &["== Data =="],
        }
    }
}

const FOREIGN: &[&str] = &{
    let mut all = [""; foreign::PASSWORDS.len() + foreign::KEYS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < foreign::PASSWORDS.len() {
            foreign::PASSWORDS[at]
        } else {
            foreign::KEYS[at - foreign::PASSWORDS.len()]
        };
        at += 1;
    }
    all
};

/// The name around `word`, if it promises a secret.
pub(crate) fn name(text: &[u8], word: &Range<usize>) -> Option<Named> {
    assign::name(text, word).filter(|named| !is_repeated(text, &named.range))
}

/// Whether the name and the sign behind it stand there once more: what it names is read behind
/// the last of them.
pub(super) fn is_repeated(text: &[u8], name: &Range<usize>) -> bool {
    let is_sign = |byte: &&u8| b"=: \"'\n".contains(byte);
    let signs = text[name.end..].iter().take(4).take_while(is_sign).count();
    let behind = name.end + signs;
    signs > 0 && begins(&text[behind..], &text[name.start..behind])
}

/// The values that belong to a name.
pub(super) fn of_name(text: &[u8], named: &Named) -> Vec<Range<usize>> {
    if !named.is_plural
        && let Some(found) = one(text, named)
    {
        let changed = changed(text, &found);
        let changed = changed.filter(|range| named.accepts(text, range, Setting::QUOTED));
        return [Some(found), changed].into_iter().flatten().collect();
    }
    let keeps = |found: Vec<Range<usize>>, setting: Setting| -> Vec<Range<usize>> {
        found.into_iter().filter(|range| named.accepts(text, range, setting)).collect()
    };
    let told = |found: Vec<Range<usize>>| -> Vec<Range<usize>> {
        let is_told = |range: &Range<usize>| {
            named.value(text, range).is_some_and(|value| plausible::is_told(value, named.promise))
        };
        found.into_iter().filter(is_told).collect()
    };
    let readings: [&dyn Fn() -> Vec<Range<usize>>; 4] = [
        &|| keeps(listed(text, named), Setting::QUOTED),
        &|| keeps(yaml::values(text, named), Setting::QUOTED),
        &|| keeps(table::inserted(text, named), Setting::QUOTED),
        &|| told(table::values(text, named)),
    ];
    readings.iter().map(|read| read()).find(|found| !found.is_empty()).unwrap_or_default()
}

/// What Terraform puts in place of a value: `"x" -> "y"`.
fn changed(text: &[u8], value: &Range<usize>) -> Option<Range<usize>> {
    let rest = value::part(text, value.end..text.len()).strip_prefix(b"\"")?;
    let spaces = rest.iter().take(40).take_while(|byte| **byte == b' ').count();
    let behind = value.end + 1 + spaces + 2;
    rest[spaces..]
        .starts_with(b"->")
        .then(|| value::string(text, value::skip_spaces(text, behind)))?
}

/// The only value of a name.
fn one(text: &[u8], named: &Named) -> Option<Range<usize>> {
    assign::value(text, named)
        .or_else(|| {
            xml::value(text, named).filter(|range| named.accepts(text, range, Setting::QUOTED))
        })
        .or_else(|| {
            complex::value(text, named).filter(|range| named.accepts(text, range, Setting::QUOTED))
        })
        .or_else(|| code::value(text, named).filter(|range| named.accepts_in_code(text, range)))
        .or_else(|| spoken(text, named))
        .or_else(|| words::labelled(text, named))
        .or_else(|| {
            let range =
                output::below_named(text, named).or_else(|| output::answered(text, named))?;
            named.accepts(text, &range, Setting::ENV).then_some(range)
        })
}

/// The value that a sentence gives to a name.
fn spoken(text: &[u8], named: &Named) -> Option<Range<usize>> {
    let (mut found, is_said) = prose::value(text, named)?;
    if !found.is_quoted {
        let marks = text[found.range.clone()].iter().rev().take_while(|byte| **byte == b'?');
        found.range.end -= marks.count();
    }
    let value = named.value(text, &found.range)?;
    // What programs are written in.
    if !found.is_quoted && value.bytes().any(|byte| b"()[]{};=".contains(&byte))
        || named.is_respelled(text, value)
    {
        return None;
    }
    let is_secret = if is_said {
        plausible::is_told(value, named.promise)
            || words::is_chosen(text, &found, named)
            || named.is_of_phrase(text) && plausible::is_passphrase(value)
    } else {
        plausible::is_striking(value, named.promise)
    };
    is_secret
        .then(|| if found.is_quoted { found.range } else { assign::with_marks(text, found.range) })
}

/// The values between the brackets behind the name of several.
fn listed(text: &[u8], named: &Named) -> Vec<Range<usize>> {
    let mut at = named.range.end;
    at += usize::from(text.get(at).is_some_and(|byte| b"\"'".contains(byte)));
    at = value::skip_spaces(text, at);
    if !matches!(text.get(at), Some(b':' | b'=')) {
        return Vec::new();
    }
    let mut found = if text.get(at..at + 2) == Some(b"=(") {
        shell::array(text, at + 2)
    } else {
        yaml::inline_list(text, value::skip_spaces(text, at + 1))
    };
    // A feature and those that it needs: `Win32_Security_Credentials = ["Win32_Security"]`.
    found.retain(|range| !begins(&text[named.range.clone()], &text[range.clone()]));
    found
}

/// The values of the Secret whose kind is at `literal`, those excepted that were read before.
pub(super) fn of_manifest(
    text: &[u8],
    literal: &Range<usize>,
    last: &mut LastManifests,
) -> Vec<Range<usize>> {
    let mut found = manifest::secret(text, literal, last);
    found.retain(|range| {
        value::str(text, range)
            .is_some_and(|value| plausible::is_secret(value, Promise::Password, Setting::QUOTED))
    });
    found
}

/// The values that a notation tells at one of its literals.
pub(crate) fn at(notation: Notation, text: &[u8], literal: &Range<usize>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut emit = |range: Range<usize>| found.push(range);
    let keep = |range: Option<Range<usize>>, promise: Promise, setting: Setting| {
        range.filter(|range| {
            value::str(text, range)
                .is_some_and(|value| plausible::is_secret(value, promise, setting))
        })
    };
    let (password, quoted) = (Promise::Password, Setting::QUOTED);
    let one = match notation {
        Notation::Foreign => {
            return foreign::name(text, literal)
                .filter(|named| !is_repeated(text, &named.range))
                .map_or_else(Vec::new, |named| of_name(text, &named));
        }
        Notation::Command => {
            let mut last = LastCommand::default();
            return commands::values(text, literal, &mut last).unwrap_or_default();
        }
        Notation::Piped => {
            commands::piped(text, literal, &mut emit);
            if text[literal.clone()].eq_ignore_ascii_case(b"chpasswd") {
                commands::account_lines(text, literal, &mut emit);
            }
            None
        }
        Notation::Login => calls::value(text, literal, calls::CALLS)
            .and_then(|range| keep(Some(range), password, Setting::QUOTED)),
        Notation::Signer => calls::value(text, literal, calls::KEYED)
            .and_then(|range| keep(Some(range), Promise::Key, quoted)),
        Notation::Printing => keep(output::below(text, literal), password, Setting::BARE),
        Notation::Manifest => {
            return of_manifest(text, literal, &mut LastManifests::default());
        }
        Notation::Pgpass => keep(manifest::pgpass(text, literal), password, Setting::ENV),
        Notation::Query => keep(manifest::identified(text, literal), password, Setting::BARE)
            .filter(|range| !text[range.clone()].starts_with(b"[")),
        Notation::Address => keep(manifest::address(text, literal), password, Setting::ENV),
        Notation::Account => {
            let named = Named { range: literal.clone(), promise: password, is_plural: false };
            let value = prose::login(text, &named);
            value.map(|value| value.range).filter(|range| {
                named
                    .value(text, range)
                    .is_some_and(|value| plausible::is_striking(value, password))
            })
        }
        Notation::Directive => return directives::values(text, literal),
        Notation::Sending => keep(expect::value(text, literal), password, quoted),
        Notation::Insert => return insert::values(text, literal),
        Notation::Parameter => keep(typed::parameter(text, literal), password, Setting::ENV),
        Notation::Once => output::once(text, literal).filter(|range| {
            value::str(text, range).is_some_and(|value| plausible::is_striking(value, Promise::Key))
        }),
        Notation::Held => {
            let mut cells = table::held(text, literal);
            cells.retain(|range| {
                value::str(text, range)
                    .is_some_and(|value| plausible::is_striking(value, Promise::Key))
            });
            return cells;
        }
        Notation::WebKey => {
            let mut parts = typed::web_key(text, literal);
            parts.retain(|range| keep(Some(range.clone()), Promise::Key, quoted).is_some());
            return parts;
        }
        Notation::SecureString => keep(code::secure_string(text, literal.end), password, quoted),
    };
    found.extend(one);
    found
}
