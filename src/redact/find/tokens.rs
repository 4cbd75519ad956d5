//! Values that a pattern tells.

use std::ops::Range;

use regex_automata::meta::Regex;
use regex_automata::{Anchored, Input, PatternID};

use crate::redact::judge::parts::is_name;
use crate::redact::judge::plausible::{
    can_be_secret, entropy, is_example_token, is_joined, is_stand_in,
};
use crate::redact::views::base64;

use super::compiled::Compiled;
use super::rules::Reading;

/// Shortest token around a literal, in bytes: no pattern asks for less, so that no shorter word is
/// searched.
pub(super) const MIN_AROUND: usize = 32;

/// Bytes of such a token behind its literal.
const MAX_BEHIND: usize = 400;

/// What came of trying a pattern.
pub(super) enum Tried {
    Nothing,
    /// The word at the literal is too short for the pattern.
    Short,
    /// It matched to here, and what it matched is no secret.
    Refused(usize),
    Value(Range<usize>),
}

/// The value of a pattern at its literal, in a text that ends with what is to be looked at.
pub(super) fn pattern_match(rule: &Compiled, text: &[u8], literal: &Range<usize>) -> Tried {
    if let Reading::Around(back) = rule.reading
        && word_around(text, literal, back).len() < MIN_AROUND
    {
        return Tried::Short;
    }
    let Some((whole, value)) = matched(rule, text, literal) else { return Tried::Nothing };
    let is_cut = text.get(value.end).is_some_and(u8::is_ascii_alphanumeric);
    let is_secret = |value: &str| {
        let is_made_up = rule.reading != Reading::Exact && is_example(value);
        let is_word = || is_word(value) || is_joined(value) || !can_be_secret(value);
        let is_whole = value.len() == whole.end - literal.start;
        let is_named = || is_whole && is_path(&value.as_bytes()[literal.len()..]);
        entropy(value.as_bytes()) >= rule.entropy
            && !is_made_up
            && (rule.reading != Reading::Bearer || !is_word())
            && !is_named()
    };
    if !is_cut && std::str::from_utf8(&text[value.clone()]).is_ok_and(is_secret) {
        return Tried::Value(value);
    }
    Tried::Refused(whole.end)
}

/// Letters of one case: `AUTHORIZATION`, `authorization=bearer=`.
fn is_word(value: &str) -> bool {
    let value = value.trim_end_matches('.');
    value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'=')
        || value.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'=')
}

/// Words joined by signs, as names of programs are: `dvc_server_flags_of_the_environment`.
fn is_path(own: &[u8]) -> bool {
    own.iter().filter(|byte| matches!(byte, b'_' | b'-' | b'.')).count() >= 2 && is_name(own)
}

/// The match of a pattern at its literal, and the value in it.
fn matched(
    rule: &Compiled,
    text: &[u8],
    literal: &Range<usize>,
) -> Option<(Range<usize>, Range<usize>)> {
    let (start, end, anchored) = match rule.reading {
        Reading::Around(back) => {
            let word = word_around(text, literal, back);
            (word.start, word.end, Anchored::No)
        }
        _ => (literal.start, text.len(), Anchored::Yes),
    };
    let is_sign = !text[literal.start].is_ascii_alphanumeric();
    if anchored == Anchored::Yes && !is_sign && !begins_word(text, literal.start) {
        return None;
    }
    if rule.sign.is_some_and(|sign| !sign.is_in(&text[literal.end..end])) {
        return None;
    }
    let input = Input::new(text).range(start..end).anchored(anchored);
    let (whole, value) = groups(rule.regex()?, &input)?;
    let is_around = whole.start <= literal.start && literal.end <= whole.end;
    let is_word = anchored == Anchored::Yes || begins_word(text, whole.start);
    (is_around && is_word).then_some((whole, value))
}

/// The word around a literal, from so many bytes before it on.
fn word_around(text: &[u8], literal: &Range<usize>, back: usize) -> Range<usize> {
    let is_part = |byte: &&u8| byte.is_ascii_graphic();
    let before = text[..literal.start].iter().rev().take(back).take_while(is_part).count();
    let behind = text[literal.end..].iter().take(MAX_BEHIND).take_while(is_part).count();
    literal.start - before..literal.end + behind
}

/// The whole of a match, and its first group that is there.
fn groups(regex: &Regex, input: &Input<'_>) -> Option<(Range<usize>, Range<usize>)> {
    if regex.group_info().group_len(PatternID::ZERO) == 1 {
        let whole = regex.search(input)?.range();
        return Some((whole.clone(), whole));
    }
    // Groups cost more than the match alone, which mostly is not there.
    regex.search_half(input)?;
    let mut captures = regex.create_captures();
    regex.captures(input.clone(), &mut captures);
    let whole = captures.get_match()?.range();
    let group = (1..captures.group_len()).find_map(|group| captures.get_group(group));
    Some((whole.clone(), group.map_or(whole, |group| group.range())))
}

/// A short value is an example as soon as it has a word of one.
fn is_example(value: &str) -> bool {
    if value.len() < 24 { is_stand_in(value) } else { is_example_token(value) }
}

/// Whether no letter stands before `at`. That of an escape never does: escapes and percent
/// signs are resolved in views of their own.
fn begins_word(text: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|at| text[at]) else { return true };
    if before.is_ascii_alphanumeric() || before == b'_' {
        return false;
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
        && base64::decode(&text[run.clone()])
            .is_some_and(|id| id.len() >= 17 && id.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A bot's token: account, time and signature, joined by dots.
pub(super) fn discord_token(text: &[u8], run: &Range<usize>) -> Option<Range<usize>> {
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
