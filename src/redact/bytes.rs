//! Small questions about bytes that are asked once a literal: each costs a few
//! nanoseconds on the short texts it is asked of.

/// A set of bytes.
#[derive(Clone, Copy)]
pub(super) struct Bytes([bool; 256]);

impl Bytes {
    /// Of these bytes.
    pub(super) const fn of(members: &[u8]) -> Self {
        Bytes([false; 256]).and(members)
    }

    /// With these as well.
    pub(super) const fn and(self, members: &[u8]) -> Self {
        let mut table = self.0;
        let mut at = 0;
        while at < members.len() {
            table[members[at] as usize] = true;
            at += 1;
        }
        Bytes(table)
    }

    /// Whether the byte is one of them.
    #[inline]
    pub(super) fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }
}

/// ASCII letters and digits.
pub(super) const ALPHANUMERIC: Bytes =
    Bytes::of(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789");

/// Whether a text begins with `start`. What is asked differs by the first bytes mostly.
#[inline]
pub(super) fn begins(text: &[u8], start: &[u8]) -> bool {
    text.len() >= start.len() && text.iter().zip(start).all(|(own, wanted)| own == wanted)
}

/// The same without regard to case.
#[inline]
pub(super) fn begins_in_any_case(text: &[u8], start: &[u8]) -> bool {
    matches!((text.first(), start.first()), (Some(a), Some(b)) if a.eq_ignore_ascii_case(b))
        && text.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start))
}

/// Where `part` stands first. Unlike `memmem::find`, needs no preparation, which takes longer
/// than a search of a line.
pub(super) fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    let last = text.len().checked_sub(part.len())?;
    let heads = &text[..=last];
    memchr::memchr_iter(*part.first()?, heads).find(|&at| text[at..].starts_with(part))
}

/// Where `part` stands last.
pub(super) fn rfind(text: &[u8], part: &[u8]) -> Option<usize> {
    let last = text.len().checked_sub(part.len())?;
    let heads = &text[..=last];
    memchr::memrchr_iter(*part.first()?, heads).find(|&at| text[at..].starts_with(part))
}

/// What stands behind the last line break.
pub(super) fn last_line(text: &[u8]) -> &[u8] {
    &text[memchr::memrchr(b'\n', text).map_or(0, |last| last + 1)..]
}

/// Whether `part` stands anywhere.
pub(super) fn contains(text: &[u8], part: &[u8]) -> bool {
    find(text, part).is_some()
}

/// Words, and which lengths and first letters they have.
pub(super) struct Words {
    words: &'static [&'static str],
    /// For each length, a bit for each first letter.
    firsts: [u32; Words::MAX],
}

impl Words {
    const MAX: usize = 20;

    pub(super) const fn of(words: &'static [&'static str]) -> Self {
        let mut firsts = [0; Words::MAX];
        let mut at = 0;
        while at < words.len() {
            let word = words[at].as_bytes();
            assert!(!word.is_empty() && word.len() < Words::MAX);
            firsts[word.len()] |= bit(word[0]);
            at += 1;
        }
        Words { words, firsts }
    }

    /// Whether `word`, in whatever case, is one of them.
    pub(super) fn has(&self, word: &[u8]) -> bool {
        self.may_have(word)
            && self.words.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes()))
    }

    /// Whether `word`, letter by letter, is one of them.
    pub(super) fn has_exactly(&self, word: &str) -> bool {
        self.may_have(word.as_bytes()) && self.words.contains(&word)
    }

    #[inline]
    fn may_have(&self, word: &[u8]) -> bool {
        let Some(&first) = word.first() else { return false };
        self.firsts.get(word.len()).is_some_and(|firsts| firsts & bit(first) != 0)
    }
}

/// Letters differ by their last five bits, whatever their case.
const fn bit(letter: u8) -> u32 {
    1 << (letter & 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_where_they_stand() {
        for (text, part) in [("abcab", "ab"), ("aab", "ab"), ("b", "ab"), ("", "a"), ("ab", "ab")] {
            let (text, part) = (text.as_bytes(), part.as_bytes());
            assert_eq!(find(text, part), memchr::memmem::find(text, part));
            assert_eq!(rfind(text, part), memchr::memmem::rfind(text, part));
        }
    }

    #[test]
    fn words_are_known_in_any_case() {
        static WORDS: Words = Words::of(&["next", "eos"]);
        assert!(WORDS.has(b"NEXT") && WORDS.has(b"eos"));
        assert!(!WORDS.has(b"nexu") && !WORDS.has(b"") && !WORDS.has(b"a word of many letters"));
    }
}
