//! Names of files made of ids and of other texts that nobody has checked.

/// A text as a part of a file's name on every system: letters and digits of ASCII and `-`, `_` for anything else, and no
/// more than so many of them.
pub(crate) fn plain(text: &str, longest: usize) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    text.chars().map(plain).take(longest).collect()
}

/// An id as the name of a file, without its ending.
pub(crate) fn of_id(id: &str) -> String {
    /// File systems refuse names that are much longer.
    const LONGEST: usize = 100;
    plain(id, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_nowhere() {
        assert_eq!(plain("ses_1/../x", 100), "ses_1____x");
        assert_eq!(plain("a<b>\u{202e}", 100), "a_b__");
        assert_eq!(plain(&"x".repeat(300), 100).len(), 100);
    }
}
