//! Finds secrets in one text.
//!
//! Most text holds none, so the first look ([`Scanner::may_hold`]) works on
//! bytes as they lie in the file, escapes and all: one pass for the literals of
//! all rules, each literal checked at once, and a look at the beginning of every
//! base64 run. It may say yes in vain, never no. Only then is a text taken apart.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex_automata::Input;

use super::compiled::{self, Compiled, Own, RuleId};
use super::custom::{Rules, RulesError};
use super::plausible::entropy;
use super::rules::{Reading, TABLE};
use super::shown::{is_shown_otherwise, shown};
use super::tokens::{discord_token, is_snowflake, pattern_match};
use super::triggers::{Trigger, triggers};
use super::values::Values;
use super::{assign, headers, key_block, marks, personal, runs, views};

/// Levels of escapes that are resolved: JSON in a string of JSON in a string.
const MAX_ESCAPES: usize = 5;

/// Base64 within base64 that is decoded.
pub(super) const MAX_WRAPPED: usize = 3;

/// A secret and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) rule: RuleId,
    /// In order and apart; several where a secret takes several lines.
    pub(super) pieces: Vec<Range<usize>>,
    /// Without escapes, colours and line breaks.
    pub(super) value: String,
}

/// Finds secrets; made once, shared by threads.
pub struct Scanner {
    pub(super) rules: Vec<Compiled>,
    finder: AhoCorasick,
    triggers: Vec<Trigger>,
    /// Rules of the user, and how text is recognised that may hold what they find.
    always: Range<RuleId>,
    own: Own,
}

impl Scanner {
    /// For the table's rules and those asked for.
    pub fn new(rules: &Rules) -> Result<Self, RulesError> {
        let (compiled, always) = compiled::all(rules)?;
        let own = Own::of(rules)?;
        let (literals, triggers) = triggers();
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(literals)
            .map_err(|error| RulesError::Other(error.to_string()))?;
        Ok(Scanner { rules: compiled, finder, triggers, always, own })
    }

    /// The number of a rule by its name.
    pub(super) fn rule(&self, name: &str) -> RuleId {
        self.rules.iter().position(|rule| rule.name == name).unwrap_or(0)
    }

    /// How many letters of a value say no more than whose it is.
    pub(super) fn public_prefix(rule: RuleId, value: &str) -> Option<usize> {
        let literals = TABLE.get(rule)?.literals;
        literals
            .iter()
            .filter(|literal| value.starts_with(**literal))
            .map(|literal| literal.len())
            .max()
    }

    /// Whether a closer look is due. `text` may be JSON as it lies in a file.
    pub(super) fn may_hold(&self, text: &[u8], values: Option<&Values>) -> bool {
        self.may_hold_at(text, values, 0)
    }

    fn may_hold_at(&self, text: &[u8], values: Option<&Values>, depth: usize) -> bool {
        self.may_hold_as_written(text, values, depth)
            || is_shown_otherwise(text)
                && shown(&String::from_utf8_lossy(text)).is_some_and(|view| {
                    self.may_hold_as_written(view.text.as_bytes(), values, depth)
                })
    }

    fn may_hold_as_written(&self, text: &[u8], values: Option<&Values>, depth: usize) -> bool {
        self.own.may_hold(text)
            || values.is_some_and(|values| values.may_hold(text))
            || self.finder.find_iter(text).any(|hit| {
                let trigger = &self.triggers[hit.pattern().as_usize()];
                trigger.targets(text, hit.start()).any(|(rule, literal)| {
                    rule.is_none_or(|rule| self.may_match(rule, text, literal))
                })
            })
            || self.runs_may_hold(text, values, depth)
    }

    fn may_match(&self, rule: RuleId, text: &[u8], literal: Range<usize>) -> bool {
        let rule = &self.rules[rule];
        match rule.reading {
            Reading::Token | Reading::Exact | Reading::Around(_) => pattern_match(rule, text, &literal).is_some(),
            Reading::Assignment => assign::may_be(text, &literal),
            Reading::Login => headers::login(text, literal).is_some(),
            Reading::CommandLogin => headers::command_login(text, literal).is_some(),
            Reading::Cookies => {
                text[literal.end..].iter().take(6).any(|byte| b":=\"\\ ,%".contains(byte))
            }
            Reading::KeyBlock => true,
            Reading::Runs => false,
        }
    }

    fn runs_may_hold(&self, text: &[u8], values: Option<&Values>, depth: usize) -> bool {
        let mut from = 0;
        while let Some(run) = runs::next(text, from) {
            from = run.end;
            let Some(skip) = runs::text_offset(&text[run.clone()]) else { continue };
            let lines = runs::lines(text, run.start + skip..run.end);
            from = lines.last().map_or(from, |last| last.end.max(from));
            let is_wrapped = runs::joined(text, &lines).is_some_and(|inner| {
                depth >= MAX_WRAPPED || self.may_hold_at(inner.as_bytes(), values, depth + 1)
            });
            if is_wrapped || is_snowflake(text, &lines[0]) {
                return true;
            }
        }
        false
    }

    /// All secrets of a text, however it is written; unsorted, and one secret
    /// may be found several times.
    pub(super) fn find(&self, text: &str, values: Option<&Values>) -> Vec<Found> {
        self.find_at(text, values, 0)
    }

    fn find_at(&self, text: &str, values: Option<&Values>, depth: usize) -> Vec<Found> {
        let mut found = Vec::new();
        let mut chain: Vec<views::View> = Vec::new();
        loop {
            let current = chain.last().map_or(text, |view| view.text.as_str());
            self.in_view(current, values, depth, &mut |mut one: Found| {
                for view in chain.iter().rev() {
                    one.pieces.iter_mut().for_each(|piece| *piece = view.base(piece));
                }
                found.push(one);
            });
            if chain.len() == MAX_ESCAPES {
                break;
            }
            let Some(next) = views::unescaped(current) else { break };
            chain.push(next);
        }
        found
    }

    /// In a text without regard to colours, and once more without percent
    /// signs, and as Markdown or HTML show it.
    fn in_view(
        &self,
        text: &str,
        values: Option<&Values>,
        depth: usize,
        sink: &mut dyn FnMut(Found),
    ) {
        let plain = views::without_colours(text);
        let current = plain.as_ref().map_or(text, |view| view.text.as_str());
        let mut down = |mut one: Found| {
            if let Some(view) = &plain {
                one.pieces.iter_mut().for_each(|piece| *piece = view.base(piece));
            }
            sink(one);
        };
        self.in_plain(current, values, depth, &mut down);
        if let Some(decoded) = views::percent_decoded(current) {
            self.in_plain(&decoded.text, values, depth, &mut |mut one: Found| {
                one.pieces.iter_mut().for_each(|piece| *piece = decoded.base(piece));
                down(one);
            });
        }
        if let Some(shown) = shown(current) {
            self.in_plain(&shown.text, values, depth, &mut |mut one: Found| {
                // A path is read as written: its backslashes part folders.
                if self.rules[one.rule].instead.is_none() {
                    one.pieces.iter_mut().for_each(|piece| *piece = shown.base(piece));
                    down(one);
                }
            });
        }
    }

    fn in_plain(
        &self,
        text: &str,
        values: Option<&Values>,
        depth: usize,
        sink: &mut dyn FnMut(Found),
    ) {
        let bytes = text.as_bytes();
        let marks = marks::ranges(text);
        let mut emit = |rule: RuleId, pieces: Vec<Range<usize>>| {
            let pieces: Vec<_> =
                pieces.into_iter().flat_map(|piece| marks::outside(&marks, piece)).collect();
            let value: String = pieces.iter().filter_map(|piece| text.get(piece.clone())).collect();
            if !value.is_empty() {
                sink(Found { rule, pieces, value });
            }
        };
        // What a rule has found is not gone through by it again.
        let mut ends = vec![0; TABLE.len()];
        for hit in self.finder.find_iter(bytes) {
            let trigger = &self.triggers[hit.pattern().as_usize()];
            for (rule, literal) in trigger.targets(bytes, hit.start()) {
                let Some(rule) = rule else { continue };
                let end = &mut ends[rule];
                if literal.start >= *end {
                    self.at_literal(
                        rule,
                        bytes,
                        literal,
                        &mut |rule, pieces: Vec<Range<usize>>| {
                            *end = pieces.last().map_or(*end, |last| last.end);
                            emit(rule, pieces);
                        },
                    );
                }
            }
        }
        for rule in self.always.clone() {
            let Some(regex) = self.rules[rule].regex() else { continue };
            let mut captures = regex.create_captures();
            for hit in regex.find_iter(text) {
                regex.captures(Input::new(text).range(hit.range()), &mut captures);
                let range = captures.get_group(1).unwrap_or(hit.span()).range();
                let floor = self.rules[rule].entropy;
                let value = &text[range.clone()];
                let is_harmless = personal::is_harmless(&self.rules[rule].name, value);
                if !range.is_empty() && !is_harmless && entropy(value.as_bytes()) >= floor {
                    emit(rule, vec![range]);
                }
            }
        }
        if let Some(values) = values {
            values.find(text, &mut |rule, range, value| {
                for piece in marks::outside(&marks, range) {
                    sink(Found { rule, pieces: vec![piece], value: value.to_owned() });
                }
            });
        }
        self.in_runs(text, values, depth, sink);
    }

    fn at_literal(
        &self,
        id: RuleId,
        text: &[u8],
        literal: Range<usize>,
        emit: &mut impl FnMut(RuleId, Vec<Range<usize>>),
    ) {
        let rule = &self.rules[id];
        let one = match rule.reading {
            Reading::Token | Reading::Exact | Reading::Around(_) => pattern_match(rule, text, &literal),
            Reading::Assignment => assign::value(text, literal),
            Reading::Login => headers::login(text, literal),
            Reading::CommandLogin => headers::command_login(text, literal),
            Reading::Cookies => {
                for pair in headers::cookies(text, &literal) {
                    emit(id, vec![pair]);
                }
                None
            }
            Reading::KeyBlock => {
                let body = key_block::body(text, &literal);
                if !body.is_empty() {
                    emit(id, body);
                }
                None
            }
            Reading::Runs => None,
        };
        if let Some(range) = one {
            emit(id, vec![range]);
        }
    }

    /// What base64 runs hold; a hit takes the whole run.
    fn in_runs(
        &self,
        text: &str,
        values: Option<&Values>,
        depth: usize,
        sink: &mut dyn FnMut(Found),
    ) {
        let bytes = text.as_bytes();
        let mut from = 0;
        while let Some(run) = runs::next(bytes, from) {
            from = run.end;
            let Some(skip) = runs::text_offset(&bytes[run.clone()]) else { continue };
            let lines = runs::lines(bytes, run.start + skip..run.end);
            from = lines.last().map_or(from, |last| last.end.max(from));
            if let Some(token) = discord_token(bytes, &lines[0]) {
                let value = text.get(token.clone()).unwrap_or_default().to_owned();
                sink(Found { rule: self.reading(Reading::Runs), pieces: vec![token], value });
            }
            let Some(inner) = runs::joined(bytes, &lines) else { continue };
            if depth >= MAX_WRAPPED || !self.may_hold(inner.as_bytes(), values) {
                continue;
            }
            for one in self.find_at(&inner, values, depth + 1) {
                sink(Found { pieces: lines.clone(), ..one });
            }
        }
    }
}
