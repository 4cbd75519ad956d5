//! Times as the agents write them.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::json::Json;

/// Milliseconds since 1970, now.
#[cfg(any(feature = "cli", feature = "store"))]
pub(crate) fn now() -> i64 {
    Timestamp::now().as_millisecond()
}

/// Milliseconds since 1970, negative before it, from an ISO string or a number of milliseconds; `None` beyond what a
/// JavaScript `Date` can hold.
pub fn read(json: &Json<'_>) -> Option<i64> {
    match json {
        Json::String(text) => parse(text),
        Json::Number(number) => from_number(number.as_f64()?),
        _ => None,
    }
}

/// An instant, or a date and time without a zone, which counts as UTC.
fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time.as_millisecond());
    }
    let time: DateTime = text.parse().ok()?;
    let time: Zoned = time.to_zoned(TimeZone::UTC).ok()?;
    Some(time.timestamp().as_millisecond())
}

/// Whole milliseconds within the range that a JavaScript `Date` can hold.
fn from_number(value: f64) -> Option<i64> {
    const LIMIT: f64 = 8.64e15;
    #[expect(clippy::cast_possible_truncation, reason = "bounded by LIMIT")]
    (value.abs() <= LIMIT).then_some(value as i64)
}

/// A time in milliseconds since 1970 as `2026-11-02T09:00:00.000Z`, as an HTML `datetime` wants it. Empty
/// beyond the years -9999 to 9999.
pub fn iso(ms: i64) -> String {
    Timestamp::from_millisecond(ms).map_or_else(|_| String::new(), |time| format!("{time:.3}"))
}

/// A time in milliseconds since 1970 as `2026-11-02 09:00`, in UTC.
/// Empty as in [`iso`].
pub fn plain(ms: i64) -> String {
    written(ms, "%Y-%m-%d %H:%M")
}

/// The same in words, for readers without JavaScript: `Nov 2, 2026, 09:00`.
pub fn in_words(ms: i64) -> String {
    written(ms, "%b %-d, %Y, %H:%M")
}

/// The day alone: `Nov 2, 2026`.
pub fn day_in_words(ms: i64) -> String {
    written(ms, "%b %-d, %Y")
}

fn written(ms: i64, form: &str) -> String {
    Timestamp::from_millisecond(ms)
        .map_or_else(|_| String::new(), |time| time.strftime(form).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iso_strings_numbers_and_plain_dates_are_times() {
        let ms = 1_793_610_000_000;
        assert_eq!(parse("2026-11-02T09:00:00.000Z"), Some(ms));
        assert_eq!(parse("2026-11-02T10:00:00+01:00"), Some(ms));
        assert_eq!(parse("2026-11-02T09:00:00"), Some(ms));
        assert_eq!(from_number(1.793_61e12), Some(ms));
        assert_eq!(parse("yesterday"), None);
        assert_eq!(from_number(1e300), None);
    }

    #[test]
    fn a_time_prints_in_both_forms() {
        assert_eq!(iso(1_793_610_000_000), "2026-11-02T09:00:00.000Z");
        assert_eq!(plain(1_793_610_000_000), "2026-11-02 09:00");
    }
}
