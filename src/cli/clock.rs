//! Times for a person: those of the place where the command runs, on a terminal.

use std::io::{self, IsTerminal as _};

use clap::Args;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// In which zone times are printed.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(super) struct ClockArg {
    /// Print times in UTC [default: local time on a terminal, else UTC]
    #[arg(long)]
    utc: bool,
}

impl ClockArg {
    pub(super) fn clock(self) -> Clock {
        let is_local = !self.utc && io::stdout().is_terminal();
        Clock { zone: if is_local { TimeZone::system() } else { TimeZone::UTC } }
    }
}

/// A zone to print times in.
pub(super) struct Clock {
    zone: TimeZone,
}

impl Clock {
    /// `2026-11-02 09:00`.
    pub(super) fn minute(&self, ms: i64) -> Option<String> {
        let zoned = Timestamp::from_millisecond(ms).ok()?.to_zoned(self.zone.clone());
        Some(zoned.strftime("%Y-%m-%d %H:%M").to_string())
    }

    /// The same of a time in a report, such as `2026-11-02T09:00:00.000Z`.
    pub(super) fn minute_of(&self, iso: &str) -> Option<String> {
        self.minute(iso.parse::<Timestamp>().ok()?.as_millisecond())
    }

    /// Which times these are.
    pub(super) fn note(&self) -> &'static str {
        if self.zone == TimeZone::UTC { "times in UTC" } else { "local times" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_that_of_its_zone() {
        let utc = Clock { zone: TimeZone::UTC };
        let at = |zone: &str| Clock { zone: TimeZone::posix(zone).unwrap() };
        let iso = "2026-11-02T23:30:05.000Z";
        assert_eq!(utc.minute_of(iso).as_deref(), Some("2026-11-02 23:30"));
        assert_eq!(at("CET-1").minute_of(iso).as_deref(), Some("2026-11-03 00:30"));
        assert_eq!((utc.note(), at("CET-1").note()), ("times in UTC", "local times"));
        assert_eq!(utc.minute_of("yesterday"), None);
    }
}
