//! Mends what JavaScript writes or reads and a strict parser refuses.
//!
//! JavaScript's `JSON.stringify` writes half a surrogate pair as `\ud83d` (ECMA-262), which `serde_json` refuses, and
//! other writers escape what needs no escape. A line is gone through once, from its beginning. Only a line that
//! changes is copied: one that suffers from something else costs nothing.

use std::ops::Range;

use crate::session::DamageKind;

/// Nesting kept as JSON; what lies deeper becomes a string of its own JSON.
/// `serde_json` refuses 128 levels, and a page nested further helps nobody.
const MAX_DEPTH: usize = 100;

/// Rewrites a line so that it parses: half surrogates become U+FFFD, a backslash
/// that escapes nothing stands for itself, control characters are escaped, values
/// nested too deep and numbers out of range become strings of their text.
/// Says what it changed; neither text nor changes when the line suffers from something else, which
/// may be gigabytes of zeros.
pub(super) fn repair(line: &str) -> (String, Vec<DamageKind>) {
    let mut repair = Repair { line, out: String::new(), copied: 0, kinds: Vec::new() };
    repair.run();
    (repair.out, repair.kinds)
}

struct Repair<'a> {
    line: &'a str,
    out: String,
    /// Of the line up to here is in `out` what there is of it.
    copied: usize,
    kinds: Vec<DamageKind>,
}

impl Repair<'_> {
    fn run(&mut self) {
        let bytes = self.line.as_bytes();
        let mut at = 0;
        let mut depth = 0usize;
        while at < bytes.len() {
            let from = at;
            match bytes[at] {
                b'"' => {
                    at = string_end(bytes, at);
                    // An open one is no more whole for what is mended in it, which may be gigabytes of zeros too.
                    if at > from + 1 && bytes[at - 1] == b'"' {
                        self.string(from, at);
                    }
                    continue;
                }
                b'[' | b'{' if depth == MAX_DEPTH => {
                    at = value_end(bytes, at);
                    self.note(DamageKind::TooDeep);
                    self.as_string(from, at);
                    continue;
                }
                b'[' | b'{' => depth += 1,
                b']' | b'}' => depth = depth.saturating_sub(1),
                b'-' | b'0'..=b'9' => {
                    at = number_end(bytes, at);
                    self.number(from, at);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        if !self.kinds.is_empty() {
            self.replace(bytes.len()..bytes.len(), "");
        }
    }

    /// Puts something else in place of a part of the line, behind all that is before it.
    fn replace(&mut self, part: Range<usize>, new: &str) {
        if self.copied == 0 {
            self.out.reserve(self.line.len() + 16);
        }
        self.out.push_str(&self.line[self.copied..part.start]);
        self.out.push_str(new);
        self.copied = part.end;
    }

    fn note(&mut self, kind: DamageKind) {
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
    }

    /// Mends a string literal: `\ufffd` for surrogates without a partner, another
    /// backslash for one that escapes nothing, control characters escaped.
    fn string(&mut self, from: usize, to: usize) {
        let text = &self.line[from..to];
        let bytes = text.as_bytes();
        let mut at = 0;
        let is_odd = |byte: &u8| *byte < 0x20 || *byte == b'\\';
        while let Some(odd) = bytes[at..].iter().position(is_odd).map(|found| at + found) {
            at = odd + 1;
            if bytes[odd] != b'\\' {
                self.replace(from + odd..from + at, &format!("\\u{:04x}", bytes[odd]));
                self.note(DamageKind::ControlCharacter);
                continue;
            }
            let Some(unit) = escaped_unit(&text[odd..]) else {
                match bytes.get(at) {
                    Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => at += 1,
                    // The line ends here.
                    None => {}
                    Some(_) => {
                        self.replace(from + odd..from + at, "\\\\");
                        self.note(DamageKind::InvalidEscape);
                    }
                }
                continue;
            };
            at = odd + 6;
            let is_high = (0xd800..0xdc00).contains(&unit);
            let is_low = (0xdc00..0xe000).contains(&unit);
            let partner = escaped_unit(&text[at..]);
            if is_high && partner.is_some_and(|unit| (0xdc00..0xe000).contains(&unit)) {
                at += 6;
            } else if is_high || is_low {
                self.replace(from + odd..from + at, "\\ufffd");
                self.note(DamageKind::LoneSurrogate);
            }
        }
    }

    fn number(&mut self, from: usize, to: usize) {
        let text = &self.line[from..to];
        if text.parse::<f64>().is_ok_and(f64::is_infinite) {
            self.note(DamageKind::NumberRange);
            self.as_string(from, to);
        }
    }

    fn as_string(&mut self, from: usize, to: usize) {
        let text = serde_json::Value::from(&self.line[from..to]).to_string();
        self.replace(from..to, &text);
    }
}

/// The code unit of an escape such as `\ud83d` at the start of `text`.
fn escaped_unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let all_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    u32::from_str_radix(digits, 16).ok().filter(|_| all_hex)
}

/// Behind the closing quote of the string that begins at `at`.
pub(super) fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    while end < bytes.len() {
        match bytes[end] {
            b'\\' => end += 2,
            b'"' => return end + 1,
            _ => end += 1,
        }
    }
    bytes.len()
}

/// Behind the bracket that closes the one at `at`.
pub(super) fn value_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    let mut depth = 0usize;
    while end < bytes.len() {
        match bytes[end] {
            b'"' => {
                end = string_end(bytes, end);
                continue;
            }
            b'[' | b'{' => depth += 1,
            b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    return end + 1;
                }
            }
            _ => {}
        }
        end += 1;
    }
    bytes.len()
}

fn number_end(bytes: &[u8], at: usize) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    at + bytes[at..].iter().take_while(|byte| is_part(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_surrogates_are_replaced_and_whole_ones_kept() {
        let (line, kinds) = repair(r#"{"a":"x\ud83d y\ud83d\ude00 \udc00z \\ud800"}"#);
        assert_eq!(line, r#"{"a":"x\ufffd y\ud83d\ude00 \ufffdz \\ud800"}"#);
        assert_eq!(kinds, [DamageKind::LoneSurrogate]);
    }

    #[test]
    fn a_backslash_that_escapes_nothing_stands_for_itself() {
        let (line, kinds) = repair(r#"{"a":"user\***@*\u12 \x \é \n \\* \"","b\c":1}"#);
        assert_eq!(line, r#"{"a":"user\\***@*\\u12 \\x \\é \n \\* \"","b\\c":1}"#);
        assert_eq!(kinds, [DamageKind::InvalidEscape]);
    }

    #[test]
    fn control_characters_within_strings_are_escaped() {
        let (line, kinds) = repair("{\"a\":\t\"x\ty\u{1b}[1m\0\"}");
        assert_eq!(line, "{\"a\":\t\"x\\u0009y\\u001b[1m\\u0000\"}");
        assert_eq!(kinds, [DamageKind::ControlCharacter]);
    }

    #[test]
    fn what_lies_too_deep_becomes_text() {
        let line = format!("{}\"in]ner\"{}", "[".repeat(5_000), "]".repeat(5_000));
        let (line, kinds) = repair(&line);
        assert_eq!(kinds, [DamageKind::TooDeep]);
        assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok());
        assert!(line.contains("in]ner"));
    }

    #[test]
    fn numbers_out_of_range_become_text() {
        let (line, kinds) = repair(r#"{"a":1e999,"b":-2.5e3}"#);
        assert_eq!(line, r#"{"a":"1e999","b":-2.5e3}"#);
        assert_eq!(kinds, [DamageKind::NumberRange]);
    }

    #[test]
    fn other_damage_is_left_alone() {
        for line in [
            "{not json, \u{fc}",
            "{\"open \\",
            "{\"a\":1}\0\0\0\0",
            "{\"open \0\0\0",
            "{\"open \\q",
        ] {
            assert_eq!(repair(line), (String::new(), Vec::new()), "nothing is copied");
        }
    }
}
