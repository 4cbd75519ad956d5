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

/// A path with the home directory written `~`, as a shell takes it.
pub(super) fn from_home(path: &Path) -> String {
    let home = std::env::var_os("HOME").filter(|home| cfg!(unix) && !home.is_empty());
    match home.as_ref().and_then(|home| path.strip_prefix(home).ok()) {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{}", rest.display()),
        None => path.display().to_string(),
    }
}

/// Where a session was, for a list.
pub(super) fn working_directory(cwd: Option<&str>) -> String {
    match cwd.filter(|cwd| !cwd.is_empty()) {
        Some(cwd) => printable(&from_home(Path::new(cwd))),
        None => "unknown working directory".to_owned(),
    }
}

/// Lines below a text, each behind so many blanks: the first names, and how many more there are.
pub(super) fn list(blanks: usize, names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("and {more} more"));
    let lines = names.take(NAMED).chain(more);
    lines.fold(String::new(), |text, line| text + "\n" + &" ".repeat(blanks) + &line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_says_how_many_it_leaves_out() {
        let names = |count: usize| (0..count).map(|nth| nth.to_string());
        assert_eq!(list(2, names(2)), "\n  0\n  1");
        assert!(list(0, names(10)).ends_with("\n9"));
        assert!(list(1, names(12)).ends_with("\n 9\n and 2 more"));
    }
}
