//! Counts, sizes, money and times in short.

pub(crate) use crate::session::text::{bytes, count, counted};
use crate::session::usage::Usage;

/// From here on a figure is written as a power of ten: none that means anything has more digits.
const FAR: f64 = 1e12;

/// `1.0e300`.
fn far(number: f64) -> Option<String> {
    (number.abs() >= FAR || number.is_nan()).then(|| format!("{number:.1e}"))
}

/// As pi shortens counts: 999, 1.2k, 48k, 1.5M.
pub(crate) fn short(count: f64) -> String {
    if let Some(far) = far(count) {
        return far;
    }
    match count {
        ..1e3 => format!("{}", count.round()),
        ..1e4 => format!("{:.1}k", count / 1e3),
        ..1e6 => format!("{:.0}k", (count / 1e3).round()),
        _ => format!("{:.1}M", count / 1e6),
    }
}

/// `$0.012`; empty for nothing.
pub(crate) fn money(dollars: f64) -> String {
    match dollars {
        cost if cost >= FAR => format!("${cost:.1e}"),
        cost if cost >= 1.0 => format!("${cost:.2}"),
        cost if cost >= 0.0005 => format!("${cost:.3}"),
        cost if cost > 0.0 => "under $0.001".to_owned(),
        _ => String::new(),
    }
}

/// `$0.012`, `$0.012 computed`, `$0.42, $0.012 of it computed`; empty for nothing.
pub(crate) fn cost(usage: &Usage) -> String {
    let cost = money(usage.cost);
    let stated = usage.cost - usage.computed;
    match money(usage.computed) {
        computed if cost.is_empty() || computed.is_empty() => cost,
        // Sums leave dust behind.
        _ if stated < usage.cost * 1e-9 => format!("{cost} computed"),
        computed => format!("{cost}, {computed} of it computed"),
    }
}

/// `8.9k in, 6.1k out, 148k cache read`; empty for nothing.
pub(crate) fn tokens(usage: &Usage) -> String {
    let parts = [
        (usage.input, "in"),
        (usage.output, "out"),
        (usage.cache_read, "cache read"),
        (usage.cache_write, "cache write"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0.0);
    parts.map(|(count, name)| format!("{} {name}", short(count))).collect::<Vec<_>>().join(", ")
}

/// `850ms`, `2.4s`, `3m 5s`, `10m`, `2h 10m`.
pub(crate) fn duration(ms: f64) -> String {
    if let Some(far) = far(ms) {
        return format!("{far}ms");
    }
    let seconds = (ms / 1e3).round();
    let minutes = (seconds / 60.0).floor();
    // By what is shown: 59,990 ms are not `60.0s`.
    match ms {
        ..999.5 => format!("{ms:.0}ms"),
        ..59_950.0 => format!("{:.1}s", (ms / 100.0).round() / 10.0),
        ..3_599_500.0 => of_two(minutes, "m", seconds % 60.0, "s"),
        _ => of_two((minutes / 60.0).floor(), "h", minutes % 60.0, "m"),
    }
}

/// `3m 5s`, and `10m` of nothing smaller.
fn of_two(large: f64, unit: &str, small: f64, small_unit: &str) -> String {
    if small == 0.0 {
        format!("{large}{unit}")
    } else {
        format!("{large}{unit} {small}{small_unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_shortened_as_pi_does() {
        assert_eq!(
            [999.0, 1234.0, 48_211.0, 1_500_000.0].map(short),
            ["999", "1.2k", "48k", "1.5M"]
        );
    }

    #[test]
    fn figures_beyond_reason_stay_short() {
        let far = [1e12, 1.5e300, -1e300, f64::INFINITY, f64::NAN, f64::MAX, 5e-324];
        for figure in far {
            for text in [short(figure), money(figure), duration(figure)] {
                assert!(text.len() < 14, "{text}");
            }
        }
        assert_eq!(
            [short(1.5e300), short(1e12), duration(1e300)],
            ["1.5e300", "1.0e12", "1.0e300ms"]
        );
        assert_eq!(money(2e12), "$2.0e12");
    }

    #[test]
    fn sizes_read_well() {
        assert_eq!([bytes(7), bytes(12_345), bytes(1_500_000)], ["7 B", "12 KB", "1.5 MB"]);
    }

    #[test]
    fn times_read_well() {
        assert_eq!(
            [850.0, 2_400.0, 185_000.0, 7_800_000.0].map(duration),
            ["850ms", "2.4s", "3m 5s", "2h 10m"]
        );
        assert_eq!(
            [999.6, 59_990.0, 3_599_600.0].map(duration),
            ["1.0s", "1m", "1h"],
            "rounded up to the next unit"
        );
    }
}
