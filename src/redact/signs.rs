//! What tools and people put before what a line says: its number, the sign of a diff or of a
//! quote, a border.

use super::notation::line_number;

/// Most signs before what a line says.
pub(super) const MAX_SIGNS: usize = 3;

/// Columns of spaces before and behind what a line says.
pub(super) const MAX_SPACES: usize = 400;

/// The signs before what a line says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Signs<'a> {
    is_numbered: bool,
    signs: [&'a [u8]; MAX_SIGNS],
}

impl<'a> Signs<'a> {
    /// How many there are, the number aside.
    pub(super) fn count(&self) -> usize {
        self.signs.iter().filter(|sign| !sign.is_empty()).count()
    }

    /// The first signs of a line, and where they and the spaces behind them end.
    pub(super) fn of(line: &'a [u8], most: usize) -> (usize, Self) {
        let line = &line[..line.len().min(2 * MAX_SPACES)];
        let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
        let mut own = Signs::default();
        let mut at = line_number(line).unwrap_or(0);
        own.is_numbered = at > 0;
        let known =
            ["+", "-", ">", "|", "│", "┃", "║", "▏", "▌", "#", "//", "*"].map(str::as_bytes);
        for slot in own.signs.iter_mut().take(most) {
            at = spaced(line, at);
            // No diff has two signs; the second begins what the line says.
            let is_diff = at > 0 && matches!(line[at - 1], b'+' | b'-');
            let known = &known[2 * usize::from(is_diff)..];
            let Some(sign) = known.iter().find(|sign| line[at..].starts_with(sign)) else { break };
            *slot = &line[at..at + sign.len()];
            at += sign.len();
        }
        (spaced(line, at), own)
    }
}

/// Over spaces and tabs.
pub(super) fn spaced(text: &[u8], at: usize) -> usize {
    let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t');
    at + text[at..].iter().take(MAX_SPACES).take_while(is_space).count()
}
