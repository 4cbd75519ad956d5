//! The system's reasons, as the command gives them.

use std::io;

/// The system's words without its number, in lower case: `no such file or directory`.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.rsplit_once(" (os error ").map_or(text.as_str(), |(text, _)| text);
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_lowercase());
    // An abbreviation at the beginning stays one.
    if letters.as_str().starts_with(|second: char| second.is_ascii_uppercase()) {
        return text.to_owned();
    }
    first.into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_the_system_are_in_lower_case_without_a_number() {
        assert_eq!(reason(&io::Error::from_raw_os_error(2)), "no such file or directory");
        assert_eq!(reason(&io::Error::other("UTF-8 is invalid")), "UTF-8 is invalid");
        assert_eq!(reason(&io::Error::other("")), "");
    }
}
