//! The marks that stand in place of secrets in a session that was redacted: `[redacted:github-token #2]`.

use std::ops::Range;

use memchr::memmem;

/// How a mark begins, before the name of its rule.
pub(crate) const START: &str = "[redacted:";

/// The marks in a text.
pub(crate) fn ranges(text: &str) -> Vec<Range<usize>> {
    let starts = memmem::find_iter(text.as_bytes(), START);
    starts.filter_map(|start| Some(start..start + parse(&text[start..])?.2)).collect()
}

/// The rule, the number and the length of a mark at the start of `text`.
pub(crate) fn parse(text: &str) -> Option<(&str, u32, usize)> {
    let (name, rest) = text.strip_prefix(START)?.split_once(" #")?;
    let is_name = name.len() <= 60
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let (digits, _) = rest.split_once(']').filter(|_| is_name)?;
    let number = digits.parse().ok().filter(|_| digits.len() <= 9)?;
    Some((name, number, START.len() + name.len() + 2 + digits.len() + 1))
}
