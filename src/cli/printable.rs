//! Text of a session as a terminal may get it.

use crate::session::invisible::marked;

/// With marks for what would steer the terminal, reorder the line, or not be seen.
pub(super) fn printable(text: &str) -> String {
    let text = marked(text);
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
