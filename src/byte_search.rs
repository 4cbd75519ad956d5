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

/// How many bytes two texts begin with alike.
pub(crate) fn same_start(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.as_chunks::<BLOCK>().0.iter().zip(b.as_chunks::<BLOCK>().0);
    let passed = blocks.take_while(|(a, b)| a == b).count() * BLOCK;
    let rest = a[passed..].iter().zip(&b[passed..]);
    passed + rest.take_while(|(a, b)| a == b).count()
}

/// How many bytes two texts end with alike.
pub(crate) fn same_end(a: &[u8], b: &[u8]) -> usize {
    let blocks = a.as_rchunks::<BLOCK>().1.iter().rev().zip(b.as_rchunks::<BLOCK>().1.iter().rev());
    let passed = blocks.take_while(|(a, b)| a == b).count() * BLOCK;
    let rest = a[..a.len() - passed].iter().rev().zip(b[..b.len() - passed].iter().rev());
    passed + rest.take_while(|(a, b)| a == b).count()
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

    #[test]
    fn what_two_texts_begin_and_end_with_is_found_wherever_they_differ() {
        let bytes = [b'a'; 100];
        for at in 0..bytes.len() {
            let mut other = bytes;
            other[at] = b'b';
            assert_eq!(same_start(&bytes, &other), at);
            assert_eq!(same_end(&bytes, &other), 99 - at);
            assert_eq!(same_start(&bytes, &bytes[at..]), 100 - at);
            assert_eq!(same_end(&bytes[at..], &bytes), 100 - at);
        }
    }
}
