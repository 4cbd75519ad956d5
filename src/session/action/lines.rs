//! Which lines of a file a call asks for.

use super::arguments::Arguments;
use super::names;
use crate::session::texts::json::Json;

/// Numbers beyond are no lines of a file.
const MAX_LINE: f64 = 1e9;

/// Which lines of a file were asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct LineRange {
    pub(crate) first: Option<usize>,
    pub(crate) count: Option<usize>,
    last: Option<usize>,
}

impl LineRange {
    /// Takes the lines from the arguments.
    pub(super) fn take(given: &mut Arguments<'_>) -> LineRange {
        let range = |value: &Json<'_>| match value {
            Json::Array(items) => match items.as_slice() {
                // Anthropic's editor writes -1 for the end of the file.
                [first, last] if last.as_f64() == Some(-1.0) => {
                    Some((as_line_number(first)?, None))
                }
                [first, last] => Some((as_line_number(first)?, Some(as_line_number(last)?))),
                _ => None,
            },
            _ => None,
        };
        if let Some((first, last)) = given.take(names::LINES, range) {
            return LineRange { first: Some(first), count: None, last };
        }
        let mut number = |names: &[&str]| given.take(names, as_line_number);
        LineRange {
            first: number(names::FIRST_LINE),
            count: number(names::LINE_COUNT),
            last: number(names::LAST_LINE),
        }
    }

    /// `:10-29`, `:10`, or nothing for the whole file.
    pub(crate) fn text(self) -> String {
        let first = self.first.unwrap_or(1);
        match (self.first, self.count, self.last) {
            (_, _, Some(last)) => format!(":{first}-{last}"),
            (_, Some(count), None) => format!(":{first}-{}", (first + count).saturating_sub(1)),
            (Some(first), None, None) => format!(":{first}"),
            (None, None, None) => String::new(),
        }
    }
}

/// A whole number that can be a line's, or a numeral of one.
pub(crate) fn as_line_number(value: &Json<'_>) -> Option<usize> {
    let number = match value {
        Json::String(text) => text.trim().parse().ok()?,
        value => value.as_f64()?,
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, in range")]
    (number.fract() == 0.0 && (0.0..=MAX_LINE).contains(&number)).then_some(number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_numbers_are_lines() {
        let read = |text: &str| as_line_number(&serde_json::from_str(text).unwrap());
        assert_eq!([read("12"), read("\" 7 \""), read("0")], [Some(12), Some(7), Some(0)]);
        for text in ["-1", "1.5", "1e300", "\"x\"", "\"NaN\"", "[1]", "null", "true"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
