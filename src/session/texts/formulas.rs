//! Formulas: between `$` and `$`, `$$` and `$$`, `\(` and `\)`, `\[` and `\]` nothing is Markdown.
//!
//! The parser knows the first two. The others become `$$` for it, of the same length, so that places in the text stay
//! what they are and the formula can be written as its author did.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

/// What the parser is to read with its formulas on; `None` where it is to know of none. Where it would take money
/// for a formula, `$5 and **$10**`, it is to know of none at all.
pub(crate) fn prepared(text: &str, options: Options) -> Option<Cow<'_, str>> {
    let dollars = with_dollars(text, options).map(Cow::Owned);
    let is_likely = || memchr::memchr(b'$', text.as_bytes()).is_some() && text.contains(SIGNS);
    let parsed = dollars.or_else(|| is_likely().then_some(Cow::Borrowed(text)))?;
    let is_money =
        |event: Event<'_>| matches!(event, Event::InlineMath(inner) if !inner.contains(SIGNS));
    let has_money = Parser::new_ext(&parsed, options | Options::ENABLE_MATH).any(is_money);
    (!has_money).then_some(parsed)
}

/// One of these stands in a formula within a line, or it is none.
const SIGNS: [char; 4] = ['\\', '^', '_', '{'];

/// The text with `$$` for the other delimiters; `None` where it has none.
fn with_dollars(text: &str, options: Options) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let pairs = pairs(text, options);
    for delimiter in pairs.iter().flatten() {
        bytes[delimiter.clone()].fill(b'$');
    }
    String::from_utf8(bytes).ok().filter(|_| !pairs.is_empty())
}

/// Where the delimiters of each formula stand.
fn pairs(text: &str, options: Options) -> Vec<[Range<usize>; 2]> {
    let bytes = text.as_bytes();
    let begins = |at: usize| matches!(bytes.get(at + 1), Some(b'(' | b'['));
    if !memchr::memchr_iter(b'\\', bytes).any(begins) {
        return Vec::new();
    }
    let is_code =
        |event: &Event<'_>| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_)));
    let events = Parser::new_ext(text, options).into_offset_iter();
    let code = events.filter(|(event, _)| is_code(event)).map(|(_, place)| place);
    let mut code = code.peekable();
    let mut pairs = Vec::new();
    // Where a formula may have begun, and what ends it.
    let mut open: Option<(usize, u8)> = None;
    let mut at = 0;
    while at + 1 < bytes.len() {
        while code.next_if(|place| place.end <= at).is_some() {}
        if let Some(place) = code.peek().filter(|place| place.start <= at) {
            (open, at) = (None, place.end);
            continue;
        }
        match (bytes[at], bytes[at + 1]) {
            (b'\\', begin @ (b'(' | b'[')) => {
                open = Some((at, if begin == b'(' { b')' } else { b']' }));
                at += 2;
            }
            (b'\\', end @ (b')' | b']')) => {
                let begun = open.take().filter(|(start, close)| {
                    *close == end && is_formula(&text[start + 2..at], end)
                });
                pairs.extend(begun.map(|(start, _)| [start..start + 2, at..at + 2]));
                at += 2;
            }
            (b'\\', _) => at += 2,
            (b'\n', b'\n') | (b'$', _) => {
                open = None;
                at += 1;
            }
            _ => at += 1,
        }
    }
    pairs
}

/// `\[x\]` is how Markdown writes brackets, unless something of LaTeX stands in it.
fn is_formula(inner: &str, end: u8) -> bool {
    !inner.trim().is_empty() && (end == b')' || inner.contains(['\\', '^', '_', '{', '=']))
}

/// A formula as its author wrote it. `inner` is what the parser gives: without the signs of a quotation around it.
pub(crate) fn written(text: &str, place: Range<usize>, inner: &str, is_display: bool) -> String {
    let source = text.get(place).unwrap_or_default();
    let length = if is_display { 2 } else { 1 };
    let begin = source.get(..length).unwrap_or("$");
    let end = source.len().checked_sub(length).and_then(|at| source.get(at..)).unwrap_or("$");
    format!("{begin}{inner}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dollars(text: &str) -> Option<String> {
        with_dollars(text, Options::empty())
    }

    #[test]
    fn the_delimiters_of_latex_become_those_that_the_parser_knows() {
        assert_eq!(dollars(r"a \(x^2\) b").as_deref(), Some("a $$x^2$$ b"));
        assert_eq!(dollars(r"\[\int_0^1 x\,dx\]").as_deref(), Some(r"$$\int_0^1 x\,dx$$"));
        assert_eq!(dollars(r"\(a\) \(b\)").as_deref(), Some("$$a$$ $$b$$"));
    }

    #[test]
    fn brackets_code_and_what_does_not_end_stay() {
        for text in [
            r"\[x\](y)",
            r"`\(a\)`",
            "```\n\\(a\\)\n```",
            r"\\(a\\)",
            r"\(a\]",
            "\\(a\n\nb\\)",
            r"\(a $ b\)",
            r"\(\)",
            r"\",
        ] {
            assert_eq!(dollars(text), None, "{text}");
        }
    }

    #[test]
    fn money_is_no_formula() {
        let is_one = |text| prepared(text, Options::empty()).is_some();
        assert!(is_one("$x^2$ and $a_1$") && is_one(r"\(a\)"));
        for text in ["$5 and $10", "x^2", "$5 and **$10** of x_1", r"$5-$6 and \(a\)"] {
            assert!(!is_one(text), "{text}");
        }
    }
}
