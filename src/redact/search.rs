//! One search through a text and through all that it says in other forms.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use regex_automata::Input;

use super::compiled::RuleId;
use super::plausible::entropy;
use super::rules::{Reading, TABLE};
use super::scan::{Found, Scanner};
use super::shown::shown;
use super::tokens::{discord_token, pattern_match};
use super::values::Values;
use super::views::{self, View};
use super::{headers, key_block, marks, notation, personal, runs};

/// Levels of escapes that are resolved: JSON in a string of JSON in a string.
const MAX_ESCAPES: usize = 5;

/// Base64 within base64 that is decoded.
const MAX_WRAPPED: usize = 3;

/// The state of a search.
pub(super) struct Search<'a> {
    scanner: &'a Scanner,
    values: Option<&'a Values>,
    /// What was found in base64 that was decoded before: the same base64 stands in many
    /// views of a text, and in each of them may stand more base64.
    wrapped: HashMap<String, Vec<Found>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(scanner: &'a Scanner, values: Option<&'a Values>) -> Self {
        Search { scanner, values, wrapped: HashMap::new() }
    }

    /// All secrets of a text, in every level of escapes; unsorted, and one
    /// secret may be found several times.
    pub(super) fn run(&mut self, text: &str, depth: usize) -> Vec<Found> {
        let mut found = self.in_view(text, depth);
        let mut chain: Vec<View> = Vec::new();
        while chain.len() < MAX_ESCAPES {
            let current = chain.last().map_or(text, |view| view.text.as_str());
            let Some(next) = views::unescaped(current) else { break };
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

    /// In a text without regard to colors, and once more without percent
    /// signs, and as Markdown or HTML show it.
    fn in_view(&mut self, text: &str, depth: usize) -> Vec<Found> {
        let plain = views::without_colours(text);
        let current = plain.as_ref().map_or(text, |view| view.text.as_str());
        let mut found = self.in_plain(current, depth);
        if let Some(decoded) = views::percent_decoded(current) {
            let mut more = self.in_plain(&decoded.text, depth);
            to_base(&decoded, &mut more);
            found.append(&mut more);
        }
        if let Some(shown) = shown(current) {
            let mut more = self.in_plain(&shown.text, depth);
            // An address in HTML: entities around percent signs.
            if let Some(decoded) = views::percent_decoded(&shown.text) {
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
    fn in_plain(&mut self, text: &str, depth: usize) -> Vec<Found> {
        let marks = OnceCell::new();
        let outside = |piece| marks::outside(marks.get_or_init(|| marks::ranges(text)), piece);
        let mut found = Vec::new();
        let mut emit = |rule: RuleId, pieces: Vec<Range<usize>>| {
            let pieces: Vec<_> = pieces.into_iter().flat_map(&outside).collect();
            let value: String = pieces.iter().filter_map(|piece| text.get(piece.clone())).collect();
            if !value.is_empty() {
                found.push(Found { rule, pieces, value });
            }
        };
        self.by_literal(text.as_bytes(), &mut emit);
        self.by_own_pattern(text, &mut emit);
        if let Some(values) = self.values {
            values.find(text, &mut |rule, range, value| {
                for piece in outside(range) {
                    found.push(Found { rule, pieces: vec![piece], value: value.to_owned() });
                }
            });
        }
        self.in_runs(text, depth, &mut found);
        found
    }

    /// By the rules of the table, where one of their literals stands.
    fn by_literal(&self, text: &[u8], emit: &mut impl FnMut(RuleId, Vec<Range<usize>>)) {
        // What a rule has found is not gone through by it again.
        let mut ends: Vec<usize> = Vec::new();
        for (literal, rules) in self.scanner.triggers.hits(text) {
            ends.resize(TABLE.len(), 0);
            for &rule in rules {
                if literal.start < ends[rule] {
                    continue;
                }
                for pieces in self.at_literal(rule, text, &literal) {
                    // A value in a row below leaves the rest of the heading to be read.
                    if let Some(last) = pieces.last().filter(|last| is_beside(text, &literal, last))
                    {
                        ends[rule] = last.end;
                    }
                    emit(rule, pieces);
                }
            }
        }
    }

    /// The values that a rule finds at one of its literals, each with its pieces.
    fn at_literal(
        &self,
        id: RuleId,
        text: &[u8],
        literal: &Range<usize>,
    ) -> Vec<Vec<Range<usize>>> {
        let rule = &self.scanner.rules[id];
        let one = match rule.reading {
            Reading::Token | Reading::Around(_) => pattern_match(rule, text, literal),
            Reading::Assignment => return each(notation::named(text, literal)),
            Reading::Notation(notation) => return each(notation::at(notation, text, literal)),
            Reading::Login => headers::login(text, literal.clone()),
            Reading::CommandLogin => headers::command_login(text, literal.clone()),
            Reading::Cookies => return each(headers::cookies(text, literal)),
            Reading::KeyBlock => {
                let body = key_block::body(text, literal);
                return if body.is_empty() { Vec::new() } else { vec![body] };
            }
            Reading::Runs => None,
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
    fn in_runs(&mut self, text: &str, depth: usize, found: &mut Vec<Found>) {
        let bytes = text.as_bytes();
        let mut from = 0;
        while let Some(run) = runs::next(bytes, from) {
            from = run.end;
            let Some(skip) = runs::text_offset(&bytes[run.clone()]) else { continue };
            let lines = runs::lines(bytes, run.start + skip..run.end);
            from = lines.last().map_or(from, |last| last.end.max(from));
            if let Some(token) = discord_token(bytes, &lines[0]) {
                let value = text.get(token.clone()).unwrap_or_default().to_owned();
                let rule = self.scanner.reading(Reading::Runs);
                found.push(Found { rule, pieces: vec![token], value });
            }
            let Some(inner) = runs::joined(bytes, &lines).filter(|_| depth < MAX_WRAPPED) else {
                continue;
            };
            let inside = self.in_wrapped(inner, depth + 1);
            found.extend(inside.iter().map(|one| Found {
                rule: one.rule,
                pieces: lines.clone(),
                value: one.value.clone(),
            }));
        }
    }

    /// What a text that was base64 holds.
    fn in_wrapped(&mut self, inner: String, depth: usize) -> &[Found] {
        if !self.wrapped.contains_key(&inner) {
            let found = self.run(&inner, depth);
            self.wrapped.insert(inner.clone(), found);
        }
        self.wrapped.get(&inner).map_or(&[], Vec::as_slice)
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
fn to_base(view: &View, found: &mut [Found]) {
    for piece in found.iter_mut().flat_map(|one| &mut one.pieces) {
        *piece = view.base(piece);
    }
}
