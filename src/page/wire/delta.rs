//! A text as pieces of a base that the reader has, and what is not in it.

use serde::Serialize;

/// The base is known by blocks of so many bytes, one behind the other; a piece of nearly twice as many is always found.
const BLOCK: usize = 16;

/// A shorter piece takes more room than its text.
const MIN_COPY: usize = 24;

/// A text as strings of its own, each followed by the place and the length in bytes of a piece of the base; the last
/// string may have none. `[]` is the empty text.
#[derive(Debug, Default, Serialize)]
#[serde(transparent)]
pub(crate) struct Delta(Vec<Part>);

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Part {
    Text(String),
    Number(usize),
}

impl Delta {
    pub(crate) fn of(base: &[u8], text: &str) -> Self {
        let mut parts = Vec::new();
        let mut at = 0;
        for copy in copies(base, text) {
            parts.push(Part::Text(text[at..copy.to].to_owned()));
            parts.extend([copy.from, copy.len].map(Part::Number));
            at = copy.to + copy.len;
        }
        if at < text.len() {
            parts.push(Part::Text(text[at..].to_owned()));
        }
        Delta(parts)
    }

    /// Whether it is the empty text.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A piece of the base that the text has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Copy {
    from: usize,
    /// In the text.
    to: usize,
    len: usize,
}

/// The longest pieces that a search by blocks finds, in the order of the text. They begin and end at characters.
fn copies(base: &[u8], text: &str) -> Vec<Copy> {
    let bytes = text.as_bytes();
    let mut copies: Vec<Copy> = Vec::new();
    if bytes.len() < 2 * MIN_COPY || base.len() < MIN_COPY {
        return copies;
    }
    let blocks = Blocks::of(base);
    let (mut done, mut at) = (0, 0);
    while let Some(block) = block(bytes, at) {
        let Some(from) = blocks.find(block) else {
            at += 1;
            continue;
        };
        let before = common(base[..from].iter().rev(), bytes[done..at].iter().rev());
        let after = common(base[from..].iter(), bytes[at..].iter());
        let (mut start, mut end) = (at - before, at + after);
        while !text.is_char_boundary(start) {
            start += 1;
        }
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        if end >= start + MIN_COPY {
            copies.push(Copy { from: from + start - at, to: start, len: end - start });
            (done, at) = (end, end);
        } else {
            at += 1;
        }
    }
    copies
}

fn common<'b>(a: impl Iterator<Item = &'b u8>, b: impl Iterator<Item = &'b u8>) -> usize {
    a.zip(b).take_while(|(a, b)| a == b).count()
}

fn block(bytes: &[u8], at: usize) -> Option<&[u8; BLOCK]> {
    bytes.get(at..)?.first_chunk()
}

/// Where the blocks of a base are. Of those with the same hash the last one is known.
struct Blocks<'b> {
    base: &'b [u8],
    /// Number of the block and 1, by its hash; 0 for none.
    table: Vec<u32>,
    shift: u32,
}

impl<'b> Blocks<'b> {
    fn of(base: &'b [u8]) -> Self {
        let size = (base.len() / BLOCK * 2).next_power_of_two().max(2);
        let mut blocks =
            Blocks { base, table: vec![0; size], shift: u64::BITS - size.trailing_zeros() };
        for (nth, block) in (1..).zip(base.chunks_exact(BLOCK)) {
            if let Some(block) = block.first_chunk() {
                let slot = blocks.slot(block);
                blocks.table[slot] = nth;
            }
        }
        blocks
    }

    fn find(&self, block: &[u8; BLOCK]) -> Option<usize> {
        let nth = self.table[self.slot(block)].checked_sub(1)?;
        let from = nth as usize * BLOCK;
        (self.base[from..from + BLOCK] == block[..]).then_some(from)
    }

    /// By Fibonacci hashing of both halves.
    #[expect(clippy::cast_possible_truncation, reason = "below the size of the table")]
    fn slot(&self, block: &[u8; BLOCK]) -> usize {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let whole = u128::from_le_bytes(*block);
        let (low, high) = (whole as u64, (whole >> 64) as u64);
        ((low.wrapping_mul(GOLDEN) ^ high).wrapping_mul(GOLDEN) >> self.shift) as usize
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    /// As the script puts it together.
    fn text(delta: &Delta, base: &[u8]) -> String {
        let Value::Array(parts) = serde_json::to_value(delta).unwrap() else { panic!("{delta:?}") };
        let mut text = String::new();
        for part in parts.chunks(3) {
            text.push_str(part[0].as_str().unwrap());
            if let [_, from, len] = part {
                let number = |of: &Value| usize::try_from(of.as_u64().unwrap()).unwrap();
                let piece = &base[number(from)..][..number(len)];
                text.push_str(str::from_utf8(piece).unwrap());
            }
        }
        text
    }

    #[test]
    fn what_the_base_has_is_a_piece_of_it() {
        let base = "row: The quick brown fox jumps over the lazy dog, says é\u{1}\n".repeat(3);
        let long = format!("```\n{}\n```\n", &base[5..base.len() - 2]);
        let delta = Delta::of(base.as_bytes(), &long);
        assert_eq!(text(&delta, base.as_bytes()), long);
        let json = serde_json::to_string(&delta).unwrap();
        assert!(json.len() < 40, "{json}");
    }

    proptest! {
        #[test]
        fn a_text_comes_back(
            base in "([a-c]{1,3}|é|\u{1f600}|the quick brown fox jumps|\n){0,40}",
            own in "([a-c]{1,3}|é|\"|\\\\|\u{1}|\n){0,8}",
            at in 0usize..60,
        ) {
            let at = (0..=at.min(base.len())).rev().find(|at| base.is_char_boundary(*at)).unwrap();
            let whole = format!("{own}{}{own}{base}{own}", &base[at..]);
            let delta = Delta::of(base.as_bytes(), &whole);
            prop_assert_eq!(text(&delta, base.as_bytes()), whole);
        }
    }
}
