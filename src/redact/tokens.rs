//! Values that a pattern tells.

use std::ops::Range;

use regex_automata::{Anchored, Input};

use super::compiled::Compiled;
use super::plausible::{entropy, is_example_token, is_stand_in};
use super::rules::Reading;
use super::runs;

/// The value of a pattern at its literal.
pub(super) fn pattern_match(
    rule: &Compiled,
    text: &[u8],
    literal: &Range<usize>,
) -> Option<Range<usize>> {
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
    // Compiled when first needed: most literals stand within words.
    let regex = rule.regex()?;
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
    let is_made_up = rule.reading != Reading::Exact && is_example(value);
    let is_secret = !is_cut && entropy(value.as_bytes()) >= rule.entropy && !is_made_up;
    is_secret.then_some(range)
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
        && runs::decode(&text[run.clone()])
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
