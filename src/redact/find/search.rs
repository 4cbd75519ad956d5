//! One search through a text and through all that it says in other forms.
//!
//! Read `run`: a text is searched as it stands, without its escapes level by level, and string by string where it is
//! JSON. Each of these forms is a view (`in_view`: without colors, percent signs or markup), and what is found in a
//! view is told in places of the text that it was made of. A view is gone through once for the literals of all rules,
//! and rules read on from there alone; how much they may read in vain is bounded (`effort.rs`), so that no text makes
//! a search slow.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use regex_automata::Input;

use crate::redact::judge::plausible::{self, entropy};
use crate::redact::views::base64;
use crate::redact::views::decode;
use crate::redact::views::json::Strings;
use crate::redact::views::rendered_text::shown;
use crate::redact::views::view::View;
use crate::session::redaction_mark;

use super::compiled::Own;
use super::compiled::RuleId;
use super::effort::Effort;
use super::headers;
use super::key_block;
use super::keyed;
use super::notation;
use super::notation::Notation;
use super::personal;
use super::pieces;
use super::rejoin;
use super::rules::Reading;
use super::scan::{FoundSecret, Scanner};
use super::tokens::{Tried, discord_token, pattern_match};
use super::values::Values;

/// Levels of escapes that are resolved: JSON in a string of JSON in a string.
pub(crate) const MAX_ESCAPES: usize = 5;

/// A window no longer than this is one of many vain tries (`effort.rs`).
const NEAR: usize = 256;

/// Base64 within base64 that is decoded.
const MAX_WRAPPED: usize = 3;

/// A text of this length is gone through once, to see whether it has any view but itself.
const SHORT: usize = 64;

/// What came of a literal.
enum Outcome {
    /// Values, each with its pieces.
    FoundSecret(Vec<Vec<Range<usize>>>),
    /// A pattern matched to here, and what it matched is no secret.
    Refused(usize),
    /// Nothing was there to read on from.
    Skipped,
}

impl Scanner {
    /// All secrets of a text, however it is written; unsorted, and one secret
    /// may be found several times.
    pub(crate) fn find(&self, text: &str, values: Option<&Values>) -> Vec<FoundSecret> {
        if values.is_none() && self.is_plainly_empty(text) {
            return Vec::new();
        }
        Search::new(self, values).run(text, 0)
    }

    /// Whether a text has one view only, no line break and no base64, and no literal: most strings
    /// of a session are keys and ids, and need nothing more.
    fn is_plainly_empty(&self, text: &str) -> bool {
        text.len() < base64::MIN_RUN
            && matches!(self.own, Own::None)
            && !text.bytes().any(|byte| byte == b'\n' || decode::may_read_otherwise(byte))
            && self.triggers.hits(text.as_bytes()).next().is_none()
    }
}

/// The state of a search.
pub(super) struct Search<'a> {
    scanner: &'a Scanner,
    values: Option<&'a Values>,
    /// What was found in base64 that was decoded before: the same base64 stands in many
    /// views of a text, and in each of them may stand more base64.
    wrapped: HashMap<String, Vec<FoundSecret>>,
    /// Bytes that rules were given to read on from literals, for tests to bound.
    read: usize,
}

impl<'a> Search<'a> {
    pub(crate) fn new(scanner: &'a Scanner, values: Option<&'a Values>) -> Self {
        Search { scanner, values, wrapped: HashMap::new(), read: 0 }
    }

    /// All secrets of a text, in every level of escapes, and in its strings where it is JSON;
    /// unsorted, and one secret may be found several times.
    pub(crate) fn run(&mut self, text: &str, depth: usize) -> Vec<FoundSecret> {
        let mut found = self.in_levels(text, depth);
        self.in_json(text, depth, 0, &mut found);
        found
    }

    /// In a text as it stands, and without its escapes, level by level.
    fn in_levels(&mut self, text: &str, depth: usize) -> Vec<FoundSecret> {
        let mut found = self.in_view(text, depth);
        let mut chain: Vec<View> = Vec::new();
        while chain.len() < MAX_ESCAPES {
            let current = chain.last().map_or(text, |view| view.text.as_str());
            let Some(next) = decode::unescaped(current) else { break };
            chain.push(next);
            let Some(view) = chain.last() else { break };
            let mut more = self.in_view(&view.text, depth);
            for view in chain.iter().rev() {
                to_base(view, &mut more);
            }
            found.append(&mut more);
        }
        found
    }

    /// In the strings of a text that is JSON itself, each on its own, as the strings of the file
    /// are: what begins or ends a line begins or ends such a string as well.
    fn in_json(&mut self, text: &str, depth: usize, level: usize, found: &mut Vec<FoundSecret>) {
        let may_be_json = text.trim_ascii_start().starts_with(['{', '[', '"']);
        let strings = (may_be_json && level < MAX_ESCAPES).then(|| Strings::walk(text)).flatten();
        for token in strings.iter().flat_map(|strings| &strings.tokens) {
            let raw = &text[token.range.clone()];
            // What is shorter is no secret.
            if raw.len() < plausible::MIN_VALUE {
                continue;
            }
            let view = decode::unescaped(raw);
            let own = view.as_ref().map_or(raw, |view| view.text.as_str());
            let mut more = self.in_levels(own, depth);
            self.in_json(own, depth, level + 1, &mut more);
            if let Some(view) = &view {
                to_base(view, &mut more);
            }
            for piece in more.iter_mut().flat_map(|one| &mut one.pieces) {
                *piece = token.range.start + piece.start..token.range.start + piece.end;
            }
            found.append(&mut more);
        }
    }

    /// In a text without regard to colors, and once more without percent
    /// signs, and as Markdown or HTML show it.
    fn in_view(&mut self, text: &str, depth: usize) -> Vec<FoundSecret> {
        let is_short = text.len() <= SHORT;
        if is_short && !text.bytes().any(decode::may_read_otherwise) {
            return self.in_plain(text, depth);
        }
        let plain = decode::without_colors(text);
        let current = plain.as_ref().map_or(text, |view| view.text.as_str());
        let mut found = self.in_plain(current, depth);
        if let Some(decoded) = decode::percent_decoded(current) {
            let mut more = self.in_plain(&decoded.text, depth);
            to_base(&decoded, &mut more);
            found.append(&mut more);
        }
        if let Some(shown) = shown(current) {
            let mut more = self.in_plain(&shown.text, depth);
            // An address in HTML: entities around percent signs.
            if let Some(decoded) = decode::percent_decoded(&shown.text) {
                let mut within = self.in_plain(&decoded.text, depth);
                to_base(&decoded, &mut within);
                more.append(&mut within);
            }
            // A path is read as written: its backslashes part folders.
            more.retain(|one| self.scanner.rules[one.rule].instead.is_none());
            to_base(&shown, &mut more);
            found.append(&mut more);
        }
        if let Some(view) = plain {
            to_base(&view, &mut found);
        }
        found
    }

    /// In a text as it stands.
    fn in_plain(&mut self, text: &str, depth: usize) -> Vec<FoundSecret> {
        let marks = OnceCell::new();
        let outside =
            |piece| pieces::outside(marks.get_or_init(|| redaction_mark::ranges(text)), piece);
        let mut found = Vec::new();
        let mut emit = |rule: RuleId, pieces: Vec<Range<usize>>| {
            let pieces: Vec<_> = pieces.into_iter().flat_map(&outside).collect();
            let value: String = pieces.iter().filter_map(|piece| text.get(piece.clone())).collect();
            if !value.is_empty() {
                found.push(FoundSecret { rule, pieces, value });
            }
        };
        self.read += self.by_literal(text.as_bytes(), &mut emit);
        self.by_own_pattern(text, &mut emit);
        if let Some(values) = self.values {
            values.find(text, &mut |rule, range, value| {
                for piece in outside(range) {
                    found.push(FoundSecret { rule, pieces: vec![piece], value: value.to_owned() });
                }
            });
        }
        let (mut broken, read) = rejoin::search(self.scanner, self.values, text, &found);
        self.read += read;
        found.append(&mut broken);
        self.in_runs(text, depth, &mut found);
        found
    }

    /// By the rules of the table, where one of their literals stands. Tells how much they read.
    fn by_literal(&self, text: &[u8], emit: &mut impl FnMut(RuleId, Vec<Range<usize>>)) -> usize {
        let mut effort = Effort::new(text);
        for (literal, rules) in self.scanner.triggers.hits(text) {
            for &rule in rules {
                let reading = self.scanner.rules[rule].reading;
                let Some(window) = effort.window(rule, reading, &literal) else { continue };
                let found = match self.read(rule, (text, window), &literal, &mut effort) {
                    Outcome::FoundSecret(found) => found,
                    Outcome::Refused(end) => {
                        effort.refused(rule, literal.start, end);
                        continue;
                    }
                    Outcome::Skipped => {
                        effort.skipped(rule);
                        continue;
                    }
                };
                if found.is_empty() {
                    effort.vain(rule, reading, &literal, window);
                }
                for mut pieces in found {
                    // A value in a row below leaves the rest of the heading to be read.
                    if pieces.last().is_some_and(|last| is_beside(text, &literal, last)) {
                        effort.found(rule, window, &mut pieces);
                    }
                    emit(rule, pieces);
                }
            }
        }
        effort.read + effort.manifests.read
    }

    /// Reads on from a literal of a rule, to the end of the window mostly.
    fn read(
        &self,
        rule: RuleId,
        (text, window): (&[u8], &[u8]),
        literal: &Range<usize>,
        effort: &mut Effort<'_>,
    ) -> Outcome {
        let compiled = &self.scanner.rules[rule];
        let found = match compiled.reading {
            reading if reading.has_pattern() => match pattern_match(compiled, window, literal) {
                Tried::Value(value) => vec![vec![value]],
                Tried::Refused(end) => return Outcome::Refused(end),
                Tried::Short => return Outcome::Skipped,
                Tried::Nothing => Vec::new(),
            },
            Reading::Notation(Notation::Manifest) if !effort.may_be_manifest(literal, window) => {
                return Outcome::Skipped;
            }
            Reading::Notation(Notation::Manifest) => {
                let before = effort.manifests.read;
                let found = notation::of_manifest(text, literal, &mut effort.manifests);
                if found.is_empty() && effort.manifests.read == before {
                    return Outcome::Skipped;
                }
                each(found)
            }
            Reading::Notation(Notation::Command) => {
                match notation::of_command(window, literal, &mut effort.command) {
                    Some(found) => each(found),
                    None => return Outcome::Skipped,
                }
            }
            Reading::Keyed => match keyed::name(window, literal) {
                Some(name) => each(keyed::value(window, &name).into_iter().collect()),
                None => return Outcome::Skipped,
            },
            Reading::Login if headers::login_start(window, literal).is_none() => {
                return Outcome::Skipped;
            }
            Reading::Assignment if effort.is_in_long_word(literal) => return Outcome::Skipped,
            Reading::Assignment => {
                // The rows of a table go on for longer than a value; each reading has bounds of
                // its own.
                let near = if window.len() > literal.end + NEAR { text } else { window };
                match notation::name(near, literal) {
                    Some(named) if effort.is_new_name(&named.range) => {
                        each(notation::of_name(near, &named))
                    }
                    _ => return Outcome::Skipped,
                }
            }
            _ => self.at_literal(rule, window, literal),
        };
        Outcome::FoundSecret(found)
    }

    /// The values that a rule without a pattern finds at one of its literals, each with its pieces.
    fn at_literal(
        &self,
        id: RuleId,
        text: &[u8],
        literal: &Range<usize>,
    ) -> Vec<Vec<Range<usize>>> {
        let one = match self.scanner.rules[id].reading {
            Reading::Notation(notation) => return each(notation::at(notation, text, literal)),
            Reading::Login => headers::login(text, literal.clone()),
            Reading::Cookies => return each(headers::cookies(text, literal)),
            Reading::KeyBlock => {
                let body = key_block::body(text, literal);
                return if body.is_empty() { Vec::new() } else { vec![body] };
            }
            Reading::Assignment
            | Reading::Keyed
            | Reading::Token
            | Reading::Bearer
            | Reading::Exact
            | Reading::Around(_)
            | Reading::Runs => None,
        };
        one.map(|range| vec![vec![range]]).unwrap_or_default()
    }

    /// By the patterns of the user.
    fn by_own_pattern(&self, text: &str, emit: &mut impl FnMut(RuleId, Vec<Range<usize>>)) {
        if !self.scanner.own.may_hold(text.as_bytes()) {
            return;
        }
        for id in self.scanner.always.clone() {
            let rule = &self.scanner.rules[id];
            let Some(regex) = rule.regex() else { continue };
            let mut captures = regex.create_captures();
            for hit in regex.find_iter(text) {
                regex.captures(Input::new(text).range(hit.range()), &mut captures);
                let range = captures.get_group(1).unwrap_or(hit.span()).range();
                let value = &text[range.clone()];
                let is_harmless = personal::is_harmless(&rule.name, value);
                if !range.is_empty() && !is_harmless && entropy(value.as_bytes()) >= rule.entropy {
                    emit(id, vec![range]);
                }
            }
        }
    }

    /// What base64 runs hold; a hit takes the whole run.
    fn in_runs(&mut self, text: &str, depth: usize, found: &mut Vec<FoundSecret>) {
        let bytes = text.as_bytes();
        let mut from = 0;
        while let Some(run) = base64::next(bytes, from) {
            from = run.end;
            let Some(skip) = base64::text_offset(&bytes[run.clone()]) else { continue };
            let lines = base64::lines(bytes, run.start + skip..run.end);
            from = lines.last().map_or(from, |last| last.end.max(from));
            if let Some(token) = discord_token(bytes, &lines[0]) {
                let value = text.get(token.clone()).unwrap_or_default().to_owned();
                let rule = self.scanner.reading(Reading::Runs);
                found.push(FoundSecret { rule, pieces: vec![token], value });
            }
            let Some(inner) = base64::joined(bytes, &lines).filter(|_| depth < MAX_WRAPPED) else {
                continue;
            };
            let inside = self.in_wrapped(&inner, depth + 1);
            found.extend(inside.iter().map(|one| FoundSecret {
                rule: one.rule,
                pieces: lines.clone(),
                value: one.value.clone(),
            }));
        }
    }

    /// What a text that was base64 holds.
    fn in_wrapped(&mut self, inner: &str, depth: usize) -> &[FoundSecret] {
        if !self.wrapped.contains_key(inner) {
            let found = self.run(inner, depth);
            self.wrapped.insert(inner.to_owned(), found);
        }
        self.wrapped.get(inner).map_or(&[], Vec::as_slice)
    }
}

/// Values of one piece each.
fn each(found: Vec<Range<usize>>) -> Vec<Vec<Range<usize>>> {
    found.into_iter().map(|range| vec![range]).collect()
}

/// Whether a value stands in the line of its literal, or is one of several lines.
fn is_beside(text: &[u8], literal: &Range<usize>, value: &Range<usize>) -> bool {
    text.get(literal.end..value.start)
        .is_none_or(|between| memchr::memchr(b'\n', &between[..between.len().min(200)]).is_none())
        || memchr::memchr(b'\n', &text[value.clone()]).is_some()
}

/// Findings of a view as those of the text it was made of.
fn to_base(view: &View, found: &mut [FoundSecret]) {
    for piece in found.iter_mut().flat_map(|one| &mut one.pieces) {
        *piece = view.base(piece);
    }
}

#[cfg(test)]
mod tests;
