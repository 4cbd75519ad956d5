//! Findings to be shown: where, by which rule, and a masked look at the text.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde::Serialize;

use super::compiled::RuleId;
use super::hidden::{Hidden, PART};
use super::pieces::{self, SecretPiece};
use super::scan::{FoundSecret, Scanner};

/// Letters shown on either side of a secret.
const AROUND: usize = 24;

/// Shortest run of hex digits that is looked into.
const MIN_HEX: usize = 12;

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hit {
    /// In bytes. A secret over several lines is several hits.
    pub range: Range<usize>,
    /// The rule's name.
    pub rule: String,
}

/// A secret in a JSON text, fit to be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The rule's name.
    pub rule: String,
    /// `message.content[0].text`; empty in a text that is no JSON.
    pub path: String,
    /// Some letters around; of the value the public prefix and `…`. No four letters
    /// of any secret that was found stand in it.
    pub context: String,
    /// The secrets as they read and as they stand; never shown.
    #[serde(skip)]
    pub(crate) values: Vec<String>,
}

impl Finding {
    /// Takes out of it what is part of a secret.
    pub(crate) fn hide(&mut self, hidden: &Hidden) {
        self.path = hidden.without(&self.path);
        self.context = hidden.without(&self.context);
    }
}

/// One finding a secret and place: the first of its pieces stands for all.
pub(crate) fn findings(
    scanner: &Scanner,
    text: &str,
    found: &[FoundSecret],
    path: &str,
) -> Vec<Finding> {
    let pieces = pieces::pieces(found, &mut Vec::new());
    let mut shown: HashSet<usize> = HashSet::new();
    let mut findings = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        if !shown.insert(piece.found) {
            continue;
        }
        let rule = &scanner.rules[found[piece.found].rule].name;
        let context = context(text, found, &pieces, at);
        findings.push(Finding {
            rule: rule.to_string(),
            path: path.to_owned(),
            context,
            values: Vec::new(),
        });
    }
    // What overlaps another finding has no line of its own, and is as secret.
    if let Some(first) = findings.first_mut() {
        // Where two rules find the same, the earlier one knows its public prefix.
        let mut namers: HashMap<&[Range<usize>], RuleId> = HashMap::new();
        for one in found {
            let namer = namers.entry(&one.pieces).or_insert(one.rule);
            *namer = (*namer).min(one.rule);
        }
        let named = found.iter().filter(|one| namers.get(&one.pieces[..]) == Some(&one.rule));
        first.values = named.flat_map(|one| secret_parts(text, one)).collect();
    }
    findings
}

/// A secret as it reads, and its pieces as they stand. Of the public prefix only so many letters
/// are left that each part has one of the secret's own.
fn secret_parts(text: &str, found: &FoundSecret) -> Vec<String> {
    let pieces = found.pieces.iter().filter_map(|piece| text.get(piece.clone()));
    let secret = |value: &str| {
        let prefix = Scanner::public_prefix(found.rule, value).unwrap_or_default();
        value.get(prefix.saturating_sub(PART - 1)..).unwrap_or(value).to_owned()
    };
    std::iter::once(found.value.as_str()).chain(pieces).map(secret).collect()
}

fn context(text: &str, found: &[FoundSecret], pieces: &[SecretPiece], at: usize) -> String {
    let mut before = String::new();
    let mut end = 0;
    // Two pieces before are more than the letters shown reach over.
    for piece in &pieces[at.saturating_sub(2)..at] {
        before.push_str(tail(&text[end.min(piece.range.start)..piece.range.start]));
        before.push('…');
        end = piece.range.end;
    }
    let piece = &pieces[at];
    before.push_str(tail(&text[end..piece.range.start]));
    let next = pieces.get(at + 1).map_or(text.len(), |next| next.range.start);
    let behind = head(&text[piece.range.end..next]);
    let value = masked(&text[piece.range.clone()], found[piece.found].rule);
    let line = format!("{}{value}{behind}", tail(&before));
    without_hex(&line)
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}

/// The text with `…` for hex digits that spell a text, which may be the secret again.
/// [`Hidden`] knows the other forms.
fn without_hex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_hexdigit()) {
        let run = &rest[start..];
        let len = run.bytes().take_while(u8::is_ascii_hexdigit).count();
        out.push_str(&rest[..start]);
        out.push_str(if spells_text(&run.as_bytes()[..len]) { "…" } else { &run[..len] });
        rest = &run[len..];
    }
    out + rest
}

/// Whether hex digits, perhaps cut within a byte, stand for printable ASCII.
fn spells_text(digits: &[u8]) -> bool {
    let is_printable = |pair: &[u8]| {
        matches!(pair[0], b'2'..=b'7') && !(pair[0] == b'7' && pair[1].eq_ignore_ascii_case(&b'f'))
    };
    digits.len() >= MIN_HEX && (0..2).any(|skip| digits[skip..].chunks_exact(2).all(is_printable))
}

/// The public prefix of a value, if its rule has one, and `…`.
fn masked(value: &str, rule: RuleId) -> String {
    let prefix = Scanner::public_prefix(rule, value).unwrap_or_default();
    format!("{}…", value.get(..prefix.min(4)).unwrap_or_default())
}

fn tail(text: &str) -> &str {
    let start = text.char_indices().rev().nth(AROUND - 1).map_or(0, |(at, _)| at);
    &text[start..]
}

fn head(text: &str) -> &str {
    let end = text.char_indices().nth(AROUND).map_or(text.len(), |(at, _)| at);
    &text[..end]
}
