//! `--max-size`: a page that fits where it is to go.

use std::io::{self, Write};

use crate::cli::error::Error;
use crate::cut::{Cut, cut};
use crate::page::{self, Options, Sizes};
use crate::session::Session;
use crate::session::text::bytes;

/// What is dropped, in this order, as far as needed.
const DROPS: [Drop; 5] =
    [Drop::Source, Drop::Images, Drop::ToolOutput, Drop::Thinking, Drop::Branches];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Drop {
    Source,
    Images,
    ToolOutput,
    Thinking,
    Branches,
}

impl Drop {
    fn name(self) -> &'static str {
        match self {
            Drop::Source => "the session file",
            Drop::Images => "images",
            Drop::ToolOutput => "tool output",
            Drop::Thinking => "thinking",
            Drop::Branches => "other branches",
        }
    }

    /// What a page would lose in any case: the rest of it may get smaller too.
    fn saves(self, sizes: &Sizes) -> usize {
        match self {
            Drop::Source => sizes.source,
            Drop::Images => sizes.images,
            Drop::ToolOutput => sizes.tool_output,
            Drop::Thinking | Drop::Branches => 0,
        }
    }
}

/// A page no larger than was asked for.
pub(super) struct Fitted {
    pub(super) page: Vec<u8>,
    pub(super) sizes: Sizes,
    /// What went, in words; nothing where all fits.
    pub(super) dropped: Vec<&'static str>,
}

/// Exports a session into at most so many bytes. `options` gives those of the page for what is left
/// of the session.
pub(super) fn fitted(
    mut session: Session,
    limit: usize,
    options: impl Fn(&Session) -> Result<Options, Error>,
    write: impl Fn(&Session, &Options, &mut dyn Write) -> io::Result<Sizes>,
) -> Result<Fitted, Error> {
    let mut left = DROPS.into_iter();
    let mut dropped: Vec<Drop> = Vec::new();
    loop {
        let mut options = options(&session)?;
        options.without_source |= dropped.contains(&Drop::Source);
        let names: Vec<&'static str> = dropped.iter().map(|drop| drop.name()).collect();
        if !names.is_empty() {
            let told = format!("Removed to stay below {}: {}", bytes(limit), names.join(", "));
            options.notes.push(told);
        }
        let mut out = Bounded { bytes: Vec::new(), limit, size: 0 };
        let sizes = write(&session, &options, &mut out)
            .map_err(|source| Error::Write { path: "-".into(), source })?;
        if out.size <= limit {
            return Ok(Fitted { page: out.bytes, sizes, dropped: names });
        }
        // Each at least; the others as long as the page is sure to be too large.
        let mut size = out.size;
        loop {
            let Some(drop) = left.next() else {
                return Err(Error::TooLarge { limit, size: out.size, dropped: names.join(", ") });
            };
            session = without(session, drop, &options)?;
            dropped.push(drop);
            size = size.saturating_sub(drop.saves(&sizes));
            if size <= limit || drop.saves(&sizes) == 0 {
                break;
            }
        }
    }
}

fn without(session: Session, drop: Drop, options: &Options) -> Result<Session, Error> {
    let mut what = Cut::default();
    match drop {
        Drop::Source => {}
        Drop::Images => what.without_images = true,
        Drop::ToolOutput => what.without_tool_output = true,
        Drop::Thinking => what.without_thinking = true,
        Drop::Branches => {
            what.active_only = true;
            what.leaf = Some(page::leaf_on_show(&session, options.leaf, options.target));
        }
    }
    Ok(cut(session, &what)?)
}

/// Keeps what fits and counts all.
struct Bounded {
    bytes: Vec<u8>,
    limit: usize,
    size: usize,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.size += bytes.len();
        if self.size <= self.limit {
            self.bytes.extend_from_slice(bytes);
        } else {
            self.bytes = Vec::new();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads `1MB`, `500 KB`, `1.5mb` or a bare number of bytes; a megabyte is a million.
pub(super) fn size(text: &str) -> Result<usize, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err("expected a number with KB, MB or GB, such as `1.5MB`".to_owned()),
    };
    let number: f64 =
        number.parse().map_err(|_| "expected a number with KB, MB or GB, such as `1.5MB`")?;
    let bytes = number * factor;
    if !(1.0..1e15).contains(&bytes) {
        return Err("expected a size between 1 byte and 1,000,000 GB".to_owned());
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be between 1 and 10^15"
    )]
    Ok(bytes as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        for (text, bytes) in [
            ("1MB", 1_000_000),
            ("500 kb", 500_000),
            ("1.5mb", 1_500_000),
            ("2048", 2048),
            ("1KiB", 1024),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for wrong in ["", "MB", "1 XB", "0", "-1MB", "1e9", "1.2.3MB", "99999999GB"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
