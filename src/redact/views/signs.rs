//! What tools and people put before what a line says: its number, the sign of a diff or of a
//! quote, a border.

/// Most signs before what a line says.
pub(super) const MAX_SIGNS: usize = 3;

/// Columns of spaces before and behind what a line says.
pub(super) const MAX_SPACES: usize = 400;

/// The signs before what a line says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Signs {
    is_numbered: bool,
    /// The last byte of each sign, which tells it from all others; zero where there is none.
    signs: [u8; MAX_SIGNS],
}

impl Signs {
    /// How many there are, the number aside.
    pub(crate) fn count(&self) -> usize {
        self.signs.iter().filter(|sign| **sign != 0).count()
    }

    /// The first signs of a line, and where they and the spaces behind them end.
    pub(crate) fn of(line: &[u8], most: usize) -> (usize, Self) {
        let line = &line[..line.len().min(2 * MAX_SPACES)];
        let line = &line[..memchr::memchr(b'\n', line).unwrap_or(line.len())];
        let mut own = Signs::default();
        let mut at = line_number(line).unwrap_or(0);
        own.is_numbered = at > 0;
        for slot in own.signs.iter_mut().take(most) {
            at = spaced(line, at);
            // No diff has two signs; the second begins what the line says.
            let is_diff = at > 0 && is_of_diff(line[at - 1]);
            let len = sign_len(&line[at..]);
            if len == 0 || is_diff && is_of_diff(line[at]) {
                break;
            }
            at += len;
            *slot = line[at - 1];
        }
        (spaced(line, at), own)
    }

    /// Whether a line that goes on so behind its spaces may have a number or signs.
    pub(super) fn may_begin(rest: &[u8]) -> bool {
        let is_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b' ' | b'\t');
        rest.first().is_some_and(is_number) || sign_len(rest) > 0
    }
}

fn is_of_diff(byte: u8) -> bool {
    matches!(byte, b'+' | b'-')
}

/// The length of the sign at the start of `rest`; zero if there is none.
fn sign_len(rest: &[u8]) -> usize {
    match rest {
        [b'+' | b'-' | b'>' | b'|' | b'#' | b'*', ..] => 1,
        [b'/', b'/', ..] => 2,
        // │ ┃ ║ ▏ ▌
        [0xe2, 0x94, 0x82 | 0x83, ..] | [0xe2, 0x95, 0x91, ..] | [0xe2, 0x96, 0x8c | 0x8f, ..] => 3,
        _ => 0,
    }
}

/// Over spaces and tabs.
pub(crate) fn spaced(text: &[u8], at: usize) -> usize {
    let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t');
    at + text[at..].iter().take(MAX_SPACES).take_while(is_space).count()
}

/// The length of a line's number with its sign, as tools print it.
pub(crate) fn line_number(line: &[u8]) -> Option<usize> {
    let spaces = line.iter().take_while(|&&byte| byte == b' ').count();
    let digits = line[spaces..].iter().take(7).take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=6).contains(&digits) {
        return None;
    }
    let behind = &line[spaces + digits..];
    let signs = ["→", "│", " │ ", "\t", ": ", "| ", " | ", ":"];
    let sign = signs.iter().find(|sign| behind.starts_with(sign.as_bytes()))?;
    Some(spaces + digits + sign.len())
}
