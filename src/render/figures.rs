//! Counts, sizes, money and times in few letters.

pub(crate) use crate::session::text::{bytes, counted};
use crate::session::usage::Usage;

/// As pi shortens counts: 999, 1.2k, 48k, 1.5M.
pub(crate) fn short(count: f64) -> String {
    match count {
        ..1e3 => format!("{count}"),
        ..1e4 => format!("{:.1}k", count / 1e3),
        ..1e6 => format!("{:.0}k", (count / 1e3).round()),
        _ => format!("{:.1}M", count / 1e6),
    }
}

/// `$0.012`; empty for nothing.
pub(crate) fn money(dollars: f64) -> String {
    match dollars {
        cost if cost >= 1.0 => format!("${cost:.2}"),
        cost if cost >= 0.0005 => format!("${cost:.3}"),
        cost if cost > 0.0 => "under $0.001".to_owned(),
        _ => String::new(),
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

/// `48,211`.
pub(crate) fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    if number < 0.0 {
        return digits;
    }
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// `850 ms`, `2.4 s`, `3 min 5 s`, `2 h 10 min`.
pub(crate) fn duration(ms: f64) -> String {
    let seconds = (ms / 1e3).round();
    let minutes = (seconds / 60.0).floor();
    match ms {
        ..1e3 => format!("{ms:.0} ms"),
        ..6e4 => format!("{:.1} s", ms / 1e3),
        ..3.6e6 => format!("{minutes} min {} s", seconds % 60.0),
        _ => format!("{} h {} min", (minutes / 60.0).floor(), minutes % 60.0),
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
    fn sizes_read_well() {
        assert_eq!([bytes(7), bytes(12_345), bytes(1_500_000)], ["7 B", "12 KB", "1.5 MB"]);
        assert_eq!(
            [grouped(7.0), grouped(48_211.0), grouped(-48_211.0)],
            ["7", "48,211", "-48211"]
        );
    }

    #[test]
    fn times_read_well() {
        assert_eq!(
            [850.0, 2_400.0, 185_000.0, 7_800_000.0].map(duration),
            ["850 ms", "2.4 s", "3 min 5 s", "2 h 10 min"]
        );
    }
}
