//! Findings to be shown: where, by which rule, and a masked look at the text.

use std::ops::Range;

use serde::Serialize;

use super::compiled::RuleId;
use super::edit;
use super::scan::{Found, Scanner};

/// Letters shown on either side of a secret.
const AROUND: usize = 24;

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
    /// Some letters around; of the value the public prefix and `…`.
    pub context: String,
}

/// One finding a secret and place: the first of its pieces stands for all.
pub(super) fn findings(scanner: &Scanner, text: &str, found: &[Found], path: &str) -> Vec<Finding> {
    let pieces = edit::pieces(found, &mut Vec::new());
    let mut shown: Vec<usize> = Vec::new();
    let mut findings = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        if shown.contains(&piece.found) {
            continue;
        }
        shown.push(piece.found);
        let rule = &scanner.rules[found[piece.found].rule].name;
        let context = context(text, found, &pieces, at);
        findings.push(Finding { rule: rule.to_string(), path: path.to_owned(), context });
    }
    findings
}

fn context(text: &str, found: &[Found], pieces: &[edit::Piece], at: usize) -> String {
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
    line.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
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
