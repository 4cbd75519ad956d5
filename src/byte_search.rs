//! Texts searched for the few bytes that mean something, and for the ends of lines.

use std::ops::Range;

/// Bytes that are looked at together: as many as two vectors of the processors at hand hold.
const BLOCK: usize = 32;

/// Where the first byte stands of which `is_wanted` holds.
///
/// Where `is_wanted` compares without branches (`|` and `&` on comparisons, no table), the compiler
/// looks at whole blocks at once, so that texts with few such bytes cost little.
#[inline]
pub(crate) fn first(bytes: &[u8], is_wanted: impl Fn(u8) -> bool) -> Option<usize> {
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let has_none =
        |block: &[u8; BLOCK]| !block.iter().fold(false, |any, byte| any | is_wanted(*byte));
    let passed = blocks.iter().take_while(|block| has_none(block)).count() * BLOCK;
    bytes[passed..].iter().position(|byte| is_wanted(*byte)).map(|at| passed + at)
}

/// Where the lines of a text lie, each with its newline: as `split_inclusive` has them, twice as fast.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> + Clone {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let end = start + memchr::memchr(b'\n', rest).map_or(rest.len(), |at| at + 1);
        Some(std::mem::replace(&mut start, end)..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_ends() {
        for text in ["", "\n", "a", "a\n\nb\r\n", "\u{2028}a\nä"] {
            let found = lines(text.as_bytes()).map(|line| &text[line]);
            assert!(found.eq(text.split_inclusive('\n')), "{text:?}");
        }
    }

    #[test]
    fn the_first_is_found_wherever_it_stands() {
        let mut bytes = [b'a'; 100];
        assert_eq!(first(&bytes, |byte| byte == b'b'), None);
        for at in (0..100).rev() {
            bytes[at] = b'b';
            assert_eq!(first(&bytes, |byte| byte == b'b'), Some(at));
        }
        assert_eq!(first(&[], |_| true), None);
    }
}
