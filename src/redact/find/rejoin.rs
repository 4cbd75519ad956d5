//! Tokens in words that line breaks part (`broken.rs`): which of the lines belong to one.
//!
//! A token that is whole at the end of its line must not take in the first word of the next.
//! So a break is crossed where the token is none without what follows, or where it may be
//! longer and what follows looks like more of it and like no word.

use std::cell::Cell;
use std::ops::{Range, RangeInclusive};

use crate::redact::judge::parts::{is_hex, is_name, is_random, is_within_word};
use crate::redact::views::base64;
use crate::redact::views::broken::{Broken, Joint, MAX_LINES, broken};

use super::compiled::{Compiled, RuleId};
use super::effort::Effort;
use super::rules::Reading;
use super::scan::{FoundSecret, Scanner};
use super::tokens::{Tried, discord_token, pattern_match};
use super::values::Values;

/// Shortest part of a token that tells it is one.
const MIN_PART: usize = 4;

/// Shortest such part with other words behind it, and below a line that is full.
const MIN_AMONG_WORDS: usize = 13;
const MIN_BELOW_FULL: usize = 6;

/// Columns of a line that may have been broken for its length alone.
const FULL: usize = 60;

/// Shortest run of hex digits that is a hash behind a token of other letters.
const MIN_HASH: usize = 7;

/// The secrets of the words that line breaks part, those known beforehand too; `found` is what one
/// line has whole. Tells how much was read.
pub(crate) fn search(
    scanner: &Scanner,
    values: Option<&Values>,
    text: &str,
    found: &[FoundSecret],
) -> (Vec<FoundSecret>, usize) {
    let Some(broken) = broken(text) else { return (Vec::new(), 0) };
    let is_token = |one: &&FoundSecret| scanner.rules[one.rule].reading.has_pattern();
    let mut starts: Vec<usize> =
        found.iter().filter(is_token).map(|one| one.pieces[0].start).collect();
    starts.sort_unstable();
    let view = &broken.view;
    let mut more = Vec::new();
    let mut emit = |rule: RuleId, range: Range<usize>, value: &str| {
        let pieces = view.parts(&range);
        if pieces.len() > 1 {
            more.push(FoundSecret { rule, pieces, value: value.to_owned() });
        }
    };
    let mut token = |rule: RuleId, range: Range<usize>| {
        emit(rule, range.clone(), view.text.get(range).unwrap_or_default());
    };
    let (text, read) = (text.as_bytes(), Cell::new(0));
    let rejoin = Rejoin { scanner, text, broken: &broken, starts: &starts, read: &read };
    rejoin.tokens(&mut token);
    rejoin.bots(&mut token);
    if let Some(values) = values {
        values.find(&view.text, &mut emit);
    }
    (more, read.get())
}

/// Bytes behind a literal in which a pattern matches, if it does: what it asks for at least.
const NEAR: usize = 320;

/// What a search for broken tokens looks at.
struct Rejoin<'a> {
    scanner: &'a Scanner,
    /// The text with its breaks.
    text: &'a [u8],
    broken: &'a Broken,
    /// Where tokens begin that one line has whole.
    starts: &'a [usize],
    /// Bytes that patterns were given.
    read: &'a Cell<usize>,
}

/// A rule at one of its literals.
struct At<'a> {
    rule: &'a Compiled,
    /// To the end of the word.
    view: &'a [u8],
    literal: Range<usize>,
    /// The breaks of the word behind the literal, or behind where a token may begin.
    joints: &'a [Joint],
    /// Bytes that the pattern was given.
    read: &'a Cell<usize>,
}

impl At<'_> {
    /// The value in a part of the view; one that is refused too, if `is_any`.
    fn read(&self, from: usize, end: usize, is_any: bool) -> Option<Range<usize>> {
        let text = self.view.get(from..end).filter(|_| self.literal.end <= end)?;
        let literal = self.literal.start.checked_sub(from)?..self.literal.end - from;
        self.read.set(self.read.get() + text.len() - literal.start);
        match pattern_match(self.rule, text, &literal) {
            Tried::Value(value) => Some(value.start + from..value.end + from),
            Tried::Refused(end) if is_any => Some(from..from + end),
            _ => None,
        }
    }
}

impl Rejoin<'_> {
    /// Each token over several lines, where it stands in the view.
    fn tokens(&self, emit: &mut impl FnMut(RuleId, Range<usize>)) {
        let view = self.broken.view.text.as_bytes();
        let mut effort = Effort::new(view);
        for (literal, rules) in self.scanner.triggers.hits(view) {
            // Within a word, no token begins but behind a break.
            let is_inside = is_within_word(view, &literal)
                && self.begins(literal.start..=literal.start).is_empty();
            for &id in rules {
                let rule = &self.scanner.rules[id];
                let back = match rule.reading {
                    Reading::Token | Reading::Bearer | Reading::Exact if is_inside => continue,
                    Reading::Token | Reading::Bearer | Reading::Exact => 0,
                    Reading::Around(back) => back,
                    _ => continue,
                };
                let Some(joints) = self.joints(literal.start, back) else { continue };
                // The line before may end with a word that is none of the token's.
                let begins = self.begins(literal.start.saturating_sub(back)..=literal.start);
                let Some(window) = effort.window(id, rule.reading, &literal) else { continue };
                let end = joints[0].word_end.min(window.len());
                let at = At {
                    rule,
                    view: &view[..end],
                    literal: literal.clone(),
                    joints,
                    read: self.read,
                };
                let near = end.min(literal.end + NEAR);
                let matched = |from: usize| at.read(from, near, true);
                let whole = matched(0);
                // Where the token begins at its literal, nothing before it tells anything else.
                let begins = begins.into_iter().filter(|_| back > 0 || whole.is_none());
                let begins = begins.filter(|from| matched(*from).is_some());
                let mut froms = whole.iter().map(|_| 0).chain(begins);
                match (froms.find_map(|from| self.token(&at, from)), whole.clone()) {
                    (Some(value), _) => {
                        effort.found(id, view, &mut [value.clone()]);
                        emit(id, value);
                    }
                    (None, Some(refused)) => effort.refused(id, literal.start, refused.end),
                    (None, None) => effort.vain(id, rule.reading, &literal, &view[..near]),
                }
            }
        }
    }

    /// The same for the tokens of Discord's bots, which begin with the number of an account.
    fn bots(&self, emit: &mut impl FnMut(RuleId, Range<usize>)) {
        let view = self.broken.view.text.as_bytes();
        let mut from = 0;
        while let Some(run) = base64::next(view, from) {
            from = run.end;
            let Some(joints) = self.joints(run.start, 0) else { continue };
            let mut ends = joints.iter().skip(1).map(|joint| joint.at).chain([joints[0].word_end]);
            let token = |end: usize| {
                let run = run.start..run.end.min(end);
                discord_token(view.get(..end)?, &run)
            };
            if token(joints[0].at).is_none()
                && let Some(token) = ends.find_map(token)
            {
                emit(self.scanner.reading(Reading::Runs), token);
            }
        }
    }

    /// The breaks behind `at`, and up to so many bytes before it, in the word there.
    fn joints(&self, at: usize, back: usize) -> Option<&[Joint]> {
        let all = &self.broken.joints;
        let word = all.partition_point(|joint| joint.word_end <= at);
        let first = word + all[word..].partition_point(|joint| joint.at + back <= at);
        let end = all.get(first)?.word_end;
        let count = all[first..].iter().take(MAX_LINES).take_while(|joint| joint.word_end == end);
        Some(&all[first..first + count.count()])
    }

    /// The breaks in a range, where the lines behind them begin.
    fn begins(&self, range: RangeInclusive<usize>) -> Vec<usize> {
        let all = &self.broken.joints;
        let first = all.partition_point(|joint| joint.at < *range.start());
        let within = all[first..].iter().map(|joint| joint.at);
        within.take_while(|at| at <= range.end()).collect()
    }

    /// The token at a literal with all of its lines, in a text that begins at `from`; none when
    /// it ends in its first line.
    fn token(&self, at: &At<'_>, from: usize) -> Option<Range<usize>> {
        let At { view, joints, .. } = *at;
        let joints = &joints[joints.partition_point(|joint| joint.at <= from)..];
        let first = joints.first()?;
        let read = |end: usize| at.read(from, end, false);
        let ends = |number: usize| joints.get(number + 1).map_or(view.len(), |joint| joint.at);
        let mut next = 0;
        let alone = read(first.at).filter(|value| value.end == first.at);
        let mut value = alone.clone().unwrap_or_default();
        if alone.is_none() {
            // What is no token when it is longer than patterns ask for becomes none by more lines.
            let far = at.literal.end + NEAR;
            let count = 1 + (0..joints.len()).take_while(|&number| ends(number) < far).count();
            next = (0..joints.len().min(count)).find(|&number| {
                value = read(ends(number)).unwrap_or_default();
                value.end > first.at
            })?;
            let is_shortest = read(value.end - 1).is_none();
            if value.end <= joints[next].at
                || !self.is_token(at, &joints[..=next], &value, is_shortest)
            {
                return None;
            }
            next += 1;
        }
        // It may be longer than what makes it one.
        while joints.get(next).is_some_and(|joint| joint.at == value.end) {
            let longer = read(ends(next)).filter(|longer| longer.end > value.end);
            let Some(longer) = longer.filter(|longer| self.goes_on(view, &joints[..=next], longer))
            else {
                break;
            };
            value = longer;
            next += 1;
        }
        (next > 0).then_some(value)
    }

    /// Whether parts that are a token only together are one.
    fn is_token(
        &self,
        at: &At<'_>,
        joints: &[Joint],
        value: &Range<usize>,
        is_shortest: bool,
    ) -> bool {
        let At { rule, view, literal, .. } = at;
        let Some(last) = joints.last() else { return false };
        let parts = || {
            let starts = std::iter::once(value.start).chain(joints.iter().map(|joint| joint.at));
            let ends = joints.iter().map(|joint| joint.at).chain([value.end]);
            starts
                .zip(ends)
                .filter(|(start, end)| start < end)
                .map(|(start, end)| &view[start..end])
        };
        // What its surroundings tell must itself look like a secret.
        let is_around = matches!(rule.reading, Reading::Around(_));
        if value.start >= literal.end && !is_around && !parts().all(is_random) {
            return false;
        }
        let own = &view[value.clone()];
        let own = own.get(literal.end.saturating_sub(value.start)..).unwrap_or(own);
        let own = if own.len() < MIN_PART { &view[value.clone()] } else { own };
        let mut within = joints.iter().filter(|joint| joint.at > value.start);
        if is_name(own) || within.any(|joint| self.begins_other(joint)) {
            return false;
        }
        let head = &view[last.at..value.end];
        last.is_stated || is_shortest || !is_name(head) || self.ends_line(value.end)
    }

    /// Whether a token that is whole before a break goes on behind it.
    fn goes_on(&self, view: &[u8], joints: &[Joint], value: &Range<usize>) -> bool {
        let [.., joint] = joints else { return false };
        let part = &view[joint.at..value.end];
        if self.begins_other(joint) || joint.is_stated {
            return joint.is_stated;
        }
        let is_hash = part.len() >= MIN_HASH && is_hex(part);
        if part.contains(&b':')
            || is_hash && !is_hex(&view[value.start..joint.at][joint.at - value.start - MIN_HASH..])
        {
            return false;
        }
        if self.ends_line(value.end) {
            return part.len() >= MIN_PART && !is_name(part);
        }
        let least = match () {
            () if is_folded(joints) => MIN_PART,
            () if self.is_full(joint) && !is_hash => MIN_BELOW_FULL,
            () => MIN_AMONG_WORDS,
        };
        let next = self.text.get(self.behind(value.end));
        part.len() >= least
            && is_random(part)
            && next.is_none_or(|byte| byte.is_ascii_whitespace() || b"\"'`,;)".contains(byte))
    }

    /// Whether what stands behind a break is a secret of its own.
    fn begins_other(&self, joint: &Joint) -> bool {
        let at = self.broken.view.base(&(joint.at..joint.at + 1)).start;
        self.starts.binary_search(&at).is_ok()
    }

    /// Whether the line before a break is as long as lines become.
    fn is_full(&self, joint: &Joint) -> bool {
        let end = self.behind(joint.at);
        let before = &self.text[end.saturating_sub(FULL)..end];
        before.len() == FULL && memchr::memchr(b'\n', before).is_none()
    }

    /// Where the text goes on behind what ends at `end` in the view.
    fn behind(&self, end: usize) -> usize {
        self.broken.view.base(&(end - 1..end)).end
    }

    /// Whether nothing of a line is left but what closes it.
    fn ends_line(&self, end: usize) -> bool {
        let rest = &self.text[self.behind(end)..];
        let closes = |byte: &&u8| b" \t\r\"'`,;)]}|=\\".contains(byte) || **byte >= 0x80;
        let len = rest.iter().take(400).take_while(closes).count();
        rest.get(len).is_none_or(|byte| *byte == b'\n')
    }
}

/// Whether the last two lines that are whole are of the same length.
fn is_folded(joints: &[Joint]) -> bool {
    let [.., first, second, last] = joints else { return false };
    second.at - first.at == last.at - second.at
}
