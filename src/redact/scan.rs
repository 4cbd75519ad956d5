//! Finds secrets in one text.
//!
//! Most text holds none, so the first look ([`Scanner::may_hold`]) works on
//! bytes as they lie in the file, escapes and all: one pass for the literals of
//! all rules, each literal checked at once, and a look at the beginning of every
//! base64 run. It may say yes in vain, never no. Only then is a text taken apart.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

use super::custom::{Rules, RulesError};
use super::plausible::{entropy, is_example_token, is_stand_in};
use super::rules::{Reading, TABLE};
use super::values::Values;
use super::{assign, headers, key_block, marks, personal, runs, views};

/// Levels of escapes that are resolved: JSON in a string of JSON in a string.
const MAX_ESCAPES: usize = 5;

/// Base64 within base64 that is decoded.
pub(super) const MAX_WRAPPED: usize = 3;

/// Letters that may stand for others: escapes of ASCII, colour codes, `/` and
/// `:` written otherwise. What has them is read without them.
const DISGUISES: &[&str] = &[
    r"\u002",
    r"\u003",
    r"\u004",
    r"\u005",
    r"\u006",
    r"\u007",
    r"\u001b",
    "\x1b",
    r":\/",
    r":\\/",
    r":\\\\/",
    "%3a%2f",
    "private%20key",
    "basic%20",
];

/// Number of a rule in [`Scanner::rules`].
pub(super) type RuleId = u16;

/// A secret and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) rule: RuleId,
    /// In order and apart; several where a secret takes several lines.
    pub(super) pieces: Vec<Range<usize>>,
    /// Without escapes, colours and line breaks.
    pub(super) value: String,
}

/// A rule ready for use.
pub(super) struct Compiled {
    pub(super) name: Cow<'static, str>,
    pattern: Cow<'static, str>,
    entropy: f32,
    pub(super) reading: Reading,
    /// Of the user: no guess, so neither floors nor stand-ins apply.
    pub(super) own: bool,
    /// In place of a mark.
    pub(super) instead: Option<&'static str>,
    regex: OnceLock<Option<Regex>>,
}

impl Compiled {
    fn regex(&self) -> Option<&Regex> {
        self.regex.get_or_init(|| compile(&self.pattern, self.own).ok()).as_ref()
    }
}

/// Patterns of the table read bytes, those of users characters.
pub(super) fn compile(
    pattern: &str,
    unicode: bool,
) -> Result<Regex, Box<regex_automata::meta::BuildError>> {
    let syntax = syntax::Config::new().unicode(unicode).utf8(unicode).multi_line(unicode);
    let config = Regex::config().utf8_empty(unicode).nfa_size_limit(Some(1 << 20));
    Regex::builder().syntax(syntax).configure(config).build(pattern).map_err(Box::new)
}

/// A literal, and the rules to try where it stands.
struct Trigger {
    /// Rules with the literal of theirs that holds this one, and how far in.
    targets: Vec<(RuleId, &'static [u8], usize)>,
    is_disguise: bool,
}

/// The literals of the user's rules.
enum Own {
    None,
    Literals(AhoCorasick),
    /// A rule has none: any text may hold what it finds.
    Any,
}

impl Own {
    fn of(rules: &Rules) -> Result<Self, RulesError> {
        if rules.patterns().is_empty() {
            return Ok(Own::None);
        }
        if rules.patterns().iter().any(|own| own.literals.is_empty()) {
            return Ok(Own::Any);
        }
        let literals =
            rules.patterns().iter().flat_map(|own| own.literals.iter()).map(|literal| &**literal);
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(literals.chain([r"\/"]))
            .map_err(|error| RulesError::Other(error.to_string()))?;
        Ok(Own::Literals(finder))
    }

    fn may_hold(&self, text: &[u8]) -> bool {
        match self {
            Own::None => false,
            Own::Literals(finder) => finder.is_match(text),
            Own::Any => true,
        }
    }
}

/// Finds secrets; made once, shared by threads.
pub struct Scanner {
    pub(super) rules: Vec<Compiled>,
    finder: AhoCorasick,
    triggers: Vec<Trigger>,
    /// Rules of the user, and how text is recognised that may hold what they find.
    always: Vec<RuleId>,
    own: Own,
    discord: RuleId,
}

impl Scanner {
    /// For the table's rules and those asked for.
    pub fn new(rules: &Rules) -> Result<Self, RulesError> {
        let mut compiled: Vec<Compiled> = TABLE
            .iter()
            .map(|rule| Compiled {
                name: rule.name.into(),
                pattern: rule.pattern.into(),
                entropy: rule.entropy,
                reading: rule.reading,
                own: false,
                instead: None,
                regex: OnceLock::new(),
            })
            .collect();
        let mut always = Vec::new();
        for own in rules.patterns() {
            always.push(compiled.len() as RuleId);
            compiled.push(Compiled {
                name: own.name.clone(),
                pattern: own.pattern.clone(),
                entropy: own.entropy,
                reading: Reading::Token,
                own: true,
                instead: own.instead,
                regex: OnceLock::from(Some(
                    compile(&own.pattern, true)
                        .map_err(|source| RulesError::pattern(&own.pattern, &source))?,
                )),
            });
        }
        for own in rules.value_rules() {
            compiled.push(Compiled {
                name: own.into(),
                pattern: "".into(),
                entropy: 0.0,
                reading: Reading::Runs,
                own: true,
                instead: None,
                regex: OnceLock::new(),
            });
        }
        let own = Own::of(rules)?;
        let discord =
            TABLE.iter().position(|rule| rule.reading == Reading::Runs).unwrap_or(0) as RuleId;
        let (literals, triggers) = triggers();
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(literals)
            .map_err(|error| RulesError::Other(error.to_string()))?;
        Ok(Scanner { rules: compiled, finder, triggers, always, own, discord })
    }

    /// The number of a rule by its name.
    pub(super) fn rule(&self, name: &str) -> RuleId {
        self.rules.iter().position(|rule| rule.name == name).unwrap_or(0) as RuleId
    }

    /// How many letters of a value say no more than whose it is.
    pub(super) fn public_prefix(&self, rule: RuleId, value: &str) -> Option<usize> {
        let literals = TABLE.get(usize::from(rule))?.literals;
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
        self.own.may_hold(text)
            || values.is_some_and(|values| values.may_hold(text))
            || self.finder.find_iter(text).any(|hit| {
                let trigger = &self.triggers[hit.pattern().as_usize()];
                trigger.is_disguise
                    || targets(trigger, text, hit.start())
                        .any(|(rule, literal)| self.may_match(rule, text, literal))
            })
            || self.runs_may_hold(text, values, depth)
    }

    fn may_match(&self, rule: RuleId, text: &[u8], literal: Range<usize>) -> bool {
        let rule = &self.rules[usize::from(rule)];
        match rule.reading {
            Reading::Token | Reading::Around(_) => pattern_match(rule, text, &literal).is_some(),
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

    /// In a text without regard to colours, and once more without percent signs.
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
            for (rule, literal) in targets(trigger, bytes, hit.start()) {
                let end = &mut ends[usize::from(rule)];
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
        for &rule in &self.always {
            let Some(regex) = self.rules[usize::from(rule)].regex() else { continue };
            let mut captures = regex.create_captures();
            for hit in regex.find_iter(text) {
                regex.captures(Input::new(text).range(hit.range()), &mut captures);
                let range = captures.get_group(1).unwrap_or(hit.span()).range();
                let floor = self.rules[usize::from(rule)].entropy;
                let value = &text[range.clone()];
                let is_harmless = personal::is_harmless(&self.rules[usize::from(rule)].name, value);
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
        let rule = &self.rules[usize::from(id)];
        let one = match rule.reading {
            Reading::Token | Reading::Around(_) => pattern_match(rule, text, &literal),
            Reading::Assignment => assign::value(text, literal),
            Reading::Login => headers::login(text, literal),
            Reading::CommandLogin => headers::command_login(text, literal),
            Reading::Cookies => {
                headers::cookies(text, &literal).into_iter().for_each(|pair| emit(id, vec![pair]));
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
                sink(Found { rule: self.discord, pieces: vec![token], value });
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

/// Literals without those that hold another one: finding the shorter finds the longer.
fn triggers() -> (Vec<Vec<u8>>, Vec<Trigger>) {
    let of_rules = TABLE.iter().enumerate().flat_map(|(rule, row)| {
        row.literals.iter().map(move |literal| (Some(rule as RuleId), *literal))
    });
    let all: Vec<_> = of_rules.chain(DISGUISES.iter().map(|literal| (None, *literal))).collect();
    let small = |literal: &str| literal.to_ascii_lowercase().into_bytes();
    let mut literals: Vec<Vec<u8>> = Vec::new();
    for (_, literal) in &all {
        let literal = small(literal);
        let holds = |other: &str| {
            let other = small(other);
            other.len() < literal.len() && memchr::memmem::find(&literal, &other).is_some()
        };
        if !literals.contains(&literal) && !all.iter().any(|(_, other)| holds(other)) {
            literals.push(literal);
        }
    }
    let mut triggers: Vec<Trigger> =
        literals.iter().map(|_| Trigger { targets: Vec::new(), is_disguise: false }).collect();
    for (rule, literal) in all {
        let whole = small(literal);
        let found = literals
            .iter()
            .enumerate()
            .find_map(|(at, part)| Some((at, memchr::memmem::find(&whole, part)?)));
        let Some((at, offset)) = found else { continue };
        match rule {
            Some(rule) => triggers[at].targets.push((rule, literal.as_bytes(), offset)),
            None => triggers[at].is_disguise = true,
        }
    }
    (literals, triggers)
}

/// The rules whose whole literal stands around the trigger at `at`, with its range.
fn targets<'a>(
    trigger: &'a Trigger,
    text: &'a [u8],
    at: usize,
) -> impl Iterator<Item = (RuleId, Range<usize>)> + 'a {
    trigger.targets.iter().filter_map(move |&(rule, literal, offset)| {
        let start = at.checked_sub(offset)?;
        let range = start..start + literal.len();
        text.get(range.clone())?.eq_ignore_ascii_case(literal).then_some((rule, range))
    })
}

/// The value of a pattern at its literal.
fn pattern_match(rule: &Compiled, text: &[u8], literal: &Range<usize>) -> Option<Range<usize>> {
    let regex = rule.regex()?;
    let (start, end, anchored) = match rule.reading {
        Reading::Around(back) => {
            (literal.start.saturating_sub(back), text.len().min(literal.end + 400), Anchored::No)
        }
        _ => (literal.start, text.len().min(literal.end + 5000), Anchored::Yes),
    };
    let is_sign = !text[literal.start].is_ascii_alphanumeric();
    if anchored == Anchored::Yes && !is_sign && !begins_word(text, literal.start) {
        return None;
    }
    let input = Input::new(text).range(start..end).anchored(anchored);
    let hit = regex.search_half(&input)?;
    if hit.offset() < literal.end {
        return None;
    }
    let mut captures = regex.create_captures();
    regex.captures(input, &mut captures);
    let whole = captures.get_match()?.range();
    if whole.start > literal.start || anchored == Anchored::No && !begins_word(text, whole.start) {
        return None;
    }
    let range = (1..captures.group_len())
        .find_map(|group| captures.get_group(group))
        .map_or(whole, |group| group.range());
    let value = std::str::from_utf8(&text[range.clone()]).ok()?;
    let is_cut = text.get(range.end).is_some_and(u8::is_ascii_alphanumeric);
    let is_secret = !is_cut && entropy(value.as_bytes()) >= rule.entropy && !is_example(value);
    is_secret.then_some(range)
}

/// A short value is an example as soon as it has a word of one.
fn is_example(value: &str) -> bool {
    if value.len() < 24 { is_stand_in(value) } else { is_example_token(value) }
}

/// Whether no letter stands before `at`, the one of an escape excepted.
fn begins_word(text: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|at| text[at]) else { return true };
    let is_percent =
        at >= 3 && text[at - 3] == b'%' && text[at - 2..at].iter().all(u8::is_ascii_hexdigit);
    if is_percent {
        return true;
    }
    if before.is_ascii_alphanumeric() || before == b'_' {
        return at >= 2 && text[at - 2] == b'\\' && b"nrtbfu".contains(&before);
    }
    // In the midst of base64, where any prefix stands now and then.
    let is_base64 = matches!(before, b'+' | b'/')
        && at > 64
        && text[at - 64..at]
            .iter()
            .all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
    !is_base64
}

/// Whether the run is the number of a Discord account.
fn is_snowflake(text: &[u8], run: &Range<usize>) -> bool {
    (24..=28).contains(&run.len())
        && text.get(run.end) == Some(&b'.')
        && runs::decode(&text[run.clone()])
            .is_some_and(|id| id.len() >= 17 && id.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A bot's token: account, time and signature, joined by dots.
fn discord_token(text: &[u8], run: &Range<usize>) -> Option<Range<usize>> {
    if !is_snowflake(text, run) {
        return None;
    }
    let part = |from: usize| {
        text[from..]
            .iter()
            .take_while(|&&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
            .count()
    };
    let time = part(run.end + 1);
    let second = run.end + 1 + time;
    if !(5..=7).contains(&time) || text.get(second) != Some(&b'.') {
        return None;
    }
    let signature = part(second + 1);
    (27..=48).contains(&signature).then_some(run.start..second + 1 + signature)
}
