//! Text of a session as a terminal may get it.

use std::path::Path;

use crate::session::invisible::marked;

/// So many names are listed.
const NAMED: usize = 10;

/// With marks for what would steer the terminal, reorder the line, or not be seen.
pub(super) fn printable(text: &str) -> String {
    let text = marked(text);
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// A path, in the same way.
pub(super) fn printable_path(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// Lines below a text, each behind so many blanks: the first names, and how many more there are.
pub(super) fn list(blanks: usize, names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("and {more} more"));
    names.take(NAMED).chain(more).map(|line| format!("\n{:blanks$}{line}", "")).collect()
}
