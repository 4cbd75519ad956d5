//! Texts that change: what of a text is replaced, and by what.
//!
//! Agents differ in small rules, such as the newline behind a text that is replaced by nothing. `Rules` has them, and
//! each edit is one or more splices of bytes: they can be applied, taken back and compared without a copy of the file.

use std::borrow::Cow;

use crate::changes::edit::Replacement;

/// Bytes of a text that are replaced by others. Of several, each is meant for the text that those before it left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Splice {
    pub(crate) at: usize,
    pub(crate) len: usize,
    pub(crate) text: String,
}

/// Applies splices one after the other.
pub(crate) fn apply(text: &mut String, splices: &[Splice]) {
    for splice in splices {
        text.replace_range(splice.at..splice.at + splice.len, &splice.text);
    }
}

/// How an agent replaces texts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rules {
    /// A text replaced by nothing takes the newline behind it along (Claude Code).
    pub(crate) empty_takes_newline: bool,
    /// As `apply_patch` does (codex-rs/apply-patch/src/seek_sequence.rs): hunks are found without regard to white
    /// space where they are nowhere else, and a newline is left at the end of the file.
    pub(crate) is_loose: bool,
}

/// The splices of replacements, made one after the other. `None` where one of them does not apply to the text.
pub(crate) fn replace(text: &str, all: &[Replacement<'_>], rules: Rules) -> Option<Vec<Splice>> {
    let mut text = Cow::Borrowed(text);
    let mut splices = Vec::new();
    for (nth, one) in all.iter().enumerate() {
        let own = replace_one(&text, one, rules)?;
        if nth + 1 < all.len() {
            apply(text.to_mut(), &own);
        }
        splices.extend(own);
    }
    Some(splices)
}

fn replace_one(text: &str, one: &Replacement<'_>, rules: Rules) -> Option<Vec<Splice>> {
    if one.old.is_empty() {
        let whole = Splice { at: 0, len: 0, text: one.new.to_string() };
        return text.is_empty().then(|| vec![whole]);
    }
    // Tools that find a text whatever its lines end with give back the ends of the file.
    if has_bare_newline(&one.old) && text.contains("\r\n") && !has_bare_newline(text) {
        let crlf = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n").into();
        let one = Replacement { old: crlf(&one.old), new: crlf(&one.new), all: one.all };
        return replace_one(text, &one, rules);
    }
    let longer = (rules.empty_takes_newline && one.new.is_empty() && !one.old.ends_with('\n'))
        .then(|| format!("{}\n", one.old))
        .filter(|longer| text.contains(longer.as_str()));
    let old = longer.as_deref().unwrap_or(&one.old);
    let mut places = memchr::memmem::find_iter(text.as_bytes(), old.as_bytes());
    let first = places.next()?;
    if !one.all {
        // A text that is there twice is refused (Anthropic's documentation, `str_replace`).
        let is_only = places.next().is_none();
        let only = Splice { at: first, len: old.len(), text: one.new.to_string() };
        return is_only.then(|| vec![only]);
    }
    // One splice for all: many within a long text would move its end many times.
    let last = places.last().unwrap_or(first);
    let end = last + old.len();
    let text = text[first..end].replace(old, &one.new);
    Some(vec![Splice { at: first, len: end - first, text }])
}

/// Whether lines end with no more than `\n`.
fn has_bare_newline(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'\n', bytes).any(|at| at == 0 || bytes[at - 1] != b'\r')
}

/// Whether a replacement puts lines that end with `\n` between lines that do not, and nothing shows what the tool makes
/// of that: some write the ends of the file.
pub(super) fn has_other_ends(text: &str, one: &Replacement<'_>) -> bool {
    has_bare_newline(&one.new) && !has_bare_newline(&one.old) && text.contains("\r\n")
}

/// The splice that inserts a text after so many lines, as the reference of Anthropic's editor does: both are parted at
/// their newlines and put together again, so that a newline at the end of the text leaves an empty line.
pub(crate) fn insert(text: &str, after: usize, inserted: &str) -> Option<Vec<Splice>> {
    let mut starts =
        std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
    let splice = match starts.nth(after) {
        Some(at) => Splice { at, len: 0, text: format!("{inserted}\n") },
        None if after == 1 + memchr::memchr_iter(b'\n', text.as_bytes()).count() => {
            Splice { at: text.len(), len: 0, text: format!("\n{inserted}") }
        }
        None => return None,
    };
    Some(vec![splice])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(text: &str, old: &str, new: &str, all: bool) -> Option<String> {
        let one = Replacement { old: old.to_owned().into(), new: new.to_owned().into(), all };
        let splices = replace(text, &[one], Rules::default())?;
        let mut text = text.to_owned();
        apply(&mut text, &splices);
        Some(text)
    }

    #[test]
    fn a_text_is_replaced_where_it_is_the_only_one() {
        assert_eq!(replaced("low tide", "low", "high", false).as_deref(), Some("high tide"));
        assert_eq!(replaced("low low", "low", "high", false), None);
        assert_eq!(replaced("low low!", "low", "high", true).as_deref(), Some("high high!"));
        assert_eq!(replaced("low", "ebb", "x", true), None);
        assert_eq!(replaced("", "", "new", false).as_deref(), Some("new"));
        assert_eq!(replaced("x", "", "new", false), None);
    }

    #[test]
    fn a_text_is_inserted_after_a_line() {
        let inserted_of = |text: &str, after, new: &str| {
            let splices = insert(text, after, new)?;
            let mut text = text.to_owned();
            apply(&mut text, &splices);
            Some(text)
        };
        let inserted = |text: &str, after| inserted_of(text, after, "x");
        assert_eq!(inserted("a\nb\n", 0).as_deref(), Some("x\na\nb\n"));
        assert_eq!(inserted("a\nb\n", 1).as_deref(), Some("a\nx\nb\n"));
        assert_eq!(inserted("a", 1).as_deref(), Some("a\nx"));
        assert_eq!(inserted("a\nb\n", 2).as_deref(), Some("a\nb\nx\n"));
        assert_eq!(inserted("a\n", 2).as_deref(), Some("a\n\nx"));
        assert_eq!(inserted_of("a\nb\n", 1, "x\n").as_deref(), Some("a\nx\n\nb\n"));
        assert_eq!(inserted("a", 2), None);
        assert_eq!(inserted("a", 7), None);
    }
}
