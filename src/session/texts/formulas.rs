//! Formulas: between `$` and `$`, `$$` and `$$`, `\(` and `\)`, `\[` and `\]` nothing is Markdown.
//!
//! Which these are is decided here, one by one: a text may have prices, shell variables and regular expressions beside
//! them. The parser knows `$` and `$$`. For it, the other delimiters become `$$`, and a `$` that begins no formula
//! becomes another character, all of the same length, so that places in the text stay what they are and a formula can
//! be written as its author did.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

/// Stands for a `$` that is no delimiter: a character that no text holds that is handled here.
const NO_DELIMITER: char = '\u{1a}';

/// One of these stands in a formula between two `$`, or it is none.
const SIGNS: [char; 4] = ['\\', '^', '_', '{'];

/// What the parser is to read with its formulas on; `None` where there are none.
pub(crate) fn prepared(text: &str, options: Options) -> Option<String> {
    if !may_have_one(text) || text.contains(NO_DELIMITER) {
        return None;
    }
    // Most of these texts have none: that shows without the places of code.
    if found(text, std::iter::empty()).is_empty() {
        return None;
    }
    let is_code =
        |event: &Event<'_>| matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_)));
    let events = Parser::new_ext(text, options).into_offset_iter();
    let code = events.filter(|(event, _)| is_code(event)).map(|(_, place)| place);
    let mut formulas = found(text, code);
    // The parser may end a block within one: what it does not take for a formula is none.
    for _ in 0..3 {
        if formulas.is_empty() {
            return None;
        }
        let parsed = with_dollars(text, &formulas)?;
        let events = Parser::new_ext(&parsed, options | Options::ENABLE_MATH).into_offset_iter();
        let is_one =
            |event: &Event<'_>| matches!(event, Event::InlineMath(_) | Event::DisplayMath(_));
        let seen: HashSet<Range<usize>> =
            events.filter(|(event, _)| is_one(event)).map(|(_, place)| place).collect();
        let before = formulas.len();
        formulas.retain(|place| seen.contains(place));
        if formulas.len() == before && seen.len() == before {
            return Some(parsed);
        }
    }
    None
}

/// The `$` that the parser did not get.
pub(crate) fn restored(text: &str) -> Cow<'_, str> {
    if text.contains(NO_DELIMITER) { text.replace(NO_DELIMITER, "$").into() } else { text.into() }
}

fn may_have_one(text: &str) -> bool {
    let bytes = text.as_bytes();
    let begins = |at: usize| matches!(bytes.get(at + 1), Some(b'(' | b'['));
    memchr::memchr(b'$', bytes).is_some() && (text.contains(SIGNS) || text.contains("$$"))
        || memchr::memchr_iter(b'\\', bytes).any(begins)
}

/// The text as the parser is to get it, with these formulas.
fn with_dollars(text: &str, formulas: &[Range<usize>]) -> Option<String> {
    let mut bytes = text.as_bytes().to_vec();
    let mut rest = formulas.iter().peekable();
    let mut at = 0;
    while at < bytes.len() {
        if let Some(place) = rest.next_if(|place| place.start == at) {
            if bytes[at] == b'\\' {
                bytes[place.start..place.start + 2].fill(b'$');
                bytes[place.end - 2..place.end].fill(b'$');
            }
            at = place.end;
            continue;
        }
        match bytes[at] {
            // It is no delimiter as it is.
            b'\\' => at += 1,
            b'$' => bytes[at] = NO_DELIMITER as u8,
            _ => {}
        }
        at += 1;
    }
    String::from_utf8(bytes).ok()
}

/// Where formulas stand outside of code, their delimiters included, in order.
fn found(text: &str, code: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut code = code.peekable();
    let mut formulas = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        while code.next_if(|place| place.end <= at).is_some() {}
        let next_code = code.peek().map_or(bytes.len(), |place| place.start);
        if next_code <= at {
            at = code.peek().map_or(bytes.len(), |place| place.end);
            continue;
        }
        let end = match (bytes[at], bytes.get(at + 1)) {
            (b'\\', Some(begin @ (b'(' | b'['))) => {
                of_brackets(text, at, if *begin == b'(' { b')' } else { b']' }, next_code)
            }
            (b'$', Some(b'$')) => of_two_dollars(text, at, next_code),
            (b'$', _) => of_dollars(text, at, next_code),
            _ => None,
        };
        at = match end {
            Some(end) => {
                formulas.push(at..end);
                end
            }
            None if matches!(bytes[at], b'\\') => at + 2,
            None if bytes[at..].starts_with(b"$$") => at + 2,
            None => at + 1,
        };
    }
    formulas
}

/// The next byte of these, before `limit` and before a blank line; what a backslash stands before does not count.
fn next_of(
    bytes: &[u8],
    from: usize,
    limit: usize,
    is_wanted: impl Fn(usize) -> bool,
) -> Option<usize> {
    let mut at = from;
    while at < limit {
        if is_wanted(at) {
            return Some(at);
        }
        match bytes[at] {
            b'\\' => at += 2,
            b'\n' => {
                let mut blanks =
                    bytes[at + 1..limit].iter().take_while(|byte| byte.is_ascii_whitespace());
                if blanks.any(|byte| *byte == b'\n') {
                    return None;
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
    None
}

/// `\(…\)` and `\[…\]`: where it ends.
fn of_brackets(text: &str, start: usize, end: u8, limit: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_bracket = |at: usize| {
        bytes[at] == b'$'
            || bytes[at] == b'\\' && matches!(bytes.get(at + 1), Some(b'(' | b'[' | b')' | b']'))
    };
    let at = next_of(bytes, start + 2, limit, is_bracket)?;
    let inner = text.get(start + 2..at)?;
    let is_end = bytes[at] == b'\\' && bytes[at + 1] == end;
    let is_formula = if end == b')' {
        has_math(inner) || is_short(inner)
    } else {
        // `\[x\]` is how Markdown and regular expressions write brackets.
        has_command(inner) || begins_line(text, start) && (has_math(inner) || inner.contains('='))
    };
    (is_end && is_formula).then_some(at + 2)
}

/// `$$…$$`: where it ends.
fn of_two_dollars(text: &str, start: usize, limit: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let at = next_of(bytes, start + 2, limit, |at| bytes[at] == b'$')?;
    let inner = text.get(start + 2..at)?;
    (bytes.get(at + 1) == Some(&b'$') && !inner.trim().is_empty()).then_some(at + 2)
}

/// `$…$`: where it ends. No `$` begins one behind a letter or digit, and none ends one before it: `$HOME/my_a:$PATH`.
fn of_dollars(text: &str, start: usize, limit: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let before = text.get(..start)?.chars().next_back();
    let is_word = |c: char| c.is_ascii_alphanumeric() || "=})]\\@#%&~".contains(c);
    if before.is_some_and(is_word) {
        return None;
    }
    let at = next_of(bytes, start + 1, limit, |at| bytes[at] == b'$')?;
    let inner = text.get(start + 1..at)?;
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || b"{_($".contains(byte);
    let is_apart = inner.starts_with(char::is_whitespace) || inner.ends_with(char::is_whitespace);
    let is_one = !inner.is_empty()
        && !is_apart
        && inner.contains(SIGNS)
        && !is_variable(inner)
        && !bytes.get(at + 1).is_some_and(goes_on);
    is_one.then_some(at + 1)
}

/// `{NAME}…`, behind a `$`: a variable of a shell.
fn is_variable(inner: &str) -> bool {
    let name = inner.strip_prefix('{').and_then(|rest| rest.split_once('}'));
    name.is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// Whether a command stands in it: a backslash before a letter, or that of a space.
fn has_command(inner: &str) -> bool {
    let is_one = |c: char| c.is_ascii_alphabetic() || ",;:!".contains(c);
    inner.split('\\').skip(1).any(|rest| rest.starts_with(is_one))
}

fn has_math(inner: &str) -> bool {
    has_command(inner) || inner.contains(['^', '_', '{'])
}

/// `n`, `x+y`: letters one by one. `\(foo\|bar\)` is a regular expression.
fn is_short(inner: &str) -> bool {
    let inner = inner.trim();
    let has_operator = inner.contains(['+', '-', '=', '<', '>', '/', ',']);
    let chars: Vec<char> = inner.chars().collect();
    let has_word = chars.windows(2).any(|two| two.iter().all(char::is_ascii_alphabetic));
    !inner.is_empty()
        && !has_word
        && !inner.contains('\\')
        && (has_operator || !inner.contains(char::is_whitespace))
}

/// Whether nothing stands before it on its line but the marks of a list or a quotation.
fn begins_line(text: &str, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    line.chars().all(|c| c.is_whitespace() || ">-*+.".contains(c) || c.is_ascii_digit())
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

    /// The formulas of a text.
    fn formulas(text: &str) -> Vec<String> {
        let Some(parsed) = prepared(text, Options::empty()) else { return Vec::new() };
        assert_eq!(parsed.len(), text.len());
        let events = Parser::new_ext(&parsed, Options::ENABLE_MATH).into_offset_iter();
        events
            .filter_map(|(event, place)| match event {
                Event::InlineMath(inner) => Some(written(text, place, &inner, false)),
                Event::DisplayMath(inner) => Some(written(text, place, &inner, true)),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn formulas_are_found_one_by_one() {
        for (text, expected) in [
            (r"a \(x^2\) b", &[r"\(x^2\)"][..]),
            (r"\[\int_0^1 x\,dx\]", &[r"\[\int_0^1 x\,dx\]"]),
            (r"\(a\) \(b+c\)", &[r"\(a\)", r"\(b+c\)"]),
            ("$x^2$ and $a_1$.", &["$x^2$", "$a_1$"]),
            ("Let $n$ be $x_1$; it costs $5 and **$10**", &["$x_1$"]),
            ("see\n$$\nx = y\n$$\nand $$z$$", &["$$\nx = y\n$$", "$$z$$"]),
            ("公式$x^2$は", &["$x^2$"]),
            (r"\$5 and $x_1$", &["$x_1$"]),
            ("`$a_b$` $c_d$", &["$c_d$"]),
            ("> \\[x\n> = y\\]", &["\\[x\n= y\\]"]),
        ] {
            assert_eq!(formulas(text), expected, "{text}");
        }
    }

    #[test]
    fn prices_variables_and_expressions_are_none() {
        for text in [
            "$5 and $10",
            "x^2",
            "$5 and **$10** of x_1",
            "PATH=$HOME/my_bin:$PATH",
            "export A=${FOO}/lib:${LD_PATH}",
            "$user_id=$row_x",
            "US$10_a and US$20",
            "$(a_b) $(c)",
            r"grep '\(a\|b\)'",
            r"sed 's/\(a b\)/x/' \(foo\)",
            r"grep '\[a-z_\]'",
            r"\[x\](y)",
            r"`\(a\)`",
            "```\n\\(a\\)\n```",
            r"\\(a\\)",
            r"\(a\]",
            "\\(a_1\n\nb\\)",
            "$a_1\n  \nb$",
            r"\(a $ b\)",
            r"\(\)",
            r"\",
            "$$",
            "$$ $$",
        ] {
            assert_eq!(formulas(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn many_beginnings_take_no_long_time() {
        for text in [
            "$x_".repeat(50_000),
            "\\(".repeat(50_000),
            "$$ x ".repeat(50_001),
            "\n".repeat(100_000) + "$x_1$",
        ] {
            let _ = prepared(&text, Options::empty());
        }
    }
}
